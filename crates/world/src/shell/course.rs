//! Follows a script: what surely ran, where, and how it ended.

use super::parser::{Script, Unclear, parse};
use super::place::Place;
use super::printed::Text;
use super::state::{Ends, Known, Out, Printed, Quotes, Spot, Status};
use super::syntax::{Command, CommandKind, Compound, Item, Joint, List, Operator, Pipeline, Redirect, Word};
use super::{Directory, Effect, Exit, Ran};
use crate::extent::Extent;
use palimpsest_text::hashing::TextSet;

/// A script while it is followed.
#[derive(Debug)]
pub(super) struct Course {
    pub(super) effects: Vec<Effect>,
    pub(super) printed: Printed,
    /// Whether what was printed may be lines that an edit quotes.
    pub(super) quotes: Quotes,
    /// Whether lines that an edit quotes may have passed by the pipelines and files around them.
    pub(super) quotes_beside: bool,
    pub(super) changes_environment: bool,
    pub(super) may_be_benign: bool,
    pub(super) functions: TextSet<String>,
    /// Whether what follows may not have run, since the shell may have stopped.
    pub(super) may_stop: bool,
    /// Whether the shell itself may have ended.
    pub(super) may_exit: bool,
    /// Whether the shell itself ended, unless it ended with 0.
    pub(super) may_exit_failing: bool,
    /// Whether names may mean something else from here on.
    pub(super) is_lost: bool,
    /// Whether a command that does not print may have hidden why it failed.
    pub(super) may_fail_silently: bool,
    /// Whether the current shell surely ended with 0.
    pub(super) ends_well: bool,
    /// Whether something that runs beside the rest may change files.
    changes_beside: bool,
    /// Whether the command before in a pipeline gives what is read.
    pub(super) is_piped: bool,
    /// Whether the command after in a pipeline reads what is printed.
    pub(super) feeds_pipe: bool,
    /// Number of commands so far.
    pub(super) commands: usize,
    /// That number when the last text of a file was printed.
    pub(super) text_at: usize,
    /// Number of shells around the current one.
    pub(super) shells: usize,
    /// Depth of nesting of the script.
    pub(super) depth: usize,
}

/// Returns what a script of a POSIX shell did.
pub(super) fn run(text: &str, exit: Exit) -> Ran {
    follow(text, exit).unwrap_or_else(|Unclear| match patch(text) {
        // Codex takes this call out of a script that starts with it, before a shell sees it.
        Some(text) => {
            let effects = vec![Effect::Patch { text: text.to_owned(), directory: Directory::Same }];
            Ran { effects, directory: Directory::Same, may_quote: false, ..Ran::unknown() }
        }
        None => Ran::unknown(),
    })
}

/// Returns the patch of a script that does nothing but apply one.
fn patch(text: &str) -> Option<&str> {
    let rest = text.trim_start().strip_prefix("apply_patch")?;
    (rest.starts_with([' ', '\n', '\t', '<', '"']) && rest.contains("*** Begin Patch")).then_some(rest)
}

fn follow(text: &str, exit: Exit) -> Result<Ran, Unclear> {
    let script = parse(text, 0)?;
    let mut course = Course {
        effects: Vec::new(),
        printed: Printed::default(),
        quotes: Quotes::No,
        quotes_beside: false,
        changes_environment: false,
        may_be_benign: false,
        functions: TextSet::default(),
        may_stop: false,
        may_exit: false,
        may_exit_failing: false,
        is_lost: false,
        may_fail_silently: false,
        ends_well: true,
        changes_beside: false,
        is_piped: false,
        feeds_pipe: false,
        commands: 0,
        text_at: 0,
        shells: 0,
        depth: 0,
    };
    let start = Spot::Known(Place::new(String::new()));
    let ends = course.script(script, &start, Known { ran: true, status: Status::Zero });
    let exit = exit.of(course.may_be_benign);
    let spot = match exit {
        _ if course.may_exit => Spot::Unknown,
        Exit::Unknown | Exit::NonZero | Exit::ZeroOrBenign if course.may_exit_failing => Spot::Unknown,
        Exit::Zero => ends.zero,
        Exit::NonZero => ends.other,
        _ => ends.either(),
    };
    let directory = spot.directory();
    let printed = course.all_printed(exit);
    if exit != Exit::Zero || course.changes_beside {
        course.weaken(0);
    }
    course.effects.dedup();
    Ok(Ran {
        effects: course.effects,
        directory,
        printed,
        changes_environment: course.changes_environment,
        may_quote: course.quotes >= Quotes::Maybe || course.quotes_beside,
        prints_files: course.quotes == Quotes::Yes,
        may_be_benign: course.may_be_benign,
    })
}

