//! `fit` on a transcript that `lib/fit/fitting.ts` gathers.

use std::ops::Range;
use std::sync::Arc;

use napi::Env;
use napi::bindgen_prelude::{Error, Float64Array, Int32Array, PromiseRaw, Result, Uint8Array, Uint32Array};
use napi_derive::napi;

use super::edits::{EditedPieces, Pieces, column_of, index, write_mark};
use super::future::{offload, spawn_local};
use super::prune::{GatheredParts, GatheredPruneOptions};
use super::session_facts::{Kept, SessionFacts};
use super::tokens::{GatheredRequest, UnmeasuredRequest};
use crate::layout::{duty, fit_edit_column, keep_reason, lost_column, range_column};
use palimpsest_agent::fit::{
    About, Best, CacheHandle, Choice, Conversation, Fitted, Fitting, Keep, Lost, Met, Next, Note, Offer, Query, Tried,
    Unit, WholeTokens,
};
use palimpsest_history::transcript::{PartIndex, Transcript};
use palimpsest_text::TextBuf;
use palimpsest_text::index::{IndexRange, to_u32};

/// A conversation's request, and the options of a call.
#[napi(object, object_to_js = false)]
pub struct GatheredFitOptions<'env> {
    /// The request, without the texts that can be cut.
    pub request: GatheredRequest<'env>,
    /// Whether the caller counts all that belongs to the request but system prompts.
    pub is_counted: bool,
    /// For each part 1 where an edit of any part removes it: signed thinking. Absent: none.
    pub strippable: Option<Uint8Array>,
    /// For each message the number of its turn, where messages of equal turns are merged when those between them are removed.
    pub turns: Option<Uint32Array>,
    pub keep_recent: u32,
    pub keep_user: bool,
    pub keep_tools: Vec<String>,
    pub keep_arguments: bool,
    /// If given, marks name the dropped messages by their places plus this number.
    pub keep_numbers: Option<u32>,
    /// The parts that are results which the model asked for again, in order.
    pub asked_again: Uint32Array,
    /// A row of `RANGE_COLUMN` for each range that has to stay, in order.
    pub keep_ranges: Uint32Array,
    /// Texts of the query; absent: the current exchange; empty: no query.
    pub query: Option<Vec<String>>,
    /// Superseded spans lose weight by these options; absent: none does.
    pub prune: Option<GatheredPruneOptions>,
}

/// A choice within a limit, from which `lib/fit/fitting.ts` makes messages.
#[napi(object, object_from_js = false)]
pub struct FitChoice {
    /// A row of `FIT_EDIT_COLUMN` for each edit.
    pub edits: Int32Array,
    /// For each edit the tokens of the text that it makes; none where another counter has the last word.
    pub counts: Float64Array,
    /// The pieces of the edits.
    pub pieces: EditedPieces,
    pub tokens: f64,
    /// For each message the tokens that are left of it, 0 where it is removed; none where another counter has the last word.
    pub left: Float64Array,
    pub value: f64,
    pub is_cut: bool,
    /// Whether some of the user's last words go.
    pub cuts_last_words: bool,
    /// A number of `KEEP_REASON` for each message.
    pub why: Uint8Array,
    pub met: FitMet,
}

/// What became of the rules, and what had to be there and is not.
#[napi(object, object_from_js = false)]
pub struct FitMet {
    /// Number of rules that were found.
    pub rules: u32,
    /// How many of them stay.
    pub kept: u32,
    /// Tokens of what stays of rules.
    pub tokens: f64,
    /// A row of `LOST_COLUMN` for each text of which something is not there.
    pub lost: Uint32Array,
}

/// A text for the mark of what is gone.
#[napi(object, object_to_js = false)]
pub struct GivenNote {
    /// A message of the run that goes, or -1.
    pub message: i32,
    /// The part that is cut, or -1.
    pub part: i32,
    pub text: String,
}

/// A group of texts that would go.
#[napi(object, object_from_js = false)]
pub struct FitOffer {
    /// The first message of the run that goes, or -1.
    pub message: i32,
    /// The part that is cut, or -1.
    pub part: i32,
    /// A row of `RANGE_COLUMN` for each range.
    pub ranges: Uint32Array,
    pub tokens: f64,
    pub facts: Vec<String>,
}

