//! Scripts of PowerShell: what reads and writes files is known, everything else is not.

use super::effects::effects;
use super::parser::Unclear;
use super::place::Place;
use super::printed::{Lines, Text, Window};
use super::programs::{one_of, program};
use super::quotes::quotes;
use super::state::{Out, Quotes, Spot};
use super::syntax::Word;
use super::windows::{Did, Join, Part, Redirected, Step, Token, change, follow, path};
use super::{Effect, Exit, Ran};
use crate::extent::{Extent, LineRange};

/// Returns what a script of PowerShell did.
pub(super) fn run(script: &str, exit: Exit) -> Ran {
    match steps(script) {
        Ok(steps) => follow(&steps, exit, does),
        Err(Unclear) => Ran::unknown(),
    }
}

/// Reads a script as pipelines of plain words. Blocks, expressions and strings over several lines are not read.
fn steps(script: &str) -> Result<Vec<Step>, Unclear> {
    let mut steps = vec![Step { join: Join::Then, parts: vec![Part::default()] }];
    let mut word: Option<Token> = None;
    // What the next word is the file of: whether it appends, and whether of errors.
    let mut target: Option<(bool, bool)> = None;
    let mut chars = script.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        let bytes = script.as_bytes();
        match char {
            '(' | ')' | '{' | '}' | '@' | '<' => return Err(Unclear),
            '#' if word.is_none() => while chars.next_if(|(_, char)| *char != '\n').is_some() {},
            '\'' | '"' => {
                let word = word.get_or_insert_with(|| Token { text: String::new(), is_literal: true });
                loop {
                    match chars.next().ok_or(Unclear)?.1 {
                        '`' if char == '"' => return Err(Unclear),
                        inner if inner == char => match chars.next_if(|(_, next)| *next == char) {
                            Some(_) => word.text.push(char),
                            None => break,
                        },
                        '\u{2018}'..='\u{201f}' => return Err(Unclear),
                        inner => {
                            word.is_literal &= inner != '$' || char == '\'';
                            word.text.push(inner);
                        }
                    }
                }
            }
            // PowerShell takes these for quotes, too.
            '\u{2018}'..='\u{201f}' | '\u{2013}'..='\u{2015}' => return Err(Unclear),
            '`' => match chars.next() {
                Some((_, '\n')) => {}
                _ => return Err(Unclear),
            },
            ' ' | '\t' | '\n' | '\r' | ';' | '|' | '&' | '>' => {
                let is_errors = char == '>' && word.as_ref().is_some_and(|word| one_of(word.text.as_str(), "2 * 1 3"));
                if is_errors {
                    // Only errors, and everything, are followed.
                    let number = word.take().map(|word| word.text).unwrap_or_default();
                    if !matches!(number.as_str(), "2" | "*") {
                        return Err(Unclear);
                    }
                    let appends = chars.next_if(|(_, next)| *next == '>').is_some();
                    if chars.next_if(|(_, next)| *next == '&').is_some() {
                        chars.next_if(|(_, next)| *next == '1').ok_or(Unclear)?;
                        continue;
                    }
                    target = Some((appends, number == "2"));
                    continue;
                }
                finish(&mut steps, &mut word, &mut target);
                let next = bytes.get(at + 1);
                match (char, next) {
                    ('>', Some(b'>')) => {
                        chars.next();
                        target = Some((true, false));
                    }
                    ('>', _) => target = Some((false, false)),
                    ('|', Some(b'|')) => begin(&mut steps, Join::Or, chars.next().is_some()),
                    ('&', Some(b'&')) => begin(&mut steps, Join::And, chars.next().is_some()),
                    ('|', _) => steps.last_mut().ok_or(Unclear)?.parts.push(Part::default()),
                    ('&', _) => return Err(Unclear),
                    (';' | '\n', _) => begin(&mut steps, Join::Then, true),
                    _ => {}
                }
            }
            '$' => {
                let word = word.get_or_insert_with(|| Token { text: String::new(), is_literal: true });
                word.is_literal = false;
            }
            char => word.get_or_insert_with(|| Token { text: String::new(), is_literal: true }).text.push(char),
        }
    }
    finish(&mut steps, &mut word, &mut target);
    if target.is_some() {
        return Err(Unclear);
    }
    steps.retain(|step| step.join != Join::Then || step.parts.len() > 1 || !step.parts[0].words.is_empty());
    if steps.iter().any(|step| step.parts.iter().any(|part| part.words.is_empty())) {
        return Err(Unclear);
    }
    Ok(steps)
}

fn begin(steps: &mut Vec<Step>, join: Join, _passed: bool) {
    steps.push(Step { join, parts: vec![Part::default()] });
}

