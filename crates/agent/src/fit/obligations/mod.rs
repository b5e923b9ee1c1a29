//! Obligations: what has to be in a request before anything is chosen by its value. Rules, the task, and the state of the work are no trade: an
//! agent breaks 38 of 100 rules that were dropped and none that was kept (arXiv 2606.22528), and submits its work by the command that the task
//! names, or not at all.
//!
//! Each kind of obligation has levels: what it is about first, all of it last. Each level has a bound, so that a long text does not take the room
//! of all else; what does not fit is [`Lost`], and the report says so.

mod injected;
mod plans;
mod rules;
mod task;

use super::fit_input::FitInput;
use super::groups::Groups;
use super::indices::{GroupIndex, ItemIndex};
use super::items::Items;
use super::keep_reason::KeepReason;
use super::policy::policy;
use super::state::State;
pub(super) use injected::injected;
use palimpsest_history::transcript::{MessageIndex, PartIndex, Transcript};
use palimpsest_text::Text;
use palimpsest_world::operation::Operations;

/// Number of the levels of an obligation.
const LEVELS: usize = 3;

/// Kind of an obligation, in the order in which they get their room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// Standing instructions.
    Rules,
    /// What the first request and the newest one ask for word for word.
    Task,
    /// The newest list or plan, and the newest summary of what was said before.
    State,
    /// What the user said, or a program's notice, that must or must not be done.
    Said,
}

impl Duty {
    const ALL: [Duty; 4] = [Duty::Rules, Duty::Task, Duty::State, Duty::Said];

    /// The shares of the limit up to which each level stays.
    fn shares(self) -> [f64; LEVELS] {
        let shares = &policy().obligations;
        match self {
            Duty::Rules => [shares.rules_demands, shares.rules_lists, shares.rules_whole],
            Duty::Said => [shares.said, 0.0, 0.0],
            Duty::Task => [shares.task_demands, shares.task_fences, shares.task_whole],
            Duty::State => [shares.state_open, 0.0, shares.state_whole],
        }
    }

    fn reason(self) -> KeepReason {
        match self {
            Duty::Rules | Duty::Said => KeepReason::Rules,
            Duty::Task => KeepReason::Task,
            Duty::State => KeepReason::State,
        }
    }
}

/// What has to be in a request of one part.
#[derive(Clone, Debug)]
pub(super) struct Obligation {
    pub duty: Duty,
    pub part: PartIndex,
    /// Its items by level: what demands something, what is a list of it, the rest. A part without items stays with its message.
    levels: [Vec<ItemIndex>; LEVELS],
}

/// What has to be in a request, in order.
#[derive(Debug, Default)]
pub struct Obligations {
    list: Vec<Obligation>,
}

/// Obligations that a choice could not keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lost {
    pub duty: Duty,
    pub message: MessageIndex,
    /// Number of the lines and sentences that are gone.
    pub lines: u32,
}

/// What became of the obligations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Met {
    /// Number of rules that were found: lines and sentences that demand something, or are entries of a list of rules.
    pub rules: u32,
    /// How many of them stay.
    pub kept: u32,
    /// The tokens of all that stays as rules.
    pub tokens: f64,
    pub lost: Vec<Lost>,
}

/// What obligations are read from.
#[derive(Clone, Copy)]
struct Reading<'a> {
    transcript: &'a Transcript,
    operations: &'a Operations,
    items: &'a Items,
    groups: &'a Groups,
}

impl Reading<'_> {
    fn text(&self, item: ItemIndex) -> Text<'_> {
        let item = &self.items.list[item];
        self.transcript.text(item.part).slice(item.range.positions())
    }

    /// Whether something of a part can be chosen; all of a system message stays or goes.
    fn is_open(&self, part: PartIndex) -> bool {
        let message = self.transcript.parts()[part].message;
        !self.groups.list[self.groups.of_message[message]].is_system
    }
}

impl Obligations {
    /// Reads the obligations of a conversation. Linear in the length of the user's texts, of files of rules, and of the calls.
    pub(super) fn read(transcript: &Transcript, operations: &Operations, items: &Items, groups: &Groups) -> Self {
        let reading = Reading { transcript, operations, items, groups };
        let mut list = rules::read(reading);
        task::read(reading, &mut list);
        plans::read(reading, &mut list);
        list.retain(|obligation| reading.is_open(obligation.part));
        Obligations { list }
    }

    fn of(&self, duty: Duty) -> impl Iterator<Item = &Obligation> {
        self.list.iter().filter(move |obligation| obligation.duty == duty)
    }

    /// Keeps the obligations within `limit` tokens, each kind within its shares.
    pub(super) fn keep(&self, state: &mut State<'_>, limit: f64) {
        for duty in Duty::ALL {
            let before = state.tokens;
            for (level, share) in duty.shares().into_iter().enumerate() {
                let most = (before + share * limit).min(limit);
                for obligation in self.of(duty) {
                    obligation.keep_level(state, level, most);
                }
            }
        }
    }

    /// What became of them in a plan.
    pub(super) fn met(&self, state: &State<'_>) -> Met {
        let mut met = Met::default();
        for obligation in &self.list {
            let message = state.input.message_of(obligation.part);
            let is_there = state.is_open(state.input.groups.of_message[message]);
            let is_kept = |item: &&ItemIndex| is_there && state.kept[**item];
            let named = || obligation.levels[..LEVELS - 1].iter().flatten();
            let (found, kept) = (named().count(), named().filter(is_kept).count());
            if matches!(obligation.duty, Duty::Rules | Duty::Said) {
                met.rules += found as u32;
                met.kept += kept as u32;
                let all = obligation.levels.iter().flatten().filter(is_kept);
                met.tokens += all.map(|&item| state.input.items.list[item].cost).sum::<f64>();
            }
            let lines = if found == 0 && !is_there { 1 } else { (found - kept) as u32 };
            if lines > 0 {
                met.lost.push(Lost { duty: obligation.duty, message, lines });
            }
        }
        met
    }
}

impl Obligation {
    fn new(duty: Duty, part: PartIndex) -> Self {
        Obligation { duty, part, levels: [const { Vec::new() }; LEVELS] }
    }

    /// Keeps what fits of a level; all of the last level, or nothing more.
    fn keep_level(&self, state: &mut State<'_>, level: usize, most: f64) {
        let input = state.input;
        let items = &self.levels[level];
        let is_bare = self.levels.iter().all(Vec::is_empty);
        let group = input.group_of(self.part);
        if items.iter().all(|&item| state.kept[item]) && !(is_bare && level == 0) {
            return;
        }
        if level == LEVELS - 1 {
            let open = if state.is_open(group) { 0.0 } else { input.base_cost(group) };
            let all: f64 =
                items.iter().filter(|&&item| !state.kept[item]).map(|&item| input.items.list[item].cost).sum();
            let longest = if self.duty == Duty::Task { policy().obligations.longest_task } else { f64::INFINITY };
            if state.tokens + open + all > most || self.tokens(input) > longest {
                return;
            }
        }
        if self.open(state, group, most) {
            state.keep_fitting(items, most);
        }
    }

    fn tokens(&self, input: &FitInput) -> f64 {
        self.levels.iter().flatten().map(|&item| input.items.list[item].tokens).sum()
    }

    fn open(&self, state: &mut State<'_>, group: GroupIndex, most: f64) -> bool {
        if !state.is_open(group) && state.tokens + state.input.base_cost(group) <= most {
            state.open(group, self.duty.reason());
        }
        state.is_open(group)
    }
}
