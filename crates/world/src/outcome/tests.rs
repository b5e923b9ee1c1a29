//! What only looks as if a harness had said it, and what else is read of results.

use serde_json::{Value, json};

use std::ops::Range;

use super::*;
use crate::tools::{Tool, Tools};
use Outcome::{Failed, Refused, Succeeded};
use palimpsest_text::TextBuf;

/// What a call's result says, with the texts in place of their ranges.
#[derive(Debug, PartialEq)]
pub(super) struct Account {
    pub(super) outcome: Option<Outcome>,
    pub(super) printed: Option<String>,
    pub(super) is_cut: Option<bool>,
    pub(super) directory: Option<(String, Place)>,
    pub(super) line: Option<String>,
}

pub(super) fn account(name: &str, arguments: &Value, text: &str, status: Option<Status>) -> Account {
    let named = Tools::new(&[]);
    let named = named.named(name);
    let kind = named.tools.first().map_or(ToolKind::Other, |tool| tool.kind);
    account_of(named.harness(Some(arguments)).reports, kind, text, status)
}

pub(super) fn account_of(reports: Reports, kind: ToolKind, text: &str, status: Option<Status>) -> Account {
    let buffer = TextBuf::from(text);
    let units: Vec<u16> = text.encode_utf16().collect();
    let said = said(buffer.as_text(), status, reports, kind);
    let quoted = |range: Range<usize>| String::from_utf16(&units[range]).unwrap();
    Account {
        outcome: said.outcome.certain(),
        printed: said.printed.certain().map(quoted),
        is_cut: said.is_cut.certain(),
        directory: said.directory.map(|directory| (quoted(directory.path), directory.at)),
        line: said.line.map(quoted),
    }
}

pub(super) const OK: Option<Status> = Some(Status::Ok);
pub(super) const ERROR: Option<Status> = Some(Status::Error);

/// A call of each agent's tool for commands, which no other agent's tool of that name has.
pub(super) fn call(agent: &str) -> (&'static str, Value) {
    match agent {
        "Claude Code" => ("Bash", json!({"command": "x", "description": "y"})),
        "PowerShell" => ("PowerShell", json!({"command": "x"})),
        "Codex" => ("exec_command", json!({"cmd": "x", "workdir": "/l"})),
        "Codex, input" => ("write_stdin", json!({"session_id": 1, "chars": ""})),
        "Codex, shell" => ("shell", json!({"command": ["bash", "-lc", "x"]})),
        "Codex, patch" => ("apply_patch", json!({"input": "*** Begin Patch"})),
        "Codex, script" => ("exec", json!("text(1)")),
        "Gemini CLI" => ("run_shell_command", json!({"command": "x", "dir_path": "/l"})),
        "Qwen Code" => ("run_shell_command", json!({"command": "x", "directory": "/l"})),
        "opencode" => ("bash", json!({"command": "x", "workdir": "/l"})),
        "pi" => ("pi", json!({})),
        "goose" => ("shell", json!({"command": "x", "timeout_secs": 3})),
        "Crush" => ("bash", json!({"command": "x", "description": "y", "working_dir": "/l"})),
        "Cline" => ("execute_command", json!({"command": "x", "requires_approval": false})),
        "Cline, SDK" => ("run_commands", json!({"commands": ["x"]})),
        "Roo" => ("execute_command", json!({"command": "x", "cwd": "/l"})),
        "Continue" => ("run_terminal_command", json!({"command": "x"})),
        "OpenHands" => ("execute_bash", json!({"command": "x"})),
        "OpenHands, terminal" => ("terminal", json!({"command": "x", "is_input": false})),
        "SWE-agent" => ("swe-agent", json!({})),
        "mini" => ("mini", json!({})),
        "Zed" => ("terminal", json!({"command": "x", "cd": "l"})),
        "VS Code" => ("run_in_terminal", json!({"command": "x", "explanation": "y"})),
        "Copilot" => ("bash", json!({"command": "x", "description": "y", "mode": "sync"})),
        "deepagents" => ("execute", json!({"command": "x"})),
        "Cursor" => ("run_terminal_cmd", json!({"command": "x"})),
        agent => panic!("{agent}"),
    }
}

/// What the result of an agent's command says. Some share the name and all arguments of their tools with others.
pub(super) fn of_agent(agent: &str, text: &str, status: Option<Status>) -> Account {
    let alone = match agent {
        "pi" => Report::Pi,
        "SWE-agent" => Report::SweAgent,
        "mini" => Report::Mini,
        "Continue, command line" => Report::Continue,
        _ => {
            let (name, arguments) = call(agent);
            return account(name, &arguments, text, status);
        }
    };
    account_of(Reports::of(&[alone]), ToolKind::Command, text, status)
}

