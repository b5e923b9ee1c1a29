//! Which messages may be joined: replaced by one text, because they form a chain of the conversation's flow or a cluster.
//!
//! Only successive messages are joined, before any are grouped: each has one place in the result, and all are restored in
//! order. A message that a hard rule or the caller's patterns or classifier keep is never joined, because most of it would be
//! cut off.

use super::route::{HostAnswers, HostQuery, Route};
use super::rules::Rules;
use crate::compress::decisions::Reason;
use crate::compress::facts::Correction;

/// Shorter texts, in UTF-16 code units, belong to no cluster.
const MIN_LENGTH: usize = 80;

/// Start and length of a join, and whether it is a cluster.
pub(crate) type JoinKey = (usize, usize, bool);

/// Returns whether a message can belong to a cluster, as far as its length says.
pub(crate) fn eligible_for_clusters(rules: Rules<'_>, index: usize) -> bool {
    rules.facts.text(index).len() >= MIN_LENGTH
}

/// Returns whether a message may be joined with others: one that would be summarised, or that only its shortness or
/// importance keeps, and that contains nothing that must not be cut.
///
/// # Errors
/// If it depends on an answer of the host that `answers` lacks.
pub(crate) fn is_joinable(
    rules: Rules<'_>,
    index: usize,
    route: Route,
    answers: HostAnswers,
) -> Result<bool, HostQuery> {
    let is_read = match route {
        Route::Summarise => true,
        Route::Preserve(Reason::ShortContent | Reason::Importance(_)) => false,
        _ => return Ok(false),
    };
    let transcript = &rules.facts.transcript;
    let is_latest = matches!(rules.facts.corrections.get(index), Some(Correction::Latest(_)));
    if transcript.message(index).answers_tool_call || is_latest {
        return Ok(false);
    }
    let is_judged = is_read && !rules.options.full_classifier_mode && !rules.is_large(index);
    if !is_judged && rules.facts.texts.is_fragile(transcript, transcript.text_id(index)) {
        return Ok(false);
    }
    let is_asked_for = !is_read && rules.options.has_patterns;
    Ok(!is_asked_for || answers.pattern.ok_or(HostQuery::Pattern)?.is_none())
}
