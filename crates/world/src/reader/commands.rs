//! Calls of tools that run commands: where they run, what they do to files, and where a shell that lasts is afterwards.

use super::files::whole_path;
use super::{Call, Reader, is_set};
use crate::arguments::{canonical, string};
use crate::extent::Extent;
use crate::known::Known;
use crate::lines::extent;
use crate::operation::{FileAccess, Operation, Prints};
use crate::outcome::{self, Outcome};
use crate::path::{is_absolute, join};
use crate::shell::{self, Directory, Effect, Exit, Ran};
use crate::tools::{Dialect, Harness, Keeps, Shell};
use palimpsest_text::Text;
use serde_json::Value;

impl<'a> Reader<'a> {
    /// Reads a call that ran `script` in a shell.
    pub(super) fn run(&mut self, operation: &mut Operation, script: &str, harness: Harness, call: &Call<'_, '_>) {
        let shell = harness.shell;
        // Input to a running program, or a request for its output, does not run a command.
        if script.trim().is_empty() || is_set(call.value, "is_input") {
            return;
        }
        let said = if let [said] = &operation.said[..] { Some(said.clone()) } else { None };
        let said = said.as_ref();
        if said.is_some_and(|said| said.is_other_command) {
            self.shell = Known::Unknown;
            operation.is_cause = true;
            return;
        }
        let (argument, given) = self.given(shell, call);
        let directory = match (&given, said.and_then(|said| self.named_by(operation, said, outcome::Place::Start))) {
            (_, Some(said)) => Known::Certain(said),
            (Some(given), None) => given.clone(),
            (None, None) if shell.keeps_directory == Keeps::No => self.start.clone(),
            (None, None) => self.shell.clone(),
        };
        let ran = shell::run(script, dialect(harness, call.value, &directory, script), Exit::from(operation.outcome));
        operation.prints = if ran.prints_files { Prints::Files } else { Prints::Other };
        if !call.server.is_empty() {
            return self.run_elsewhere(operation, &ran, call);
        }
        if let Known::Certain(directory) = &directory {
            let environment = if shell.keeps_environment == Keeps::No { 0 } else { self.environment };
            let what = canonical(call.value, argument);
            operation.run = Some(self.run_number(operation.call, &what, directory.clone(), environment));
            operation.directory = Some(directory.clone());
        }
        let lasts = |keeps: Keeps, changes: bool| keeps != Keeps::No && changes;
        operation.is_cause = lasts(shell.keeps_directory, !matches!(ran.directory, Directory::Same))
            || lasts(shell.keeps_environment, ran.changes_environment)
            || ran.effects.iter().any(|effect| !matches!(effect, Effect::MayChange(_) | Effect::MayChangeAny));
        for effect in &ran.effects {
            self.apply(operation, effect, &directory);
        }
        if let Some((place, asked)) =
            ran.printed.filter(|_| !call.shown.first().is_some_and(|&text| is_complaint(text)))
        {
            let stopped = operation.outcome.is_certain_and(|outcome| {
                matches!(outcome, Outcome::Running | Outcome::TimedOut | Outcome::Interrupted)
            });
            let is_cut = stopped || said.is_some_and(|said| said.is_cut == Known::Certain(true));
            let extent = if is_cut { Extent::Part } else { extent(asked, &call.shown) };
            self.use_file(operation, "", &directory, place.as_str(), FileAccess::Read(extent));
        }
        self.environment += u32::from(ran.changes_environment);
        if shell.keeps_directory != Keeps::No {
            let said = said.and_then(|said| self.named_by(operation, said, outcome::Place::End));
            let printed = call.shown.first().filter(|_| script.trim() == "pwd").and_then(|&text| absolute(text));
            self.shell = match said.or(printed) {
                Some(named) => Known::Certain(named),
                None => self.after(&ran.directory, &directory, shell, given.is_some()),
            };
        }
    }

    /// Reads a command that a server ran. Which files it has there is unknown, and whether its shell lasts.
    fn run_elsewhere(&mut self, operation: &mut Operation, ran: &Ran, call: &Call<'_, '_>) {
        let name = self.transcript.name(operation.call);
        let server = &name[..call.server.len()];
        let moved = self.moved.entry(server).or_default();
        let before = *moved;
        *moved += u32::from(ran.changes_environment || !matches!(ran.directory, Directory::Same));
        operation.is_cause = *moved > before;
        operation.run = Some(self.run_number(operation.call, &canonical(call.value, ""), String::new(), before));
    }