#[test]
fn what_a_program_prints_is_no_outcome() {
    let words = [
        "Exit code 2 says that the configuration is broken.",
        "The process exited with code 137 after 4 minutes.",
        "Process exited with code 2",
        "Exit code: 2",
        "[The command completed with exit code 2.]",
        "<shellId: 4 completed with exit code 2>",
        "{\"exit_code\":1,\"error\":\"no\"}",
        "{\"success\":false,\"isError\":true}",
        "{\"output\":\"x\",\"exit_code\":1}",
        "{\"returncode\":1}",
        "Error: no such file",
        "error: it broke",
        "<error>no</error>",
        "FAILED",
        "Command failed with exit code 2.",
        "The user denied this operation.",
        "User denied permission",
        "npm ERR! code 1",
    ];
    for words in words {
        for text in [
            format!("# Log\n\n{words}\nmore\n"),
            format!("```\n{words}\n```\nmore"),
            format!("  {words}\nmore"),
            format!("{words} \n\nmore\n"),
        ] {
            for agent in ["Claude Code", "opencode", "goose", "pi", "VS Code"] {
                let account = of_agent(agent, &text, OK);
                assert!(!account.outcome.is_some_and(Outcome::is_failure), "{agent}: {text}");
                assert_eq!(account.printed.as_deref(), Some(&*text), "{agent}");
            }
            for name in [
                "bash",
                "Bash",
                "exec_command",
                "run_shell_command",
                "execute_command",
                "terminal",
                "shell",
                "book_flight",
                "mcp__x__bash",
                "mcp__x__exec_command",
                "files_execute_command",
            ] {
                let account = account(name, &json!({"command": "x", "cmd": "x"}), &text, None);
                assert!(!account.outcome.is_some_and(Outcome::is_failure), "{name}: {text}");
            }
        }
    }
}

#[test]
fn of_two_harnesses_neither_is_believed_alone() {
    let bash = |text: &str| account("bash", &json!({"command": "x"}), text, None);
    for text in [
        "x\n\nCommand exited with code 3",
        "x\nExit code 2\n\n<cwd>/l</cwd>",
        "x\n<shellId: 4 completed with exit code 2>",
        r#"{"returncode": 1, "output": "x"}"#,
        "Exit code 2\nx",
    ] {
        assert_eq!((bash(text).outcome, bash(text).printed), (None, None), "{text}");
    }
    assert_eq!(account("bash", &json!({"command": "x"}), "x", ERROR).outcome, Some(Failed), "the format says it");
    // A server's tool has a harness of its own.
    let header = "Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 1\nOutput:\nx";
    for (name, outcome) in [
        ("exec_command", Some(Failed)),
        ("functions.exec_command", Some(Failed)),
        ("mcp__x__exec_command", None),
        ("box_exec_command", None),
    ] {
        assert_eq!(account(name, &json!({"cmd": "x"}), header, None).outcome, outcome, "{name}");
    }
}

#[test]
fn the_flag_of_the_format_decides_where_a_harness_always_sets_it() {
    for (agent, text) in [
        ("Claude Code", "Exit code 2\nx"),
        ("pi", "x\n\nCommand exited with code 3"),
        ("goose", "x\nCommand exited with code 3"),
    ] {
        assert_eq!(of_agent(agent, text, OK).outcome, None, "{agent}");
        assert_eq!(of_agent(agent, text, None).outcome, Some(Failed), "{agent}");
        assert_eq!(of_agent(agent, text, ERROR).outcome, Some(Failed), "{agent}");
    }
    // Of others it tells that the tool worked, not that the command did.
    assert_eq!(of_agent("Gemini CLI", "Output: x\nExit Code: 1\nProcess Group PGID: 1", OK).outcome, Some(Failed));
    assert_eq!(of_agent("opencode", "x", OK).outcome, None);
}

