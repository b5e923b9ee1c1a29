//! Splits long lists into chunks and processes each on its own thread, or hands over work to another one.

use std::iter;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{LazyLock, OnceLock};
use std::thread;

use helpers::{CAN_HELP, Helpers, Pool, receive};

mod helpers;

/// Minimum work per thread in UTF-16 code units: about 0.5 ms of reading, which outweighs the cost of a thread.
const UNITS_PER_THREAD: usize = 256 * 1024;
/// Work that is handed over together, in UTF-16 code units: it fits into the cache of a processor, and takes far longer than waking a thread.
const UNITS_PER_PIECE: usize = 64 * 1024;
/// Pieces for each thread: so many that all threads end nearly together, and so few that their results take no time to put together.
const PIECES_PER_THREAD: usize = 8;
/// Minimum work that is handed over, in UTF-16 code units: folding takes a tenth of the time that [`UNITS_PER_THREAD`] is about.
const MIN_HANDED: usize = 12 * UNITS_PER_THREAD;
/// Maximum threads per call; more would only wait for memory.
const MAX_THREADS: usize = 8;

// A query to the system each time would cost as much as reading a short conversation.
static PROCESSORS: LazyLock<usize> = LazyLock::new(|| thread::available_parallelism().map_or(1, |count| count.get()));

/// Helpers of all calls of this process: one per processor, and none where a lone processor has nothing to gain.
static HELPERS: LazyLock<Pool> = LazyLock::new(|| Pool::new(if *PROCESSORS > 1 { *PROCESSORS } else { 0 }));

/// Takes up to `wanted` helpers, but fewer than there are processors. A call that wants none doesn't count these: what limits them stands in
/// files of the system, which the first call would read.
fn take_helpers(wanted: usize) -> Helpers<'static> {
    static NONE: Pool = Pool::new(0);
    if wanted == 0 || !CAN_HELP { NONE.take(0) } else { HELPERS.take(wanted.min(*PROCESSORS - 1)) }
}

/// Applies `work` to successive ranges that cover `0..count` and returns the results in order. Short lists are one range. Long ones are
/// several, which each thread takes when it is done with its last: one that the system starts late leaves more of them to the others.
/// `units` returns the length of an item in UTF-16 code units.
///
/// # Panics
/// If `work` panics.
pub fn map_chunks<T: Send>(
    count: usize,
    units: impl Fn(usize) -> usize,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let total: usize = (0..count).map(&units).sum();
    let helpers = take_helpers(helpers_for(total, 2 * UNITS_PER_PIECE));
    if helpers.count() == 0 {
        return vec![work(0..count)];
    }
    let pieces = (total / UNITS_PER_PIECE).min(PIECES_PER_THREAD * (helpers.count() + 1));
    let pieces = chunks(count, total, units, &vec![1.0; pieces]);
    let taken = in_turns(&helpers, pieces.len(), |numbers| {
        numbers.map(|number| (number, work(pieces[number].clone()))).collect::<Vec<_>>()
    });
    let mut results: Vec<Option<T>> = pieces.iter().map(|_| None).collect();
    for (number, result) in taken.into_iter().flatten() {
        results[number] = Some(result);
    }
    results.into_iter().flatten().collect()
}

/// [`map_chunks`] where the thread of the call has to `read` what the others work on, each from then on. It does the work of the first range itself,
/// by `own`, when all others have begun. `reading` is the share that reading takes of the time for a range: later ones are shorter. Returns
/// what was read, and the results.
///
/// # Errors
/// If `own` or `read` fails.
///
/// # Panics
/// If `own`, `read` or `work` panics.
pub fn map_read<R: Send + Sync, T: Send, E>(
    count: usize,
    units: impl Fn(usize) -> usize,
    reading: f64,
    own: impl FnOnce(Range<usize>) -> Result<(), E>,
    read: impl Fn(Range<usize>) -> Result<R, E>,
    work: impl Fn(Range<usize>, &R) -> T + Sync,
) -> Result<Vec<(R, T)>, E> {
    let total: usize = (0..count).map(&units).sum();
    let helpers = take_helpers(helpers_for(total, UNITS_PER_THREAD));
    let mut chunks = chunks(count, total, units, &shares(helpers.count() + 1, reading)).into_iter();
    let Some(first) = chunks.next() else { return Ok(Vec::new()) };
    let others: Vec<(Range<usize>, OnceLock<R>)> = chunks.map(|chunk| (chunk, OnceLock::new())).collect();
    if helpers.count() == 0 {
        return own(first).map(|()| Vec::new());
    }
    let work = &work;
    let mut results: Vec<Option<T>> = others.iter().map(|_| None).collect();
    helpers.scope(|scope| {
        for ((chunk, place), result) in others.iter().zip(&mut results) {
            let given = read(chunk.clone())?;
            let given = place.get_or_init(|| given);
            scope.hand(move || *result = Some(work(chunk.clone(), given)));
        }
        own(first)
    })?;
    let results = results.into_iter().flatten();
    Ok(others.into_iter().filter_map(|(_, place)| place.into_inner()).zip(results).collect())
}