impl Course {
    /// Follows a whole script, of this shell or of one that it starts.
    pub(super) fn script(&mut self, script: Script, spot: &Spot, known: Known) -> Ends {
        self.functions.extend(script.functions);
        self.changes_beside |= script.has_async;
        self.printed.is_more |= script.has_async;
        self.list(&script.list, spot, known)
    }

    /// Returns whether a command surely ran, and ended with 0.
    pub(super) fn is_certain(&self, known: Known) -> bool {
        known.ran && known.status == Status::Zero && !self.may_stop
    }

    /// Returns the only text that was printed.
    fn all_printed(&self, exit: Exit) -> Option<(Place, Extent)> {
        let (lines, before) = self.printed.one.as_ref().filter(|_| !self.printed.is_more)?;
        let is_sure = match exit {
            Exit::Zero => true,
            // Whoever came after it may have complained below it.
            Exit::Unknown => !lines.is_muted && !self.may_fail_silently && self.text_at == self.commands,
            _ => false,
        };
        // Another name may be a link to the same file.
        let is_current = self.effects.len() == *before && !self.changes_beside;
        (is_sure && is_current).then(|| (lines.place.clone(), lines.extent))
    }

    /// Makes the effects from one on such that may have happened.
    pub(super) fn weaken(&mut self, from: usize) {
        Effect::weaken(&mut self.effects[from..]);
    }

    /// Notes what a command printed.
    fn say(&mut self, out: Out, known: Known, before: usize) {
        self.quotes = self.quotes.max(out.quotes);
        let is_certain = self.is_certain(known);
        match out.text {
            Text::Nothing => {}
            Text::Silent if is_certain => {}
            Text::File(lines) if is_certain && self.printed.one.is_none() => self.printed.one = Some((lines, before)),
            _ => self.printed.is_more = true,
        }
    }

    /// Follows something and returns what it printed, which nobody has seen yet.
    fn captured<T>(&mut self, follow: impl FnOnce(&mut Self) -> T) -> (T, Out) {
        let printed = std::mem::take(&mut self.printed);
        let before = std::mem::replace(&mut self.quotes, Quotes::No);
        let result = follow(self);
        let inner = std::mem::replace(&mut self.printed, printed);
        let quotes = std::mem::replace(&mut self.quotes, before);
        let text = match inner.one {
            _ if inner.is_more => Text::Other,
            None => Text::Silent,
            // What it was before later effects is not told here.
            Some((lines, before)) if before == self.effects.len() => Text::File(lines),
            Some(_) => Text::Other,
        };
        (result, Out { text, quotes })
    }

    /// Follows something in a shell of its own.
    pub(super) fn in_shell<T>(&mut self, ends_well: bool, follow: impl FnOnce(&mut Self) -> T) -> T {
        let state = (self.may_stop, self.may_exit, self.is_lost, self.ends_well);
        self.ends_well = ends_well;
        self.shells += 1;
        let result = follow(self);
        self.shells -= 1;
        (self.may_stop, self.may_exit, self.is_lost, self.ends_well) = state;
        result
    }

