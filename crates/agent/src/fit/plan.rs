//! The plan: which spans and messages stay. First what has to, then the user's last words, the obligations, the instructions that came later, the
//! current exchange, the first message, the answer before the user's last one, the user's words and the newest passages as far as their shares go, and the
//! remarks beside them, then what adds the most value for its tokens.

use super::facts::is_users;
use super::fit_input::FitInput;
use super::greedy::{Queue, fill};
use super::groups::is_turn;
use super::indices::{GroupIndex, ItemIndex};
use super::input::{About, Note};
use super::keep_reason::KeepReason;
use super::passages::{self, Worth};
use super::policy::policy;
use super::state::State;
use palimpsest_history::transcript::{Kind, MessageIndex, Part, PartIndex};
use palimpsest_text::index::{IndexRange, IndexVec};

impl FitInput {
    /// Plans what stays within `limit` tokens if marks cost what they are estimated to, and returns the candidates that are left. Groups
    /// with a note are dropped if they may be.
    pub fn plan(&self, limit: f64, notes: &[Note]) -> (State<'_>, Queue) {
        planned(&self.keep_required(limit), limit, notes, &mut None)
    }

    /// The plan that keeps what has to stay, whatever the limit; to choose from within about `limit` tokens.
    pub fn keep_required(&self, limit: f64) -> State<'_> {
        let mut state = State::new(self);
        keep_required(&mut state);
        let keeps_newest = self.groups.list.indices().next_back().is_some_and(|last| self.required.whole[last]);
        state.passages = Worth::within(limit - state.tokens, keeps_newest);
        state
    }
}

/// The plan for a limit, from what has to stay on; see [`FitInput::plan`]. `seed` is the plan before, with the same notes, as it was before
/// anything of its candidates was kept: limits that differ a little often begin with the same.
pub(super) fn planned<'f>(
    required: &State<'f>,
    limit: f64,
    notes: &[Note],
    seed: &mut Option<(State<'f>, Queue)>,
) -> (State<'f>, Queue) {
    let mut closed = closed(required.input, notes);
    let mut state = required.clone();
    let before = state.tokens;
    keep_last_words(&mut state, limit);
    let last_words = state.tokens - before;
    required.input.obligations.keep(&mut state, before_marks(limit));
    keep_instructions(&mut state, limit);
    keep_current(&mut state, limit, &closed);
    keep_first(&mut state, limit, &mut closed);
    keep_answer(&mut state, limit, &closed);
    keep_users(&mut state, limit, last_words, &closed);
    keep_passages(&mut state, before_marks(limit), &closed);
    keep_remarks(&mut state, before_marks(limit));
    let first = before_marks(limit);
    let mut queue = match seed {
        Some((before, queue)) if before.keeps_as(&state) => queue.clone(),
        _ => {
            let queue = Queue::new(&state, &closed);
            seed.insert((state.clone(), queue)).1.clone()
        }
    };
    fill(&mut state, &mut queue, first, limit * policy().plan.rough_share);
    (state, queue)
}

/// What of a limit is left beside the marks of dropped messages.
fn before_marks(limit: f64) -> f64 {
    limit * (1.0 - policy().plan.marks_share)
}

/// For each group, whether it is no candidate: a note stands in its place, or it holds instructions, which go from the oldest on.
fn closed(input: &FitInput, notes: &[Note]) -> IndexVec<GroupIndex, bool> {
    let mut closed: IndexVec<_, _> = input.groups.list.iter().map(|group| group.is_system).collect();
    for note in notes {
        if let About::Messages(message) = note.about
            && let Some(&group) = input.groups.of_message.get(message)
        {
            closed[group] = true;
        }
    }
    closed
}

fn keep_required(state: &mut State<'_>) {
    let input = state.input;
    for &group in &input.required.in_part {
        state.open(group, KeepReason::Named);
    }
    for (index, group) in input.groups.list.iter_enumerated() {
        if group.is_system && !group.removable {
            state.open(index, KeepReason::System);
        } else if input.required.whole[index] {
            state.open(index, KeepReason::Named);
        } else if !group.removable {
            state.open(index, KeepReason::Needed);
        }
    }
    for (item, here) in input.items.list.iter_enumerated() {
        if here.required {
            state.keep(item);
        }
    }
    keep_last_span(state);
    state.close_gaps();
}

