//! The search for the plan that uses most of a budget without exceeding it.
//!
//! A plan estimates tokens, and so does its rendering, only better; the tokens of the texts that it makes are exact. So an inner
//! loop ([`FitInput::choose`]) plans until the rendering fits a limit and uses it, and an outer one ([`Search`]) adjusts the limit until the exact
//! tokens fit the budget and use it. Nearly always each loop ends with its first try.

use super::drafts::Drafts;
use super::fit_input::FitInput;
use super::greedy::{Queue, fill};
use super::input::Note;
use super::keep_reason::KeepReason;
use super::obligations::Met;
use super::plan::{cuts_last_words, planned};
use super::render::{Rendering, render};
use super::state::State;
use crate::edit::Change;
use palimpsest_history::transcript::PartIndex;

/// Maximum number of tries in which less is planned because marks cost more than was left for them.
const MAX_PLANS: usize = 3;
/// Maximum number of tries in which more is kept because marks cost less than was left for them.
const MAX_REFILLS: usize = 3;
/// Share of what is left that is filled, because more spans cost marks too; half of it where that is too much.
const REFILL_SHARE: f64 = 0.97;
/// Share of the limit below which what is left is not filled.
const REST_SHARE: f64 = 0.002;

/// Maximum number of limits that are tried for a budget.
const MAX_TRIES: usize = 8;
/// Share of the budget that is enough.
const ENOUGH_SHARE: f64 = 0.985;
/// First limit as a share of the budget: where marks meet the text, a tokenizer may cut a little differently.
const FIRST_SHARE: f64 = 0.999;
/// Minimum share of the budget by which the limit is lowered once lowering it did not suffice.
const LOWER_SHARE: f64 = 0.002;

/// A rendered plan with its numbers.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The edits, in order of their parts.
    pub edits: Vec<(PartIndex, Change)>,
    /// Tokens of the text that each edit makes; 0 where the part is removed. Empty where another counter has the last word.
    pub counts: Vec<f64>,
    /// Tokens of all that stays: exact, or estimated where another counter has the last word.
    pub tokens: f64,
    /// Exact tokens that are left of each message. Empty where another counter has the last word.
    pub left: Vec<f64>,
    /// Value of all that stays.
    pub value: f64,
    /// Whether more tokens would bring something back.
    pub is_cut: bool,
    /// Whether some of the user's last words go; pasted text is none of them.
    pub cuts_last_words: bool,
    /// For each message why it stays.
    pub reasons: Vec<KeepReason>,
    /// What became of the obligations.
    pub met: Met,
}

/// Result of a search: a choice by its number among those that were tried, or everything as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Best {
    Choice(usize),
    /// Everything.
    Whole,
}

/// Next step of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// Choose what stays within a limit, and count it.
    Try {
        /// Tokens.
        limit: f64,
        /// Whether notes are used.
        has_notes: bool,
    },
    /// The search is over.
    Done(Best),
}

/// Tokens of a choice that was tried.
#[derive(Clone, Copy, Debug)]
pub struct Tried {
    /// Exact tokens.
    pub tokens: f64,
    /// [`Choice::is_cut`].
    pub is_cut: bool,
}

/// A search for the limit with which a budget is used best. It depends on nothing but the tokens of the choices, whoever counts them.
#[derive(Debug)]
pub(super) struct Search {
    budget: f64,
    /// Tokens of everything, where that may stay as it is.
    whole: Option<f64>,
}

impl Search {
    /// A search for `budget` tokens in a conversation of `whole` tokens, if it may stay as it is.
    pub(super) fn new(budget: f64, whole: Option<f64>) -> Self {
        Search { budget, whole }
    }

    /// The next step after choices that were made for the steps before.
    pub(super) fn next(&self, tried: &[Tried]) -> Step {
        let budget = self.budget;
        let mut tried = tried.iter().copied().enumerate();
        let mut limit = budget * FIRST_SHARE;
        let mut lowered: f64 = 0.0;
        let mut best: Option<(usize, f64)> = None;
        let mut least: Option<(usize, f64)> = None;
        for _ in 0..MAX_TRIES {
            let Some((number, Tried { tokens, is_cut })) = tried.next() else {
                return Step::Try { limit, has_notes: true };
            };
            let is_better =
                best.is_none_or(
                    |(_, known)| {
                        if known > budget { tokens < known } else { tokens <= budget && tokens > known }
                    },
                );
            if is_better {
                best = Some((number, tokens));
            }
            if tokens <= budget && (tokens >= ENOUGH_SHARE * budget || !is_cut) {
                break;
            }
            if tokens > budget {
                if least.is_none() {
                    let Some((number, Tried { tokens, .. })) = tried.next() else {
                        return Step::Try { limit: 0.0, has_notes: false };
                    };
                    least = Some((number, tokens));
                }
                if least.is_some_and(|(_, tokens)| tokens > budget) {
                    break;
                }
            }
            if tokens > budget {
                // The excess has to go, and a little more, so that the search ends. Limits that are a little lower may make the same
                // choice, so each step in a row is at least twice the one before.
                let step = if lowered > 0.0 { (2.0 * lowered).max(budget * LOWER_SHARE) } else { 0.0 };
                lowered = ((tokens - budget) * 1.1 + 1.0).max(step);
                limit -= lowered;
            } else {
                lowered = 0.0;
                limit += (budget - tokens) * 0.97;
            }
        }
        let fits = best.filter(|(_, tokens)| *tokens <= budget);
        if let Some((number, _)) = fits {
            return Step::Done(Best::Choice(number));
        }
        let whole = self.whole.map(|tokens| (Best::Whole, tokens));
        let choices = best.into_iter().chain(least).map(|(number, tokens)| (Best::Choice(number), tokens));
        let smallest = whole.into_iter().chain(choices).reduce(|a, b| if b.1 < a.1 { b } else { a });
        Step::Done(smallest.map_or(Best::Whole, |(best, _)| best))
    }
}

