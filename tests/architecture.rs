//! The direction of imports: rooms import from lower floors only, and no files import each other in a circle.
//!
//! The floors are those of the table "Rooms" in `src/lib.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

static IMPORT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?m)^ *(pub(?:\([a-z]+\))? )?use ([^;]+);").unwrap());
static CHILD: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^ *(?:pub(?:\([a-z]+\))? )?mod ([a-z0-9_]+);").unwrap());
static PATH: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[A-Za-z0-9_]+(?:::[A-Za-z0-9_]+)*").unwrap());

/// A source file: its module path such as `["text", "masks"]`, and its code without comments and tests.
struct Source {
    module: Vec<String>,
    code: String,
}

#[test]
fn rooms_import_from_lower_floors_only() {
    let floors = floors();
    let sources = sources();
    let rooms: BTreeSet<&str> = sources.iter().filter_map(|source| Some(source.module.first()?.as_str())).collect();
    assert_eq!(rooms, floors.iter().map(|(room, _)| room.as_str()).collect(), "the table lists every room");
    assert!(floors.is_sorted_by_key(|(_, floor)| *floor), "the table is sorted by floor");
    let floors: BTreeMap<_, _> = floors.into_iter().collect();
    let mut upward = BTreeSet::new();
    for source in sources.iter().filter(|source| !source.module.is_empty()) {
        for path in paths(source) {
            let (from, to) = (&source.module[0], &path[0]);
            if from != to && floors.get(to).is_none_or(|floor| floor >= &floors[from]) {
                upward.insert(format!("{} imports {}", source.module.join("::"), path.join("::")));
            }
        }
    }
    assert!(upward.is_empty(), "{upward:#?}");
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let sources = sources();
    let modules: BTreeMap<&[String], &Source> = sources.iter().map(|source| (&source.module[..], source)).collect();
    let graph: BTreeMap<String, BTreeSet<String>> = sources
        .iter()
        .map(|source| {
            let imported = paths(source).iter().map(|path| resolve(path, &modules).join("::")).collect::<BTreeSet<_>>();
            (source.module.join("::"), imported)
        })
        .collect();
    let circles = circles(&graph);
    assert!(circles.is_empty(), "{circles:#?}");
}

#[test]
fn circles_are_found() {
    let graph = |edges: &[(&str, &str)]| -> BTreeMap<String, BTreeSet<String>> {
        let mut graph = BTreeMap::<_, BTreeSet<_>>::new();
        for (from, to) in edges {
            graph.entry((*from).to_owned()).or_default().insert((*to).to_owned());
            graph.entry((*to).to_owned()).or_default();
        }
        graph
    };
    assert_eq!(circles(&graph(&[("a", "b"), ("b", "c"), ("a", "c")])), Vec::<Vec<String>>::new());
    assert_eq!(circles(&graph(&[("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")])), [["b", "c"]]);
}

#[test]
fn paths_are_read_from_imports_and_from_code() {
    let source = Source {
        module: vec!["text".to_owned(), "masks".to_owned()],
        code: "use super::{Text, class::{self, is as has}};\nuse std::fs;\nfn f() { crate::tokens::estimate(super::fold::CHUNK) }"
            .to_owned(),
    };
    let paths: BTreeSet<String> = paths(&source).iter().map(|path| path.join("::")).collect();
    let expected = ["text::Text", "text::class", "text::class::is", "text::fold::CHUNK", "tokens::estimate"];
    assert_eq!(paths, expected.map(str::to_owned).into());
}

/// Reads the rooms and their floors from the table in `src/lib.rs`.
fn floors() -> Vec<(String, u32)> {
    let row = Regex::new(r"(?m)^//! \| ([0-9]+) \| \[?`([a-z_]+)`").unwrap();
    let text = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    row.captures_iter(&text).map(|row| (row[2].to_owned(), row[1].parse().unwrap())).collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Reads all files under `src/`.
fn sources() -> Vec<Source> {
    fn read(directory: &Path, module: &[String], sources: &mut Vec<Source>) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let mut inner = module.to_vec();
            if path.is_dir() {
                inner.push(name);
                read(&path, &inner, sources);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                if name != "mod" && name != "lib" {
                    inner.push(name);
                }
                sources.push(Source { module: inner, code: code_of(&fs::read_to_string(&path).unwrap()) });
            }
        }
    }
    let mut sources = Vec::new();
    read(&root().join("src"), &[], &mut sources);
    sources
}

