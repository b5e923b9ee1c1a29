//! Indices of one kind each: that of a message leads to no part, and a list says by which kind of index its entries are found.
//!
//! An index takes four bytes, because the engine keeps many: no list has 2³² entries, and no text as many code units. This is the one
//! place that converts them. For a position that is used at once, and kept nowhere, `usize` is simpler.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::{self, Deref, DerefMut};

/// A kind of index; see [`index_types`](crate::index_types).
pub trait Idx: Copy + Debug + Ord + From<usize> {
    /// The index with a number.
    fn new(number: u32) -> Self;

    /// Its number.
    fn number(self) -> u32;
}

/// A length or number of the engine's in four bytes.
///
/// # Panics
/// If it is 2³² or more.
#[inline]
pub fn to_u32(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2³²")
}

/// A number of four bytes as a length or position.
#[inline]
pub const fn to_usize(number: u32) -> usize {
    const { assert!(usize::BITS >= u32::BITS) };
    number as usize
}

/// Declares kinds of index. A position becomes one by `into`, which panics from 2³² on.
#[macro_export]
macro_rules! index_types {
    ($($(#[$about:meta])* $name:ident;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $crate::index::Idx for $name {
            #[inline]
            fn new(number: u32) -> Self {
                $name(number)
            }

            #[inline]
            fn number(self) -> u32 {
                self.0
            }
        }

        impl From<usize> for $name {
            #[inline]
            fn from(position: usize) -> Self {
                $name($crate::index::to_u32(position))
            }
        }

        impl $name {
            /// Its position in a list.
            #[inline]
            pub fn index(self) -> usize {
                $crate::index::to_usize(self.0)
            }

            /// The next one.
            #[inline]
            pub fn next(self) -> Self {
                $name(self.0 + 1)
            }

            /// The one before it.
            #[inline]
            pub fn before(self) -> Option<Self> {
                self.0.checked_sub(1).map($name)
            }
        }
    )*};
}

/// A range of indices or, where `I` counts code units, of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct IndexRange<I> {
    /// The first.
    pub start: I,
    /// The one after the last.
    pub end: I,
}

impl<I: Idx> IndexRange<I> {
    /// The positions.
    pub fn positions(self) -> ops::Range<usize> {
        to_usize(self.start.number())..to_usize(self.end.number())
    }

    /// Number of indices.
    pub fn len(self) -> usize {
        self.positions().len()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Whether an index is one of these.
    pub fn contains(self, index: I) -> bool {
        self.start <= index && index < self.end
    }

    /// The range in a list that is appended to one of `by` entries.
    pub fn shifted(self, by: I) -> Self {
        let shift = |index: I| I::new(by.number() + index.number());
        IndexRange { start: shift(self.start), end: shift(self.end) }
    }

    /// The indices, in order.
    pub fn iter(self) -> Indices<I> {
        Indices { left: self.start.number()..self.end.number(), kind: PhantomData }
    }
}

impl<I: Idx> From<ops::Range<usize>> for IndexRange<I> {
    fn from(range: ops::Range<usize>) -> Self {
        IndexRange { start: range.start.into(), end: range.end.into() }
    }
}

impl<I: Idx> IntoIterator for IndexRange<I> {
    type Item = I;
    type IntoIter = Indices<I>;

    fn into_iter(self) -> Indices<I> {
        self.iter()
    }
}

/// Indices, in order.
#[derive(Clone, Debug)]
pub struct Indices<I> {
    left: ops::Range<u32>,
    kind: PhantomData<I>,
}

impl<I: Idx> Iterator for Indices<I> {
    type Item = I;

    fn next(&mut self) -> Option<I> {
        self.left.next().map(I::new)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl<I: Idx> DoubleEndedIterator for Indices<I> {
    fn next_back(&mut self) -> Option<I> {
        self.left.next_back().map(I::new)
    }
}

impl<I: Idx> ExactSizeIterator for Indices<I> {}

/// A list whose entries are found by one kind of index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexVec<I, T> {
    list: Vec<T>,
    kind: PhantomData<I>,
}

impl<I: Idx, T> IndexVec<I, T> {
    /// Adds an entry and returns its index.
    pub fn push(&mut self, entry: T) -> I {
        let index = self.next_index();
        self.list.push(entry);
        index
    }

    /// The index of the next entry to be added.
    pub fn next_index(&self) -> I {
        I::from(self.list.len())
    }

    /// The entry at `index`, if there is one.
    pub fn get(&self, index: I) -> Option<&T> {
        self.list.get(to_usize(index.number()))
    }

    /// The same, to change.
    pub fn get_mut(&mut self, index: I) -> Option<&mut T> {
        self.list.get_mut(to_usize(index.number()))
    }

    /// The index of each entry.
    pub fn indices(&self) -> Indices<I> {
        Indices { left: 0..to_u32(self.list.len()), kind: PhantomData }
    }

    /// The range from `start` to the end.
    pub fn range_from(&self, start: I) -> IndexRange<I> {
        IndexRange { start, end: self.next_index() }
    }

    /// Each entry with its index.
    pub fn iter_enumerated(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator + Clone {
        self.indices().zip(&self.list)
    }
}

impl<I, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<I, T> From<Vec<T>> for IndexVec<I, T> {
    fn from(list: Vec<T>) -> Self {
        IndexVec { list, kind: PhantomData }
    }
}

impl<I, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<L: IntoIterator<Item = T>>(entries: L) -> Self {
        Vec::from_iter(entries).into()
    }
}

impl<I, T> IntoIterator for IndexVec<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

/// All that a vector can do. Only positions lead to no entry.
impl<I, T> Deref for IndexVec<I, T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.list
    }
}

impl<I, T> DerefMut for IndexVec<I, T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.list
    }
}

impl<I: Idx, T> ops::Index<I> for IndexVec<I, T> {
    type Output = T;

    fn index(&self, index: I) -> &T {
        &self.list[to_usize(index.number())]
    }
}

impl<I: Idx, T> ops::IndexMut<I> for IndexVec<I, T> {
    fn index_mut(&mut self, index: I) -> &mut T {
        &mut self.list[to_usize(index.number())]
    }
}

impl<I: Idx, T> ops::Index<IndexRange<I>> for IndexVec<I, T> {
    type Output = [T];

    fn index(&self, range: IndexRange<I>) -> &[T] {
        &self.list[range.positions()]
    }
}

impl<I: Idx, T> ops::IndexMut<IndexRange<I>> for IndexVec<I, T> {
    fn index_mut(&mut self, range: IndexRange<I>) -> &mut [T] {
        &mut self.list[range.positions()]
    }
}
