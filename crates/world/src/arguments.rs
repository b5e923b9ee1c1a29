//! Arguments of calls, by the names that their tools give them.

use std::collections::BTreeMap;

use serde_json::Value;

use super::extent::Extent;
use super::json::json;
use super::shell::script_of;
use super::tools::{Lines, Script, Tool};
use palimpsest_text::Text;

/// Parses arguments. Returns `None` if they are not a JSON object.
pub fn parse(text: Text<'_>) -> Option<Value> {
    json(text).filter(Value::is_object)
}

/// Returns the values at `path`, a list of member names joined by dots. An array on the way stands for each of its elements.
fn values_at<'v>(value: &'v Value, path: &str) -> Vec<&'v Value> {
    if let Some(values) = values_of(value, path) {
        return values.collect();
    }
    let mut values = vec![value];
    for name in path.split('.') {
        values = values.into_iter().flat_map(elements).filter_map(|value| value.get(name)).collect();
    }
    values.into_iter().flat_map(elements).collect()
}

/// Returns the values at a path of one name in an object. Most paths are of one, and nothing has to be collected for them.
fn values_of<'v>(value: &'v Value, path: &str) -> Option<std::slice::Iter<'v, Value>> {
    let is_name = value.is_object() && !path.is_empty() && !path.contains('.');
    is_name.then(|| value.get(path).map_or([].iter(), elements))
}

fn elements(value: &Value) -> std::slice::Iter<'_, Value> {
    value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice).iter()
}

/// Returns the strings at `path`.
pub fn strings<'v>(value: &'v Value, path: &str) -> Vec<&'v str> {
    if path.is_empty() { Vec::new() } else { values_at(value, path).into_iter().filter_map(Value::as_str).collect() }
}

/// Returns the first string at `path`, unless it is empty.
pub fn string<'v>(value: &'v Value, path: &str) -> Option<&'v str> {
    let first = match values_of(value, path) {
        Some(mut values) => values.find_map(Value::as_str),
        None => strings(value, path).first().copied(),
    };
    first.filter(|text| !text.is_empty())
}

fn integer(value: &Value, name: &str) -> Option<i64> {
    let value = value.get(name)?;
    // Some models write numbers as strings.
    value
        .as_i64()
        .or_else(|| value.as_f64().map(|number| number as i64))
        .or_else(|| value.as_str()?.trim().parse().ok())
}

fn line(number: i64) -> u32 {
    u32::try_from(number.max(1)).unwrap_or(u32::MAX)
}

/// Returns the lines that a call requests by the arguments `lines`, if it has any of them.
pub fn asked(value: &Value, lines: Lines<'_>) -> Option<Extent> {
    match lines {
        Lines::All => None,
        Lines::Count { offset, limit, base } => {
            let (from, count) = (integer(value, offset), integer(value, limit));
            if from.is_none() && count.is_none() {
                return None;
            }
            // Counted from the end of the file.
            if from.is_some_and(|from| from < 0) {
                return Some(Extent::Part);
            }
            // What tools make of a limit of 0 differs.
            if count.is_some_and(|count| count < 1) {
                return Some(Extent::Part);
            }
            let first = line(from.map_or(1, |from| from.saturating_add(1 - i64::from(base))));
            let last = count.map_or(u32::MAX, |count| line(i64::from(first).saturating_add(count).saturating_sub(1)));
            Some(Extent::lines(first, last))
        }
        Lines::Span { start, end } => {
            // With Cursor's classic tool, the model names lines even then.
            if value.get("should_read_entire_file").is_some_and(|flag| flag == true) {
                return Some(Extent::Whole);
            }
            let (first, last) = (integer(value, start), integer(value, end));
            if first.is_none() && last.is_none() {
                return None;
            }
            Some(Extent::lines(
                first.map_or(1, line),
                last.map_or(u32::MAX, |last| if last < 0 { u32::MAX } else { line(last) }),
            ))
        }
        Lines::Pair(name) => {
            let pair = value.get(name).filter(|pair| !pair.is_null())?;
            match pair.as_array().map(Vec::as_slice) {
                Some([first, last]) => match (first.as_i64(), last.as_i64()) {
                    (Some(first), Some(last)) => {
                        Some(Extent::lines(line(first), if last < 0 { u32::MAX } else { line(last) }))
                    }
                    _ => Some(Extent::Part),
                },
                _ => Some(Extent::Part),
            }
        }
        Lines::Part(name) => values_at(value, name).iter().any(|value| !value.is_null()).then_some(Extent::Part),
        Lines::Ends { head, tail } => match (integer(value, head), integer(value, tail)) {
            (Some(count), _) if count < 1 => Some(Extent::Part),
            (Some(count), _) => Some(Extent::lines(1, line(count))),
            (None, Some(_)) => Some(Extent::Part),
            (None, None) => None,
        },
    }
}

