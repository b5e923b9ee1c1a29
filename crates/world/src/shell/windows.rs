//! What PowerShell and `cmd.exe` have in common: steps one after the other, with paths of Windows.

use super::place::{Place, moved, named};
use super::printed::{Lines, Text};
use super::state::{Out, Quotes, Spot};
use super::{Directory, Effect, Exit, Ran};

/// A word of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) text: String,
    pub(super) is_literal: bool,
}

/// How a step is joined to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    Then,
    And,
    Or,
}

/// A command of a pipeline, with the files that its outputs go to.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub(super) words: Vec<Token>,
    pub(super) files: Vec<Redirected>,
}

/// An output that goes to a file.
#[derive(Clone, Debug)]
pub(super) struct Redirected {
    pub(super) file: Token,
    pub(super) appends: bool,
    /// Whether it is not the output, but errors.
    pub(super) is_errors: bool,
}

/// A pipeline.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) join: Join,
    pub(super) parts: Vec<Part>,
}

/// What one command did.
#[derive(Debug)]
pub(super) struct Did {
    pub(super) effects: Vec<Effect>,
    pub(super) out: Out,
    /// Where it led, if it changes the directory.
    pub(super) to: Option<Spot>,
    pub(super) changes_environment: bool,
    pub(super) may_be_benign: bool,
}

impl Did {
    pub(super) fn nothing(text: Text, quotes: Quotes) -> Self {
        Did {
            effects: Vec::new(),
            out: Out { text, quotes },
            to: None,
            changes_environment: false,
            may_be_benign: false,
        }
    }

    pub(super) fn anything() -> Self {
        Did {
            effects: vec![Effect::MayChangeAny],
            out: Out { text: Text::Other, quotes: Quotes::Maybe },
            to: Some(Spot::Unknown),
            changes_environment: true,
            may_be_benign: true,
        }
    }
}

/// Says what a command does in a directory. The third argument is whether it surely succeeded.
pub(super) type Does = fn(&[Token], Option<&Place>, bool) -> Did;

/// Follows steps.
pub(super) fn follow(steps: &[Step], exit: Exit, does: Does) -> Ran {
    let mut ran = Ran {
        effects: Vec::new(),
        directory: Directory::Same,
        printed: None,
        changes_environment: false,
        may_quote: false,
        prints_files: false,
        may_be_benign: false,
    };
    let start = Spot::Known(Place::new(String::new()));
    let (mut zero, mut other) = (start.clone(), Spot::Never);
    let mut printed: Option<Lines> = None;
    let mut is_more = false;
    // The last steps surely ran, and ended well, if only `&&` joins them.
    let ending =
        steps.iter().rev().position(|step| step.join != Join::And).map_or(0, |length| steps.len() - 1 - length);
    for (number, step) in steps.iter().enumerate() {
        let is_sure = number >= ending && steps[ending].join != Join::Or;
        let spot = match step.join {
            Join::Then => zero.clone().or(other.clone()),
            Join::And => zero.clone(),
            Join::Or => other.clone(),
        };
        let before = ran.effects.len();
        let mut all: Option<Out> = None;
        let mut to = None;
        for (place, part) in step.parts.iter().enumerate() {
            let is_last = place + 1 == step.parts.len();
            let mut is_shown = true;
            for redirected in &part.files {
                let is_nowhere =
                    matches!(redirected.file.text.to_ascii_lowercase().as_str(), "$null" | "nul" | "/dev/null");
                if !is_nowhere {
                    ran.effects.push(match path(&redirected.file, spot.known()) {
                        None => Effect::MayChangeAny,
                        Some(place) if redirected.appends || !is_sure || !is_last => Effect::MayChange(place),
                        Some(place) => Effect::Overwrite(place),
                    });
                }
                is_shown &= redirected.is_errors;
            }
            let did = does(&part.words, spot.known(), is_sure && is_last);
            ran.effects.extend(did.effects);
            ran.changes_environment |= did.changes_environment;
            ran.may_be_benign |= did.may_be_benign;
            let mut out = did.out;
            if !is_shown {
                out = Out {
                    text: if matches!(out.text, Text::Other) { Text::Other } else { Text::Silent },
                    quotes: Quotes::No,
                };
            } else if !part.files.is_empty() && !matches!(out.text, Text::Silent) {
                out.text = Text::Other;
            }
            all = Some(match all {
                None => out,
                Some(before) => before.into_next(out),
            });
            to = match (did.to, step.parts.len()) {
                (Some(_), 2..) => Some(Spot::Unknown),
                (found, _) => found.or(to),
            };
        }
        if step.parts.len() > 1 && ran.effects.len() > before + 1 {
            Effect::weaken(&mut ran.effects[before..]);
        }
        if let Some(out) = all {
            ran.may_quote |= out.quotes >= Quotes::Maybe;
            ran.prints_files |= out.quotes == Quotes::Yes;
            match out.text {
                Text::Silent if is_sure => {}
                Text::Nothing => {}
                Text::File(lines) if is_sure && printed.is_none() => printed = Some(lines),
                _ => is_more = true,
            }
            // What is printed is told as it is at the end.
            is_more |= printed.is_some() && ran.effects.len() > before;
        }
        let ended = to.unwrap_or_else(|| spot.clone());
        let failed = if ended == Spot::Unknown { Spot::Unknown } else { spot };
        (zero, other) = match step.join {
            Join::Then => (ended, failed),
            Join::And => (ended, failed.or(other)),
            Join::Or => (ended.or(zero), failed),
        };
    }
    let exit = exit.of(ran.may_be_benign);
    let end = match exit {
        Exit::Zero => zero,
        Exit::NonZero => other,
        _ => zero.or(other),
    };
    ran.directory = end.directory();
    let is_told = exit == Exit::Zero || (exit == Exit::Unknown && steps.len() == 1);
    ran.printed =
        printed.filter(|lines| is_told && !is_more && !lines.is_muted).map(|lines| (lines.place, lines.extent));
    if exit != Exit::Zero {
        Effect::weaken(&mut ran.effects);
    }
    ran
}

