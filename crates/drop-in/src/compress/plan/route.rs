//! Routes, and plans made of them.

use crate::compress::decisions::Reason;
use crate::compress::facts::Facts;
use crate::contradiction::Signal;
use crate::dedup::Duplicate;
use palimpsest_text::SharedText;

/// Route of a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Route {
    /// Keep it as it is.
    Preserve(Reason),
    /// Replace it by a reference.
    Duplicate(Duplicate),
    /// Replace it by a reference to the message that supersedes it, and a summary.
    Contradicted(usize, Signal),
    /// Summarise its prose, keep its code.
    SplitCode,
    /// Have the adapter of this number keep its skeleton and its prose summarised.
    Adapt(u32),
    /// Summarise it, together with its neighbours of the same role and route.
    Summarise,
    /// Replace it and the next messages by the text of the join with this number.
    Join(u32),
}

/// One text for the messages `start..start + count`.
#[derive(Clone, Debug)]
pub(crate) struct Join {
    /// Index of the first message.
    pub start: usize,
    /// Number of messages.
    pub count: usize,
    /// Why they belong together.
    pub reason: Reason,
    pub text: SharedText,
}

/// A route for each message, and the joins among them.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Route of each message.
    pub routes: Vec<Route>,
    /// Joins by the numbers that [`Route::Join`] has.
    pub joins: Vec<Join>,
}

impl Plan {
    /// Routes the messages of `join` together.
    pub(crate) fn join(&mut self, join: Join) {
        let number = self.joins.len() as u32;
        self.routes[join.start..join.start + join.count].fill(Route::Join(number));
        self.joins.push(join);
    }

    /// Returns how many messages from `start` on one message of the result replaces: successive messages of the same role
    /// to be summarised, none of which answers a tool call; otherwise one.
    pub(crate) fn group_length(&self, facts: &Facts, start: usize) -> usize {
        if let Route::Join(number) = self.routes[start] {
            return self.joins[number as usize].count;
        }
        let first = facts.transcript.message(start);
        let belongs = |index: &usize| {
            let message = facts.transcript.message(*index);
            self.routes[*index] == Route::Summarise && message.role == first.role && !message.answers_tool_call
        };
        if self.routes[start] != Route::Summarise || first.answers_tool_call {
            return 1;
        }
        (start..self.routes.len()).take_while(belongs).count()
    }
}

/// A question of a rule to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HostQuery {
    /// The first pattern that the text matches.
    Pattern,
    /// The adapter that has split the text.
    Adapter,
}

/// The host's answers about a message; `None` if it was not asked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HostAnswers {
    /// See [`HostQuery::Pattern`].
    pub pattern: Option<Option<usize>>,
    /// See [`HostQuery::Adapter`].
    pub adapter: Option<Option<usize>>,
}
