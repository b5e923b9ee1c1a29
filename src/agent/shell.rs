//! Effects of command lines on files, as far as they are evident without running them.

use super::extent::Extent;

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
        (["sed", "-n", lines, path], None)
        | (["cat" | "nl", path] | ["cat", "-n", path] | ["nl", "-ba", path], Some(["sed", "-n", lines])) => {
            let (from, to) = lines.strip_suffix('p')?.split_once(',')?;
            (*path, Extent::Lines(from.parse().ok()?, to.parse().unwrap_or(u32::MAX)))
        }
        (["head", "-n", count, path], None) => (*path, Extent::Lines(1, count.parse().ok()?)),
        (["head", path], None) => (*path, Extent::Lines(1, 10)),
        (["head", count, path], None) => (*path, Extent::Lines(1, count.strip_prefix('-')?.parse().ok()?)),
        (["tail", .., path], None) => (*path, Extent::Part),
        _ => return None,
    };
    (is_literal(path) && !path.starts_with('-')).then(|| Effect::Read(path.to_owned(), extent))
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
            ("sed -n '10,20p' 'my file'", vec![read("my file", Extent::Lines(10, 20))]),
            ("nl -ba a | sed -n '1,5p'", vec![read("a", Extent::Lines(1, 5))]),
            ("head -n 5 a", vec![read("a", Extent::Lines(1, 5))]),
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
    fn commands_as_words() {
        assert_eq!(script_of(&["bash", "-lc", "cat a | wc"]), "cat a | wc");
        assert_eq!(script_of(&["cat", "my file"]), "cat 'my file'");
        let patch = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** Add File: b\n+x\n*** End Patch";
        let Some(Effect::Patch(found)) = effects(&script_of(&["apply_patch", patch])).pop() else { panic!("no patch") };
        assert_eq!(patched_files(&found), [("src/a.ts", false), ("b", true)]);
    }
}
