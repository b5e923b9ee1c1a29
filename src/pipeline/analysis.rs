//! Reading every text once: what its content says about its route, and its traits.
//!
//! What is found in a text depends on nothing else, so long conversations are read on several threads, each a part of
//! the messages of about the same length. The result is the same as on one.

use std::ops::Range;
use std::sync::OnceLock;

use super::route::{Content, WantedReasons};
use crate::message::Conversation;
use crate::quality::{EntityTable, Traits};
use crate::text::masks::Scratch;

/// UTF-16 code units, some 0.5 ms of reading, for which another thread pays.
const UNITS_PER_THREAD: usize = 256 * 1024;
/// More threads would wait for memory rather than read.
const MAX_THREADS: usize = 8;

/// What was found in a part of a conversation.
#[derive(Default)]
pub struct Analysis {
    /// For each text what it says about its route, where that was asked for.
    pub contents: Vec<Option<Content>>,
    /// For each text its traits.
    pub traits: Vec<Traits>,
    /// Their entities.
    pub entities: EntityTable,
}

/// Reads all of `conversation`; the content only of texts for which `wants_content`.
pub fn analyse(conversation: &Conversation, wants_content: &[bool], wanted: WantedReasons) -> Analysis {
    let mut parts = parts(conversation).into_iter();
    let read = |part| read_part(conversation, part, wants_content, wanted);
    let Some(first) = parts.next() else { return Analysis::default() };
    std::thread::scope(|scope| {
        let others: Vec<_> = parts
            .map(|part| (part.clone(), std::thread::Builder::new().spawn_scoped(scope, move || read(part))))
            .collect();
        let mut analysis = read(first);
        for (part, thread) in others {
            // Where no thread could be had, or one failed, this one does the work (and fails the same way).
            let found = thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_else(|| read(part));
            analysis.append(found);
        }
        analysis
    })
}

impl Analysis {
    /// Appends what was found in the messages that follow.
    fn append(&mut self, next: Analysis) {
        let listings = self.entities.absorb(&next.entities);
        self.contents.extend(next.contents);
        self.traits.extend(
            next.traits.into_iter().map(|traits| Traits { entities: traits.entities.moved_by(listings), ..traits }),
        );
    }
}

fn read_part(
    conversation: &Conversation,
    part: Range<usize>,
    wants_content: &[bool],
    wanted: WantedReasons,
) -> Analysis {
    let mut analysis = Analysis::default();
    let mut scratch = Scratch::default();
    for index in part {
        let text = conversation.text(index);
        let scanned = scratch.scan(text.bytes());
        analysis.contents.push(wants_content[index].then(|| Content::of(scanned, wanted)));
        analysis.traits.push(Traits::of(text, scanned, &mut analysis.entities));
    }
    analysis
}

/// Successive parts of about the same length, as many as there are to be threads.
fn parts(conversation: &Conversation) -> Vec<Range<usize>> {
    let units: usize = (0..conversation.len()).map(|index| conversation.text(index).len()).sum();
    let threads = (units / UNITS_PER_THREAD).clamp(1, processors().min(MAX_THREADS));
    let mut parts = Vec::with_capacity(threads);
    let (mut start, mut read) = (0, 0);
    for index in 0..conversation.len() {
        read += conversation.text(index).len();
        if read * threads >= units * (parts.len() + 1) && parts.len() + 1 < threads {
            parts.push(start..index + 1);
            start = index + 1;
        }
    }
    parts.push(start..conversation.len());
    parts
}

fn processors() -> usize {
    // Asking the system each time would cost as much as reading a short conversation.
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| std::thread::available_parallelism().map_or(1, |count| count.get()))
}