    /// Follows what words substitute.
    pub(super) fn expand<'w>(&mut self, words: impl IntoIterator<Item = &'w Word>, spot: &Spot) {
        for word in words {
            self.changes_environment |= word.may_assign && self.shells == 0;
            self.may_stop |= word.may_abort;
            self.may_exit_failing |= word.may_abort && self.shells == 0;
            for list in &word.inner {
                let ((), out) = self.captured(|course| {
                    course.in_shell(false, |course| drop(course.list(list, spot, Known::MAYBE)));
                });
                // They may complain, and the command goes on.
                self.printed.is_more = true;
                // What they give may be printed, by the command or in a complaint.
                let reads_pipe = out.quotes == Quotes::Input && self.is_piped;
                self.quotes_beside |= out.quotes >= Quotes::Maybe || reads_pipe;
            }
        }
    }

    fn list(&mut self, list: &List, spot: &Spot, known: Known) -> Ends {
        let mut ends = Ends { zero: spot.clone(), other: Spot::Never };
        for (number, item) in list.items.iter().enumerate() {
            let is_last = number + 1 == list.items.len();
            let spot = ends.either();
            let status = if is_last { known.status } else { Status::Any };
            ends = self.item(item, &spot, Known { ran: known.ran, status });
        }
        ends
    }

    fn item(&mut self, item: &Item, spot: &Spot, known: Known) -> Ends {
        if item.is_background {
            let before = self.effects.len();
            self.in_shell(false, |course| course.joined(item, spot, Known::MAYBE));
            self.changes_beside |= self.effects.len() > before;
            self.printed.is_more = true;
            return Ends { zero: spot.clone(), other: Spot::Never };
        }
        self.joined(item, spot, known)
    }

    /// Follows pipelines joined by `&&` and `||`.
    fn joined(&mut self, item: &Item, spot: &Spot, known: Known) -> Ends {
        // What is known of each pipeline follows from what is known of all, from the last one to the first.
        let mut whole = known;
        let mut each = Vec::with_capacity(item.rest.len());
        for (joint, pipeline) in item.rest.iter().rev() {
            let (left, right) = match (joint, whole.status) {
                (Joint::And, Status::Zero) | (Joint::Or, Status::Other) => (whole.status, whole),
                // Had it run, the shell had not ended with 0.
                (Joint::Or, _) if self.ends_well && !self.may_stop && fails_shell(pipeline) => {
                    (Status::Zero, Known::MAYBE)
                }
                _ => (Status::Any, Known::MAYBE),
            };
            each.push(right);
            whole.status = left;
        }
        let mut ends = self.pipeline(&item.first, spot, whole);
        for ((joint, pipeline), known) in item.rest.iter().zip(each.into_iter().rev()) {
            let Ends { zero, other } = ends;
            ends = match joint {
                Joint::And => {
                    let right = self.pipeline(pipeline, &zero, known);
                    Ends { zero: right.zero, other: right.other.or(other) }
                }
                Joint::Or => {
                    let right = self.pipeline(pipeline, &other, known);
                    Ends { zero: right.zero.or(zero), other: right.other }
                }
            };
        }
        ends
    }

    fn pipeline(&mut self, pipeline: &Pipeline, spot: &Spot, mut known: Known) -> Ends {
        if pipeline.is_negated {
            known.status = match known.status {
                Status::Zero => Status::Other,
                Status::Other => Status::Zero,
                Status::Any => Status::Any,
            };
        }
        let before = self.effects.len();
        let (mut ends, mut out) = match pipeline.parts.as_slice() {
            [only] => self.command(only, spot, known),
            parts => self.parts(parts, spot, known),
        };
        if pipeline.is_timed || pipeline.joins_errors {
            out.text = Text::Other;
        }
        let before = if pipeline.parts.len() > 1 { before } else { self.effects.len() };
        self.say(out, known, before);
        if pipeline.is_negated {
            self.may_fail_silently = true;
            std::mem::swap(&mut ends.zero, &mut ends.other);
        }
        ends
    }

    /// Follows the parts of a pipeline, which run at the same time, each in a shell of its own.
    fn parts(&mut self, parts: &[Command], spot: &Spot, known: Known) -> (Ends, Out) {
        let before = self.effects.len();
        let (mut all, mut ends) = (Out::SILENT, Ends::both(spot));
        let mut ranges = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let is_last = number + 1 == parts.len();
            let known = if is_last { known } else { Known { status: Status::Any, ..known } };
            let start = self.effects.len();
            let ends_well = known.status == Status::Zero;
            let is_piped = self.is_piped;
            self.is_piped |= number > 0;
            let feeds_pipe = self.feeds_pipe;
            self.feeds_pipe |= !is_last;
            let (after, out) = self.in_shell(ends_well, |course| course.command(part, spot, known));
            (self.is_piped, self.feeds_pipe) = (is_piped, feeds_pipe);
            ranges.push(start);
            all = if number == 0 { out } else { all.into_next(out) };
            // zsh runs the last part in the shell itself.
            if is_last && after.clone().either() != *spot {
                ends = Ends::both(&Spot::Unknown);
            }
        }
        // Which came first is not certain. What an unknown program does to files it names itself; the last part's are named here.
        let last = ranges.pop().unwrap_or(before);
        let others = &self.effects[before..last];
        if others.iter().all(|effect| *effect == Effect::MayChangeAny) {
            self.effects[before..].rotate_left(last - before);
        } else if self.effects.len() > last {
            self.weaken(before);
        }
        (ends, all)
    }

    fn command(&mut self, command: &Command, spot: &Spot, known: Known) -> (Ends, Out) {
        let both = |redirect: &Redirect| matches!(redirect.operator, Operator::WriteBoth | Operator::AppendBoth);
        if !command.redirects.iter().any(both) {
            return self.started_here(command, spot, known);
        }
        // dash takes `a &> b` for `a & > b`.
        let before = self.effects.len();
        let (ends, out) = self.started_here(command, spot, known);
        self.changes_beside |= self.effects.len() > before + command.redirects.len();
        let same = ends.either() == *spot;
        (Ends::both(if same { spot } else { &Spot::Unknown }), out)
    }

    fn started_here(&mut self, command: &Command, spot: &Spot, known: Known) -> (Ends, Out) {
        if let CommandKind::Simple { assignments, words } = &command.kind {
            return self.simple((assignments, words), &command.redirects, spot, known);
        }
        let (streams, known) = self.redirect(&command.redirects, spot, known);
        let (ends, mut out) = self.captured(|course| match &command.kind {
            CommandKind::Simple { .. } => Ends::both(spot),
            CommandKind::Subshell(list) => {
                let ends_well = known.status == Status::Zero;
                course.in_shell(ends_well, |course| drop(course.list(list, spot, known)));
                Ends::both(spot)
            }
            CommandKind::Group(list) => course.list(list, spot, known),
            CommandKind::Compound(compound) => course.compound(compound, spot, known),
            CommandKind::Function(body) => {
                course.define(body);
                Ends { zero: spot.clone(), other: Spot::Never }
            }
            CommandKind::Test { words, has_angle } => {
                course.expand(words, spot);
                course.may_be_benign = true;
                course.may_fail_silently = true;
                if *has_angle {
                    // A shell without `[[` would write there.
                    course.effects.push(Effect::MayChangeAny);
                }
                Ends::both(spot)
            }
            CommandKind::Arithmetic { word, has_angle } => {
                course.expand([word], spot);
                if *has_angle {
                    course.effects.push(Effect::MayChangeAny);
                }
                course.may_fail_silently = true;
                course.printed.is_more |= !course.is_certain(known);
                Ends::both(spot)
            }
        });
        // Who reads a file line by line may print it.
        if matches!(out.text, Text::Other) {
            out.quotes = out.quotes.max(streams.quotes_of_input());
        }
        let out = streams.pass(out, true);
        self.quotes_beside |= streams.is_unclear() && out.quotes != Quotes::No;
        (ends, out)
    }

    fn compound(&mut self, compound: &Compound, spot: &Spot, known: Known) -> Ends {
        self.changes_environment |= compound.sets_variable && self.shells == 0;
        self.expand(&compound.words, spot);
        let inside = if compound.may_move { Spot::Unknown } else { spot.clone() };
        if let Some(first) = &compound.first {
            self.list(first, &inside, Known { status: Status::Any, ..known });
        }
        for body in &compound.bodies {
            self.list(body, &inside, Known::MAYBE);
        }
        Ends::both(&inside)
    }

    /// Reads a function for what it may print. It doesn't run here; who calls it does not know what it does.
    fn define(&mut self, body: &Command) {
        self.changes_environment |= self.shells == 0;
        let before = self.effects.len();
        let beside = self.changes_beside;
        let ((), out) = self.captured(|course| {
            course.in_shell(false, |course| {
                let (_, out) = course.command(body, &Spot::Unknown, Known::MAYBE);
                course.say(out, Known::MAYBE, 0);
            });
        });
        self.effects.truncate(before);
        self.changes_beside = beside;
        self.quotes = self.quotes.max(out.quotes);
    }

    /// Follows a script that a command starts in a shell of its own.
    pub(super) fn started(&mut self, text: &str, spot: &Spot, known: Known) -> Option<Out> {
        self.depth += 8;
        let script = parse(text, self.depth);
        let out = script.ok().map(|script| {
            let ((), out) = self.captured(|course| {
                let ends_well = known.status == Status::Zero;
                course.in_shell(ends_well, |course| drop(course.script(script, spot, known)));
            });
            out
        });
        self.depth -= 8;
        out
    }
}

