//! A JavaScript function that Rust calls and awaits.
use napi::bindgen_prelude::{FromNapiValue, Function, FunctionRef, JsValuesTupleIntoVec};
use napi::{Env, JsValue, Result, Unknown, check_status, sys};

use super::failure::{guarded, thrown_or};
use super::promise::{Settlement, is_thenable, settled, settlement};

/// A function that a user gave us, such as a summarizer. It may return a value, a promise or any other thenable.
pub(crate) struct Callback {
    env: Env,
    function: FunctionRef<Unknown<'static>, Unknown<'static>>,
}

enum Reply<T> {
    Now(T),
    Later(Settlement<T>),
}

impl Callback {
    /// Keeps `function` alive until the callback is dropped.
    pub(crate) fn new(env: &Env, function: Function<'_>) -> Result<Self> {
        // SAFETY: `function` is a live function of this environment.
        let function = unsafe { FunctionRef::from_napi_value(env.raw(), function.raw()) }?;
        Ok(Self { env: *env, function })
    }

    /// Calls the function when the future is first polled, with `this` undefined, and waits for its answer.
    ///
    /// `read` turns the answer into a Rust value while its handle is alive. The `Err` is the value that the function throws or
    /// rejects with. An answer that isn't a thenable is ready at once: no microtask runs in between.
    pub(crate) async fn call<T: 'static>(
        &self,
        arguments: impl JsValuesTupleIntoVec,
        read: impl FnOnce(&Env, Unknown) -> Result<T> + 'static,
    ) -> Result<T> {
        match self.begin(arguments, read)? {
            Reply::Now(value) => Ok(value),
            Reply::Later(settlement) => settled(settlement).await,
        }
    }

    /// Calls the function and reads its answer as it is, without waiting for anything.
    pub(crate) fn call_now<T>(
        &self,
        arguments: impl JsValuesTupleIntoVec,
        read: impl FnOnce(&Env, Unknown) -> Result<T>,
    ) -> Result<T> {
        self.in_scope(|env| read(env, self.invoke(arguments)?))
    }

    fn begin<T: 'static>(
        &self,
        arguments: impl JsValuesTupleIntoVec,
        read: impl FnOnce(&Env, Unknown) -> Result<T> + 'static,
    ) -> Result<Reply<T>> {
        self.in_scope(|env| {
            let value = self.invoke(arguments)?;
            if is_thenable(value)? {
                settlement(env, value, read).map(Reply::Later)
            } else {
                read(env, value).map(Reply::Now)
            }
        })
    }

    /// A handle scope for each call, since thousands of calls can happen in one go. A panic must not skip its end.
    fn in_scope<T>(&self, work: impl FnOnce(&Env) -> Result<T>) -> Result<T> {
        let env = &self.env;
        env.run_in_scope(|| guarded(|| work(env)).map_err(|error| thrown_or(env, error)))
    }

    fn invoke(&self, arguments: impl JsValuesTupleIntoVec) -> Result<Unknown<'_>> {
        let raw = self.env.raw();
        let function = self.function.borrow_back(&self.env)?.raw();
        let arguments = arguments.into_vec(raw)?;
        let (mut this, mut value) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the handles were made in the open scope of this environment, and `arguments` lives through the call.
        unsafe {
            check_status!(sys::napi_get_undefined(raw, &mut this))?;
            check_status!(sys::napi_call_function(
                raw,
                this,
                function,
                arguments.len(),
                arguments.as_ptr(),
                &mut value
            ))?;
            Unknown::from_napi_value(raw, value)
        }
    }
}
