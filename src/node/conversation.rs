//! A conversation and the options of a call as `lib/gather.js` gathers them.

use napi::bindgen_prelude::{Error, ExternalRef, Result};

use super::strings::{StringArray, Units};
use crate::compress::{DepthOption, Options};
use crate::summarize::Depth;
use crate::transcript::TextId;
use crate::transcript::{Message, Speaker, Transcript};

/// Numbers per message: going in, the length of its text in UTF-16 code units, where its id ends among all ids, and
/// its flags; the fourth is for the result.
pub const COLUMNS: usize = 4;

/// Bits of a message's flags; the number of its role stands above them.
const PRESERVED_ROLE: u32 = 1;
const TOOL_CALLS: u32 = 2;
const ANSWERS_TOOL_CALL: u32 = 4;
const STRING_ID: u32 = 8;
const HAS_ROLE: u32 = 16;
const USER: u32 = 32;
const ASSISTANT: u32 = 64;
const ROLE_SHIFT: u32 = 7;

/// Copies a conversation out of JavaScript. `ids` are those of all messages, one behind the other.
pub fn read_conversation(texts: &StringArray, ids: &Units, columns: &[u32]) -> Result<Transcript> {
    let count = texts.len();
    if columns.len() != COLUMNS * count {
        return Err(Error::from_reason("each message needs a text, an id and flags"));
    }
    let (lengths, ends, flags) = (&columns[..count], &columns[count..2 * count], &columns[2 * count..3 * count]);
    let mut conversation = Transcript::with_capacity(count, total_units(lengths));
    texts.for_each(Some(lengths), |index, text| {
        let start = if index == 0 { 0 } else { ends[index - 1] as usize };
        let id = ids.0.get(start..ends[index] as usize).unwrap_or_default();
        let flags = flags[index];
        let message = Message {
            role: flags >> ROLE_SHIFT,
            speaker: speaker(flags & USER != 0, flags & ASSISTANT != 0),
            has_role: flags & HAS_ROLE != 0,
            has_preserved_role: flags & PRESERVED_ROLE != 0,
            has_tool_calls: flags & TOOL_CALLS != 0,
            answers_tool_call: flags & ANSWERS_TOOL_CALL != 0,
            has_string_id: flags & STRING_ID != 0,
        };
        conversation.push(message, id, text);
    })?;
    Ok(conversation)
}

/// Who says a message of the role `user`, `assistant` or neither.
pub fn speaker(is_user: bool, is_assistant: bool) -> Speaker {
    match (is_user, is_assistant) {
        (true, _) => Speaker::User,
        (_, true) => Speaker::Assistant,
        _ => Speaker::Other,
    }
}

fn total_units(lengths: &[u32]) -> usize {
    lengths.iter().map(|&length| length as usize).sum()
}

/// A conversation in which tool results were trimmed, on its way from `trimToolResults` to the call that compresses it: to read
/// it a second time would take about as long as to trim it.
pub struct Trimmed {
    /// The messages as they are now.
    pub conversation: Transcript,
    /// What some of them were before: positions and texts.
    pub untrimmed: Vec<(usize, TextId)>,
}

impl Trimmed {
    /// The conversation that JavaScript brings `trimmed` for, or as it reads.
    pub fn take_or_read(
        trimmed: Option<ExternalRef<Option<Trimmed>>>,
        texts: &StringArray,
        ids: &Units,
        columns: &[u32],
    ) -> Result<Self> {
        match trimmed.and_then(|mut trimmed| trimmed.take()) {
            Some(trimmed) => Ok(trimmed),
            None => Ok(Trimmed { conversation: read_conversation(texts, ids, columns)?, untrimmed: Vec::new() }),
        }
    }
}

/// Bits of the switches, the last of the options' numbers.
const DEDUP: u32 = 1;
const FUZZY_DEDUP: u32 = 2;
const EMBED_SUMMARY_ID: u32 = 4;
const FORCE_CONVERGE: u32 = 8;
const FULL_CLASSIFIER_MODE: u32 = 16;
const TRACE: u32 = 32;
const HAS_TOKEN_BUDGET: u32 = 64;
const HAS_OBSERVATION_THRESHOLD: u32 = 128;
const IMPORTANCE_SCORING: u32 = 256;
const CONTRADICTION_DETECTION: u32 = 512;
const TIERED: u32 = 1024;
const CONVERSATION_FLOW: u32 = 2048;
const SEMANTIC_CLUSTERING: u32 = 4096;
const COREFERENCE: u32 = 8192;
const DISCOURSE_AWARE: u32 = 16384;

/// The options of a call; see `CompressOptions` in `index.d.ts`.
pub fn read_options(numbers: &[f64], callbacks: Callbacks) -> Result<Options> {
    let &[
        recency_window,
        fuzzy_threshold,
        token_budget,
        min_recency_window,
        observation_threshold,
        switches,
        importance_threshold,
        contradiction_threshold,
        relevance_threshold,
        depth,
        cluster_threshold,
        ..,
    ] = numbers
    else {
        return Err(Error::from_reason("the options are incomplete"));
    };
    let is_on = |switch: u32| switches as u32 & switch != 0;
    Ok(Options {
        recency_window,
        dedup: is_on(DEDUP),
        fuzzy_dedup: is_on(FUZZY_DEDUP),
        fuzzy_threshold,
        embed_summary_id: is_on(EMBED_SUMMARY_ID),
        token_budget: is_on(HAS_TOKEN_BUDGET).then_some(token_budget),
        min_recency_window,
        force_converge: is_on(FORCE_CONVERGE),
        observation_threshold: is_on(HAS_OBSERVATION_THRESHOLD).then_some(observation_threshold),
        full_classifier_mode: is_on(FULL_CLASSIFIER_MODE),
        trace: is_on(TRACE),
        has_patterns: callbacks.patterns,
        has_adapters: callbacks.adapters,
        has_summarizer: callbacks.summarizer,
        has_scorer: callbacks.scorer,
        importance_threshold: is_on(IMPORTANCE_SCORING).then_some(importance_threshold),
        contradiction_threshold: is_on(CONTRADICTION_DETECTION).then_some(contradiction_threshold),
        relevance_threshold: (relevance_threshold > 0.0).then_some(relevance_threshold),
        depth: match depth as u32 {
            0 => DepthOption::Fixed(Depth::Gentle),
            1 => DepthOption::Fixed(Depth::Moderate),
            2 => DepthOption::Fixed(Depth::Aggressive),
            _ => DepthOption::Auto,
        },
        is_tiered: is_on(TIERED),
        conversation_flow: is_on(CONVERSATION_FLOW),
        cluster_threshold: is_on(SEMANTIC_CLUSTERING).then_some(cluster_threshold),
        coreference: is_on(COREFERENCE),
        discourse_aware: is_on(DISCOURSE_AWARE),
    })
}

/// Which callbacks the caller has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Callbacks {
    pub patterns: bool,
    pub adapters: bool,
    pub summarizer: bool,
    pub scorer: bool,
}
