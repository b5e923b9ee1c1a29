//! Counting tokens.

use std::ops::Range;

use napi::Env;
use napi::bindgen_prelude::{Error, Float64Array, Int32Array, PromiseRaw, Result, Uint32Array};
use napi_derive::napi;

use super::future::{offload, spawn_local};
use super::given_texts::GivenTexts;
use super::strings::{StringArray, total_units};
use crate::layout::{content, counted_message_column, counted_part_column, extra, extra_column};
use palimpsest_drop_in::compress::ExactTokens;
use palimpsest_text::index::{to_u32, to_usize};
use palimpsest_text::parallel::{map_chunks, map_read};
use palimpsest_text::{TextBuf, Texts};
use palimpsest_tokens::measure::{Content, Measured, Media, Message, Part, Provider, Request};
use palimpsest_tokens::{Counter, Tokenizer, estimate};

/// The tokens of each text.
#[napi(catch_unwind)]
pub fn count_texts(
    #[napi(ts_arg_type = "string[]")] texts: StringArray,
    #[napi(ts_arg_type = "'o200k_base' | 'cl100k_base' | 'estimate'")] tokenizer: String,
) -> Result<Uint32Array> {
    Ok(Uint32Array::new(count_strings(&texts, tokenizer_named(&tokenizer)?)?))
}

/// Share of its time for which a thread waits until its strings were read, about.
const READING: f64 = 0.1;

/// The tokens of each string. Many are counted on several threads, each of which begins as soon as its strings were read.
fn count_strings(strings: &StringArray<'_>, tokenizer: Tokenizer) -> Result<Vec<u32>> {
    let lengths = strings.lengths()?;
    if tokenizer == Tokenizer::Estimate {
        return Ok(lengths.into_iter().map(|length| to_u32(estimate(to_usize(length)))).collect());
    }
    let read = |chunk: Range<usize>| {
        let mut texts = Texts::with_capacity(chunk.len(), total_units(&lengths[chunk.clone()]));
        strings.for_each_in(chunk, Some(&lengths), |_, units| texts.push_units(units))?;
        Ok(texts)
    };
    let mut counts = Vec::with_capacity(lengths.len());
    let own = |chunk| {
        let mut counter = Counter::new(tokenizer);
        let mut text = TextBuf::new();
        strings.for_each_in(chunk, Some(&lengths), |_, units| {
            text.clear();
            text.push_units(units);
            counts.push(to_u32(counter.count(text.as_text())));
        })
    };
    let length = |index: usize| to_usize(lengths[index]);
    let others =
        map_read(lengths.len(), length, READING, own, read, |_, texts| count_in(texts, 0..texts.len(), tokenizer))?;
    counts.extend(others.into_iter().flat_map(|(_, counts)| counts));
    Ok(counts)
}

/// The tokens of each text.
fn count_each(texts: &Texts, tokenizer: Tokenizer) -> Vec<u32> {
    map_chunks(texts.len(), |index| texts.get(index).len(), |chunk| count_in(texts, chunk, tokenizer)).concat()
}

fn count_in(texts: &Texts, chunk: Range<usize>, tokenizer: Tokenizer) -> Vec<u32> {
    let mut counter = Counter::new(tokenizer);
    chunk.map(|index| to_u32(counter.count(texts.get(index)))).collect()
}

/// A request as `lib/tokens/gather.ts` gathers it. Texts are named by their numbers; -1 is none.
#[napi(object, object_to_js = false)]
pub struct GatheredRequest<'env> {
    /// The texts that are to be counted.
    #[napi(ts_type = "CopiedTexts | string[]")]
    pub texts: GivenTexts<'env>,
    /// The parts, in columns (`COUNTED_PART_COLUMN`).
    pub parts: Int32Array,
    /// The messages, in columns (`COUNTED_MESSAGE_COLUMN`).
    pub messages: Int32Array,
    /// Tool schemas and system prompts, in columns (`EXTRA_COLUMN`).
    pub extras: Int32Array,
    #[napi(ts_type = "'openai' | 'anthropic' | 'gemini'")]
    pub provider: String,
    #[napi(ts_type = "'o200k_base' | 'cl100k_base' | 'estimate'")]
    pub tokenizer: String,
}

