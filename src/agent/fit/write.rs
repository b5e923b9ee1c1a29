//! The edits that make a conversation of what was chosen, and the marks that say what is gone.

use std::ops::Range;

use super::marks::Marks;
use super::state::State;
use super::{About, Edit, Form, Note, Piece, is_users};
use crate::text::Text;
use crate::text::json::is_json_structure;
use crate::transcript::{Kind, Part, Role};

/// So many tools are named in a mark.
const MAX_NAMES: usize = 4;
/// The names of tools in marks take at most this share of the tokens; those of the longest runs come first.
const NAMES_SHARE: f64 = 0.01;
/// Where that is less than so many tokens, so many.
const NAMES: f64 = 20.0;
/// About what a mark's text comes to.
const UNITS_PER_TOKEN: f64 = 3.0;

/// A choice as edits.
pub struct Written {
    /// What becomes of parts, in their order.
    pub edits: Vec<(u32, Edit)>,
    /// What all that stays takes.
    pub tokens: f64,
}

/// What goes of a text in one place.
pub struct Gap {
    pub range: Range<usize>,
    pub form: Form,
    /// How many spans.
    pub count: usize,
}

impl State<'_> {
    /// The edits.
    pub fn write(&self, limit: f64, notes: &[Note]) -> Written {
        let fit = self.fit;
        let mut edits: Vec<Option<Edit>> = vec![None; fit.transcript.parts().len()];
        for unit in 0..fit.units.len() {
            for part in fit.units[unit].messages.iter().flat_map(|&message| fit.parts(message)) {
                if !self.is_open(unit) {
                    edits[part] = Some(Edit::Remove);
                } else if let Some(pieces) = self.pieces(part as u32, notes) {
                    edits[part] = Some(Edit::Replace(pieces));
                }
            }
        }
        let gone = self.gone();
        let mut left = (limit * NAMES_SHARE).max(NAMES);
        let mut longest: Vec<usize> = (0..gone.len()).collect();
        longest.sort_by_key(|&run| std::cmp::Reverse(gone[run].1 - gone[run].0));
        for (first, last) in longest.into_iter().map(|run| gone[run]) {
            let count = counted((last - first + 1) as usize, "message");
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
        Written { edits, tokens }
    }

    /// What stands in the place of a part's text; nothing where all of it stays.
    fn pieces(&self, part: u32, notes: &[Note]) -> Option<Vec<Piece>> {
        let fit = self.fit;
        let items = fit.of_part[part as usize].clone();
        if items.clone().all(|item| self.kept[item as usize]) {
            return None;
        }
        let text = fit.transcript.text(part as usize);
        let gaps = self.gaps(part);
        // What is said of all that is gone stands where most of it stood.
        let longest = gaps.iter().map(|gap| gap.range.len()).max().unwrap_or(0);
        let superseded = fit.superseded.get(&part).filter(|_| 2 * longest >= text.len());
        let note = notes.iter().find(|note| note.about == About::Part(part)).map(|note| &note.text);
        let mut note = note.or(superseded).map(|text| (longest, &text[..]));
        let mut marks = Marks::new(text);
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

    /// What of a part's text goes.
    pub fn gaps(&self, part: u32) -> Vec<Gap> {
        let fit = self.fit;
        let mut gaps: Vec<Gap> = Vec::new();
        let mut last = None;
        for item in fit.of_part[part as usize].clone() {
            let here = &fit.items[item as usize];
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

    /// The runs of messages that go.
    pub fn gone(&self) -> Vec<(u32, u32)> {
        let mut gone: Vec<(u32, u32)> = Vec::new();
        for (message, &unit) in self.fit.unit_of.iter().enumerate() {
            let message = message as u32;
            if self.is_open(unit as usize) {
                continue;
            }
            match gone.last_mut() {
                Some((_, last)) if *last + 1 == message => *last = message,
                _ => gone.push((message, message)),
            }
        }
        gone
    }

    /// The tools that were called in messages that go, and how often.
    fn names_of(&self, first: u32, last: u32) -> String {
        let fit = self.fit;
        let mut names: Vec<(&str, u32)> = Vec::new();
        for part in (first..=last).flat_map(|message| fit.parts(message)) {
            if fit.transcript.parts()[part].kind != Kind::Call {
                continue;
            }
            let name = fit.transcript.name(part);
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

    /// Puts a mark for messages that went next to where they stood: behind the text before them, or in front of the one
    /// behind them. The user's words and JSON are the last choice.
    fn put_mark(&self, mark: String, first: u32, last: u32, edits: &mut [Option<Edit>]) {
        let fit = self.fit;
        let can_hold = |part: usize| {
            let Part { kind, locked, role, is_value, .. } = fit.transcript.parts()[part];
            let is_text = matches!(kind, Kind::Text | Kind::Result) && !is_value;
            let is_open = is_text && !locked && edits[part] != Some(Edit::Remove);
            is_open && role != Role::System && !fit.transcript.text(part).is_empty()
        };
        let before = first.checked_sub(1).and_then(|message| fit.parts(message).rev().find(|&part| can_hold(part)));
        // Of a call that holds no text the result can.
        let unit = fit.unit_of.get(last as usize + 1).map(|&unit| &fit.units[unit as usize]);
        let behind = unit.into_iter().flat_map(|unit| &unit.messages).filter(|&&message| message > last);
        let behind = behind.flat_map(|&message| fit.parts(message)).find(|&part| can_hold(part));
        let cost = |part: usize| {
            let (is_whole, here) = (edits[part].is_none(), &fit.transcript.parts()[part]);
            let is_json = is_json_structure(fit.transcript.text(part));
            let stays = is_users(here) || fit.required[fit.unit_of[here.message as usize] as usize];
            (is_json, is_whole && stays, is_whole)
        };
        let Some(part) = before.into_iter().chain(behind).min_by_key(|&part| cost(part)) else { return };
        if cost(part).0 {
            return;
        }
        let text = fit.transcript.text(part);
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

pub fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
