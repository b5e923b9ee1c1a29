//! Scripts of `cmd.exe`: what reads and writes files is known, everything else is not.

use super::parser::Unclear;
use super::place::Place;
use super::powershell::known_program;
use super::printed::{Lines, Text};
use super::state::{Quotes, Spot};
use super::windows::{Did, Join, Part, Redirected, Step, Token, change, follow, path};
use super::{Effect, Exit, Ran};
use crate::extent::Extent;

/// Returns what a script of `cmd.exe` did.
pub(super) fn run(script: &str, exit: Exit) -> Ran {
    match steps(script) {
        Ok(steps) => follow(&steps, exit, does),
        Err(Unclear) => Ran::unknown(),
    }
}

/// Reads one line as commands of plain words.
fn steps(script: &str) -> Result<Vec<Step>, Unclear> {
    let script = script.trim();
    let mut steps = vec![Step { join: Join::Then, parts: vec![Part::default()] }];
    let mut word: Option<Token> = None;
    let mut target: Option<(bool, bool)> = None;
    let mut chars = script.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '(' | ')' | '^' | '<' | '\n' | '\r' => return Err(Unclear),
            '"' => {
                let word = word.get_or_insert_with(|| Token { text: String::new(), is_literal: true });
                loop {
                    match chars.next().ok_or(Unclear)? {
                        '"' => break,
                        inner => {
                            word.is_literal &= !matches!(inner, '%' | '!');
                            word.text.push(inner);
                        }
                    }
                }
            }
            ' ' | '\t' | ',' | ';' | '=' | '|' | '&' | '>' => {
                let is_errors = char == '>' && word.as_ref().is_some_and(|word| word.text == "2");
                if is_errors {
                    word = None;
                } else if char == '>'
                    && word.as_ref().is_some_and(|word| word.text.bytes().all(|byte| byte.is_ascii_digit()))
                {
                    return Err(Unclear);
                }
                finish(&mut steps, &mut word, &mut target);
                match char {
                    '>' => {
                        let appends = chars.next_if_eq(&'>').is_some();
                        if chars.next_if_eq(&'&').is_some() {
                            chars.next_if_eq(&'1').filter(|_| is_errors).ok_or(Unclear)?;
                        } else {
                            target = Some((appends, is_errors));
                        }
                    }
                    '|' if chars.next_if_eq(&'|').is_some() => {
                        steps.push(Step { join: Join::Or, parts: vec![Part::default()] })
                    }
                    '|' => steps.last_mut().ok_or(Unclear)?.parts.push(Part::default()),
                    '&' => {
                        let join = if chars.next_if_eq(&'&').is_some() { Join::And } else { Join::Then };
                        steps.push(Step { join, parts: vec![Part::default()] });
                    }
                    _ => {}
                }
            }
            char => {
                let word = word.get_or_insert_with(|| Token { text: String::new(), is_literal: true });
                word.is_literal &= !matches!(char, '%' | '!');
                word.text.push(char);
            }
        }
    }
    finish(&mut steps, &mut word, &mut target);
    if target.is_some() || steps.iter().any(|step| step.parts.iter().any(|part| part.words.is_empty())) {
        return Err(Unclear);
    }
    Ok(steps)
}

fn finish(steps: &mut [Step], word: &mut Option<Token>, target: &mut Option<(bool, bool)>) {
    let Some(word) = word.take() else { return };
    let Some(part) = steps.last_mut().and_then(|step| step.parts.last_mut()) else { return };
    match target.take() {
        Some((appends, is_errors)) => part.files.push(Redirected { file: word, appends, is_errors }),
        None => part.words.push(word),
    }
}

/// Returns what one command does. Most of the shell's own commands end with 0 even if they fail, and some ask before they do it.
fn does(words: &[Token], directory: Option<&Place>, _: bool) -> Did {
    let Some((name, words)) = words.split_first().filter(|(name, _)| name.is_literal) else { return Did::anything() };
    let operands: Vec<&Token> = words.iter().filter(|word| !word.text.starts_with('/')).collect();
    let place = |token: &Token| path(token, directory);
    let shows = |file: &Token| {
        let text = place(file).map_or(Text::Other, |place| Text::File(Lines::of(place, Extent::Whole)));
        Did::nothing(text, Quotes::Yes)
    };
    let change_all = || {
        let mut did = Did::nothing(Text::Other, Quotes::No);
        did.effects =
            operands.iter().map(|token| place(token).map_or(Effect::MayChangeAny, Effect::MayChange)).collect();
        did
    };
    match name.text.to_ascii_lowercase().as_str() {
        "type" => match operands.as_slice() {
            [file] if words.len() == 1 => shows(file),
            _ => Did::nothing(Text::Other, Quotes::Maybe),
        },
        "more" => Did::nothing(Text::Other, Quotes::Maybe),
        "copy" | "xcopy" | "del" | "erase" | "rd" | "rmdir" => change_all(),
        name @ ("move" | "ren" | "rename") => match operands.as_slice() {
            [from, to] => match (place(from), place(to)) {
                (Some(from), Some(to)) if name == "move" => {
                    let mut did = Did::nothing(Text::Other, Quotes::No);
                    let inside = from.name().map(|name| to.within(name));
                    did.effects =
                        vec![Effect::MayMove { from, to }, inside.map_or(Effect::MayChangeAny, Effect::MayChange)];
                    did
                }
                _ => Did { effects: vec![Effect::MayChangeAny], ..Did::nothing(Text::Other, Quotes::No) },
            },
            _ => Did { effects: vec![Effect::MayChangeAny], ..Did::nothing(Text::Other, Quotes::No) },
        },
        "cd" | "chdir" => {
            let to = match words {
                // Without `/d`, the path of another drive changes nothing now.
                [switch, to] if switch.text.eq_ignore_ascii_case("/d") => Some(to),
                [to] if !to.text.contains(':') && !to.text.starts_with('/') => Some(to),
                _ => None,
            };
            let spot = to.filter(|to| !to.text.is_empty()).map_or(Spot::Unknown, |to| change(to, directory));
            Did { to: Some(spot), ..Did::nothing(if to.is_some() { Text::Silent } else { Text::Other }, Quotes::No) }
        }
        "set" | "setlocal" | "path" => Did { changes_environment: true, ..Did::nothing(Text::Other, Quotes::No) },
        "echo" | "dir" | "ver" | "where" | "vol" | "tasklist" | "ping" | "md" | "mkdir" | "rem" | "exist" => {
            Did { may_be_benign: true, ..Did::nothing(Text::Other, Quotes::No) }
        }
        "findstr" | "fc" | "find" => Did { may_be_benign: true, ..Did::nothing(Text::Other, Quotes::Maybe) },
        // Where it exists, it is that of Git or another collection.
        "cat" => match words {
            [file] => shows(file),
            _ => Did::nothing(Text::Other, Quotes::Maybe),
        },
        name => known_program(name, words, directory),
    }
}
