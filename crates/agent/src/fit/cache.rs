//! The facts that all sessions of a process keep, within a bound.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::kept::KeptFacts;

/// Maximum memory of all kept facts, in bytes: those of some 300 sessions of 1 MB each.
const MAX_BYTES: usize = 128 << 20;

static CACHE: Mutex<FactsCache> = Mutex::new(FactsCache::new(MAX_BYTES));

/// Keeps the facts of one session until they are wanted again, unless others need the room. They go when it is dropped.
#[derive(Debug, Default)]
pub struct CacheHandle {
    /// The place of the last facts in the cache, whose lock guards it; 0 before the first.
    place: AtomicU64,
}

/// Facts in the order in which they came.
#[derive(Debug)]
struct FactsCache {
    facts: BTreeMap<u64, KeptFacts>,
    last: u64,
    bytes: usize,
    max: usize,
}

impl CacheHandle {
    /// Takes the facts; none where they went, or are in use.
    pub fn take(&self) -> KeptFacts {
        let mut cache = cache();
        cache.take(self.place.load(Ordering::Relaxed)).unwrap_or_default()
    }

    /// Keeps facts, in the place of those that were put before.
    pub fn put(&self, facts: KeptFacts) {
        let mut cache = cache();
        cache.take(self.place.load(Ordering::Relaxed));
        self.place.store(cache.put(facts), Ordering::Relaxed);
    }

    /// The memory that is kept, in bytes.
    pub fn size(&self) -> usize {
        let cache = cache();
        cache.facts.get(&self.place.load(Ordering::Relaxed)).map_or(0, KeptFacts::size)
    }
}

impl Drop for CacheHandle {
    fn drop(&mut self) {
        self.take();
    }
}

fn cache() -> MutexGuard<'static, FactsCache> {
    // Nothing panics while it is locked.
    CACHE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl FactsCache {
    const fn new(max: usize) -> Self {
        FactsCache { facts: BTreeMap::new(), last: 0, bytes: 0, max }
    }

    /// Adds facts and returns their place. Until there is room, the oldest go of those that take more than an equal share: a session takes no room from
    /// smaller ones.
    fn put(&mut self, facts: KeptFacts) -> u64 {
        self.last += 1;
        self.bytes += facts.size();
        self.facts.insert(self.last, facts);
        while self.bytes > self.max
            && let Some(place) = self.oldest_above(self.max / self.facts.len())
        {
            self.take(place);
        }
        self.last
    }

    fn oldest_above(&self, share: usize) -> Option<u64> {
        let mut above = self.facts.iter().filter(|(_, facts)| facts.size() > share);
        above.next().map(|(&place, _)| place)
    }

    fn take(&mut self, place: u64) -> Option<KeptFacts> {
        let facts = self.facts.remove(&place)?;
        self.bytes -= facts.size();
        Some(facts)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn those_within_an_equal_share_stay_and_of_the_others_the_latest(deeds in prop::collection::vec((0..12u64, 0..40usize), 0..60), max in 0..100usize) {
            let mut cache = FactsCache::new(max);
            let mut model: Vec<(u64, usize)> = Vec::new();
            for (place, words) in deeds {
                if words < 10 {
                    let taken = cache.take(place).map(|facts| facts.size());
                    let known = model.iter().position(|(other, _)| *other == place);
                    prop_assert_eq!(taken, known.map(|index| model.remove(index).1));
                } else {
                    model.push((cache.put(KeptFacts::of_size(words)), words));
                    while model.iter().map(|(_, size)| size).sum::<usize>() > max {
                        let count = model.len();
                        model.remove(model.iter().position(|(_, size)| size * count > max).unwrap());
                    }
                }
                let places: BTreeSet<u64> = cache.facts.keys().copied().collect();
                prop_assert_eq!(places, model.iter().map(|(place, _)| *place).collect());
                prop_assert_eq!(cache.bytes, model.iter().map(|(_, size)| size).sum::<usize>());
            }
        }
    }

    #[test]
    fn a_large_session_takes_no_room_from_small_ones() {
        let mut cache = FactsCache::new(20_000);
        let small: Vec<u64> = (0..1000).map(|_| cache.put(KeptFacts::of_size(16))).collect();
        for _ in 0..3 {
            cache.put(KeptFacts::of_size(15_000));
        }
        assert_eq!(cache.facts.keys().copied().collect::<Vec<_>>(), small);
        // Alone, it has all of the room; beside one of its size, the later one stays.
        let mut cache = FactsCache::new(20_000);
        let large = [15_000, 16_000].map(|size| cache.put(KeptFacts::of_size(size)));
        assert_eq!(cache.facts.keys().copied().collect::<Vec<_>>(), large[1..]);
    }

    #[test]
    fn a_handle_has_what_it_was_given_last_and_leaves_nothing() {
        let (handle, other) = (CacheHandle::default(), CacheHandle::default());
        other.put(KeptFacts::of_size(7));
        handle.put(KeptFacts::of_size(8));
        handle.put(KeptFacts::of_size(16));
        assert_eq!((handle.size(), other.size()), (16, 7));
        assert_eq!((handle.take().size(), handle.take().size(), handle.size()), (16, 0, 0));
        handle.put(KeptFacts::of_size(9));
        let place = handle.place.load(Ordering::Relaxed);
        drop(handle);
        assert!(cache().take(place).is_none());
        assert_eq!(other.take().size(), 7);
    }
}
