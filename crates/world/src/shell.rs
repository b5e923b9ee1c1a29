//! Effects of command lines on files, as far as they are evident without running them.

use super::extent::{Extent, LineRange};

/// Effect of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Changes the directory, for later commands too.
    Cd(String),
    /// Prints a file and nothing else.
    Read(String, Extent),
    /// Changes, moves or deletes a file.
    Change(String),
    /// Applies this patch.
    Patch(String),
}

/// Returns the script of a command given as words: that of `bash -lc SCRIPT`, or else the joined words.
pub fn script_of(words: &[&str]) -> String {
    match words {
        [shell, flag, script, ..]
            if flag.starts_with('-')
                && flag.ends_with('c')
                && matches!(shell.rsplit('/').next(), Some("bash" | "sh" | "zsh")) =>
        {
            (*script).to_owned()
        }
        ["apply_patch", patch] => format!("apply_patch <<'EOF'\n{patch}\nEOF"),
        words => words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
    }
}

fn quoted(word: &str) -> String {
    let is_plain = |unit: char| unit.is_alphanumeric() || "-_./=:,@%+".contains(unit);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A command without operators.
#[derive(Debug, Default)]
struct Simple {
    words: Vec<String>,
    /// File that its output is written to.
    target: Option<String>,
    /// Whether it reads the output of the command before.
    is_piped: bool,
}

impl Simple {
    fn words(&self) -> Vec<&str> {
        self.words.iter().map(String::as_str).collect()
    }
}

/// Returns the effects of `script`, in order. Uncertain constructs (variables, patterns, subshells) are treated as having none.
pub fn effects(script: &str) -> Vec<Effect> {
    let trimmed = script.trim_start();
    if let Some(rest) = trimmed.strip_prefix("apply_patch") {
        return vec![Effect::Patch(rest.to_owned())];
    }
    let commands = split(trimmed);
    let mut effects = Vec::new();
    for command in &commands {
        let words = command.words();
        let literal = |path: &&&str| !path.starts_with('-') && is_literal(path);
        match words[..] {
            ["cd", path] if is_literal(path) && !command.is_piped => effects.push(Effect::Cd(path.to_owned())),
            ["sed", ref rest @ ..] if rest.iter().any(|word| word.starts_with("-i") || *word == "--in-place") => {
                effects.extend(rest.last().filter(literal).map(|path| Effect::Change((*path).to_owned())));
            }
            ["rm" | "mv" | "tee", ref paths @ ..]
            | ["git", "checkout", "--", ref paths @ ..]
            | ["git", "restore", ref paths @ ..] => {
                effects.extend(paths.iter().filter(literal).map(|path| Effect::Change((*path).to_owned())));
            }
            ["cp", .., to] if is_literal(to) => effects.push(Effect::Change(to.to_owned())),
            _ => {}
        }
        effects.extend(command.target.iter().filter(|path| is_literal(path)).map(|path| Effect::Change(path.clone())));
    }
    let shown = match &commands[..] {
        [first, rest @ ..] if first.words.first().is_some_and(|word| word == "cd") => read(rest),
        commands => read(commands),
    };
    effects.extend(shown);
    effects
}

/// Returns the effect of `commands` that print a single file.
fn read(commands: &[Simple]) -> Option<Effect> {
    let (one, window) = match commands {
        [one] => (one, None),
        [one, two] if two.is_piped && two.target.is_none() => (one, Some(two)),
        _ => return None,
    };
    if one.target.is_some() {
        return None;
    }
    let (first, second) = (one.words(), window.map(Simple::words));
    let (path, extent) = match (&first[..], second.as_deref()) {
        (["cat" | "nl", path], None) | (["cat", "-n", path] | ["nl", "-ba", path], None) => (*path, Extent::Whole),
        (["sed", "-n", script, path], None)
        | (["cat" | "nl", path] | ["cat", "-n", path] | ["nl", "-ba", path], Some(["sed", "-n", script])) => {
            (*path, printed(script)?)
        }
        (["head", "-n", count, path], None) => (*path, from_start(count)?),
        (["head", path], None) => (*path, Extent::lines(1, 10)),
        (["head", count, path], None) => (*path, from_start(count.strip_prefix('-')?)?),
        (["tail", .., path], None) => (*path, Extent::Part),
        _ => return None,
    };
    (is_literal(path) && !path.starts_with('-')).then(|| Effect::Read(path.to_owned(), extent))
}

/// Returns a number of digits only: `+5` and `-5` mean something else to every tool.
fn number(word: &str) -> Option<u32> {
    word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok())?
}