#[test]
fn directories_that_harnesses_name() {
    for (agent, text, path, at) in [
        ("Claude Code", "x\nShell cwd was reset to /home/ada/ü", "/home/ada/ü", Place::End),
        (
            "OpenHands",
            "x\n[The command completed with exit code 0.]\n[Current working directory: /l]\n[Python interpreter: /p]\n[Command finished with exit code 0]",
            "/l",
            Place::End,
        ),
        ("SWE-agent", "x\n(Open file: n/a)\n(Current directory: /l)\nbash-$", "/l", Place::End),
        (
            "Roo",
            "Command executed in terminal within working directory '/l/ada's'. Exit code: 0\nOutput:\nx",
            "/l/ada's",
            Place::End,
        ),
        ("Crush", "x\n\n<cwd>/l</cwd>", "/l", Place::Start),
    ] {
        assert_eq!(of_agent(agent, text, None).directory, Some((path.to_owned(), at)), "{agent}");
    }
    for (agent, text) in [
        ("Claude Code", "Shell cwd was reset to /l\nx"),
        ("Claude Code", "x Shell cwd was reset to /l"),
        ("Claude Code", "Shell cwd was reset to its old value"),
        ("opencode", "x\nShell cwd was reset to /l"),
        (
            "Codex",
            "Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nx\nShell cwd was reset to /l",
        ),
        ("Copilot", "x\n[Current working directory: /l]\n<shellId: 4 completed with exit code 0>"),
        (
            "Qwen Code",
            "Command: x\nDirectory: /l\nOutput: a\nError: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: 4242",
        ),
    ] {
        assert_eq!(of_agent(agent, text, None).directory, None, "{agent}: {text}");
    }
}

#[test]
fn whether_the_harness_cut_what_was_printed() {
    let codex = |output: &str| {
        format!(
            "Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 28\nOutput:\n{output}"
        )
    };
    for (agent, text, is_cut, printed) in [
        ("Codex", codex("Warning: truncated output (original token count: 28)\nTotal output lines: 3\n\na…18 tokens truncated…b"), Some(true), Some("a…18 tokens truncated…b")),
        ("Codex", codex("Total output lines: 3\n\na…18 tokens truncated…b"), Some(true), Some("a…18 tokens truncated…b")),
        ("Codex", codex("Total output lines: 3\n\nb"), None, Some("Total output lines: 3\n\nb")),
        ("Codex", codex("b"), Some(false), Some("b")),
        ("Claude Code", "<persisted-output>\nOutput too large (31KB). Full output saved to: /t/a.txt\n\nPreview (first 2KB):\na\nb\n...\n</persisted-output>".to_owned(), Some(true), Some("a\nb")),
        ("Claude Code", "b".to_owned(), Some(false), Some("b")),
        ("opencode", "...output truncated...\n\nFull output saved to: /t/a\n\nb".to_owned(), Some(true), Some("b")),
        ("pi", "b\n\n[Showing lines 3-9 of 9. Full output: /t/a]".to_owned(), Some(true), Some("b")),
        ("deepagents", "b\n[Command succeeded with exit code 0]\n[Output was truncated due to size limits]".to_owned(), Some(true), Some("b")),
        ("Gemini CLI", "Output: Output too large. Showing first 8,000 and last 32,000 characters. For full output see: /t/a\nb\nProcess Group PGID: 1".to_owned(), Some(true), None),
        ("Crush", "a\n... [12 lines truncated] ...\nb\n\n<cwd>/l</cwd>".to_owned(), None, Some("a\n... [12 lines truncated] ...\nb")),
    ] {
        let account = of_agent(agent, &text, None);
        assert_eq!(account.is_cut, is_cut, "{agent}: {text}");
        if printed.is_some() {
            assert_eq!(account.printed.as_deref(), printed, "{agent}: {text}");
        }
    }
}

