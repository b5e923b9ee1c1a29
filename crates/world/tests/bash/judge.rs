//! Compares what the engine claims of a script with what bash did.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use palimpsest_world::extent::Extent;
use palimpsest_world::shell::{Dialect, Directory, Effect, Exit, Place, Ran, run};

use super::tree::{File, LINKS, Tree, normal};

/// What bash did.
#[derive(Debug)]
pub(crate) struct Happened {
    pub(crate) code: Option<i32>,
    /// The directory at the end, and what describes the shell then, if it came to the end of the script.
    pub(crate) end: Option<(PathBuf, String)>,
    pub(crate) printed: String,
    pub(crate) after: BTreeMap<PathBuf, File>,
}

/// Numbers of claims that were checked, by their kinds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts(pub(crate) BTreeMap<&'static str, usize>);

impl Counts {
    pub(crate) fn add(&mut self, kind: &'static str) {
        *self.0.entry(kind).or_default() += 1;
    }
}

/// What is known of a file while claims are followed.
#[derive(Clone, Debug, PartialEq)]
enum Fate {
    /// It has this text still.
    Holds(String),
    /// It was written anew.
    Written,
    Gone,
    Unknown,
}

/// Checks the claims of a script, and returns the first false one.
pub(crate) fn judge(
    script: &str,
    tree: &Tree,
    happened: &Happened,
    plain: &str,
    counts: &mut Counts,
) -> Result<(), String> {
    let exit = if happened.code == Some(0) { Exit::Zero } else { Exit::NonZero };
    let ran = run(script, Dialect::Posix, exit);
    check(&ran, exit, tree, happened, plain, counts)?;
    let mut unseen = Counts::default();
    let unsure = run(script, Dialect::Posix, Exit::Unknown);
    check(&unsure, Exit::Unknown, tree, happened, plain, &mut unseen)
        .map_err(|wrong| format!("unknown exit: {wrong}"))?;
    if happened.code == Some(0) || (happened.code == Some(1) && ran.may_be_benign) {
        let benign = run(script, Dialect::Posix, Exit::ZeroOrBenign);
        check(&benign, Exit::ZeroOrBenign, tree, happened, plain, &mut unseen)
            .map_err(|wrong| format!("hidden exit: {wrong}"))?;
    }
    Ok(())
}

fn check(
    ran: &Ran,
    exit: Exit,
    tree: &Tree,
    happened: &Happened,
    plain: &str,
    counts: &mut Counts,
) -> Result<(), String> {
    directory(ran, exit, tree, happened, counts)?;
    effects(ran, tree, happened, counts)?;
    printed(ran, exit, tree, happened, counts)?;
    if !ran.may_quote {
        counts.add("no line to quote");
        let original = tree.before.values().flat_map(|file| file.text.lines());
        if let Some(line) =
            original.filter(|line| line.starts_with("line ")).find(|line| happened.printed.contains(line))
        {
            return Err(format!("no line to quote, but {line:?} was printed"));
        }
    }
    if let (false, Some((_, state))) = (ran.changes_environment, &happened.end) {
        counts.add("same environment");
        if state != plain {
            return Err(format!("the same environment, but {state:?} for {plain:?}"));
        }
    }
    Ok(())
}

fn directory(ran: &Ran, exit: Exit, tree: &Tree, happened: &Happened, counts: &mut Counts) -> Result<(), String> {
    let claimed = match &ran.directory {
        Directory::Unknown => return Ok(()),
        Directory::Same => tree.start.clone(),
        Directory::At(place) => normal(&tree.start.join(place.as_str())),
    };
    match &happened.end {
        Some((end, _)) => {
            counts.add(if ran.directory == Directory::Same { "same directory" } else { "another directory" });
            if *end == claimed { Ok(()) } else { Err(format!("at {claimed:?}, but it was {end:?}")) }
        }
        // Where a shell stopped with an error, an interactive one would go on.
        None if exit == Exit::Zero => Err(format!("at {claimed:?}, but the shell ended")),
        None => Ok(()),
    }
}

/// Returns the paths that a place may name, given the links that are there.
fn paths(tree: &Tree, place: &Place) -> Vec<PathBuf> {
    through_links(tree, normal(&tree.start.join(place.as_str())))
}