/// Returns the path of a word with slashes, and the drive apart; `None` if it depends on a drive's own directory.
fn parts(token: &Token) -> Option<(Option<char>, String)> {
    if !token.is_literal || token.text.contains(['*', '?', '[', ']', '"', '<', '>', '|', '~']) {
        return None;
    }
    let path = token.text.replace('\\', "/");
    let mut chars = path.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some(drive), Some(':'), Some('/')) if drive.is_ascii_alphabetic() => Some((Some(drive), path[2..].to_owned())),
        _ if path.contains(':') || path.starts_with("//") => None,
        _ => Some((None, path)),
    }
}

/// Returns the place that a word names.
pub(super) fn path(token: &Token, directory: Option<&Place>) -> Option<Place> {
    let place = match parts(token)? {
        (Some(drive), path) => Place::new(format!("{drive}:{}", named(None, &path)?.as_str())),
        (None, path) => named(directory, &path)?,
    };
    Some(place).filter(|place| place.as_str() != ".")
}

/// Returns where a change of directory leads.
pub(super) fn change(token: &Token, directory: Option<&Place>) -> Spot {
    let root = Place::new(String::new());
    let to = match parts(token) {
        Some((Some(drive), path)) => moved(&root, &path).map(|place| Place::new(format!("{drive}:{}", place.as_str()))),
        Some((None, path)) if path.starts_with('/') => moved(&root, &path),
        Some((None, path)) => directory.and_then(|directory| {
            let to = moved(directory, &path)?;
            (to.is_absolute() == directory.is_absolute()).then_some(to)
        }),
        None => None,
    };
    to.map_or(Spot::Unknown, Spot::Known)
}

/// Returns what holds of a script whichever of several shells ran it.
pub(super) fn common(mut ran: Ran, others: &[Ran]) -> Ran {
    for other in others {
        if ran.directory != other.directory {
            ran.directory = Directory::Unknown;
        }
        if ran.printed != other.printed {
            ran.printed = None;
        }
        ran.changes_environment |= other.changes_environment;
        ran.may_quote |= other.may_quote;
        ran.prints_files |= other.prints_files;
        ran.may_be_benign |= other.may_be_benign;
        if ran.effects != other.effects {
            ran.effects = shared(&ran.effects, &other.effects);
        }
    }
    ran
}

/// Returns the effects that stand in both lists, in the order of both, and that anything may have happened beside them.
fn shared(one: &[Effect], other: &[Effect]) -> Vec<Effect> {
    // Long lists are not compared, which would take the square of their length.
    const LONGEST: usize = 64;
    let mut shared = vec![Effect::MayChangeAny];
    let one = if one.len().max(other.len()) > LONGEST { &[] } else { one };
    let mut rest = other;
    for effect in one {
        if let Some(at) = rest.iter().position(|candidate| candidate == effect) {
            shared.extend([effect.clone(), Effect::MayChangeAny]);
            rest = &rest[at + 1..];
        }
    }
    shared
}
