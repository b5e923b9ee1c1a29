//! A conversation from the first look at its tokens to a choice: whether it fits as it is, and if not, what is tried next.

use super::cache::CacheHandle;
use super::count::count_parts;
use super::facts::Facts;
use super::fit_input::FitInput;
use super::input::{Costs, Keep, Note};
use super::kept::FactsSource;
use super::relevance::Query;
use super::search::{Best, Choice, Search, Step, Tried};
use crate::prune;
use palimpsest_history::transcript::{Kind, PartIndex, Transcript};
use palimpsest_text::index::IndexVec;
use palimpsest_tokens::Tokenizer;
use palimpsest_tokens::measure::Measured;

/// Approximate length of a token, in UTF-16 code units, by which it is judged whether a conversation may fit as it is.
const UNITS_PER_TOKEN: f64 = 4.0;

/// A conversation whose request is measured, and whose texts are not read yet.
#[derive(Debug)]
pub struct Conversation {
    transcript: Transcript,
    costs: Costs,
    tokenizer: Tokenizer,
    /// For each part the tokens that an edit of any part takes out, which no choice has to do with: signed thinking.
    stripped: IndexVec<PartIndex, f64>,
}

/// A conversation that was read, to choose from.
#[derive(Debug, Default)]
pub struct Fitting {
    input: FitInput,
    stripped: IndexVec<PartIndex, f64>,
}

/// Tokens of a conversation as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct WholeTokens {
    /// Of each part.
    pub parts: Vec<f64>,
    /// Of each message beside its parts.
    pub messages: Vec<f64>,
    /// Those that belong to no message.
    pub request: f64,
    /// Those that a message costs less when it is merged into the one before.
    pub merging: f64,
}

/// What becomes of a conversation.
#[derive(Clone, Debug)]
pub enum Fitted {
    /// It fits, or does without what an edit of any part takes out.
    Fits,
    Cut(Choice),
    /// It exceeds the budget, and nothing is smaller.
    Least,
}

/// A choice to count, or the best one.
#[derive(Clone, Debug)]
pub enum Next {
    Count(Choice),
    Done(Best),
}

impl WholeTokens {
    fn new(parts: &[f64], stripped: &[f64], costs: &Costs) -> Self {
        WholeTokens {
            parts: parts.iter().zip(stripped).map(|(whole, stripped)| whole + stripped).collect(),
            messages: costs.messages.to_vec(),
            request: costs.request,
            merging: costs.merging,
        }
    }
}

impl Conversation {
    /// A conversation with the tokens of its request, of which `measured` names every part and message. An edit of any part removes the
    /// parts whose number is not 0 in `strippable`, which may be empty.
    pub fn new(
        transcript: Transcript,
        measured: Measured,
        tokenizer: Tokenizer,
        strippable: &[u8],
        (turns, merging): (Vec<u32>, f64),
    ) -> Self {
        let Measured { mut parts, messages, request, system } = measured;
        let mut stripped: IndexVec<PartIndex, f64> = vec![0.0; parts.len()].into();
        let mut emptied = IndexVec::default();
        if !strippable.is_empty() {
            emptied = vec![false; transcript.len()].into();
            let is_strippable = |part: usize| strippable.get(part).is_some_and(|&is| is != 0);
            for (part, tokens) in parts.iter_mut().enumerate().filter(|(part, _)| is_strippable(*part)) {
                let part = PartIndex::from(part);
                stripped[part] = std::mem::take(tokens);
                emptied[transcript.parts()[part].message] = true;
            }
            // Reasoning alone is no message.
            let others = transcript.parts().iter().filter(|part| part.kind != Kind::Reasoning);
            others.for_each(|part| emptied[part.message] = false);
        }
        let request = request + system;
        let costs = Costs {
            parts: parts.into(),
            messages: messages.into(),
            request,
            scales: IndexVec::default(),
            turns: turns.into(),
            merging,
            emptied,
        };
        Conversation { transcript, costs, tokenizer, stripped }
    }

