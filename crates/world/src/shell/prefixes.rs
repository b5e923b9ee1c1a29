//! Programs that run the command after them, and shells that run a script.

use super::syntax::Word;

/// A command without the prefixes before it.
#[derive(Debug)]
pub(super) struct Prefixed<'w> {
    /// Its words.
    pub(super) words: &'w [Word],
    /// Whether a program starts it, so that it can't change the shell.
    pub(super) is_external: bool,
    /// Whether a prefix may print something itself, or changes what the command may print.
    pub(super) may_speak: bool,
    /// Whether a prefix may write to a file.
    pub(super) may_change: bool,
    /// Whether it takes the place of the shell.
    pub(super) replaces_shell: bool,
}

/// Takes prefixes away. Returns `None` if what they run is not certain.
pub(super) fn without_prefixes(mut words: &[Word]) -> Option<Prefixed<'_>> {
    let (mut is_external, mut may_speak, mut may_change, mut replaces_shell) = (false, false, false, false);
    loop {
        let Some((first, rest)) = words.split_first() else {
            return Some(Prefixed { words, is_external, may_speak, may_change, replaces_shell });
        };
        let after = match program_name(first.literal().unwrap_or_default()) {
            "command" if !is_external => skip(rest, "p", "", 0)?,
            // It is for builtins alone.
            "builtin" if !is_external && rest.first().and_then(Word::literal) == Some("cd") => rest,
            "builtin" | "command" => return None,
            "nohup" => {
                is_external = true;
                may_speak = true;
                may_change = true;
                skip(rest, "", "", 0)?
            }
            "exec" if !is_external && !rest.is_empty() => {
                replaces_shell = true;
                is_external = true;
                skip(rest, "", "", 0)?
            }
            "env" if !rest.is_empty() => {
                is_external = true;
                let rest = skip(rest, "i", "u", 0)?;
                let assigned = rest.iter().take_while(|word| word.name.is_some()).count();
                if !rest[..assigned].iter().all(is_harmless) {
                    return None;
                }
                &rest[assigned..]
            }
            "sudo" | "doas" => {
                is_external = true;
                may_speak = true;
                skip(rest, "nEHS", "u", 0)?
            }
            "timeout" | "gtimeout" => {
                is_external = true;
                skip(rest, "", "ks", 1)?
            }
            "nice" | "ionice" => {
                is_external = true;
                skip(rest, "", "nc", 0)?
            }
            "stdbuf" => {
                is_external = true;
                let options = rest.iter().take_while(|word| word.text.starts_with("-o") || word.text.starts_with("-e"));
                &rest[options.count()..]
            }
            "setsid" => {
                is_external = true;
                skip(rest, "w", "", 0)?
            }
            "time" => {
                is_external = true;
                may_speak = true;
                skip(rest, "pv", "", 0)?
            }
            _ => return Some(Prefixed { words, is_external, may_speak, may_change, replaces_shell }),
        };
        words = after;
    }
}

/// Skips options that are these letters, or these letters with a value, and then so many operands.
fn skip<'w>(mut words: &'w [Word], flags: &str, valued: &str, operands: usize) -> Option<&'w [Word]> {
    while let Some((first, rest)) = words.split_first() {
        let Some(text) = first.literal() else {
            return if first.is_never_option { words.get(operands..) } else { None };
        };
        let Some(option) = text.strip_prefix('-').filter(|option| !option.is_empty()) else { break };
        words = match option.chars().next() {
            _ if option == "-" => return rest.get(operands..),
            _ if option.chars().all(|letter| flags.contains(letter)) => rest,
            Some(letter) if valued.contains(letter) && option.len() > 1 => rest,
            Some(letter) if valued.contains(letter) => rest.get(1..)?,
            _ => return None,
        };
    }
    let skipped = words.get(..operands)?;
    skipped.iter().all(Word::is_safe_operand).then(|| &words[operands..])
}

impl Word {
    /// Returns whether it is one word, or more, and no option.
    fn is_safe_operand(&self) -> bool {
        self.is_literal || self.is_never_option
    }
}

/// Variables that change what programs and their names mean, by the start of the name. Those in lower case are zsh's.
const POWERFUL: &str = "PATH LD_ DYLD_ LC_ LANG HOME IFS BASH ENV SHELL CDPATH POSIXLY PWD OLDPWD UID EUID PPID TMOUT GIT_ GLOBIGNORE \
    EXECIGNORE PS PROMPT HIST FPATH ZDOTDIR path cdpath fpath status argv aliases functions NULLCMD";

/// Returns whether an assignment leaves what programs do as it is, as far as files are concerned.
pub(super) fn is_harmless(word: &Word) -> bool {
    let name = word.name.map(|length| &word.text[..length]).unwrap_or_default();
    let empties_paths = word.is_literal && word.text == "CDPATH=";
    let is_plain =
        word.is_literal && matches!(word.text.as_str(), "LC_ALL=C" | "LANG=C" | "LC_ALL=POSIX" | "GIT_PAGER=cat");
    // Elements of arrays can't be set for one command.
    let is_whole =
        word.text[name.len()..].trim_start_matches('+').starts_with('=') || word.name == Some(word.text.len());
    is_whole && (empties_paths || is_plain || !POWERFUL.split(' ').any(|powerful| name.starts_with(powerful)))
}

/// Directories of programs whose names mean what they do in the table.
const DIRECTORIES: &str = "/bin/ /usr/bin/ /usr/local/bin/ /opt/homebrew/bin/ /sbin/ /usr/sbin/ /opt/local/bin/";

/// Returns the name of the program at a path, if it is in a directory of programs; else the path.
pub(super) fn program_name(path: &str) -> &str {
    if !path.starts_with('/') {
        return path;
    }
    let name = DIRECTORIES.split(' ').find_map(|directory| path.strip_prefix(directory));
    name.filter(|name| !name.contains('/') && !name.is_empty()).unwrap_or(path)
}

/// Returns the script of `bash -c SCRIPT`, if these are its arguments.
pub(super) fn script_argument(arguments: &[Word]) -> Option<&str> {
    let mut runs_script = false;
    for (number, word) in arguments.iter().enumerate() {
        let text = word.literal()?;
        match text.strip_prefix('-') {
            Some("-login" | "-norc" | "-noprofile") => {}
            Some(letters) if !letters.is_empty() && letters.bytes().all(|letter| b"lceuf".contains(&letter)) => {
                runs_script |= letters.contains('c');
            }
            Some("o") | None if !runs_script => return None,
            None => return Some(text),
            Some(_) => return None,
        }
        if number > 4 {
            return None;
        }
    }
    None
}

/// Returns whether a name is that of a shell of this family.
pub(super) fn is_shell(name: &str) -> bool {
    matches!(name, "bash" | "sh" | "zsh" | "dash" | "ksh")
}