/// Tokens of a conversation as it is.
#[napi(object, object_from_js = false)]
pub struct FitTokens {
    /// Of each part.
    pub parts: Float64Array,
    /// Of each message beside its parts.
    pub own: Float64Array,
    /// Those that belong to no message.
    pub request: f64,
    /// Those that a message costs less when it is merged into the one before.
    pub merging: f64,
}

/// A conversation that was fitted in one call.
#[napi(object, object_from_js = false)]
pub struct FitOutcome {
    pub tokens: FitTokens,
    /// The choice; absent if the conversation fits, or fits without its signed thinking.
    pub choice: Option<FitChoice>,
    /// Whether the budget can't be met and nothing is smaller than everything as it is.
    pub is_whole: bool,
}

/// The next step of a search.
#[napi(object, object_from_js = false)]
pub struct FitStep {
    /// A choice to count; absent at the end.
    pub choice: Option<FitChoice>,
    /// At the end the best choice, by its number, or -1 for everything as it is.
    pub best: i32,
}

/// Fits a conversation into `budget` tokens, in one call; `may_stay` says whether it may stay as it is.
#[napi(catch_unwind)]
pub fn fit_transcript(
    parts: GatheredParts,
    options: GatheredFitOptions,
    budget: f64,
    may_stay: bool,
) -> Result<FitOutcome> {
    let (conversation, asked) = Unread::new(parts, options)?.measure();
    if may_stay && let Some(tokens) = conversation.tokens_within(budget) {
        return Ok(FitOutcome { tokens: tokens.into(), choice: None, is_whole: false });
    }
    let fitting = asked.read(conversation, None);
    let fitted = fitting.fit(budget, may_stay);
    let is_whole = matches!(fitted, Fitted::Least);
    let choice = if let Fitted::Cut(choice) = fitted { Some(choice.into()) } else { None };
    Ok(FitOutcome { tokens: fitting.tokens().into(), choice, is_whole })
}

/// A conversation that was read, to choose from.
#[napi]
pub struct Fitter {
    /// Shared with the threads that are choosing from it.
    fitting: Arc<Fitting>,
}

#[napi]
impl Fitter {
    /// Reads a conversation, as far as `facts` does not know its texts.
    #[napi(constructor, catch_unwind)]
    pub fn new(
        env: &Env,
        parts: GatheredParts,
        options: GatheredFitOptions,
        facts: Option<&SessionFacts>,
    ) -> Result<Self> {
        let kept = facts.map(|facts| &*facts.kept);
        let fitter = Unread::new(parts, options)?.read(kept);
        kept.map_or(Ok(()), |kept| kept.tell(*env))?;
        Ok(fitter)
    }

    /// Reads a conversation on another thread. Only its texts are copied before this returns.
    #[napi(catch_unwind)]
    pub fn open<'env>(
        env: &'env Env,
        parts: GatheredParts,
        options: GatheredFitOptions,
        facts: Option<&SessionFacts>,
    ) -> Result<PromiseRaw<'env, Fitter>> {
        let unread = Unread::new(parts, options)?;
        let kept = facts.map(|facts| facts.kept.clone());
        let (here, there) = (kept.clone(), kept);
        let of_call = *env;
        spawn_local(env, async move {
            let fitter = offload(of_call, move || unread.read(there.as_deref())).await?;
            here.map_or(Ok(()), |kept| kept.tell(of_call))?;
            Ok(fitter)
        })
    }

    /// The tokens of the conversation as it is.
    #[napi(catch_unwind)]
    pub fn tokens(&self) -> FitTokens {
        self.fitting.tokens().into()
    }

    /// The same conversation with the tokens of each message multiplied by its scale. Closes this one.
    #[napi(catch_unwind)]
    pub fn scaled(&mut self, scales: Float64Array) -> Result<Fitter> {
        Ok(Fitter { fitting: Arc::new(self.take()?.scaled(scales.to_vec())) })
    }

    /// The same, on another thread.
    #[napi(catch_unwind)]
    pub fn scaled_async<'env>(&mut self, env: &'env Env, scales: Float64Array) -> Result<PromiseRaw<'env, Fitter>> {
        let (fitting, scales) = (self.take()?, scales.to_vec());
        let scaled = offload(*env, move || Fitter { fitting: Arc::new(fitting.scaled(scales)) });
        spawn_local(env, scaled)
    }

    /// The next step of the search for `budget` tokens in a conversation of `whole` tokens, if it may stay as it is. `tried` has for
    /// each choice so far its tokens, and 1 where it is cut.
    #[napi(catch_unwind)]
    pub fn next(&self, budget: f64, whole: Option<f64>, notes: Vec<GivenNote>, tried: Float64Array) -> FitStep {
        self.fitting.next(budget, whole, &notes_of(notes), &read_tried(&tried)).into()
    }

    /// The same, on another thread. A conversation that is closed meanwhile is freed when the step is done.
    #[napi(catch_unwind)]
    pub fn next_async<'env>(
        &self,
        env: &'env Env,
        budget: f64,
        whole: Option<f64>,
        notes: Vec<GivenNote>,
        tried: Float64Array,
    ) -> Result<PromiseRaw<'env, FitStep>> {
        let (fitting, notes, tried) = (self.fitting.clone(), notes_of(notes), read_tried(&tried));
        let chosen = offload(*env, move || fitting.next(budget, whole, &notes, &tried));
        spawn_local(env, async move { Ok(chosen.await?.into()) })
    }

    /// Frees the conversation, whose size the garbage collector doesn't know; nothing can be chosen afterwards.
    #[napi(catch_unwind)]
    pub fn close(&mut self) {
        self.fitting = Arc::default();
    }

    /// The texts that would be dropped for `limit` tokens, largest first.
    #[napi(catch_unwind)]
    pub fn offers(&self, limit: f64) -> Vec<FitOffer> {
        self.fitting.input().offers(limit).into_iter().map(FitOffer::from).collect()
    }

    /// The same, on another thread.
    #[napi(catch_unwind)]
    pub fn offers_async<'env>(&self, env: &'env Env, limit: f64) -> Result<PromiseRaw<'env, Vec<FitOffer>>> {
        let fitting = self.fitting.clone();
        let offered = offload(*env, move || fitting.input().offers(limit));
        spawn_local(env, async move { Ok(offered.await?.into_iter().map(FitOffer::from).collect()) })
    }
}

