//! Follows one command: its redirections, the builtins that change the shell, and then what its program did.

use super::Effect;
use super::course::{Course, Ends, Known, Out, Quotes, Spot};
use super::effects::effects;
use super::place::{Place, moved, named};
use super::prefixes::{Prefixed, is_harmless, is_shell, program_name, script_argument, without_prefixes};
use super::printed::{Lines, Text, text};
use super::programs::{Prints, may_be_benign, program};
use super::quotes::quotes;
use super::syntax::{Operator, Redirect, Word};
use super::words::is_name;
use crate::extent::Extent;

/// Where one of the outputs goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stream {
    /// Where the shell's own go.
    Shown,
    /// Into a file, or nowhere.
    Gone,
    Unclear,
}

/// What a command reads.
#[derive(Clone, Debug)]
pub(super) enum Input {
    /// What the shell reads.
    Inherited,
    /// What the command before it in a pipeline prints.
    Piped,
    /// This file.
    File(Option<Place>),
    /// Text that stands in the script.
    Text(String),
}

/// Where a command's outputs go, and what it reads.
#[derive(Clone, Debug)]
pub(super) struct Streams {
    output: Stream,
    errors: Stream,
    input: Input,
    /// Whether it reads a file.
    pub(super) reads_file: bool,
}

impl Streams {
    /// Returns whether nothing was redirected.
    fn is_plain(&self) -> bool {
        (self.output, self.errors) == (Stream::Shown, Stream::Shown)
            && matches!(self.input, Input::Inherited | Input::Piped)
    }

    /// Returns what is shown of an output, of a program that prints nothing else if it succeeds, or maybe warnings.
    pub(super) fn pass(&self, mut out: Out, may_warn: bool) -> Out {
        match (self.output, self.errors) {
            (Stream::Shown, Stream::Shown) => {}
            (Stream::Gone, Stream::Gone) => out = Out::SILENT,
            (Stream::Gone, Stream::Shown) => {
                out.quotes = Quotes::No;
                out.text = if may_warn && !matches!(out.text, Text::Silent) { Text::Other } else { Text::Silent };
            }
            (Stream::Shown, Stream::Gone) => {
                if let Text::File(lines) = &mut out.text {
                    lines.is_muted = true;
                }
            }
            (Stream::Unclear, _) | (_, Stream::Unclear) => out.text = Text::Other,
        }
        out
    }
}

impl Course {
    /// Follows redirections: what they do to files happens before the command runs.
    pub(super) fn redirect(&mut self, redirects: &[Redirect], spot: &Spot, known: Known) -> Streams {
        let (mut output, mut errors) = (Stream::Shown, Stream::Shown);
        let mut input = if self.is_piped { Input::Piped } else { Input::Inherited };
        let mut reads_file = false;
        self.expand(redirects.iter().map(|redirect| &redirect.word), spot);
        for redirect in redirects {
            let word = redirect.word.literal();
            let is_output = !matches!(
                redirect.operator,
                Operator::Read | Operator::CopyInput | Operator::Document | Operator::Text
            );
            let descriptor =
                redirect.descriptor.unwrap_or(u32::from(is_output && redirect.operator != Operator::ReadWrite));
            let mut set = |to: Stream, both: bool| {
                if descriptor == 1 || both {
                    output = to;
                }
                if descriptor == 2 || both {
                    errors = to;
                }
                if descriptor > 2 {
                    // What is copied from it later is not followed.
                    (output, errors) = (Stream::Unclear, Stream::Unclear);
                }
            };
            match redirect.operator {
                Operator::Write
                | Operator::Append
                | Operator::ReadWrite
                | Operator::WriteBoth
                | Operator::AppendBoth => {
                    let both = matches!(redirect.operator, Operator::WriteBoth | Operator::AppendBoth);
                    self.open(redirect, spot, known);
                    set(if word.is_some_and(is_shown_device) { Stream::Unclear } else { Stream::Gone }, both);
                }
                Operator::CopyOutput => match word {
                    Some("1") if descriptor == 2 => errors = output,
                    Some("2") if descriptor == 1 => output = errors,
                    Some("1") if descriptor == 1 => {}
                    Some("2") if descriptor == 2 => {}
                    Some(word)
                        if redirect.descriptor.is_none()
                            && !word.starts_with(|first: char| first.is_ascii_digit() || first == '-') =>
                    {
                        self.open(redirect, spot, known);
                        set(Stream::Gone, true);
                    }
                    _ => {
                        if word.is_none() {
                            self.effects.push(Effect::MayChangeAny);
                        }
                        (output, errors) = (Stream::Unclear, Stream::Unclear);
                    }
                },
                Operator::Read => {
                    let is_empty = word == Some("/dev/null");
                    reads_file |= !is_empty;
                    let place = word.and_then(|word| named(spot.known(), word));
                    input = if is_empty { Input::Text(String::new()) } else { Input::File(place) };
                    if descriptor != 0 {
                        (output, errors) = (Stream::Unclear, Stream::Unclear);
                    }
                }
                Operator::CopyInput => (output, errors) = (Stream::Unclear, Stream::Unclear),
                Operator::Document | Operator::Text => input = Input::Text(redirect.word.text.clone()),
            }
        }
        Streams { output, errors, input, reads_file }
    }