fn through_links(tree: &Tree, path: PathBuf) -> Vec<PathBuf> {
    let mut paths = vec![path.clone()];
    for (link, to) in LINKS {
        let (link, to) = (tree.start.join(link), tree.start.join(to));
        if let Ok(rest) = path.strip_prefix(&link) {
            paths.push(normal(&to.join(rest)));
        }
    }
    paths
}

/// Returns whether a path is one of these, or below.
fn is_below(path: &Path, paths: &[PathBuf]) -> bool {
    paths.iter().any(|above| path.starts_with(above))
}

fn effects(ran: &Ran, tree: &Tree, happened: &Happened, counts: &mut Counts) -> Result<(), String> {
    let mut fates: BTreeMap<PathBuf, Fate> =
        tree.before.iter().map(|(path, file)| (path.clone(), Fate::Holds(file.text.clone()))).collect();
    let mut unknown = false;
    let mut covered: Vec<PathBuf> = Vec::new();
    // Texts that have to be found somewhere, and where.
    let mut moved: Vec<(String, PathBuf, PathBuf)> = Vec::new();
    let blur = |fates: &mut BTreeMap<PathBuf, Fate>, paths: &[PathBuf]| {
        for (path, fate) in fates.iter_mut() {
            if is_below(path, paths) {
                *fate = Fate::Unknown;
            }
        }
    };
    for effect in &ran.effects {
        match effect {
            Effect::MayChangeAny => {
                unknown = true;
                fates.values_mut().for_each(|fate| *fate = Fate::Unknown);
                moved.clear();
            }
            Effect::MayChange(place) => {
                let paths = paths(tree, place);
                blur(&mut fates, &paths);
                moved.retain(|(_, to, inside)| {
                    !is_below(to, &paths) && !is_below(inside, &paths) || place_is_inside(&paths, inside, to)
                });
                covered.extend(paths);
            }
            Effect::MayMove { from, to } => {
                let paths = [paths(tree, from), paths(tree, to)].concat();
                blur(&mut fates, &paths);
                moved.retain(|(_, to, _)| !is_below(to, &paths));
                covered.extend(paths);
            }
            Effect::Overwrite(place) => {
                counts.add("overwrite");
                let paths = paths(tree, place);
                moved.retain(|(_, to, inside)| !paths.contains(to) && !paths.contains(inside));
                fates.insert(paths[0].clone(), Fate::Written);
                paths[1..].iter().for_each(|path| drop(fates.insert(path.clone(), Fate::Unknown)));
                covered.extend(paths);
            }
            Effect::Delete(place) => {
                counts.add("delete");
                let path = normal(&tree.start.join(place.as_str()));
                moved.retain(|(_, to, inside)| !to.starts_with(&path) && !inside.starts_with(&path));
                for (known, fate) in &mut fates {
                    if known.starts_with(&path) {
                        *fate = Fate::Gone;
                    }
                }
                fates.insert(path.clone(), Fate::Gone);
                covered.push(path);
                covered.extend(paths(tree, place));
            }
            Effect::Move { from, to } => {
                counts.add("move");
                let source = normal(&tree.start.join(from.as_str()));
                let target = normal(&tree.start.join(to.as_str()));
                let [sources, targets] = [&source, &target].map(|path| through_links(tree, path.clone()));
                moved.retain(|(_, to, inside)| !is_below(to, &targets) && !is_below(inside, &targets));
                let name = source.file_name().unwrap_or_default();
                if let Some(Fate::Holds(text)) = fates.get(&source).cloned() {
                    moved.push((text, target.clone(), target.join(name)));
                }
                moved.retain(|(_, to, _)| !is_below(to, &sources));
                for (known, fate) in &mut fates {
                    if known.starts_with(&source) {
                        *fate = Fate::Gone;
                    } else if known.starts_with(&target) {
                        *fate = Fate::Unknown;
                    }
                }
                fates.insert(source.clone(), Fate::Gone);
                if let Some(fate @ (Fate::Gone | Fate::Written)) = fates.get_mut(&target) {
                    *fate = Fate::Unknown;
                }
                covered.extend(paths(tree, from));
                covered.extend(paths(tree, to));
            }
            Effect::Patch { .. } => return Err("a patch".to_owned()),
        }
    }
    for (path, fate) in &fates {
        let after = happened.after.get(path);
        let before = tree.before.get(path);
        match fate {
            Fate::Gone if after.is_some() => return Err(format!("{path:?} is gone, but it is there")),
            Fate::Written
                if after.is_some()
                    && after == before
                    && !before.is_some_and(|file| file.text.starts_with("link to ")) =>
            {
                return Err(format!("{path:?} was written, but it is as it was"));
            }
            _ => {}
        }
    }
    for (text, to, inside) in &moved {
        counts.add("moved text");
        let mut places = [to, inside].into_iter().flat_map(|path| through_links(tree, path.clone()));
        let is_there = places.any(|path| happened.after.get(&path).is_some_and(|file| file.text == *text));
        if !is_there {
            return Err(format!("{to:?} has {text:?}, but it has not"));
        }
    }
    if !unknown {
        counts.add("no other file");
        let all = tree.before.keys().chain(happened.after.keys());
        let differs = |path: &&PathBuf| {
            let text = |files: &BTreeMap<PathBuf, File>| files.get(*path).map(|file| file.text.clone());
            text(&tree.before) != text(&happened.after)
        };
        if let Some(path) = all.filter(differs).find(|path| !is_below(path, &covered)) {
            return Err(format!("{path:?} is as it was, but it is not"));
        }
    }
    Ok(())
}