fn finish(steps: &mut [Step], word: &mut Option<Token>, target: &mut Option<(bool, bool)>) {
    let Some(word) = word.take() else { return };
    let Some(part) = steps.last_mut().and_then(|step| step.parts.last_mut()) else { return };
    match target.take() {
        Some((appends, is_errors)) => part.files.push(Redirected { file: word, appends, is_errors }),
        None => part.words.push(word),
    }
}

/// Arguments of a cmdlet: operands, the values of parameters, and whether they are all known.
struct Arguments<'a> {
    operands: Vec<&'a Token>,
    values: Vec<(String, &'a Token)>,
    is_known: bool,
}

impl<'a> Arguments<'a> {
    /// Reads arguments, of a cmdlet with these switches and these parameters that have a value.
    fn read(words: &'a [Token], switches: &[&str], valued: &[&str]) -> Self {
        let mut arguments = Arguments { operands: Vec::new(), values: Vec::new(), is_known: true };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let name = word.text.strip_prefix('-').filter(|_| word.is_literal).map(str::to_ascii_lowercase);
            match name {
                Some(name) if switches.contains(&name.as_str()) => {}
                Some(name) if valued.contains(&name.as_str()) => match words.next() {
                    Some(value) => arguments.values.push((name, value)),
                    None => arguments.is_known = false,
                },
                Some(_) => arguments.is_known = false,
                None => arguments.operands.push(word),
            }
        }
        arguments
    }

    fn value(&self, names: &[&str]) -> Option<&'a Token> {
        self.values.iter().find(|(name, _)| names.contains(&name.as_str())).map(|(_, value)| *value)
    }

    /// Returns the only file that is named.
    fn file(&self) -> Option<&'a Token> {
        match (self.value(&["path", "literalpath", "filepath"]), self.operands.as_slice()) {
            (Some(file), []) => Some(file),
            (None, [file]) => Some(file),
            _ => None,
        }
    }
}