/// The tokens of a request: of each part, of each message beyond its parts, of the request itself, and of system prompts.
#[napi(catch_unwind)]
pub fn measure_request(request: GatheredRequest) -> Result<Float64Array> {
    let (checked, provider, tokenizer) = request.check()?;
    let counts = match request.texts {
        GivenTexts::Strings(strings) => count_strings(&strings, tokenizer)?,
        copied => count_each(&copied.take()?, tokenizer),
    };
    Ok(flattened(checked.measure(provider, tokenizer, &counts)))
}

/// The same, on another thread.
#[napi(catch_unwind)]
pub fn measure_request_async<'env>(env: &'env Env, request: GatheredRequest) -> Result<PromiseRaw<'env, Float64Array>> {
    let request = request.read()?;
    let measured = offload(*env, move || request.measure());
    spawn_local(env, async move { Ok(flattened(measured.await?)) })
}

/// The tokens of images and documents, each given as the three columns of its content.
#[napi(catch_unwind)]
pub fn media_tokens(
    #[napi(ts_arg_type = "'openai' | 'anthropic' | 'gemini'")] provider: String,
    media: Int32Array,
) -> Result<Float64Array> {
    let provider = provider_named(&provider)?;
    let tokens = |row: &[i32; 3]| match content_of(row[0], [row[1], row[2]]) {
        Some(Content::Media(media)) => Ok(provider.media_tokens(media)),
        _ => Err(Error::from_reason("not an image or a document")),
    };
    Ok(Float64Array::new(media.as_chunks().0.iter().map(tokens).collect::<Result<_>>()?))
}

fn flattened(mut measured: Measured) -> Float64Array {
    let mut tokens = std::mem::take(&mut measured.parts);
    tokens.append(&mut measured.messages);
    tokens.extend([measured.request, measured.system]);
    Float64Array::new(tokens)
}

/// A request that was checked and whose texts are not counted yet. It holds nothing of JavaScript's.
pub struct UnmeasuredRequest {
    request: Request,
    texts: Texts,
    provider: Provider,
    tokenizer: Tokenizer,
}

impl UnmeasuredRequest {
    /// The tokenizer that counts.
    pub fn tokenizer(&self) -> Tokenizer {
        self.tokenizer
    }

    /// Whether it is of so many parts and messages.
    pub fn is_of(&self, parts: usize, messages: usize) -> bool {
        (self.request.parts.len(), self.request.messages.len()) == (parts, messages)
    }

    /// Tokens that the provider adds to every message.
    pub fn tokens_per_message(&self) -> f64 {
        self.provider.tokens_per_message()
    }

    /// The tokens of the request.
    pub fn measure(self) -> Measured {
        let counts = count_each(&self.texts, self.tokenizer);
        self.request.measure(self.provider, self.tokenizer, &counts)
    }
}

impl GatheredRequest<'_> {
    /// The request, checked, with its texts.
    pub fn read(self) -> Result<UnmeasuredRequest> {
        let (request, provider, tokenizer) = self.check()?;
        Ok(UnmeasuredRequest { request, texts: self.texts.take()?, provider, tokenizer })
    }

    fn check(&self) -> Result<(Request, Provider, Tokenizer)> {
        let (messages, _) = self.messages.as_chunks();
        let request = read_request(&self.parts, messages, &self.extras, self.texts.len());
        let request = request.ok_or_else(|| Error::from_reason("a column of the request is out of range"))?;
        Ok((request, provider_named(&self.provider)?, tokenizer_named(&self.tokenizer)?))
    }
}

/// A message's columns.
type MessageRow = [i32; counted_message_column::COUNT];

