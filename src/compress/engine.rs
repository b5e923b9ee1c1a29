//! The state of a call, and its steps.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use super::analysis::{SignalsOfTexts, analyse, read_importance};
use super::condense::{Answers, Request};
use super::corrections::Corrections;
use super::emit::{Emission, Output};
use super::join::Joins;
use super::route::{Content, Route, is_already_compressed};
use super::statistics::{BudgetReport, Statistics};
use super::tokens::ExactTokens;
use super::write::Written;
use super::{DepthOption, Host, Options};
use crate::coreference::CoreferenceMap;
use crate::dedup::{self, ExactGroups, FuzzyIndex};
use crate::flow::Link;
use crate::message::Conversation;
use crate::quality::{EntityTable, Traits};
use crate::summarize::Depth;
use crate::text::hashing::TextSet;
use crate::text::masks::Scratch;
use crate::transcript::TextId;

/// One call of `compress`.
pub struct Engine {
    pub(super) conversation: Conversation,
    pub(super) options: Options,
    /// The tokens of each message as the caller counts them; `None` for the engine's estimate.
    pub(super) tokens: Option<Vec<f64>>,
    /// What counts the tokens of written texts, unless the caller or the estimate does.
    pub(super) exact_tokens: Option<ExactTokens>,
    /// What some messages were before they were trimmed.
    pub(super) untrimmed: Vec<(usize, TextId)>,
    pub(super) exact_groups: Option<ExactGroups>,
    pub(super) fuzzy_index: Option<FuzzyIndex>,
    pub(super) kept_by_classifier: Vec<bool>,
    /// The importance of each message, where that matters.
    pub(super) importance: Vec<f64>,
    pub(super) corrections: Corrections,
    /// What each text says about its route, where that matters.
    pub(super) contents: Vec<Option<Content>>,
    pub(super) traits: Vec<Traits>,
    pub(super) entities: EntityTable,
    pub(super) signs: SignalsOfTexts,
    pub(super) scratch: Scratch,
    /// What stands for the messages `start..start + count`.
    pub(super) written_before: FxHashMap<(usize, usize), Option<Written>>,
    pub(super) answers: Answers,
    /// How short summaries are at present.
    pub(super) depth: Depth,
    /// What the conversation looks like as a flow, where that was asked for.
    pub(super) links: Vec<Link>,
    pub(super) joins: Joins,
    /// Names and where they are used, where that was asked for.
    pub(super) coreferences: CoreferenceMap,
    search: Search,
}

/// How far the search for the largest recency window that fits has come.
struct Search {
    low: f64,
    high: f64,
    /// Whether to try the smallest window first, because nothing fits if that doesn't.
    is_probing: bool,
    /// The window under consideration, and the routes under it.
    current: Option<(f64, Vec<Route>)>,
    /// What the last window gave.
    last: Option<(f64, Emission, f64)>,
}

impl Search {
    fn new(options: &Options, depth: Depth, count: usize) -> Self {
        let window = options.smallest_window();
        let is_search = options.token_budget.is_some() && !options.is_tiered;
        let can_go_deeper = matches!(options.depth, DepthOption::Auto) && depth < Depth::Aggressive;
        // What is asked for has its price, and a larger window may do without it.
        let is_free = !options.has_summarizer && !options.has_scorer;
        Search {
            // A window below zero is none, and no search could start from minus infinity.
            low: if window == f64::NEG_INFINITY { 0.0 } else { window },
            high: if is_search { count as f64 - 1.0 } else { window },
            is_probing: is_search && can_go_deeper && is_free,
            current: None,
            last: None,
        }
    }
}

/// What a step came to.
pub enum Step {
    /// All of these are needed. Bring each, then take the next step.
    Ask(Vec<Request>),
    /// The call is done.
    Done(Box<Outcome>),
}