/// Returns what one command does.
fn does(words: &[Token], directory: Option<&Place>, is_certain: bool) -> Did {
    let Some((name, words)) = words.split_first().filter(|(name, _)| name.is_literal) else { return Did::anything() };
    let one = |effect: Option<Effect>, is_sure: bool| {
        let mut did = Did::nothing(if is_sure { Text::Silent } else { Text::Other }, Quotes::No);
        did.effects.push(effect.unwrap_or(Effect::MayChangeAny));
        did
    };
    match name.text.to_ascii_lowercase().as_str() {
        "get-content" | "gc" | "cat" | "type" => {
            let arguments = Arguments::read(
                words,
                &["raw", "force"],
                &["path", "literalpath", "totalcount", "head", "first", "tail", "last", "encoding"],
            );
            let number = |names: &[&str]| arguments.value(names).map(|count| count.text.parse::<u32>().ok());
            let extent = match (number(&["totalcount", "head", "first"]), number(&["tail", "last"])) {
                (None, None) => Some(Extent::Whole),
                (Some(count), None) => count.and_then(|count| LineRange::new(1, count)).map(Extent::Lines),
                (None, Some(_)) => Some(Extent::Part),
                _ => None,
            };
            let place = arguments
                .file()
                .filter(|_| arguments.is_known && !words.iter().any(|word| word.text.contains(',')))
                .and_then(|file| path(file, directory));
            let text = match (place, extent) {
                (Some(place), Some(extent)) => Text::File(Lines::of(place, extent)),
                _ => Text::Other,
            };
            Did::nothing(text, Quotes::Yes)
        }
        "select-object" | "select" => {
            let arguments = Arguments::read(words, &[], &["first", "last", "skip"]);
            let first = arguments.value(&["first"]).and_then(|count| LineRange::new(1, count.text.parse().ok()?));
            let text = match (first, arguments.values.len(), arguments.is_known) {
                (Some(range), 1, true) => Text::Window(Window::lines(range)),
                _ => Text::Other,
            };
            Did::nothing(text, Quotes::Input)
        }
        "out-string" | "sort-object" | "where-object" | "format-table" | "format-list" | "ft" | "fl"
        | "measure-object" | "out-host" | "get-unique" => Did::nothing(Text::Other, Quotes::Input),
        "set-content" | "out-file" => {
            let arguments = Arguments::read(
                words,
                &["force", "nonewline"],
                &["path", "literalpath", "filepath", "value", "encoding", "width"],
            );
            // The text is a word of its own where it is not piped in.
            let file = arguments.value(&["path", "literalpath", "filepath"]).or(arguments.operands.first().copied());
            let place = file.and_then(|file| path(file, directory));
            let is_sure = is_certain && arguments.is_known;
            one(place.map(|place| if is_sure { Effect::Overwrite(place) } else { Effect::MayChange(place) }), is_sure)
        }
        "add-content" | "ac" | "new-item" | "ni" | "clear-content" | "clc" | "tee-object" | "tee" => one(
            words.first().filter(|_| words.len() == 1).and_then(|file| path(file, directory)).map(Effect::MayChange),
            false,
        ),
        "remove-item" | "rm" | "del" | "erase" | "rd" | "ri" | "rmdir" => {
            let arguments = Arguments::read(words, &["recurse", "force", "r", "fo"], &["path", "literalpath"]);
            let place = arguments.file().and_then(|file| path(file, directory));
            let is_sure = is_certain && arguments.is_known;
            one(place.map(|place| if is_sure { Effect::Delete(place) } else { Effect::MayChange(place) }), is_sure)
        }
        name @ ("move-item" | "mv" | "move" | "mi" | "copy-item" | "cp" | "copy" | "cpi") => {
            let arguments = Arguments::read(words, &["force"], &["path", "literalpath", "destination"]);
            let ends = match (
                arguments.value(&["path", "literalpath"]),
                arguments.value(&["destination"]),
                arguments.operands.as_slice(),
            ) {
                (Some(from), Some(to), []) => Some((from, to)),
                (None, Some(to), &[from]) | (None, None, &[from, to]) => Some((from, to)),
                _ => None,
            };
            let places = ends.and_then(|(from, to)| Some((path(from, directory)?, path(to, directory)?)));
            let inside = places.as_ref().and_then(|(from, to)| Some(to.within(from.name()?)));
            let (Some((from, to)), Some(inside)) = (places, inside) else { return one(None, false) };
            let is_sure = is_certain && arguments.is_known;
            let effect = match (one_of(name, "move-item mv move mi"), is_sure) {
                (true, true) => Effect::Move { from, to },
                (true, false) => Effect::MayMove { from, to },
                (false, true) => Effect::Overwrite(to),
                (false, false) => Effect::MayChange(to),
            };
            let mut did = one(Some(effect), is_sure);
            did.effects.push(Effect::MayChange(inside));
            did
        }
        "set-location" | "cd" | "chdir" | "sl" => {
            let arguments = Arguments::read(words, &[], &["path", "literalpath"]);
            let to = arguments.file().filter(|file| arguments.is_known && !matches!(file.text.as_str(), "-" | "+"));
            let spot = to.map_or(Spot::Unknown, |to| change(to, directory));
            Did { to: Some(spot), ..Did::nothing(Text::Silent, Quotes::No) }
        }
        "get-childitem" | "gci" | "ls" | "dir" | "get-location" | "gl" | "pwd" | "test-path" | "write-host"
        | "write-output" | "echo" | "get-date" | "get-process" | "start-sleep" | "sleep" | "get-command" | "gcm"
        | "resolve-path" | "get-item" | "gi" | "get-filehash" => Did::nothing(Text::Other, Quotes::No),
        "out-null" => Did::nothing(Text::Silent, Quotes::No),
        "select-string" | "sls" | "findstr" => Did { may_be_benign: true, ..Did::nothing(Text::Other, Quotes::Maybe) },
        name => known_program(name, words, directory),
    }
}

/// Returns what a program does that is the same everywhere. Names of aliases, which stand for something else here, do not come here.
pub(super) fn known_program(name: &str, words: &[Token], directory: Option<&Place>) -> Did {
    const PORTABLE: &str = "git npm npx pnpm yarn node bun deno cargo go python python3 pip pytest dotnet tsc eslint jest vitest mvn gradle make \
        cmake docker kubectl rg grep head tail sed wc jq find ruff mypy prettier uv java rustc gh";
    let name = name.strip_suffix(".exe").or(name.strip_suffix(".cmd")).unwrap_or(name);
    let known = program(name).filter(|_| one_of(name, PORTABLE));
    let Some(known) = known else { return Did::anything() };
    let is_plain = |word: &Token| word.is_literal && !word.text.contains(['\\', '\'', '*', '?', '%', '^']);
    let arguments: Vec<Word> = words
        .iter()
        .map(|word| Word { text: word.text.clone(), is_literal: is_plain(word), is_quoted: true, ..Word::default() })
        .collect();
    let quotes = quotes(name, known, &arguments, &super::streams::Input::Inherited);
    Did {
        effects: effects(name, known, &arguments, directory, false),
        out: Out { text: Text::Other, quotes },
        to: None,
        changes_environment: false,
        may_be_benign: super::programs::may_be_benign(name) || name == "git",
    }
}
