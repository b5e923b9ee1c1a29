//! The index of a history.

use std::mem::take;
use std::ops::Range;
use std::sync::OnceLock;

use memchr::memmem::Finder;

use super::exact::places_of;
use super::lists::Lists;
use super::sent::Sent;
use super::texts::HistoryTexts;
use palimpsest_text::parallel::map_read;
use palimpsest_text::{Text, Texts};

/// Share of its time for which a thread waits until its texts were read, about.
const READING: f64 = 0.25;

/// An index of a history, which grows and shrinks at its end.
#[derive(Debug, Default)]
pub struct Index {
    pub(super) texts: HistoryTexts,
    /// By part: the part of the call that it answers.
    pub(super) calls: Vec<Option<u32>>,
    pub(super) lists: Lists,
    pub(super) sent: Sent,
    /// By unit: whether the request lacks it; see [`Index::gone`].
    pub(super) gone: OnceLock<Vec<bool>>,
}

impl Index {
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds parts whose texts have these lengths. `read` adds the texts of some of them to others; `call_of` returns the part of the call that
    /// the nth of them answers, and `name_of` the name of the tool that it calls, by whose words it is found, too. Takes time linear in the
    /// lengths. Long histories are read on several threads, each of which begins as soon as its texts were read.
    ///
    /// # Errors
    ///
    /// If `read` fails; then nothing is added.
    pub fn append<'n, E>(
        &mut self,
        lengths: &[u32],
        read: impl Fn(Range<usize>, &mut Texts) -> Result<(), E>,
        call_of: impl Fn(usize) -> Option<u32>,
        name_of: impl Fn(usize) -> Option<Text<'n>> + Sync,
    ) -> Result<(), E> {
        let first = self.len();
        self.gone.take();
        let add = |lists: &mut Lists, texts: &Texts, start: usize, chunk: Range<usize>| {
            lists.reserve((start..texts.len()).map(|place| texts.length(place)).sum());
            let mut buffer = Vec::new();
            for (place, number) in (start..).zip(chunk) {
                lists.add(texts.get(place).in_full(&mut buffer), name_of(number));
            }
        };
        let own = |chunk: Range<usize>| {
            let texts = self.texts.last();
            let start = texts.len();
            read(chunk.clone(), texts)?;
            add(&mut self.lists, texts, start, chunk);
            Ok(())
        };
        let read_apart = |chunk: Range<usize>| {
            let mut texts = Texts::compact(0, 0);
            read(chunk, &mut texts)?;
            Ok(texts)
        };
        let length = |number: usize| lengths[number] as usize;
        let others = map_read(lengths.len(), length, READING, own, read_apart, |chunk, texts| {
            let mut lists = Lists::default();
            add(&mut lists, texts, 0, chunk);
            lists
        });
        let others = others.inspect_err(|_| self.truncate(first))?;
        for (texts, lists) in others {
            self.texts.push(texts);
            self.lists.join(lists);
        }
        let call_of = |number| call_of(number).filter(|&call| (call as usize) < first + number);
        self.calls.extend((0..lengths.len()).map(call_of));
        Ok(())
    }

    /// Removes all parts but the first `count`.
    pub fn truncate(&mut self, count: usize) {
        self.gone.take();
        let is_kept = |&part: &u32| (part as usize) < count;
        let (kept, removed): (Vec<u32>, Vec<u32>) = take(&mut self.sent.parts).into_iter().partition(is_kept);
        self.sent.parts = kept;
        let mut buffer = Vec::new();
        // The request still contains their texts.
        removed.into_iter().for_each(|part| self.sent.push(self.texts.whole(part, &mut buffer)));
        self.texts.truncate(count);
        self.calls.truncate(count);
        self.lists.truncate(count);
    }

    /// Sets what the request contains: these parts of the history, and these texts. Passages are looked for in what it lacks.
    pub fn set_sent(&mut self, mut parts: Vec<u32>, texts: &Texts) {
        parts.retain(|&part| (part as usize) < self.len());
        self.sent = Sent::new(parts, texts);
        self.gone.take();
    }

    /// Whether the request lacks each unit. Found when it is first asked for.
    pub(super) fn gone(&self) -> &[bool] {
        self.gone.get_or_init(|| {
            let mut sent = self.sent.units.clone();
            sent.reserve(self.sent.parts.iter().map(|&part| self.lists.all_of(part).len()).sum());
            for &part in &self.sent.parts {
                sent.extend(self.lists.all_of(part).iter().map(|unit| unit.hash));
            }
            self.lists.units.iter().map(|unit| !sent.contains(&unit.hash)).collect()
        })
    }

    /// Whether the request contains a text.
    pub(super) fn was_sent(&self, text: Text<'_>) -> bool {
        let finder = Finder::new(text.bytes());
        let mut buffer = Vec::new();
        let parts = self.sent.parts.iter().map(|&part| self.texts.place_of(part));
        let others = (0..self.sent.texts.len()).map(|number| (&self.sent.texts, number));
        parts.chain(others).any(|(texts, number)| {
            // Only the bytes of ASCII stand for nothing else.
            finder.find(texts.get(number).bytes()).is_some()
                && (text.units().is_none() || !places_of(text, texts.get(number).in_full(&mut buffer)).is_empty())
        })
    }

    /// The folded bytes of the text of a part.
    pub(super) fn bytes(&self, part: u32) -> &[u8] {
        self.texts.bytes(part)
    }

    /// End of a unit in the text of its part.
    pub(super) fn end_of(&self, unit: u32) -> usize {
        let part = self.lists.units[unit as usize].part;
        let next = self.lists.units.get(unit as usize + 1).filter(|next| next.part == part);
        next.map_or_else(|| self.bytes(part).len(), |next| next.start as usize)
    }
}
