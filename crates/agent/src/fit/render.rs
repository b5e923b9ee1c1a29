//! Rendering a plan: the edits, with marks that say what is left out.

use super::count::tokens_with;
use super::drafts::{Drafts, Side, Written};
use super::facts::is_users;
use super::gap::{Gap, counted};
use super::input::{About, Note};
use super::marks::MarkWriter;
use super::policy::policy;
use super::quotes::argument_pieces;
use super::replace::replace;
use super::state::State;
use crate::edit::Piece;
use palimpsest_history::transcript::{Kind, MessageIndex, Part, PartIndex, Role};
use palimpsest_text::index::{IndexRange, IndexVec};

/// Approximate length of a token in a mark, in UTF-16 code units.
const UNITS_PER_TOKEN: f64 = 3.0;

/// A rendered plan; its texts are drafts.
pub(super) struct Rendering {
    /// What it makes of each part.
    pub written: IndexVec<PartIndex, Written>,
    /// Approximate tokens of all that stays.
    pub tokens: f64,
}

/// Maximum number of messages before dropped ones among which one is looked for that can hold the mark.
const LOOK_BACK: usize = 4;

impl Rendering {
    /// Whether anything is edited.
    pub(super) fn is_cut(&self) -> bool {
        self.written.iter().any(|&written| written != Written::Whole)
    }
}

/// Renders the plan for a limit. Notes stand in the marks of what they sum up.
pub(super) fn render(state: &State<'_>, limit: f64, notes: &[Note], drafts: &mut Drafts) -> Rendering {
    let input = state.input;
    let write = |part: PartIndex| {
        if state.is_open(input.group_of(part)) { drafts.of(state, part, notes) } else { Written::Removed }
    };
    let mut written: IndexVec<PartIndex, Written> = input.transcript.parts().indices().map(write).collect();
    let dropped = dropped(state);
    let mut left = (limit * policy().marks.names_share).max(policy().marks.least_names);
    let mut longest: Vec<usize> = (0..dropped.len()).collect();
    longest.sort_by_key(|&run| std::cmp::Reverse(dropped[run].len()));
    for run in longest.into_iter().map(|run| dropped[run]) {
        let count = match (input.required.numbers, run.len()) {
            (None, count) => counted(count, "message"),
            (Some(more), 1) => format!("message {}", more + run.start.0),
            (Some(more), _) => format!("messages {}–{}", more + run.start.0, more + run.end.0 - 1),
        };
        let about = |note: &&Note| matches!(note.about, About::Messages(message) if run.contains(message));
        let said: Vec<&str> =
            notes.iter().filter(about).map(|note| &note.text[..]).filter(|text| !text.is_empty()).collect();
        let names = if said.is_empty() { names_of(state, run) } else { said.join(" ") };
        let cost = if said.is_empty() { names.len() as f64 / UNITS_PER_TOKEN } else { 0.0 };
        let mark = if names.is_empty() || cost > left {
            ["[… ", &count[..], "]"].concat()
        } else {
            left -= cost;
            ["[… ", &count[..], ": ", &names[..], "]"].concat()
        };
        put_mark(state, mark, run, &mut written, drafts);
    }
    Rendering { tokens: tokens_with(state, &written, drafts), written }
}

/// The pieces that replace a part's text; none where all of it stays.
pub(super) fn pieces(state: &State<'_>, part: PartIndex, notes: &[Note]) -> Option<Vec<Piece>> {
    let input = state.input;
    if input.items.of_part[part].iter().all(|item| state.kept[item]) {
        return None;
    }
    let text = input.transcript.text(part);
    let gaps = gaps(state, part);
    // A note on all that is left out stands in the place of the longest gap.
    let longest = gaps.iter().map(|gap| gap.range.len()).max().unwrap_or(0);
    let superseded = input.superseded.get(&part).filter(|_| 2 * longest >= text.len());
    let note = notes.iter().find(|note| note.about == About::Part(part)).map(|note| &note.text);
    let mut note = note.or(superseded).map(|text| (longest, &text[..]));
    let mut marks = MarkWriter::new(text, input.first_lines.get(&part).copied());
    if input.transcript.parts()[part].kind == Kind::Call {
        return argument_pieces(state, part, &marks);
    }
    let marked = gaps.into_iter().map(|gap| {
        let said = note.take_if(|(length, _)| *length == gap.range.len()).map(|(_, text)| text);
        let mark = Piece::Mark(marks.of(&gap, said));
        (gap.range, [mark])
    });
    replace(text.len(), marked)
}

