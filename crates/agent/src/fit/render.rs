//! Rendering a plan: the edits, with marks that say what is left out.

use super::count::tokens_with;
use super::drafts::{Drafts, Side, Written};
use super::edit::{Piece, replace};
use super::facts::is_users;
use super::gap::{Gap, counted};
use super::input::{About, Note};
use super::marks::Marks;
use super::quotes::argument_pieces;
use super::state::State;
use palimpsest_history::transcript::{Kind, Part, Role};

/// Maximum number of tools that a mark names.
const MAX_NAMES: usize = 4;
/// Maximum share of the tokens for names of tools in marks; the longest runs of messages come first.
const NAMES_SHARE: f64 = 0.01;
/// Tokens for names of tools where their share is less.
const MIN_NAMES: f64 = 20.0;
/// Approximate length of a token in a mark, in UTF-16 code units.
const UNITS_PER_TOKEN: f64 = 3.0;

/// A rendered plan; its texts are drafts.
pub(super) struct Rendering {
    /// What it makes of each part.
    pub written: Vec<Written>,
    /// Approximate tokens of all that stays.
    pub tokens: f64,
}

impl Rendering {
    /// Whether anything is edited.
    pub(super) fn is_cut(&self) -> bool {
        self.written.iter().any(|&written| written != Written::Whole)
    }
}

/// Renders the plan for a limit. Notes stand in the marks of what they sum up.
pub(super) fn render(state: &State<'_>, limit: f64, notes: &[Note], drafts: &mut Drafts) -> Rendering {
    let input = state.input;
    let write = |part: usize| {
        if state.is_open(input.group_of(part as u32)) { drafts.of(state, part, notes) } else { Written::Removed }
    };
    let mut written: Vec<Written> = (0..input.transcript.parts().len()).map(write).collect();
    let dropped = dropped(state);
    let mut left = (limit * NAMES_SHARE).max(MIN_NAMES);
    let mut longest: Vec<usize> = (0..dropped.len()).collect();
    longest.sort_by_key(|&run| std::cmp::Reverse(dropped[run].1 - dropped[run].0));
    for (first, last) in longest.into_iter().map(|run| dropped[run]) {
        let count = match (input.required.numbers, last - first) {
            (false, more) => counted(more as usize + 1, "message"),
            (true, 0) => format!("message {first}"),
            (true, _) => format!("messages {first}–{last}"),
        };
        let about = |note: &&Note| matches!(note.about, About::Messages(message) if (first..=last).contains(&message));
        let said: Vec<&str> = notes.iter().filter(about).map(|note| &note.text[..]).collect();
        let names = if said.is_empty() { names_of(state, first, last) } else { said.join(" ") };
        let cost = if said.is_empty() { names.len() as f64 / UNITS_PER_TOKEN } else { 0.0 };
        let mark = if names.is_empty() || cost > left {
            ["[… ", &count[..], "]"].concat()
        } else {
            left -= cost;
            ["[… ", &count[..], ": ", &names[..], "]"].concat()
        };
        put_mark(state, mark, first, last, &mut written, drafts);
    }
    Rendering { tokens: tokens_with(state, &written, drafts), written }
}

