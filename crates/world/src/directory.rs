//! The directory in which a session starts. Its harness says it, in the instructions or in a frame of its own among the user's texts. Where nothing
//! says it, or several texts say different ones, it is not known.

use super::forms::{after_any, is_blank, is_of_word, past_all};
use super::known::Known;
use super::path::join;
use palimpsest_history::transcript::{Kind, Role, Transcript};

/// Names of the directory in which commands run and to which paths are relative. A project's or a workspace's root may be another one.
const NAMES: [&str; 6] =
    ["working directory", "current directory", "cwd", "workspace root", "workspace path", "workspace directory"];
/// Frames in which harnesses tell of the environment among the user's texts. What a user writes or pastes elsewhere may be about another session.
const FRAMES: [&str; 8] = [
    "env",
    "environment_context",
    "environment_details",
    "environment_info",
    "workspace_info",
    "session_context",
    "user_info",
    "system-reminder",
];

/// Returns the directory to which relative paths belong: an absolute path, or an empty one where nothing names it, so that a relative path stands
/// for itself. It is unknown where different directories are named: the session moved, and nobody knows when.
pub(crate) fn start(transcript: &Transcript) -> Known<String> {
    let mut found: Option<String> = None;
    for (index, part) in transcript.parts().iter_enumerated() {
        if part.kind != Kind::Text || !matches!(part.role, Role::System | Role::User) {
            continue;
        }
        let bytes = transcript.text(index).bytes();
        // This search is far cheaper than looking at each word, and most texts contain none of these.
        if !SIGNS.iter().any(|sign| memchr::memmem::find(bytes, sign).is_some()) {
            continue;
        }
        let said: Vec<&[u8]> = if part.role == Role::System { vec![bytes] } else { framed(bytes).collect() };
        for directory in said.into_iter().flat_map(named) {
            if found.as_ref().is_some_and(|found| *found != directory) {
                return Known::Unknown;
            }
            found = Some(directory);
        }
    }
    Known::Certain(found.unwrap_or_default())
}

/// What one of the names contains.
const SIGNS: [&[u8]; 7] = [b"irectory", b"IRECTORY", b"cwd", b"CWD", b"orkspace", b"root", b"Root"];

/// Returns what stands in the frames of a text. Each frame ends before the next one of its name begins, so that the text is read once for each name.
fn framed(text: &[u8]) -> impl Iterator<Item = &[u8]> + '_ {
    FRAMES.iter().flat_map(move |name| {
        let (open, close) = (format!("<{name}>"), format!("</{name}>"));
        let mut rest = text;
        std::iter::from_fn(move || {
            let start = memchr::memmem::find(rest, open.as_bytes())? + open.len();
            let end = start + memchr::memmem::find(&rest[start..], close.as_bytes())?;
            let inside = &rest[start..end];
            rest = &rest[end..];
            Some(inside)
        })
    })
}

/// Returns the directories that a text names as that of the session.
fn named(text: &[u8]) -> impl Iterator<Item = String> + '_ {
    let may_begin = |at: usize| matches!(text[at] | 0x20, b'c' | b'w');
    let is_start = |at: usize| at == 0 || !is_of_word(text[at - 1]);
    let starts = (0..text.len()).filter(move |&at| may_begin(at) && is_start(at));
    let found = starts.filter_map(|at| after_any(&text[at..], &NAMES)).filter_map(path_after_name);
    found.filter_map(|path| {
        let path = std::str::from_utf8(path).ok()?.trim_end_matches('.');
        (!path.is_empty()).then(|| join("", path))
    })
}

