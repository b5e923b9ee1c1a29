//! Why a message stays.

/// Reason for which a message stays; the report of `lib/fit/report.ts` names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeepReason {
    /// It is dropped.
    #[default]
    Dropped,
    /// It holds the system's instructions.
    System,
    /// [`Keep`](super::Keep) names it.
    Named,
    /// Without it the conversation would not be valid.
    Needed,
    /// It belongs to the current exchange.
    Current,
    /// It holds the user's words.
    Users,
    /// It holds rules.
    Rules,
    /// It holds the task.
    Task,
    /// It holds the state of the work: the newest list, or a summary.
    State,
    /// It is worth its tokens.
    Worth,
    /// It is relevant to the query.
    Asked,
}
