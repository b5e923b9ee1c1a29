//! Programs in JavaScript that run commands, as of the code mode of Codex: `tools.exec_command({cmd: "…", workdir: "…"})`.

use super::{Dialect, Exit, run};

/// A command that a program may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// The script.
    pub script: String,
    /// The directory that it names.
    pub directory: Option<String>,
}

/// A token of JavaScript, as far as it matters.
#[derive(Debug, PartialEq, Eq)]
enum Token<'a> {
    Name(&'a str),
    Text(String),
    Sign(u8),
    /// A template that holds expressions, or what can't be read.
    Unclear,
}

/// Returns the commands that a program may run, in the order in which they stand; `None` if it may run others, too.
pub fn started(program: &str) -> Option<Vec<Started>> {
    let tokens = tokens(program);
    let mut started = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Name("exec_command") => started.push(arguments(&tokens[at + 1..])?),
            // Other tools run commands of their own, and a name in brackets may be any.
            Token::Name("tools") => match (tokens.get(at + 1), tokens.get(at + 2)) {
                (Some(Token::Sign(b'.')), Some(Token::Name("exec_command" | "apply_patch" | "update_plan"))) => {}
                _ => return None,
            },
            Token::Name(
                "shell_command" | "write_stdin" | "shell" | "require" | "import" | "eval" | "load" | "notify",
            ) => return None,
            Token::Unclear => return None,
            _ => {}
        }
    }
    Some(started)
}

/// Returns whether some of what a program prints is lines of files, as far as its commands can be read.
pub fn program_prints_files(program: &str) -> bool {
    let started = started(program).unwrap_or_default();
    started.iter().any(|one| run(&one.script, Dialect::Posix, Exit::Unknown).prints_files)
}

/// Reads the arguments of a command, `({cmd: "…", workdir: "…", …})`.
fn arguments(tokens: &[Token<'_>]) -> Option<Started> {
    let [Token::Sign(b'('), Token::Sign(b'{'), tokens @ ..] = tokens else { return None };
    let (mut script, mut directory) = (None, None);
    let mut rest = tokens;
    loop {
        rest = match rest {
            [Token::Sign(b'}'), Token::Sign(b')'), ..] => break,
            [Token::Sign(b','), rest @ ..] => rest,
            [name, Token::Sign(b':'), value, rest @ ..] if matches!(rest.first(), Some(Token::Sign(b',' | b'}'))) => {
                let name = match name {
                    Token::Name(name) => *name,
                    Token::Text(name) => name.as_str(),
                    _ => return None,
                };
                match (name, value) {
                    ("cmd" | "command", Token::Text(text)) => script = Some(text.clone()),
                    ("workdir", Token::Text(text)) => directory = Some(text.clone()),
                    ("cmd" | "command" | "workdir" | "shell", _) => return None,
                    _ => {}
                }
                rest
            }
            _ => return None,
        };
    }
    Some(Started { script: script?, directory })
}

/// Splits a program into tokens. Each byte is read once: where a text does not end on its line, the rest of the line is not read.
fn tokens(program: &str) -> Vec<Token<'_>> {
    let bytes = program.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || *byte >= 0x80;
    let line_end = |at: usize| memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
    while let Some(&byte) = bytes.get(at) {
        match (byte, bytes.get(at + 1)) {
            (b'/', Some(b'/')) => at = line_end(at),
            (b'/', Some(b'*')) => {
                at = memchr::memmem::find(&bytes[at + 2..], b"*/").map_or(bytes.len(), |length| at + length + 4);
            }
            // A slash where a value may start begins an expression that may hold quotes.
            (b'/', _)
                if matches!(
                    tokens.last(),
                    None | Some(Token::Sign(
                        b'(' | b',' | b'=' | b':' | b'[' | b'!' | b'&' | b'|' | b'?' | b'{' | b'}' | b';'
                    ))
                ) =>
            {
                tokens.push(Token::Unclear);
                at = line_end(at);
            }
            (b'\'' | b'"' | b'`', _) => {
                let (token, end) = text(program, at);
                tokens.push(token);
                at = end;
            }
            (byte, _) if is_of_name(&byte) => {
                let length = bytes[at..].iter().take_while(|byte| is_of_name(byte)).count();
                tokens.push(Token::Name(&program[at..at + length]));
                at += length;
            }
            (byte, _) => {
                if !byte.is_ascii_whitespace() {
                    tokens.push(Token::Sign(byte));
                }
                at += 1;
            }
        }
    }
    tokens
}

/// Reads the text whose quote stands here, and returns where it ends.
fn text(program: &str, start: usize) -> (Token<'_>, usize) {
    let quote = program.as_bytes()[start];
    let mut text = String::new();
    let mut is_clear = true;
    let mut chars = program[start + 1..].char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => match chars.next().map(|(_, escaped)| escaped) {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some('\n') => {}
                Some('r' | 'b' | 'f' | 'v' | '0'..='9' | 'x' | 'u') => is_clear = false,
                Some(escaped) => text.push(escaped),
                None => break,
            },
            // A quote that no other one closes on its line is an apostrophe, as in a comment.
            '\n' if quote != b'`' => return (Token::Unclear, start + 1 + at),
            '$' if quote == b'`' => {
                is_clear &= !program[start + 1 + at..].starts_with("${");
                text.push(char);
            }
            char if char == quote as char => {
                return (if is_clear { Token::Text(text) } else { Token::Unclear }, start + 2 + at);
            }
            char => text.push(char),
        }
    }
    (Token::Unclear, program.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_programs() {
        let exec = |command: &str| {
            format!(
                "// don't\nconst r = await tools.exec_command({{cmd: {command}, workdir: \"/r\", yield_time_ms: 10}}); text(r.output);"
            )
        };
        let one = |script: &str| Some(vec![Started { script: script.to_owned(), directory: Some("/r".to_owned()) }]);
        assert_eq!(started(&exec(r#""sed -n '1,9p' a && cat \"b\"""#)), one("sed -n '1,9p' a && cat \"b\""));
        assert_eq!(started(&exec("`cat a`")), one("cat a"));
        for command in ["`cat ${file}`", "file", "'a' + b", "'cat a", "\"\\u0063at a\""] {
            assert_eq!(started(&exec(command)), None, "{command}");
        }
        assert_eq!(started(""), Some(vec![]));
        assert_eq!(started("await tools.read_file({path: 'a'})"), None);
        for (command, expected) in [(r#""cat a""#, true), (r#""npm test""#, false), ("x", false)] {
            assert_eq!(program_prints_files(&exec(command)), expected, "{command}");
        }
    }
}
