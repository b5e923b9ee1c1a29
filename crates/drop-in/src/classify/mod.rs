//! The heuristic classifier: reasons to keep a text as it is.
//!
//! A text is kept if it has at least one *hard* reason; *soft* ones only raise the confidence. Each family of reasons
//! has a file of its own, and every rule runs in time linear in the text.

mod keywords;
mod layout;
mod lexicon;
mod markup;
mod reasons;
mod references;
mod rule;
mod secrets;
mod steps;

pub use lexicon::{Hit, Term, lexicon};
pub use reasons::{Reason, Reasons};

use palimpsest_text::Text;
use palimpsest_text::masks::{Scanned, Scratch};

/// Treatment of a text, regardless of its context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Keep it verbatim: it has a reason (`T0`).
    Keep,
    /// A short text without a reason: fewer than 20 pieces between white space (`T2`).
    Short,
    /// A long text without a reason (`T3`).
    Long,
}

/// Result of [`classify`].
#[derive(Clone, Copy, Debug)]
pub struct Classification {
    /// Treatment of the text.
    pub verdict: Verdict,
    /// 0.65 without a reason; with k reasons min(0.95, 0.7 + k·0.05), computed in doubles.
    pub confidence: f64,
    /// All reasons that apply, hard and soft.
    pub reasons: Reasons,
}

/// Classifies `text` by all reasons.
pub fn classify(text: Text<'_>) -> Classification {
    let mut scratch = Scratch::default();
    let scanned = scratch.scan(text.bytes());
    let mut emphasis = Vec::new();
    let keywords = keywords::scan(scanned, &mut emphasis);
    let mut reasons = hard_reasons(scanned, true, &mut emphasis);
    references::soft_reasons(scanned.bytes, &mut reasons);
    if keywords.legal_term {
        reasons.insert(Reason::LegalTerm);
    }
    let count = reasons.len();
    if count > 0 {
        let confidence = f64::min(0.95, 0.7 + f64::from(count) * 0.05);
        return Classification { verdict: Verdict::Keep, confidence, reasons };
    }
    let verdict = if layout::has_fewer_pieces(scanned.bytes, 20) { Verdict::Short } else { Verdict::Long };
    Classification { verdict, confidence: 0.65, reasons }
}

/// Returns the hard reasons of `text`: with `wants_all`, every one; otherwise, which is faster, at least one if there
/// is any.
///
/// If there is none, all words were looked up, and `emphasis` contains the phrases that the scores of sentences depend
/// on.
pub fn hard_reasons(text: Scanned<'_>, wants_all: bool, emphasis: &mut Vec<Hit>) -> Reasons {
    let mut reasons = Reasons::default();
    // The cheapest and likeliest families come first.
    for family in [layout::hard_reasons, markup::hard_reasons, secrets::hard_reasons] {
        family(text, wants_all, &mut reasons);
        if !wants_all && !reasons.is_empty() {
            return reasons;
        }
    }
    keywords::hard_reasons(text, wants_all, &mut reasons, emphasis);
    reasons
}

/// Returns whether `text` is a chain of reasoning (rule `reasoning_chain`).
pub fn is_reasoning_chain(text: Text<'_>) -> bool {
    let mut scratch = Scratch::default();
    let scanned = scratch.scan(text.bytes());
    keywords::scan(scanned, &mut Vec::new()).is_reasoning_chain(scanned.bytes)
}