/// Returns whether what may change is only what a move into a directory would have changed.
fn place_is_inside(paths: &[PathBuf], inside: &Path, to: &Path) -> bool {
    paths.len() == 1 && paths[0] == inside && inside != to
}

fn printed(ran: &Ran, exit: Exit, tree: &Tree, happened: &Happened, counts: &mut Counts) -> Result<(), String> {
    let Some((place, extent)) = &ran.printed else { return Ok(()) };
    // Who reads the claim looks for complaints.
    if complains(&happened.printed) {
        counts.add("complaint");
        return Ok(());
    }
    let Some(text) = paths(tree, place).iter().find_map(|path| happened.after.get(path)).map(|file| &file.text) else {
        return Err(format!("{place:?} was printed, but it is not there ({exit:?})"));
    };
    let text = match text.strip_prefix("link to ") {
        Some(to) => {
            let path = normal(&tree.start.join(place.as_str())).parent().map(|above| normal(&above.join(to)));
            path.and_then(|path| happened.after.get(&path)).map(|file| &file.text).ok_or("a broken link was printed")?
        }
        None => text,
    };
    let (first, last) = match extent {
        Extent::Whole => (1, u32::MAX),
        Extent::Lines(range) => (range.first(), range.last()),
        Extent::Part => {
            counts.add("printed part");
            let numbered = numbers(text, 1);
            let is_part = text.contains(&happened.printed) || numbered.contains(&happened.printed);
            let is_lines =
                happened.printed.lines().all(|line| text.lines().chain(numbered.lines()).any(|known| known == line));
            return if is_part || is_lines { Ok(()) } else { Err(format!("part of {place:?} was printed, but not")) };
        }
    };
    counts.add(if *extent == Extent::Whole { "printed file" } else { "printed lines" });
    let lines = text.split_inclusive('\n').skip(first as usize - 1).take((last - first) as usize + 1);
    let expected: String = lines.collect();
    // Some programs end a last line that has no end.
    let is_same = |text: &str| happened.printed.trim_end_matches('\n') == text.trim_end_matches('\n');
    if is_same(&expected) || is_same(&numbers(&expected, first)) {
        return Ok(());
    }
    Err(format!("{extent:?} of {place:?} was printed, but {:?}", happened.printed))
}

/// Returns a text with numbers of its lines, as `cat -n` writes them.
fn numbers(text: &str, first: u32) -> String {
    text.split_inclusive('\n').zip(first..).map(|(line, number)| format!("{number:6}\t{line}")).collect()
}

/// Returns whether a program or the shell complains in the first line.
fn complains(printed: &str) -> bool {
    let name = printed.split(':').next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
    ["cat", "nl", "head", "tail", "sed", "awk", "tee", "mawk", "bash", "sh", "driver"].contains(&name)
        && printed.contains(": ")
}
