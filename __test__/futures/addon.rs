//! An addon for `futures.slow.test.mjs` alone: it puts the layer that awaits JavaScript callbacks in JavaScript's hands.
//!
//! It is a Cargo example because those are never part of the package. It takes in the sources of the layer, which knows
//! nothing of the rest of the crate.
// Only the synchronous exports of the package use `call_now` and `thrown`.
#[allow(dead_code, unused_imports)]
#[path = "../../src/node/future/mod.rs"]
mod future;

use future::{Callback, map_concurrently, offload, spawn_local};
use napi::bindgen_prelude::{FnArgs, Function, PromiseRaw, ToNapiValue};
use napi::{Env, Error, JsValue, Result, Status, Unknown, ValueType, sys};
use napi_derive::napi;

fn read_text(_: &Env, answer: Unknown) -> Result<String> {
    if answer.get_type()? != ValueType::String {
        return Err(Error::new(Status::StringExpected, "the callback must answer with a string".to_owned()));
    }
    answer.coerce_to_string()?.into_utf8()?.into_owned()
}

/// Calls `callback(text, index)` for each text, at most `limit` at once, until `isAborted()` says so.
#[napi(catch_unwind)]
pub fn map_texts<'env>(
    env: &'env Env,
    texts: Vec<String>,
    callback: Function<'env>,
    limit: u32,
    is_aborted: Option<Function<'env>>,
) -> Result<PromiseRaw<'env, Vec<String>>> {
    let callback = Callback::new(env, callback)?;
    let is_aborted = is_aborted.map(|function| Callback::new(env, function)).transpose()?;
    spawn_local(env, async move {
        let (callback, is_aborted, texts) = (&callback, &is_aborted, &texts);
        map_concurrently(texts.len(), limit as usize, |index| async move {
            if let Some(is_aborted) = is_aborted
                && is_aborted.call((), |_, answer| answer.coerce_to_bool()).await?
            {
                return Err(Error::new(Status::Cancelled, "aborted".to_owned()));
            }
            callback.call(FnArgs::from((texts[index].as_str(), index as u32)), read_text).await
        })
        .await
    })
}

/// Like `mapTexts`, but an error takes the answer's place.
#[napi(catch_unwind)]
pub fn map_texts_settled<'env>(
    env: &'env Env,
    texts: Vec<String>,
    callback: Function<'env>,
    limit: u32,
) -> Result<PromiseRaw<'env, Vec<String>>> {
    let callback = Callback::new(env, callback)?;
    spawn_local(env, async move {
        let (callback, texts) = (&callback, &texts);
        map_concurrently(texts.len(), limit as usize, |index| async move {
            let answer = callback.call(FnArgs::from((texts[index].as_str(), index as u32)), read_text).await;
            Ok(answer.unwrap_or_else(|error| format!("error: {}", error.reason)))
        })
        .await
    })
}

/// Adds the integers below `n` on another thread, `times` times one after the other.
#[napi(catch_unwind)]
pub fn sum_below<'env>(env: &'env Env, n: u32, times: u32) -> Result<PromiseRaw<'env, f64>> {
    let on = *env;
    spawn_local(env, async move {
        let mut sum = 0;
        for _ in 0..times {
            sum = offload(on, move || (0..u64::from(n)).fold(0, |sum, i| std::hint::black_box(sum + i))).await?;
        }
        Ok(sum as f64)
    })
}

/// What panics when it is made a JavaScript value.
struct Unspeakable(#[expect(dead_code, reason = "napi takes a value of no size for no argument at all")] u8);

impl ToNapiValue for Unspeakable {
    unsafe fn to_napi_value(_: sys::napi_env, _: Self) -> Result<sys::napi_value> {
        panic!("unspeakable")
    }
}

/// Panics in the given place of a call of `callback`.
#[napi(catch_unwind)]
pub fn panic_in<'env>(env: &'env Env, place: String, callback: Function<'env>) -> Result<PromiseRaw<'env, ()>> {
    let on = *env;
    let callback = Callback::new(env, callback)?;
    spawn_local(env, async move {
        match place.as_str() {
            "arguments" => callback.call(Unspeakable(0), |_, _| Ok(())).await,
            "answer" => callback.call((), |_, _| -> Result<()> { panic!("bad answer") }).await,
            "continuation" => {
                callback.call((), |_, _| Ok(())).await?;
                panic!("bad continuation {}", 7)
            }
            "offload" => offload(on, || panic!("bad work")).await,
            _ => Ok(()),
        }
    })
}
