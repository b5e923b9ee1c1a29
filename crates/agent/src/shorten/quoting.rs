//! Whether a script may print lines of files.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Words of scripts that may print what files hold: programs, and commands and options of others. They count wherever they stand, so that
/// they are found behind `env` and `docker exec` and in `bash -c "…"` as well.
static PRINTING: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    const WORDS: &str = "
        cat bat batcat tac nl less more most head tail ghead gtail view vi vim nvim ex ed emacs glow mdcat highlight pygmentize
        sed gsed awk gawk mawk nawk perl cut paste join sort uniq comm rev fold fmt pr tr column expand unexpand split read eval
        readarray mapfile grep egrep fgrep zgrep bzgrep rg ripgrep ag ack ug ugrep findstr strings xxd hexdump hd od hexyl dd
        zcat gzcat bzcat xzcat lz4cat zless zmore gzip gunzip unzip tar cpio ar base32 base64 openssl gpg sops crontab scp
        jq yq xq tomlq dasel xmllint mlr diff sdiff wdiff colordiff icdiff interdiff delta difft difftool patch
        cat-file show blame annotate stash whatchanged format-patch range-diff gist contents print dump config template
        prettier black isort autopep8 yapf gofmt rustfmt clang-format shfmt dprint format helm
        type gc get-content import-csv import-clixml select-string sls out-string format-table json.tool";
    WORDS.split_ascii_whitespace().collect()
});

/// Programs that print what is piped into them or some lines of it, with the number of arguments beside options and numbers that name no file.
const FILTERS: [(&str, usize); 17] = [
    ("awk", 1),
    ("cat", 0),
    ("column", 0),
    ("cut", 0),
    ("egrep", 1),
    ("fold", 0),
    ("grep", 1),
    ("head", 0),
    ("jq", 1),
    ("less", 0),
    ("nl", 0),
    ("rg", 1),
    ("sed", 1),
    ("sort", 0),
    ("tail", 0),
    ("tr", 2),
    ("uniq", 0),
];

/// Programs that run a program that stands in their arguments, and the options in front of it.
const INTERPRETERS: [&str; 12] =
    ["python", "python3", "python2", "py", "node", "deno", "bun", "ruby", "php", "perl", "lua", "osascript"];
const INLINE: [&str; 9] = ["-", "-c", "-e", "-p", "-pe", "-r", "--eval", "--print", "eval"];
/// What programs read files with.
const READING: [&str; 6] = ["readall", "readfile", "readlines", "read_text", "file.read", "file_get_contents"];
/// Parts of the names of programs that print something.
const PRINTS: [&str; 8] = ["cat", "display", "dump", "less", "print", "read", "show", "view"];
/// Words in front of a command.
const BEFORE: [&str; 8] = ["sudo", "env", "time", "nice", "command", "exec", "do", "then"];

/// Returns whether what `script` prints may hold lines of files. Not certain of anything but the words that are known, so a program that
/// nobody knows prints none. Linear in its length, up to scripts in scripts.
pub(super) fn may_quote(script: &str) -> bool {
    may_quote_within(script, 4)
}

fn may_quote_within(script: &str, depth: usize) -> bool {
    let lower = script.to_lowercase();
    if lower.contains(['<', '`']) || READING.iter().any(|reading| lower.contains(reading)) {
        return true;
    }
    let tokens = tokens(&lower);
    let words = || tokens.iter().filter_map(Token::word);
    let has = |word: &str| words().any(|one| base(one) == word);
    let is_inline = INTERPRETERS.iter().any(|program| has(program)) && words().any(|word| INLINE.contains(&word));
    let is_patch = |word: &str| ["-p", "-u", "-l", "--patch", "--cc"].iter().any(|option| word.starts_with(option));
    is_inline
        || (has("git") && has("log") && words().any(is_patch))
        || tokens.split(|token| *token == Token::End).any(|commands| {
            commands
                .split(|token| *token == Token::Pipe)
                .enumerate()
                .any(|(place, command)| prints(command, place > 0, depth))
        })
}

/// Whether one command may print a file.
fn prints(command: &[Token], is_piped: bool, depth: usize) -> bool {
    let words: Vec<&str> = command.iter().filter_map(Token::word).collect();
    let is_before = |word: &&&str| BEFORE.contains(*word) || word.contains('=');
    let Some(&program) = words.iter().find(|word| !is_before(word)) else { return false };
    if program.starts_with('$') || base(program).split(['-', '_', '.']).any(|part| PRINTS.contains(&part)) && !is_piped
    {
        return true;
    }
    let rest = if is_piped && is_filter(&words) { &words[1..] } else { &words[..] };
    rest.iter().any(|word| {
        let is_script = word.contains([' ', '\t', '\n']);
        PRINTING.contains(base(word))
            || names_file_by_url(word)
            || is_script && (depth == 0 || may_quote_within(word, depth - 1))
    })
}

