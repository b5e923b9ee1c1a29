//! Splits long lists into chunks and processes each on its own thread.

use std::ops::Range;
use std::sync::OnceLock;
use std::thread;

/// Minimum work per thread in UTF-16 code units: about 0.5 ms of reading, which outweighs the cost of a thread.
const UNITS_PER_THREAD: usize = 256 * 1024;
/// Maximum threads per call; more would only wait for memory.
const MAX_THREADS: usize = 8;

/// Applies `work` to successive ranges that cover `0..count` and returns the results in order. Short lists are one
/// range; long lists are split between several threads, which end before this returns. `units` returns the length of
/// an item in UTF-16 code units.
///
/// # Panics
/// If `work` panics.
pub fn map_chunks<T: Send>(
    count: usize,
    units: impl Fn(usize) -> usize,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let mut chunks = chunks(count, units).into_iter();
    let Some(first) = chunks.next() else { return Vec::new() };
    let work = &work;
    thread::scope(|scope| {
        let others: Vec<_> = chunks
            .map(|chunk| (chunk.clone(), thread::Builder::new().spawn_scoped(scope, move || work(chunk))))
            .collect();
        let mut results = vec![work(first)];
        for (chunk, thread) in others {
            // If no thread could be started, or one panicked, this thread does the work (and panics the same way).
            results.push(thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_else(|| work(chunk)));
        }
        results
    })
}

/// Runs two pieces of work on the same `units` and returns both results; in parallel if `units` are many.
///
/// # Panics
/// If `first` or `second` panics.
pub fn join<A, B: Send>(units: usize, first: impl FnOnce() -> A, second: impl Fn() -> B + Sync) -> (A, B) {
    if units < UNITS_PER_THREAD || processors() < 2 {
        return (first(), second());
    }
    let work = &second;
    thread::scope(|scope| {
        let thread = thread::Builder::new().spawn_scoped(scope, work);
        let made = first();
        // If no thread could be started, or it panicked, this thread does the work (and panics the same way).
        (made, thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_else(work))
    })
}

/// Splits `0..count` into one range per thread, with about the same number of units each.
fn chunks(count: usize, units: impl Fn(usize) -> usize) -> Vec<Range<usize>> {
    let total: usize = (0..count).map(&units).sum();
    let threads = (total / UNITS_PER_THREAD).clamp(1, processors().min(MAX_THREADS));
    let mut chunks = Vec::with_capacity(threads);
    let (mut start, mut read) = (0, 0);
    for index in 0..count {
        read += units(index);
        if read * threads >= total * (chunks.len() + 1) && chunks.len() + 1 < threads {
            chunks.push(start..index + 1);
            start = index + 1;
        }
    }
    chunks.push(start..count);
    chunks
}

fn processors() -> usize {
    // A query to the system each time would cost as much as reading a short conversation.
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| thread::available_parallelism().map_or(1, |count| count.get()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_cover_everything_once_and_in_order() {
        for (count, length) in [(0, 0), (1, 0), (1, 10_000_000), (7, 300_000), (1000, 5000), (20_000, 700)] {
            let covered: Vec<usize> = map_chunks(count, |_| length, |chunk| chunk.collect::<Vec<_>>()).concat();
            assert_eq!(covered, (0..count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_failing_chunk_fails_the_caller() {
        let work = |chunk: Range<usize>| assert!(!chunk.contains(&900), "not this one");
        assert!(std::panic::catch_unwind(|| map_chunks(1000, |_| 5000, work)).is_err());
    }
}
