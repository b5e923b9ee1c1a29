//! Long texts in the arguments of calls. A model repeats what it sees in its own calls, so one mark stands for all of such a text, on one line,
//! and the lines that stay are quoted in it: nobody takes that for what the call said. A text of which little would go stays whole.

use std::ops::Range;

use super::indices::ItemIndex;
use super::marks::MarkWriter;
use super::replace::replace;
use super::span::Form;
use super::spans::is_escaped;
use super::state::State;
use crate::edit::Piece;
use palimpsest_history::transcript::PartIndex;
use palimpsest_text::Text;
use palimpsest_text::index::IndexRange;

/// Between two quotes, where something is left out or a line ends.
const BETWEEN: &str = " … ";

/// The pieces that replace the arguments of a call; none where all of them stay.
pub(super) fn argument_pieces(state: &State<'_>, part: PartIndex, marks: &MarkWriter<'_>) -> Option<Vec<Piece>> {
    let input = state.input;
    let text = input.transcript.text(part);
    let is_cut = |run: &IndexRange<ItemIndex>| state.kept[*run].contains(&false);
    let quoted = input.items.runs(part).filter(is_cut).map(|run| {
        let items = &input.items.list[run];
        let range = items[0].range.start.index()..items[items.len() - 1].range.end.index();
        let is_escaped = is_escaped(Form::Argument, range.start);
        let mut quotes: Vec<Range<usize>> = Vec::new();
        for (item, _) in items.iter().zip(&state.kept[run]).filter(|(_, kept)| **kept) {
            let quote = quote(text, item.range.positions(), is_escaped);
            match quotes.last_mut() {
                _ if quote.is_empty() => {}
                // Parts of one line.
                Some(last) if last.end == quote.start => last.end = quote.end,
                _ => quotes.push(quote),
            }
        }
        let mark = quoting(marks.of_argument(&range), quotes);
        (range, mark)
    });
    replace(text.len(), quoted)
}

/// A mark with quotes in it.
fn quoting(mut mark: String, quotes: Vec<Range<usize>>) -> Vec<Piece> {
    if quotes.is_empty() {
        return vec![Piece::Mark(mark)];
    }
    let end = mark.pop();
    let mut before = format!("{mark}: ");
    let mut pieces = Vec::with_capacity(2 * quotes.len() + 1);
    for quote in quotes {
        pieces.push(Piece::Mark(std::mem::replace(&mut before, BETWEEN.to_owned())));
        pieces.push(Piece::Keep(quote));
    }
    pieces.push(Piece::Mark(end.into_iter().collect()));
    pieces
}

/// The first line of a span, without the blanks around it: the lines below it, if there are any, say nothing.
fn quote(text: Text<'_>, range: Range<usize>, is_escaped: bool) -> Range<usize> {
    let bytes = text.bytes();
    let Range { mut start, mut end } = range;
    loop {
        match bytes[start..end] {
            [b' ' | b'\t' | b'\r' | b'\n', ..] => start += 1,
            [b'\\', b't' | b'r' | b'n', ..] if is_escaped => start += 2,
            _ => break,
        }
    }
    let mut at = start;
    while at < end {
        match bytes[at..end] {
            [b'\r' | b'\n', ..] => end = at,
            [b'\\', b'r' | b'n', ..] if is_escaped => end = at,
            [b'\\', _, ..] if is_escaped => at += 2,
            _ => at += 1,
        }
    }
    while end > start && bytes[end - 1] == b' ' {
        end -= 1;
    }
    start..end
}
