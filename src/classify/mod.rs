//! The heuristic classifier: why a text should be kept as it is.
//!
//! A text is kept when it has at least one *hard* reason; the *soft* ones only add to the confidence. Each family of
//! reasons has a file of its own, and every rule takes time linear in the text.

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

use crate::text::Text;
use crate::text::masks::{Scanned, Scratch};

/// What to do with a text, judged by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is a reason to keep it verbatim (`T0`).
    Keep,
    /// A short text without such a reason: fewer than 20 pieces between white space (`T2`).
    Short,
    /// A long text without such a reason (`T3`).
    Long,
}

/// The answer of [`classify`].
#[derive(Clone, Copy, Debug)]
pub struct Classification {
    /// What to do.
    pub verdict: Verdict,
    /// 0.65 without a reason; with k of them min(0.95, 0.7 + k·0.05), computed in doubles.
    pub confidence: f64,
    /// Every reason that holds, hard and soft.
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

/// The hard reasons of `text`: all of them or, which is sooner done, at least one if there is any.
///
/// Where there is none, all words were looked up, and `emphasis` has got what the scores of sentences ask for.
pub fn hard_reasons(text: Scanned<'_>, wants_all: bool, emphasis: &mut Vec<Hit>) -> Reasons {
    let mut reasons = Reasons::default();
    // The cheapest and the likeliest come first.
    for family in [layout::hard_reasons, markup::hard_reasons, secrets::hard_reasons] {
        family(text, wants_all, &mut reasons);
        if !wants_all && !reasons.is_empty() {
            return reasons;
        }
    }
    keywords::hard_reasons(text, wants_all, &mut reasons, emphasis);
    reasons
}

/// Whether `text` reads as a chain of reasoning (rule `reasoning_chain`).
pub fn is_reasoning_chain(text: Text<'_>) -> bool {
    let mut scratch = Scratch::default();
    let scanned = scratch.scan(text.bytes());
    keywords::scan(scanned, &mut Vec::new()).is_reasoning_chain(scanned.bytes)
}