impl Fitter {
    fn take(&mut self) -> Result<Fitting> {
        Arc::try_unwrap(std::mem::take(&mut self.fitting)).map_err(|fitting| {
            self.fitting = fitting;
            Error::from_reason("a choice is being made")
        })
    }
}

impl From<Next> for FitStep {
    fn from(next: Next) -> Self {
        match next {
            Next::Count(choice) => FitStep { choice: Some(choice.into()), best: -1 },
            Next::Done(Best::Choice(number)) => FitStep { choice: None, best: number as i32 },
            Next::Done(Best::Whole) => FitStep { choice: None, best: -1 },
        }
    }
}

fn read_tried(tried: &[f64]) -> Vec<Tried> {
    tried.as_chunks().0.iter().map(|&[tokens, is_cut]| Tried { tokens, is_cut: is_cut != 0.0 }).collect()
}

/// A conversation that was copied and not measured yet.
struct Unread {
    transcript: Transcript,
    request: UnmeasuredRequest,
    is_counted: bool,
    strippable: Vec<u8>,
    turns: Vec<u32>,
    asked: FitOptions,
}

/// By which a conversation is read.
struct FitOptions {
    keep: Keep,
    query: Query,
    pruning: Option<GatheredPruneOptions>,
}

impl Unread {
    fn new(parts: GatheredParts, options: GatheredFitOptions) -> Result<Self> {
        let transcript = parts.read()?;
        let (ranges, rest) = options.keep_ranges.as_chunks::<{ range_column::COUNT }>();
        if !rest.is_empty() {
            return Err(Error::from_reason("each range needs a part, a start and an end"));
        }
        let keep = Keep {
            recent: options.keep_recent,
            user: options.keep_user,
            tools: options.keep_tools,
            arguments: options.keep_arguments,
            ranges: ranges.iter().map(range_of).collect(),
            numbers: options.keep_numbers,
            asked_again: options.asked_again.iter().copied().map(PartIndex).collect(),
        };
        let query = match options.query {
            None => Query::Current,
            Some(texts) if texts.is_empty() => Query::None,
            Some(texts) => Query::Texts(texts.iter().map(|text| TextBuf::from(&text[..])).collect()),
        };
        let strippable = options.strippable.map(|strippable| strippable.to_vec()).unwrap_or_default();
        let turns = options.turns.map(|turns| turns.to_vec()).unwrap_or_default();
        let request = options.request.read()?;
        if !request.is_of(transcript.parts().len(), transcript.len()) {
            return Err(Error::from_reason("each part and message needs its tokens"));
        }
        let is_counted = options.is_counted;
        let asked = FitOptions { keep, query, pruning: options.prune };
        Ok(Unread { transcript, request, is_counted, strippable, turns, asked })
    }