/// The result of a call.
pub struct Outcome {
    /// The messages of the result; `None` where nothing had to be done and the input is the result.
    pub outputs: Option<Vec<Output>>,
    /// The numbers.
    pub statistics: Statistics,
    /// Present with a token budget.
    pub budget: Option<BudgetReport>,
}

impl Engine {
    /// Prepares a call. `tokens` are those of each message, unless the engine's estimate is to be used.
    pub fn new(conversation: Conversation, options: Options, tokens: Option<Vec<f64>>) -> Self {
        let count = conversation.len();
        let depth = match options.depth {
            DepthOption::Fixed(depth) => depth,
            DepthOption::Auto => Depth::Gentle,
        };
        let search = Search::new(&options, depth, count);
        Engine {
            options,
            tokens,
            exact_tokens: None,
            untrimmed: Vec::new(),
            exact_groups: None,
            fuzzy_index: None,
            kept_by_classifier: vec![false; count],
            importance: Vec::new(),
            corrections: Corrections::default(),
            contents: Vec::new(),
            traits: Vec::new(),
            entities: EntityTable::default(),
            signs: SignalsOfTexts::default(),
            scratch: Scratch::default(),
            written_before: FxHashMap::default(),
            answers: Answers::default(),
            depth,
            links: Vec::new(),
            joins: Joins::default(),
            coreferences: CoreferenceMap::default(),
            search,
            conversation,
        }
    }

    /// Has the tokens of written texts counted by `exact_tokens`; [`Engine::new`] got those of the messages.
    pub fn with_exact_tokens(self, exact_tokens: Option<ExactTokens>) -> Self {
        Engine { exact_tokens, ..self }
    }

    /// Has the quality of the result compared with what some messages were before the caller trimmed them: positions and texts.
    pub fn with_untrimmed(self, untrimmed: Vec<(usize, TextId)>) -> Self {
        Engine { untrimmed, ..self }
    }

    /// The result, if the input already fits its budget; nothing else was looked at then.
    pub fn untouched(&self) -> Option<Outcome> {
        let budget = self.options.token_budget?;
        let count = self.conversation.len();
        let token_count = self.tokens_of_input();
        (token_count <= budget).then(|| Outcome {
            outputs: None,
            statistics: Statistics { ratio: 1.0, token_ratio: 1.0, messages_preserved: count, ..Statistics::default() },
            budget: Some(BudgetReport { fits: true, token_count, recency_window: count as f64 }),
        })
    }

    /// Reads the whole conversation as far as every later step needs it.
    pub fn prepare(&mut self) {
        let conversation = &self.conversation;
        let eligible: Vec<usize> = (0..conversation.len())
            .filter(|&index| {
                let (message, text) = (conversation.message(index), conversation.text(index));
                !message.has_preserved_role
                    && !message.has_tool_calls
                    && text.len() >= dedup::MIN_LENGTH
                    && !is_already_compressed(text.bytes())
            })
            .collect();
        let texts = || eligible.iter().map(|&index| (index, conversation.text(index)));
        self.exact_groups = self.options.dedup.then(|| ExactGroups::new(texts()));
        self.fuzzy_index = self.options.fuzzy_dedup.then(|| FuzzyIndex::new(texts()));
        if self.options.importance_threshold.is_some() {
            self.importance = read_importance(conversation);
        }
        self.corrections = Corrections::of(conversation, &self.options);
        let wants_content = self.wants_content(self.options.smallest_window());
        let analysis = analyse(&self.conversation, &wants_content, self.wanted_reasons());
        (self.contents, self.traits) = (analysis.contents, analysis.traits);
        (self.entities, self.signs) = (analysis.entities, analysis.signs);
        if self.options.conversation_flow {
            self.links = self.read_links();
        }
        if self.options.coreference {
            self.coreferences = self.read_coreferences();
        }
    }

    /// Records that the caller's classifier wants the message at `index` kept.
    pub fn keep_classified(&mut self, index: usize) {
        self.kept_by_classifier[index] = true;
    }

