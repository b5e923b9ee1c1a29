//! Reading a command line never panics, and what is claimed of it names only paths that stand in it.

use palimpsest_world::shell::{
    Dialect, Directory, Effect, Exit, Place, Ran, patched_files, program_prints_files, run, script_of,
};

/// Reads a command line as each shell does. Every path has to stand in it, but for quotes, escapes and what `cd` puts before it.
pub fn shell(bytes: &[u8]) {
    let script = String::from_utf8_lossy(bytes);
    for dialect in [Dialect::Posix, Dialect::PowerShell, Dialect::Cmd, Dialect::Unknown] {
        let ran = run(&script, dialect, Exit::Zero);
        assert_eq!(ran, run(&script, dialect, Exit::Zero));
        for place in places(&ran) {
            for name in place.as_str().split('/').filter(|name| !matches!(*name, "." | "..")) {
                // What is known of a directory and of a name in it may be joined, and a name with the suffix of its backup.
                let is_joined = |at: usize| {
                    name.is_char_boundary(at)
                        && is_subsequence(&name[..at], &script)
                        && is_subsequence(&name[at..], &script)
                };
                assert!((0..=name.len()).any(is_joined), "{name:?} is not in {script:?}");
            }
        }
        // Less is known where the harness says less.
        let unsure = run(&script, dialect, Exit::Unknown);
        let is_certain =
            |effect: &Effect| matches!(effect, Effect::Overwrite(_) | Effect::Delete(_) | Effect::Move { .. });
        assert!(!unsure.effects.iter().any(is_certain), "{script:?}");
        assert!(unsure.printed.is_none() || unsure.printed == ran.printed, "{script:?}");
        assert_eq!((unsure.may_quote, unsure.may_be_benign), (ran.may_quote, ran.may_be_benign), "{script:?}");
    }
    for (path, _) in patched_files(&script) {
        assert!(script.contains(path));
    }
    program_prints_files(&script);
    // A word that is put into a script is read as the same word.
    let word = script.lines().next().unwrap_or_default();
    let is_plain = |char: char| char.is_ascii_alphanumeric() || " '\"\\;|>#".contains(char);
    if !word.is_empty() && word.chars().all(is_plain) {
        let written = script_of(&["rm", "-f", "--", word]);
        let ran = run(&written, Dialect::Posix, Exit::Zero);
        let [Effect::Delete(place)] = ran.effects.as_slice() else { panic!("{written}: {ran:?}") };
        assert_eq!(place.as_str(), word);
    }
}

fn places(ran: &Ran) -> Vec<&Place> {
    let mut places: Vec<&Place> = ran.printed.iter().map(|(place, _)| place).collect();
    if let Directory::At(place) = &ran.directory {
        places.push(place);
    }
    for effect in &ran.effects {
        match effect {
            Effect::Overwrite(place) | Effect::Delete(place) | Effect::MayChange(place) => places.push(place),
            Effect::Move { from, to } | Effect::MayMove { from, to } => places.extend([from, to]),
            Effect::MayChangeAny | Effect::Patch { .. } => {}
        }
    }
    places
}

fn is_subsequence(part: &str, whole: &str) -> bool {
    let mut rest = whole.chars();
    part.chars().all(|char| rest.any(|other| other == char))
}