/// Keeps the best span of what the user sent last, unless something of it stays anyway: without the question, no answer is of use.
fn keep_last_span(state: &mut State<'_>) {
    let input = state.input;
    let (message, items) = match (input.last_words(), input.sent_last()) {
        (Some(message), _) => (message, input.users_items(message)),
        (None, Some(part)) => (input.message_of(part), input.items.of_part[part].iter().collect()),
        (None, None) => return,
    };
    if items.iter().any(|&item| state.kept[item]) {
        return;
    }
    let spans = items.into_iter().filter(|&item| state.cost(item) <= policy().plan.last_span);
    let best = spans.max_by(|&a, &b| state.density(a).total_cmp(&state.density(b)).then(b.cmp(&a)));
    if let Some(item) = best {
        state.open(input.groups.of_message[message], KeepReason::Users);
        state.keep(item);
    }
}

/// Whether some of the user's last words go.
pub(super) fn cuts_last_words(state: &State<'_>) -> bool {
    let input = state.input;
    let Some(message) = input.last_words() else { return false };
    input.users_items(message).iter().any(|&item| !state.kept[item])
}

/// Keeps the user's last words, which all else gives way to, and the images sent ahead of them.
fn keep_last_words(state: &mut State<'_>, limit: f64) {
    let input = state.input;
    let Some(mut message) = input.last_words() else { return };
    let limit = before_marks(limit);
    loop {
        let group = input.groups.of_message[message];
        if !state.is_open(group) && state.tokens + input.base_cost(group) > limit {
            return;
        }
        state.open(group, KeepReason::Users);
        keep_within(state, input.users_items(message), limit);
        match message.before() {
            Some(before) if input.is_media(before) => message = before,
            _ => return,
        }
    }
}

/// Keeps those of some items that add the most value for their tokens; all where all of them fit.
fn keep_within(state: &mut State<'_>, items: Vec<ItemIndex>, limit: f64) {
    let mut items: Vec<(f64, ItemIndex)> = items.into_iter().map(|item| (state.density(item), item)).collect();
    items.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let items: Vec<ItemIndex> = items.into_iter().map(|(_, item)| item).collect();
    state.keep_fitting(&items, limit);
}

/// Keeps the instructions in the middle of a conversation: short ones, and the newest of the others, until one doesn't fit.
fn keep_instructions(state: &mut State<'_>, limit: f64) {
    let input = state.input;
    let is_short = |group: GroupIndex| input.base_cost(group) <= policy().plan.short_instructions;
    let groups = || input.groups.list.iter_enumerated().filter(|(_, group)| group.is_system).map(|(index, _)| index);
    for group in groups().filter(|&group| is_short(group)) {
        state.open(group, KeepReason::System);
    }
    for group in groups().rev().filter(|&group| !is_short(group)) {
        if state.is_open(group) {
            continue;
        }
        if state.tokens + input.base_cost(group) > limit {
            return;
        }
        state.open(group, KeepReason::System);
    }
}

/// Keeps the current exchange, all from the user's last message on, where it costs no more than its share. Otherwise its last group, where that
/// does, and those before it, which an agent works with, as far as their share goes.
fn keep_current(state: &mut State<'_>, limit: f64, closed: &IndexVec<GroupIndex, bool>) {
    let (input, policy) = (state.input, &policy().plan);
    let Some(last) = input.groups.list.indices().next_back() else { return };
    let task = input.transcript.parts().iter().rfind(|part| is_turn(part));
    let start = task.map_or(last, |part| input.groups.of_message[part.message]);
    let share = (limit - state.tokens) * policy.current_share;
    let groups = || IndexRange { start, end: last.next() }.iter().filter(|&group| !closed[group]);
    if groups().map(|group| state.whole_cost(group)).sum::<f64>() <= share {
        groups().for_each(|group| keep_whole(state, group));
        return;
    }
    if closed[last] || state.whole_cost(last) > share {
        return;
    }
    keep_whole(state, last);
    let worth = passages::worth_within(limit - state.tokens);
    let mut left = (limit - state.tokens) * policy.newest_share * worth * worth;
    for group in groups().rev().skip(1) {
        left -= state.whole_cost(group);
        if left < 0.0 {
            return;
        }
        keep_whole(state, group);
    }
}