    fn measure(self) -> (Conversation, FitOptions) {
        let Unread { transcript, request, is_counted, strippable, turns, asked } = self;
        let (tokenizer, merging) = (request.tokenizer(), request.tokens_per_message());
        let mut measured = request.measure();
        if is_counted {
            measured.request = 0.0;
        }
        (Conversation::new(transcript, measured, tokenizer, &strippable, (turns, merging)), asked)
    }

    /// Reads the texts that `kept` does not know, and keeps what is known then.
    fn read(self, kept: Option<&Kept>) -> Fitter {
        let (conversation, asked) = self.measure();
        Fitter { fitting: Arc::new(asked.read(conversation, kept.map(|kept| &kept.cache))) }
    }
}

impl FitOptions {
    fn read(&self, conversation: Conversation, kept: Option<&CacheHandle>) -> Fitting {
        let pruning = self.pruning.as_ref().map(GatheredPruneOptions::read);
        conversation.read(kept, &self.keep, &self.query, pruning.as_ref())
    }
}

impl From<WholeTokens> for FitTokens {
    fn from(tokens: WholeTokens) -> Self {
        FitTokens {
            parts: Float64Array::new(tokens.parts),
            own: Float64Array::new(tokens.messages),
            request: tokens.request,
            merging: tokens.merging,
        }
    }
}

fn range_of(row: &[u32; range_column::COUNT]) -> (PartIndex, IndexRange<Unit>) {
    let [start, end] = [range_column::START, range_column::END].map(|column| Unit(row[column]));
    (PartIndex(row[range_column::PART]), IndexRange { start, end })
}

fn row_of((part, range): (PartIndex, Range<usize>)) -> [u32; range_column::COUNT] {
    let mut row = [0; range_column::COUNT];
    row[range_column::PART] = part.0;
    row[range_column::START] = to_u32(range.start);
    row[range_column::END] = to_u32(range.end);
    row
}

fn notes_of(notes: Vec<GivenNote>) -> Vec<Note> {
    notes.into_iter().filter_map(GivenNote::read).collect()
}

impl GivenNote {
    fn read(self) -> Option<Note> {
        let about = index(self.message).map(About::Messages).or(index(self.part).map(About::Part));
        Some(Note { about: about?, text: self.text })
    }
}

impl From<Offer> for FitOffer {
    fn from(offer: Offer) -> Self {
        let (message, part) = match offer.about {
            About::Messages(message) => (Some(message), None),
            About::Part(part) => (None, Some(part)),
        };
        let ranges = offer.ranges.into_iter().flat_map(row_of);
        FitOffer {
            message: column_of(message),
            part: column_of(part),
            ranges: Uint32Array::new(ranges.collect()),
            tokens: offer.tokens,
            facts: offer.facts,
        }
    }
}

impl From<Met> for FitMet {
    fn from(Met { rules, kept, tokens, lost }: Met) -> Self {
        let row = |lost: Lost| {
            let mut row = [0_u32; lost_column::COUNT];
            row[lost_column::DUTY] = duty::number(lost.duty) as u32;
            row[lost_column::MESSAGE] = lost.message.0;
            row[lost_column::LINES] = lost.lines;
            row
        };
        FitMet { rules, kept, tokens, lost: Uint32Array::new(lost.into_iter().flat_map(row).collect()) }
    }
}

impl From<Choice> for FitChoice {
    fn from(choice: Choice) -> Self {
        let mut edits = Vec::with_capacity(fit_edit_column::COUNT * choice.edits.len());
        let mut pieces = Pieces::default();
        for (part, change) in choice.edits {
            let mut row = [0; fit_edit_column::COUNT];
            row[fit_edit_column::PART] = column_of(Some(part));
            row[fit_edit_column::PIECES] = pieces.add(change, write_mark);
            edits.extend(row);
        }
        FitChoice {
            edits: Int32Array::new(edits),
            counts: Float64Array::new(choice.counts),
            pieces: pieces.finish(),
            tokens: choice.tokens,
            left: Float64Array::new(choice.left),
            value: choice.value,
            is_cut: choice.is_cut,
            cuts_last_words: choice.cuts_last_words,
            why: Uint8Array::new(choice.reasons.into_iter().map(|reason| keep_reason::number(reason) as u8).collect()),
            met: choice.met.into(),
        }
    }
}
