//! A call: the only part of the engine with state. It searches for a window and a depth, asks the host, and collects the
//! caller's answers.

mod counter;
mod planning;
mod search;
mod tighten;
mod truncate;
mod written;

use std::sync::Arc;

use self::counter::TokenCounter;
use self::planning::{JoinMemo, plan};
use self::search::Search;
use self::tighten::Tightening;
use self::truncate::truncate;
use self::written::WriteMemo;
use super::answers::{Answers, Request, Sentences};
use super::facts::{Facts, WantedReasons};
use super::host::Host;
use super::options::Options;
use super::plan::{Plan, Rules};
use super::render::{Context, Emission, Output, emit};
use super::statistics::{BudgetReport, Statistics, complete};
use super::tokens::ExactTokens;
use palimpsest_history::transcript::{TextId, Transcript};
use palimpsest_text::TextBuf;
use palimpsest_text::hashing::TextSet;

/// One call of `compress`.
pub struct Engine {
    facts: Facts,
    options: Options,
    counter: TokenCounter,
    answers: Answers,
    /// For each message whether the caller's classifier keeps it.
    kept_by_classifier: Vec<bool>,
    written: WriteMemo,
    joins: JoinMemo,
    search: Search,
}

/// The result of a step.
pub enum Step {
    /// All of these are needed. Bring each, then take the next step.
    Ask(Vec<Request>),
    /// The call is done.
    Done(Box<Outcome>),
}

/// The result of a call.
pub struct Outcome {
    /// The messages of the result; `None` if the input is the result because it fits the budget.
    pub outputs: Option<Vec<Output>>,
    pub statistics: Statistics,
    /// Present with a token budget.
    pub budget: Option<BudgetReport>,
}

impl Outcome {
    /// Returns the result if an input of `count` messages with these tokens already fits the budget.
    pub fn untouched(
        options: &Options,
        count: usize,
        tokens: impl Fn(usize) -> f64,
        exact_tokens: Option<&ExactTokens>,
    ) -> Option<Self> {
        let budget = options.token_budget?;
        let token_count = counter::of_input(count, tokens, exact_tokens);
        (token_count <= budget).then(|| Outcome {
            outputs: None,
            statistics: Statistics { ratio: 1.0, token_ratio: 1.0, messages_preserved: count, ..Statistics::default() },
            budget: Some(BudgetReport { fits: true, token_count, recency_window: count as f64 }),
        })
    }
}

impl Engine {
    /// Creates a call. `tokens` are those of each message; `None` stands for the engine's estimate.
    pub fn new(transcript: Transcript, options: Options, tokens: Option<Vec<f64>>) -> Self {
        let count = transcript.len();
        Engine {
            search: Search::new(&options, count),
            facts: Facts::new(transcript, tokens),
            options,
            counter: TokenCounter::default(),
            answers: Answers::default(),
            kept_by_classifier: vec![false; count],
            written: WriteMemo::default(),
            joins: JoinMemo::default(),
        }
    }

    /// Counts the tokens of written texts with `exact_tokens`; [`Engine::new`] got those of the messages.
    pub fn with_exact_tokens(mut self, exact_tokens: Option<ExactTokens>) -> Self {
        self.counter.exact = exact_tokens;
        self
    }

    /// Compares the quality of the result with the texts that some messages had before the caller trimmed them: indices and
    /// texts.
    pub fn with_untrimmed(mut self, untrimmed: Vec<(usize, TextId)>) -> Self {
        self.facts.untrimmed = untrimmed;
        self
    }

    /// Returns the result if the input already fits its budget, without reading it.
    pub fn untouched(&self) -> Option<Outcome> {
        let tokens = |index| self.facts.tokens_of(index);
        Outcome::untouched(&self.options, self.facts.transcript.len(), tokens, self.counter.exact.as_ref())
    }

    /// Reads the conversation, as far as the steps need it. Linear in its length.
    pub fn prepare(&mut self) {
        self.facts.read_relations(&self.options);
        let rules = self.rules();
        let (wants_content, wanted) = (rules.wants_content(), WantedReasons::of(&self.options));
        self.facts.read_texts(&self.options, &wants_content, wanted);
    }

    /// Returns the messages whose route a classifier could change, in order. With a budget the window is not known yet, and
    /// the smallest one is assumed.
    pub fn classifiable(&self) -> Vec<usize> {
        self.rules().classifiable()
    }

    /// Records that the caller's classifier keeps the message at `index`.
    pub fn keep_classified(&mut self, index: usize) {
        self.kept_by_classifier[index] = true;
    }

    /// Brings the caller's summary of `text`. An empty one, or one that is not shorter than the text, is ignored.
    pub fn answer(&mut self, text: &Arc<TextBuf>, summary: Option<TextBuf>) {
        self.answers.add_summary(text, summary);
    }

