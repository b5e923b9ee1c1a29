//! The index of a history for `lib/recall`.

use napi::bindgen_prelude::{Error, Int32Array, Result, Uint32Array};
use napi_derive::napi;

use super::strings::{StringArray, Units, total_units};
use super::tokens::tokenizer_named;
use palimpsest_recall::{Index, Query};
use palimpsest_text::index::{to_u32, to_usize};
use palimpsest_text::{TextBuf, Texts, questions};

/// Whether a text asks something.
#[napi(catch_unwind)]
pub fn asks(#[napi(ts_arg_type = "string")] text: Units) -> bool {
    questions::asks(TextBuf::from(text).as_text())
}

/// An index of a history, which grows and shrinks at its end.
#[napi]
#[derive(Default)]
pub struct RecallIndex {
    index: Index,
}

/// A query, as `lib/recall` gathers it.
#[napi(object, object_to_js = false)]
pub struct GatheredQuery<'env> {
    /// Its text.
    #[napi(ts_type = "string")]
    pub text: Units,
    /// Strings that have to stand in each passage.
    #[napi(ts_type = "string[]")]
    pub exact: StringArray<'env>,
    /// Maximum tokens of all passages.
    pub tokens: f64,
    /// Tokens that each passage costs besides its text.
    pub overhead: u32,
    #[napi(ts_type = "'o200k_base' | 'cl100k_base' | 'estimate'")]
    pub tokenizer: String,
}

/// A passage of a part.
#[napi(object, object_from_js = false)]
pub struct FoundPassage {
    /// Number of the part.
    pub part: u32,
    /// Its range in the text of the part, in UTF-16 code units.
    pub start: u32,
    pub end: u32,
    /// Its lines in that text, from 1 on.
    pub first_line: u32,
    pub last_line: u32,
    pub tokens: u32,
    /// From 0 to 1.
    pub score: f64,
    /// Whether two of the query's words, or a weighty one, stand beside its best line.
    pub is_clear: bool,
}

#[napi]
impl RecallIndex {
    /// Creates an empty index.
    #[napi(constructor, catch_unwind)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds parts with these texts, of these lengths in UTF-16 code units. `calls` are the parts of the calls that they answer, and `named` the
    /// tools that they call, by their places in `names`; -1 is none.
    #[napi(catch_unwind)]
    pub fn append(
        &mut self,
        #[napi(ts_arg_type = "string[]")] texts: StringArray<'_>,
        lengths: Uint32Array,
        calls: Int32Array,
        #[napi(ts_arg_type = "string[]")] names: StringArray<'_>,
        named: Int32Array,
    ) -> Result<()> {
        let names = names.read_all()?;
        let named: &[i32] = &named;
        if lengths.len() != texts.len() {
            return Err(Error::from_reason("there is not one length for each text"));
        }
        self.index.append(
            &lengths,
            |chunk, own| {
                own.reserve(total_units(&lengths[chunk.clone()]));
                texts.for_each_in(chunk, Some(&lengths), |_, units| own.push_units(units))
            },
            |number| calls.get(number).and_then(|&call| u32::try_from(call).ok()),
            |number| {
                let name = usize::try_from(*named.get(number)?).ok()?;
                (name < names.len()).then(|| names.get(name))
            },
        )
    }

    /// Removes all parts but the first `count`.
    #[napi(catch_unwind)]
    pub fn truncate(&mut self, count: u32) {
        self.index.truncate(to_usize(count));
    }

    /// Sets what the request contains: these parts of the history, and texts of these lengths in UTF-16 code units. No passage is looked for
    /// in them.
    #[napi(catch_unwind)]
    pub fn set_sent(
        &mut self,
        parts: Uint32Array,
        #[napi(ts_arg_type = "string[]")] texts: StringArray<'_>,
        lengths: Uint32Array,
    ) -> Result<()> {
        let mut sent = Texts::with_capacity(texts.capacity(), total_units(&lengths));
        texts.for_each(Some(&lengths), |_, units| sent.push_units(units))?;
        self.index.set_sent(parts.to_vec(), &sent);
        Ok(())
    }

    /// The sum of the idf of a query's terms, as a multiple of that of a term that occurs once.
    #[napi(catch_unwind)]
    pub fn weight_of(&self, #[napi(ts_arg_type = "string")] text: Units) -> f64 {
        self.index.weight_of(TextBuf::from(text).as_text())
    }

    /// The best passages, best first.
    #[napi(catch_unwind)]
    pub fn search(&self, query: GatheredQuery<'_>) -> Result<Vec<FoundPassage>> {
        let GatheredQuery { text, exact, tokens, overhead, tokenizer } = query;
        let exact = exact.read_all()?;
        if (0..exact.len()).any(|index| exact.get(index).is_empty()) {
            return Err(Error::from_reason("an exact string is empty"));
        }
        let query = Query {
            text: text.into(),
            exact: (0..exact.len()).map(|index| exact.get(index).into()).collect(),
            tokens: tokens as usize,
            overhead: to_usize(overhead),
            tokenizer: tokenizer_named(&tokenizer)?,
        };
        let found = self.index.search(&query).into_iter().map(|passage| FoundPassage {
            part: passage.part,
            start: to_u32(passage.range.start),
            end: to_u32(passage.range.end),
            first_line: passage.lines.0,
            last_line: passage.lines.1,
            tokens: to_u32(passage.tokens),
            score: f64::from(passage.score),
            is_clear: passage.is_clear,
        });
        Ok(found.collect())
    }
}
