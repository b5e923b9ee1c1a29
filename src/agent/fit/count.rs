//! The tokens of what is written.

use std::ops::Range;

use super::state::State;
use super::{Edit, Fit, Piece};
use crate::parallel::map_chunks;
use crate::text::TextBuf;
use crate::tokens::{Counter, Tokenizer, estimate};

/// Counting a unit takes about so many times as long as reading it.
const COUNTING: usize = 4;

impl State<'_> {
    /// The tokens of the conversation with `edits`, one place for each part. A tokenizer may cut a little differently where a mark
    /// meets what is kept.
    pub fn tokens_with(&self, edits: &[Option<Edit>]) -> f64 {
        let fit = self.fit;
        let mut counter = Counter::new(fit.tokenizer);
        let open =
            (0..fit.transcript.message_count()).filter(|&message| self.is_open(fit.unit_of[message as usize] as usize));
        let of_message = |message: u32| {
            let mut tokens = fit.costs.messages[message as usize];
            for part in fit.parts(message) {
                tokens += match &edits[part] {
                    None => fit.whole[part],
                    Some(Edit::Remove) => 0.0,
                    Some(Edit::Replace(pieces)) => self.tokens_of(part, pieces, &mut counter),
                };
            }
            tokens * fit.scale(message)
        };
        fit.costs.request + open.map(of_message).sum::<f64>()
    }

    /// The tokens of a part with `pieces` as its text.
    fn tokens_of(&self, part: usize, pieces: &[Piece], counter: &mut Counter) -> f64 {
        let fit = self.fit;
        if fit.tokenizer == Tokenizer::Estimate {
            let length = |piece: &Piece| match piece {
                Piece::Keep(range) => range.len(),
                Piece::Mark(mark) => mark.encode_utf16().count(),
            };
            return fit.costs.parts[part] + estimate(pieces.iter().map(length).sum()) as f64;
        }
        let mut tokens = fit.whole[part];
        let mut items = fit.of_part[part].clone().map(|item| &fit.items[item as usize]).peekable();
        let mut kept = 0;
        for piece in pieces {
            match piece {
                Piece::Mark(mark) => tokens += counter.count(TextBuf::from(&mark[..]).as_text()) as f64,
                Piece::Keep(range) => {
                    while let Some(item) = items.next_if(|item| (item.range.end as usize) <= range.start) {
                        // What ends before the piece but not before the one in front of it is gone.
                        tokens -= if item.range.end as usize > kept { item.tokens } else { 0.0 };
                    }
                    kept = range.end;
                }
            }
        }
        let gone = items.filter(|item| item.range.end as usize > kept);
        tokens - gone.map(|item| item.tokens).sum::<f64>()
    }
}

impl Fit {
    /// The tokens of the text that each edit makes; 0 where the part goes. None where another counter has the last word.
    pub(super) fn tokens_of_edits(&self, edits: &[(u32, Edit)]) -> Vec<f64> {
        if !self.costs.scales.is_empty() {
            return Vec::new();
        }
        let length = |piece: &Piece| if let Piece::Keep(range) = piece { range.len() } else { 0 };
        let units = |index: usize| match &edits[index].1 {
            Edit::Remove => 0,
            Edit::Replace(pieces) => COUNTING * pieces.iter().map(length).sum::<usize>(),
        };
        let count = |range: Range<usize>| {
            let mut counter = Counter::new(self.tokenizer);
            let mut text = TextBuf::new();
            let mut count = |(part, edit): &(u32, Edit)| {
                let Edit::Replace(pieces) = edit else { return 0.0 };
                text.clear();
                for piece in pieces {
                    match piece {
                        Piece::Keep(range) => text.push(self.transcript.text(*part as usize).slice(range.clone())),
                        Piece::Mark(mark) => text.push_str(mark),
                    }
                }
                counter.count(text.as_text()) as f64
            };
            edits[range].iter().map(&mut count).collect::<Vec<f64>>()
        };
        map_chunks(edits.len(), units, count).concat()
    }
}
