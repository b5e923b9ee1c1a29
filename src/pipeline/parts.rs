//! Working on a long list in parts, each on a thread of its own.

use std::ops::Range;
use std::sync::OnceLock;
use std::thread;

/// UTF-16 code units, some 0.5 ms of reading, for which another thread pays.
const UNITS_PER_THREAD: usize = 256 * 1024;
/// More threads would wait for memory rather than read.
const MAX_THREADS: usize = 8;

/// What `work` makes of the items `0..count`, part by part in order: of all of them at once or, where there is much to
/// read, of successive ranges on several threads. `units` tells how much an item has to be read.
///
/// The threads end before this returns.
pub fn in_parts<T: Send>(
    count: usize,
    units: impl Fn(usize) -> usize,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let mut parts = parts(count, units).into_iter();
    let Some(first) = parts.next() else { return Vec::new() };
    let work = &work;
    thread::scope(|scope| {
        let others: Vec<_> =
            parts.map(|part| (part.clone(), thread::Builder::new().spawn_scoped(scope, move || work(part)))).collect();
        let mut results = vec![work(first)];
        for (part, thread) in others {
            // Where no thread could be had, or one failed, this one does the work (and fails the same way).
            results.push(thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_else(|| work(part)));
        }
        results
    })
}

/// What two pieces of work on the same `units` make, side by side where that pays.
pub fn both<A, B: Send>(units: usize, first: impl FnOnce() -> A, second: impl Fn() -> B + Sync) -> (A, B) {
    if units < UNITS_PER_THREAD || processors() < 2 {
        return (first(), second());
    }
    let work = &second;
    thread::scope(|scope| {
        let thread = thread::Builder::new().spawn_scoped(scope, work);
        let made = first();
        // Where no thread could be had, or it failed, this one does the work (and fails the same way).
        (made, thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_else(work))
    })
}

/// Successive ranges with about the same units, as many as there are to be threads.
fn parts(count: usize, units: impl Fn(usize) -> usize) -> Vec<Range<usize>> {
    let total: usize = (0..count).map(&units).sum();
    let threads = (total / UNITS_PER_THREAD).clamp(1, processors().min(MAX_THREADS));
    let mut parts = Vec::with_capacity(threads);
    let (mut start, mut read) = (0, 0);
    for index in 0..count {
        read += units(index);
        if read * threads >= total * (parts.len() + 1) && parts.len() + 1 < threads {
            parts.push(start..index + 1);
            start = index + 1;
        }
    }
    parts.push(start..count);
    parts
}

fn processors() -> usize {
    // Asking the system each time would cost as much as reading a short conversation.
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| thread::available_parallelism().map_or(1, |count| count.get()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_everything_once_and_in_order() {
        for (count, length) in [(0, 0), (1, 0), (1, 10_000_000), (7, 300_000), (1000, 5000), (20_000, 700)] {
            let covered: Vec<usize> = in_parts(count, |_| length, |part| part.collect::<Vec<_>>()).concat();
            assert_eq!(covered, (0..count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_failing_part_fails_the_caller() {
        let work = |part: Range<usize>| assert!(!part.contains(&900), "not this one");
        assert!(std::panic::catch_unwind(|| in_parts(1000, |_| 5000, work)).is_err());
    }
}
