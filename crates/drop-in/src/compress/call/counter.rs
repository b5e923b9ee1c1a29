//! Token counts of the input and of the result.

use crate::compress::facts::Facts;
use crate::compress::host::Host;
use crate::compress::render::Output;
use crate::compress::tokens::ExactTokens;
use palimpsest_tokens::estimate;

/// Counts tokens: exactly, by the caller's counter, or by the estimate.
#[derive(Default)]
pub(super) struct TokenCounter {
    /// Counts written texts by a tokenizer.
    pub exact: Option<ExactTokens>,
}

impl TokenCounter {
    /// Returns the tokens of the input.
    pub(super) fn of_input(&self, facts: &Facts) -> f64 {
        of_input(facts.transcript.len(), |index| facts.tokens_of(index), self.exact.as_ref())
    }

    /// Returns the tokens of a message of the result.
    pub(super) fn of_output<H: Host>(&mut self, facts: &Facts, output: &Output, host: &mut H) -> Result<f64, H::Error> {
        match (&output.text, &mut self.exact) {
            (None, _) => Ok(facts.tokens_of(output.start)),
            (Some(text), Some(exact)) => Ok(exact.of_output(output.start, text)),
            (Some(_), None) if facts.has_counted_tokens() => host.count_tokens(output),
            (Some(_), None) => Ok(estimate(output.length()) as f64),
        }
    }

    /// Returns the tokens of the result.
    pub(super) fn of_outputs<H: Host>(
        &mut self,
        facts: &Facts,
        outputs: &[Output],
        host: &mut H,
    ) -> Result<f64, H::Error> {
        let mut sum = of_request(self.exact.as_ref());
        for output in outputs {
            sum += self.of_output(facts, output, host)?;
        }
        Ok(sum)
    }
}

/// Returns the tokens of an input of `count` messages with these tokens. (`sum` would return -0 for no message.)
pub(super) fn of_input(count: usize, tokens: impl Fn(usize) -> f64, exact_tokens: Option<&ExactTokens>) -> f64 {
    (0..count).fold(of_request(exact_tokens), |sum, index| sum + tokens(index))
}

/// Returns the tokens that belong to no message.
fn of_request(exact_tokens: Option<&ExactTokens>) -> f64 {
    exact_tokens.map_or(0.0, ExactTokens::of_request)
}
