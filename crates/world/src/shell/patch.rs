//! Commands that harnesses give as words, and patches.

/// Returns the script of a command given as words: that of `bash -lc SCRIPT`, or else the joined words.
pub fn script_of(words: &[&str]) -> String {
    match words {
        [shell, flag, script, ..]
            if flag.starts_with('-')
                && flag.ends_with('c')
                && matches!(shell.rsplit('/').next(), Some("bash" | "sh" | "zsh" | "dash")) =>
        {
            (*script).to_owned()
        }
        ["apply_patch", patch] => format!("apply_patch <<'EOF'\n{patch}\nEOF"),
        words => words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
    }
}

fn quoted(word: &str) -> String {
    let is_plain = |unit: char| unit.is_ascii_alphanumeric() || "-_./:,@%+".contains(unit);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
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
