//! Normalised names of files: `./a`, `a` and `/root/a` are the same file if `/root` is the session's directory.

use std::hash::BuildHasher;
use std::sync::LazyLock;

use super::forms::{after_any, is_blank, is_of_word, past_all};
use palimpsest_text::hashing::{TextMap, TextState};

/// Returns whether `path` is absolute: `/a`, `C:\a`, `~/a`.
pub fn is_absolute(path: &str) -> bool {
    let bytes = path.as_bytes();
    matches!(bytes, [b'/' | b'\\' | b'~', ..]) || matches!(bytes, [drive, b':', ..] if drive.is_ascii_alphabetic())
}

/// Resolves `path` against `directory`, without `.`, `..` and doubled separators. The result is relative if both are.
pub fn join(directory: &str, path: &str) -> String {
    let path = path.strip_prefix("file://").unwrap_or(path);
    if path.starts_with('/') && is_resolved(path) {
        return path.to_owned();
    }
    let mut joined = String::with_capacity(directory.len() + path.len() + 1);
    let (first, second) = if is_absolute(path) { (path, "") } else { (directory, path) };
    if first.starts_with(['/', '\\']) {
        joined.push('/');
    }
    let is_windows = |path: &str| path.as_bytes().get(1) == Some(&b':') || path.starts_with('\\');
    let separators: &[char] = if is_windows(first) { &['/', '\\'] } else { &['/'] };
    for segment in first.split(separators).chain(second.split(separators)) {
        match segment {
            "" | "." => {}
            ".." => match joined.rfind('/') {
                Some(at) if !joined.ends_with("..") => joined.truncate(at.max(usize::from(at == 0))),
                None if !joined.is_empty() && joined != ".." => joined.clear(),
                _ if joined == "/" => {}
                _ => push_segment(&mut joined, ".."),
            },
            segment => push_segment(&mut joined, segment),
        }
    }
    joined
}

/// Returns whether nothing in a path that starts with `/` has to be resolved, which most paths tell by their signs.
fn is_resolved(path: &str) -> bool {
    let bytes = path.as_bytes();
    !bytes.ends_with(b"/") && !bytes.windows(2).any(|pair| matches!(pair, b"//" | b"/." | b"/:"))
}

fn push_segment(path: &mut String, segment: &str) {
    if !path.is_empty() && !path.ends_with('/') {
        path.push('/');
    }
    path.push_str(segment);
}

/// Names of the session's directory.
const NAMES: [&str; 9] = [
    "working directory",
    "current directory",
    "cwd",
    "workspace root",
    "workspace path",
    "workspace directory",
    "workspace",
    "project root",
    "root directory",
];

/// Returns the directory that a text names as the session's.
pub fn named_directory(text: &[u8]) -> Option<String> {
    // This search is far cheaper than looking at each word, and most texts contain none of these.
    let signs: [&[u8]; 6] = [b"irectory", b"cwd", b"CWD", b"orkspace", b"root", b"Root"];
    signs.iter().find_map(|sign| memchr::memmem::find(text, sign))?;
    let may_begin = |at: usize| matches!(text[at] | 0x20, b'c' | b'p' | b'r' | b'w');
    let is_start = |at: usize| at == 0 || !is_of_word(text[at - 1]);
    let starts = (0..text.len()).filter(|&at| may_begin(at) && is_start(at));
    let found = starts.filter_map(|at| after_any(&text[at..], &NAMES)).find_map(path_after_name)?;
    let path = std::str::from_utf8(found).ok()?.trim_end_matches('.');
    (!path.is_empty()).then(|| join("", path))
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

/// Returns the directory that makes relative `paths` equal to absolute ones. It is known only if one directory explains a
/// relative path that also occurs as an absolute one, and contains every absolute path.
pub fn common_root<'a>(paths: impl Iterator<Item = &'a str> + Clone) -> Option<String> {
    let absolute = paths.clone().filter(|path| is_absolute(path));
    let shared = absolute.clone().map(str::to_owned).reduce(|a, b| {
        let same = a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b);
        same.map(|(a, _)| a).collect::<Vec<_>>().join("/")
    })?;
    // Each suffix of an absolute path below the common directory may be a relative path.
    let relative: TextMap<u64, &str> =
        paths.filter(|path| !is_absolute(path)).filter_map(|path| Some((endings(path).last()?.1, path))).collect();
    let mut roots = absolute.flat_map(|path| {
        let found = endings(path).filter(|&(at, hash)| {
            let is_below = (1..=shared.len() + 1).contains(&at);
            is_below && relative.get(&hash).is_some_and(|relative| *relative == &path[at..])
        });
        found.map(|(at, _)| &path[..at - 1])
    });
    let root = roots.next()?;
    (!root.is_empty() && roots.all(|other| other == root)).then(|| root.to_owned())
}