/// Removes comments and the module `tests` at the end of a file.
fn code_of(text: &str) -> String {
    let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Returns the paths within the crate that `source` imports or names, from the root of the crate.
///
/// A `mod.rs` depends on what it imports for itself. What it only re-exports (`pub use`) makes no dependency of its own,
/// unless its code names it: others depend on the file that a re-exported item comes from (see [`resolve`]).
fn paths(source: &Source) -> Vec<Vec<String>> {
    let children = children(source);
    let rest = CHILD.replace_all(&source.code, "");
    let rest = IMPORT.replace_all(&rest, "");
    let named: BTreeSet<&str> = PATH.find_iter(&rest).map(|path| path.as_str()).collect();
    let first_parts: BTreeSet<&str> = named.iter().filter_map(|path| path.split("::").next()).collect();
    let mut written: Vec<Vec<String>> = named
        .iter()
        .map(|path| path.split("::").map(str::to_owned).collect())
        .filter(|path: &Vec<_>| path.len() > 1)
        .collect();
    for statement in IMPORT.captures_iter(&source.code) {
        let is_reexport = statement.get(1).is_some();
        let is_used = |path: &Vec<String>| !is_reexport || first_parts.contains(path[path.len() - 1].as_str());
        written.extend(expand(&statement[2]).into_iter().filter(is_used));
    }
    written.into_iter().filter_map(|path| absolute(&path, &source.module, &children)).collect()
}

/// Returns the names of the modules that `source` declares.
fn children(source: &Source) -> BTreeSet<&str> {
    CHILD.captures_iter(&source.code).map(|child| child.get(1).unwrap().as_str()).collect()
}

/// Makes a path of `module` one from the root of the crate; `None` if it leads out of the crate.
fn absolute(path: &[String], module: &[String], children: &BTreeSet<&str>) -> Option<Vec<String>> {
    let supers = path.iter().take_while(|part| *part == "super").count();
    let (base, rest) = match path[0].as_str() {
        "crate" => (&[][..], &path[1..]),
        "self" => (module, &path[1..]),
        "super" => (&module[..module.len() - supers], &path[supers..]),
        first if children.contains(first) => (module, path),
        _ => return None,
    };
    let absolute = [base, rest].concat();
    (!absolute.is_empty()).then_some(absolute)
}

/// Expands `a::{b, c::{self, d as e}}` to one path each.
fn expand(tree: &str) -> Vec<Vec<String>> {
    let Some((head, rest)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap().trim().trim_end_matches("::self");
        return vec![path.split("::").map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()];
    };
    let inner = rest.trim_end().strip_suffix('}').unwrap();
    let (mut depth, mut start, mut branches) = (0, 0, Vec::new());
    for (at, character) in inner.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                branches.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    branches.push(&inner[start..]);
    let branches = branches.into_iter().map(str::trim).filter(|branch| !branch.is_empty());
    branches.flat_map(|branch| expand(&format!("{head}{branch}"))).collect()
}

/// Returns the module of the file that the item at `path` comes from. A name that a `mod.rs` re-exports is looked up where
/// it comes from; any other belongs to the longest module in the path.
fn resolve(path: &[String], modules: &BTreeMap<&[String], &Source>) -> Vec<String> {
    let depth = (0..=path.len()).rev().find(|&depth| modules.contains_key(&path[..depth])).unwrap();
    let Some(name) = path.get(depth) else { return path.to_vec() };
    let source = modules[&path[..depth]];
    let children = children(source);
    for statement in IMPORT.captures_iter(&source.code).filter(|statement| statement.get(1).is_some()) {
        for origin in expand(&statement[2]).into_iter().filter(|origin| origin.last() == Some(name)) {
            if let Some(origin) = absolute(&origin, &source.module, &children) {
                return resolve(&origin, modules);
            }
        }
    }
    path[..depth].to_vec()
}

/// Returns the circles of `graph`: the sets of several nodes each of which can be reached from every other.
fn circles(graph: &BTreeMap<String, BTreeSet<String>>) -> Vec<Vec<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> = graph
        .keys()
        .map(|start| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
            while let Some(node) = open.pop() {
                open.extend(graph.get(node).into_iter().flatten().filter(|next| seen.insert(*next)));
            }
            (start, seen)
        })
        .collect();
    let mut circles = BTreeSet::new();
    for (start, seen) in &reached {
        let circle: Vec<String> =
            seen.iter().filter(|node| reached[**node].contains(*start)).map(|node| (**node).clone()).collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}