#[test]
fn the_lines_that_stay_of_a_failure() {
    let stay = |agent: &str, text: &str| {
        let (name, arguments) = call(agent);
        let tools = Tools::new(&[]);
        let reports = tools.named(name).harness(Some(&arguments)).reports;
        let said = said(TextBuf::from(text).as_text(), None, reports, ToolKind::Command);
        words::decisive_lines(text.as_bytes(), &said).into_iter().map(|line| text[line].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(stay("Claude Code", "Exit code 2\na\nerror: b\nc"), ["Exit code 2", "error: b"]);
    assert_eq!(stay("Claude Code", "Exit code 2"), ["Exit code 2"]);
    assert_eq!(stay("Crush", "a\nerror: b\nc\nExit code 2\n\n<cwd>/l</cwd>"), ["error: b", "Exit code 2"]);
    assert_eq!(
        stay("Codex", "Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 1\nOutput:\nExit code 3\nx"),
        ["Process exited with code 1", "x"]
    );
    assert_eq!(
        stay("Codex, shell", "{\"output\":\"error: x\",\"metadata\":{\"exit_code\":1,\"duration_seconds\":0.1}}").len(),
        1
    );
}

#[test]
fn files() {
    for (name, arguments, status, text, outcome) in [
        ("Read", json!({"file_path": "a"}), None, "     1→Error: x", Some(Succeeded)),
        ("Read", json!({"file_path": "a"}), None, "1\tError: x", Some(Succeeded)),
        ("Read", json!({"file_path": "a"}), ERROR, "File does not exist.", Some(Failed)),
        (
            "Read",
            json!({"file_path": "a"}),
            None,
            "<tool_use_error>File does not exist.</tool_use_error>",
            Some(Failed),
        ),
        (
            "Edit",
            json!({"file_path": "a", "new_string": "b"}),
            None,
            "<tool_use_error>String to replace not found in file.</tool_use_error>",
            Some(Failed),
        ),
        (
            "Edit",
            json!({"file_path": "a", "new_string": "b"}),
            None,
            "The file a has been updated successfully.",
            Some(Succeeded),
        ),
        (
            "Write",
            json!({"file_path": "a"}),
            None,
            "The user doesn't want to proceed with this tool use. The tool use was rejected",
            Some(Refused),
        ),
        ("Grep", json!({"pattern": "a"}), OK, "<tool_use_error>x", Some(Succeeded)),
        ("Grep", json!({"pattern": "a"}), None, "Error: x", None),
        (
            "apply_patch",
            json!({"input": "x"}),
            None,
            "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nM lamps/red.txt",
            Some(Succeeded),
        ),
        (
            "apply_patch",
            json!({"input": "x"}),
            None,
            "apply_patch verification failed: Failed to find expected lines",
            Some(Failed),
        ),
        // A file that is shown as it is may say anything.
        ("read_file", json!({"absolute_path": "a"}), None, "Error: x", None),
        ("read", json!({"path": "a"}), None, "Error: x", None),
        (
            "read",
            json!({"filePath": "a"}),
            None,
            "<path>/l/a.py</path>\n<type>file</type>\n<content>\n7: x = 1\n</content>",
            Some(Succeeded),
        ),
        ("read", json!({"filePath": "a"}), None, "Error: x", Some(Failed)),
        ("edit", json!({"filePath": "a", "newString": "b"}), None, "Edit applied successfully.", Some(Succeeded)),
        ("edit_block", json!({"file_path": "a", "new_string": "b"}), None, "Error: x", Some(Failed)),
        ("write", json!({"file_path": "a"}), None, "Error: x", Some(Failed)),
        ("load_page", json!({"url": "a"}), None, "Error: x", None),
        ("load_page", json!({"url": "a"}), ERROR, "x", Some(Failed)),
    ] {
        assert_eq!(account(name, &arguments, text, status).outcome, outcome, "{name} {arguments}: {text}");
    }
}

#[test]
fn the_callers_own_tools() {
    let own = [Tool { command: "run", ..Tool::described("lamps", ToolKind::Command) }];
    let tools = Tools::new(&own);
    for name in ["lamps", "mcp__x__lamps"] {
        let reports = tools.named(name).harness(Some(&json!({"run": "x", "more": 3}))).reports;
        let said = |text, status| account_of(reports, ToolKind::Command, text, status);
        assert_eq!(said("Exit code 2\nx", None).outcome, None, "{name}");
        assert_eq!(said("x", ERROR).outcome, Some(Failed));
        assert_eq!(said("Exit code 2\nx", None).printed.as_deref(), Some("Exit code 2\nx"));
    }
}

#[test]
fn no_text_is_too_odd() {
    let odd = [
        "",
        "\n",
        "\n\n",
        "Exit code ",
        "Exit code 99999999999999999999999",
        "Output: ",
        "Command: \nDirectory: ",
        "<cwd></cwd>",
        "```\n",
        "```\n```",
        "```",
        "[{}]",
        "{",
        "{\"",
        "[execute_command for '",
        "Command \"",
        "<returncode>1</returncode>",
        "<returncode>1</returncode>\n",
        "Error (exit code ",
        "Command executed in terminal within working directory '",
        "Command executed in terminal within working directory ''.",
        "\n</shell_metadata>",
        "<persisted-output>\nOutput too large (",
        "\u{feff}Exit code 2",
    ];
    for one in odd {
        for two in odd {
            let text = format!("{one}{two}");
            for bit in 0..Report::DeepAgentsFiles as u8 + 1 {
                for status in [None, OK] {
                    for kind in [ToolKind::Command, ToolKind::Read] {
                        let said = said(TextBuf::from(&*text).as_text(), status, Reports::one(bit), kind);
                        let length = text.encode_utf16().count();
                        let inside = |range: &Range<usize>| range.start <= range.end && range.end <= length;
                        assert!(said.printed.as_ref().certain().is_none_or(inside), "{text:?} {bit}");
                        assert!(said.line.as_ref().is_none_or(inside), "{text:?} {bit}");
                        words::decisive_lines(TextBuf::from(&*text).as_text().bytes(), &said);
                    }
                }
            }
        }
    }
}
