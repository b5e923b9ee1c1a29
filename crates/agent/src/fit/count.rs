//! Tokens of what is rendered: approximately, from those of the spans, and exactly.

use std::ops::Range;

use super::drafts::{Drafts, Written};
use super::fit_input::FitInput;
use super::input::Costs;
use super::replace::units;
use super::state::State;
use crate::edit::Piece;
use palimpsest_history::transcript::{Kind, MessageIndex, PartIndex, Transcript};
use palimpsest_text::index::IndexVec;
use palimpsest_text::parallel::map_chunks;
use palimpsest_text::{Text, TextBuf};
use palimpsest_tokens::{Counter, Tokenizer, estimate};

/// The tokens of each part, without reading anything else of its text.
pub(super) fn count_parts(transcript: &Transcript, costs: &Costs, tokenizer: Tokenizer) -> Vec<f64> {
    let count = |range: Range<usize>| {
        let mut counter = Counter::new(tokenizer);
        let count = |part: PartIndex| costs.parts[part] + counter.count(transcript.text(part)) as f64;
        range.map(PartIndex::from).map(count).collect::<Vec<f64>>()
    };
    map_chunks(transcript.parts().len(), |part| transcript.text(part).len(), count).concat()
}

/// Time of counting a text, as a multiple of that of reading it.
const COUNTING: usize = 4;

/// Approximate tokens of the conversation with what is `written` of each part: a tokenizer may cut a little differently where a mark
/// meets the text.
pub(super) fn tokens_with(state: &State<'_>, written: &IndexVec<PartIndex, Written>, drafts: &mut Drafts) -> f64 {
    let input = state.input;
    let mut counter = Counter::new(input.tokenizer());
    let open = input.transcript.messages().filter(|&message| state.is_open(input.groups.of_message[message]));
    let mut of_message = |message: MessageIndex| {
        let mut tokens = input.costs.messages[message];
        for part in input.transcript.parts_of(message) {
            tokens += match written[part] {
                Written::Whole => input.items.whole[part],
                Written::Removed => 0.0,
                Written::Draft(draft) => drafts.tokens(draft, |pieces| tokens_of(state, part, pieces, &mut counter)),
            };
        }
        tokens * input.costs.scale(message)
    };
    input.costs.request + open.map(&mut of_message).sum::<f64>()
}

/// The tokens of a part with `pieces` as its text.
fn tokens_of(state: &State<'_>, part: PartIndex, pieces: &[Piece], counter: &mut Counter) -> f64 {
    let input = state.input;
    if input.tokenizer() == Tokenizer::Estimate {
        return input.costs.parts[part] + estimate(pieces.iter().map(units).sum()) as f64;
    }
    let mut text = TextBuf::new();
    if input.transcript.parts()[part].kind == Kind::Call {
        write_pieces(input.transcript.text(part), pieces, &mut text);
        return input.costs.parts[part] + counter.count(text.as_text()) as f64;
    }
    let mut tokens = input.items.whole[part];
    let mut items = input.items.list[input.items.of_part[part]].iter().peekable();
    let mut kept = 0;
    for piece in pieces {
        match piece {
            Piece::Mark(mark) => {
                text.clear();
                text.push_str(mark);
                tokens += counter.count(text.as_text()) as f64;
            }
            Piece::Keep(range) => {
                while let Some(item) = items.next_if(|item| item.range.end.index() <= range.start) {
                    // An item between this piece and the one before it is left out.
                    tokens -= if item.range.end.index() > kept { item.tokens } else { 0.0 };
                }
                kept = range.end;
            }
        }
    }
    let cut = items.filter(|item| item.range.end.index() > kept);
    tokens - cut.map(|item| item.tokens).sum::<f64>()
}

/// Writes pieces of `original` and the marks between them.
fn write_pieces(original: Text<'_>, pieces: &[Piece], text: &mut TextBuf) {
    for piece in pieces {
        match piece {
            Piece::Keep(range) => text.push(original.slice(range.clone())),
            Piece::Mark(mark) => text.push_str(mark),
        }
    }
}

impl FitInput {
    /// Exact tokens of texts of parts, given as their pieces.
    pub fn tokens_of_texts(&self, texts: &[(PartIndex, &[Piece])]) -> Vec<f64> {
        let units = |index: usize| COUNTING * texts[index].1.iter().map(Piece::kept).sum::<usize>();
        let count = |range: Range<usize>| {
            let mut counter = Counter::new(self.tokenizer());
            let mut text = TextBuf::new();
            let mut count = |(part, pieces): &(PartIndex, &[Piece])| {
                text.clear();
                write_pieces(self.transcript.text(*part), pieces, &mut text);
                counter.count(text.as_text()) as f64
            };
            texts[range].iter().map(&mut count).collect::<Vec<f64>>()
        };
        map_chunks(texts.len(), units, count).concat()
    }

    /// Exact tokens that are left of each message with what is `written` of each part, whose edits have `counts` tokens: 0 where it is removed.
    /// Of messages that the format merges, because those between them are removed, the second costs less.
    pub fn tokens_left(&self, written: &IndexVec<PartIndex, Written>, counts: &[f64]) -> Vec<f64> {
        let mut counts = counts.iter();
        let mut last: Option<MessageIndex> = None;
        let mut left = |message: MessageIndex| {
            let mut tokens = self.costs.messages[message];
            let mut is_removed = self.costs.is_emptied(message);
            for part in self.transcript.parts_of(message) {
                tokens += match written[part] {
                    Written::Whole => self.items.whole[part],
                    edited => {
                        is_removed |= edited == Written::Removed;
                        self.costs.parts[part] + counts.next().copied().unwrap_or(0.0)
                    }
                };
            }
            if is_removed {
                return 0.0;
            }
            let before = last.replace(message);
            let is_merged =
                before.is_some_and(|before| before.next() < message && self.costs.are_merged(before, message));
            tokens - if is_merged { self.costs.merging } else { 0.0 }
        };
        self.transcript.messages().map(&mut left).collect()
    }
}
