//! Adds to a summary the definitions of names that kept messages use and that the summary lacks.
//!
//! They go inside the brackets of the summary, so that a later call recognises it as one.

use memchr::memmem;

use super::context::Context;
use super::output::{Emission, Output};
use crate::coreference::{MAX_NAMES, definition};
use crate::summarize::for_each_identifier;
use palimpsest_text::hashing::TextSet;
use palimpsest_text::masks::Scratch;
use palimpsest_text::{SharedText, Text, TextBuf};

/// Adds to each summary the definitions of names that it lacks and that a kept message uses.
pub(super) fn define(context: Context<'_>, emission: &mut Emission) {
    if !context.options.coreference {
        return;
    }
    let count = context.facts.transcript.len();
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
    let coreferences = &context.facts.coreferences;
    let orphans = coreferences.coreferences().filter_map(|coreference| {
        let position = summarised_in[coreference.defined_in]?;
        let is_used = coreference.referred_to_in.iter().any(|&index| is_kept[index]);
        is_used.then_some((position, coreference.defined_in, coreferences.name(coreference.name)))
    });
    // They come in the order of the messages that define them.
    let orphans: Vec<(usize, usize, Text<'_>)> = orphans.collect();
    let mut scratch = Scratch::default();
    for of_output in orphans.chunk_by(|a, b| a.0 == b.0) {
        let output = &emission.outputs[of_output[0].0];
        let Some(text) = with_definitions(context, output, of_output, &mut scratch) else { continue };
        let defined = output.with_text(SharedText::from(&text), output.ids_hash, output.reason);
        let of_members = emission.statistics.decisions.iter_mut().skip(output.start).take(output.count);
        of_members.for_each(|decision| decision.output_length = defined.share());
        emission.outputs[of_output[0].0] = defined;
    }
}

/// Returns the text of `output` with the definitions of the names in `orphans` that it lacks, if there are any and it stays
/// shorter than the messages it replaces. At most [`MAX_NAMES`] names are looked up.
fn with_definitions(
    context: Context<'_>,
    output: &Output,
    orphans: &[(usize, usize, Text<'_>)],
    scratch: &mut Scratch,
) -> Option<TextBuf> {
    let text = output.text.as_ref()?.as_text();
    let total = context.facts.length(output.start, output.count);
    // A name in the list of entities is not explained there.
    let prose = &text.bytes()[..memmem::rfind(text.bytes(), b" | entities: ").unwrap_or(text.len())];
    let mut named = TextSet::default();
    for_each_identifier(scratch.scan(prose), |_, start, end| _ = named.insert(&prose[start..end]));
    let mut added = TextBuf::new();
    let lacking = orphans.iter().filter(|(_, _, name)| !named.contains(name.bytes()));
    for &(_, defined_in, name) in lacking.take(MAX_NAMES) {
        if memmem::find(added.as_text().bytes(), name.bytes()).is_some() {
            continue;
        }
        let source = context.facts.text(defined_in);
        let Some(definition) = definition(name, source, scratch.scan(source.bytes())) else { continue };
        if text.len() + added.len() + definition.len() + "[context: ] ".len() < total {
            added.push_str(if added.is_empty() { "[context: " } else { " | " });
            added.push(definition.as_text());
        }
    }
    if added.is_empty() {
        return None;
    }
    let inside = memmem::find(text.bytes(), b": ")? + 2;
    let mut defined = TextBuf::from(text.prefix(inside));
    defined.push(added.as_text());
    defined.push_str("] ");
    defined.push(text.slice(inside..text.len()));
    Some(defined)
}
