//! Saying in a summary what names mean that kept messages use.
//!
//! Inside of the brackets of the summary, so that a later call knows it for what it is, and only what the summary lacks.

use memchr::memmem;

use super::emit::{Emission, Output};
use super::engine::Engine;
use crate::coreference::{CoreferenceMap, MAX_NAMES, definition};
use crate::summarize::for_each_identifier;
use crate::text::hashing::TextSet;
use crate::text::masks::Scratch;
use crate::text::{SharedText, Text, TextBuf};

impl Engine {
    /// The names of all messages.
    pub(super) fn read_coreferences(&mut self) -> CoreferenceMap {
        let mut map = CoreferenceMap::default();
        for index in 0..self.conversation.len() {
            let text = self.conversation.text(index);
            map.read(index, text, self.scratch.scan(text.bytes()));
        }
        map
    }

    /// Adds to each summary the sentences about names that it lacks and that a kept message uses.
    pub(super) fn define(&self, emission: &mut Emission) {
        if !self.options.coreference {
            return;
        }
        let count = self.conversation.len();
        let mut is_kept = vec![false; count];
        let mut summarised_in = vec![None; count];
        for (position, output) in emission.outputs.iter().enumerate() {
            match &output.text {
                None => is_kept[output.start] = true,
                Some(text) if text.as_text().bytes().starts_with(b"[summary") => {
                    summarised_in[output.start..output.start + output.count].fill(Some(position));
                }
                Some(_) => {}
            }
        }
        let orphans = self.coreferences.coreferences().filter_map(|coreference| {
            let position = summarised_in[coreference.defined_in]?;
            let is_used = coreference.referred_to_in.iter().any(|&index| is_kept[index]);
            is_used.then_some((position, coreference.defined_in, self.coreferences.name(coreference.name)))
        });
        // They come in the order of the messages that define them.
        let orphans: Vec<(usize, usize, Text<'_>)> = orphans.collect();
        let mut scratch = Scratch::default();
        for of_output in orphans.chunk_by(|a, b| a.0 == b.0) {
            let output = &emission.outputs[of_output[0].0];
            let Some(text) = self.with_definitions(output, of_output, &mut scratch) else { continue };
            let defined = output.with_text(SharedText::from(&text), output.ids_hash, output.reason);
            let of_members = emission.decisions.iter_mut().skip(output.start).take(output.count);
            of_members.for_each(|decision| decision.output_length = defined.share());
            emission.outputs[of_output[0].0] = defined;
        }
    }

    /// The text of `output` with the definitions of the names in `orphans` that it lacks, if there are any and it stays
    /// shorter than what it stands for. The first five of those names are looked up.
    fn with_definitions(
        &self,
        output: &Output,
        orphans: &[(usize, usize, Text<'_>)],
        scratch: &mut Scratch,
    ) -> Option<TextBuf> {
        let text = output.text.as_ref()?.as_text();
        let (start, end) = (output.start, output.start + output.count);
        let total: usize = (start..end).map(|index| self.conversation.text(index).len()).sum();
        // That the list of entities names it says nothing about it.
        let prose = &text.bytes()[..memmem::rfind(text.bytes(), b" | entities: ").unwrap_or(text.len())];
        let mut named = TextSet::default();
        for_each_identifier(scratch.scan(prose), |_, start, end| _ = named.insert(&prose[start..end]));
        let mut context = TextBuf::new();
        let lacking = orphans.iter().filter(|(_, _, name)| !named.contains(name.bytes()));
        for &(_, defined_in, name) in lacking.take(MAX_NAMES) {
            if memmem::find(context.as_text().bytes(), name.bytes()).is_some() {
                continue;
            }
            let source = self.conversation.text(defined_in);
            let Some(definition) = definition(name, source, scratch.scan(source.bytes())) else { continue };
            if text.len() + context.len() + definition.len() + "[context: ] ".len() < total {
                context.push_str(if context.is_empty() { "[context: " } else { " | " });
                context.push(definition.as_text());
            }
        }
        if context.is_empty() {
            return None;
        }
        let inside = memmem::find(text.bytes(), b": ")? + 2;
        let mut defined = TextBuf::from(text.prefix(inside));
        defined.push(context.as_text());
        defined.push_str("] ");
        defined.push(text.slice(inside..text.len()));
        Some(defined)
    }
}
