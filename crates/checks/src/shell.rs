//! Reading a command line never panics, and its effects name only paths that stand in it.

use palimpsest_world::shell::{Effect, effects, patched_files, script_of};

/// Reads a command line. Every path has to stand in it, but for quotes and escapes between its characters.
pub fn shell(bytes: &[u8]) {
    let script = String::from_utf8_lossy(bytes);
    let found = effects(&script);
    assert_eq!(found, effects(&script));
    let mut length = 0;
    for effect in &found {
        let path = match effect {
            Effect::Cd(path) | Effect::Read(path, _) | Effect::Change(path) => path,
            Effect::Patch(patch) => {
                assert!(script.ends_with(patch.as_str()));
                patch
            }
        };
        assert!(is_subsequence(path, &script), "{path:?} is not in {script:?}");
        length += path.len();
    }
    assert!(length <= 2 * script.len(), "{} of effects in {} of script", length, script.len());
    for (path, _) in patched_files(&script) {
        assert!(script.contains(path));
    }
    // A word that is put into a script is read as the same word.
    let word = script.lines().next().unwrap_or_default();
    let is_plain = |char: char| char.is_ascii_alphanumeric() || " '\"\\;|>#".contains(char);
    if !word.is_empty() && word.chars().all(is_plain) {
        let written = script_of(&["cd", word]);
        assert_eq!(effects(&written), [Effect::Cd(word.to_owned())], "{written}");
    }
}

fn is_subsequence(part: &str, whole: &str) -> bool {
    let mut rest = whole.chars();
    part.chars().all(|char| rest.any(|other| other == char))
}
