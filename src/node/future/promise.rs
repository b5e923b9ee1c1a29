//! A JavaScript promise as a future.
use std::cell::Cell;
use std::rc::Rc;

use napi::bindgen_prelude::{CallbackContext, JsObjectValue, PromiseRaw};
use napi::{Env, Error, JsValue, Result, Status, Unknown, ValueType};
use tokio::sync::oneshot;

use super::failure::guarded;
use super::task::Task;

/// Returns whether `value` is a promise, or any object or function with a `then` method.
///
/// Fails if reading `then` throws. A foreign thenable's `then` is read a second time when it is adopted.
pub(super) fn is_thenable(value: Unknown) -> Result<bool> {
    if !matches!(value.get_type()?, ValueType::Object | ValueType::Function) {
        return Ok(false);
    }
    if value.is_promise()? {
        return Ok(true);
    }
    let then: Unknown = value.coerce_to_object()?.get_c_named_property_unchecked(c"then")?;
    Ok(then.get_type()? == ValueType::Function)
}

/// The outcome of a promise, once it is settled.
pub(super) type Settlement<T> = oneshot::Receiver<Result<T>>;

/// Makes the polled task wait for `value` as `await` does.
///
/// `read` takes what the task needs out of the value, inside the reaction, where the handle is alive.
pub(super) fn settlement<T: 'static>(
    env: &Env,
    value: Unknown,
    read: impl FnOnce(&Env, Unknown) -> Result<T> + 'static,
) -> Result<Settlement<T>> {
    let (sender, receiver) = oneshot::channel();
    // The first reaction takes everything, so that only two empty functions wait for the garbage collector.
    let waiting = Rc::new(Cell::new(Some((Task::current()?, sender, read))));
    let waiting_too = waiting.clone();
    // A promise of our own, whatever `value` is: so it settles once and not during this call, with something that isn't
    // itself a thenable, and `then` and `catch` are not those of a subclass.
    PromiseRaw::resolve(env, value)?
        .then(move |settled: CallbackContext<Unknown>| {
            if let Some((task, sender, read)) = waiting.take() {
                let _ = sender.send(guarded(|| read(&settled.env, settled.value)));
                task.run();
            }
            Ok(())
        })?
        .catch(move |settled: CallbackContext<Unknown>| {
            if let Some((task, sender, _)) = waiting_too.take() {
                let _ = sender.send(Err(Error::from_unknown_without_coercion(settled.value)));
                task.run();
            }
            Ok(())
        })?;
    Ok(receiver)
}

/// Waits for the settlement.
pub(super) async fn settled<T>(settlement: Settlement<T>) -> Result<T> {
    let lost = |_| Error::new(Status::GenericFailure, "a promise was garbage collected before it settled".to_owned());
    settlement.await.map_err(lost)?
}