/// Returns the lines that `head` prints; `None` if they are none, or all but the last ones.
fn from_start(count: &str) -> Option<Extent> {
    LineRange::new(1, number(count)?).map(Extent::Lines)
}

/// Returns the lines that a script of `sed -n` prints; `None` if it does anything else.
fn printed(script: &str) -> Option<Extent> {
    let addresses = script.strip_suffix('p')?;
    let (from, to) = addresses.split_once(',').unwrap_or((addresses, addresses));
    let lines = match (number(from), to.strip_prefix('+').and_then(number), number(to)) {
        (Some(from), Some(more), _) => LineRange::new(from, from.saturating_add(more)),
        // A range whose end is not after its start is one line.
        (Some(from), _, Some(to)) => LineRange::new(from, to.max(from)),
        (Some(from), ..) if to == "$" => LineRange::new(from, u32::MAX),
        // Several ranges, or lines that match a pattern.
        _ => return prints_only(script).then_some(Extent::Part),
    };
    lines.map(Extent::Lines)
}

/// Returns whether a script of `sed` only prints lines: `p` after addresses, several times at most.
fn prints_only(script: &str) -> bool {
    let is_address = |address: &str| {
        let digits = address.trim_start_matches(['+', '~']);
        let is_pattern = address.len() > 1 && address.starts_with('/') && address.ends_with('/');
        address == "$" || is_pattern || digits.split('~').all(|part| number(part).is_some() && !part.is_empty())
    };
    script.split(';').all(|command| {
        let addresses = command.trim().strip_suffix('p');
        addresses.is_some_and(|addresses| addresses.split(',').count() < 3 && addresses.split(',').all(is_address))
    })
}

/// Returns whether what `script` prints is text of files, maybe beside other output.
pub fn prints_files(script: &str) -> bool {
    let mut is_shown = false;
    let mut does_print = false;
    for command in &split(script.trim_start_matches(['(', ' ', '\n'])) {
        let words = command.words();
        if command.is_piped {
            is_shown &= selects(&words) || reads_listed(&words);
        } else {
            does_print |= is_shown;
            is_shown = prints_file(&words);
        }
        is_shown |= reads_listed(&words);
        is_shown &= command.target.is_none();
    }
    does_print || is_shown
}

/// Commands that print what they read, all of it or some of its lines.
const PRINTERS: [&str; 11] = ["cat", "bat", "batcat", "nl", "head", "tail", "less", "more", "tac", "sed", "awk"];

/// Returns whether a command prints files that its words name. Words of a loop or a block may stand before it.
fn prints_file(words: &[&str]) -> bool {
    let is_before = |word: &&str| matches!(*word, "do" | "then" | "else" | "{" | "!" | "time" | "sudo" | "command");
    let start = words.iter().position(|word| !is_before(word)).unwrap_or(words.len());
    let [command, rest @ ..] = &words[start..] else { return false };
    let count = rest.iter().filter(|word| !word.starts_with('-')).count();
    match *command {
        "awk" => count > 1 && rest.iter().any(|word| word.contains("NR")),
        "sed" => count > 1 && !rest.iter().any(|word| word.starts_with("-i") || *word == "--in-place"),
        // A file as it was at a commit.
        "git" => rest.contains(&"show") && rest.iter().any(|word| !word.starts_with('-') && word.contains(':')),
        command => PRINTERS.contains(&command) && count > 0,
    }
}

/// Returns whether a command prints what is piped into it, or some lines of it.
fn selects(words: &[&str]) -> bool {
    words
        .first()
        .is_some_and(|command| PRINTERS.contains(command) || matches!(*command, "cut" | "expand" | "fold" | "tr"))
}

/// Returns whether a command prints files whose names it finds or reads: `find … -exec cat {} +`, `… | xargs cat`.
fn reads_listed(words: &[&str]) -> bool {
    matches!(words, ["xargs" | "find", rest @ ..] if rest.iter().any(|word| PRINTERS.contains(word)))
}

