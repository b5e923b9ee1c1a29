//! What is made of recorded sessions' results, against what the sessions themselves say. They lie beside the checkout, or not.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use palimpsest_history::transcript::Status;
use palimpsest_text::TextBuf;
use palimpsest_world::outcome::{Outcome, Said, said};
use palimpsest_world::tools::{ToolKind, Tools};
use serde_json::Value;

/// Returns the sessions of a file beside the checkout, unless it isn't there.
fn sessions(file: &str) -> Option<Vec<Value>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(file);
    let Ok(text) = fs::read_to_string(&path) else {
        eprintln!("skipped: there is no {file} beside the checkout");
        return None;
    };
    serde_json::from_str(&text).ok()
}

fn read(name: &str, arguments: Option<&Value>, text: &str, status: Option<Status>) -> Said {
    let tools = Tools::new(&[]);
    let named = tools.named(name);
    let kind = named.tools.first().map_or(ToolKind::Other, |tool| tool.kind);
    said(TextBuf::from(text).as_text(), status, named.harness(arguments).reports, kind)
}

fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks.iter().filter_map(|block| block["text"].as_str()).collect(),
        _ => String::new(),
    }
}

#[test]
fn claude_code_says_what_its_flag_says() {
    let (mut commands, mut certain, mut failed) = (0, 0, 0);
    for file in ["corpus/native/entire-claude-code.anthropic.json", "recordings/native/claude-omp.anthropic.json"] {
        for session in sessions(file).into_iter().flatten() {
            let mut calls = BTreeMap::new();
            let messages = session["messages"].as_array().into_iter().flatten();
            for block in messages.filter_map(|message| message["content"].as_array()).flatten() {
                if block["type"] == "tool_use" {
                    calls.insert(block["id"].to_string(), (block["name"].to_string(), block["input"].clone()));
                }
                let Some((name, input)) = calls.get(&block["tool_use_id"].to_string()) else { continue };
                let name = name.trim_matches('"');
                let text = text_of(&block["content"]);
                let is_error = block["is_error"] == true;
                let status = block["is_error"].as_bool().map(|failed| if failed { Status::Error } else { Status::Ok });
                let with = read(name, Some(input), &text, status).outcome.certain();
                // Some formats lose the flag.
                let without = read(name, Some(input), &text, None).outcome.certain();
                for outcome in [with, without].into_iter().flatten() {
                    assert_eq!(outcome.is_failure(), is_error, "{name}: {outcome:?}: {text}");
                }
                if ["Bash", "PowerShell"].contains(&name) {
                    commands += 1;
                    certain += usize::from(without.is_some());
                    failed += usize::from(is_error);
                    assert!(with.is_some(), "{text}");
                }
            }
        }
    }
    eprintln!("{certain} of {commands} commands are certain without the flag; {failed} failed");
    assert!(certain * 100 >= commands * 99);
}

#[test]
fn codex_says_how_each_command_ended() {
    let (mut commands, mut certain, mut whole) = (0, 0, 0);
    for session in sessions("recordings/native/codex-agentv.openai.json").into_iter().flatten() {
        let mut calls = BTreeMap::new();
        for message in session["messages"].as_array().into_iter().flatten() {
            for call in message["tool_calls"].as_array().into_iter().flatten() {
                let named = if call["function"].is_null() { &call["custom"] } else { &call["function"] };
                calls.insert(call["id"].to_string(), named.clone());
            }
            let named = calls.get(&message["tool_call_id"].to_string());
            let Some(named) = named.filter(|_| message["role"] == "tool") else { continue };
            let name = named["name"].as_str().unwrap_or_default();
            if !["exec_command", "write_stdin", "apply_patch"].contains(&name) {
                continue;
            }
            let arguments = named["arguments"].as_str().and_then(|text| serde_json::from_str(text).ok());
            let text = text_of(&message["content"]);
            let said = read(name, arguments.as_ref(), &text, None);
            // The header, read a second time.
            let starts = ["Process exited with code ", "Process running with ", "Exit code: "];
            let line = text.lines().find(|line| starts.iter().any(|start| line.starts_with(start)));
            let expected = match line {
                Some(line) if line.starts_with("Process running") => Outcome::Running,
                Some(line) if line.ends_with(" 0") => Outcome::Succeeded,
                Some(_) => Outcome::Failed,
                None if text.starts_with("aborted by user") => Outcome::Interrupted,
                None => Outcome::Failed,
            };
            commands += 1;
            certain += usize::from(said.outcome.is_certain());
            whole += usize::from(said.is_cut.certain() == Some(false));
            let agrees = said.outcome.certain().is_none_or(|outcome| outcome == expected);
            assert!(agrees, "{name}: {:?}: {text}", said.outcome);
            if let (Some(printed), Some(at)) = (said.printed.certain(), text.find("\nOutput:\n")) {
                let start = text[..at + 9].encode_utf16().count();
                assert!(printed.start >= start && printed.end == text.encode_utf16().count(), "{text}");
            }
        }
    }
    eprintln!("{certain} of {commands} results are certain; {whole} of them are whole for certain");
    assert!(certain * 100 >= commands * 99);
}
