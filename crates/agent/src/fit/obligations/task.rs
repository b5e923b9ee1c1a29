//! The task: the first request and the newest one, with what they ask for word for word.

use super::injected::{Injected, Source, injected};
use super::{Duty, Obligation, Reading};
use crate::fit::context::Fence;
use crate::fit::facts::is_users;
use crate::fit::groups::is_turn;
use crate::fit::indices::ItemIndex;
use crate::fit::items::Item;
use crate::fit::policy::policy;
use crate::fit::prose::Speech;
use palimpsest_history::transcript::{PartIndex, Role};
use palimpsest_text::demands::demands;

pub(super) fn read(reading: Reading<'_>, list: &mut Vec<Obligation>) {
    let Some(first) = first_request(reading) else { return };
    let newest = newest_request(reading).filter(|&newest| newest != first);
    list.push(of_request(reading, first, true));
    list.extend(newest.map(|newest| of_request(reading, newest, false)));
}

/// The last of what the user sent before the first answer that is no standing instruction.
fn first_request(reading: Reading<'_>) -> Option<PartIndex> {
    let before = reading.transcript.parts().iter_enumerated().take_while(|(_, part)| part.role != Role::Assistant);
    let requests = before.filter(|(part, here)| is_users(here) && is_turn(here) && asks(reading, *part));
    requests.last().map(|(part, _)| part)
}

/// The newest text of the user's that a person may have written.
fn newest_request(reading: Reading<'_>) -> Option<PartIndex> {
    let said = reading.items.list.iter().rfind(|item| item.is_users)?;
    Some(said.part).filter(|&part| is_turn(&reading.transcript.parts()[part]))
}

/// Whether something of a text is no standing instruction.
fn asks(reading: Reading<'_>, part: PartIndex) -> bool {
    let text = reading.transcript.text(part);
    let known = injected(text).into_iter().filter(|Injected { source, .. }| *source != Source::Notice);
    let known: usize = known.map(|Injected { range, .. }| text.slice(range).trim().len()).sum();
    known < text.trim().len()
}

/// What a request asks for: lines that demand something, then what stands in short fences, then all of it. Of a newer one, its fences.
fn of_request(reading: Reading<'_>, part: PartIndex, is_first: bool) -> Obligation {
    let mut obligation = Obligation::new(Duty::Task, part);
    let [demanded, fenced, rest] = &mut obligation.levels;
    let mut fence = Fence::default();
    let mut open: Vec<ItemIndex> = Vec::new();
    let (mut before, mut introduction): (Option<ItemIndex>, Option<ItemIndex>) = (None, None);
    for item in reading.items.of_part[part].iter() {
        let text = reading.text(item);
        let was_open = fence.is_open();
        let mut is_turned = false;
        for line in text.bytes().split(|&byte| byte == b'\n') {
            is_turned |= fence.is_turned_by(line.trim_ascii_start());
        }
        if was_open || is_turned || fence.is_open() {
            if open.is_empty() {
                introduction = before;
            }
            open.push(item);
            if !fence.is_open() {
                let is_short = open.len() <= policy().obligations.short_fence + 2;
                // The text says what is to be run, or how it is to be answered.
                let is_introduced = introduction.is_some_and(|item| introduces(reading, item));
                let level = match (is_short, is_introduced) {
                    (true, true) => &mut *demanded,
                    (true, false) => &mut *fenced,
                    _ => &mut *rest,
                };
                level.extend(introduction.filter(|_| is_short && is_introduced));
                level.append(&mut open);
            }
            continue;
        }
        if !text.trim().is_empty() {
            before = Some(item);
        }
        if is_first && demands(text) {
            demanded.push(item);
        } else if is_first {
            rest.push(item);
        }
    }
    rest.append(&mut open);
    // In the order of the text; what introduces a fence may be there already.
    for level in [demanded, fenced, rest] {
        level.sort_unstable();
        level.dedup();
    }
    let [demanded, _, rest] = &mut obligation.levels;
    rest.retain(|item| demanded.binary_search(item).is_err());
    if !is_first || is_paste(reading, part) {
        rest.clear();
    }
    obligation
}

/// Whether most of a text is no prose: a log with a question.
fn is_paste(reading: Reading<'_>, part: PartIndex) -> bool {
    let speech = Speech::whole(reading.transcript.text(part));
    let items = &reading.items.list[reading.items.of_part[part]];
    let tokens = |item: &Item| if speech.says(item.range.positions()) { item.tokens } else { 0.0 };
    let said: f64 = items.iter().map(tokens).sum();
    let all: f64 = items.iter().map(|item| item.tokens).sum();
    said * policy().obligations.pasted < all
}

/// Whether a line introduces what is to be done word for word.
fn introduces(reading: Reading<'_>, item: ItemIndex) -> bool {
    const WORDS: [&str; 14] = [
        "exactly",
        "submit",
        "run ",
        "finish",
        "final",
        "answer",
        "respond",
        "reply",
        "format",
        "form:",
        "output",
        "genau",
        "exactement",
        "exactamente",
    ];
    // The end of a line that has no end may stand before many fences.
    const NEAR: usize = 240;
    let text = reading.text(item).suffix(NEAR);
    let line = text.to_string_lossy().to_lowercase();
    demands(text) || WORDS.iter().any(|word| line.contains(word))
}