/// Returns the script that a call runs, if it is one.
pub fn script(value: &Value, tool: &Tool<'_>) -> Option<String> {
    match value.get(tool.command)? {
        Value::Array(_) if tool.script == Script::Several => None,
        Value::String(script) => Some(script.clone()),
        Value::Array(words) => Some(script_of(&words.iter().filter_map(Value::as_str).collect::<Vec<_>>())),
        _ => None,
    }
}

/// Formats the arguments without those that do not affect what is run, so that equal results mean the same run.
pub fn canonical(value: &Value, cwd: &str) -> String {
    const IGNORED: [&str; 9] = [
        "description",
        "timeout",
        "timeout_ms",
        "explanation",
        "justification",
        "requires_approval",
        "require_user_approval",
        "security_risk",
        "yield_time_ms",
    ];
    let stays = |&(name, _): &(&String, &Value)| !IGNORED.contains(&name.as_str()) && name != cwd;
    let rest: BTreeMap<_, _> = value.as_object().into_iter().flatten().filter(stays).collect();
    serde_json::to_string(&rest).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lines_that_calls_ask_for() {
        let count = Lines::Count { offset: "offset", limit: "limit", base: 1 };
        let span = Lines::Span { start: "a", end: "b" };
        for (arguments, lines, expected) in [
            (json!({"offset": 10, "limit": 5}), count, Some(Extent::lines(10, 14))),
            (json!({"limit": 5}), count, Some(Extent::lines(1, 5))),
            (json!({"offset": "10"}), count, Some(Extent::lines(10, u32::MAX))),
            (
                json!({"offset": 0, "limit": 5}),
                Lines::Count { offset: "offset", limit: "limit", base: 0 },
                Some(Extent::lines(1, 5)),
            ),
            (json!({"path": "x"}), count, None),
            (json!({"a": 3, "b": -1}), span, Some(Extent::lines(3, u32::MAX))),
            (json!({"r": [3, 7]}), Lines::Pair("r"), Some(Extent::lines(3, 7))),
            (json!({"r": "3-7"}), Lines::Pair("r"), Some(Extent::Part)),
            (json!({"offset": -20}), count, Some(Extent::Part)),
            (json!({"a": 1, "b": 9, "should_read_entire_file": true}), span, Some(Extent::Whole)),
            (json!({"a": 1, "b": 9, "should_read_entire_file": false}), span, Some(Extent::lines(1, 9))),
            (json!({"files": [{"path": "x", "lines": [[1, 9]]}]}), Lines::Part("files.lines"), Some(Extent::Part)),
            (json!({"files": [{"path": "x"}]}), Lines::Part("files.lines"), None),
            (json!({"offset": 10, "limit": 0}), count, Some(Extent::Part)),
            (json!({"a": 9, "b": 3}), span, Some(Extent::Part)),
            (json!({"r": [7, 3]}), Lines::Pair("r"), Some(Extent::Part)),
            (json!({"head": 0}), Lines::Ends { head: "head", tail: "tail" }, Some(Extent::Part)),
            (json!({"tail": 7}), Lines::Ends { head: "head", tail: "tail" }, Some(Extent::Part)),
            (json!({"offset": 1e300, "limit": -5}), count, Some(Extent::Part)),
        ] {
            assert_eq!(asked(&arguments, lines), expected, "{arguments}");
        }
    }

    #[test]
    fn strings_in_objects_and_arrays() {
        let arguments = json!({"edits": [{"new": "a"}, {"new": "b"}, 3], "paths": ["x", "y"], "path": "z"});
        assert_eq!(strings(&arguments, "edits.new"), ["a", "b"]);
        assert_eq!(strings(&arguments, "paths"), ["x", "y"]);
        assert_eq!(string(&arguments, "path"), Some("z"));
        assert_eq!([string(&arguments, "paths"), string(&arguments, "edits.new")], [Some("x"), Some("a")]);
        assert_eq!([string(&arguments, "edits"), string(&arguments, "none"), string(&json!(["z"]), "path")], [None; 3]);
        assert_eq!(string(&json!([{"path": "z"}]), "path"), Some("z"));
        assert!(strings(&arguments, "").is_empty());
        assert_eq!(string(&json!({"": "z"}), ""), None);
    }
}
