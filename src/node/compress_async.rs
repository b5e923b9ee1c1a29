//! `compress` with a summarizer or a classifier: the engine works, asks, waits and continues.

use std::sync::Arc;

use napi::bindgen_prelude::{
    ExternalRef, Float64ArraySlice, FnArgs, FromNapiValue, Function, PromiseRaw, Result, Uint32ArraySlice, Unknown,
};
use napi::{Env, JsValue};
use napi_derive::napi;

use super::conversation::{Callbacks, Given, Trimmed, read_options};
use super::future::{Callback, map_concurrently, offload, spawn_local};
use super::host::{HostFunctions, JsHost, read_scores, read_text, scorer_arguments};
use super::outcome::CompressOutcome;
use super::strings::{JsText, StringArray, Units};
use super::tokens::{GatheredTokenizer, read_counts};
use palimpsest_drop_in::compress::{Engine, NoHost, Outcome, Request, Step};
use palimpsest_text::TextBuf;
use palimpsest_text::index::{to_u32, to_usize};

/// Minimum length, in UTF-16 code units, of a conversation that is processed on another thread: about 0.2 ms of work.
const WORTH_A_THREAD: usize = 128 * 1024;

/// The functions of an asynchronous call.
#[napi(object, object_to_js = false)]
pub struct AsyncFunctions<'env> {
    /// `(text)`: the summary. The engine writes its own if this fails or returns no usable one.
    #[napi(ts_type = "(text: string) => unknown")]
    pub summarizer: Option<Function<'env>>,
    /// `(index)`: the classifier's verdict on a message.
    #[napi(ts_type = "(index: number) => unknown")]
    pub classifier: Option<Function<'env>>,
    /// `(index, verdict)`: records the verdict and returns whether the message is to be kept.
    #[napi(ts_type = "(index: number, verdict: unknown) => boolean")]
    pub take_verdict: Option<Function<'env>>,
    /// Throws the reason once the call is aborted.
    #[napi(ts_type = "() => void")]
    pub throw_if_aborted: Option<Function<'env>>,
    /// `(text, sentences)`: their scores, as in [`HostFunctions`], or a promise of them.
    #[napi(ts_type = "(text: string, sentences: Int32Array) => unknown")]
    pub score_sentences: Option<Function<'env>>,
    /// Maximum number of summaries, scores or verdicts under way at once.
    pub concurrency: u32,
}

/// Compresses a conversation with asynchronous callbacks. The other arguments are those of `compress`.
#[napi(catch_unwind)]
#[allow(clippy::too_many_arguments)]
pub fn compress_async<'env>(
    env: &'env Env,
    #[napi(ts_arg_type = "string[]")] texts: StringArray,
    #[napi(ts_arg_type = "string")] ids: Units,
    #[napi(ts_arg_type = "Uint32Array")] columns: Uint32ArraySlice,
    #[napi(ts_arg_type = "Float64Array")] options: Float64ArraySlice,
    #[napi(ts_arg_type = "Float64Array | undefined")] tokens: Option<Float64ArraySlice>,
    functions: Option<HostFunctions>,
    async_functions: AsyncFunctions,
    tokenizer: Option<GatheredTokenizer>,
    #[napi(ts_arg_type = "object | undefined")] trimmed: Option<ExternalRef<Option<Trimmed>>>,
) -> Result<PromiseRaw<'env, CompressOutcome>> {
    let host = JsHost::new(env, functions)?;
    let helpers = Helpers::new(env, async_functions)?;
    let trimmed = Trimmed::take(trimmed);
    let given = Given::new(&texts, &ids, &columns)?;
    let callbacks = Callbacks {
        summarizer: helpers.summarizer.is_some(),
        scorer: helpers.score_sentences.is_some(),
        ..host.callbacks()
    };
    let options = read_options(&options, callbacks)?;
    let counts = read_counts(tokens.as_deref(), tokenizer)?;
    if let Some(outcome) = given.untouched(&options, &counts) {
        return spawn_local(env, async { Ok(outcome.into()) });
    }
    let is_large = given.units() >= WORTH_A_THREAD;
    let engine = given.engine(trimmed, options, counts)?;
    let mut call = RunningCall { env: *env, engine: Some(engine), host, helpers, is_large };
    spawn_local(env, async move { Ok(call.run().await?.into()) })
}

/// The asynchronous callbacks.
struct Helpers {
    summarizer: Option<Callback>,
    classifier: Option<(Callback, Arc<Callback>)>,
    throw_if_aborted: Option<Callback>,
    score_sentences: Option<Callback>,
    concurrency: usize,
}

/// The answer to a request; `None` if the callback gave no usable one.
enum Answer {
    Summary(Option<TextBuf>),
    Scores(Option<Vec<f64>>),
}