/// Several threads take the indices of a list one after the other, so that none waits long for a slower one. `work` is called once on
/// each thread, with the indices that it takes, which ascend. Returns what each call made. `units` returns the length of an item in UTF-16
/// code units.
///
/// # Panics
/// If `work` panics.
pub fn share<T: Send>(
    count: usize,
    units: impl Fn(usize) -> usize,
    work: impl Fn(&mut dyn Iterator<Item = usize>) -> T + Sync,
) -> Vec<T> {
    let helpers = take_helpers(helpers_for((0..count).map(units).sum(), UNITS_PER_THREAD));
    in_turns(&helpers, count, work)
}

/// [`share`] with these helpers.
fn in_turns<T: Send>(
    helpers: &Helpers<'_>,
    count: usize,
    work: impl Fn(&mut dyn Iterator<Item = usize>) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let take =
        || work(&mut iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&index| index < count)));
    if helpers.count() == 0 {
        return vec![take()];
    }
    let mut others: Vec<Option<T>> = (0..helpers.count()).map(|_| None).collect();
    let take = &take;
    let own = helpers.scope(|scope| {
        others.iter_mut().for_each(|other| scope.hand(|| *other = Some(take())));
        take()
    });
    iter::once(own).chain(others.into_iter().flatten()).collect()
}

/// Runs two pieces of work on the same `units` and returns both results; in parallel if `units` are many.
///
/// # Panics
/// If `first` or `second` panics.
pub fn join<A, B: Send>(units: usize, first: impl FnOnce() -> A, second: impl Fn() -> B + Sync) -> (A, B) {
    let helpers = take_helpers(usize::from(units >= UNITS_PER_THREAD));
    if helpers.count() == 0 {
        return (first(), second());
    }
    let mut other = None;
    let made = helpers.scope(|scope| {
        scope.hand(|| other = Some(second()));
        first()
    });
    (made, other.expect("the scope waited for it"))
}

/// Runs `make`, which hands over pieces of work on the same `units`, and `take` for each of them in order; on another thread if `units`
/// are many. `make` gets the number of units that are worth handing over together, which is 0 where the same thread takes them. `take`
/// leaves a piece as `make` gets it back, to use its memory again.
///
/// # Panics
/// If `make` or `take` panics.
// Only exports hand work over.
pub fn pipeline<T: Default + Send, R>(
    units: usize,
    make: impl FnOnce(usize, &mut dyn FnMut(&mut T)) -> R,
    mut take: impl FnMut(&mut T) + Send,
) -> R {
    let helpers = take_helpers(usize::from(units >= MIN_HANDED));
    if helpers.count() == 0 {
        return make(0, &mut take);
    }
    helpers.scope(|scope| {
        // One piece waits while another one is taken.
        let (pieces, given) = mpsc::sync_channel::<T>(1);
        let (done, used) = mpsc::channel();
        scope.hand(move || take_each(&given, &done, take));
        make(UNITS_PER_PIECE, &mut |piece| {
            let full = std::mem::replace(piece, used.try_recv().unwrap_or_default());
            // Where the helper panicked, this thread does so at the end.
            _ = pieces.send(full);
        })
    })
}

/// Runs `take` for each piece that is given, and gives it back to be used again.
fn take_each<T>(given: &Receiver<T>, done: &Sender<T>, mut take: impl FnMut(&mut T)) {
    while let Some(mut piece) = receive(given) {
        take(&mut piece);
        // Nobody waits for the last ones.
        _ = done.send(piece);
    }
}

/// The number of threads that work of so many `units` is worth beside that of the call.
fn helpers_for(units: usize, per_thread: usize) -> usize {
    (units / per_thread).clamp(1, MAX_THREADS) - 1
}

/// The shares of threads of which all but the first begin one after the other, and the first after them.
fn shares(threads: usize, reading: f64) -> Vec<f64> {
    let order = (0..threads).map(|thread| (thread + threads - 1) % threads);
    order.map(|place| (1.0 - reading).powi(place as i32)).collect()
}

