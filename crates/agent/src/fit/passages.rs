//! Passages: texts of files, which the next edits quote. An edit fails unless the text that it replaces stands there word for word. So the
//! newest passages stay whole, as far as their share goes. Where few tokens are left, a passage has a value beside that of its words
//! instead: as much for each of its tokens, so that all of it stays or none.
//!
//! On recorded sessions, a text of a file is quoted by an edit of the next 20 messages in 8 of 100 cases when it was said 8 messages ago, in 4
//! when 32, and nearly never when 64. When the file was last used, and how often it was edited, adds nothing. What a newer text shows again is
//! quoted from the newer one.

use std::hash::BuildHasher;
use std::ops::Range;

use super::indices::ItemIndex;
use super::items::Items;
use super::spans::is_escaped;
use palimpsest_history::transcript::{Kind, PartIndex, Transcript};
use palimpsest_text::Text;
use palimpsest_text::hashing::TextSet;
use palimpsest_text::index::IndexVec;
use palimpsest_world::lines::line_number;
use palimpsest_world::operation::{Operation, Operations};

/// Value of a token of a passage that was said just now, in the measure of the values of words.
const VALUE: f64 = 0.05;
/// Number of messages after which that is half as much. It falls with the third power.
const HALF_AFTER: f64 = 28.0;
/// Factor for the last messages, on which the agent works.
const NEWEST: f64 = 5.0;
/// Number of messages before the last one that are among these.
const NEWEST_MESSAGES: f64 = 4.0;
/// An agent that reads more often for each change looks around, and quotes less.
const READS_PER_CHANGE: f64 = 6.0;
/// Number of changes that are expected of an agent that has only read so far.
const EXPECTED_CHANGES: f64 = 2.0;
/// Tokens within which passages are worth half as much: what is needed beside them takes about the same room whatever the limit.
const HALF_WITHIN: f64 = 2600.0;
/// The value of passages fades between these numbers of free tokens. Above them, words compete alone.
const VALUE_FADES: Range<f64> = 2500.0..3500.0;
/// The share of passages grows between these numbers of free tokens. It begins before the value fades, because each alone keeps too little.
const SHARE_BEGINS: Range<f64> = 2000.0..3000.0;
/// Maximum share of the free tokens for passages that stay whole.
const SHARE: f64 = 0.85;
/// The same where the newest messages stay whole anyway, as in sessions: they hold most of what is quoted.
const SHARE_BEFORE_NEWEST: f64 = 0.3;
/// Free tokens at which the share is 35 % of its maximum: a half to the power of 1.5.
const SHARE_HALF_WITHIN: f64 = 2200.0;
/// Maximum part of the share for one passage older than the last messages, so that a passage that just fits displaces little.
pub(super) const LARGEST: f64 = 0.65;
/// Maximum share of the free tokens for the newest passage of all.
pub(super) const NEWEST_SHARE: f64 = 0.9;
/// Number of lines in a row by which it is told that a newer text shows them.
const IN_A_ROW: usize = 3;
/// Maximum number of letters and digits of a line that tells nothing.
const TELLS_NOTHING: usize = 2;

/// The values of passages, beside those of their words.
#[derive(Debug, Default)]
pub struct Passages {
    /// For each part the value of each of its tokens; 0 where it is no passage.
    pub of_part: IndexVec<PartIndex, f64>,
    /// For each item, whether a newer text shows it again, or the edit replaces it.
    is_stale: IndexVec<ItemIndex, bool>,
}

impl Passages {
    /// The passages of a conversation. Linear in the length of the texts of files.
    pub fn new(transcript: &Transcript, operations: &Operations, items: &Items) -> Self {
        let uses: Vec<&Operation> =
            operations.list.iter().filter(|operation| uses_files(operation, transcript)).collect();
        let changes = uses.iter().filter(|operation| operation.is_change()).count();
        let reads = (uses.len() - changes) as f64;
        let changes = changes as f64 + EXPECTED_CHANGES;
        let most = VALUE * (changes / (reads / READS_PER_CHANGE + EXPECTED_CHANGES)).min(1.0);
        let mut passages = Passages {
            of_part: vec![0.0; transcript.parts().len()].into(),
            is_stale: vec![false; items.list.len()].into(),
        };
        let mut shown = Shown::default();
        for operation in uses.into_iter().rev() {
            let call = Some(&operation.call).filter(|_| operation.is_change());
            for &part in operation.results.iter().rev().chain(call) {
                let newest = if is_newest(part, transcript) { NEWEST } else { 1.0 };
                let since = messages_since(part, transcript) / HALF_AFTER;
                passages.of_part[part] = most * newest / (1.0 + since * since * since);
                shown.judge(transcript, items, part, &mut passages.is_stale);
            }
        }
        passages
    }

    /// The value of each token of an item of `part`.
    pub fn of_item(&self, item: ItemIndex, part: PartIndex) -> f64 {
        if self.is_stale[item] { 0.0 } else { self.of_part[part] }
    }
}