/// Returns the start of each segment of a path, last one first, and a hash of the path from there on. Each segment is read once.
fn endings(path: &str) -> impl Iterator<Item = (usize, u64)> + '_ {
    static STATE: LazyLock<TextState> = LazyLock::new(TextState::default);
    let (mut at, mut hash) = (path.len() + 1, 0);
    path.rsplit('/').map(move |segment| {
        at -= segment.len() + 1;
        hash = STATE.hash_one((hash, segment));
        (at, hash)
    })
}

/// Returns whether `path` matches `pattern`. `*` matches anything but a separator, `**` anything, `?` one character. A pattern
/// without a separator is matched against the file's name, one that starts with a separator against the whole path, any other one
/// against the end of the path.
pub fn matches(pattern: &str, path: &str) -> bool {
    let chars = |text: &str| text.chars().collect::<Vec<_>>();
    let path = chars(path);
    if is_absolute(pattern) {
        return glob(&chars(pattern), &path);
    }
    let pattern = chars(pattern.strip_prefix("./").unwrap_or(pattern));
    if !pattern.contains(&'/') {
        return glob(&pattern, path.rsplit(|&unit| unit == '/').next().unwrap_or_default());
    }
    let starts = path.iter().enumerate().filter(|&(_, &unit)| unit == '/').map(|(at, _)| at + 1);
    std::iter::once(0).chain(starts).any(|start| glob(&pattern, &path[start..]))
}

