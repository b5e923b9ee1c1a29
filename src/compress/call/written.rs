//! The texts written during a call, and their entities.

use std::sync::Arc;

use crate::compress::answers::Request;
use crate::compress::facts::Facts;
use crate::compress::host::Host;
use crate::compress::plan::{Plan, Route};
use crate::compress::render::{
    Assignment, Context, Output, Writer, Writing, Written, WrittenTexts, assignments, prose_summary,
};
use crate::parallel::map_chunks;
use crate::quality::{EntityOverlay, EntityTable, Traits};
use crate::text::masks::Scratch;
use crate::text::{SharedText, Text, TextBuf};

/// The texts written during a call at one depth.
#[derive(Default)]
pub struct WriteMemo {
    /// The texts by the messages that they replace.
    pub texts: WrittenTexts,
    /// Entities of the texts, beside those of the input.
    pub entities: EntityOverlay,
}

impl WriteMemo {
    /// Writes all texts that `plan` needs and that were not written before. Returns what the caller has to bring first; the
    /// texts that depend on it are not written.
    ///
    /// # Errors
    /// If the host can't answer.
    pub fn write<H: Host>(
        &mut self,
        context: Context<'_>,
        plan: &Plan,
        host: &mut H,
    ) -> Result<Vec<Request>, H::Error> {
        let adapting = self.adapt(context, plan, host)?;
        let mut requests = self.write_assignments(context, assignments(context.facts, plan, &self.texts));
        requests.extend(adapting);
        Ok(requests)
    }

    fn write_assignments(&mut self, context: Context<'_>, assignments: Vec<Assignment>) -> Vec<Request> {
        let units = |number: usize| context.facts.length(assignments[number].start, assignments[number].count);
        let chunks = map_chunks(assignments.len(), units, |chunk| {
            let mut writer = Writer::new(context);
            let written: Vec<_> = assignments[chunk].iter().map(|assignment| writer.write(*assignment)).collect();
            (written, writer.into_written())
        });
        let mut requests = Vec::new();
        let mut assignments = assignments.into_iter();
        for (written, (texts, entities)) in chunks {
            let moved_by = self.entities.absorb(context.facts.texts.entities(), &entities);
            let texts = Arc::new(texts);
            for (written, Assignment { start, count, .. }) in written.into_iter().zip(&mut assignments) {
                match written {
                    Ok(written) => {
                        let written = written.map(|Writing { number, traits, dropped }| Written {
                            text: SharedText::new(&texts, number),
                            traits: traits.moved_by(moved_by),
                            dropped,
                        });
                        self.texts.insert((start, count), written);
                    }
                    Err(request) => requests.push(request),
                }
            }
        }
        requests
    }

    /// Returns the traits of all outputs with a text of their own, in order.
    pub fn traits_of(&mut self, facts: &Facts, outputs: &[Output]) -> Vec<Traits> {
        let written = || outputs.iter().filter_map(|output| Some((output.text.as_ref()?, output.traits)));
        let unread: Vec<Text<'_>> =
            written().filter(|(_, traits)| traits.is_none()).map(|(text, _)| text.as_text()).collect();
        let mut read = traits_of(&unread, facts, &mut self.entities).into_iter();
        written().filter_map(|(_, traits)| traits.or_else(|| read.next())).collect()
    }

    /// Has adapters write their messages with summaries of the prose.
    fn adapt<H: Host>(&mut self, context: Context<'_>, plan: &Plan, host: &mut H) -> Result<Vec<Request>, H::Error> {
        let mut requests = Vec::new();
        for (index, route) in plan.routes.iter().enumerate() {
            if !matches!(route, Route::Adapt(_)) || self.texts.contains_key(&(index, 1)) {
                continue;
            }
            let prose = host.adapted_prose(index)?;
            match prose_summary(context, prose.as_text()) {
                Ok(summary) => {
                    let is_shorter = |text: &TextBuf| text.len() < context.facts.text(index).len();
                    let text = host.reconstruct(index, summary)?.filter(is_shorter);
                    let written = text.map(|text| {
                        let traits = traits_of(&[text.as_text()], context.facts, &mut self.entities)[0];
                        Written { text: SharedText::from(&text), traits, dropped: None }
                    });
                    self.texts.insert((index, 1), written);
                }
                Err(request) => requests.push(request),
            }
        }
        Ok(requests)
    }
}

/// Returns the traits of written texts and adds their entities to `entities`.
fn traits_of(texts: &[Text<'_>], facts: &Facts, entities: &mut EntityOverlay) -> Vec<Traits> {
    if texts.is_empty() {
        return Vec::new();
    }
    let (mut scratch, mut table) = (Scratch::default(), EntityTable::default());
    let traits: Vec<_> =
        texts.iter().map(|text| Traits::of(*text, scratch.scan(text.bytes()), &mut table, None)).collect();
    let moved_by = entities.absorb(facts.texts.entities(), &table);
    traits.into_iter().map(|traits| traits.moved_by(moved_by)).collect()
}
