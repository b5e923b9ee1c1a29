//! Lists and plans of what is to be done, as the agents' tools write them.

use serde_json::Value;

use crate::arguments::parse;
use crate::tools::without_prefix;
use palimpsest_text::Text;

/// What a call does to the list of what is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanCall {
    /// It states the whole list.
    State,
    /// It adds a task, whose number is in the result.
    Add,
    /// It says something of the task with this number.
    Change {
        /// The number of the task.
        task: String,
        /// Whether nothing is left to be done of it.
        is_closed: bool,
    },
}

/// Tools whose calls state the whole list: of Claude Code, Codex, Gemini CLI, Qwen Code, opencode, Crush, Roo Code, Continue, OpenHands and
/// VS Code.
const STATES: [&str; 10] = [
    "TodoWrite",
    "update_plan",
    "write_todos",
    "todo_write",
    "todowrite",
    "todos",
    "update_todo_list",
    "Checklist",
    "task_tracker",
    "manage_todo_list",
];
/// States of a task of which nothing is left to be done.
const CLOSED: [&str; 6] = ["completed", "cancelled", "canceled", "deleted", "done", "closed"];

/// What the call of a tool with these arguments does to the list, if it is a tool for that.
pub fn plan_call(name: &str, arguments: Text<'_>) -> Option<PlanCall> {
    let name = without_prefix(name);
    if STATES.contains(&name) {
        // OpenHands' shows the list by the same tool.
        let is_view =
            || parse(arguments).is_some_and(|value| value.get("command").is_some_and(|command| command == "view"));
        return (name != "task_tracker" || !is_view()).then_some(PlanCall::State);
    }
    match name {
        "TaskCreate" => Some(PlanCall::Add),
        "TaskUpdate" => {
            let value = parse(arguments)?;
            let task = match value.get("taskId")? {
                Value::String(task) => task.trim_start_matches('#').to_owned(),
                Value::Number(task) => task.to_string(),
                _ => return None,
            };
            let status = value.get("status").and_then(Value::as_str);
            Some(PlanCall::Change { task, is_closed: status.is_some_and(|status| CLOSED.contains(&status)) })
        }
        _ => None,
    }
}

/// The number of the task that a call made, by its result: `Task #3 created successfully: …`.
pub fn created_task(result: Text<'_>) -> Option<String> {
    let bytes = result.bytes();
    let at = memchr::memchr(b'#', bytes)? + 1;
    let number = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    (number > 0).then(|| result.slice(at..at + number).to_string_lossy())
}

/// Whether an entry of a list, in JSON or as a line of Markdown, is one of which nothing is left to be done.
pub fn is_closed_entry(entry: Text<'_>) -> bool {
    let bytes = entry.bytes();
    let is_named = |state: &str| memchr::memmem::find(bytes, format!("\"{state}\"").as_bytes()).is_some();
    let is_ticked = [&b"[x]"[..], b"[X]"].iter().any(|tick| memchr::memmem::find(bytes, tick).is_some());
    is_ticked || CLOSED.iter().any(|state| is_named(state))
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::TextBuf;

    fn call(name: &str, arguments: &str) -> Option<PlanCall> {
        plan_call(name, TextBuf::from(arguments).as_text())
    }

    #[test]
    fn tools_for_lists_are_known() {
        assert_eq!(call("TodoWrite", r#"{"todos":[]}"#), Some(PlanCall::State));
        assert_eq!(call("functions.update_plan", r#"{"plan":[]}"#), Some(PlanCall::State));
        assert_eq!(call("task_tracker", r#"{"command":"plan","task_list":[]}"#), Some(PlanCall::State));
        assert_eq!(call("task_tracker", r#"{"command":"view"}"#), None);
        assert_eq!(call("TaskCreate", r#"{"subject":"Mend it"}"#), Some(PlanCall::Add));
        let change = |task: &str, is_closed| Some(PlanCall::Change { task: task.to_owned(), is_closed });
        assert_eq!(call("TaskUpdate", r#"{"taskId":"3","status":"completed"}"#), change("3", true));
        assert_eq!(call("TaskUpdate", r#"{"taskId":3,"status":"in_progress"}"#), change("3", false));
        assert_eq!(call("TaskUpdate", "no JSON"), None);
        assert_eq!(call("Read", r#"{"file_path":"todo.md"}"#), None);
    }

    #[test]
    fn the_number_of_a_task_stands_in_the_result() {
        let number = |result: &str| created_task(TextBuf::from(result).as_text());
        assert_eq!(number("Task #12 created successfully: Mend it"), Some("12".to_owned()));
        assert_eq!(number("Created."), None);
    }

    #[test]
    fn entries_that_are_done_are_told_from_open_ones() {
        let is_closed = |entry: &str| is_closed_entry(TextBuf::from(entry).as_text());
        assert!(is_closed(r#"{"content":"Mend it","status":"completed"},"#) && is_closed("- [x] Mend it"));
        assert!(!is_closed(r#"{"step":"Mend it","status":"in_progress"}"#) && !is_closed("- [ ] Mend it"));
    }
}
