//! The newest list or plan of what is to be done.

use rustc_hash::FxHashMap;

use super::{Duty, Obligation, Reading};
use crate::fit::indices::ItemIndex;
use palimpsest_history::transcript::{Kind, PartIndex};
use palimpsest_world::plans::{PlanCall, created_task, is_closed_entry, plan_call};

pub(super) fn read(reading: Reading<'_>, list: &mut Vec<Obligation>) {
    let transcript = reading.transcript;
    let mut newest: Option<PartIndex> = None;
    let mut added: Vec<(PartIndex, bool)> = Vec::new();
    let mut by_task: FxHashMap<String, usize> = FxHashMap::default();
    for (part, here) in transcript.parts().iter_enumerated() {
        match here.kind {
            Kind::Call => match plan_call(transcript.name(part), transcript.text(part)) {
                Some(PlanCall::State) => newest = Some(part),
                Some(PlanCall::Add) => added.push((part, true)),
                Some(PlanCall::Change { task, is_closed }) => {
                    if let Some(&place) = by_task.get(&task) {
                        added[place].1 = !is_closed;
                    }
                }
                None => {}
            },
            Kind::Result => {
                let place = here.call.and_then(|call| added.binary_search_by_key(&call, |&(part, _)| part).ok());
                if let Some(place) = place
                    && let Some(task) = created_task(transcript.text(part))
                {
                    by_task.insert(task, place);
                }
            }
            _ => {}
        }
    }
    let open = added.into_iter().filter(|(_, is_open)| *is_open).map(|(part, _)| part);
    for part in newest.into_iter().chain(open) {
        let mut obligation = Obligation::new(Duty::State, part);
        let entries = reading.items.of_part[part].iter();
        let (closed, open): (Vec<ItemIndex>, Vec<ItemIndex>) =
            entries.partition(|&item| is_closed_entry(reading.text(item)));
        let [named, _, rest] = &mut obligation.levels;
        (*named, *rest) = (open, closed);
        list.push(obligation);
    }
}