/// The gaps in a part's text.
pub(super) fn gaps(state: &State<'_>, part: PartIndex) -> Vec<Gap> {
    let input = state.input;
    let mut gaps: Vec<Gap> = Vec::new();
    let mut last = None;
    for item in input.items.of_part[part] {
        let here = &input.items.list[item];
        if state.kept[item] {
            last = None;
            continue;
        }
        let range = here.range.positions();
        match gaps.last_mut() {
            Some(gap) if last == Some(here.run) => {
                gap.range.end = range.end;
                gap.count += 1;
            }
            _ => gaps.push(Gap { range, form: here.form, count: 1 }),
        }
        last = Some(here.run);
    }
    gaps
}

/// The runs of messages that are dropped.
pub(super) fn dropped(state: &State<'_>) -> Vec<IndexRange<MessageIndex>> {
    let mut dropped: Vec<IndexRange<MessageIndex>> = Vec::new();
    for (message, &group) in state.input.groups.of_message.iter_enumerated() {
        if state.is_open(group) {
            continue;
        }
        match dropped.last_mut() {
            Some(run) if run.end == message => run.end = message.next(),
            _ => dropped.push(IndexRange { start: message, end: message.next() }),
        }
    }
    dropped
}

/// The tools that dropped messages call, and how often.
fn names_of(state: &State<'_>, run: IndexRange<MessageIndex>) -> String {
    let input = state.input;
    let mut names: Vec<(&str, u32)> = Vec::new();
    for part in run.iter().flat_map(|message| input.transcript.parts_of(message)) {
        if input.transcript.parts()[part].kind != Kind::Call {
            continue;
        }
        let name = input.transcript.name(part);
        match names.iter().position(|(known, _)| *known == name) {
            Some(place) => names[place].1 += 1,
            None if names.len() < policy().marks.names => names.push((name, 1)),
            None => {}
        }
    }
    let show = |&(name, count): &(&str, u32)| if count == 1 { name.to_owned() } else { format!("{name} ×{count}") };
    names.iter().map(show).collect::<Vec<_>>().join(", ")
}

/// Puts a mark for dropped messages next to where they stood: after the text before them, or in front of the one after them. The
/// user's words and JSON are the last choice.
fn put_mark(
    state: &State<'_>,
    mark: String,
    run: IndexRange<MessageIndex>,
    written: &mut IndexVec<PartIndex, Written>,
    drafts: &mut Drafts,
) {
    let input = state.input;
    let can_hold = |part: PartIndex| {
        let Part { kind, locked, role, is_value, .. } = input.transcript.parts()[part];
        let is_text = matches!(kind, Kind::Text | Kind::Result) && !is_value;
        let is_open = is_text && !locked && written[part] != Written::Removed;
        is_open && role != Role::System && !input.transcript.text(part).is_empty()
    };
    let held_by = |message: MessageIndex| input.transcript.parts_of(message).iter().rev().find(|&part| can_hold(part));
    let before = run.start.before().and_then(held_by);
    // The result holds the mark if the call has no text.
    let group = input.groups.of_message.get(run.end).map(|&group| &input.groups.list[group]);
    let after = group.into_iter().flat_map(|group| &group.messages).filter(|&&message| message >= run.end);
    let after = after.flat_map(|&message| input.transcript.parts_of(message)).find(|&part| can_hold(part));
    let mut cost = |part: PartIndex| {
        let (is_whole, here) = (written[part] == Written::Whole, &input.transcript.parts()[part]);
        let is_json = drafts.is_json(part, input.transcript.text(part));
        let stays = is_users(here) || input.required.whole[input.groups.of_message[here.message]];
        (is_json, is_whole && stays, is_whole)
    };
    // Instructions and what isn't sent hold none: it stands before them then.
    let stays = |message: &MessageIndex| state.is_open(input.groups.of_message[*message]);
    let further_up = || {
        let kept = std::iter::successors(run.start.before(), |message| message.before()).take(LOOK_BACK);
        kept.take_while(stays).find_map(held_by)
    };
    let beside = before.into_iter().chain(after).min_by_key(|&part| cost(part));
    let Some(part) = beside.or_else(further_up) else { return };
    if cost(part).0 {
        return;
    }
    let side = if after == Some(part) { Side::Before } else { Side::After };
    written[part] = drafts.marked(written[part], (part, input.transcript.text(part)), mark, side);
}