/// Returns whether a program in JavaScript that runs commands, as of Codex's `exec`, prints files: whether one of its strings is a command
/// that does.
pub fn program_prints_files(program: &str) -> bool {
    let mut rest = program;
    while let Some(start) = rest.find(['\'', '"', '`']) {
        let quote = rest[start..].chars().next().unwrap_or_default();
        rest = &rest[start + 1..];
        let mut script = String::new();
        let mut chars = rest.char_indices();
        while let Some((at, unit)) = chars.next() {
            match unit {
                '\\' => match chars.next() {
                    Some((_, 'n')) => script.push('\n'),
                    Some((_, 't')) => script.push('\t'),
                    Some((_, escaped)) => script.push(escaped),
                    None => break,
                },
                // A quote that no other one closes on its line is an apostrophe, as in a comment.
                '\n' if quote != '`' => break,
                unit if unit == quote => {
                    if prints_files(&script) {
                        return true;
                    }
                    rest = &rest[at + 1..];
                    break;
                }
                unit => script.push(unit),
            }
        }
    }
    false
}

fn is_literal(word: &str) -> bool {
    !word.is_empty()
        && !word.contains(['$', '*', '?', '`', '{', '[', '&'])
        && !word.starts_with('~')
        && word != "/dev/null"
}

/// Splits `script` into simple commands, up to the first heredoc or parenthesis.
fn split(script: &str) -> Vec<Simple> {
    let mut commands = vec![Simple::default()];
    let mut word: Option<String> = None;
    let mut is_target = false;
    let mut chars = script.chars().peekable();
    fn finish(commands: &mut [Simple], word: &mut Option<String>, is_target: &mut bool) {
        let (Some(word), Some(command)) = (word.take(), commands.last_mut()) else { return };
        if std::mem::take(is_target) {
            command.target = Some(word);
        } else {
            command.words.push(word);
        }
    }
    while let Some(unit) = chars.next() {
        match unit {
            '\'' | '"' => {
                let text = word.get_or_insert_default();
                while let Some(inner) = chars.next().filter(|&inner| inner != unit) {
                    text.push(if inner == '\\' && unit == '"' { chars.next().unwrap_or('\\') } else { inner });
                }
            }
            '\\' => match chars.next() {
                Some('\n') | None => {}
                Some(escaped) => word.get_or_insert_default().push(escaped),
            },
            ' ' | '\t' => finish(&mut commands, &mut word, &mut is_target),
            '(' | ')' => break,
            '<' if chars.peek() == Some(&'<') => break,
            '>' => {
                // `2>&1` and `2> file` do not redirect the output; `&>` and `>` do.
                let is_error = word.as_deref() == Some("2");
                if is_error {
                    word = None;
                }
                finish(&mut commands, &mut word, &mut is_target);
                chars.next_if_eq(&'>');
                if chars.next_if_eq(&'&').is_some() || is_error {
                    while chars.next_if(|&unit| unit != '\n' && !"&|;".contains(unit)).is_some() {}
                } else {
                    is_target = true;
                }
            }
            '&' | '|' | ';' | '\n' => {
                finish(&mut commands, &mut word, &mut is_target);
                let is_doubled = chars.next_if_eq(&unit).is_some();
                if commands.last().is_some_and(|command| !command.words.is_empty()) {
                    commands.push(Simple { is_piped: unit == '|' && !is_doubled, ..Simple::default() });
                }
            }
            other => word.get_or_insert_default().push(other),
        }
    }
    finish(&mut commands, &mut word, &mut is_target);
    commands.retain(|command| !command.words.is_empty());
    commands
}

/// Prefixes of the lines of a patch that name a file, and whether it is added or deleted as a whole.
const FILE_LINES: [(&str, bool); 5] = [
    ("*** Add File: ", true),
    ("*** Delete File: ", true),
    ("*** Update File: ", false),
    ("*** Move to: ", true),
    ("+++ b/", false),
];

/// Returns the files of a patch, in Codex's form or as a unified diff: the path, and whether it is added or deleted as a whole.
pub fn patched_files(patch: &str) -> Vec<(&str, bool)> {
    let lines = patch.lines();
    let files = lines.filter_map(|line| {
        FILE_LINES.iter().find_map(|(prefix, whole)| Some((line.strip_prefix(prefix)?.trim(), *whole)))
    });
    files.collect()
}

