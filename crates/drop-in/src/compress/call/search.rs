//! The search for the largest recency window, and the least depth, that fit a token budget.

use std::cmp::Ordering;

use crate::compress::options::{DepthOption, Options};
use crate::compress::plan::Plan;
use crate::compress::render::Emission;
use crate::summarize::Depth;

/// State of a search.
pub(super) struct Search {
    low: f64,
    high: f64,
    /// Whether to try the smallest window first, because nothing fits if that one does not.
    is_probing: bool,
    /// How short summaries are.
    pub depth: Depth,
    /// The window under consideration, and the plan under it.
    pub current: Option<(f64, Plan)>,
    /// The last window, its result and the tokens of that.
    pub last: Option<(f64, Emission, f64)>,
}

impl Search {
    pub(super) fn new(options: &Options, count: usize) -> Self {
        let depth = match options.depth {
            DepthOption::Fixed(depth) => depth,
            DepthOption::Auto => Depth::Gentle,
        };
        Search::at_depth(options, depth, count)
    }

    fn at_depth(options: &Options, depth: Depth, count: usize) -> Self {
        let window = options.smallest_window();
        let is_search = options.token_budget.is_some() && !options.is_tiered;
        // Requests have their price, and a larger window may do without them.
        let is_free = !options.has_summarizer && !options.has_scorer;
        Search {
            // A window below zero equals zero, and no search could start from minus infinity.
            low: if window == f64::NEG_INFINITY { 0.0 } else { window },
            high: if is_search { count as f64 - 1.0 } else { window },
            is_probing: is_search && can_go_deeper(options, depth) && is_free,
            depth,
            current: None,
            last: None,
        }
    }

    /// Returns whether the depth is to follow the budget, and there is a greater one.
    pub(super) fn can_go_deeper(&self, options: &Options) -> bool {
        can_go_deeper(options, self.depth)
    }

    /// Starts over with shorter summaries.
    pub(super) fn go_deeper(&mut self, options: &Options, count: usize) {
        let depth = if self.depth == Depth::Gentle { Depth::Moderate } else { Depth::Aggressive };
        *self = Search::at_depth(options, depth, count);
    }

    /// Returns the window to try next.
    pub(super) fn next_window(&self) -> f64 {
        if self.is_probing || self.is_over() { self.low } else { ((self.low + self.high) / 2.0).ceil() }
    }

    /// Returns the plan under `window`, if it was made for the last requests.
    pub(super) fn take_plan(&mut self, window: f64) -> Option<Plan> {
        self.current.take().filter(|(of, _)| same(*of, window)).map(|(_, plan)| plan)
    }

    /// Notes the result under `window`. Returns whether it shows that nothing fits at this depth.
    pub(super) fn note(&mut self, window: f64, emission: Emission, tokens: f64, fits: bool) -> bool {
        if std::mem::take(&mut self.is_probing) && !fits {
            return true;
        }
        if !self.is_over() {
            if fits {
                self.low = window;
            } else {
                self.high = window - 1.0;
            }
        }
        self.last = Some((window, emission, tokens));
        false
    }

    /// Returns the last result, if the search ends with it: its window, the messages and their tokens.
    pub(super) fn take_result(&mut self) -> Option<(f64, Emission, f64)> {
        if !self.is_over() {
            return None;
        }
        self.last.take().filter(|(window, ..)| same(*window, self.low))
    }

    fn is_over(&self) -> bool {
        // A NaN window ends the search: no number is less than it.
        self.low.partial_cmp(&self.high) != Some(Ordering::Less)
    }
}

fn can_go_deeper(options: &Options, depth: Depth) -> bool {
    matches!(options.depth, DepthOption::Auto) && depth < Depth::Aggressive
}

/// Returns whether two windows are the same; NaN is the same as itself.
fn same(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan()
}
