//! Texts of parts as renderings write them. Few parts change between two renderings of a search. So each text is written and counted once for
//! the spans of it that stay and the marks of messages beside it.

use super::fit_input::FitInput;
use super::indices::DraftIndex;
use super::input::Note;
use super::render::pieces;
use super::state::State;
use crate::edit::{Change, Piece};
use palimpsest_history::transcript::PartIndex;
use palimpsest_text::Text;
use palimpsest_text::index::IndexVec;
use palimpsest_text::json::is_json_structure;

/// Maximum number of choices of its spans for which the text of a part is remembered: those of the latest renderings.
const REMEMBERED: usize = 4;

/// What a rendering makes of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Its text stays.
    Whole,
    /// It is removed.
    Removed,
    /// A draft replaces its text.
    Draft(DraftIndex),
}

/// A text that was written.
struct Draft {
    pieces: Vec<Piece>,
    /// Approximate tokens of the part with this text.
    tokens: Option<f64>,
    /// Exact tokens of this text.
    exact: Option<f64>,
    /// The drafts with one mark of messages more, which stands before or after this text.
    marked: Vec<(String, Side, DraftIndex)>,
}

/// Side of a text on which a mark stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

/// What is known of a part.
#[derive(Clone, Default)]
struct PartDrafts {
    /// What was made of it for the spans that stay, the oldest first.
    written: Vec<(Vec<bool>, Written)>,
    /// The draft of all of its text.
    whole: Option<DraftIndex>,
    is_json: Option<bool>,
}

/// The drafts of one search. Notes stand in them, so that others need drafts of their own.
pub(super) struct Drafts {
    list: IndexVec<DraftIndex, Draft>,
    parts: IndexVec<PartIndex, PartDrafts>,
}

impl Drafts {
    /// No drafts yet.
    pub(super) fn new(input: &FitInput) -> Self {
        Drafts { list: IndexVec::default(), parts: vec![PartDrafts::default(); input.transcript.parts().len()].into() }
    }

    fn add(&mut self, pieces: Vec<Piece>) -> DraftIndex {
        self.list.push(Draft { pieces, tokens: None, exact: None, marked: Vec::new() })
    }

    /// What a plan makes of a part that stays, marks of messages aside.
    pub(super) fn of(&mut self, state: &State<'_>, part: PartIndex, notes: &[Note]) -> Written {
        let kept = &state.kept[state.input.items.of_part[part]];
        if kept.iter().all(|&is_kept| is_kept) {
            return Written::Whole;
        }
        let known = self.parts[part].written.iter().find(|(other, _)| other == kept);
        if let Some(&(_, written)) = known {
            return written;
        }
        let pieces = pieces(state, part, notes);
        let written = pieces.map_or(Written::Whole, |pieces| Written::Draft(self.add(pieces)));
        let known = &mut self.parts[part].written;
        if known.len() == REMEMBERED {
            known.remove(0);
        }
        known.push((kept.to_vec(), written));
        written
    }

    /// The same text with a mark of messages beside it.
    pub(super) fn marked(
        &mut self,
        written: Written,
        (part, text): (PartIndex, Text<'_>),
        mark: String,
        side: Side,
    ) -> Written {
        let base = match (written, self.parts[part].whole) {
            (Written::Draft(draft), _) | (_, Some(draft)) => draft,
            _ => {
                let draft = self.add(vec![Piece::Keep(0..text.len())]);
                *self.parts[part].whole.insert(draft)
            }
        };
        let Draft { pieces, marked, .. } = &self.list[base];
        if let Some(&(.., draft)) = marked.iter().find(|(known, there, _)| (known, *there) == (&mark, side)) {
            return Written::Draft(draft);
        }
        let with_mark = match side {
            Side::Before => [&[Piece::Mark(format!("{mark}\n"))], &pieces[..]].concat(),
            Side::After => {
                let gap = if ends_line(pieces, text) { "" } else { "\n" };
                [&pieces[..], &[Piece::Mark(format!("{gap}{mark}"))]].concat()
            }
        };
        let draft = self.add(with_mark);
        self.list[base].marked.push((mark, side, draft));
        Written::Draft(draft)
    }

    /// Whether the text of a part is JSON.
    pub(super) fn is_json(&mut self, part: PartIndex, text: Text<'_>) -> bool {
        *self.parts[part].is_json.get_or_insert_with(|| is_json_structure(text))
    }

    /// Approximate tokens of a part with a draft as its text, by `count` where they aren't known.
    pub(super) fn tokens(&mut self, draft: DraftIndex, count: impl FnOnce(&[Piece]) -> f64) -> f64 {
        let Draft { pieces, tokens, .. } = &mut self.list[draft];
        *tokens.get_or_insert_with(|| count(pieces))
    }

    /// Exact tokens of the text that each edit of `written` makes; 0 where the part is removed.
    pub(super) fn exact(&mut self, input: &FitInput, written: &IndexVec<PartIndex, Written>) -> Vec<f64> {
        let drafts = written.iter_enumerated();
        let uncounted = drafts.filter_map(|(part, written)| match *written {
            Written::Draft(draft) if self.list[draft].exact.is_none() => Some((part, draft)),
            _ => None,
        });
        let uncounted: Vec<(PartIndex, DraftIndex)> = uncounted.collect();
        let texts: Vec<(PartIndex, &[Piece])> =
            uncounted.iter().map(|&(part, draft)| (part, &self.list[draft].pieces[..])).collect();
        for ((_, draft), count) in uncounted.into_iter().zip(input.tokens_of_texts(&texts)) {
            self.list[draft].exact = Some(count);
        }
        let count = |written: &Written| match *written {
            Written::Whole => None,
            Written::Removed => Some(0.0),
            Written::Draft(draft) => self.list[draft].exact,
        };
        written.iter().filter_map(count).collect()
    }

    /// The edits, in order of their parts. Ends the search: the drafts give their pieces away.
    pub(super) fn edits(&mut self, written: &IndexVec<PartIndex, Written>) -> Vec<(PartIndex, Change)> {
        let edit = |(part, written): (PartIndex, &Written)| match *written {
            Written::Whole => None,
            Written::Removed => Some((part, Change::Remove)),
            Written::Draft(draft) => Some((part, Change::Replace(std::mem::take(&mut self.list[draft].pieces)))),
        };
        written.iter_enumerated().filter_map(edit).collect()
    }
}

fn ends_line(pieces: &[Piece], text: Text<'_>) -> bool {
    match pieces.last() {
        Some(Piece::Keep(range)) => text.bytes()[..range.end].ends_with(b"\n"),
        Some(Piece::Mark(mark)) => mark.ends_with('\n'),
        None => true,
    }
}
