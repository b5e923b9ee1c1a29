//! `prune` on a transcript that `lib/agent/prune.ts` gathers.

use napi::bindgen_prelude::{Error, Float64Array, Int32Array, Result};
use napi_derive::napi;

use super::edits::{EditedPieces, Pieces, column, column_of, index, write_mark};
use super::given_texts::GivenTexts;
use crate::layout::{part_column, part_flag, part_kind, part_role, piece, prune_edit_column, rule, sentinel};
use palimpsest_agent::prune::{Options, Outcome, Stub, prune};
use palimpsest_history::transcript::{Kind, MessageIndex, Part, Removal, Role, Status, Transcript};
use palimpsest_text::TextBuf;
use palimpsest_text::index::to_usize;
use palimpsest_world::arguments::parse;
use palimpsest_world::guess;
use palimpsest_world::tools::{Lines, Tool, ToolKind, Tools};

/// The parts of a conversation, flattened.
#[napi(object, object_to_js = false)]
pub struct GatheredParts<'env> {
    /// The text of each part.
    #[napi(ts_type = "CopiedTexts | string[]")]
    pub texts: GivenTexts<'env>,
    /// A row of `PART_COLUMN` for each part.
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
    /// Whether to say what shows that a text can go.
    pub trace: bool,
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

/// What the names of tools mean. For so few values a list takes less time than a typed array.
#[napi(object, object_from_js = false)]
pub struct NamedTools {
    /// For each name the number of the user's tool that it means, or -1.
    pub own: Vec<i32>,
    /// For each name whether the kind of the tool is known.
    pub is_known: Vec<bool>,
    /// For each name whether calls of the tool may be guessed to be reads.
    pub may_be_read: Vec<bool>,
}

/// The edits, for `lib/agent/prune.ts` to make texts of.
#[napi(object, object_from_js = false)]
pub struct PruneOutcome {
    /// A row of `PRUNE_EDIT_COLUMN` for each edit.
    pub edits: Int32Array,
    /// The pieces of the edits.
    pub pieces: EditedPieces,
    /// How often each rule of `RULE` applied.
    pub counts: Vec<u32>,
    /// The parts in which a marker of an earlier pruning may stand.
    pub marked: Vec<u32>,
    /// With `trace`, for each edit what shows that the text can go.
    pub evidence: Vec<String>,
}

/// Finds what can go from a conversation.
#[napi(catch_unwind)]
pub fn prune_transcript(parts: GatheredParts, options: GatheredPruneOptions) -> Result<PruneOutcome> {
    let transcript = parts.read()?;
    Ok(prune(&transcript, &options.read()).into())
}

/// Looks up the tools that `names` mean, among those of the user and the built-in ones.
#[napi(catch_unwind)]
pub fn name_tools(names: Vec<String>, own: Vec<GivenTool>) -> NamedTools {
    let own: Vec<Tool<'_>> = own.iter().map(GivenTool::to_tool).collect();
    let tools = Tools::new(&own);
    let named: Vec<_> = names.iter().map(|name| tools.named(name)).collect();
    NamedTools {
        own: named.iter().map(|named| named.own.map_or(sentinel::NONE, |own| own as i32)).collect(),
        is_known: named.iter().map(|named| !named.tools.is_empty()).collect(),
        may_be_read: names.iter().zip(&named).map(|(name, named)| guess::may_be_read(name, named)).collect(),
    }
}

/// Returns the argument that says what a call of the tool `name` reads, if it is guessed to be a read.
#[napi(catch_unwind)]
pub fn guess_read(name: String, arguments: String) -> Option<String> {
    let known = Tools::new(&[]).named(&name).tools;
    let value = parse(TextBuf::from(arguments.as_str()).as_text())?;
    guess::path(&value, &known).map(|(argument, _)| argument.to_owned())
}

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
            trace: self.trace,
        }
    }
}

