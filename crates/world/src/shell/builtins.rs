//! Builtins of the shell: those that change the directory, what names mean, or whether what follows runs.

use super::Effect;
use super::course::Course;
use super::place::{Place, is_absolute, moved};
use super::prefixes::is_harmless;
use super::printed::Text;
use super::state::{Ends, Out, Quotes, Spot};
use super::streams::{Stream, Streams};
use super::syntax::Word;
use super::words::is_name;

impl Course {
    /// Follows what only the shell itself can do; `None` if this is none of it.
    pub(super) fn builtin(
        &mut self,
        name: &str,
        arguments: &[Word],
        streams: &Streams,
        spot: &Spot,
    ) -> Option<(Ends, Out)> {
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
                        None if is_absolute(path) => moved(&Place::new(String::new()), path),
                        None => None,
                    },
                    _ => None,
                };
                self.may_fail_silently |= streams.errors != Stream::Shown;
                let out = if to.is_some() { silent() } else { other() };
                let zero = to.map_or(Spot::Unknown, Spot::Known);
                // What is not a plain name may have moved somewhere, and then failed to say so.
                let other = if zero == Spot::Unknown { Spot::Unknown } else { spot.clone() };
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
                // Its redirections may fail.
                let is_sure = is_known && streams.is_plain();
                let failed = if is_sure { Spot::Never } else { spot.clone() };
                (Ends { zero: spot.clone(), other: failed }, if is_sure { nothing() } else { other() })
            }
            "exit" | "return" => {
                let code = literals.as_deref().and_then(|words| words.first()?.parse::<u8>().ok()).unwrap_or(0);
                // Where a redirection fails, the shell goes on.
                let ends_shell = name == "exit" && streams.is_plain();
                if ends_shell && code > 0 && self.ends_well {
                    self.may_exit_failing |= is_main;
                    return Some((Ends { zero: Spot::Never, other: Spot::Never }, nothing()));
                }
                self.may_stop = true;
                self.may_exit |= is_main;
                // Outside of a function, `return` is an error, and so is a code that is no number.
                let is_plain =
                    name == "exit" && (arguments.is_empty() || code > 0 || literals.as_deref() == Some(&["0"]));
                let ends = if ends_shell { Ends { zero: Spot::Never, other: Spot::Never } } else { Ends::both(spot) };
                (ends, if is_plain { nothing() } else { other() })
            }
            "break" | "continue" => {
                // Outside of a loop they complain, and where bash gave up a loop because of arithmetic, it still counts that one and ends.
                self.may_exit |= is_main && self.may_exit_failing;
                self.may_stop = true;
                (Ends::both(spot), other())
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
