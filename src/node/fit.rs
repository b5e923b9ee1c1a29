//! `fit` on a transcript that `lib/fit/fitting.js` gathers.

use std::ops::Range;
use std::sync::Arc;

use napi::Env;
use napi::bindgen_prelude::{Error, Float64Array, Int32Array, PromiseRaw, Result, Uint8Array, Uint32Array};
use napi_derive::napi;

use super::future::{offload, spawn_local};
use super::prune::{GatheredParts, GatheredPruneOptions};
use super::tokens::tokenizer_named;
use crate::agent::fit::{About, Choice, Costs, Edit, Fit, Keep, Note, Offer, Piece, Query};
use crate::layout::{fit_edit_column, fit_piece_column, keep_reason, range_column, sentinel};
use crate::text::TextBuf;
use crate::tokens::Tokenizer;
use crate::transcript::Transcript;

/// What the conversation costs beside its texts, and what has to stay of it.
#[napi(object, object_to_js = false)]
pub struct GatheredFitOptions {
    #[napi(ts_type = "'o200k_base' | 'cl100k_base' | 'estimate'")]
    pub tokenizer: String,
    /// For each part the tokens beside its text.
    pub parts: Float64Array,
    /// For each message the tokens that belong to no part.
    pub messages: Float64Array,
    /// The tokens that belong to no message.
    pub request: f64,
    pub keep_recent: u32,
    pub keep_user: bool,
    pub keep_tools: Vec<String>,
    /// A row of `RANGE_COLUMN` for each range that has to stay, in order.
    pub keep_ranges: Uint32Array,
    /// What asks in place of the current exchange; absent: the exchange; empty: nothing.
    pub query: Option<Vec<String>>,
    /// What is superseded goes first; absent: as if nothing were.
    pub prune: Option<GatheredPruneOptions>,
}

/// What stays within a limit, for `lib/fit/fitting.js` to make messages of.
#[napi(object, object_from_js = false)]
pub struct FitChoice {
    /// A row of `FIT_EDIT_COLUMN` for each edit.
    pub edits: Int32Array,
    /// For each edit the tokens of the text that it makes; none where another counter has the last word.
    pub counts: Float64Array,
    /// A row of `FIT_PIECE_COLUMN` for each piece of the edits.
    pub pieces: Int32Array,
    pub marks: Vec<String>,
    pub tokens: f64,
    pub worth: f64,
    pub is_cut: bool,
    /// A number of `KEEP_REASON` for each message.
    pub why: Uint8Array,
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

/// A conversation that was read, to choose from.
#[napi]
pub struct Fitter {
    /// Shared with the threads that are choosing from it.
    fit: Arc<Fit>,
}

#[napi]
impl Fitter {
    /// Reads a conversation.
    #[napi(constructor, catch_unwind)]
    pub fn new(parts: GatheredParts, options: GatheredFitOptions) -> Result<Self> {
        Ok(Unread::new(parts, options)?.read().into())
    }

    /// Reads a conversation on another thread. Only its texts are copied before this returns.
    #[napi(catch_unwind)]
    pub fn open<'env>(
        env: &'env Env,
        parts: GatheredParts,
        options: GatheredFitOptions,
    ) -> Result<PromiseRaw<'env, Fitter>> {
        let unread = Unread::new(parts, options)?;
        let read = offload(*env, move || unread.read());
        spawn_local(env, async move { Ok(read.await?.into()) })
    }

    /// The tokens of each message, counted.
    #[napi(catch_unwind)]
    pub fn tokens(&self) -> Float64Array {
        Float64Array::new(self.fit.tokens_of_messages())
    }

    /// The same conversation where the tokens of each message are multiplied with its scale. Closes this one.
    #[napi(catch_unwind)]
    pub fn scaled(&mut self, scales: Float64Array) -> Result<Fitter> {
        Ok(scaled(self.take()?, scales.to_vec()).into())
    }

    /// The same, on another thread.
    #[napi(catch_unwind)]
    pub fn scaled_async<'env>(&mut self, env: &'env Env, scales: Float64Array) -> Result<PromiseRaw<'env, Fitter>> {
        let (fit, scales) = (self.take()?, scales.to_vec());
        let scaled = offload(*env, move || scaled(fit, scales));
        spawn_local(env, async move { Ok(scaled.await?.into()) })
    }

    /// Chooses what stays within `limit` tokens.
    #[napi(catch_unwind)]
    pub fn choose(&self, limit: f64, notes: Vec<GivenNote>) -> FitChoice {
        self.fit.choose(limit, &notes_of(notes)).into()
    }

    /// The same, on another thread. What is closed meanwhile is freed when the choice is made.
    #[napi(catch_unwind)]
    pub fn choose_async<'env>(
        &self,
        env: &'env Env,
        limit: f64,
        notes: Vec<GivenNote>,
    ) -> Result<PromiseRaw<'env, FitChoice>> {
        let (fit, notes) = (self.fit.clone(), notes_of(notes));
        let chosen = offload(*env, move || fit.choose(limit, &notes));
        spawn_local(env, async move { Ok(chosen.await?.into()) })
    }

    /// Frees what was read, which the garbage collector knows nothing of; nothing can be chosen afterwards.
    #[napi(catch_unwind)]
    pub fn close(&mut self) {
        self.fit = Arc::default();
    }

    /// What would go where `limit` tokens are to be met, largest first.
    #[napi(catch_unwind)]
    pub fn offers(&self, limit: f64) -> Vec<FitOffer> {
        self.fit.offers(limit).into_iter().map(FitOffer::from).collect()
    }

    /// The same, on another thread.
    #[napi(catch_unwind)]
    pub fn offers_async<'env>(&self, env: &'env Env, limit: f64) -> Result<PromiseRaw<'env, Vec<FitOffer>>> {
        let fit = self.fit.clone();
        let offered = offload(*env, move || fit.offers(limit));
        spawn_local(env, async move { Ok(offered.await?.into_iter().map(FitOffer::from).collect()) })
    }
}