/// Returns the absolute path after the name of a directory: `: /a`, ` is "C:\a`.
fn path_after_name(text: &[u8]) -> Option<&[u8]> {
    const GAP: usize = 8;
    let is_of_gap = |byte: &&u8| !byte.is_ascii_alphabetic() && !b"\n/\\".contains(byte);
    let gap = text.iter().take(GAP).take_while(is_of_gap).count();
    let text = after_any(&text[gap..], &["is ", "at ", "to "]).unwrap_or(&text[gap..]);
    let text = after_any(text, &["`", "\"", "'", "<"]).unwrap_or(text);
    let start = match text {
        [b'/', ..] => 1,
        [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic() => 3,
        _ => return None,
    };
    let rest = past_all(&text[start..], |byte| !is_blank(byte) && !b"`\"'<>)]|;,".contains(&byte));
    Some(&text[..text.len() - rest.len()])
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn the_named_directory_is_that_of_a_pattern() {
        let names = "working directory|current directory|cwd|workspace (?:root|path|directory)";
        let pattern = regex::bytes::Regex::new(&format!(
            r#"(?i-u)\b(?:{names})[^\n/\\A-Za-z]{{0,8}}(?:is |at |to )?[`"'<]?((?:/|[A-Za-z]:[\\/])[^\s`"'<>)\]|;,]*)"#
        ))
        .unwrap();
        let pieces = [
            "working directory",
            "current directory",
            "cwd",
            "CWD",
            "Workspace",
            "workspace",
            " root",
            " path",
            " directory",
            "project root",
            "root directory",
            "Root Directory",
            ":",
            " ",
            "  ",
            "is ",
            "at ",
            "to ",
            "`",
            "\"",
            "'",
            "<",
            ">",
            "/",
            "/a",
            "/b.c.",
            "C:\\x",
            "c:/",
            "c:",
            "\\",
            "\n",
            "_",
            "1",
            "é",
            "....",
            ",",
            "x",
            "(",
            "========",
            "\t",
        ];
        let mut below = palimpsest_text::random::below();
        let mut count = 0;
        for round in 0..100_000 {
            let text: String = (0..round % 10).map(|_| pieces[below(pieces.len())]).collect();
            let found = pattern.captures(text.as_bytes());
            let found = found.and_then(|found| std::str::from_utf8(found.get(1)?.as_bytes()).ok());
            let expected = found.map(|path| join("", path.trim_end_matches('.')));
            count += usize::from(expected.is_some());
            assert_eq!(named(text.as_bytes()).next(), expected, "{text:?}");
        }
        assert!(count > 3_000, "{count}");
    }

    fn started(said: &[(Role, &str)]) -> Known<String> {
        let mut texts = palimpsest_text::Texts::default();
        let parts = said.iter().enumerate().map(|(index, &(role, text))| {
            texts.push_str(text);
            palimpsest_history::transcript::Part::new(index, role, Kind::Text)
        });
        let parts = parts.collect();
        start(&Transcript::new(said.len(), Vec::new(), parts, texts))
    }

    #[test]
    fn the_harness_names_the_directory() {
        let certain = |path: &str| Known::Certain(path.to_owned());
        for (text, path) in [
            ("<env>\nWorking directory: /home/me/app\nIs git: yes", "/home/me/app"),
            ("Current working directory: /repo", "/repo"),
            ("The current working directory is `/srv/app`.", "/srv/app"),
            ("<environment_context><cwd>C:\\work</cwd>", "C:/work"),
            ("cwd and/or the rest", ""),
            ("The project root is /repo", ""),
        ] {
            assert_eq!(started(&[(Role::System, text)]), certain(path), "{text}");
        }
        let framed = "<environment_context>\n  <cwd>/work/x</cwd>\n</environment_context>";
        assert_eq!(started(&[(Role::User, framed)]), certain("/work/x"));
        assert_eq!(started(&[(Role::User, "# Current Working Directory (/a) Files")]), certain(""), "a paste");
        assert_eq!(started(&[(Role::System, "cwd: /a"), (Role::User, framed)]), Known::Unknown, "it moved");
        assert_eq!(started(&[(Role::System, "cwd: /work/x"), (Role::User, framed)]), certain("/work/x"));
    }
}
