//! Rules: a predicate and its reason.

use super::reasons::{Reason, Reasons};
use palimpsest_text::masks::Scanned;

/// A predicate on a text, and the reason it gives.
pub(super) type Rule = (fn(Scanned<'_>) -> bool, Reason);

/// Adds the reason of the first rule that holds or, with `wants_all`, of every rule that holds.
pub(super) fn add_reasons(text: Scanned<'_>, wants_all: bool, rules: &[Rule], reasons: &mut Reasons) {
    for (holds, reason) in rules {
        if holds(text) {
            reasons.insert(*reason);
            if !wants_all {
                return;
            }
        }
    }
}
