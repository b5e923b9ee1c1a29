//! Failures as the errors that JavaScript sees.
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use napi::{
    Env, Error, Result, Status, Unknown,
    bindgen_prelude::{FromNapiValue, ToNapiValue},
    sys,
};

/// Runs `work` and turns a panic into an `Err`, because one that reached Node would abort the process.
///
/// A panicking `work` may leave its data half changed; callers drop the data or never read it again.
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(Error::new(Status::GenericFailure, text_of(&*panic))))
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("internal error: {}", text.unwrap_or("unknown panic"))
}

/// Returns the pending exception of JavaScript, or `error` if there is none.
///
/// `napi` turns an exception into an error by way of `String(exception)`, which loses thrown strings and `undefined`
/// and runs user code; this keeps the value itself.
pub(super) fn thrown_or(env: &Env, error: Error) -> Error {
    let mut pending = false;
    // SAFETY: `env` is the environment of the N-API callback that is running on this thread.
    unsafe { sys::napi_is_exception_pending(env.raw(), &mut pending) };
    if !pending {
        return error;
    }
    let mut exception = std::ptr::null_mut();
    // SAFETY: as above; on success `exception` is a handle in the open handle scope.
    let status = unsafe { sys::napi_get_and_clear_last_exception(env.raw(), &mut exception) };
    if status != sys::Status::napi_ok {
        return error;
    }
    // SAFETY: `exception` was just handed out by this environment.
    unsafe { Unknown::from_napi_value(env.raw(), exception) }.map_or(error, Error::from_unknown_without_coercion)
}

/// Throws `error` as the value that JavaScript once threw, if it came from there, and returns what a function that is
/// about to return to JavaScript has to return then.
///
/// Left to `napi`, a thrown string or `undefined` would become an `Error`.
pub(crate) fn thrown(env: &Env, error: Error) -> Error {
    // SAFETY: `env` is the environment of the N-API callback that is running on this thread.
    unsafe {
        if let Ok(value) = Error::to_napi_value(env.raw(), error) {
            sys::napi_throw(env.raw(), value);
        }
    }
    Error::new(Status::PendingException, String::new())
}