    /// Notes that a file was opened to be written.
    fn open(&mut self, redirect: &Redirect, spot: &Spot, known: Known) {
        let Some(word) = redirect.word.literal() else {
            self.effects.push(Effect::MayChangeAny);
            return;
        };
        if word.starts_with("/dev/") {
            return;
        }
        let is_certain = self.is_certain(known);
        let place = named(spot.known(), word).filter(|_| !word.ends_with('/'));
        self.effects.push(match (place, redirect.operator) {
            (None, _) => Effect::MayChangeAny,
            (Some(place), Operator::Append | Operator::AppendBoth | Operator::ReadWrite) => Effect::MayChange(place),
            (Some(place), _) if is_certain => Effect::Overwrite(place),
            (Some(place), _) => Effect::MayChange(place),
        });
    }

    /// Follows a program or a builtin.
    pub(super) fn simple(
        &mut self,
        (assignments, words): (&[Word], &[Word]),
        redirects: &[Redirect],
        spot: &Spot,
        known: Known,
    ) -> (Ends, Out) {
        self.expand(assignments.iter().chain(words), spot);
        let streams = self.redirect(redirects, spot, known);
        if words.is_empty() {
            return self.assign(assignments, &streams, spot);
        }
        let is_tame = assignments.iter().all(is_harmless);
        let Some(Prefixed { words, is_external, may_speak, replaces_shell }) =
            without_prefixes(words).filter(|_| is_tame)
        else {
            return self.unknown("", words, &streams, spot);
        };
        let Some((first, arguments)) = words.split_first() else {
            self.may_fail_silently = true;
            return (Ends::both(spot), Out { text: Text::Other, quotes: Quotes::No });
        };
        let name = program_name(first.literal().unwrap_or_default());
        self.may_be_benign |= may_be_benign(name);
        let (ends, mut out) = if self.is_lost || self.functions.contains(name) {
            self.unknown("", words, &streams, spot)
        } else if is_external {
            self.external(name, arguments, &streams, spot, known)
        } else {
            match self.builtin(name, arguments, &streams, spot) {
                Some(done) => done,
                None => self.external(name, arguments, &streams, spot, known),
            }
        };
        if replaces_shell {
            self.may_stop = true;
            self.may_exit |= self.shells == 0;
        }
        if may_speak {
            out.text = Text::Other;
        }
        (ends, out)
    }

    /// Follows assignments, or redirections, without a command.
    fn assign(&mut self, assignments: &[Word], streams: &Streams, spot: &Spot) -> (Ends, Out) {
        self.changes_environment |= !assignments.is_empty() && self.shells == 0;
        if !assignments.iter().all(is_harmless) {
            self.lose();
        }
        // zsh prints what is redirected so.
        let out = if streams.reads_file {
            Out { text: Text::Other, quotes: Quotes::Maybe }
        } else {
            Out { text: if streams.is_plain() { Text::Nothing } else { Text::Silent }, quotes: Quotes::No }
        };
        self.may_fail_silently |= !streams.is_plain();
        (Ends::both(spot), streams.pass(out, false))
    }

    /// From here on, names may mean something else, and the shell may have ended.
    fn lose(&mut self) {
        self.is_lost = true;
        self.may_stop = true;
        self.changes_environment |= self.shells == 0;
        self.may_exit |= self.shells == 0;
    }

    /// Follows a command that may do anything.
    fn unknown(&mut self, name: &str, words: &[Word], streams: &Streams, spot: &Spot) -> (Ends, Out) {
        self.effects.push(Effect::MayChangeAny);
        self.may_fail_silently = true;
        let is_defined = words.first().and_then(Word::literal).is_some_and(|name| self.functions.contains(name));
        let is_file = name.contains('/');
        if !is_file {
            self.changes_environment |= self.shells == 0;
            if is_defined || self.is_lost || name.is_empty() {
                self.may_stop = true;
                self.may_exit |= self.shells == 0;
            }
        }
        // What a function of the script prints was read where it is defined.
        let only_helps = matches!(words, [_, help] if matches!(help.literal(), Some("--help" | "--version")));
        let quotes = if (is_defined && !self.is_lost) || only_helps { Quotes::No } else { Quotes::Maybe };
        let ends = if is_file { Ends::both(spot) } else { Ends::both(&Spot::Unknown) };
        (ends, streams.pass(Out { text: Text::Other, quotes }, true))
    }