/// Matches in time proportional to the pattern's length times the path's: each pair of positions is visited once.
fn glob(pattern: &[char], path: &[char]) -> bool {
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    let mut rest = pattern;
    while let Some((&first, after)) = rest.split_first() {
        match first {
            '*' => {
                let any = after.first() == Some(&'*');
                rest = if any { &after[1..] } else { after };
                // `**/` also matches no directory at all.
                let optional = if any { rest.strip_prefix(&['/']) } else { None };
                let before = optional.map(|_| reached.clone());
                for at in 0..path.len() {
                    reached[at + 1] |= reached[at] && (any || path[at] != '/');
                }
                if let (Some(before), Some(after)) = (before, optional) {
                    rest = after;
                    let mut next = before;
                    for at in 0..path.len() {
                        next[at + 1] |= reached[at] && path[at] == '/';
                    }
                    reached = next;
                }
            }
            unit => {
                for at in (0..path.len()).rev() {
                    reached[at + 1] = reached[at] && (unit == path[at] || (unit == '?' && path[at] != '/'));
                }
                reached[0] = false;
                rest = after;
            }
        }
    }
    reached[path.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::random::{below, text_of};

    #[test]
    fn the_named_directory_is_that_of_a_pattern() {
        let names =
            "working directory|current directory|cwd|workspace(?: root| path| directory)?|project root|root directory";
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
            let found =
                pattern.captures(text.as_bytes()).and_then(|found| std::str::from_utf8(found.get(1)?.as_bytes()).ok());
            let expected = found.map(|path| join("", path.trim_end_matches('.')));
            count += usize::from(expected.is_some());
            assert_eq!(named_directory(text.as_bytes()), expected, "{text:?}");
        }
        assert!(count > 3_000, "{count}");
    }

    #[test]
    fn one_file_has_one_name() {
        for (directory, path, expected) in [
            ("", "./a", "a"),
            ("", "a//b/../c", "a/c"),
            ("/root", "a", "/root/a"),
            ("/root", "./a", "/root/a"),
            ("/root", "/root/a", "/root/a"),
            ("/root/sub", "../a", "/root/a"),
            ("/root", "../../..", "/"),
            ("", "../a", "../a"),
            ("a", "../../b", "../b"),
            ("", "file:///x/y", "/x/y"),
            ("C:\\work", "src\\a.ts", "C:/work/src/a.ts"),
            ("", "/", "/"),
            ("", "", ""),
        ] {
            assert_eq!(join(directory, path), expected, "{directory} {path}");
        }
    }

    #[test]
    fn a_path_is_resolved_wherever_its_segments_come_from() {
        let mut below = below();
        for _ in 0..20_000 {
            let path =
                text_of(&[&["/"][..], &["a", "bc", "..", ".", "", "d.e", ":"], &["", "/"]].repeat(3), &mut below);
            // What stands after a directory is read segment by segment.
            assert_eq!(join("", &path), join("/", path.trim_start_matches('/')), "{path}");
        }
    }

    #[test]
    fn a_text_names_the_directory() {
        let named = |text: &str| named_directory(text.as_bytes());
        assert_eq!(named("<env>\nWorking directory: /home/me/app\nIs git: yes").as_deref(), Some("/home/me/app"));
        assert_eq!(named("<cwd>/work/x</cwd>").as_deref(), Some("/work/x"));
        assert_eq!(named("(Current directory: /repo)").as_deref(), Some("/repo"));
        assert_eq!(named("The current working directory is `/srv/app`.").as_deref(), Some("/srv/app"));
        assert_eq!(named("cwd and/or the rest"), None);
    }

    #[test]
    fn a_root_is_learnt_only_where_it_is_the_only_one() {
        assert_eq!(common_root(["/r/src/a.ts", "src/a.ts", "/r/b"].into_iter()).as_deref(), Some("/r"));
        assert_eq!(common_root(["/r/a", "a"].into_iter()).as_deref(), Some("/r"));
        assert_eq!(common_root(["/r/lib/index.ts", "/r/src/a.ts", "index.js"].into_iter()), None);
        assert_eq!(common_root(["/r/x/a", "/r/y/a", "a"].into_iter()), None);
        assert_eq!(common_root(["a", "b"].into_iter()), None);
    }

    #[test]
    fn each_segment_of_a_path_is_read_once() {
        let path = "/a".repeat(5_000);
        assert_eq!(endings(&path).count(), 5_001);
        assert_eq!(endings(&path).last().map(|(at, _)| at), Some(0));
        let ends: Vec<u64> = endings("/r/src/a.ts").map(|(_, hash)| hash).collect();
        let of = |path: &str| endings(path).last().map(|(_, hash)| hash);
        assert_eq!(of("a.ts"), Some(ends[0]));
        assert_eq!((of("src/a.ts"), of("srca.ts") == Some(ends[1])), (Some(ends[1]), false));
    }

    #[test]
    fn globs() {
        for (pattern, path, expected) in [
            ("*.md", "/r/docs/a.md", true),
            ("*.md", "/r/docs/a.ts", false),
            ("docs/*", "/r/docs/a.md", true),
            ("docs/*", "/r/docs/x/a.md", false),
            ("docs/**", "/r/docs/x/a.md", true),
            ("src/**/*.ts", "src/a.ts", true),
            ("src/**/*.ts", "/r/src/x/y/a.ts", true),
            ("src/**/*.ts", "/r/lib/x/a.ts", false),
            ("/r/*.ts", "/r/a.ts", true),
            ("/r/*.ts", "/q/r/a.ts", false),
            ("?.ts", "/r/a.ts", true),
            ("?.ts", "/r/ab.ts", false),
            ("?.ts", "/r/é.ts", true),
            ("?.ts", "/r/京.ts", true),
            ("??.ts", "/r/京.ts", false),
            ("京?/**", "京都/a.ts", true),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
        }
    }
}
