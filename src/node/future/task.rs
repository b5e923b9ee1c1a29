//! The executor: one future, the promise it settles, and the loop that polls it.
use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::ptr;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use napi::bindgen_prelude::{PromiseRaw, ToNapiValue};
use napi::{Env, Error, Result, Status, check_status, sys};

use super::failure::{guarded, thrown_or};

thread_local! {
    /// The task that is being polled, so that what it awaits knows whom to run on.
    static CURRENT: RefCell<Option<Rc<Task>>> = const { RefCell::new(None) };
}

/// Starts `future` and returns the promise of its output, a native `Promise`.
///
/// The future is polled before this returns. Its output becomes a JavaScript value on the JavaScript thread, inside the
/// poll that completes it. An `Err` that came from JavaScript rejects the promise with the very same value, any other
/// with a new `Error`; so does a panic.
pub(crate) fn spawn_local<'env, T: ToNapiValue + 'static>(
    env: &'env Env,
    future: impl Future<Output = Result<T>> + 'static,
) -> Result<PromiseRaw<'env, T>> {
    let raw = env.raw();
    let (mut deferred, mut promise) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: `env` belongs to the N-API callback that is running.
    check_status!(unsafe { sys::napi_create_promise(raw, &mut deferred, &mut promise) })?;
    let task = Rc::new(Task {
        env: *env,
        deferred,
        // SAFETY: `env` outlives the task's last poll, since polls happen only inside its callbacks.
        future: RefCell::new(Some(Box::pin(async move { unsafe { T::to_napi_value(raw, future.await?) } }))),
        woken: Arc::new(Woken(AtomicBool::new(false))),
    });
    task.run();
    Ok(PromiseRaw::new(raw, promise))
}

/// The output is a handle, to be used before the callback that polls the future returns.
type LocalFuture = Pin<Box<dyn Future<Output = Result<sys::napi_value>>>>;

/// A spawned future. The reactions of the promises it awaits own it, so that it is freed with them when it is done, when
/// the garbage collector finds that they can never settle, and when the environment goes away. Then its own promise stays
/// pending, as that of an `async` function would.
pub(super) struct Task {
    env: Env,
    deferred: sys::napi_deferred,
    /// Empty once the promise is settled.
    future: RefCell<Option<LocalFuture>>,
    woken: Arc<Woken>,
}

impl Task {
    pub(super) fn current() -> Result<Rc<Self>> {
        CURRENT
            .with_borrow(Clone::clone)
            .ok_or_else(|| Error::new(Status::GenericFailure, "awaited outside of spawn_local".to_owned()))
    }

    /// Polls the future until it waits for something new. Call it in an N-API callback, on the JavaScript thread.
    pub(super) fn run(self: &Rc<Self>) {
        self.woken.wake_by_ref();
        // A callback can settle a promise while it is being called, that is, during a poll. The loop of that poll then
        // sees the flag.
        let Ok(mut slot) = self.future.try_borrow_mut() else { return };
        let Some(future) = slot.as_mut() else { return };
        let waker = Waker::from(self.woken.clone());
        let mut context = Context::from_waker(&waker);
        let previous = CURRENT.replace(Some(self.clone()));
        let mut outcome = None;
        while outcome.is_none() && self.woken.take() {
            outcome = match guarded(|| Ok(future.as_mut().poll(&mut context))) {
                Ok(Poll::Pending) => None,
                Ok(Poll::Ready(output)) => Some(output),
                Err(panic) => Some(Err(panic)),
            };
        }
        CURRENT.set(previous);
        if let Some(outcome) = outcome {
            *slot = None;
            drop(slot);
            self.settle(outcome);
        }
    }

    /// Statuses are not looked at: settling fails only when the environment is shutting down and nobody can notice.
    fn settle(&self, outcome: Result<sys::napi_value>) {
        let raw = self.env.raw();
        // SAFETY: this runs in a callback of `env`, on its thread, where the value's handle is alive. The deferred is
        // used once, because `run` has emptied the future's slot before.
        unsafe {
            match outcome {
                Ok(value) => {
                    sys::napi_resolve_deferred(raw, self.deferred, value);
                }
                Err(error) => {
                    if let Ok(reason) = Error::to_napi_value(raw, thrown_or(&self.env, error)) {
                        sys::napi_reject_deferred(raw, self.deferred, reason);
                    }
                }
            }
        }
    }
}

/// A waker may be called from any thread, so it only leaves a note; whoever completes what is awaited calls `run`.
struct Woken(AtomicBool);

impl Woken {
    fn take(&self) -> bool {
        self.0.swap(false, Ordering::Acquire)
    }
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.store(true, Ordering::Release);
    }
}
