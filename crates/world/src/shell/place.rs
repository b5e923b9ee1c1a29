//! Names of files and directories, as far as they are certain.

/// The name of a file or directory: absolute, or relative to where the script started. It has no `.`, no doubled separators, and `..` only at the
/// start: what `a/../b` is depends on where a link `a` leads.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place(String);

impl Place {
    pub(super) fn new(path: String) -> Self {
        Place(path)
    }

    /// The path; `.` for where the script started.
    pub fn as_str(&self) -> &str {
        if self.0.is_empty() { "." } else { &self.0 }
    }

    /// Returns whether it does not depend on where the script started.
    pub fn is_absolute(&self) -> bool {
        let bytes = self.0.as_bytes();
        matches!(bytes, [b'/' | b'\\', ..]) || matches!(bytes, [drive, b':', ..] if drive.is_ascii_alphabetic())
    }

    /// Returns whether this is `other`, or contains it.
    pub(super) fn contains(&self, other: &Place) -> bool {
        let rest = other.0.strip_prefix(self.0.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || self.0.is_empty() || self.0.ends_with('/'))
    }

    /// Returns the place with this name in this directory.
    pub(super) fn within(&self, name: &str) -> Place {
        let separator = if self.0.is_empty() || self.0.ends_with('/') { "" } else { "/" };
        Place([&self.0, separator, name].concat())
    }

    /// Returns the last name of the path.
    pub(super) fn name(&self) -> Option<&str> {
        self.0.rsplit('/').next().filter(|name| !name.is_empty() && *name != "..")
    }
}

/// Longest path that is followed, as long as systems allow.
const LONGEST: usize = 4096;

/// Returns where `cd path` leads from a directory: the shell takes `..` from the name, whatever links it names.
pub(super) fn moved(directory: &Place, path: &str) -> Option<Place> {
    if path.is_empty() || path.len() + directory.0.len() > LONGEST {
        return None;
    }
    let (mut names, is_absolute) = start(directory, path);
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => match names.last() {
                Some(&last) if last != ".." => {
                    names.pop();
                }
                // Above the root is the root.
                _ if is_absolute => {}
                _ => names.push(".."),
            },
            name => names.push(name),
        }
    }
    Some(joined(&names, is_absolute))
}

/// Returns the file or directory that `path` names for a program; `None` if that depends on links.
pub(super) fn named(directory: Option<&Place>, path: &str) -> Option<Place> {
    let root = Place(String::new());
    let directory = directory.or(path.starts_with('/').then_some(&root))?;
    if path.is_empty() || path.len() + directory.0.len() > LONGEST {
        return None;
    }
    let (mut names, is_absolute) = start(directory, path);
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." if is_absolute && names.is_empty() => {}
            ".." if names.last().is_none_or(|last| *last == "..") => names.push(".."),
            ".." => return None,
            name => names.push(name),
        }
    }
    Some(joined(&names, is_absolute))
}

/// Returns the names to start from, and whether the path is absolute.
fn start<'a>(directory: &'a Place, path: &str) -> (Vec<&'a str>, bool) {
    if path.starts_with('/') {
        return (Vec::new(), true);
    }
    (directory.0.split('/').filter(|name| !name.is_empty()).collect(), directory.0.starts_with('/'))
}

fn joined(names: &[&str], is_absolute: bool) -> Place {
    let root = if is_absolute { "/" } else { "" };
    Place([root, &names.join("/")].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_certain_unless_a_link_may_decide() {
        for (directory, path, there, file) in [
            ("", "a", Some("a"), Some("a")),
            ("", "./a//b/", Some("a/b"), Some("a/b")),
            ("", "..", Some(".."), Some("..")),
            ("", "../a", Some("../a"), Some("../a")),
            ("", "a/../b", Some("b"), None),
            ("a", "..", Some("."), None),
            ("a", "../f", Some("f"), None),
            ("..", "../f", Some("../../f"), Some("../../f")),
            ("/x", "..", Some("/"), None),
            ("/x", "../..", Some("/"), None),
            ("/x", "/y/./z", Some("/y/z"), Some("/y/z")),
            ("", "/../y", Some("/y"), Some("/y")),
            ("", "", None, None),
        ] {
            let directory = Place(directory.to_owned());
            let text = |place: Option<Place>| place.map(|place| place.as_str().to_owned());
            assert_eq!(text(moved(&directory, path)).as_deref(), there, "cd {path}");
            assert_eq!(text(named(Some(&directory), path)).as_deref(), file, "{path}");
        }
    }
}
