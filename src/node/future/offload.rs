//! CPU work on another thread.
use napi::bindgen_prelude::JsValue;
use napi::{Env, Result, Task};
use tokio::sync::oneshot;

use super::failure::guarded;
use super::promise::{settled, settlement};

/// Runs `work` on libuv's thread pool, from the first poll on, and waits for its result; a panic becomes an `Err`.
///
/// A round trip takes about 30 µs, and the pool has four threads for the whole process unless its owner set another
/// number: this is for work that would hold up the event loop. Work that has begun can't be stopped, and Node waits for it
/// before it exits.
pub(crate) async fn offload<T: Send + 'static>(env: Env, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let (sender, receiver) = oneshot::channel();
    let run = move || {
        // Nobody receives it if the future is gone.
        let _ = sender.send(guarded(|| Ok(work())));
    };
    let done = {
        let promise = env.spawn(Work(Some(run)))?.promise_object();
        settlement(&env, promise.to_unknown(), |_, _| Ok(()))?
    };
    settled(done).await?;
    settled(receiver).await
}

/// The result doesn't travel through `napi`, which could only make a JavaScript value of it.
struct Work<F>(Option<F>);

impl<F: FnOnce() + Send> Task for Work<F> {
    type Output = ();
    type JsValue = ();

    fn compute(&mut self) -> Result<()> {
        if let Some(run) = self.0.take() {
            run();
        }
        Ok(())
    }

    fn resolve(&mut self, _: Env, (): ()) -> Result<()> {
        Ok(())
    }
}