/// Returns whether a pipeline surely ends the shell with a code other than 0.
fn fails_shell(pipeline: &Pipeline) -> bool {
    let [command] = pipeline.parts.as_slice() else { return false };
    match &command.kind {
        _ if !command.redirects.is_empty() || pipeline.is_negated => false,
        CommandKind::Simple { assignments, words } => {
            let literals: Option<Vec<&str>> = words.iter().map(Word::literal).collect();
            let code = match literals.as_deref() {
                Some(["exit", code]) => code.parse::<u8>().unwrap_or(0),
                _ => 0,
            };
            assignments.is_empty() && code > 0
        }
        CommandKind::Group(list) => {
            let [said @ .., last] = list.items.as_slice() else { return false };
            let is_alone = |item: &Item| item.rest.is_empty() && !item.is_background;
            said.iter().all(|item| is_alone(item) && only_speaks(&item.first))
                && is_alone(last)
                && fails_shell(&last.first)
        }
        _ => false,
    }
}

/// Returns whether a pipeline is one `echo` or `printf`.
fn only_speaks(pipeline: &Pipeline) -> bool {
    let [Command { kind: CommandKind::Simple { words, .. }, .. }] = pipeline.parts.as_slice() else { return false };
    words.first().and_then(Word::literal).is_some_and(|name| matches!(name, "echo" | "printf"))
}