    /// Returns the name of the argument with the directory of a call, and the directory, if there is one.
    fn given<'n>(&self, shell: Shell, call: &Call<'n, '_>) -> (&'n str, Option<Known<String>>) {
        let names = std::iter::once(call.tool).chain(&call.named.tools).map(|tool| tool.cwd);
        let given = names.filter_map(|name| Some((name, string(call.value, name)?))).next();
        let Some((name, path)) = given else { return ("", None) };
        let directory = match path {
            // Whose home that is, and whether the harness puts it in, isn't known.
            _ if path.starts_with('~') => Known::Unknown,
            _ if is_absolute(path) => Known::Certain(join("", path)),
            _ if shell.keeps_directory == Keeps::No => self.start.as_ref().map(|start| join(start, path)),
            _ => Known::Unknown,
        };
        (name, Some(directory))
    }

    /// Returns the directory that the harness says the shell was in.
    fn named_by(&self, operation: &Operation, said: &outcome::Said, at: outcome::Place) -> Option<String> {
        let directory = said.directory.as_ref().filter(|directory| directory.at == at)?;
        absolute(self.transcript.text(*operation.results.first()?).slice(directory.path.clone()))
    }

    /// Returns where a shell is that lasts, or may last, after a command that moved it so.
    fn after(&self, moved: &Directory, directory: &Known<String>, shell: Shell, was_given: bool) -> Known<String> {
        let after = match moved {
            Directory::Same => directory.clone(),
            Directory::At(place) => whole_path("", directory, place.as_str()).into(),
            Directory::Unknown => Known::Unknown,
        };
        match shell.keeps_directory {
            Keeps::Yes if !was_given => after,
            // The shell is there, or where it was before.
            _ => after.agreed(self.shell.clone()),
        }
    }

    fn apply(&mut self, operation: &mut Operation, effect: &Effect, directory: &Known<String>) {
        match effect {
            Effect::Overwrite(place) | Effect::Delete(place) => {
                self.use_file(operation, "", directory, place.as_str(), FileAccess::Edit);
            }
            Effect::Move { from, to } | Effect::MayMove { from, to } => {
                // The text lives on, under a name that isn't certain: `to` may be a directory. Where it was a file, its text is gone.
                if matches!(effect, Effect::Move { .. }) {
                    self.use_file(operation, "", directory, to.as_str(), FileAccess::Edit);
                }
                if let Some(path) = whole_path("", directory, from.as_str()) {
                    self.files.forget(&(String::new(), path));
                }
            }
            Effect::Patch { text, directory: moved } if operation.succeeded() => {
                let directory = match moved {
                    Directory::Same => directory.clone(),
                    Directory::At(place) => whole_path("", directory, place.as_str()).into(),
                    Directory::Unknown => Known::Unknown,
                };
                self.patch(operation, text, "", &directory);
            }
            Effect::Patch { .. } | Effect::MayChange(_) | Effect::MayChangeAny => {}
        }
    }
}

/// Returns the language of a script that a call runs in `directory`.
fn dialect(harness: Harness, value: &Value, directory: &Known<String>, script: &str) -> Dialect {
    // On Windows, a slash begins the option of a command, and no path of several names.
    let is_path = |word: &str| word.starts_with('/') && word[1..].contains('/') && !word.starts_with("//");
    let is_off_windows = || script.split_ascii_whitespace().any(|word| is_path(word.trim_start_matches(['\'', '"'])));
    let directory = directory.as_ref().certain().filter(|directory| directory.starts_with('/'));
    let directory = directory.map_or(if is_off_windows() { "/" } else { "" }, String::as_str);
    harness.dialect(Some(value), directory)
}

/// Returns the absolute path that a text is.
fn absolute(text: Text<'_>) -> Option<String> {
    let path = text.trim().to_string_lossy();
    let is_one = is_absolute(&path) && !path.starts_with('~') && !path.contains('\n');
    is_one.then(|| join("", &path))
}

/// Returns whether a program that prints files reports that it cannot: `cat: a.ts: No such file or directory`.
fn is_complaint(shown: Text<'_>) -> bool {
    [b"cat: ".as_slice(), b"nl: ", b"sed: ", b"head: ", b"tail: "].iter().any(|start| shown.bytes().starts_with(start))
}
