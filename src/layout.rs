//! The layout of what crosses the boundary between Rust and JavaScript: the one place where it is written.
//!
//! Most of it crosses in flat arrays, so both sides have to agree on the meaning of each position, bit and number. This
//! file declares them; `npm run layout` writes `lib/generated/layout.ts` from it, and a test fails while that file is not
//! current. In Rust a table is a module of constants, in JavaScript a frozen object of the same name in capitals.
//!
//! To add an option of `compress`, for example: add its name to [`option`] below, run `npm run layout`, set
//! `numbers[OPTION.ITS_NAME]` in `lib/compress/gather.ts` and read `numbers[option::ITS_NAME]` in `src/node/conversation.rs`.

use std::fmt::Write;

use palimpsest_agent::fit::{Duty, KeepReason};
use palimpsest_agent::prepass::TurnKind;
use palimpsest_agent::prune::Rule;
use palimpsest_agent::shorten::Rule as Shortening;
use palimpsest_drop_in::compress::DepthOption;
use palimpsest_drop_in::summarize::Depth;
use palimpsest_history::transcript::{Kind as PartKind, Role};
use palimpsest_tokens::measure::Extra;

/// Path of the generated file, from the root of the repository.
pub const FILE: &str = "lib/generated/layout.ts";

/// Declares tables: in Rust a module of constants each. The word in front of its name tells how the rows are numbered:
///
/// * `places`: 0, 1, 2 …; `COUNT` is their number.
/// * `bits`: 1, 2, 4 …; `COUNT` is their number, by which a value above them is shifted.
/// * `numbers`: as they say.
/// * `names`: 0, 1, 2 …, each for a value of an enum; JavaScript knows them by the names that users see.
macro_rules! layout {
    ($($(#[doc = $about:literal])* $kind:ident $module:ident $(: $type:ident)? { $($rows:tt)* })*) => {
        $(
            $(#[doc = $about])*
            #[allow(missing_docs, non_camel_case_types, clippy::upper_case_acronyms)]
            pub mod $module {
                #[allow(unused_imports)]
                use crate::layout::*;
                table! { $kind $($type)? { $($rows)* } }
            }
        )*

        fn tables() -> Vec<Table> {
            vec![$(Table { name: stringify!($module), about: &[$($about),*], rows: $module::rows() }),*]
        }
    };
}

/// The constants of one table, and its rows for JavaScript.
macro_rules! table {
    (places { $($(#[doc = $about:literal])* $row:ident),* $(,)? }) => {
        enum Place { $($row,)* COUNT }
        table! { numbers usize { $($(#[doc = $about])* $row = Place::$row as usize,)* COUNT = Place::COUNT as usize } }
    };
    (bits { $($(#[doc = $about:literal])* $row:ident),* $(,)? }) => {
        enum Place { $($row,)* COUNT }
        table! { numbers u32 { $($(#[doc = $about])* $row = 1 << Place::$row as u32,)* COUNT = Place::COUNT as u32 } }
    };
    (numbers $type:ident { $($(#[doc = $about:literal])* $row:ident = $number:expr),* $(,)? }) => {
        $($(#[doc = $about])* pub const $row: $type = $number;)*

        pub(super) fn rows() -> Vec<Row> {
            vec![$(Row { name: stringify!($row), about: &[$($about),*], number: $row as i64 }),*]
        }
    };
    (names $type:ident { $($value:ident $(($of:path))? = $name:literal),* $(,)? }) => {
        const VALUES: &[$type] = &[$($type::$value $(($of))?),*];

        /// The value of that number.
        pub fn value(number: usize) -> Option<$type> {
            VALUES.get(number).copied()
        }

        /// The number of a value.
        pub fn number(value: $type) -> usize {
            // Does not compile while a value has no name.
            match value { $($type::$value $(($of))? => (),)* }
            VALUES.iter().position(|one| *one == value).unwrap_or(VALUES.len())
        }

        pub(super) fn rows() -> Vec<Row> {
            let names = [$($name),*];
            names.iter().zip(0..).map(|(name, number)| Row { name, about: &[], number }).collect()
        }
    };
}

layout! {
    /// Stands for "none" in columns of signed numbers and in statistics.
    numbers sentinel: i32 {
        NONE = -1,
    }

    // `compress`

    /// Columns of the messages given to `compress`, one after the other.
    places message_column {
        /// Length of the text in UTF-16 code units.
        LENGTH,
        /// End of the id in the string of all ids.
        ID_END,
        /// Bits of `MESSAGE_FLAG`, and above them the number of the role.
        FLAGS,
    }

    /// Bits of a message's flags.
    bits message_flag {
        PRESERVED_ROLE,
        TOOL_CALLS,
        ANSWERS_TOOL_CALL,
        STRING_ID,
        HAS_ROLE,
        USER,
        ASSISTANT,
    }

    /// Slots of the options of `compress`; see `CompressOptions` in `index.d.ts`.
    places option {
        RECENCY_WINDOW,
        FUZZY_THRESHOLD,
        TOKEN_BUDGET,
        MIN_RECENCY_WINDOW,
        OBSERVATION_THRESHOLD,
        /// Bits of `SWITCH`.
        SWITCHES,
        IMPORTANCE_THRESHOLD,
        CONTRADICTION_TOPIC_THRESHOLD,
        RELEVANCE_THRESHOLD,
        /// A number of `DEPTH`.
        COMPRESSION_DEPTH,
        CLUSTER_THRESHOLD,
    }

    /// Options that are on or off.
    bits switch {
        DEDUP,
        FUZZY_DEDUP,
        EMBED_SUMMARY_ID,
        FORCE_CONVERGE,
        FULL_CLASSIFIER_MODE,
        TRACE,
        HAS_TOKEN_BUDGET,
        HAS_OBSERVATION_THRESHOLD,
        IMPORTANCE_SCORING,
        CONTRADICTION_DETECTION,
        TIERED,
        CONVERSATION_FLOW,
        SEMANTIC_CLUSTERING,
        COREFERENCE,
        DISCOURSE_AWARE,
        COMBINE_SCORES,
    }

    /// Values of `compressionDepth`.
    names depth: DepthOption {
        Fixed(Depth::Gentle) = "gentle",
        Fixed(Depth::Moderate) = "moderate",
        Fixed(Depth::Aggressive) = "aggressive",
        Auto = "auto",
    }

    /// Kinds of messages that the trimming of tool results tells apart.
    names turn_kind: TurnKind {
        Other = "other",
        Assistant = "assistant",
        Trimmable = "trimmable",
        Tool = "tool",
    }

    /// Columns of a message of the result.
    places output_column {
        /// First input message that it stands for.
        START,
        /// Number of input messages that it stands for.
        MESSAGES,
        /// Number of its text plus one; 0: the input message itself.
        TEXT,
        /// Hash of the ids that it stands for.
        IDS_HASH,
    }

    /// Slots of the statistics of `compress`.
    places statistic {
        /// Messages of the result; `NONE` where the input is the result.
        OUTPUTS,
        RATIO,
        TOKEN_RATIO,
        COMPRESSED,
        PRESERVED,
        DEDUPED,
        FUZZY_DEDUPED,
        PATTERN_PRESERVED,
        LLM_PRESERVED,
        /// 1 where the result has a quality, which is computed when it is read.
        HAS_QUALITY,
        /// 1 or 0; `NONE` without a limit.
        FITS,
        TOKEN_COUNT,
        RECENCY_WINDOW,
        IMPORTANCE_PRESERVED,
        CONTRADICTED,
        RELEVANCE_DROPPED,
        SCORER_FALLBACKS,
    }

    /// Columns of a decision in a trace.
    places decision_column {
        MESSAGE,
        /// Number of the action's name.
        ACTION,
        /// Number of the reason's name.
        REASON,
        /// Length of the text in the result, in UTF-16 code units.
        OUTPUT_LENGTH,
        /// Number of the pattern, adapter or cluster.
        DETAIL,
    }

    /// Columns of the sentences that a scorer is asked about: a range of the text.
    places sentence_column {
        START,
        END,
    }

    /// Bits of a message in `detectFlowChains`; above them stands the number of its role.
    bits flow_flag {
        FREE,
        USER,
        ASSISTANT,
    }

    // `prune` and `fit`

    /// Columns of a part of the conversation.
    places part_column {
        MESSAGE,
        /// A `PART_ROLE`, a `PART_KIND` shifted by `KIND_SHIFT`, and bits, all of `PART_FLAG`.
        FLAGS,
        /// Number of the name of the tool that it calls, or `NONE`.
        NAME,
        /// Part with the call that it answers, or `NONE`.
        CALL,
        /// Number of its medium, or `NONE`: equal media have equal numbers.
        MEDIA,
        /// Length of its text, in UTF-16 code units.
        LENGTH,
    }

    /// Bits of a part's flags.
    numbers part_flag: u32 {
        ROLE_MASK = 0b11,
        KIND_SHIFT = 2,
        KIND_MASK = 0b111,
        /// The format says that the tool did what it was asked for.
        OK = 1 << 5,
        /// The format says that it failed.
        ERROR = 1 << 6,
        /// May not be edited.
        LOCKED = 1 << 7,
        /// The text is the JSON of a value.
        VALUE = 1 << 8,
        /// May be removed only with all that stands between two turns of the user.
        WITH_TURN = 1 << 9,
        /// May be removed only with the message before its own.
        WITH_PREVIOUS = 1 << 10,
        /// May not be removed.
        FIXED = 1 << 11,
    }

    /// Roles of parts.
    names part_role: Role {
        System = "system",
        User = "user",
        Assistant = "assistant",
        Tool = "tool",
    }

    /// Kinds of parts.
    names part_kind: PartKind {
        Text = "text",
        Call = "call",
        Result = "result",
        Reasoning = "reasoning",
        Media = "media",
        Opaque = "opaque",
    }

    /// Rules of `prune`.
    names rule: Rule {
        StaleRead = "staleRead",
        StaleEdit = "staleEdit",
        StaleCommand = "staleCommand",
        FailedCommand = "failedCommand",
        OverlappingRead = "overlappingRead",
        StaleSearch = "staleSearch",
        IdenticalResult = "identicalResult",
        OversizedOutput = "oversizedOutput",
        RepeatedMedia = "repeatedMedia",
        EmptyMessage = "emptyMessage",
        Announcement = "announcement",
    }

    /// What a rule of `shorten` writes shorter.
    names shortening: Shortening {
        LineNumbers = "lineNumbers",
        Escapes = "escapes",
        Json = "json",
        Tables = "tables",
        Repeats = "repeats",
    }

    /// Columns of an edit by `prune`.
    places prune_edit_column {
        PART,
        /// A number of `RULE`.
        RULE,
        /// Part that supersedes it, or `NONE`.
        SUPERSEDED_BY,
        /// Number of its pieces; `NONE`: the part goes.
        PIECES,
    }

    /// Columns of a piece of an edited text.
    places piece_column {
        /// Start of the range of the original, or a number of `PIECE`.
        START,
        /// End of the range, or of the mark in those of all pieces, which stand one after the other.
        END,
    }

    /// Pieces that are no range of the original.
    numbers piece: i32 {
        MARK = -1,
        /// A mark that needs a key in front of it, and the start of a marker in front of that.
        MARKER = -2,
    }

    /// Columns of a range of a part's text.
    places range_column {
        PART,
        START,
        END,
    }

    /// Columns of an edit by `fit`.
    places fit_edit_column {
        PART,
        /// Number of its pieces; `NONE`: the part goes.
        PIECES,
    }

    /// Reasons why `fit` keeps a message; `limit` is why it doesn't.
    names keep_reason: KeepReason {
        Dropped = "limit",
        System = "system",
        Named = "keep",
        Needed = "valid",
        Current = "current",
        Users = "user",
        Rules = "rules",
        Task = "task",
        State = "state",
        Worth = "worth",
        Asked = "asked",
    }

    /// Kinds of what has to be in every request.
    names duty: Duty {
        Rules = "rules",
        Task = "task",
        State = "state",
        Said = "said",
    }

    /// Columns of what had to be in a request, and is not.
    places lost_column {
        DUTY,
        MESSAGE,
        /// Number of its lines and sentences.
        LINES,
    }

    // Token counts

    /// Columns of a part whose tokens are counted.
    places counted_part_column {
        MESSAGE,
        /// A kind of content and bits, all of `CONTENT`.
        CONTENT,
        /// Number of a text, tokens, length of JSON in UTF-16 code units, or width of an image in pixels.
        FIRST,
        /// Height of an image in pixels.
        SECOND,
        /// Number of the name of the tool that it calls, or `NONE`.
        NAME,
        /// Number of the id of its call, or `NONE`.
        ID,
    }

    /// Columns of a message whose tokens are counted.
    places counted_message_column {
        /// Number of its role, or `NONE` if nothing of it is sent.
        ROLE,
        /// Number of its name, or `NONE`.
        NAME,
    }

    /// Columns of a row beside the messages.
    places extra_column {
        /// A number of `EXTRA`.
        KIND,
        /// Number of its text, or `NONE`.
        TEXT,
    }

    /// Kinds of content, and bits beside them.
    numbers content: i32 {
        NOTHING = 0,
        TEXT = 1,
        TOKENS = 2,
        IMAGE = 3,
        MEDIA = 4,
        JSON = 5,
        KIND_MASK = 0b111,
        /// The part is a call.
        CALL = 1 << 3,
        /// The image is sent in low detail.
        LOW_DETAIL = 1 << 4,
    }

    /// Rows of tool schemas and system prompts.
    names extra: Extra {
        Tool = "tool",
        Properties = "properties",
        Property = "property",
        Enum = "enum",
        EnumValue = "enumValue",
        Prompt = "prompt",
        PromptText = "promptText",
    }

    // Originals and `restore`

    /// Columns of a cut that `restore` looks for.
    places cut_column {
        /// Its index among the messages that the round left.
        AT,
        /// Number of messages that replace it.
        LEFT,
        /// Number of messages that it took out.
        TAKEN,
        /// 1 where it agrees with the round about the messages around it.
        IS_CONSISTENT,
    }

    /// Pieces of the texts that are hashed: a kind, and above it a number. Strings stand beside them, in order: those of up to `MAX_SHORT` UTF-16
    /// code units joined to one, and the others.
    numbers canonical_piece: u32 {
        /// What stood in the texts before, by its number.
        KNOWN = 0,
        /// A string of that length, as a text. It gets the next number.
        TEXT = 1,
        /// The same without a number.
        LONG_TEXT = 2,
        /// A string of that length as it is. It gets the next number.
        SCALAR = 3,
        /// The same without a number.
        RAW = 4,
        /// The start of an object of so many members.
        OBJECT = 5,
        /// The start of an array of so many items.
        ARRAY = 6,
        /// The end of the text.
        END = 7,
        KIND_MASK = 0b111,
        KIND_BITS = 3,
        MAX_SHORT = 256,
    }

    /// Columns of a run of messages that an edit removed or replaced.
    places run_column {
        /// Index of the first message that replaces it, among those that the round left.
        START,
        /// Index after the last one.
        END,
        /// Number of messages of the run.
        TAKEN,
    }
}

/// A table as JavaScript gets it.
struct Table {
    /// Name of the module.
    name: &'static str,
    about: &'static [&'static str],
    rows: Vec<Row>,
}

struct Row {
    name: &'static str,
    about: &'static [&'static str],
    number: i64,
}

/// The text of [`FILE`].
pub fn typescript() -> String {
    let mut file = "// Generated from src/layout.rs by `npm run layout`. Changes belong there.\n".to_owned();
    for table in &tables() {
        file.push('\n');
        write_comment(&mut file, "", table.about);
        put(&mut file, format_args!("export const {} = Object.freeze({{\n", table.name.to_uppercase()));
        for row in &table.rows {
            write_comment(&mut file, "  ", row.about);
            put(&mut file, format_args!("  {}: {},\n", row.name, row.number));
        }
        file.push_str("});\n");
    }
    file
}

/// Writes the lines of a doc comment as JSDoc.
fn write_comment(file: &mut String, indent: &str, lines: &[&str]) {
    let text = lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
    if !text.is_empty() {
        put(file, format_args!("{indent}/** {text} */\n"));
    }
}

fn put(file: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string can't fail.
    let _ = file.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generated_file_is_current() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
        let committed = std::fs::read_to_string(path).unwrap_or_default();
        // By lines, because a checkout may have other ends of lines.
        assert!(committed.lines().eq(typescript().lines()), "{FILE} is not current: run `npm run layout`");
    }

    #[test]
    fn a_name_has_the_number_of_its_value() {
        for (number, rule) in Rule::ALL.into_iter().enumerate() {
            assert_eq!((rule::number(rule), rule::value(number)), (number, Some(rule)));
        }
        assert_eq!(rule::value(Rule::ALL.len()), None);
        assert_eq!((message_column::FLAGS, message_column::COUNT), (2, 3));
        assert_eq!((switch::DEDUP, switch::FUZZY_DEDUP, switch::EMBED_SUMMARY_ID), (1, 2, 4));
    }
}