    /// Brings the caller's scores of `sentences`. Fewer scores than sentences, or one that is NaN, are ignored; so are
    /// surplus scores.
    pub fn answer_scores(&mut self, sentences: &Sentences, scores: Option<Vec<f64>>) {
        self.answers.add_scores(sentences, scores, self.options.combine_scores);
    }

    /// Continues until the call is done or summaries are needed.
    ///
    /// # Errors
    /// If the host can't answer a question.
    pub fn step<H: Host>(&mut self, host: &mut H) -> Result<Step, H::Error> {
        loop {
            let window = self.search.next_window();
            let plan = match self.search.take_plan(window) {
                Some(plan) => plan,
                None => self.plan(window, host)?,
            };
            let context = Context {
                facts: &self.facts,
                options: &self.options,
                answers: &self.answers,
                depth: self.search.depth,
            };
            let requests = self.written.write(context, &plan, host)?;
            if !requests.is_empty() {
                return Ok(self.ask(window, plan, requests));
            }
            let mut emission = emit(context, &plan, &self.written.texts);
            let Some(budget) = self.options.token_budget else {
                return self.finish(emission, None, host);
            };
            let mut tokens = self.counter.of_outputs(&self.facts, &emission.outputs, host)?;
            if self.options.is_tiered {
                let requests = self.tighten(&mut emission, &mut tokens, budget, host)?;
                if !requests.is_empty() {
                    return Ok(self.ask(window, plan, requests));
                }
            }
            if self.search.note(window, emission, tokens, tokens <= budget) {
                self.go_deeper();
            } else if let Some((recency_window, emission, token_count)) = self.search.take_result() {
                let report = BudgetReport { fits: token_count <= budget, token_count, recency_window };
                if report.fits || !self.search.can_go_deeper(&self.options) {
                    return self.finish(emission, Some((budget, report)), host);
                }
                self.go_deeper();
            }
        }
    }

    fn rules(&self) -> Rules<'_> {
        Rules { facts: &self.facts, options: &self.options, kept_by_classifier: &self.kept_by_classifier }
    }

    fn plan<H: Host>(&mut self, window: f64, host: &mut H) -> Result<Plan, H::Error> {
        let Engine { facts, options, kept_by_classifier, joins, .. } = self;
        plan(Rules { facts, options, kept_by_classifier }, window, joins, host)
    }

    fn tighten<H: Host>(
        &mut self,
        emission: &mut Emission,
        tokens: &mut f64,
        budget: f64,
        host: &mut H,
    ) -> Result<Vec<Request>, H::Error> {
        let Engine { facts, options, kept_by_classifier, answers, counter, search, .. } = self;
        let context = Context { facts, options, answers, depth: search.depth };
        let rules = Rules { facts, options, kept_by_classifier };
        Tightening { context, rules, counter, host, emission, tokens }.tighten(budget)
    }

    /// Asks for everything that is missing, once each, and keeps `plan` for the next step.
    fn ask(&mut self, window: f64, plan: Plan, mut requests: Vec<Request>) -> Step {
        self.search.current = Some((window, plan));
        let mut seen = TextSet::default();
        requests.retain(|request| seen.insert(request.clone()));
        Step::Ask(requests)
    }

    /// Starts over with shorter summaries.
    fn go_deeper(&mut self) {
        self.written = WriteMemo::default();
        self.search.go_deeper(&self.options, self.facts.transcript.len());
    }

    fn finish<H: Host>(
        &mut self,
        mut emission: Emission,
        budget: Option<(f64, BudgetReport)>,
        host: &mut H,
    ) -> Result<Step, H::Error> {
        let Engine { facts, options, counter, answers, search, .. } = self;
        let mut report = None;
        if let Some((budget, mut found)) = budget {
            if !found.fits && options.force_converge {
                let context = Context { facts, options, answers, depth: search.depth };
                truncate(context, &mut emission, budget, &mut found, counter, host)?;
            }
            report = Some(found);
        }
        if facts.transcript.is_empty() {
            let statistics = Statistics { ratio: 1.0, token_ratio: 1.0, ..Statistics::default() };
            return Ok(Step::Done(Box::new(Outcome { outputs: Some(Vec::new()), statistics, budget: report })));
        }
        let (tokens_in, tokens_out) = (counter.of_input(facts), counter.of_outputs(facts, &emission.outputs, host)?);
        complete(&mut emission, facts, tokens_in, tokens_out);
        let Emission { outputs, mut statistics } = emission;
        statistics.scorer_fallbacks = answers.bad_scores;
        if options.trace {
            statistics.cluster_labels = std::mem::take(&mut self.joins.labels);
        }
        Ok(Step::Done(Box::new(Outcome { outputs: Some(outputs), statistics, budget: report })))
    }
}