impl Helpers {
    fn new(env: &Env, functions: AsyncFunctions) -> Result<Self> {
        let keep = |function: Option<Function>| function.map(|function| Callback::new(env, function)).transpose();
        Ok(Helpers {
            summarizer: keep(functions.summarizer)?,
            classifier: keep(functions.classifier)?.zip(keep(functions.take_verdict)?.map(Arc::new)),
            throw_if_aborted: keep(functions.throw_if_aborted)?,
            score_sentences: keep(functions.score_sentences)?,
            concurrency: to_usize(functions.concurrency),
        })
    }

    fn check_aborted(&self) -> Result<()> {
        self.throw_if_aborted.as_ref().map_or(Ok(()), |check| check.call_now((), |_, _| Ok(())))
    }

    /// Asks for all requests, at most `concurrency` at once.
    async fn answers(&self, requests: &[Request]) -> Result<Vec<Answer>> {
        map_concurrently(requests.len(), self.concurrency, |index| async move {
            self.check_aborted()?;
            Ok(match (&requests[index], &self.summarizer, &self.score_sentences) {
                (Request::Summary(text), Some(summarizer), _) => {
                    let answer = summarizer.call(FnArgs::from((JsText(text.clone()),)), read_text).await;
                    Answer::Summary(answer.unwrap_or(None))
                }
                (Request::Scores(sentences), _, Some(score)) => {
                    Answer::Scores(score.call(scorer_arguments(sentences), read_scores).await.unwrap_or(None))
                }
                (Request::Summary(_), None, _) => Answer::Summary(None),
                (Request::Scores(_), _, None) => Answer::Scores(None),
            })
        })
        .await
    }

    /// Returns whether the classifier keeps each of the messages at `indices`.
    async fn verdicts(&self, indices: &[usize]) -> Result<Vec<bool>> {
        let Some((classifier, take_verdict)) = &self.classifier else { return Ok(vec![false; indices.len()]) };
        map_concurrently(indices.len(), self.concurrency, |position| async move {
            self.check_aborted()?;
            let index = to_u32(indices[position]);
            let take_verdict = take_verdict.clone();
            let read = move |_: &Env, verdict: Unknown| {
                // SAFETY: the verdict is a handle of the scope in which it is read.
                let verdict = unsafe { Unknown::from_napi_value(verdict.value().env, verdict.raw()) }?;
                take_verdict.call_now(FnArgs::from((index, verdict)), |_, is_kept| is_kept.coerce_to_bool())
            };
            classifier.call(FnArgs::from((index,)), read).await
        })
        .await
    }
}

/// An asynchronous call under way.
struct RunningCall {
    env: Env,
    /// Empty only while it works on another thread.
    engine: Option<Engine>,
    host: JsHost,
    helpers: Helpers,
    is_large: bool,
}

impl RunningCall {
    async fn run(&mut self) -> Result<Outcome> {
        let wants_verdicts = self.helpers.classifier.is_some();
        let indices = self
            .work(move |engine| {
                engine.prepare();
                if wants_verdicts { engine.classifiable() } else { Vec::new() }
            })
            .await?;
        let verdicts = self.helpers.verdicts(&indices).await?;
        for (&index, _) in indices.iter().zip(verdicts).filter(|(_, is_kept)| *is_kept) {
            self.engine()?.keep_classified(index);
        }
        loop {
            self.helpers.check_aborted()?;
            match self.step().await? {
                Step::Done(outcome) => return Ok(*outcome),
                Step::Ask(requests) => {
                    let answers = self.helpers.answers(&requests).await?;
                    let engine = self.engine()?;
                    for (request, answer) in requests.iter().zip(answers) {
                        match (request, answer) {
                            (Request::Summary(text), Answer::Summary(summary)) => engine.answer(text, summary),
                            (Request::Scores(sentences), Answer::Scores(scores)) => {
                                engine.answer_scores(sentences, scores);
                            }
                            _ => return Err(lost()),
                        }
                    }
                }
            }
        }
    }

    async fn step(&mut self) -> Result<Step> {
        if self.host.is_idle() {
            let Ok(step) = self.work(|engine| engine.step(&mut NoHost)).await?;
            return Ok(step);
        }
        // The host can only be called on this thread.
        let engine = self.engine.as_mut().ok_or_else(lost)?;
        engine.step(&mut self.host)
    }

    /// Lets the engine work: on another thread if the conversation is large, to keep the event loop free.
    async fn work<T: Send + 'static>(&mut self, work: impl FnOnce(&mut Engine) -> T + Send + 'static) -> Result<T> {
        if !self.is_large {
            return Ok(work(self.engine()?));
        }
        let mut engine = self.engine.take().ok_or_else(lost)?;
        let (engine, result) = offload(self.env, move || {
            let result = work(&mut engine);
            (engine, result)
        })
        .await?;
        self.engine = Some(engine);
        Ok(result)
    }

    fn engine(&mut self) -> Result<&mut Engine> {
        self.engine.as_mut().ok_or_else(lost)
    }
}

fn lost() -> napi::Error {
    napi::Error::from_reason("internal error: the engine is at work elsewhere")
}