    /// Follows a program that is not part of the shell.
    fn external(
        &mut self,
        name: &str,
        arguments: &[Word],
        streams: &Streams,
        spot: &Spot,
        known: Known,
    ) -> (Ends, Out) {
        if is_shell(name) {
            if let Some(script) = script_argument(arguments) {
                let script = script.to_owned();
                if let Some(mut out) = self.started(&script, spot, known) {
                    if streams.reads_file && out.quotes == Quotes::No && matches!(out.text, Text::Other) {
                        out.quotes = Quotes::Maybe;
                    }
                    return (Ends::both(spot), streams.pass(out, true));
                }
            }
        }
        let Some(program) = program(name) else {
            let words: Vec<Word> = std::iter::once(Word::default()).chain(arguments.iter().cloned()).collect();
            let (_, out) = self.unknown(name, &words, streams, spot);
            let may_move = !name.contains('/');
            return (if may_move { Ends::both(&Spot::Unknown) } else { Ends::both(spot) }, out);
        };
        let is_certain = self.is_certain(known);
        let found = effects(name, program, arguments, spot.known(), is_certain);
        // What is moved away may be the directory itself, or one around it.
        let may_move = found.iter().any(|effect| match (effect, spot.known()) {
            (Effect::Move { from, .. } | Effect::MayMove { from, .. }, Some(spot)) => {
                from.contains(spot) || from.as_str().starts_with("..")
            }
            _ => false,
        });
        self.effects.extend(found);
        let quotes = quotes(name, program, arguments, &streams.input);
        self.may_be_benign |= nested_names(name, arguments).any(may_be_benign);
        let shown = match text(name, arguments, spot.known()) {
            Some(Text::Window(window)) => match &streams.input {
                Input::File(Some(place)) => {
                    let whole =
                        Lines { place: place.clone(), extent: Extent::Whole, is_muted: false, is_numbered: false };
                    window.of(&whole).map_or(Text::Other, Text::File)
                }
                Input::Inherited | Input::Piped => Text::Window(window),
                Input::File(None) | Input::Text(_) => Text::Other,
            },
            Some(text) => text,
            None => Text::Other,
        };
        let may_warn = !matches!(program.prints, Prints::Nothing | Prints::Lines | Prints::Digest)
            && !matches!(name, "echo" | "printf" | "ls");
        let shows_file = matches!(shown, Text::File(_) | Text::Window(_));
        self.may_fail_silently |= !(shows_file || matches!(name, "echo" | "true" | ":"));
        let spot = if may_move { &Spot::Unknown } else { spot };
        (Ends::both(spot), streams.pass(Out { text: shown, quotes }, may_warn))
    }

