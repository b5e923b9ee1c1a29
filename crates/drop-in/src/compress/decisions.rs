//! Decisions about messages, and their reasons.

use std::fmt;

use crate::classify::Reasons;
use crate::contradiction::Signal;
use crate::flow::ChainKind;

/// Action taken on a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Kept unchanged.
    Preserved,
    /// Replaced by a summary.
    Compressed,
    /// Replaced by a reference to an identical message.
    Deduped,
    /// Replaced by a reference to a nearly identical message.
    FuzzyDeduped,
    /// Code kept, prose summarised.
    CodeSplit,
    /// Cut to its beginning.
    Truncated,
    /// Replaced by a reference to the message that supersedes it, with a summary.
    Contradicted,
}

impl Action {
    /// Returns the name that users see.
    pub fn name(self) -> &'static str {
        match self {
            Action::Preserved => "preserved",
            Action::Compressed => "compressed",
            Action::Deduped => "deduped",
            Action::FuzzyDeduped => "fuzzy_deduped",
            Action::CodeSplit => "code_split",
            Action::Truncated => "truncated",
            Action::Contradicted => "contradicted",
        }
    }
}

/// Reason for an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    PreservedRole,
    RecencyWindow,
    ToolCalls,
    ShortContent,
    AlreadyCompressed,
    ExactDuplicate,
    FuzzyDuplicate,
    /// A reference to the message it duplicates would be longer than the message.
    DuplicateReverted,
    CodeSplit,
    CodeSplitReverted,
    CodeFenceNoProse,
    HardT0(Reasons),
    /// The number of the pattern that matched; the caller knows its label.
    Pattern(u32),
    /// The caller knows the reason that its classifier gave.
    LlmPreserved,
    JsonStructure,
    /// The number of the adapter; the caller knows its name.
    Adapter(u32),
    AdapterReverted(u32),
    CompressibleProse,
    MergedCompressed,
    Flow(ChainKind),
    /// The number of the cluster; [`super::Statistics::cluster_labels`] has its label.
    Cluster(u32),
    MergeReverted,
    SingleReverted,
    ForceConverge,
    /// Its importance in hundredths.
    Importance(u8),
    /// It corrects an earlier message.
    Correction(Signal),
    Contradicted(Signal),
    ContradictionReverted,
    /// The score of its best sentence.
    RelevanceDropped(i32),
    Tightened,
    Omitted,
}

/// Writes the name that users see. The caller appends the labels that only it knows.
impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Reason::HardT0(reasons) => return write!(formatter, "hard_t0:{reasons}"),
            Reason::Flow(kind) => return write!(formatter, "flow:{}", kind.name()),
            Reason::Importance(hundredths) => {
                return write!(formatter, "importance:{}.{:02}", hundredths / 100, hundredths % 100);
            }
            Reason::Correction(signal) => return write!(formatter, "correction:{}", signal.name()),
            Reason::Contradicted(signal) => return write!(formatter, "contradicted:{}", signal.name()),
            Reason::RelevanceDropped(score) => return write!(formatter, "relevance_dropped:{score}"),
            Reason::PreservedRole => "preserved_role",
            Reason::RecencyWindow => "recency_window",
            Reason::ToolCalls => "tool_calls",
            Reason::ShortContent => "short_content",
            Reason::AlreadyCompressed => "already_compressed",
            Reason::ExactDuplicate => "exact_duplicate",
            Reason::FuzzyDuplicate => "fuzzy_duplicate",
            Reason::DuplicateReverted => "duplicate_reverted",
            Reason::CodeSplit => "code_split",
            Reason::CodeSplitReverted => "code_split_reverted",
            Reason::CodeFenceNoProse => "code_fence_no_prose",
            Reason::Pattern(_) => "pattern:",
            Reason::LlmPreserved => "llm_preserved:",
            Reason::JsonStructure => "json_structure",
            Reason::Adapter(_) => "adapter:",
            Reason::AdapterReverted(_) => "adapter_reverted:",
            Reason::CompressibleProse => "compressible_prose",
            Reason::MergedCompressed => "merged_compressed",
            Reason::Cluster(_) => "cluster:",
            Reason::MergeReverted => "merge_reverted",
            Reason::SingleReverted => "single_reverted",
            Reason::ForceConverge => "force_converge",
            Reason::ContradictionReverted => "contradiction_reverted",
            Reason::Tightened => "tightened",
            Reason::Omitted => "omitted",
        };
        formatter.write_str(name)
    }
}

/// One entry of the trace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// Index of the message in the input.
    pub index: usize,
    /// The action taken.
    pub action: Action,
    /// Why.
    pub reason: Reason,
    /// Length of its text, in UTF-16 code units.
    pub input_length: usize,
    /// Length of the text that replaces it, or its share of a text that replaces several messages.
    pub output_length: usize,
}