fn read_request(parts: &[i32], messages: &[MessageRow], extras: &[i32], texts: usize) -> Option<Request> {
    let required = |number: i32| u32::try_from(number).ok().filter(|&number| to_usize(number) < texts);
    let optional = |number: i32| if number < 0 { Some(None) } else { required(number).map(Some) };
    let part = |row: &[i32; counted_part_column::COUNT]| {
        let [message, what, name, id] = [
            counted_part_column::MESSAGE,
            counted_part_column::CONTENT,
            counted_part_column::NAME,
            counted_part_column::ID,
        ]
        .map(|column| row[column]);
        let content = content_of(what, [row[counted_part_column::FIRST], row[counted_part_column::SECOND]])?;
        if let Content::Text(text) = content {
            required(text.cast_signed())?;
        }
        let message = u32::try_from(message).ok().filter(|&message| to_usize(message) < messages.len())?;
        Some(Part { message, is_call: what & content::CALL != 0, content, name: optional(name)?, id: optional(id)? })
    };
    let message = |row: &MessageRow| {
        let [role, name] = [counted_message_column::ROLE, counted_message_column::NAME].map(|column| row[column]);
        Some(Message { role: optional(role)?, name: optional(name)? })
    };
    let extra = |row: &[i32; extra_column::COUNT]| {
        let kind = usize::try_from(row[extra_column::KIND]).ok()?;
        Some((extra::value(kind)?, optional(row[extra_column::TEXT])?))
    };
    Some(Request {
        parts: parts.as_chunks().0.iter().map(part).collect::<Option<_>>()?,
        messages: messages.iter().map(message).collect::<Option<_>>()?,
        extras: extras.as_chunks().0.iter().map(extra).collect::<Option<_>>()?,
    })
}

/// Reads the content of a part: bits of `CONTENT`, and the columns `FIRST` and `SECOND`.
fn content_of(what: i32, [first, second]: [i32; 2]) -> Option<Content> {
    let is_low_detail = what & content::LOW_DETAIL != 0;
    let (first, second) = (first.cast_unsigned(), second.cast_unsigned());
    Some(match what & content::KIND_MASK {
        content::NOTHING => Content::Nothing,
        content::TEXT => Content::Text(first),
        content::TOKENS => Content::Tokens(first),
        content::IMAGE => Content::Media(Media { size: Some((first, second)), is_low_detail }),
        content::MEDIA => Content::Media(Media { size: None, is_low_detail }),
        content::JSON => Content::Json(first),
        _ => return None,
    })
}

/// How a call of `compress` counts the messages that it writes.
#[napi(object, object_to_js = false)]
pub struct GatheredTokenizer {
    #[napi(ts_type = "'o200k_base' | 'cl100k_base' | 'estimate'")]
    pub name: String,
    /// For each message the tokens of all but its text.
    pub others: Float64Array,
    /// The tokens that belong to no message.
    pub of_request: f64,
}

impl GatheredTokenizer {
    /// The engine's counter.
    pub fn read(&self) -> Result<ExactTokens> {
        Ok(ExactTokens::new(tokenizer_named(&self.name)?, self.others.to_vec(), self.of_request))
    }
}

/// The tokens of each message, unless the engine estimates them, and what counts the messages that are written.
pub type Counts = (Option<Vec<f64>>, Option<ExactTokens>);

/// The counts of a call of `compress`.
pub fn read_counts(tokens: Option<&[f64]>, tokenizer: Option<GatheredTokenizer>) -> Result<Counts> {
    Ok((tokens.map(<[f64]>::to_vec), tokenizer.map(|tokenizer| tokenizer.read()).transpose()?))
}

/// # Errors
///
/// There is no tokenizer of that name, or it has no vocabulary.
pub fn tokenizer_named(name: &str) -> Result<Tokenizer> {
    let tokenizer = Tokenizer::from_name(name);
    let tokenizer = tokenizer.ok_or_else(|| Error::from_reason(format!("no tokenizer is named {name:?}")))?;
    #[cfg(target_family = "wasm")]
    super::vocabularies::provide(tokenizer, name)?;
    Ok(tokenizer)
}

fn provider_named(name: &str) -> Result<Provider> {
    Provider::from_name(name).ok_or_else(|| Error::from_reason(format!("no provider is named {name:?}")))
}