impl GatheredParts<'_> {
    /// The transcript.
    pub fn read(self) -> Result<Transcript> {
        let (rows, rest) = self.columns.as_chunks::<{ part_column::COUNT }>();
        let times = self.times.as_deref();
        if rows.len() != self.texts.len() || !rest.is_empty() || times.is_some_and(|times| times.len() != rows.len()) {
            return Err(Error::from_reason("each part needs a text and its columns"));
        }
        let messages = rows.iter().map(|row| row[part_column::MESSAGE]);
        if !messages.clone().is_sorted()
            || messages.clone().any(|message| !(0..i64::from(self.message_count)).contains(&i64::from(message)))
        {
            return Err(Error::from_reason("each part needs a message, in order"));
        }
        if rows.iter().any(|row| row[part_column::CALL] >= rows.len() as i32) {
            return Err(Error::from_reason("a result needs a call that is there"));
        }
        let lengths: Vec<u32> = rows.iter().map(|row| row[part_column::LENGTH].cast_unsigned()).collect();
        let texts = self.texts.take_sized(&lengths)?;
        let part = |(place, row): (usize, &[i32; part_column::COUNT])| {
            let flags = row[part_column::FLAGS].cast_unsigned();
            let message = MessageIndex(row[part_column::MESSAGE].cast_unsigned());
            let mut part = Part::new(message, role(flags), kind(flags));
            part.status = status(flags);
            part.locked = flags & part_flag::LOCKED != 0;
            part.removal = removal(flags);
            part.is_value = flags & part_flag::VALUE != 0;
            part.name = index(row[part_column::NAME]);
            part.call = index(row[part_column::CALL]);
            part.media = u32::try_from(row[part_column::MEDIA]).ok();
            part.time = times.map(|times| times[place]);
            part
        };
        let parts = rows.iter().enumerate().map(part).collect();
        Ok(Transcript::new(to_usize(self.message_count), self.names, parts, texts))
    }
}

fn removal(flags: u32) -> Removal {
    match flags & (part_flag::FIXED | part_flag::WITH_TURN | part_flag::WITH_PREVIOUS) {
        0 => Removal::Message,
        part_flag::WITH_PREVIOUS => Removal::Previous,
        part_flag::WITH_TURN => Removal::Turn,
        _ => Removal::Never,
    }
}

fn role(flags: u32) -> Role {
    part_role::value(to_usize(flags & part_flag::ROLE_MASK)).unwrap_or(Role::User)
}

fn kind(flags: u32) -> Kind {
    part_kind::value(to_usize(flags >> part_flag::KIND_SHIFT & part_flag::KIND_MASK)).unwrap_or(Kind::Opaque)
}

fn status(flags: u32) -> Option<Status> {
    match (flags & part_flag::OK != 0, flags & part_flag::ERROR != 0) {
        (true, false) => Some(Status::Ok),
        (false, true) => Some(Status::Error),
        _ => None,
    }
}

impl GivenTool {
    /// The engine's tool.
    pub fn to_tool(&self) -> Tool<'_> {
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
            path: &self.path,
            lines,
            text: &self.text,
            command: &self.command,
            cwd: &self.cwd,
            ..Tool::described(&self.name, kind)
        }
    }
}

impl From<Outcome> for PruneOutcome {
    fn from(outcome: Outcome) -> Self {
        let mut edits = Vec::with_capacity(prune_edit_column::COUNT * outcome.edits.len());
        let mut pieces = Pieces::default();
        let write = |stub: Stub, marks: &mut String| match stub {
            Stub::Text(text) => write_mark(text, marks),
            Stub::Marker(marker) => {
                write_mark(marker.to_string(), marks);
                piece::MARKER
            }
        };
        for edit in outcome.edits {
            let mut row = [0; prune_edit_column::COUNT];
            row[prune_edit_column::PART] = column_of(Some(edit.part));
            row[prune_edit_column::RULE] = column(rule::number(edit.rule));
            row[prune_edit_column::SUPERSEDED_BY] = column_of(edit.superseded_by);
            row[prune_edit_column::PIECES] = pieces.add(edit.change, write);
            edits.extend(row);
        }
        let counts = outcome.counts.to_vec();
        let marked = outcome.marked.into_iter().map(|part| part.0).collect();
        PruneOutcome {
            edits: Int32Array::new(edits),
            pieces: pieces.finish(),
            counts,
            marked,
            evidence: outcome.evidence,
        }
    }
}
