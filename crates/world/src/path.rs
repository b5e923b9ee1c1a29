//! Normalised names of files: `./a`, `a` and `/root/a` are the same file if `/root` is the session's directory.

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