/// Returns whether a line of a patch names a file.
pub fn names_file(line: &[u8]) -> bool {
    FILE_LINES.iter().any(|(prefix, _)| line.starts_with(prefix.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_commands_do_to_files() {
        let read = |path: &str, extent| Effect::Read(path.to_owned(), extent);
        let change = |path: &str| Effect::Change(path.to_owned());
        let cd = |path: &str| Effect::Cd(path.to_owned());
        for (script, expected) in [
            ("cat src/a.ts", vec![read("src/a.ts", Extent::Whole)]),
            ("sed -n '10,20p' 'my file'", vec![read("my file", Extent::lines(10, 20))]),
            ("nl -ba a | sed -n '1,5p'", vec![read("a", Extent::lines(1, 5))]),
            ("head -n 5 a", vec![read("a", Extent::lines(1, 5))]),
            ("head -n 0 a", vec![]),
            ("head -n +5 a", vec![]),
            ("head -n -5 a", vec![]),
            ("sed -n '10,$p' a", vec![read("a", Extent::lines(10, u32::MAX))]),
            ("sed -n '10,+5p' a", vec![read("a", Extent::lines(10, 15))]),
            ("sed -n '10,5p' a", vec![read("a", Extent::lines(10, 10))]),
            ("sed -n '7p' a", vec![read("a", Extent::lines(7, 7))]),
            ("sed -n '0,5p' a", vec![]),
            ("sed -n '1,10p;20,30p' a", vec![read("a", Extent::Part)]),
            ("sed -n '1,/re/p' a", vec![read("a", Extent::Part)]),
            ("sed -n '1~10,3p' a", vec![read("a", Extent::Part)]),
            ("sed -n '10,~4p' a", vec![read("a", Extent::Part)]),
            ("sed -n 's/a/b/p' a", vec![]),
            ("sed -n '$=' a", vec![]),
            ("nl -ba a | sed -n '1,10p;90,95p'", vec![read("a", Extent::Part)]),
            ("cd /x && cat a", vec![cd("/x"), read("a", Extent::Whole)]),
            ("cat a b", vec![]),
            ("cat a | grep x", vec![]),
            ("cat $FILE", vec![]),
            ("(cd /x && make)", vec![]),
            ("sed -i 's/a/b/' a", vec![change("a")]),
            ("echo hi > a 2>&1", vec![change("a")]),
            ("make 2>/dev/null", vec![]),
            ("make 2>&1 | tee log", vec![change("log")]),
            ("cat > a <<'EOF'\nrm b\nEOF", vec![change("a")]),
            ("rm -f a b", vec![change("a"), change("b")]),
            ("grep -n 'x' a; ls", vec![]),
        ] {
            assert_eq!(effects(script), expected, "{script}");
        }
    }

    #[test]
    fn commands_that_print_files() {
        for script in [
            "cat a",
            "cat a b",
            "sed -n '1,380p' a && sed -n '1,320p' b",
            "cd /r && nl -ba a | sed -n '1,700p'",
            "git show HEAD:src/lib.rs",
            "git -C /r show HEAD~2:a | head -n 50",
            "awk 'NR>=10 && NR<=20' a",
            "for f in a b; do cat \"$f\"; done",
            "echo '--- a' ; cat a ; npm test",
            "find src -name '*.rs' -exec cat {} +",
            "git ls-files | xargs cat",
            "cat $(git ls-files)",
            "(cd /r && cat a b)",
        ] {
            assert!(prints_files(script), "{script}");
        }
        for script in [
            "npm test",
            "npm test | tail -n 700",
            "cat a | grep x",
            "cat a > b",
            "cat > a <<'EOF'\nx\nEOF",
            "git show HEAD",
            "git diff HEAD -- a",
            "sed -i 's/a/b/' a",
            "awk '{ s += $1 } END { print s }' a",
            "grep -rn x src",
            "echo cat a",
            "",
        ] {
            assert!(!prints_files(script), "{script}");
        }
        let exec = |command: &str| {
            format!("// don't\nconst r = await tools.exec_command({{cmd: {command}}}); text(r.output);")
        };
        for command in [r#""cat src/lib.rs""#, r#""sed -n '1,9p' a && cat \"b\"""#, "`cat ${file}`", "'cat a'"] {
            assert!(program_prints_files(&exec(command)), "{command}");
        }
        for command in [r#""npm test""#, "'cat a", r#""it's" + 'b'"#, ""] {
            assert!(!program_prints_files(&exec(command)), "{command}");
        }
    }

    #[test]
    fn commands_as_words() {
        assert_eq!(script_of(&["bash", "-lc", "cat a | wc"]), "cat a | wc");
        assert_eq!(script_of(&["cat", "my file"]), "cat 'my file'");
        let patch = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** Add File: b\n+x\n*** End Patch";
        let Some(Effect::Patch(found)) = effects(&script_of(&["apply_patch", patch])).pop() else { panic!("no patch") };
        assert_eq!(patched_files(&found), [("src/a.ts", false), ("b", true)]);
    }
}
