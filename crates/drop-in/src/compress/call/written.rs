//! The texts written during a call.

use std::sync::Arc;

use crate::compress::answers::Request;
use crate::compress::host::Host;
use crate::compress::plan::{Plan, Route};
use crate::compress::render::{
    Assignment, Context, Writer, Writing, Written, WrittenTexts, assignments, prose_summary,
};
use palimpsest_text::parallel::map_chunks;
use palimpsest_text::{SharedText, TextBuf};

/// The texts written during a call at one depth.
#[derive(Default)]
pub(super) struct WriteMemo {
    /// The texts by the messages that they replace.
    pub texts: WrittenTexts,
}

impl WriteMemo {
    /// Writes all texts that `plan` needs and that were not written before. Returns what the caller has to bring first; the
    /// texts that depend on it are not written.
    ///
    /// # Errors
    /// If the host can't answer.
    pub(super) fn write<H: Host>(
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
        let pieces = map_chunks(assignments.len(), units, |piece| {
            let mut writer = Writer::new(context, piece.len(), piece.clone().map(units).sum());
            let written: Vec<_> = assignments[piece].iter().map(|assignment| writer.write(*assignment)).collect();
            (written, writer.into_written())
        });
        let mut requests = Vec::new();
        self.texts.reserve(assignments.len());
        let mut assignments = assignments.into_iter();
        for (written, texts) in pieces {
            let texts = Arc::new(texts);
            for (written, Assignment { start, count, .. }) in written.into_iter().zip(&mut assignments) {
                match written {
                    Ok(written) => {
                        let text = |number| SharedText::new(&texts, number);
                        let written =
                            written.map(|Writing { number, dropped }| Written { text: text(number), dropped });
                        self.texts.insert((start, count), written);
                    }
                    Err(request) => requests.push(request),
                }
            }
        }
        requests
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
                    let written = text.map(|text| Written { text: SharedText::from(&text), dropped: None });
                    self.texts.insert((index, 1), written);
                }
                Err(request) => requests.push(request),
            }
        }
        Ok(requests)
    }
}