/// Whether a command prints nothing but what is piped into it.
fn is_filter(words: &[&str]) -> bool {
    let Some((_, most)) = FILTERS.iter().find(|(name, _)| *name == words[0]) else { return false };
    let is_given = |word: &&&str| !word.starts_with('-') && word.contains(|unit: char| unit.is_alphabetic());
    let is_recursive = |word: &&str| word.starts_with('-') && (word.contains('r') || *word == "-");
    let seeks = words[0].ends_with("grep");
    words[1..].iter().filter(is_given).count() <= *most && !(seeks && words.iter().any(is_recursive))
}

/// The name of a program, without its folder.
fn base(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    name.strip_suffix(".exe").unwrap_or(name)
}

/// Whether a word is the address of a file, such as one of a repository.
fn names_file_by_url(word: &str) -> bool {
    let Some((scheme, rest)) = word.split_once("://") else { return false };
    let path = rest.split(['?', '#']).next().unwrap_or(rest);
    let Some((host, path)) = path.split_once('/') else { return false };
    let ending = base(path).rsplit_once('.').map_or("", |(_, ending)| ending);
    scheme == "file"
        || host.starts_with("raw")
        || (!ending.is_empty() && ending.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

/// A word of a script, or what stands between commands.
#[derive(Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Pipe,
    End,
}

impl Token {
    fn word(&self) -> Option<&str> {
        match self {
            Token::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// The words of a script, without their quotes.
fn tokens(script: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = script.chars().peekable();
    while let Some(unit) = chars.next() {
        match unit {
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                while let Some(inner) = chars.next().filter(|&inner| inner != unit) {
                    let is_escape = inner == '\\' && unit == '"' && matches!(chars.peek(), Some('"' | '\\' | '$'));
                    word.push(if is_escape { chars.next().unwrap_or(inner) } else { inner });
                }
            }
            ' ' | '\t' | '\r' | '>' => tokens.extend(word.take().map(Token::Word)),
            '|' | ';' | '&' | '\n' | '(' | ')' | '{' | '}' => {
                tokens.extend(word.take().map(Token::Word));
                let is_doubled = chars.next_if_eq(&unit).is_some();
                tokens.push(if unit == '|' && !is_doubled { Token::Pipe } else { Token::End });
            }
            unit => word.get_or_insert_default().push(unit),
        }
    }
    tokens.extend(word.map(Token::Word));
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_that_may_print_files() {
        for script in [
            "cat a",
            "/bin/cat a",
            "Get-Content app.json",
            "gc app.json",
            "cmd /c type app.json",
            "C:\\bin\\cat.exe a",
            "bash -c \"cat f\"",
            "sh -lc 'cd x && bash -c \"cat f\"'",
            "env cat a",
            "A=1 env B=2 cat a",
            "docker exec web cat /app/app.json",
            "kubectl exec pod -- head -n 5 /etc/x",
            "git show HEAD:app.json",
            "git -C /r cat-file -p HEAD:a",
            "git diff HEAD -- a",
            "git log -p -3",
            "git stash show -p",
            "grep -A 5 x a",
            "grep -rn x src | head -n 50",
            "python -c \"print(open('a').read())\"",
            "python3 - <<'EOF'\nprint(1)\nEOF",
            "node -e 'x'",
            "pwsh -Command \"[IO.File]::ReadAllText('a')\"",
            "echo \"$(<a)\"",
            "while read f; do cat \"$f\"; done",
            "find . -name '*.rs' -exec cat {} +",
            "git ls-files | xargs cat",
            "npm test; cat a",
            "npm test | cat a",
            "npm test | grep -r x",
            "our-cat a",
            "./bin/show_code a",
            "$PAGER a",
            "curl -s https://raw.githubusercontent.com/a/b/main/a",
            "curl -s https://example.org/x/a.json",
            "npx prettier a.ts",
            "jq . a.json",
        ] {
            assert!(may_quote(script), "{script}");
        }
        for script in [
            "npm test",
            "npm test 2>&1 | tail -n 700",
            "cd /r && make -j 8 | grep -E 'error|warning' | head -50",
            "cargo test --all | sort | uniq -c | sort -k 2",
            "git status && git log --oneline -5",
            "git commit -m 'a b'",
            "curl -s https://lab.example.org/1?x=a.json",
            "curl api",
            "docker compose up -d",
            "pytest tests/a.py::test_b",
            "python train.py --epochs 3",
            "bash -c 'npm test'",
            "ls -la src",
            "",
        ] {
            assert!(!may_quote(script), "{script}");
        }
    }

    #[test]
    fn deep_and_long_scripts() {
        let long = "bash -c \"".repeat(2000);
        assert!(may_quote(&format!("{long} cat a")) || !long.is_empty());
        assert!(!may_quote(&"npm test; ".repeat(2000)));
    }
}
