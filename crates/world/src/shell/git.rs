//! What `git` does to the files of its working tree, and what it prints of them.

use super::Effect;
use super::course::Quotes;
use super::effects::{At, all_may_change, operands};
use super::place::named;
use super::syntax::Word;

/// Commands that leave the files of the working tree as they are. `commit`, `push` and others are none: they run hooks.
const READERS: [&str; 44] = [
    "status",
    "log",
    "show",
    "diff",
    "blame",
    "annotate",
    "ls-files",
    "ls-tree",
    "rev-parse",
    "cat-file",
    "grep",
    "describe",
    "branch",
    "remote",
    "config",
    "fetch",
    "tag",
    "reflog",
    "shortlog",
    "rev-list",
    "add",
    "stage",
    "merge-base",
    "name-rev",
    "show-ref",
    "for-each-ref",
    "symbolic-ref",
    "hash-object",
    "count-objects",
    "diff-tree",
    "diff-index",
    "diff-files",
    "check-ignore",
    "check-attr",
    "var",
    "version",
    "help",
    "whatchanged",
    "show-branch",
    "cherry",
    "ls-remote",
    "update-index",
    "notes",
    "range-diff",
];

/// Commands that print no lines of files.
const REPORTERS: [&str; 45] = [
    "status",
    "push",
    "pull",
    "fetch",
    "commit",
    "checkout",
    "switch",
    "add",
    "stage",
    "branch",
    "remote",
    "tag",
    "merge",
    "rebase",
    "reset",
    "restore",
    "rm",
    "mv",
    "clone",
    "init",
    "clean",
    "ls-files",
    "ls-tree",
    "rev-parse",
    "rev-list",
    "describe",
    "reflog",
    "shortlog",
    "merge-base",
    "name-rev",
    "show-ref",
    "for-each-ref",
    "symbolic-ref",
    "hash-object",
    "count-objects",
    "check-ignore",
    "worktree",
    "submodule",
    "cherry-pick",
    "revert",
    "bisect",
    "ls-remote",
    "gc",
    "version",
    "update-index",
];

/// The arguments of `git` after its own options, and whether those leave alone where and how it works.
fn command(arguments: &[Word]) -> Option<(&str, &[Word], bool)> {
    let mut words = arguments;
    let mut is_here = true;
    loop {
        let (first, rest) = words.split_first()?;
        words = match first.literal()? {
            "--no-pager" | "-P" | "--no-optional-locks" | "--literal-pathspecs" => rest,
            "-C" | "--git-dir" | "--work-tree" => {
                is_here = false;
                rest.get(1..)?
            }
            option if option.starts_with("--git-dir=") || option.starts_with("--work-tree=") => {
                is_here = false;
                rest
            }
            // Anything may be configured, even commands.
            option if option.starts_with('-') => return None,
            name => return Some((name, rest, is_here)),
        };
    }
}

/// Returns whether an option writes to a file, or asks what to do.
fn may_write(word: &Word) -> bool {
    !(word.is_literal || word.is_never_option)
        || word.text.starts_with("--output")
        || word.text.starts_with("--ext")
        || word.text == "-O"
}

/// Returns whether a word names a file as it is, to git too.
fn is_path(word: &Word) -> bool {
    word.literal().is_some_and(|path| !path.starts_with(':') && !path.contains(['*', '?', '[', '\\']))
}

