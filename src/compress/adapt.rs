//! Messages in a format whose skeleton stays: the host's adapters take them apart and put them together again.

use super::Host;
use super::condense::Request;
use super::engine::Engine;
use super::route::Route;
use super::write::{Writer, Written};
use crate::quality::Traits;
use crate::text::{SharedText, Text, TextBuf};

impl Engine {
    /// Writes the texts of all messages that adapters take apart and that were not written before. Returns what has to be
    /// asked for first; the texts that wait for it are not written then.
    pub(super) fn adapt_all<H: Host>(&mut self, routes: &[Route], host: &mut H) -> Result<Vec<Request>, H::Error> {
        let mut requests = Vec::new();
        for (index, route) in routes.iter().enumerate() {
            if !matches!(route, Route::Adapt(_)) || self.written_before.contains_key(&(index, 1)) {
                continue;
            }
            let prose = host.adapted_prose(index)?;
            match self.summary_of_prose(prose.as_text()) {
                Ok(summary) => {
                    let written = host.reconstruct(index, summary)?.filter(|text| self.is_shorter(text, index));
                    let written = written.map(|text| self.with_traits(&text));
                    self.written_before.insert((index, 1), written);
                }
                Err(request) => requests.push(request),
            }
        }
        Ok(requests)
    }

    fn summary_of_prose(&self, prose: Text<'_>) -> Result<TextBuf, Request> {
        if prose.is_empty() { Ok(TextBuf::new()) } else { Writer::new(self).prose_summary(prose) }
    }

    fn is_shorter(&self, text: &TextBuf, index: usize) -> bool {
        text.len() < self.conversation.text(index).len()
    }

    fn with_traits(&mut self, text: &TextBuf) -> Written {
        let scanned = self.scratch.scan(text.as_text().bytes());
        let traits = Traits::of(text.as_text(), scanned, &mut self.entities, None);
        Written { text: SharedText::from(text), traits, dropped: None }
    }
}
