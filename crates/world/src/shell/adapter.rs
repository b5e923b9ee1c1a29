//! What the reader of operations takes from a script, until it reads [`Ran`](super::Ran) itself.

use super::{Dialect, Directory, Effect, Exit, run};
use crate::extent::Extent;

/// What a script did, in the order in which the reader takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Changes the directory, for later commands too.
    Cd(String),
    /// Prints a file and nothing else.
    Read(String, Extent),
    /// Changes, moves or deletes a file.
    Change(String),
    /// Applies this patch.
    Patch(String),
}

/// Returns what a script did, if it ended well. Paths are relative to where it started.
pub fn seen(script: &str) -> Vec<Seen> {
    let ran = run(script, Dialect::Posix, Exit::Zero);
    let mut seen = Vec::new();
    for effect in ran.effects {
        match effect {
            Effect::Overwrite(place) | Effect::Delete(place) | Effect::MayChange(place) => {
                seen.push(Seen::Change(place.as_str().to_owned()));
            }
            Effect::Move { from, to } => seen.extend([from, to].map(|place| Seen::Change(place.as_str().to_owned()))),
            Effect::Patch { text, .. } => seen.push(Seen::Patch(text)),
            Effect::MayMove { .. } | Effect::MayChangeAny => {}
        }
    }
    seen.extend(ran.printed.map(|(place, extent)| Seen::Read(place.as_str().to_owned(), extent)));
    if let Directory::At(place) = ran.directory {
        seen.push(Seen::Cd(place.as_str().to_owned()));
    }
    seen
}

/// Returns whether what `script` prints may be text of files.
pub fn prints_files(script: &str) -> bool {
    run(script, Dialect::Posix, Exit::Unknown).may_quote
}
