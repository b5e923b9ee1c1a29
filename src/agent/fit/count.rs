//! The tokens of what is written.

use super::state::State;
use super::{Edit, Piece};
use crate::text::TextBuf;
use crate::tokens::{Counter, Tokenizer, estimate};

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
