//! The heuristic classifier: why a text should be kept as it is.
//!
//! A text is kept when it has at least one *hard* reason; the *soft* ones only add to the confidence. Each family of
//! reasons has a file of its own, and every rule takes time linear in the text.

mod keywords;
mod layout;
mod markup;
mod reasons;
mod references;
mod secrets;
mod steps;

pub use reasons::{Reason, Reasons};

use crate::text::Text;

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
    let bytes = text.bytes();
    let keywords = keywords::scan(bytes);
    let mut reasons = hard_reasons_beside(bytes, &keywords);
    references::soft_reasons(bytes, &mut reasons);
    if keywords.legal_term {
        reasons.insert(Reason::LegalTerm);
    }
    let count = reasons.len();
    if count > 0 {
        let confidence = f64::min(0.95, 0.7 + f64::from(count) * 0.05);
        return Classification { verdict: Verdict::Keep, confidence, reasons };
    }
    let verdict = if layout::has_fewer_pieces(bytes, 20) { Verdict::Short } else { Verdict::Long };
    Classification { verdict, confidence: 0.65, reasons }
}

/// The hard reasons of `text`, all of them.
pub fn hard_reasons(text: Text<'_>) -> Reasons {
    hard_reasons_beside(text.bytes(), &keywords::scan(text.bytes()))
}

fn hard_reasons_beside(bytes: &[u8], keywords: &keywords::Keywords) -> Reasons {
    let mut reasons = Reasons::default();
    markup::hard_reasons(bytes, &mut reasons);
    layout::hard_reasons(bytes, &mut reasons);
    if references::has_base64(bytes) {
        reasons.insert(Reason::Base64Content);
    }
    if secrets::has_api_key(bytes) {
        reasons.insert(Reason::ApiKey);
    }
    for (holds, reason) in [
        (keywords.is_sql(), Reason::SqlContent),
        (keywords.is_reasoning_chain(bytes), Reason::ReasoningChain),
        (keywords.http_error, Reason::HttpError),
        (keywords.failure, Reason::FailureSignature),
    ] {
        if holds {
            reasons.insert(reason);
        }
    }
    reasons
}

/// Whether `text` reads as a chain of reasoning (rule `reasoning_chain`).
pub fn is_reasoning_chain(text: Text<'_>) -> bool {
    keywords::scan(text.bytes()).is_reasoning_chain(text.bytes())
}
