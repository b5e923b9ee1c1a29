//! The words of tools' names.

/// Longest name of which words are told, in bytes: providers allow 64 to 128.
const LONGEST_NAME: usize = 200;
/// Words that say that something is read.
pub(crate) const READS: [&str; 9] = ["cat", "fetch", "get", "load", "open", "read", "retrieve", "show", "view"];
/// Words that say that something else is done, or how: no server is named by them.
const OTHER_VERBS: [&str; 51] = [
    "and", "append", "apply", "archive", "can", "check", "clear", "compare", "consume", "copy", "count", "create",
    "delete", "dequeue", "diff", "download", "dry", "edit", "find", "insert", "list", "lock", "move", "next", "not",
    "or", "patch", "peek", "poll", "pop", "post", "preview", "previous", "put", "receive", "remove", "rename",
    "replace", "reset", "revert", "save", "search", "send", "set", "take", "undo", "update", "upload", "validate",
    "wait", "write",
];

/// Returns the words of a name in lowercase: `getFile_contents` has three. A very long name has none.
pub(crate) fn words(name: &str) -> Vec<String> {
    if name.len() > LONGEST_NAME {
        return Vec::new();
    }
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        let is_border = !letter.is_alphanumeric();
        if is_border || (was_lower && letter.is_uppercase()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| !is_border) {
            word.extend(letter.to_lowercase());
        }
        was_lower = letter.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns whether words in front of a tool's name may name its server: they don't say that the tool does anything.
pub(crate) fn is_server(words: &[String]) -> bool {
    !words.is_empty()
        && !words.iter().any(|word| [&READS[..], &OTHER_VERBS].iter().any(|list| list.contains(&word.as_str())))
}
