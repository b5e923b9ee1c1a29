//! Which lines of which file a command prints.

use super::place::{Place, is_device, named};
use super::programs::{Prints, one_of, program};
use super::state::{Out, Quotes};
use super::syntax::Word;
use crate::extent::{Extent, LineRange};

/// Lines of a file that were printed.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    pub(super) place: Place,
    pub(super) extent: Extent,
    /// Whether they have numbers.
    pub(super) is_numbered: bool,
    /// Whether complaints are among them.
    pub(super) is_joined: bool,
    /// Whether it would not be seen if the file could not be read.
    pub(super) is_muted: bool,
}

impl Lines {
    /// Lines as a program prints them that changes nothing, and whose complaints stand below them.
    pub(super) fn of(place: Place, extent: Extent) -> Self {
        Lines { place, extent, is_numbered: false, is_joined: false, is_muted: false }
    }
}

/// Lines of its input that a command prints.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    extent: Extent,
    is_numbered: bool,
}

/// What a command prints if it succeeds.
#[derive(Clone, Debug)]
pub(super) enum Text {
    /// Nothing.
    Silent,
    /// Nothing, even if it fails.
    Nothing,
    File(Lines),
    Window(Window),
    Other,
}

impl Window {
    /// These lines of what comes in.
    pub(super) fn lines(range: LineRange) -> Self {
        Window { extent: Extent::Lines(range), is_numbered: false }
    }

    /// Returns whether a complaint in place of the lines would stay as it is.
    fn keeps_start(self) -> bool {
        let starts = match self.extent {
            Extent::Whole => true,
            Extent::Lines(range) => range.first() == 1,
            Extent::Part => false,
        };
        starts && !self.is_numbered
    }

    /// Returns the lines of a file if some of them come in.
    pub(super) fn of(self, lines: &Lines) -> Option<Lines> {
        let starts = match lines.extent {
            Extent::Whole => 1,
            Extent::Lines(range) => range.first(),
            Extent::Part => 0,
        };
        // Numbers of what isn't the start of the file are those of other lines.
        if self.is_numbered && (lines.is_numbered || starts != 1) {
            return None;
        }
        let extent = match (lines.extent, self.extent) {
            (extent, Extent::Whole) => extent,
            (Extent::Part, _) | (_, Extent::Part) => Extent::Part,
            (Extent::Whole, extent) => extent,
            (Extent::Lines(all), Extent::Lines(some)) => {
                let first = all.first().checked_add(some.first() - 1)?;
                let last = all.last().min(all.first().saturating_add(some.last() - 1));
                Extent::Lines(LineRange::new(first, last)?)
            }
        };
        Some(Lines { extent, is_numbered: lines.is_numbered || self.is_numbered, ..lines.clone() })
    }
}

impl Out {
    /// Returns what the next command of a pipeline makes of it.
    pub(super) fn into_next(self, next: Out) -> Out {
        let quotes = if next.quotes == Quotes::Input { self.quotes } else { next.quotes };
        let text = match (self.text, next.text) {
            // How the first one ended is not known.
            (Text::File(lines), Text::Window(window))
                if !lines.is_muted && (!lines.is_joined || window.keeps_start()) =>
            {
                window.of(&lines).map_or(Text::Other, Text::File)
            }
            _ => Text::Other,
        };
        Out { text, quotes }
    }
}

/// What the arguments of a printing program ask for: lines, and of which file; `None` for its input.
type Asked<'w> = (Extent, bool, Option<&'w str>);

/// Returns what a program prints if it succeeds; `None` if that is not known.
pub(super) fn text(name: &str, arguments: &[Word], directory: Option<&Place>) -> Option<Text> {
    if program(name).is_some_and(|program| program.prints == Prints::Nothing) {
        // Some of them say what they do if they are asked to.
        let may_speak = |word: &Word| {
            !word.is_literal && !word.is_never_option
                || word.text.starts_with("--")
                || (word.text.starts_with('-') && word.text.contains(['v', 'c', 'i']))
        };
        let is_test = matches!(name, "test" | "[" | "true" | "false" | ":");
        return (is_test || !arguments.iter().any(may_speak)).then_some(Text::Silent);
    }
    let words: Vec<&str> = arguments.iter().map(Word::literal).collect::<Option<_>>()?;
    let (extent, is_numbered, file) = match name {
        "cat" => cat(&words)?,
        "nl" => nl(&words)?,
        "head" => head(&words)?,
        "tail" => tail(&words)?,
        "sed" => sed(&words)?,
        "awk" | "gawk" | "mawk" => awk(&words)?,
        "tee" if words.iter().all(|word| !word.starts_with('-') && !is_device(word)) => (Extent::Whole, false, None),
        _ => return None,
    };
    Some(match file {
        None | Some("-") => Text::Window(Window { extent, is_numbered }),
        Some(path) if is_device(path) || path.ends_with('/') => return None,
        Some(path) => Text::File(Lines { is_numbered, ..Lines::of(named(directory, path)?, extent) }),
    })
}

