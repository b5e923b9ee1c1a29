//! Results in fewer tokens, for `lib/fit/shortened.ts`.

use napi::Env;
use napi::bindgen_prelude::{PromiseRaw, Result, Uint32Array};
use napi_derive::napi;

use super::future::{offload, spawn_local};
use super::prune::{GatheredParts, GivenTool};
use super::strings::JsText;
use palimpsest_agent::shorten::{Shortened, command_line, shorten};
use palimpsest_history::transcript::{PartIndex, Transcript};
use palimpsest_text::TextBuf;
use palimpsest_text::index::to_u32;
use palimpsest_world::tools::{Tool, Tools};

/// The results of a conversation that may be written shorter.
#[napi(object, object_to_js = false)]
pub struct GatheredResults<'env> {
    /// The conversation; texts that are neither calls nor these results may be empty.
    pub parts: GatheredParts<'env>,
    /// The parts, by number.
    pub results: Uint32Array,
    /// The tools that the user describes.
    pub tools: Vec<GivenTool>,
}

/// A result that became shorter.
#[napi(object, object_from_js = false)]
pub struct ShortenedResult {
    pub part: u32,
    #[napi(ts_type = "string")]
    pub text: JsText<TextBuf>,
    /// The UTF-16 code units that each of `SHORTENING` saved.
    pub saved: Vec<u32>,
}

/// Writes results shorter.
#[napi(catch_unwind)]
pub fn shorten_results(gathered: GatheredResults) -> Result<Vec<ShortenedResult>> {
    Ok(Unread::new(gathered)?.shorten().into_iter().map(ShortenedResult::from).collect())
}

/// The same, on another thread.
#[napi(catch_unwind)]
pub fn shorten_results_async<'env>(
    env: &'env Env,
    gathered: GatheredResults,
) -> Result<PromiseRaw<'env, Vec<ShortenedResult>>> {
    let unread = Unread::new(gathered)?;
    let shortened = offload(*env, move || unread.shorten());
    spawn_local(env, async move { Ok(shortened.await?.into_iter().map(ShortenedResult::from).collect()) })
}

/// The command line of each call, by the name of its tool and its arguments; none of a tool that runs no commands.
#[napi(catch_unwind)]
pub fn command_lines(names: Vec<String>, arguments: Vec<String>, own: Vec<GivenTool>) -> Vec<Option<String>> {
    let own: Vec<Tool<'_>> = own.iter().map(GivenTool::to_tool).collect();
    let tools = Tools::new(&own);
    let line = |(name, arguments): (&String, &String)| {
        let arguments = TextBuf::from(arguments.as_str());
        command_line(&tools.named(name).tools, arguments.as_text())
    };
    names.iter().zip(&arguments).map(line).collect()
}

/// Results that were copied.
struct Unread {
    transcript: Transcript,
    results: Vec<PartIndex>,
    tools: Vec<GivenTool>,
}

impl Unread {
    fn new(gathered: GatheredResults) -> Result<Self> {
        let GatheredResults { parts, results, tools } = gathered;
        let transcript = parts.read()?;
        let count = transcript.parts().len();
        let results = results.iter().map(|&part| PartIndex(part)).filter(|part| part.index() < count).collect();
        Ok(Unread { transcript, results, tools })
    }

    fn shorten(&self) -> Vec<Shortened> {
        let tools: Vec<Tool<'_>> = self.tools.iter().map(GivenTool::to_tool).collect();
        shorten(&self.transcript, &self.results, &tools)
    }
}

impl From<Shortened> for ShortenedResult {
    fn from(Shortened { part, text, saved }: Shortened) -> Self {
        ShortenedResult { part: part.0, text: JsText(text), saved: saved.map(to_u32).to_vec() }
    }
}
