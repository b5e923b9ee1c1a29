//! `prune` on a transcript that `lib/agent/prune.js` gathers.

use napi::bindgen_prelude::{Error, Float64Array, Int32Array, Result, Uint32Array};
use napi_derive::napi;

use super::given_texts::GivenTexts;
use crate::agent::prune::{Change, Options, Outcome, Piece, prune};
use crate::agent::tools::{Lines, Tool, ToolKind};
use crate::transcript::{Kind, Part, Role, Status, Transcript};

/// The parts of a conversation, flattened.
#[napi(object, object_to_js = false)]
pub struct GatheredParts<'env> {
    /// The text of each part.
    #[napi(ts_type = "CopiedTexts | string[]")]
    pub texts: GivenTexts<'env>,
    /// For each part: its message, its flags (see `lib/agent/prune.js`), the numbers of its tool's name, of the call
    /// that it answers, and of its medium; -1 where there is none.
    pub columns: Int32Array,
    /// The timestamp of each part, where all messages have one.
    pub times: Option<Float64Array>,
    /// The names of tools.
    pub names: Vec<String>,
    /// The number of messages.
    pub message_count: u32,
}

/// The options of a call; see `PruneOptions` in `index.d.ts`.
#[napi(object, object_to_js = false)]
pub struct GatheredPruneOptions {
    pub remove: bool,
    pub last_edit_only: bool,
    pub failures_by_words: bool,
    pub keep_recent: u32,
    pub keep_tools: Vec<String>,
    pub keep_paths: Vec<String>,
    pub tools: Vec<GivenTool>,
}

/// A tool that the user describes. What is empty says nothing.
#[napi(object, object_to_js = false)]
pub struct GivenTool {
    pub name: String,
    pub kind: String,
    pub path: String,
    pub text: String,
    pub command: String,
    pub cwd: String,
    pub offset: String,
    pub limit: String,
    pub start: String,
    pub end: String,
}

/// The edits, for `lib/agent/prune.js` to make texts of.
#[napi(object, object_from_js = false)]
pub struct PruneOutcome {
    /// For each edit: the part, the number of the rule, the part that supersedes it or -1, and the number of its pieces,
    /// or -1 where the part goes.
    pub edits: Int32Array,
    /// For each piece of the edits three numbers: 0 and the range of the original that it keeps; or 1 and the range of
    /// `stubs`; or 2, for the marker, its number in `markers`, and 0.
    pub pieces: Int32Array,
    /// The stubs, one behind the other.
    pub stubs: String,
    /// What stands in the markers behind their keys.
    pub markers: Vec<String>,
    /// How often each rule applied.
    pub counts: Uint32Array,
    /// The parts in which a marker of an earlier pruning may stand.
    pub marked: Uint32Array,
}

/// Finds what can go from a conversation.
#[napi(catch_unwind)]
pub fn prune_transcript(parts: GatheredParts, options: GatheredPruneOptions) -> Result<PruneOutcome> {
    let transcript = parts.read()?;
    Ok(prune(&transcript, &options.read()).into())
}

const COLUMNS: usize = 5;

// What a piece is.
const KEPT: i32 = 0;
const STUB: i32 = 1;
const MARKER: i32 = 2;

impl GatheredPruneOptions {
    /// The engine's options.
    pub fn read(&self) -> Options<'_> {
        Options {
            remove: self.remove,
            last_edit_only: self.last_edit_only,
            failures_by_words: self.failures_by_words,
            keep_recent: self.keep_recent,
            keep_tools: self.keep_tools.clone(),
            keep_paths: self.keep_paths.clone(),
            tools: self.tools.iter().map(GivenTool::to_tool).collect(),
        }
    }
}

