//! Callbacks that run concurrently, up to a limit.
use std::future::{Future, ready};

use futures_util::{StreamExt, TryFutureExt, TryStreamExt, stream};
use napi::Result;

/// Runs `start(0)`, `start(1)`, … `start(count - 1)`, never more than `limit` (at least 1) at once, and returns their
/// outputs by index.
///
/// They are started strictly in order, each as soon as the limit allows. After the first `Err`, which is the result, no
/// other is started, and those under way are dropped. To survive errors, let `start` wrap them in `Ok`.
pub(crate) async fn map_concurrently<T, F: Future<Output = Result<T>>>(
    count: usize,
    limit: usize,
    start: impl Fn(usize) -> F,
) -> Result<Vec<T>> {
    let mut outputs: Vec<Option<T>> = std::iter::repeat_with(|| None).take(count).collect();
    stream::iter(0..count)
        .map(|index| start(index).map_ok(move |output| (index, output)))
        // In the order of completion: a slow one at the front would otherwise block those after it.
        .buffer_unordered(limit.max(1))
        .try_for_each(|(index, output)| {
            outputs[index] = Some(output);
            ready(Ok(()))
        })
        .await?;
    Ok(outputs.into_iter().flatten().collect())
}