impl FitInput {
    /// Searches for the choice that uses most of `budget` tokens without exceeding it, or the smallest there is; none where that is
    /// everything as it is, which costs `whole` tokens if it may stay so.
    pub fn search(&self, budget: f64, whole: Option<f64>, notes: &[Note]) -> Option<Choice> {
        let search = Search::new(budget, whole);
        let required = self.keep_required(budget);
        // Notes stand in drafts and change what is a candidate, so choices without them have others.
        let (mut drafts, mut seed) = ([Drafts::new(self), Drafts::new(self)], [None, None]);
        let mut counted: Vec<(Counted, usize)> = Vec::new();
        let mut tried: Vec<Tried> = Vec::new();
        loop {
            match search.next(&tried) {
                Step::Try { limit, has_notes } => {
                    let (notes, place) = if has_notes || notes.is_empty() { (notes, 0) } else { (&[][..], 1) };
                    let choice = draft(&required, limit, notes, &mut drafts[place], &mut seed[place]);
                    tried.push(Tried { tokens: choice.tokens, is_cut: choice.rendering.is_cut() });
                    counted.push((choice, place));
                }
                Step::Done(Best::Whole) => return None,
                Step::Done(Best::Choice(number)) => {
                    return counted.into_iter().nth(number).map(|(choice, place)| choice.made(&mut drafts[place]));
                }
            }
        }
    }

    /// Chooses what stays within about `limit` tokens, notes not counted. Messages with a note are dropped if they may be, and the note
    /// stands in the mark. Where required content alone exceeds the limit, the choice is that content.
    pub fn choose(&self, limit: f64, notes: &[Note]) -> Choice {
        let mut drafts = Drafts::new(self);
        draft(&self.keep_required(limit), limit, notes, &mut drafts, &mut None).made(&mut drafts)
    }
}

/// A choice with its tokens, by which the search goes on. Only the last one is made.
struct Counted<'f> {
    state: State<'f>,
    rendering: Rendering,
    /// [`Choice::counts`].
    counts: Vec<f64>,
    /// [`Choice::left`].
    left: Vec<f64>,
    /// [`Choice::tokens`].
    tokens: f64,
}

impl Counted<'_> {
    fn made(self, drafts: &mut Drafts) -> Choice {
        let Counted { state, rendering, counts, left, tokens } = self;
        let edits = drafts.edits(&rendering.written);
        Choice {
            tokens,
            left,
            is_cut: !edits.is_empty(),
            counts,
            edits,
            value: state.value(),
            cuts_last_words: cuts_last_words(&state),
            met: state.input.obligations.met(&state),
            reasons: state.input.groups.of_message.iter().map(|&group| state.reasons[group]).collect(),
        }
    }
}

/// Chooses from what has to stay on, with the drafts of choices before, whose notes were the same, and how the last plan began.
fn draft<'f>(
    required: &State<'f>,
    limit: f64,
    notes: &[Note],
    drafts: &mut Drafts,
    seed: &mut Option<(State<'f>, Queue)>,
) -> Counted<'f> {
    let input = required.input;
    let mut aim = limit;
    let mut plans = 0;
    let (mut state, mut queue, mut rendering);
    loop {
        (state, queue) = planned(required, aim, notes, seed);
        rendering = render(&state, limit, notes, drafts);
        plans += 1;
        if rendering.tokens <= limit || plans == MAX_PLANS {
            break;
        }
        // The marks of dropped messages cost more than was left for them.
        aim -= (rendering.tokens - limit) * 1.1 + limit * REST_SHARE;
    }
    let mut share = REFILL_SHARE;
    for _ in 0..MAX_REFILLS {
        let left = limit - rendering.tokens;
        if left < limit * REST_SHARE || !rendering.is_cut() {
            break;
        }
        // The marks cost less than was left for them.
        let (mut fuller, mut shorter) = (state.clone(), queue.clone());
        fill(&mut fuller, &mut shorter, state.tokens + share * left, 0.0);
        if fuller.keeps_as(&state) {
            // Nothing of what is left fits, nor would it the next time.
            break;
        }
        let next = render(&fuller, limit, notes, drafts);
        if next.tokens > limit {
            share /= 2.0;
        } else {
            (state, queue, rendering) = (fuller, shorter, next);
        }
    }
    let (mut counts, mut left, mut tokens) = (Vec::new(), Vec::new(), rendering.tokens);
    if input.costs.scales.is_empty() {
        counts = drafts.exact(input, &rendering.written);
        left = input.tokens_left(&rendering.written, &counts);
        tokens = input.costs.request + left.iter().sum::<f64>();
    }
    Counted { state, rendering, counts, left, tokens }
}
