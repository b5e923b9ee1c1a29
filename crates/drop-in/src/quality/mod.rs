//! Metrics of how much a result retains.

mod facts;
mod structure;
mod table;

pub use facts::Facts;
pub use structure::structural_elements;
pub use table::{ENTITY_LIMIT, EntityId, EntityRange, EntityTable};

use palimpsest_text::Text;
use palimpsest_text::masks::Scanned;

/// The features of a text that the metrics use.
#[derive(Clone, Copy, Debug)]
pub struct Traits {
    /// The first [`ENTITY_LIMIT`] distinct entities, in order.
    pub entities: EntityRange,
    /// Number of structural elements.
    pub structures: u32,
}

impl Traits {
    /// Reads `text`, whose masks are in `scanned`.
    pub fn of(text: Text<'_>, scanned: Scanned<'_>, table: &mut EntityTable) -> Self {
        let entities = table.list(text, scanned, ENTITY_LIMIT, None);
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

/// Compares input and output, whose entities are in `table`. The flag of an input message tells whether the output contains
/// its id. Runs in time linear in the number of entities.
pub fn quality(
    table: &EntityTable,
    input: impl Iterator<Item = (Traits, bool)>,
    output: impl Iterator<Item = Traits>,
) -> Quality {
    let mut marks = vec![0u8; table.len()];
    let mut mark_all = |traits: Traits, mark: u8| {
        table.listed(traits.entities).iter().for_each(|id| marks[id.index()] |= mark);
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