impl GatheredParts<'_> {
    /// The transcript.
    pub fn read(self) -> Result<Transcript> {
        let texts = self.texts.take()?;
        let (rows, rest) = self.columns.as_chunks::<COLUMNS>();
        let times = self.times.as_deref();
        if rows.len() != texts.len() || !rest.is_empty() || times.is_some_and(|times| times.len() != rows.len()) {
            return Err(Error::from_reason("each part needs a text and its columns"));
        }
        let messages = rows.iter().map(|&[message, ..]| message);
        if !messages.clone().is_sorted()
            || messages.clone().any(|message| !(0..i64::from(self.message_count)).contains(&i64::from(message)))
        {
            return Err(Error::from_reason("each part needs a message, in order"));
        }
        if rows.iter().any(|&[.., call, _]| call >= rows.len() as i32) {
            return Err(Error::from_reason("a result needs a call that is there"));
        }
        let part = |(index, &[message, flags, name, call, media]): (usize, &[i32; COLUMNS])| {
            let mut part = Part::new(message as u32, role(flags), kind(flags));
            part.status =
                [None, Some(Status::Ok), Some(Status::Error)].get((flags >> 5 & 3) as usize).copied().flatten();
            part.locked = flags >> 7 & 1 == 1;
            part.is_value = flags >> 8 & 1 == 1;
            part.name = u32::try_from(name).ok();
            part.call = u32::try_from(call).ok();
            part.media = u32::try_from(media).ok();
            part.time = times.map(|times| times[index]);
            part
        };
        let parts = rows.iter().enumerate().map(part).collect();
        Ok(Transcript::new(self.message_count, self.names, parts, texts))
    }
}

fn role(flags: i32) -> Role {
    [Role::System, Role::User, Role::Assistant, Role::Tool][(flags & 3) as usize]
}

fn kind(flags: i32) -> Kind {
    let kinds = [Kind::Text, Kind::Call, Kind::Result, Kind::Reasoning, Kind::Media];
    kinds.get((flags >> 2 & 7) as usize).copied().unwrap_or(Kind::Opaque)
}

impl GivenTool {
    fn to_tool(&self) -> Tool<'_> {
        let kind = match self.kind.as_str() {
            "read" => ToolKind::Read,
            "write" => ToolKind::Write,
            "edit" => ToolKind::Edit,
            "command" => ToolKind::Command,
            "search" => ToolKind::Search,
            _ => ToolKind::Other,
        };
        let lines = if !self.offset.is_empty() || !self.limit.is_empty() {
            Lines::Count { offset: &self.offset, limit: &self.limit, base: 1 }
        } else if !self.start.is_empty() || !self.end.is_empty() {
            Lines::Span { start: &self.start, end: &self.end }
        } else {
            Lines::All
        };
        Tool {
            name: &self.name,
            kind,
            path: &self.path,
            lines,
            text: &self.text,
            command: &self.command,
            cwd: &self.cwd,
        }
    }
}

impl From<Outcome> for PruneOutcome {
    fn from(outcome: Outcome) -> Self {
        let mut edits = Vec::with_capacity(4 * outcome.edits.len());
        let mut pieces = Vec::new();
        let (mut stubs, mut stubs_length, mut markers) = (String::new(), 0, Vec::new());
        for edit in outcome.edits {
            let by = edit.superseded_by.map_or(-1, |part| part as i32);
            let count = match edit.change {
                Change::Remove => -1,
                Change::Replace(made) => {
                    let count = made.len() as i32;
                    for piece in made {
                        pieces.extend(match piece {
                            Piece::Keep(range) => [KEPT, range.start as i32, range.end as i32],
                            Piece::Stub(stub) => {
                                let start = stubs_length;
                                stubs_length += stub.encode_utf16().count() as i32;
                                stubs.push_str(&stub);
                                [STUB, start, stubs_length]
                            }
                            Piece::Marker(text) => {
                                markers.push(text);
                                [MARKER, markers.len() as i32 - 1, 0]
                            }
                        });
                    }
                    count
                }
            };
            edits.extend([edit.part as i32, edit.rule as i32, by, count]);
        }
        let counts = Uint32Array::new(outcome.counts.to_vec());
        let marked = Uint32Array::new(outcome.marked);
        PruneOutcome { edits: Int32Array::new(edits), pieces: Int32Array::new(pieces), stubs, markers, counts, marked }
    }
}
