//! Guesses which calls of unknown tools read something: by the words of the tool's name and the names of the arguments.
//!
//! A wrong guess must not remove what nothing supersedes. So a guessed read is superseded only by a later call of the same tool with the
//! same arguments, whose result is not much shorter, and supersedes nothing else; of a long one, lines with names that occur nowhere else
//! stay. Writes, edits and commands are never guessed.

use serde_json::Value;

use super::arguments::string;
use super::names::{READS, is_server, words};
use super::tools::{Named, Tool, ToolKind, without_prefix};

const NOUNS: [&str; 22] = [
    "article",
    "code",
    "content",
    "contents",
    "doc",
    "docs",
    "document",
    "documents",
    "file",
    "files",
    "link",
    "markdown",
    "note",
    "notebook",
    "page",
    "pdf",
    "resource",
    "source",
    "text",
    "url",
    "web",
    "webpage",
];
const FILLERS: [&str; 10] = ["a", "as", "at", "by", "for", "from", "full", "of", "the", "whole"];
/// Arguments that name what is read, without `_` and in lowercase; of several, the first one in this list does.
const PATHS: [&str; 22] = [
    "path",
    "filepath",
    "file",
    "filename",
    "absolutepath",
    "relativepath",
    "fullpath",
    "targetfile",
    "notebookpath",
    "notebook",
    "documentpath",
    "docpath",
    "document",
    "uri",
    "fileuri",
    "documenturi",
    "resourceuri",
    "url",
    "fileurl",
    "documenturl",
    "pageurl",
    "href",
];
/// Arguments that a read has not, in the same form.
const NOT_OF_READS: [&str; 30] = [
    "action",
    "append",
    "body",
    "changes",
    "cmd",
    "code",
    "command",
    "content",
    "contents",
    "create",
    "data",
    "delete",
    "diff",
    "edit",
    "edits",
    "input",
    "message",
    "method",
    "mode",
    "newstr",
    "newstring",
    "newtext",
    "operation",
    "patch",
    "payload",
    "replace",
    "replacement",
    "script",
    "text",
    "value",
];

/// Returns whether calls of the tool `name` may be reads: nothing is known of it, or only that it reads files, and its name says so.
pub fn may_be_read(name: &str, named: &Named<'_>) -> bool {
    named.own.is_none() && named.tools.iter().all(|tool| tool.kind == ToolKind::Read) && says_read(name)
}

/// Returns whether all words of a name say that something is read, as in `get_document` or `fileRead`. The name of a server may
/// stand in front of a verb and a noun: `drive_get_file`.
fn says_read(name: &str) -> bool {
    let words = words(without_prefix(name));
    let is_known = |word: &String| [&READS[..], &NOUNS, &FILLERS].iter().any(|list| list.contains(&word.as_str()));
    let is_verb = |word: &String| READS.contains(&word.as_str());
    let known = words.iter().rev().take_while(|word| is_known(word)).count();
    let (server, tool) = words.split_at(words.len() - known);
    if server.is_empty() {
        return tool.iter().any(is_verb);
    }
    is_server(server) && tool.first().is_some_and(is_verb) && tool.iter().any(|word| NOUNS.contains(&word.as_str()))
}

/// Returns the argument of a call that says what it reads, and its value; `None` unless the call is a read of something that none of the
/// `known` tools reads.
pub fn path<'v>(arguments: &'v Value, known: &[Tool<'_>]) -> Option<(&'v str, &'v str)> {
    if known.iter().any(|tool| string(arguments, tool.path).is_some()) {
        return None;
    }
    let bare = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    let arguments: Vec<(String, &String, &Value)> =
        arguments.as_object()?.iter().map(|(name, value)| (bare(name), name, value)).collect();
    let is_other = |(name, _, value): &(String, _, &Value)| NOT_OF_READS.contains(&name.as_str()) && !value.is_null();
    if arguments.iter().any(is_other) {
        return None;
    }
    PATHS.iter().find_map(|path| {
        let (_, name, value) = arguments.iter().find(|(bare, ..)| bare == path)?;
        Some((name.as_str(), value.as_str().filter(|value| !value.is_empty())?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::Tools;
    use serde_json::json;

    #[test]
    fn names_that_say_nothing_but_read() {
        let may = |name: &str| may_be_read(name, &Tools::new(&[]).named(name));
        for name in [
            "get_document",
            "getDocument",
            "GetFileContents",
            "load-file",
            "fetch",
            "fetch_url",
            "file_get",
            "view_page",
            "mcp__docs__get_document",
            "docs.get_document",
            "mcp__web__fetch",
            "drive_get_file",
            "my_server_read_page",
            "read_file",
            "Read",
            "show_the_full_text_of_a_note",
        ] {
            assert!(may(name), "{name}");
        }
        for name in [
            "get_next_page",
            "next_get_page",
            "get_file_status",
            "read_inbox",
            "read_and_delete_file",
            "delete_file",
            "pop_get_document",
            "get_or_create_file",
            "getWeather",
            "document",
            "",
            "_",
            "slack_get",
            "search_documents",
            "write_file",
            "Bash",
            "str_replace_editor",
            "readFileQueue",
            &format!("get_{}", "file_".repeat(50)),
        ] {
            assert!(!may(name), "{name}");
        }
    }

    #[test]
    fn arguments_that_name_what_is_read() {
        let known = Tools::new(&[]).named("read_file").tools;
        for (arguments, expected) in [
            (json!({"uri": "a", "maxLength": 3}), Some(("uri", "a"))),
            (json!({"File_Path": "a", "url": "b"}), Some(("File_Path", "a"))),
            (json!({"notebook_path": "a", "content": null}), Some(("notebook_path", "a"))),
            (json!({"url": "a", "method": "POST"}), None),
            (json!({"path": "a", "content": "b"}), None),
            (json!({"path": ""}), None),
            (json!({"path": ["a"]}), None),
            (json!({"id": "a"}), None),
            (json!([]), None),
        ] {
            assert_eq!(path(&arguments, &[]), expected, "{arguments}");
        }
        assert_eq!(path(&json!({"filename": "a"}), &known), Some(("filename", "a")));
        assert_eq!(path(&json!({"path": "a", "filename": "b"}), &known), None, "a tool that is known");
    }
}
