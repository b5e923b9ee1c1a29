//! Values and costs of spans and message groups that no choice changes.

use super::groups::Groups;
use super::indices::{GroupIndex, ItemIndex};
use super::input::Costs;
use super::items::{Item, Items};
use super::passages::Passages;
use super::policy::policy;
use super::relevance::Relevance;
use super::vocabulary::Vocabulary;
use palimpsest_history::transcript::{Kind, Part, PartIndex, Role, Transcript};
use palimpsest_text::index::{IndexVec, to_u32};
use palimpsest_text::parallel::map_chunks;

/// Costs of a group, and its best spans.
#[derive(Debug, Default)]
pub struct GroupWeight {
    /// Tokens of the group with a mark in the place of all that can go.
    pub base_cost: f64,
    /// Tokens of these marks.
    pub marks: f64,
    /// The items of remarks, which stay with the group where there is room.
    pub remarks: Vec<ItemIndex>,
    /// Value of what stays with it of passages.
    pub passages: f64,
    /// Number of its other items.
    pub count: u32,
    /// The other items with the most value for their tokens while nothing is covered, at most as many as are weighed.
    pub best: Vec<ItemIndex>,
}

/// Values and costs that no choice changes.
#[derive(Debug, Default)]
pub struct Weights {
    /// For each item its value for the query, beside that of its words.
    pub asked: IndexVec<ItemIndex, f64>,
    /// For each item its value as a part of a passage.
    pub passages: IndexVec<ItemIndex, f64>,
    /// For each group.
    pub groups: IndexVec<GroupIndex, GroupWeight>,
}

impl Weights {
    /// Weighs the items and groups of a conversation.
    pub fn new(
        transcript: &Transcript,
        groups: &Groups,
        items: &Items,
        vocabulary: &Vocabulary,
        (relevance, passages): (&Relevance, &Passages),
        costs: &Costs,
    ) -> Self {
        let asked = relevance.values(&items.list, vocabulary.sum);
        let of_passages: IndexVec<ItemIndex, f64> =
            items.list.iter_enumerated().map(|(index, item)| passages.of_item(index, item.part) * item.cost).collect();
        let density = |index: ItemIndex| {
            let item = &items.list[index];
            let value: f64 = vocabulary.words[item.words].iter().map(|&word| vocabulary.values[word]).sum();
            (item.weight * value + asked[index] + of_passages[index]) / item.cost.max(1.0)
        };
        let weigh = |group: GroupIndex| {
            let (remarks, others): (Vec<PartIndex>, Vec<PartIndex>) =
                groups.parts(group, transcript).partition(|&part| is_remark(part, transcript, items));
            let items_of = |parts: Vec<PartIndex>| parts.into_iter().flat_map(|part| items.of_part[part]);
            let mut of_group: Vec<(f64, ItemIndex)> = items_of(others).map(|item| (density(item), item)).collect();
            let count = to_u32(of_group.len());
            if of_group.len() > policy().weights.most_first {
                of_group.select_nth_unstable_by(policy().weights.most_first, |a, b| {
                    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
                });
                of_group.truncate(policy().weights.most_first);
            }
            let (base_cost, marks) = base_cost(group, transcript, groups, items, costs);
            let best = of_group.into_iter().map(|(_, item)| item).collect();
            let fixed = groups.parts(group, transcript).map(|part| passages.of_part[part] * items.fixed[part]);
            let passages = fixed.sum();
            GroupWeight { base_cost, marks, passages, remarks: items_of(remarks).collect(), count, best }
        };
        let units = |group: GroupIndex| groups.parts(group, transcript).map(|part| transcript.text(part).len()).sum();
        let groups = map_chunks(
            groups.list.len(),
            |group| units(group.into()),
            |range| range.map(GroupIndex::from).map(weigh).collect::<Vec<_>>(),
        );
        Weights { asked, passages: of_passages, groups: groups.into_iter().flatten().collect() }
    }
}

fn is_remark(part: PartIndex, transcript: &Transcript, items: &Items) -> bool {
    let Part { kind, role, .. } = transcript.parts()[part];
    let tokens = items.list[items.of_part[part]].iter().map(|item| item.tokens);
    kind == Kind::Text && role == Role::Assistant && tokens.sum::<f64>() <= policy().weights.remark
}

/// The tokens of a group with a mark in the place of all that can go, and those of the marks.
fn base_cost(group: GroupIndex, transcript: &Transcript, groups: &Groups, items: &Items, costs: &Costs) -> (f64, f64) {
    let (mut tokens, mut marks) = (0.0, 0.0);
    for &message in &groups.list[group].messages {
        let mut own = costs.messages[message];
        let mut last = None;
        for part in transcript.parts_of(message) {
            own += items.fixed[part];
            for &Item { part, run, mark, .. } in &items.list[items.of_part[part]] {
                if last.replace((part, run)) != Some((part, run)) {
                    marks += mark;
                }
            }
        }
        tokens += own * costs.scale(message);
    }
    (tokens + marks, marks)
}