/// Returns the only operand, if there is at most one.
fn only<'w>(operands: &[&'w str]) -> Option<Option<&'w str>> {
    (operands.len() < 2).then(|| operands.first().copied())
}

fn is_option(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-')
}

fn cat<'w>(words: &[&'w str]) -> Option<Asked<'w>> {
    let (options, operands) = split(words);
    let is_known = options.iter().all(|option| one_of(option, "-n --number -u"));
    let is_numbered = options.iter().any(|option| *option != "-u");
    is_known.then_some((Extent::Whole, is_numbered, only(&operands)?))
}

fn nl<'w>(words: &[&'w str]) -> Option<Asked<'w>> {
    // Else it leaves empty lines out when it counts.
    match words {
        ["-ba", rest @ ..] | ["-b", "a", rest @ ..] => {
            let (options, operands) = split(rest);
            options.is_empty().then_some((Extent::Whole, true, only(&operands)?))
        }
        _ => None,
    }
}

/// Splits words into options and operands, as programs do none of whose options has a value.
fn split<'w>(words: &[&'w str]) -> (Vec<&'w str>, Vec<&'w str>) {
    let end = words.iter().position(|word| *word == "--").unwrap_or(words.len());
    let (options, mut operands): (Vec<&str>, Vec<&str>) = words[..end].iter().partition(|word| is_option(word));
    operands.extend(words.get(end + 1..).unwrap_or_default());
    (options, operands)
}

/// Returns a number of digits only: `+5` and `-5` mean something else to every tool.
fn number(word: &str) -> Option<u32> {
    let is_digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    is_digits.then(|| word.parse().ok())?
}

/// Number that `head` or `tail` is given, and whether it counts characters.
struct Count<'w> {
    of: &'w str,
    is_of_bytes: bool,
}

/// Reads the arguments of `head` and `tail`.
fn count<'w>(words: &[&'w str]) -> Option<(Count<'w>, Option<&'w str>)> {
    let mut counted = Count { of: "10", is_of_bytes: false };
    let mut operands = Vec::new();
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "--" => operands.extend(words.by_ref()),
            "-n" | "--lines" => counted = Count { of: words.next()?, is_of_bytes: false },
            "-c" | "--bytes" => counted = Count { of: words.next()?, is_of_bytes: true },
            "-q" | "--quiet" | "--silent" => {}
            _ if is_option(word) => {
                let value = word.strip_prefix("-n").or(word.strip_prefix("--lines="));
                let bytes = word.strip_prefix("-c").or(word.strip_prefix("--bytes="));
                counted = match (value, bytes, number(&word[1..])) {
                    (Some(of), ..) => Count { of, is_of_bytes: false },
                    (_, Some(of), _) => Count { of, is_of_bytes: true },
                    (.., Some(_)) => Count { of: &word[1..], is_of_bytes: false },
                    _ => return None,
                };
            }
            // To some it is a number of lines.
            _ if word.starts_with('+') => return None,
            _ => operands.push(word),
        }
    }
    Some((counted, only(&operands)?))
}

fn head<'w>(words: &[&'w str]) -> Option<Asked<'w>> {
    let (count, file) = count(words)?;
    let lines = LineRange::new(1, number(count.of)?)?;
    Some((if count.is_of_bytes { Extent::Part } else { Extent::Lines(lines) }, false, file))
}

