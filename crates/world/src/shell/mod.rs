//! What a script of a shell did to directory and files, and what it printed: what is certain, and nothing else.
//!
//! [`run`] reads a script as its shell does, follows it with what the harness says of its end, and says less than the shell did rather than
//! something else. Names of programs are taken to mean those programs: what a user's startup files make of them is not seen.

mod builtins;
mod cmd;
mod command;
mod compounds;
mod condition;
mod course;
mod effects;
mod git;
mod parser;
mod patch;
mod place;
mod powershell;
mod prefixes;
mod printed;
mod program;
mod programs;
mod quotes;
mod runners;
mod sed;
mod state;
mod streams;
mod syntax;
#[cfg(test)]
mod tests;
mod windows;
mod words;

use super::extent::Extent;
pub use super::outcome::Exit;
pub use super::tools::Dialect;

pub use patch::{names_file, patched_files, script_of};
pub use place::Place;
pub use program::{Started, program_prints_files, started};

/// Where the shell is after a script, if it goes on to run others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Directory {
    /// Where the script started.
    Same,
    /// There.
    At(Place),
    /// Unknown.
    Unknown,
}

/// Effect of a script on files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A file was written anew: if this named a file before, it has that text no longer.
    Overwrite(Place),
    /// Nothing is there any more, nor below it.
    Delete(Place),
    /// The text of `from` lives on as `to`, or inside of it if that is a directory. If `to` named a file, it has its old text no longer.
    Move { from: Place, to: Place },
    /// It may be that a file was moved so. It may also be that nothing happened.
    MayMove { from: Place, to: Place },
    /// What is there, or below it, may be different from now on, or gone.
    MayChange(Place),
    /// Any file may be different from now on, or gone.
    MayChangeAny,
    /// A patch was handed to `apply_patch`, which ran in this directory. Whether it applied, the result says.
    Patch { text: String, directory: Directory },
}

impl Effect {
    /// Makes effects such that may have happened.
    fn weaken(effects: &mut [Effect]) {
        for effect in effects {
            *effect = match std::mem::replace(effect, Effect::MayChangeAny) {
                Effect::Overwrite(place) | Effect::Delete(place) => Effect::MayChange(place),
                Effect::Move { from, to } => Effect::MayMove { from, to },
                other => other,
            };
        }
    }
}

/// What a script did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// What happened to files, in order. No other file was changed.
    pub effects: Vec<Effect>,
    /// Where the shell is after it.
    pub directory: Directory,
    /// All that was printed is text of this one file, as it is after the effects: the whole, certain lines, or unknown ones. Programs may have
    /// numbered the lines. If the harness doesn't say that the script ended with 0, or if a pipeline hides how its first program ended, a
    /// complaint may have been printed in its place, which starts with the name of a program or shell: the caller has to look for it.
    pub printed: Option<(Place, Extent)>,
    /// Whether the same words may mean something else to the same shell from now on.
    pub changes_environment: bool,
    /// Whether what was printed may be lines that an edit quotes. In doubt it may.
    pub may_quote: bool,
    /// Whether some of what was printed is lines of files: they are no report that a program makes.
    pub prints_files: bool,
    /// Whether it runs a program whose code some harnesses don't show: `grep`, `diff`, `test`.
    pub may_be_benign: bool,
}

impl Ran {
    /// What is known of a script that can't be read.
    pub(crate) fn unknown() -> Self {
        Ran {
            effects: vec![Effect::MayChangeAny],
            directory: Directory::Unknown,
            printed: None,
            changes_environment: true,
            may_quote: true,
            prints_files: false,
            may_be_benign: true,
        }
    }
}

/// Longest script that is read, in bytes. Models write longer ones only to put text into files.
const LONGEST: usize = 1 << 20;

/// Returns what a script did.
pub fn run(script: &str, dialect: Dialect, exit: Exit) -> Ran {
    if script.len() > LONGEST {
        return Ran::unknown();
    }
    match dialect {
        Dialect::Posix => course::run(script, exit),
        Dialect::PowerShell => powershell::run(script, exit),
        Dialect::Cmd => cmd::run(script, exit),
        Dialect::Unknown => {
            windows::common(course::run(script, exit), &[powershell::run(script, exit), cmd::run(script, exit)])
        }
    }
}
