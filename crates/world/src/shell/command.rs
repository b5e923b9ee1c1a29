//! Follows one command: its redirections, and then what its program did.

use super::Effect;
use super::course::Course;
use super::effects::effects;
use super::prefixes::{Prefixed, is_harmless, is_shell, program_name, script_argument, without_prefixes};
use super::printed::{Lines, Text, text};
use super::programs::{Prints, may_be_benign, program};
use super::quotes::quotes;
use super::state::{Ends, Known, Out, Quotes, Spot};
use super::streams::{Input, Stream, Streams};
use super::syntax::{Redirect, Word};
use crate::extent::Extent;

impl Course {
    /// Follows a program or a builtin.
    pub(super) fn simple(
        &mut self,
        (assignments, words): (&[Word], &[Word]),
        redirects: &[Redirect],
        spot: &Spot,
        known: Known,
    ) -> (Ends, Out) {
        self.commands += 1;
        self.expand(assignments.iter().chain(words), spot);
        // In a pipeline, redirections alone may fail and end with 0.
        let is_alone = words.is_empty() && (self.is_piped || self.feeds_pipe);
        let (streams, known) = self.redirect(redirects, spot, if is_alone { Known::MAYBE } else { known });
        if words.is_empty() {
            return self.assign(assignments, &streams, spot);
        }
        let is_tame = assignments.iter().all(is_harmless);
        let Some(Prefixed { words, is_external, may_speak, may_change, replaces_shell }) =
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
        self.quotes_beside |= streams.is_unclear() && out.quotes != Quotes::No;
        self.quotes_beside |=
            arguments.iter().any(|word| word.text.contains("/dev/") && !word.text.contains("/dev/null"));
        if may_speak {
            out.text = Text::Other;
        }
        if may_change {
            self.effects.push(Effect::MayChangeAny);
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
    pub(super) fn lose(&mut self) {
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
        // Errors may quote, too.
        self.quotes_beside |= quotes >= Quotes::Maybe && streams.errors != Stream::Gone;
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
        let script = script_argument(arguments).filter(|_| is_shell(name)).map(str::to_owned);
        if let Some(mut out) = script.and_then(|script| self.started(&script, spot, known)) {
            if matches!(out.text, Text::Other) {
                out.quotes = out.quotes.max(streams.quotes_of_input());
            }
            return (Ends::both(spot), streams.pass(out, true));
        }
        let Some(program) = program(name) else {
            let words: Vec<Word> = std::iter::once(Word::default()).chain(arguments.iter().cloned()).collect();
            let (_, out) = self.unknown(name, &words, streams, spot);
            let may_move = !name.contains('/');
            return (if may_move { Ends::both(&Spot::Unknown) } else { Ends::both(spot) }, out);
        };
        if matches!(name, "apply_patch" | "applypatch") {
            let text = match (arguments, &streams.input) {
                ([patch], _) => patch.literal(),
                ([], Input::Text(text)) => Some(text.as_str()),
                _ => None,
            };
            self.effects.push(match text {
                Some(text) => Effect::Patch { text: text.to_owned(), directory: spot.clone().directory() },
                None => Effect::MayChangeAny,
            });
            self.may_fail_silently = true;
            return (Ends::both(spot), streams.pass(Out::OTHER, true));
        }
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
        let is_interpreter = (program.prints, program.may_change_any) == (Prints::Files, true) && name != "git";
        self.quotes_beside |= is_interpreter && quotes >= Quotes::Maybe && streams.errors != Stream::Gone;
        self.may_be_benign |= nested_names(name, arguments).any(may_be_benign);
        let shown = match text(name, arguments, spot.known()) {
            Some(Text::Window(window)) => match &streams.input {
                Input::File(Some(place)) => {
                    let whole = Lines::of(place.clone(), Extent::Whole);
                    window.of(&whole).map_or(Text::Other, Text::File)
                }
                Input::Inherited | Input::Piped => Text::Window(window),
                Input::File(None) | Input::Text(_) => Text::Other,
            },
            Some(text) => text,
            None => Text::Other,
        };
        // Questions of `rm -i` are no output.
        let asks = program.prints == Prints::Nothing && !matches!(shown, Text::Silent);
        let may_warn = asks
            || !matches!(program.prints, Prints::Nothing | Prints::Lines | Prints::Digest)
                && !matches!(name, "echo" | "printf" | "ls");
        let shows_file = matches!(shown, Text::File(_) | Text::Window(_)) && streams.shows_output();
        if shows_file {
            self.text_at = self.commands;
        }
        self.may_fail_silently |= !(shows_file || matches!(name, "echo" | "true" | ":"));
        let spot = if may_move { &Spot::Unknown } else { spot };
        (Ends::both(spot), streams.pass(Out { text: shown, quotes }, may_warn))
    }
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