fn keep_whole(state: &mut State<'_>, group: GroupIndex) {
    state.open(group, KeepReason::Current);
    state.input.items_of(group).for_each(|item| state.keep(item));
}

/// Keeps the message before the user's last one, so that turns don't merge where roles alternate, unless something large in it can't be
/// cut, or its exchange goes because what begins it doesn't fit.
fn keep_answer(state: &mut State<'_>, limit: f64, closed: &IndexVec<GroupIndex, bool>) {
    let input = state.input;
    let Some(group) = input.groups.answer.filter(|&group| !closed[group]) else { return };
    if !state.is_open(group) && input.base_cost(group) <= (limit - state.tokens) * policy().plan.answer_share {
        state.open(group, KeepReason::Needed);
    }
}

/// Keeps the first message, which says what the conversation is about, and with which every format may begin. Where it doesn't fit, however
/// short, it goes with all up to the user's next message, which is the first one then; where none fits, the shortest stays.
fn keep_first(state: &mut State<'_>, limit: f64, closed: &mut IndexVec<GroupIndex, bool>) {
    let groups = &state.input.groups;
    let end_of = |place: usize| groups.starts.get(place + 1).copied().unwrap_or(groups.list.next_index());
    let may_go = |place: usize| {
        let exchange = IndexRange { start: groups.starts[place], end: end_of(place) };
        let mut others = exchange.iter().filter(|&group| !groups.list[group].is_system);
        others.all(|group| groups.list[group].removable && !state.is_open(group))
    };
    let cost = |place: usize| {
        let start = groups.starts[place];
        if state.is_open(start) { 0.0 } else { state.input.base_cost(start) }
    };
    let left = before_marks(limit) - state.tokens;
    let mut best = None;
    for place in 0..groups.starts.len() {
        if best.is_none_or(|best| cost(place) < cost(best)) {
            best = Some(place);
        }
        if cost(place) <= left || !may_go(place) {
            break;
        }
    }
    let Some(best) = best else { return };
    IndexRange { start: groups.starts[0], end: groups.starts[best] }.iter().for_each(|group| closed[group] = true);
    state.open(groups.starts[best], KeepReason::Needed);
}

/// Keeps the newest passages, each whole or not at all, up to their share.
fn keep_passages(state: &mut State<'_>, limit: f64, closed: &IndexVec<GroupIndex, bool>) {
    let (input, policy) = (state.input, &policy().passages);
    let free = limit - state.tokens;
    let share = free * state.passages.share;
    if share <= 0.0 {
        return;
    }
    let mut left = share;
    let mut most = free * policy.newest_share;
    for (part, _) in input.passages.of_part.iter_enumerated().rev().filter(|(_, value)| **value > 0.0) {
        let group = input.group_of(part);
        if closed[group] {
            continue;
        }
        let opening = if state.is_open(group) { 0.0 } else { input.base_cost(group) };
        let items = || input.items.of_part[part].iter().filter(|&item| input.passages.of_item(item, part) > 0.0);
        let others = items().filter(|&item| !state.kept[item]);
        if passages::is_newest(part, &input.transcript) {
            most = most.max(left);
        }
        if opening + others.map(|item| input.items.list[item].cost).sum::<f64>() <= most {
            let before = state.tokens;
            state.open(group, KeepReason::Worth);
            items().for_each(|item| state.keep(item));
            left -= state.tokens - before;
        }
        most = left.min(share * policy.largest);
    }
}

/// Keeps the remarks of messages that stay, the newest first.
fn keep_remarks(state: &mut State<'_>, limit: f64) {
    let input = state.input;
    for (group, weight) in input.weights.groups.iter_enumerated().rev() {
        if state.is_open(group) {
            state.keep_fitting(&weight.remarks, limit);
        }
    }
}

