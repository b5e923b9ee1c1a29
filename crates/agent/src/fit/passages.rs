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
use super::policy::policy;
use super::spans::is_escaped;
use palimpsest_history::transcript::{Kind, PartIndex, Transcript};
use palimpsest_text::Text;
use palimpsest_text::hashing::TextSet;
use palimpsest_text::index::IndexVec;
use palimpsest_world::lines::line_number;
use palimpsest_world::operation::{Operation, Operations};

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
        let policy = &policy().passages;
        let changes = changes as f64 + policy.expected_changes;
        let expected = reads / policy.reads_per_change + policy.expected_changes;
        let most = policy.value * (changes / expected).min(1.0);
        let mut passages = Passages {
            of_part: vec![0.0; transcript.parts().len()].into(),
            is_stale: vec![false; items.list.len()].into(),
        };
        let mut shown = Shown::default();
        for operation in uses.into_iter().rev() {
            let call = Some(&operation.call).filter(|_| operation.is_change());
            for &part in operation.results.iter().rev().chain(call) {
                let newest = if is_newest(part, transcript) { policy.newest } else { 1.0 };
                let since = messages_since(part, transcript) / policy.half_after;
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
    rising(tokens / policy().passages.half_within)
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
        let policy = &policy().passages;
        let step = |from: f64, over: f64| {
            let place = ((tokens - from) / over).clamp(0.0, 1.0);
            place * place * (3.0 - 2.0 * place)
        };
        let most = if keeps_newest { policy.share_before_newest } else { policy.share };
        let enough = rising(tokens / policy.share_half_within);
        // The square root is the same on every platform, and a power is not.
        Worth {
            value: worth_within(tokens) * (1.0 - step(policy.fades_from, policy.fades_over)),
            share: most * enough * enough.sqrt() * step(policy.share_from, policy.share_over),
        }
    }
}

/// Number of messages that were said since.
fn messages_since(part: PartIndex, transcript: &Transcript) -> f64 {
    (transcript.len() - 1 - transcript.parts()[part].message.index()) as f64
}

/// Whether a part is in the last messages, on which the agent works.
pub(super) fn is_newest(part: PartIndex, transcript: &Transcript) -> bool {
    messages_since(part, transcript) <= policy().passages.newest_messages
}

/// Whether an operation shows or makes texts of files.
fn uses_files(operation: &Operation, transcript: &Transcript) -> bool {
    !operation.failed() && (!operation.files.is_empty() || operation.prints_files(transcript))
}

/// What newer texts show.
#[derive(Default)]
struct Shown {
    /// Hashes of some lines in a row.
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
            for row in lines.windows(policy().passages.in_a_row) {
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
        (self.signs.len() > policy().passages.tells_nothing).then(|| self.rows.hasher().hash_one(&self.signs))
    }
}

/// Whether the string of JSON at `start` is what an edit replaces: the name of its argument begins with `old`, as in `old_string`.
fn is_replaced(text: Text<'_>, start: usize) -> bool {
    // Before its quote stand the name, in quotes, and a colon.
    let before = text.bytes()[..start.saturating_sub(1)].trim_ascii_end();
    let name = before.strip_suffix(b":").and_then(|before| before.trim_ascii_end().strip_suffix(b"\""));
    name.is_some_and(|name| memchr::memrchr(b'"', name).is_some_and(|quote| name[quote + 1..].starts_with(b"old")))
}