    /// The tokens of the conversation, if they are `limit` at most. None where there are more; nor where that is likely, because then
    /// they are counted anyway when the texts are read.
    pub fn tokens_within(&self, limit: f64) -> Option<WholeTokens> {
        let Conversation { transcript, costs, tokenizer, stripped } = self;
        let fixed = costs.request + costs.parts.iter().chain(&*costs.messages).chain(&**stripped).sum::<f64>();
        if fixed + transcript.units() as f64 / UNITS_PER_TOKEN > limit {
            return None;
        }
        let counts = count_parts(transcript, costs, *tokenizer);
        let all = costs.request + costs.messages.iter().chain(&**stripped).chain(&counts).sum::<f64>();
        (all <= limit).then(|| WholeTokens::new(&counts, stripped, costs))
    }

    /// Reads the texts of which the session's `cache` has no facts, and puts those of the conversation there.
    pub fn read(
        self,
        cache: Option<&CacheHandle>,
        keep: &Keep,
        query: &Query,
        pruning: Option<&prune::Options<'_>>,
    ) -> Fitting {
        let Conversation { transcript, costs, tokenizer, stripped } = self;
        let known = match cache {
            Some(cache) => FactsSource::Kept(cache.take(), tokenizer),
            None => FactsSource::Facts(Facts::new(tokenizer)),
        };
        let (input, facts) = FitInput::read_known(transcript, known, costs, keep, query, pruning);
        if let (Some(cache), Some(facts)) = (cache, facts) {
            cache.put(facts);
        }
        Fitting { input, stripped }
    }
}

impl Fitting {
    /// The tokens of the conversation as it is.
    pub fn tokens(&self) -> WholeTokens {
        WholeTokens::new(&self.input.items.whole, &self.stripped, &self.input.costs)
    }

    /// Fits the conversation into `budget` tokens; `may_stay` says whether it may stay as it is.
    pub fn fit(&self, budget: f64, may_stay: bool) -> Fitted {
        let bare = self.input.costs.request + self.input.message_tokens().iter().sum::<f64>();
        let stripped: f64 = self.stripped.iter().sum();
        let whole = bare + stripped;
        if (may_stay && whole <= budget) || (stripped > 0.0 && bare <= budget) {
            return Fitted::Fits;
        }
        self.input.search(budget, may_stay.then_some(whole), &[]).map_or(Fitted::Least, Fitted::Cut)
    }

    /// The next step of the search for `budget` tokens in a conversation of `whole` tokens, if it may stay as it is, after the choices
    /// that were `tried`.
    pub fn next(&self, budget: f64, whole: Option<f64>, notes: &[Note], tried: &[Tried]) -> Next {
        match Search::new(budget, whole).next(tried) {
            Step::Try { limit, has_notes } => {
                Next::Count(self.input.choose(limit, if has_notes { notes } else { &[] }))
            }
            Step::Done(best) => Next::Done(best),
        }
    }

    /// What is known of the conversation.
    pub fn input(&self) -> &FitInput {
        &self.input
    }

    /// See [`FitInput::scaled`].
    #[must_use]
    pub fn scaled(self, scales: Vec<f64>) -> Self {
        Fitting { input: self.input.scaled(scales), ..self }
    }
}

#[cfg(test)]
mod tests {
    use palimpsest_history::transcript::{Part, Role};
    use palimpsest_text::{TextBuf, Texts};

    use super::*;

    const USER: (Role, Kind) = (Role::User, Kind::Text);
    const ASSISTANT: (Role, Kind) = (Role::Assistant, Kind::Text);
    const THINKING: (Role, Kind) = (Role::Assistant, Kind::Reasoning);