/// The pieces that replace a part's text; none where all of it stays.
pub(super) fn pieces(state: &State<'_>, part: u32, notes: &[Note]) -> Option<Vec<Piece>> {
    let input = state.input;
    let items = input.items.of_part[part as usize].clone();
    if items.clone().all(|item| state.kept[item as usize]) {
        return None;
    }
    let text = input.transcript.text(part as usize);
    let gaps = gaps(state, part);
    // A note on all that is left out stands in the place of the longest gap.
    let longest = gaps.iter().map(|gap| gap.range.len()).max().unwrap_or(0);
    let superseded = input.superseded.get(&part).filter(|_| 2 * longest >= text.len());
    let note = notes.iter().find(|note| note.about == About::Part(part)).map(|note| &note.text);
    let mut note = note.or(superseded).map(|text| (longest, &text[..]));
    let mut marks = Marks::new(text, input.first_lines.get(&part).copied());
    if input.transcript.parts()[part as usize].kind == Kind::Call {
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
pub(super) fn gaps(state: &State<'_>, part: u32) -> Vec<Gap> {
    let input = state.input;
    let mut gaps: Vec<Gap> = Vec::new();
    let mut last = None;
    for item in input.items.of_part[part as usize].clone() {
        let here = &input.items.list[item as usize];
        if state.kept[item as usize] {
            last = None;
            continue;
        }
        let range = here.range.start as usize..here.range.end as usize;
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

/// The runs of messages that are dropped: the first and the last of each.
pub(super) fn dropped(state: &State<'_>) -> Vec<(u32, u32)> {
    let mut dropped: Vec<(u32, u32)> = Vec::new();
    for (message, &group) in state.input.groups.of_message.iter().enumerate() {
        let message = message as u32;
        if state.is_open(group as usize) {
            continue;
        }
        match dropped.last_mut() {
            Some((_, last)) if *last + 1 == message => *last = message,
            _ => dropped.push((message, message)),
        }
    }
    dropped
}

/// The tools that dropped messages call, and how often.
fn names_of(state: &State<'_>, first: u32, last: u32) -> String {
    let input = state.input;
    let mut names: Vec<(&str, u32)> = Vec::new();
    for part in (first..=last).flat_map(|message| input.transcript.parts_of(message as usize)) {
        if input.transcript.parts()[part].kind != Kind::Call {
            continue;
        }
        let name = input.transcript.name(part);
        match names.iter().position(|(known, _)| *known == name) {
            Some(place) => names[place].1 += 1,
            None if names.len() < MAX_NAMES => names.push((name, 1)),
            None => {}
        }
    }
    let show = |&(name, count): &(&str, u32)| if count == 1 { name.to_owned() } else { format!("{name} ×{count}") };
    names.iter().map(show).collect::<Vec<_>>().join(", ")
}

/// Puts a mark for dropped messages next to where they stood: after the text before them, or in front of the one after them. The
/// user's words and JSON are the last choice.
fn put_mark(state: &State<'_>, mark: String, first: u32, last: u32, written: &mut [Written], drafts: &mut Drafts) {
    let input = state.input;
    let can_hold = |part: usize| {
        let Part { kind, locked, role, is_value, .. } = input.transcript.parts()[part];
        let is_text = matches!(kind, Kind::Text | Kind::Result) && !is_value;
        let is_open = is_text && !locked && written[part] != Written::Removed;
        is_open && role != Role::System && !input.transcript.text(part).is_empty()
    };
    let before = first
        .checked_sub(1)
        .and_then(|message| input.transcript.parts_of(message as usize).rev().find(|&part| can_hold(part)));
    // The result holds the mark if the call has no text.
    let group = input.groups.of_message.get(last as usize + 1).map(|&group| &input.groups.list[group as usize]);
    let behind = group.into_iter().flat_map(|group| &group.messages).filter(|&&message| message > last);
    let behind = behind.flat_map(|&message| input.transcript.parts_of(message as usize)).find(|&part| can_hold(part));
    let mut cost = |part: usize| {
        let (is_whole, here) = (written[part] == Written::Whole, &input.transcript.parts()[part]);
        let is_json = drafts.is_json(part, input.transcript.text(part));
        let stays = is_users(here) || input.required.whole[input.groups.of_message(here.message)];
        (is_json, is_whole && stays, is_whole)
    };
    let Some(part) = before.into_iter().chain(behind).min_by_key(|&part| cost(part)) else { return };
    if cost(part).0 {
        return;
    }
    let side = if Some(part) == before { Side::Behind } else { Side::Front };
    written[part] = drafts.marked(written[part], (part, input.transcript.text(part)), mark, side);
}