    /// Follows what only the shell itself can do; `None` if this is none of it.
    fn builtin(&mut self, name: &str, arguments: &[Word], streams: &Streams, spot: &Spot) -> Option<(Ends, Out)> {
        let literals: Option<Vec<&str>> = arguments.iter().map(Word::literal).collect();
        let is_main = self.shells == 0;
        let silent = || streams.pass(Out::SILENT, false);
        let other = || streams.pass(Out::OTHER, false);
        let nothing = || Out { text: Text::Nothing, quotes: Quotes::No };
        Some(match name {
            "cd" | "chdir" => {
                let to = match literals.as_deref() {
                    Some([path] | ["--", path]) if !path.starts_with(['-', '+']) => match spot.known() {
                        Some(spot) => moved(spot, path),
                        None if path.starts_with('/') => moved(&Place::new(String::new()), path),
                        None => None,
                    },
                    _ => None,
                };
                self.may_fail_silently |= streams.errors != Stream::Shown;
                let out = if to.is_some() { silent() } else { other() };
                let zero = to.map_or(Spot::Unknown, Spot::Known);
                // What is not a plain name may have moved somewhere, and then failed.
                let other = if zero == Spot::Unknown && literals.is_none() { Spot::Unknown } else { spot.clone() };
                (Ends { zero, other }, out)
            }
            "pushd" | "popd" => {
                self.changes_environment |= is_main;
                self.may_fail_silently = true;
                (Ends { zero: Spot::Unknown, other: Spot::Unknown }, other())
            }
            "eval" | "source" | "." | "trap" | "alias" | "enable" | "shopt" | "bind" => {
                // Listing them changes nothing.
                if !(arguments.is_empty() && matches!(name, "trap" | "alias" | "enable" | "shopt")) {
                    self.effects.push(Effect::MayChangeAny);
                    self.lose();
                }
                let may_move = matches!(name, "eval" | "source" | ".");
                self.may_fail_silently = true;
                let ends = Ends::both(if may_move { &Spot::Unknown } else { spot });
                let quotes = if may_move || name == "trap" { Quotes::Maybe } else { Quotes::No };
                (ends, streams.pass(Out { text: Text::Other, quotes }, true))
            }
            "set" => {
                self.changes_environment |= is_main;
                let is_known = literals.is_some_and(|words| {
                    let mut words = words.iter();
                    let is_option = |word: &str| {
                        word.len() > 1
                            && word.starts_with(['-', '+'])
                            && word[1..].bytes().all(|letter| b"euo".contains(&letter))
                    };
                    let known_name = |name: &&str| matches!(*name, "pipefail" | "errexit" | "nounset");
                    words.len() > 0
                        && loop {
                            match words.next() {
                                None => break true,
                                Some(word) if !is_option(word) => break false,
                                Some(word) if word.ends_with('o') && !words.next().is_some_and(known_name) => {
                                    break false;
                                }
                                Some(word) if word[..word.len() - 1].contains('o') => break false,
                                Some(_) => {}
                            }
                        }
                });
                if !is_known && !arguments.is_empty() {
                    self.lose();
                }
                let out = if is_known && streams.is_plain() { nothing() } else { other() };
                (Ends { zero: spot.clone(), other: if is_known { Spot::Never } else { spot.clone() } }, out)
            }
            "exit" | "return" => {
                let code = literals.as_deref().and_then(|words| words.first()?.parse::<u8>().ok()).unwrap_or(0);
                if name == "exit" && code > 0 && self.ends_well {
                    self.may_exit_failing |= is_main;
                    return Some((Ends { zero: Spot::Never, other: Spot::Never }, nothing()));
                }
                self.may_stop = true;
                self.may_exit |= is_main;
                (Ends { zero: Spot::Never, other: Spot::Never }, nothing())
            }
            "break" | "continue" => {
                self.may_stop = true;
                (Ends::both(spot), silent())
            }
            "export" | "unset" | "readonly" | "local" | "declare" | "typeset" | "read" | "mapfile" | "readarray"
            | "let" | "shift" | "getopts" | "umask" | "hash" | "ulimit" | "printf"
                if name != "printf" || literals.as_deref().is_some_and(|words| words.contains(&"-v")) =>
            {
                self.changes_environment |= is_main;
                // Prefixes of their own may follow names of powerful variables.
                if !arguments.iter().all(|word| is_harmless(word) && !names_powerful(word)) {
                    self.lose();
                }
                // A variable that can't be set stops a line.
                self.may_stop |= matches!(name, "readonly" | "declare" | "typeset" | "local");
                let is_plain = |word: &Word| word.is_literal && (word.name.is_some() || is_name(&word.text));
                if name == "export" && !arguments.is_empty() && arguments.iter().all(is_plain) && streams.is_plain() {
                    return Some((Ends::both(spot), nothing()));
                }
                self.may_fail_silently = true;
                (Ends::both(spot), other())
            }
            "exec" if arguments.is_empty() => {
                // The shell's own streams change.
                self.effects.push(Effect::MayChangeAny);
                self.lose();
                (Ends::both(spot), Out { text: Text::Other, quotes: Quotes::Maybe })
            }
            "true" | ":" if streams.is_plain() => (Ends { zero: spot.clone(), other: Spot::Never }, nothing()),
            _ => return None,
        })
    }
}

/// Returns whether a word is the name of a variable that changes what names mean.
fn names_powerful(word: &Word) -> bool {
    let mut named = word.clone();
    named.name = Some(word.text.len());
    !is_harmless(&named) && word.name.is_none()
}

/// Returns whether a device shows what is written to it.
fn is_shown_device(path: &str) -> bool {
    path.starts_with("/dev/") && path != "/dev/null"
}

/// Returns the names of programs that an argument of another one starts.
fn nested_names<'w>(name: &str, arguments: &'w [Word]) -> impl Iterator<Item = &'w str> {
    let runs = matches!(
        name,
        "xargs"
            | "find"
            | "parallel"
            | "git"
            | "docker"
            | "kubectl"
            | "ssh"
            | "npx"
            | "fd"
            | "watch"
            | "podman"
            | "su"
            | "wsl"
    );
    arguments.iter().filter(move |_| runs).filter_map(Word::literal).map(program_name)
}
