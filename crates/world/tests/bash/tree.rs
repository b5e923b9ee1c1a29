//! The files that a script finds, and what it left of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Names of files, relative to where a script starts.
pub(crate) const FILES: [&str; 12] =
    ["a", "b", "c.txt", "my file", "-x", "sub/a", "sub/d", "sub/deep/e", "dir2/a", "../up", "empty", "source.sh"];
/// Names of directories, relative to where a script starts.
pub(crate) const DIRECTORIES: [&str; 4] = ["sub", "sub/deep", "dir2", "../other"];
/// Links, with what they lead to.
pub(crate) const LINKS: [(&str, &str); 2] = [("ln", "sub/deep"), ("lf", "b")];
/// Directories above the one where a script starts, so that it stays among its own files.
const DEPTH: &str = "1/2/3/4/5/6/7/8/9";

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) text: String,
    pub(crate) written: SystemTime,
    pub(crate) number: u64,
}

/// The files of one script.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) root: PathBuf,
    pub(crate) start: PathBuf,
    pub(crate) before: BTreeMap<PathBuf, File>,
}

/// Returns the text of a file, which no other file of any script has.
fn text(number: usize, name: &str) -> String {
    let lines = match name {
        "empty" => 0,
        "b" => 3,
        "sub/d" => 1,
        _ => 12,
    };
    let mut text: String = (1..=lines).map(|line| format!("line {line} of {number} {name}\n")).collect();
    if name == "dir2/a" {
        text.pop();
    }
    if name == "source.sh" { "V=sub; cd sub\n".to_owned() } else { text }
}

impl Tree {
    /// Lays the files of a script out.
    pub(crate) fn new(root: &Path, number: usize) -> Self {
        let start = root.join(DEPTH).join("start");
        fs::create_dir_all(&start).expect("directory");
        fs::create_dir_all(start.join("../home")).expect("directory");
        for name in DIRECTORIES {
            fs::create_dir_all(start.join(name)).expect("directory");
        }
        for (file, name) in FILES.iter().enumerate() {
            let path = start.join(name);
            fs::write(&path, text(number, name)).expect("file");
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000 + file as u64);
            fs::File::options().write(true).open(&path).and_then(|file| file.set_modified(time)).expect("time");
        }
        for (link, to) in LINKS {
            std::os::unix::fs::symlink(to, start.join(link)).expect("link");
        }
        let start = normal(&start);
        if is_root() {
            give_away(root);
        }
        let before = files(root);
        Tree { root: root.to_owned(), start, before }
    }
}

/// User and group that scripts run as where the tests run as root: nobody's.
pub(crate) const NOBODY: u32 = 65534;

/// Returns whether the tests run as root, as which a wrong script could do harm.
pub(crate) fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|data| std::os::unix::fs::MetadataExt::uid(&data) == 0)
}

/// Makes nobody the owner of all that is in a directory.
pub(crate) fn give_away(path: &Path) {
    std::os::unix::fs::lchown(path, Some(NOBODY), Some(NOBODY)).ok();
    if fs::symlink_metadata(path).is_ok_and(|data| data.is_dir()) {
        fs::read_dir(path).into_iter().flatten().flatten().for_each(|entry| give_away(&entry.path()));
    }
}

/// Returns a path without `.` and `..`, as names say.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => drop(normal.pop()),
            std::path::Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}

/// Returns all files below a directory.
pub(crate) fn files(root: &Path) -> BTreeMap<PathBuf, File> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(data) = fs::symlink_metadata(&path) else { continue };
            if data.is_dir() {
                open.push(path);
            } else if data.is_symlink() {
                let text = format!("link to {}", fs::read_link(&path).unwrap_or_default().display());
                found.insert(path, File { text, written: SystemTime::UNIX_EPOCH, number: 0 });
            } else if data.is_file() {
                let text = String::from_utf8_lossy(&fs::read(&path).unwrap_or_default()).into_owned();
                let written = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                let number = std::os::unix::fs::MetadataExt::ino(&data);
                found.insert(path, File { text, written, number });
            }
        }
    }
    found
}
