//! Long texts in the arguments of calls. A model repeats what it sees in its own calls, so one mark stands for all of such a text, and what
//! stays is quoted in it: nobody takes that for what the call said. Lines that stay side by side are a passage, which an edit may quote in its
//! turn: it stands word for word. A text of which little would go stays whole.

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

/// A stretch of a text that a mark quotes.
struct Quote {
    range: Range<usize>,
    /// Whether it is several lines, which stand apart from the words of the mark.
    is_passage: bool,
}

/// The pieces that replace the arguments of a call; none where all of them stay.
pub(super) fn argument_pieces(state: &State<'_>, part: PartIndex, marks: &MarkWriter<'_>) -> Option<Vec<Piece>> {
    let input = state.input;
    let text = input.transcript.text(part);
    let is_cut = |run: &IndexRange<ItemIndex>| state.kept[*run].contains(&false);
    let quoted = input.items.runs(part).filter(is_cut).map(|run| {
        let items = &input.items.list[run];
        let range = items[0].range.start.index()..items[items.len() - 1].range.end.index();
        let is_escaped = is_escaped(Form::Argument, range.start);
        let mut rest = items;
        let quotes = state.kept[run].chunk_by(|a, b| a == b).filter_map(|kept| {
            let (stretch, others) = rest.split_at(kept.len());
            rest = others;
            let range = stretch[0].range.start.index()..stretch[stretch.len() - 1].range.end.index();
            kept[0].then(|| quote(text, range, stretch.len() == 1, is_escaped))
        });
        let mark = quoting(marks.of_argument(&range), quotes, if is_escaped { "\\n" } else { "\n" });
        (range, mark)
    });
    replace(text.len(), quoted)
}

/// A mark with quotes in it, and with `line_end` around passages.
fn quoting(mut mark: String, quotes: impl Iterator<Item = Quote>, line_end: &str) -> Vec<Piece> {
    let end: String = mark.pop().into_iter().collect();
    mark.push(':');
    let mut pieces = Vec::new();
    let mut after = "";
    for Quote { range, is_passage } in quotes.filter(|quote| !quote.range.is_empty()) {
        let border = if is_passage { line_end } else { " " };
        let before = if pieces.is_empty() { [&mark[..], border].concat() } else { [after, "…", border].concat() };
        pieces.extend([Piece::Mark(before), Piece::Keep(range)]);
        after = border;
    }
    if pieces.is_empty() {
        mark.pop();
        return vec![Piece::Mark(mark + &end)];
    }
    pieces.push(Piece::Mark(after.trim_start_matches(' ').to_owned() + &end));
    pieces
}

/// What is quoted of spans side by side: their lines, without the blanks around them; of several, the first keeps its indentation. The lines below
/// that of a span `alone` say nothing.
fn quote(text: Text<'_>, stretch: Range<usize>, is_alone: bool, is_escaped: bool) -> Quote {
    let bytes = text.bytes();
    // Start of the first line that says something; start and end of what is said.
    let (mut line, mut start, mut end) = (stretch.start, None, stretch.start);
    let (mut is_passage, mut is_ended) = (false, false);
    let mut at = stretch.start;
    while at < stretch.end && !(is_alone && is_ended) {
        let (sign, next) = match bytes[at..stretch.end] {
            [b'\\', b't' | b'r', ..] if is_escaped => (b' ', at + 2),
            [b'\\', b'n', ..] if is_escaped => (b'\n', at + 2),
            [b'\\', sign, ..] if is_escaped => (sign, at + 2),
            [sign, ..] => (sign, at + 1),
            [] => break,
        };
        match sign {
            b'\n' if start.is_none() => line = next,
            b'\n' => is_ended = true,
            b' ' | b'\t' | b'\r' => {}
            _ => {
                start.get_or_insert(at);
                is_passage |= is_ended;
                end = next;
            }
        }
        at = next;
    }
    let start = if is_passage { line } else { start.unwrap_or(end) };
    Quote { range: start..end, is_passage }
}
