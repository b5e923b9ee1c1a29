//! Rendering a plan: the edits, with marks that say what is left out.

use super::edit::{Edit, Piece};
use super::facts::is_users;
use super::gap::{Gap, counted};
use super::input::{About, Note};
use super::marks::Marks;
use super::state::State;
use crate::text::Text;
use crate::text::json::is_json_structure;
use crate::transcript::{Kind, Part, Role};

/// Maximum number of tools that a mark names.
const MAX_NAMES: usize = 4;
/// Maximum share of the tokens for names of tools in marks; the longest runs of messages come first.
const NAMES_SHARE: f64 = 0.01;
/// Tokens for names of tools where their share is less.
const MIN_NAMES: f64 = 20.0;
/// Approximate length of a token in a mark, in UTF-16 code units.
const UNITS_PER_TOKEN: f64 = 3.0;

/// A rendered plan.
pub struct Rendering {
    /// The edits, in order of their parts.
    pub edits: Vec<(u32, Edit)>,
    /// Approximate tokens of all that stays.
    pub tokens: f64,
}

impl State<'_> {
    /// Renders the plan for a limit. Notes stand in the marks of what they sum up.
    pub fn render(&self, limit: f64, notes: &[Note]) -> Rendering {
        let case = self.case;
        let mut edits: Vec<Option<Edit>> = vec![None; case.transcript.parts().len()];
        for (part, edit) in edits.iter_mut().enumerate() {
            *edit = if self.is_open(case.group_of(part as u32)) {
                self.pieces(part as u32, notes).map(Edit::Replace)
            } else {
                Some(Edit::Remove)
            };
        }
        let dropped = self.dropped();
        let mut left = (limit * NAMES_SHARE).max(MIN_NAMES);
        let mut longest: Vec<usize> = (0..dropped.len()).collect();
        longest.sort_by_key(|&run| std::cmp::Reverse(dropped[run].1 - dropped[run].0));
        for (first, last) in longest.into_iter().map(|run| dropped[run]) {
            let count = match (case.required.numbers, last - first) {
                (false, more) => counted(more as usize + 1, "message"),
                (true, 0) => format!("message {first}"),
                (true, _) => format!("messages {first}–{last}"),
            };
            let about =
                |note: &&Note| matches!(note.about, About::Messages(message) if (first..=last).contains(&message));
            let said: Vec<&str> = notes.iter().filter(about).map(|note| &note.text[..]).collect();
            let names = if said.is_empty() { self.names_of(first, last) } else { said.join(" ") };
            let cost = if said.is_empty() { names.len() as f64 / UNITS_PER_TOKEN } else { 0.0 };
            let mark = if names.is_empty() || cost > left {
                format!("[… {count}]")
            } else {
                left -= cost;
                format!("[… {count}: {names}]")
            };
            self.put_mark(mark, first, last, &mut edits);
        }
        let tokens = self.tokens_with(&edits);
        let edits = edits.into_iter().enumerate().filter_map(|(part, edit)| Some((part as u32, edit?))).collect();
        Rendering { edits, tokens }
    }

    /// The pieces that replace a part's text; none where all of it stays.
    fn pieces(&self, part: u32, notes: &[Note]) -> Option<Vec<Piece>> {
        let case = self.case;
        let items = case.items.of_part[part as usize].clone();
        if items.clone().all(|item| self.kept[item as usize]) {
            return None;
        }
        let text = case.transcript.text(part as usize);
        let gaps = self.gaps(part);
        // A note on all that is left out stands in the place of the longest gap.
        let longest = gaps.iter().map(|gap| gap.range.len()).max().unwrap_or(0);
        let superseded = case.superseded.get(&part).filter(|_| 2 * longest >= text.len());
        let note = notes.iter().find(|note| note.about == About::Part(part)).map(|note| &note.text);
        let mut note = note.or(superseded).map(|text| (longest, &text[..]));
        let mut marks = Marks::new(text, case.first_lines.get(&part).copied());
        if case.transcript.parts()[part as usize].kind == Kind::Call {
            return self.argument_pieces(part, &marks);
        }
        let mut pieces = Vec::new();
        let mut at = 0;
        for gap in gaps {
            let said = note.take_if(|(length, _)| *length == gap.range.len()).map(|(_, text)| text);
            let mark = marks.of(&gap, said);
            let Gap { range, .. } = gap;
            if mark.encode_utf16().count() >= range.len() {
                continue;
            }
            if at < range.start {
                pieces.push(Piece::Keep(at..range.start));
            }
            pieces.push(Piece::Mark(mark));
            at = range.end;
        }
        if pieces.is_empty() {
            return None;
        }
        if at < text.len() {
            pieces.push(Piece::Keep(at..text.len()));
        }
        Some(pieces)
    }

    /// The gaps in a part's text.
    pub fn gaps(&self, part: u32) -> Vec<Gap> {
        let case = self.case;
        let mut gaps: Vec<Gap> = Vec::new();
        let mut last = None;
        for item in case.items.of_part[part as usize].clone() {
            let here = &case.items.list[item as usize];
            if self.kept[item as usize] {
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
    pub fn dropped(&self) -> Vec<(u32, u32)> {
        let mut dropped: Vec<(u32, u32)> = Vec::new();
        for (message, &group) in self.case.groups.of_message.iter().enumerate() {
            let message = message as u32;
            if self.is_open(group as usize) {
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
    fn names_of(&self, first: u32, last: u32) -> String {
        let case = self.case;
        let mut names: Vec<(&str, u32)> = Vec::new();
        for part in (first..=last).flat_map(|message| case.transcript.parts_of(message as usize)) {
            if case.transcript.parts()[part].kind != Kind::Call {
                continue;
            }
            let name = case.transcript.name(part);
            match names.iter().position(|(known, _)| *known == name) {
                Some(place) => names[place].1 += 1,
                None if names.len() < MAX_NAMES => names.push((name, 1)),
                None => {}
            }
        }
        let show =
            |&(name, count): &(&str, u32)| if count == 1 { name.to_owned() } else { format!("{name} ×{count}") };
        names.iter().map(show).collect::<Vec<_>>().join(", ")
    }

    /// Puts a mark for dropped messages next to where they stood: behind the text before them, or in front of the one behind them. The
    /// user's words and JSON are the last choice.
    fn put_mark(&self, mark: String, first: u32, last: u32, edits: &mut [Option<Edit>]) {
        let case = self.case;
        let can_hold = |part: usize| {
            let Part { kind, locked, role, is_value, .. } = case.transcript.parts()[part];
            let is_text = matches!(kind, Kind::Text | Kind::Result) && !is_value;
            let is_open = is_text && !locked && edits[part] != Some(Edit::Remove);
            is_open && role != Role::System && !case.transcript.text(part).is_empty()
        };
        let before = first
            .checked_sub(1)
            .and_then(|message| case.transcript.parts_of(message as usize).rev().find(|&part| can_hold(part)));
        // The result holds the mark if the call has no text.
        let group = case.groups.of_message.get(last as usize + 1).map(|&group| &case.groups.list[group as usize]);
        let behind = group.into_iter().flat_map(|group| &group.messages).filter(|&&message| message > last);
        let behind =
            behind.flat_map(|&message| case.transcript.parts_of(message as usize)).find(|&part| can_hold(part));
        let cost = |part: usize| {
            let (is_whole, here) = (edits[part].is_none(), &case.transcript.parts()[part]);
            let is_json = is_json_structure(case.transcript.text(part));
            let stays = is_users(here) || case.required.whole[case.groups.of_message(here.message)];
            (is_json, is_whole && stays, is_whole)
        };
        let Some(part) = before.into_iter().chain(behind).min_by_key(|&part| cost(part)) else { return };
        if cost(part).0 {
            return;
        }
        let text = case.transcript.text(part);
        let pieces = match edits[part].take() {
            Some(Edit::Replace(pieces)) => pieces,
            _ => vec![Piece::Keep(0..text.len())],
        };
        edits[part] = Some(Edit::Replace(if Some(part) == before {
            let gap = if ends_line(&pieces, text) { "" } else { "\n" };
            [pieces, vec![Piece::Mark(format!("{gap}{mark}"))]].concat()
        } else {
            [vec![Piece::Mark(format!("{mark}\n"))], pieces].concat()
        }));
    }
}

fn ends_line(pieces: &[Piece], text: Text<'_>) -> bool {
    match pieces.last() {
        Some(Piece::Keep(range)) => text.bytes()[..range.end].ends_with(b"\n"),
        Some(Piece::Mark(mark)) => mark.ends_with('\n'),
        None => true,
    }
}
