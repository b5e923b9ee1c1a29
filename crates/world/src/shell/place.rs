//! Names of files and directories, as far as they are certain.

use std::sync::Arc;

/// The name of a file or directory: absolute, or relative to where the script started. It has no `.`, no doubled separators, and `..` only at the
/// start: what `a/../b` is depends on where a link `a` leads.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place(Arc<str>);

impl Place {
    pub(super) fn new(path: String) -> Self {
        Place(path.into())
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
        let rest = other.0.strip_prefix(&*self.0);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || self.0.is_empty() || self.0.ends_with('/'))
    }

    /// Returns the place with this name in this directory.
    pub(super) fn within(&self, name: &str) -> Place {
        let separator = if self.0.is_empty() || self.0.ends_with('/') { "" } else { "/" };
        Place::new([&self.0, separator, name].concat())
    }

    /// Returns the last name of the path.
    pub(super) fn name(&self) -> Option<&str> {
        self.0.rsplit('/').next().filter(|name| !name.is_empty() && *name != "..")
    }
}

/// Returns whether a path is that of a device, which keeps nothing. Below `/dev/shm` there are files.
pub(super) fn is_device(path: &str) -> bool {
    let name = path.strip_prefix("/dev/");
    name.is_some_and(|name| {
        !name.contains('/') || ["fd/", "tcp/", "udp/", "pts/"].iter().any(|kind| name.starts_with(kind))
    })
}

/// Longest path that is followed. Each command may copy it.
const LONGEST: usize = 1024;

/// Returns where `cd path` leads from a directory: the shell takes `..` from the name, whatever links it names.
pub(super) fn moved(directory: &Place, path: &str) -> Option<Place> {
    follow(directory, path, |names| names.pop().is_some())
}

/// Returns the file or directory that `path` names for a program; `None` if that depends on links.
pub(super) fn named(directory: Option<&Place>, path: &str) -> Option<Place> {
    let root = Place::new(String::new());
    let directory = directory.or(is_absolute(path).then_some(&root))?;
    follow(directory, path, |_| false)
}

/// Follows a path from a directory. `leave` says whether `..` leaves the last name, which it takes away.
fn follow(directory: &Place, path: &str, leave: fn(&mut Vec<&str>) -> bool) -> Option<Place> {
    if path.is_empty() || path.len() + directory.0.len() > LONGEST {
        return None;
    }
    let (Names { root, mut names }, path) = Names::start(directory, path);
    for name in path.split('/') {
        match name {
            "" | "." => {}
            // Above the root is the root.
            ".." if !root.is_empty() && names.is_empty() => {}
            ".." if names.last().is_none_or(|last| *last == "..") => names.push(".."),
            ".." if leave(&mut names) => {}
            ".." => return None,
            name => names.push(name),
        }
    }
    Some(Place::new(root + &names.join("/")))
}

/// Returns the drive at the start of a path, as bash on Windows takes it: `C:` of `C:/a`. Nobody else has a directory of that name.
fn drive(path: &str) -> Option<&str> {
    let bytes = path.as_bytes();
    matches!(bytes, [letter, b':', b'/', ..] if letter.is_ascii_alphabetic()).then(|| &path[..2])
}

/// Returns whether a path does not depend on the directory.
pub(super) fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || drive(path).is_some()
}

/// The names of a directory, and what its path begins with: nothing if it is relative.
#[derive(Debug)]
struct Names<'a> {
    root: String,
    names: Vec<&'a str>,
}

impl<'a> Names<'a> {
    /// Starts from where a path is taken from, and returns what is left of the path.
    fn start<'p>(directory: &'a Place, path: &'p str) -> (Self, &'p str) {
        if let Some(drive) = drive(path) {
            return (Names { root: [drive, "/"].concat(), names: Vec::new() }, &path[2..]);
        }
        if path.starts_with('/') {
            return (Names { root: "/".to_owned(), names: Vec::new() }, path);
        }
        let (root, rest) = match drive(&directory.0) {
            Some(drive) => ([drive, "/"].concat(), &directory.0[2..]),
            None if directory.0.starts_with('/') => ("/".to_owned(), &*directory.0),
            None => (String::new(), &*directory.0),
        };
        (Names { root, names: rest.split('/').filter(|name| !name.is_empty()).collect() }, path)
    }
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
            ("x", "C:/y/z", Some("C:/y/z"), Some("C:/y/z")),
            ("C:/y", "../..", Some("C:/"), None),
            ("C:/y", "z", Some("C:/y/z"), Some("C:/y/z")),
            ("", "", None, None),
        ] {
            let directory = Place::new(directory.to_owned());
            let text = |place: Option<Place>| place.map(|place| place.as_str().to_owned());
            assert_eq!(text(moved(&directory, path)).as_deref(), there, "cd {path}");
            assert_eq!(text(named(Some(&directory), path)).as_deref(), file, "{path}");
        }
    }
}
