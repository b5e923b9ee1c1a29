//! Metrics of how much a result retains.

mod facts;
mod structure;
mod table;

pub use facts::Facts;
pub use structure::structural_elements;
pub use table::{ENTITY_LIMIT, EntityId, EntityOverlay, EntityRange, EntityTable};

use crate::summarize::ScoreSignal;
use crate::text::Text;
use crate::text::masks::Scanned;

/// The features of a text that the metrics use.
#[derive(Clone, Copy, Debug)]
pub struct Traits {
    /// The first [`ENTITY_LIMIT`] distinct entities, in order.
    pub entities: EntityRange,
    /// Number of structural elements.
    pub structures: u32,
}

impl Traits {
    /// Returns these traits after all ranges of the table have moved by `count` positions.
    pub fn moved_by(self, count: u32) -> Self {
        Traits { entities: self.entities.moved_by(count), ..self }
    }

    /// The same with the entities at hand, which `table` has.
    pub fn listed(self, table: &EntityTable) -> ListedTraits<'_> {
        ListedTraits { entities: table.listed(self.entities), structures: self.structures }
    }

    /// Reads `text`, whose masks are in `scanned`. Score signals of its sentences are added to `signals`, if given.
    pub fn of(
        text: Text<'_>,
        scanned: Scanned<'_>,
        table: &mut EntityTable,
        signals: Option<&mut Vec<ScoreSignal>>,
    ) -> Self {
        let entities = table.list(text, scanned, ENTITY_LIMIT, signals);
        Traits { structures: structural_elements(scanned), entities }
    }
}

/// The four metrics, unrounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Share of the input's entities that the output contains.
    pub entity_retention: f64,
    /// Share of the input's structural elements that the output contains.
    pub structural_integrity: f64,
    /// Share of the output's entities whose message is still there under its id.
    pub reference_coherence: f64,
    /// The three above, weighted 0.4, 0.4 and 0.2.
    pub quality_score: f64,
}

const IN_INPUT: u8 = 1;
const IN_OUTPUT: u8 = 2;
/// In an input message whose id an output message has too.
const COHERENT: u8 = 4;

/// The traits of a text with its entities at hand.
#[derive(Clone, Copy, Debug)]
pub struct ListedTraits<'a> {
    /// See [`Traits::entities`].
    pub entities: &'a [EntityId],
    /// See [`Traits::structures`].
    pub structures: u32,
}

/// Compares input and output, whose entities have numbers below `count`. The flag of an input message tells whether the
/// output contains its id. Runs in time linear in the number of entities.
pub fn quality<'a>(
    count: usize,
    input: impl Iterator<Item = (ListedTraits<'a>, bool)>,
    output: impl Iterator<Item = ListedTraits<'a>>,
) -> Quality {
    let mut marks = vec![0u8; count];
    let mut mark_all = |traits: ListedTraits<'_>, mark: u8| {
        traits.entities.iter().for_each(|id| marks[id.index()] |= mark);
        u64::from(traits.structures)
    };
    let structures_in: u64 =
        input.map(|(traits, has_id)| mark_all(traits, if has_id { IN_INPUT | COHERENT } else { IN_INPUT })).sum();
    let structures_out: u64 = output.map(|traits| mark_all(traits, IN_OUTPUT)).sum();
    let count = |wanted: u8| marks.iter().filter(|&&mark| mark & wanted == wanted).count() as f64;
    let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 1.0 };
    let kept = count(IN_INPUT | IN_OUTPUT);
    let entity_retention = share(kept, count(IN_INPUT));
    let structural_integrity = f64::min(1.0, share(structures_out as f64, structures_in as f64));
    let reference_coherence = share(count(COHERENT | IN_OUTPUT), kept);
    let quality_score = f64::min(0.4 * entity_retention + 0.4 * structural_integrity + 0.2 * reference_coherence, 1.0);
    Quality { entity_retention, structural_integrity, reference_coherence, quality_score }
}