fn tail<'w>(words: &[&'w str]) -> Option<Asked<'w>> {
    let (count, file) = count(words)?;
    let extent = match count.of.strip_prefix('+').map(number) {
        Some(first) if !count.is_of_bytes => match first? {
            0 | 1 => Extent::Whole,
            first => Extent::Lines(LineRange::new(first, u32::MAX)?),
        },
        Some(_) => Extent::Part,
        None => number(count.of).filter(|&lines| lines > 0).map(|_| Extent::Part)?,
    };
    Some((extent, false, file))
}

fn sed<'w>(words: &[&'w str]) -> Option<Asked<'w>> {
    let (mut is_quiet, mut script) = (false, None);
    let mut operands = Vec::new();
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "--" => operands.extend(words.by_ref()),
            "-n" | "--quiet" | "--silent" | "-nE" | "-nr" | "-En" | "-rn" => is_quiet = true,
            "-E" | "-r" | "--regexp-extended" => {}
            "-e" | "-ne" if script.is_none() => {
                is_quiet |= word == "-ne";
                script = Some(words.next()?);
            }
            _ if is_option(word) => return None,
            _ => operands.push(word),
        }
    }
    let script = match script {
        Some(script) => script,
        None if operands.is_empty() => return None,
        None => operands.remove(0),
    };
    let extent = if is_quiet {
        selected(script)?
    } else {
        Extent::Lines(LineRange::new(1, number(script.strip_suffix('q')?)?)?)
    };
    Some((extent, false, only(&operands)?))
}

/// Returns the lines that a script of `sed -n` prints; `None` if it does anything else.
fn selected(script: &str) -> Option<Extent> {
    if script.trim() == "p" {
        return Some(Extent::Whole);
    }
    let (script, end) = match script.rsplit_once(';') {
        Some((script, end)) if end.trim().ends_with('q') => {
            (script, Some(number(end.trim().strip_suffix('q')?.trim())?))
        }
        _ => (script, None),
    };
    let addresses = script.trim().strip_suffix('p').map(str::trim_end).unwrap_or_default();
    let (from, to) = addresses.split_once(',').unwrap_or((addresses, addresses));
    let range = match (number(from), to.strip_prefix('+').and_then(number), number(to)) {
        (Some(from), Some(more), _) => Some((from, from.saturating_add(more))),
        // A range whose end is not after its start is one line.
        (Some(from), _, Some(to)) => Some((from, to.max(from))),
        (Some(from), ..) if to == "$" => Some((from, u32::MAX)),
        _ => None,
    };
    match range {
        Some((from, to)) => LineRange::new(from, to.min(end.unwrap_or(u32::MAX))).map(Extent::Lines),
        // Several ranges, or lines that match a pattern.
        None if end.is_none() && prints_only(script) => Some(Extent::Part),
        None => None,
    }
}

/// Returns whether a script of `sed` only prints lines: `p` after addresses, several times at most.
fn prints_only(script: &str) -> bool {
    let is_address = |address: &str| {
        let digits = address.trim_start_matches(['+', '~']);
        let is_pattern = address.len() > 1 && address.starts_with('/') && address.ends_with('/');
        address == "$" || is_pattern || digits.split('~').all(|part| number(part).is_some())
    };
    script.split(';').all(|command| {
        let addresses = command.trim().strip_suffix('p');
        addresses.is_some_and(|addresses| addresses.split(',').count() < 3 && addresses.split(',').all(is_address))
    })
}

fn awk<'w>(words: &[&'w str]) -> Option<Asked<'w>> {
    let (program, operands) = words.split_first().filter(|(program, _)| !program.starts_with('-'))?;
    if operands.iter().any(|operand| operand.starts_with('-') || operand.contains('=')) {
        return None;
    }
    let program: String = program.split_whitespace().collect();
    let condition = ["{print}", "{print$0}", "{print;}"].iter().find_map(|print| program.strip_suffix(print));
    let (mut first, mut last) = (1, u32::MAX);
    for part in condition.unwrap_or(&program).split("&&") {
        if let Some(at) = part.strip_prefix("NR==") {
            (first, last) = (first.max(number(at)?), last.min(number(at)?));
        } else if let Some(from) = part.strip_prefix("NR>=") {
            first = first.max(number(from)?);
        } else if let Some(to) = part.strip_prefix("NR<=") {
            last = last.min(number(to)?);
        } else {
            return None;
        }
    }
    Some((Extent::Lines(LineRange::new(first, last)?), false, only(operands)?))
}