/// Returns the effects of a command of git.
pub(super) fn effects(arguments: &[Word], at: At<'_>) -> Vec<Effect> {
    let any = || vec![Effect::MayChangeAny];
    let Some((name, rest, is_here)) = command(arguments) else { return any() };
    let has = |options: &[&str]| rest.iter().any(|word| word.literal().is_some_and(|word| options.contains(&word)));
    let before_paths = rest.iter().position(|word| word.literal() == Some("--"));
    let at = At { directory: at.directory.filter(|_| is_here), is_certain: at.is_certain && is_here };
    match name {
        "restore" => {
            let known = operands(rest, "SWqs", &["staged", "worktree", "quiet", "source", "ours", "theirs"]);
            match known {
                Some(_) if has(&["--staged", "-S"]) && !has(&["--worktree", "-W"]) => Vec::new(),
                Some(paths) if paths.iter().all(|path| is_path(path)) && !has(&["--source", "-s"]) => {
                    paths.into_iter().map(|path| at.may_change(path)).collect()
                }
                _ => any(),
            }
        }
        "checkout" => match before_paths.map(|before| rest.split_at(before)) {
            // A hook may run after it, too.
            Some((_, [_, paths @ ..])) if paths.iter().all(is_path) => {
                let mut effects = all_may_change(paths, at);
                effects.push(Effect::MayChangeAny);
                effects
            }
            _ => any(),
        },
        "reset"
            if rest.iter().all(|word| word.is_literal && !word.text.starts_with("--"))
                || has(&["--soft", "--mixed"]) =>
        {
            if has(&["--hard", "--merge", "--keep"]) {
                any()
            } else {
                Vec::new()
            }
        }
        "rm" => match operands(rest, "fqr", &["force", "quiet", "cached", "ignore-unmatch"]) {
            Some(_) if has(&["--cached"]) => Vec::new(),
            Some(paths) if paths.iter().all(|path| is_path(path)) => {
                let is_whole = !has(&["--ignore-unmatch"])
                    && !rest.iter().any(|word| word.text.starts_with('-') && word.text.contains('r'));
                let delete = |path: &Word| match at
                    .place(path)
                    .filter(|_| at.is_certain && is_whole && !path.text.ends_with('/'))
                {
                    Some(place) => Effect::Delete(place),
                    None => at.may_change(path),
                };
                paths.into_iter().map(delete).collect()
            }
            _ => any(),
        },
        "mv" => match operands(rest, "fv", &["force", "verbose"]).as_deref() {
            Some([from, to]) if is_path(from) && is_path(to) => renamed(from, to, at).unwrap_or_else(any),
            _ => any(),
        },
        "stash"
            if matches!(rest.first().and_then(Word::literal), Some("list" | "show")) && !rest.iter().any(may_write) =>
        {
            Vec::new()
        }
        "worktree" if rest.first().and_then(Word::literal) == Some("list") => Vec::new(),
        name if READERS.contains(&name) && !rest.iter().any(may_write) => Vec::new(),
        _ => any(),
    }
}

fn renamed(from: &Word, to: &Word, at: At<'_>) -> Option<Vec<Effect>> {
    let source = at.place(from)?;
    let there = named(at.directory, to.literal()?)?;
    let inside = there.within(source.name()?);
    if to.text.ends_with('/') || there.name().is_none() {
        return Some(vec![Effect::MayMove { from: source, to: inside }]);
    }
    let (from, to) = (source, there);
    Some(vec![
        if at.is_certain { Effect::Move { from, to } } else { Effect::MayMove { from, to } },
        Effect::MayChange(inside),
    ])
}

/// Returns whether a command of git may print lines of files.
pub(super) fn quotes(arguments: &[Word]) -> Quotes {
    let Some((name, rest, _)) = command(arguments) else { return Quotes::Maybe };
    let has = |options: &[&str]| {
        rest.iter().any(|word| {
            let text = word.text.split('=').next().unwrap_or_default();
            options.contains(&text)
        })
    };
    let is_known = rest.iter().all(|word| word.is_literal || word.is_never_option || word.is_quoted);
    let shows_patch = has(&["-p", "-u", "--patch", "-L", "-c", "--cc", "--unified", "--patch-with-stat"])
        || rest.iter().any(|word| ["-U", "-L", "-p"].iter().any(|option| word.text.starts_with(option)));
    let sums_up = has(&[
        "--stat",
        "--shortstat",
        "--numstat",
        "--name-only",
        "--name-status",
        "--summary",
        "--quiet",
        "-q",
        "--check",
        "-s",
        "--no-patch",
        "--dirstat",
    ]);
    let is_report = match name {
        "log" => !shows_patch,
        "show" => sums_up && !shows_patch && !rest.iter().any(|word| word.text.contains(':')),
        "diff" => sums_up && !shows_patch && !has(&["--check"]),
        "stash" => !matches!(rest.first().map(|word| word.text.as_str()), Some("show")) || !shows_patch,
        "grep" => has(&[
            "-l",
            "-L",
            "-c",
            "-q",
            "--count",
            "--quiet",
            "--files-with-matches",
            "--name-only",
            "--files-without-match",
        ]),
        "cat-file" => has(&["-t", "-s", "-e", "--batch-check"]),
        "config" => !has(&["-l", "--list", "--get-all", "--get-regexp"]),
        "add" | "stage" | "commit" | "checkout" | "reset" | "status" => {
            !shows_patch && !has(&["-v", "--verbose", "-i", "-e", "--interactive", "--edit"])
        }
        name => REPORTERS.contains(&name),
    };
    match name {
        _ if is_report && is_known => Quotes::No,
        // A file as it was at a commit.
        "show" if rest.iter().any(|word| word.text.contains(':')) => Quotes::Yes,
        _ => Quotes::Maybe,
    }
}