/// What passages are worth where so many tokens are left for a choice, as a factor: nearly nothing in a few hundred, nearly all in
/// some ten thousand.
pub(super) fn worth_within(tokens: f64) -> f64 {
    rising(tokens / HALF_WITHIN)
}

/// Rises from 0 at 0 through a half at 1 towards 1.
fn rising(times: f64) -> f64 {
    let times = times.max(0.0);
    1.0 - 1.0 / (1.0 + times * times)
}

/// What passages get of a choice: in few tokens their value counts beside that of words; in more, the newest stay whole, and what is left is
/// chosen by words alone.
#[derive(Clone, Copy, Debug)]
pub struct Worth {
    /// Factor of their value.
    pub value: f64,
    /// Share of the tokens that are left for the newest ones to stay whole.
    pub share: f64,
}

impl Worth {
    /// No share, and all of their value.
    pub const ALL: Worth = Worth { value: 1.0, share: 0.0 };

    /// Where so many tokens are left for a choice. `keeps_newest`: the newest messages stay whole anyway.
    pub fn within(tokens: f64, keeps_newest: bool) -> Self {
        let step = |Range { start, end }: Range<f64>| {
            let place = ((tokens - start) / (end - start)).clamp(0.0, 1.0);
            place * place * (3.0 - 2.0 * place)
        };
        let most = if keeps_newest { SHARE_BEFORE_NEWEST } else { SHARE };
        let enough = rising(tokens / SHARE_HALF_WITHIN);
        // The square root is the same on every platform, and a power is not.
        Worth {
            value: worth_within(tokens) * (1.0 - step(VALUE_FADES)),
            share: most * enough * enough.sqrt() * step(SHARE_BEGINS),
        }
    }
}

/// Number of messages that were said since.
fn messages_since(part: PartIndex, transcript: &Transcript) -> f64 {
    (transcript.len() - 1 - transcript.parts()[part].message.index()) as f64
}

/// Whether a part is in the last messages, on which the agent works.
pub(super) fn is_newest(part: PartIndex, transcript: &Transcript) -> bool {
    messages_since(part, transcript) <= NEWEST_MESSAGES
}

/// Whether an operation shows or makes texts of files.
fn uses_files(operation: &Operation, transcript: &Transcript) -> bool {
    !operation.failed() && (!operation.files.is_empty() || operation.prints_files(transcript))
}

/// What newer texts show.
#[derive(Default)]
struct Shown {
    /// Hashes of [`IN_A_ROW`] lines.
    rows: TextSet<u64>,
    /// Letters and digits of a line.
    signs: Vec<u8>,
}

impl Shown {
    /// Judges the items of a part that is older than all before, and adds its lines.
    fn judge(&mut self, transcript: &Transcript, items: &Items, part: PartIndex, is_stale: &mut [bool]) {
        let text = transcript.text(part);
        let mut rows = Vec::new();
        for run in items.runs(part) {
            let first = &items.list[run.start];
            let start = first.range.start.index();
            let is_replaced = transcript.parts()[part].kind == Kind::Call && is_replaced(text, start);
            let is_escaped = is_escaped(first.form, start);
            let mut lines: Vec<(usize, u64)> = Vec::new();
            for item in run.iter() {
                is_stale[item.index()] = is_replaced;
                let hash = self.hash_of(text, items.list[item].range.positions(), is_escaped);
                lines.extend(hash.map(|hash| (item.index(), hash)));
            }
            for row in lines.windows(IN_A_ROW) {
                let hash = row.iter().fold(0, |all: u64, (_, hash)| all.rotate_left(21) ^ hash);
                if self.rows.contains(&hash) {
                    row.iter().for_each(|&(item, _)| is_stale[item] = true);
                }
                rows.push(hash);
            }
        }
        self.rows.extend(rows);
    }

    /// A hash of what a line says, wherever it is numbered, indented or escaped; none if that is too little.
    fn hash_of(&mut self, text: Text<'_>, range: Range<usize>, is_escaped: bool) -> Option<u64> {
        let bytes = &text.bytes()[range];
        let number = line_number(bytes).map_or(0, |(_, start)| start);
        self.signs.clear();
        let mut bytes = bytes[number..].iter().copied().take_while(|&byte| byte != b'\n');
        while let Some(byte) = bytes.next() {
            if byte == b'\\' && is_escaped {
                bytes.next();
            } else if byte.is_ascii_alphanumeric() || byte >= 0x80 {
                self.signs.push(byte);
            }
        }
        (self.signs.len() > TELLS_NOTHING).then(|| self.rows.hasher().hash_one(&self.signs))
    }
}

/// Whether the string of JSON at `start` is what an edit replaces: the name of its argument begins with `old`, as in `old_string`.
fn is_replaced(text: Text<'_>, start: usize) -> bool {
    // Before its quote stand the name, in quotes, and a colon.
    let before = text.bytes()[..start.saturating_sub(1)].trim_ascii_end();
    let name = before.strip_suffix(b":").and_then(|before| before.trim_ascii_end().strip_suffix(b"\""));
    name.is_some_and(|name| memchr::memrchr(b'"', name).is_some_and(|quote| name[quote + 1..].starts_with(b"old")))
}