/// Splits `0..count` into a range for each of `shares` of the `total` units, about.
fn chunks(count: usize, total: usize, units: impl Fn(usize) -> usize, shares: &[f64]) -> Vec<Range<usize>> {
    let mut chunks = Vec::with_capacity(shares.len());
    let unit = total as f64 / shares.iter().sum::<f64>();
    let mut limit = shares[0] * unit;
    let (mut start, mut read) = (0, 0);
    for index in 0..count {
        read += units(index);
        if read as f64 >= limit && chunks.len() + 1 < shares.len() {
            chunks.push(start..index + 1);
            start = index + 1;
            limit += shares[chunks.len()] * unit;
        }
    }
    chunks.push(start..count);
    chunks
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::convert::Infallible;
    use std::thread::ThreadId;

    use super::*;

    #[test]
    fn chunks_cover_everything_once_and_in_order() {
        for (count, length) in [(0, 0), (1, 0), (1, 10_000_000), (7, 300_000), (1000, 5000), (20_000, 700)] {
            let covered: Vec<usize> = map_chunks(count, |_| length, |chunk| chunk.collect::<Vec<_>>()).concat();
            assert_eq!(covered, (0..count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_is_read_is_worked_on_once_and_in_order() {
        for (count, length, reading) in [(0, 0, 0.5), (1, 10_000_000, 0.0), (1000, 5000, 0.25), (20_000, 700, 0.9)] {
            let mut first = Vec::new();
            let own = |chunk: Range<usize>| {
                first.extend(chunk);
                Ok::<(), Infallible>(())
            };
            let read = |chunk: Range<usize>| Ok(chunk.map(|index| 3 * index).collect::<Vec<_>>());
            let work = |_, read: &Vec<usize>| read.iter().map(|given| given / 3).collect::<Vec<_>>();
            let Ok(others) = map_read(count, |_| length, reading, own, read, work);
            first.extend(others.into_iter().flat_map(|(_, worked)| worked));
            assert_eq!(first, (0..count).collect::<Vec<_>>());
        }
        // Other tests may have taken all threads.
        let reads = Cell::new(0);
        let failing = |_| -> Result<(), i32> {
            reads.set(reads.get() + 1);
            Err(3)
        };
        let failed = map_read(1000, |_| 5000, 0.25, |_| Ok(()), failing, |_, ()| ());
        assert_eq!(failed, if reads.get() > 0 { Err(3) } else { Ok(Vec::new()) });
        assert!(reads.get() <= 1, "nothing is read after a failure");
        assert_eq!(map_read(1000, |_| 5000, 0.25, |_| Err(7), |_| Ok(()), |_, ()| ()), Err(7));
    }

    #[test]
    fn what_is_shared_is_taken_once_by_each_in_order() {
        for (count, length) in [(0, 0), (1, 10_000_000), (1000, 5000), (20_000, 700)] {
            let taken = share(count, |_| length, |indices| indices.collect::<Vec<_>>());
            assert!(taken.iter().all(|indices| indices.is_sorted()));
            let mut all = taken.concat();
            all.sort_unstable();
            assert_eq!(all, (0..count).collect::<Vec<_>>());
        }
        let failing =
            |indices: &mut dyn Iterator<Item = usize>| indices.for_each(|index| assert!(index != 900, "not this one"));
        assert!(std::panic::catch_unwind(|| share(1000, |_| 5000, failing)).is_err());
    }

    #[test]
    fn a_failing_chunk_fails_the_caller() {
        let work = |chunk: Range<usize>| assert!(!chunk.contains(&900), "not this one");
        assert!(std::panic::catch_unwind(|| map_chunks(1000, |_| 5000, work)).is_err());
    }

    #[test]
    fn pieces_are_taken_in_order_and_come_back_empty() {
        for units in [0, MIN_HANDED] {
            let mut taken = Vec::new();
            let make = |_, hand: &mut dyn FnMut(&mut Vec<usize>)| {
                let mut piece = Vec::new();
                for number in 0..1000 {
                    assert!(piece.is_empty());
                    piece.extend([number, number]);
                    hand(&mut piece);
                }
                "made"
            };
            assert_eq!(pipeline(units, make, |piece| taken.append(piece)), "made");
            assert!(taken.into_iter().eq((0..2000).map(|at| at / 2)));
        }
    }

    #[test]
    fn a_piece_that_fails_fails_the_caller() {
        for units in [0, MIN_HANDED] {
            let make = |_, hand: &mut dyn FnMut(&mut usize)| (0..1000).for_each(|mut number| hand(&mut number));
            let take = |number: &mut usize| assert!(std::mem::take(number) != 900, "not this one");
            assert!(std::panic::catch_unwind(|| pipeline(units, make, take)).is_err());
        }
    }

    /// Counts the helping threads that are at work, and the most that there ever were.
    #[derive(Default)]
    struct Counter {
        now: AtomicUsize,
        most: AtomicUsize,
    }

    impl Counter {
        fn count(&self, caller: ThreadId) {
            if thread::current().id() == caller {
                return;
            }
            self.most.fetch_max(self.now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            // Gives the other threads a chance to be at work as well.
            thread::yield_now();
            self.now.fetch_sub(1, Ordering::SeqCst);
        }
    }

    #[test]
    fn fifty_callers_together_start_no_more_threads_than_there_are_processors() {
        let counter = Counter::default();
        thread::scope(|scope| {
            for _ in 0..50 {
                scope.spawn(|| {
                    let caller = thread::current().id();
                    for _ in 0..20 {
                        let units = MAX_THREADS * UNITS_PER_THREAD / 100;
                        let done = map_chunks(100, |_| units, |chunk| chunk.map(|_| counter.count(caller)).count());
                        assert_eq!(done.into_iter().sum::<usize>(), 100);
                        join(UNITS_PER_THREAD, || (), || counter.count(caller));
                    }
                });
            }
        });
        assert!(counter.most.into_inner() <= *PROCESSORS);
    }
}