impl Fitter {
    fn take(&mut self) -> Result<Fit> {
        Arc::try_unwrap(std::mem::take(&mut self.fit)).map_err(|fit| {
            self.fit = fit;
            Error::from_reason("a choice is being made")
        })
    }
}

impl From<Fit> for Fitter {
    fn from(fit: Fit) -> Self {
        Fitter { fit: Arc::new(fit) }
    }
}

fn scaled(mut fit: Fit, scales: Vec<f64>) -> Fit {
    fit.set_scales(scales);
    fit
}

/// All that a [`Fit`] is made of, none of it JavaScript's.
struct Unread {
    transcript: Transcript,
    costs: Costs,
    keep: Keep,
    query: Query,
    pruning: Option<GatheredPruneOptions>,
    tokenizer: Tokenizer,
}

impl Unread {
    fn new(parts: GatheredParts, options: GatheredFitOptions) -> Result<Self> {
        let transcript = parts.read()?;
        let (parts, messages) = (options.parts.to_vec(), options.messages.to_vec());
        if parts.len() != transcript.parts().len() || messages.len() != transcript.message_count() as usize {
            return Err(Error::from_reason("each part and message needs its tokens"));
        }
        let (ranges, rest) = options.keep_ranges.as_chunks::<{ range_column::COUNT }>();
        if !rest.is_empty() {
            return Err(Error::from_reason("each range needs a part, a start and an end"));
        }
        let costs = Costs { parts, messages, request: options.request, scales: Vec::new() };
        let keep = Keep {
            recent: options.keep_recent,
            user: options.keep_user,
            tools: options.keep_tools,
            ranges: ranges.iter().map(range_of).collect(),
        };
        let query = match options.query {
            None => Query::Current,
            Some(texts) if texts.is_empty() => Query::None,
            Some(texts) => Query::Texts(texts.iter().map(|text| TextBuf::from(&text[..])).collect()),
        };
        let tokenizer = tokenizer_named(&options.tokenizer)?;
        Ok(Unread { transcript, costs, keep, query, pruning: options.prune, tokenizer })
    }

    fn read(self) -> Fit {
        let Unread { transcript, costs, keep, query, pruning, tokenizer } = self;
        let pruning = pruning.as_ref().map(GatheredPruneOptions::read);
        Fit::new(transcript, costs, &keep, &query, pruning.as_ref(), tokenizer)
    }
}

fn range_of(row: &[u32; range_column::COUNT]) -> (u32, Range<u32>) {
    (row[range_column::PART], row[range_column::START]..row[range_column::END])
}

fn row_of((part, range): (u32, Range<usize>)) -> [u32; range_column::COUNT] {
    let mut row = [0; range_column::COUNT];
    row[range_column::PART] = part;
    row[range_column::START] = range.start as u32;
    row[range_column::END] = range.end as u32;
    row
}

fn notes_of(notes: Vec<GivenNote>) -> Vec<Note> {
    notes.into_iter().filter_map(GivenNote::read).collect()
}

impl GivenNote {
    fn read(self) -> Option<Note> {
        let message = u32::try_from(self.message).ok().map(About::Messages);
        let part = u32::try_from(self.part).ok().map(About::Part);
        Some(Note { about: message.or(part)?, text: self.text })
    }
}

impl From<Offer> for FitOffer {
    fn from(offer: Offer) -> Self {
        let (message, part) = match offer.about {
            About::Messages(message) => (message as i32, sentinel::NONE),
            About::Part(part) => (sentinel::NONE, part as i32),
        };
        let ranges = offer.ranges.into_iter().flat_map(row_of);
        FitOffer { message, part, ranges: Uint32Array::new(ranges.collect()), tokens: offer.tokens, facts: offer.facts }
    }
}

impl From<Choice> for FitChoice {
    fn from(choice: Choice) -> Self {
        let mut edits = Vec::with_capacity(fit_edit_column::COUNT * choice.edits.len());
        let mut pieces = Vec::new();
        let mut marks = Vec::new();
        for (part, edit) in choice.edits {
            let mut row = [sentinel::NONE; fit_edit_column::COUNT];
            row[fit_edit_column::PART] = part as i32;
            if let Edit::Replace(made) = edit {
                row[fit_edit_column::PIECES] = made.len() as i32;
                for one in made {
                    let (start, end) = match one {
                        Piece::Keep(range) => (range.start as i32, range.end as i32),
                        Piece::Mark(mark) => {
                            marks.push(mark);
                            (sentinel::NONE, marks.len() as i32 - 1)
                        }
                    };
                    let mut row = [0; fit_piece_column::COUNT];
                    row[fit_piece_column::START] = start;
                    row[fit_piece_column::END] = end;
                    pieces.extend(row);
                }
            }
            edits.extend(row);
        }
        FitChoice {
            edits: Int32Array::new(edits),
            counts: Float64Array::new(choice.counts),
            pieces: Int32Array::new(pieces),
            marks,
            tokens: choice.tokens,
            worth: choice.worth,
            is_cut: choice.is_cut,
            why: Uint8Array::new(choice.why.into_iter().map(|why| keep_reason::number(why) as u8).collect()),
        }
    }
}