/// Keeps the user's words: all of them where they cost no more than their share; otherwise requests before what is longer and may be
/// pasted, the first message, which says what the conversation is about, before the newest, and of each longer one its best spans. The
/// `last_words` tokens that [`State::keep_last_words`] kept are part of the share. Where the user wrote most of the conversation and not all
/// of it fits, its spans are candidates like any other.
fn keep_users(state: &mut State<'_>, limit: f64, last_words: f64, closed: &IndexVec<GroupIndex, bool>) {
    let (input, policy) = (state.input, &policy().plan);
    let mut parts: Vec<PartIndex> = Vec::new();
    let (mut users, mut all) = (0.0, 0.0);
    for (part, &items) in input.items.of_part.iter_enumerated() {
        let items = &input.items.list[items];
        let cost = items.iter().map(|item| item.cost).sum::<f64>();
        all += cost;
        // Short pastes count as the user's here; long ones make no conversation of theirs.
        users += if is_users(&input.transcript.parts()[part]) && cost <= policy.request { cost } else { 0.0 };
        if items.iter().any(|item| item.is_users) && !closed[input.group_of(part)] {
            parts.push(part);
        }
    }
    let share = (limit - state.tokens + last_words) * policy.users_share;
    let mut left = share - last_words.min(share * policy.message_share);
    let cost_of = |state: &State<'_>, part: PartIndex| {
        let group = input.group_of(part);
        let opening = if state.is_open(group) { 0.0 } else { input.base_cost(group) };
        let items = input.users_words(part).filter(|&item| !state.kept[item]);
        opening + items.map(|item| input.items.list[item].cost).sum::<f64>()
    };
    let is_most = users * policy.most > all;
    let fits = parts.iter().map(|&part| cost_of(state, part)).sum::<f64>() <= left;
    if is_most && !fits {
        return;
    }
    let (first, others) = parts.split_at(parts.len().min(1));
    let words = |part: PartIndex| input.users_words(part).map(|item| input.items.list[item].cost).sum::<f64>();
    let newest = first.iter().chain(others.iter().rev()).copied();
    let (requests, longer): (Vec<PartIndex>, Vec<PartIndex>) = newest.partition(|&part| words(part) <= policy.request);
    for part in requests {
        let cost = cost_of(state, part);
        if cost <= left {
            left -= cost;
            state.open(input.group_of(part), KeepReason::Users);
            input.users_words(part).for_each(|item| state.keep(item));
        }
    }
    for part in longer {
        let most = if fits { left } else { left * policy.message_share };
        let (group, before) = (input.group_of(part), state.tokens);
        if state.is_open(group) || input.base_cost(group) <= most {
            state.open(group, KeepReason::Users);
            keep_within(state, input.users_words(part).collect(), before + most);
            left -= state.tokens - before;
        }
    }
}

impl FitInput {
    /// The items of a part that hold the user's words.
    fn users_words(&self, part: PartIndex) -> impl Iterator<Item = ItemIndex> + '_ {
        self.items.of_part[part].iter().filter(|&item| self.items.list[item].is_users)
    }

    /// The message with the user's last words, unless the user sent something else after it.
    fn last_words(&self) -> Option<MessageIndex> {
        let last = self.items.list.iter().rfind(|item| item.is_users).map(|item| self.message_of(item.part))?;
        self.sent_last().is_none_or(|part| self.message_of(part) <= last).then_some(last)
    }

    /// The last part of the user's that says something.
    fn sent_last(&self) -> Option<PartIndex> {
        let parts = self.transcript.parts().iter_enumerated();
        let sent = |&(part, here): &(PartIndex, &Part)| is_users(here) && !self.transcript.text(part).trim().is_empty();
        parts.rev().find(sent).map(|(part, _)| part)
    }

    /// The items of a message that hold the user's words.
    fn users_items(&self, message: MessageIndex) -> Vec<ItemIndex> {
        self.transcript.parts_of(message).iter().flat_map(|part| self.users_words(part)).collect()
    }

    /// Whether a message consists of images and documents of the user.
    fn is_media(&self, message: MessageIndex) -> bool {
        let parts = &self.transcript.parts()[self.transcript.parts_of(message)];
        !parts.is_empty() && parts.iter().all(|part| is_turn(part) && part.kind == Kind::Media)
    }
}
