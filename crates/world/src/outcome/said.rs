//! What a harness says of a call.

use std::ops::Range;

use palimpsest_history::transcript::Status;

use crate::known::Known;

/// What came of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It succeeded: a command ended with 0.
    Succeeded,
    /// The same, or a command ended with a code that its harness takes for an answer, as 1 is of `grep` and `diff`.
    SucceededOrBenign,
    /// It failed.
    Failed,
    /// The user or a rule refused it, and nothing was done.
    Refused,
    /// It was stopped. A part may have been done.
    Interrupted,
    /// It was stopped because it took too long, and a part may have been done.
    TimedOut,
    /// It still runs.
    Running,
}

impl Outcome {
    /// Returns whether what was asked for was not done, or not all of it.
    pub fn is_failure(self) -> bool {
        matches!(self, Outcome::Failed | Outcome::Refused | Outcome::Interrupted | Outcome::TimedOut)
    }

    /// Returns what is certain of two accounts, one of which is right.
    fn agreed(self, other: Outcome) -> Option<Outcome> {
        use Outcome::{Failed, Succeeded, SucceededOrBenign};
        match (self, other) {
            _ if self == other => Some(self),
            (Succeeded | SucceededOrBenign, Succeeded | SucceededOrBenign) => Some(SucceededOrBenign),
            _ if self.is_failure() && other.is_failure() => Some(Failed),
            _ => None,
        }
    }
}

/// The code with which a command ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exit {
    Zero,
    /// 0, or a code that is an answer.
    ZeroOrBenign,
    NonZero,
    #[default]
    Unknown,
}

impl Exit {
    /// Returns what is known of the code of a script, given whether it runs a program whose code may be an answer.
    pub(crate) fn of(self, may_be_benign: bool) -> Self {
        match self {
            Exit::ZeroOrBenign if may_be_benign => Exit::Unknown,
            Exit::ZeroOrBenign => Exit::Zero,
            exit => exit,
        }
    }
}

impl From<Known<Outcome>> for Exit {
    fn from(outcome: Known<Outcome>) -> Self {
        match outcome.certain() {
            Some(Outcome::Succeeded) => Exit::Zero,
            Some(Outcome::SucceededOrBenign) => Exit::ZeroOrBenign,
            Some(Outcome::Failed) => Exit::NonZero,
            // What was stopped ended somewhere.
            _ => Exit::Unknown,
        }
    }
}

/// Time at which a shell was in a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// When the command started.
    Start,
    /// When it had ended.
    End,
}

/// A directory that a harness's own line names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directory {
    /// Where in the result it stands.
    pub path: Range<usize>,
    /// When the shell was there.
    pub at: Place,
}

/// What a harness says of a call. All ranges are of the result, in UTF-16 code units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// What came of it.
    pub outcome: Known<Outcome>,
    /// The harness's line that tells a failure, without its end.
    pub line: Option<Range<usize>>,
    /// What the program itself printed: the result without the harness's lines. Empty if it printed nothing.
    pub printed: Known<Range<usize>>,
    /// Whether the harness cut what was printed.
    pub is_cut: Known<bool>,
    /// A directory that the harness names.
    pub directory: Option<Directory>,
    /// Whether the command that ran is not that of the call: the user or the harness changed it.
    pub is_other_command: bool,
    /// Whether the outcome follows from what the harness didn't write.
    pub is_by_silence: bool,
}

impl Said {
    /// Returns the range of what the program printed in a result of a length; all of it where that isn't certain.
    pub fn printed_in(&self, length: usize) -> Range<usize> {
        self.printed.clone().certain().unwrap_or(0..length)
    }

    /// Nothing but what the format says.
    pub(super) fn nothing(status: Option<Status>) -> Said {
        Said {
            outcome: if status == Some(Status::Error) { Known::Certain(Outcome::Failed) } else { Known::Unknown },
            line: None,
            printed: Known::Unknown,
            is_cut: Known::Unknown,
            directory: None,
            is_other_command: false,
            is_by_silence: false,
        }
    }

    /// A result of which the program printed `printed`, whole.
    pub(super) fn of(outcome: Known<Outcome>, printed: Range<usize>) -> Said {
        Said {
            outcome,
            line: None,
            printed: Known::Certain(printed),
            is_cut: Known::Certain(false),
            directory: None,
            is_other_command: false,
            is_by_silence: false,
        }
    }

    /// A result that is all the harness's.
    pub(super) fn only(outcome: Outcome, line: Range<usize>) -> Said {
        let said = Said::of(Known::Certain(outcome), 0..0);
        Said { line: outcome.is_failure().then_some(line), ..said }
    }

    /// The same, told by the harness's `line`.
    pub(super) fn told_by(self, line: Range<usize>) -> Said {
        let tells = self.outcome.as_ref().is_certain_and(|outcome| outcome.is_failure());
        Said { line: tells.then_some(line), ..self }
    }

    /// The same, of which the harness left out something if `is_cut`.
    pub(super) fn cut_if(self, is_cut: bool) -> Said {
        if is_cut { Said { is_cut: Known::Certain(true), ..self } } else { self }
    }

    /// The same of a result of which a part was taken out since: what the harness didn't write tells nothing.
    pub(crate) fn of_a_part(self) -> Said {
        let outcome = if self.is_by_silence { Known::Unknown } else { self.outcome };
        Said { outcome, printed: Known::Unknown, is_cut: Known::Unknown, is_by_silence: false, ..self }
    }

    /// Returns what holds whichever of two accounts is right.
    pub(super) fn agreed(self, other: Said) -> Said {
        let outcome = self.outcome.and_then(|one| other.outcome.and_then(|other| one.agreed(other).into()));
        let same = |one: &Option<_>, other: &Option<_>| one == other;
        Said {
            outcome,
            line: if same(&self.line, &other.line) { self.line } else { None },
            printed: self.printed.agreed(other.printed),
            is_cut: self.is_cut.agreed(other.is_cut),
            directory: if self.directory == other.directory { self.directory } else { None },
            is_other_command: self.is_other_command || other.is_other_command,
            is_by_silence: self.is_by_silence || other.is_by_silence,
        }
    }
}

/// Returns what came of a command that ended with `code`, by a harness whose format tells failures as well if `is_flagged`. If the two
/// disagree, one of them isn't the harness's.
pub(super) fn exited(code: i64, status: Option<Status>, is_flagged: bool) -> Known<Outcome> {
    match (code, status) {
        (0, Some(Status::Error)) => Known::Unknown,
        (0, _) => Known::Certain(Outcome::Succeeded),
        (_, Some(Status::Ok)) if is_flagged => Known::Unknown,
        _ => Known::Certain(Outcome::Failed),
    }
}