    /// Goes on until the call is done or summaries are needed.
    pub fn step<H: Host>(&mut self, host: &mut H) -> Result<Step, H::Error> {
        loop {
            let window = self.next_window();
            let routes = match self.search.current.take() {
                Some((of, routes)) if same(of, window) => routes,
                _ => self.route_all(window, host)?,
            };
            let adapting = self.adapt_all(&routes, host)?;
            let mut emission = self.emit(&routes);
            emission.requests.extend(adapting);
            if !emission.requests.is_empty() {
                return Ok(self.ask(window, routes, emission.requests));
            }
            let Some(budget) = self.options.token_budget else {
                return self.finish(emission, None, host);
            };
            let mut tokens = self.tokens_of_all(&emission.outputs, host)?;
            if self.options.is_tiered {
                let requests = self.tighten(&mut emission, budget, &mut tokens, host)?;
                if !requests.is_empty() {
                    return Ok(self.ask(window, routes, requests));
                }
            }
            let fits = tokens <= budget;
            if std::mem::take(&mut self.search.is_probing) && !fits {
                self.go_deeper();
                continue;
            }
            if !self.is_search_over() {
                if fits {
                    self.search.low = window;
                } else {
                    self.search.high = window - 1.0;
                }
            }
            self.search.last = Some((window, emission, tokens));
            if self.is_search_over()
                && let Some((of, emission, token_count)) = self.search.last.take()
                && same(of, self.search.low)
            {
                let report = BudgetReport { fits: token_count <= budget, token_count, recency_window: of };
                if !report.fits && self.can_go_deeper() {
                    self.go_deeper();
                    continue;
                }
                return self.finish(emission, Some((budget, report)), host);
            }
        }
    }

    /// Asks for everything that is missing, once each, and keeps `routes` for when it is there.
    fn ask(&mut self, window: f64, routes: Vec<Route>, mut requests: Vec<Request>) -> Step {
        self.search.current = Some((window, routes));
        let mut seen = TextSet::default();
        requests.retain(|request| seen.insert(request.clone()));
        Step::Ask(requests)
    }

    /// Whether the depth is to follow the budget, and there is a greater one.
    fn can_go_deeper(&self) -> bool {
        matches!(self.options.depth, DepthOption::Auto) && self.depth < Depth::Aggressive
    }

    /// Starts over with shorter summaries.
    fn go_deeper(&mut self) {
        self.depth = if self.depth == Depth::Gentle { Depth::Moderate } else { Depth::Aggressive };
        self.written_before.clear();
        self.search = Search::new(&self.options, self.depth, self.conversation.len());
    }

    fn is_search_over(&self) -> bool {
        // A window that is no number ends the search: nothing is less than it.
        self.search.low.partial_cmp(&self.search.high) != Some(Ordering::Less)
    }

    fn next_window(&self) -> f64 {
        let Search { low, high, .. } = self.search;
        if self.search.is_probing || self.is_search_over() { low } else { ((low + high) / 2.0).ceil() }
    }

    fn finish<H: Host>(
        &mut self,
        mut emission: Emission,
        budget: Option<(f64, BudgetReport)>,
        host: &mut H,
    ) -> Result<Step, H::Error> {
        let mut report = None;
        if let Some((budget, mut found)) = budget {
            if !found.fits && self.options.force_converge {
                self.truncate(&mut emission, budget, &mut found, host)?;
            }
            report = Some(found);
        }
        if self.conversation.is_empty() {
            let statistics = Statistics { ratio: 1.0, token_ratio: 1.0, ..Statistics::default() };
            return Ok(Step::Done(Box::new(Outcome { outputs: Some(Vec::new()), statistics, budget: report })));
        }
        let (outputs, statistics) = self.statistics(emission, host)?;
        Ok(Step::Done(Box::new(Outcome { outputs: Some(outputs), statistics, budget: report })))
    }
}

/// Whether two windows are the same one, no number being the same as itself.
fn same(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan()
}