    /// Parts, each with its message, its tokens beside the text, and its text. Those of reasoning are signed.
    fn conversation(parts: &[((Role, Kind), usize, f64, &str)]) -> Conversation {
        let (mut list, mut texts) = (Vec::new(), Texts::default());
        for &((role, kind), message, _, text) in parts {
            list.push(Part::new(message, role, kind));
            texts.push(TextBuf::from(text).as_text());
        }
        let count = parts.last().map_or(0, |part| part.1 + 1);
        let measured = Measured {
            parts: parts.iter().map(|part| part.2).collect(),
            messages: vec![4.0; count],
            request: 3.0,
            system: 10.0,
        };
        let strippable: Vec<u8> = list.iter().map(|part| u8::from(part.kind == Kind::Reasoning)).collect();
        let transcript = Transcript::new(count, Vec::new(), list, texts);
        Conversation::new(transcript, measured, Tokenizer::Estimate, &strippable, (Vec::new(), 0.0))
    }

    fn read(conversation: Conversation) -> Fitting {
        conversation.read(None, &Keep::default(), &Query::Current, None)
    }

    fn sum(tokens: &WholeTokens) -> f64 {
        tokens.request + tokens.messages.iter().chain(&tokens.parts).sum::<f64>()
    }

    fn long() -> Conversation {
        let lines: String = (0..200).map(|line| format!("Line {line} of worker_{line}.\n")).collect();
        conversation(&[
            (USER, 0, 0.0, "Why does it fail?"),
            (THINKING, 1, 50.0, ""),
            (ASSISTANT, 1, 0.0, &lines),
            (USER, 2, 0.0, "And now?"),
        ])
    }

    #[test]
    fn tokens_are_told_without_reading_only_where_they_fit() {
        let tokens = read(long()).tokens();
        assert_eq!((tokens.parts[1], tokens.request), (50.0, 13.0));
        let all = sum(&tokens);
        assert_eq!(long().tokens_within(all), Some(tokens.clone()));
        assert_eq!(long().tokens_within(all - 1.0), None);
        assert_eq!(long().tokens_within(f64::INFINITY), Some(tokens));
    }

    #[test]
    fn what_may_stay_and_fits_is_left_and_all_else_is_cut() {
        let fitting = read(long());
        let all = sum(&fitting.tokens());
        assert!(matches!(fitting.fit(all, true), Fitted::Fits));
        // Without the signed thinking.
        assert!(matches!(fitting.fit(all - 50.0, true), Fitted::Fits));
        assert!(matches!(fitting.fit(all - 50.0, false), Fitted::Fits));
        let Fitted::Cut(choice) = fitting.fit(all / 2.0, true) else { panic!("nothing was cut") };
        assert!(choice.is_cut && choice.tokens <= all / 2.0);
        let short = read(conversation(&[(USER, 0, 0.0, "Hi.")]));
        assert!(matches!(short.fit(1.0, true), Fitted::Least));
        assert!(matches!(short.fit(1e6, false), Fitted::Cut(choice) if !choice.is_cut));
    }

    #[test]
    fn only_messages_of_signed_thinking_alone_are_emptied() {
        let emptied = |parts: &[_]| conversation(parts).costs.emptied.to_vec();
        assert_eq!(
            emptied(&[(USER, 0, 0.0, "a"), (THINKING, 1, 5.0, ""), (THINKING, 2, 5.0, ""), (ASSISTANT, 2, 0.0, "b")]),
            [false, true, false]
        );
    }

    #[test]
    fn choices_that_the_caller_counts_lead_to_that_of_the_search() {
        let fitting = read(long());
        let tokens = sum(&fitting.tokens());
        let (mut choices, mut tried) = (Vec::new(), Vec::new());
        let best = loop {
            match fitting.next(tokens / 3.0, Some(tokens), &[], &tried) {
                Next::Count(choice) => {
                    tried.push(Tried { tokens: choice.tokens, is_cut: choice.is_cut });
                    choices.push(choice);
                }
                Next::Done(best) => break best,
            }
        };
        let (Best::Choice(number), Fitted::Cut(choice)) = (best, fitting.fit(tokens / 3.0, true)) else {
            panic!("nothing was chosen")
        };
        assert_eq!((&choices[number].edits, choices[number].tokens), (&choice.edits, choice.tokens));
    }
}
