//! What is known at some point of a script.

use super::Directory;
use super::place::Place;
use super::printed::{Lines, Text};

/// A directory, at some point of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// The script doesn't come here.
    Never,
    Known(Place),
    Unknown,
}

impl Spot {
    pub(super) fn or(self, other: Spot) -> Spot {
        match (self, other) {
            (Spot::Never, spot) | (spot, Spot::Never) => spot,
            (one, other) if one == other => one,
            _ => Spot::Unknown,
        }
    }

    pub(super) fn directory(self) -> Directory {
        match self {
            Spot::Known(place) if place.as_str() == "." => Directory::Same,
            Spot::Known(place) => Directory::At(place),
            Spot::Never | Spot::Unknown => Directory::Unknown,
        }
    }

    pub(super) fn known(&self) -> Option<&Place> {
        match self {
            Spot::Known(place) => Some(place),
            _ => None,
        }
    }
}

/// The directory after a command, if it ended with 0, and if it did not.
#[derive(Clone, Debug)]
pub(super) struct Ends {
    pub(super) zero: Spot,
    pub(super) other: Spot,
}

impl Ends {
    pub(super) fn both(spot: &Spot) -> Self {
        Ends { zero: spot.clone(), other: spot.clone() }
    }

    pub(super) fn either(self) -> Spot {
        self.zero.or(self.other)
    }
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Zero,
    Other,
    Any,
}

/// What is known of a command, if the script ended with 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// Whether it ran.
    pub(super) ran: bool,
    pub(super) status: Status,
}

impl Known {
    pub(super) const MAYBE: Known = Known { ran: false, status: Status::Any };
}

/// Whether what a command prints may be lines that an edit quotes, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Quotes {
    No,
    /// If those are that it reads.
    Input,
    /// In doubt.
    Maybe,
    /// They are lines of files.
    Yes,
}

/// What a command printed.
#[derive(Clone, Debug)]
pub(super) struct Out {
    pub(super) text: Text,
    pub(super) quotes: Quotes,
}

impl Out {
    pub(super) const SILENT: Out = Out { text: Text::Silent, quotes: Quotes::No };
    pub(super) const OTHER: Out = Out { text: Text::Other, quotes: Quotes::No };
}

/// What was printed so far, in one place.
#[derive(Debug, Default)]
pub(super) struct Printed {
    /// The text of a file with the number of effects before it, if that is all.
    pub(super) one: Option<(Lines, usize)>,
    pub(super) is_more: bool,
}
