//! Programs may print anything that a harness writes. Whatever they print, a result says what the harness said.

use palimpsest_text::random::below;

use super::tests::{account, call, of_agent};
use super::*;

/// What harnesses write, in pieces.
const PIECES: [&str; 62] = [
    "\n",
    "\n",
    "\n\n",
    "x",
    "lamp: not found",
    "Exit code 2",
    "Exit code: 2",
    "Exit Code: 2",
    "exit code 2",
    "Process exited with code 2",
    "Chunk ID: a1b2c3\nWall time: 0.1 seconds\nProcess exited with code 2\nOriginal token count: 4\nOutput:\n",
    "Exit code: 2\nWall time: 0.1 seconds\nOutput:\n",
    "Wall time: 0.1 seconds",
    "Output:",
    "Output: ",
    "Original token count: 4",
    "Total output lines: 9\n\n",
    "Warning: truncated output (original token count: 4)",
    "…12 tokens truncated…",
    "aborted by user after 1.0s",
    "Command: x\nDirectory: /l\n",
    "Error: (none)",
    "Error: no",
    "Signal: (none)",
    "Background PIDs: 1, 2",
    "Process Group PGID: 4242",
    "(empty)",
    "(no output)",
    "no output",
    "(Bash completed with no output)",
    "<shell_metadata>\nUser aborted the command\n</shell_metadata>",
    "Command exited with code 2",
    "Command aborted",
    "Command timed out after 5 seconds",
    "Command was aborted before completion",
    "<cwd>/l</cwd>",
    "Shell cwd was reset to /l",
    "[This command modified 2 files you've previously read: a, b.]",
    "[execute_command for 'x'] Result:\n",
    "Command executed successfully (exit code 0).",
    "Command failed with exit code 2.",
    "Command executed in terminal within working directory '/l'. Exit code: 2\nOutput:\n",
    "Command execution was not successful, inspect the cause and adjust as needed.",
    "[Status: Command failed with exit code 2]",
    "[The command completed with exit code 2.]",
    "[Current working directory: /l]",
    "[Python interpreter: /p]",
    "[Command finished with exit code 2]",
    "[Below is the output of the previous command.]",
    "(Open file: n/a)\n(Current directory: /l)\nbash-$",
    "{\"returncode\": 2, \"output\": \"x\"}",
    "{\"output\":\"x\",\"metadata\":{\"exit_code\":2,\"duration_seconds\":0.1}}",
    "</output>",
    "```",
    "Command \"x\" failed with exit code 2.",
    "<shellId: 4 completed with exit code 2>",
    "[Command failed with exit code 2]",
    "The user denied this operation.",
    "The user doesn't want to proceed with this tool use.",
    "exec command rejected by user",
    "User denied permission",
    "<tool_use_error>no</tool_use_error>",
];

/// Returns the result of a command that printed `output` and ended with `code`, as an agent's harness writes it.
fn envelope(agent: &str, output: &str, code: i64) -> String {
    let word = if code == 0 { "succeeded" } else { "failed" };
    match agent {
        "Codex" | "Codex, input" => format!(
            "Chunk ID: a1b2c3\nWall time: 0.1000 seconds\nProcess exited with code {code}\nOriginal token count: 7\nOutput:\n{output}"
        ),
        "Codex, shell" => format!("Exit code: {code}\nWall time: 1.2 seconds\nOutput:\n{output}"),
        "Gemini CLI" => {
            let exit = if code == 0 { String::new() } else { format!("\nExit Code: {code}") };
            format!("Output: {output}{exit}\nProcess Group PGID: 4242")
        }
        "Qwen Code" => format!(
            "Command: x\nDirectory: (root)\nOutput: {output}\nError: (none)\nExit Code: {code}\nSignal: (none)\nProcess Group PGID: 4242"
        ),
        "Cline" => {
            let exit = match code {
                0 => "Command executed successfully (exit code 0).".to_owned(),
                code => format!("Command failed with exit code {code}."),
            };
            format!("[execute_command for 'x'] Result:\n{exit}\nOutput:\n{output}")
        }
        "Roo" => {
            let advice = "Command execution was not successful, inspect the cause and adjust as needed.\n";
            let advice = if code == 0 { "" } else { advice };
            format!(
                "Command executed in terminal within working directory '/l'. {advice}Exit code: {code}\nOutput:\n{output}"
            )
        }
        "Continue" if code == 0 => format!("{output}\n[Status: Command completed]"),
        "Continue" => format!("{output}\n[Status: Command failed with exit code {code}]"),
        "OpenHands" | "OpenHands, terminal" => format!(
            "{output}\n[The command completed with exit code {code}.]\n[Current working directory: /l]\n[Python interpreter: /p]\n[Command finished with exit code {code}]"
        ),
        "mini" => format!("<returncode>{code}</returncode>\n<output>\n{output}</output>"),
        "Copilot" => format!("{output}\n<shellId: 4 completed with exit code {code}>"),
        "deepagents" => format!("{output}\n[Command {word} with exit code {code}]"),
        "Zed" if code == 0 => format!("```\n{output}\n```"),
        "Zed" => format!("Command \"x\" failed with exit code {code}.\n\n```\n{output}\n```"),
        "Crush" => {
            let exit = if code == 0 { String::new() } else { format!("\nExit code {code}") };
            format!("{output}{exit}\n\n<cwd>/l</cwd>")
        }
        "Cursor" => format!("Exit code: {code}\n\nCommand output:\n\n{output}"),
        "Claude Code" if code == 0 => output.to_owned(),
        "Claude Code" => format!("Exit code {code}\n{output}"),
        "pi" if code == 0 => output.to_owned(),
        "pi" => format!("{output}\n\nCommand exited with code {code}"),
        "goose" if code == 0 => output.to_owned(),
        "goose" => format!("{output}\nCommand exited with code {code}"),
        agent => panic!("{agent}"),
    }
}

/// Returns what a program printed: pieces of what harnesses write.
fn output(below: &mut impl FnMut(usize) -> usize) -> String {
    (0..below(7)).map(|_| PIECES[below(PIECES.len())]).collect()
}

/// Returns whether a harness's own words are where it writes them, so that nothing could tell who wrote them.
fn is_ambiguous(agent: &str, output: &str) -> bool {
    let last = output.rsplit('\n').next().unwrap_or_default();
    match agent {
        // What it writes only where it applies stands right below what was printed.
        "Gemini CLI" => {
            ["Exit Code: ", "Signal: ", "Background PIDs: ", "Error: "].iter().any(|name| last.starts_with(name))
                || output == "(empty)"
        }
        "Qwen Code" => output == "(empty)",
        "Crush" => last.starts_with("Exit code ") || last.starts_with("Command was aborted") || output == "no output",
        "OpenHands" | "OpenHands, terminal" => output.starts_with("[Below is the output"),
        "deepagents" => last.starts_with("Exit code: "),
        _ => false,
    }
}

#[test]
fn whatever_a_program_prints_its_harness_says_how_it_ended() {
    let mut below = below();
    let agents = [
        "Codex",
        "Codex, input",
        "Codex, shell",
        "Gemini CLI",
        "Qwen Code",
        "Cline",
        "Roo",
        "Continue",
        "OpenHands",
        "OpenHands, terminal",
        "mini",
        "Copilot",
        "deepagents",
        "Zed",
        "Crush",
        "Cursor",
    ];
    let mut count = 0;
    for _ in 0..2_000 {
        for agent in agents {
            let (output, code) = (output(&mut below), [0, 1, 2, 127][below(4)]);
            if is_ambiguous(agent, &output) {
                continue;
            }
            let text = envelope(agent, &output, code);
            // Copilot and Crush share the name of their tool with others, and all of its arguments but one.
            let account = of_agent(agent, &text, None);
            let outcome = if code == 0 { Outcome::Succeeded } else { Outcome::Failed };
            let is_late = code != 0 && agent == "Codex, shell" && output.starts_with("command timed out after ");
            assert!(is_late || account.outcome == Some(outcome), "{agent}: {text:?}: {account:?}");
            // A text that may be cut is no whole one, whatever is taken for it.
            if account.is_cut != Some(true) {
                assert_eq!(account.printed.as_deref(), Some(&*output), "{agent}: {text:?}");
            }
            count += 1;
        }
    }
    assert!(count > 20_000, "{count}");
}

#[test]
fn harnesses_that_write_nothing_on_success_are_believed_no_further_than_the_formats_flag() {
    let mut below = below();
    for _ in 0..4_000 {
        for agent in ["Claude Code", "pi", "goose"] {
            let (output, code) = (output(&mut below), [0, 1, 2, 127][below(4)]);
            let text = envelope(agent, &output, code);
            let status = if code == 0 { Status::Ok } else { Status::Error };
            let account = of_agent(agent, &text, Some(status));
            let is_failure = account.outcome.is_some_and(Outcome::is_failure);
            assert!(
                if code == 0 { !is_failure || account.outcome.is_none() } else { is_failure },
                "{agent}: {text:?}: {account:?}"
            );
        }
    }
}

#[test]
fn of_unknown_tools_nothing_is_claimed() {
    let mut below = below();
    let arguments = serde_json::json!({"command": "x", "cmd": "x", "path": "a"});
    for _ in 0..2_000 {
        let text = envelope(["Codex", "Gemini CLI", "Copilot", "Claude Code"][below(4)], &output(&mut below), 1);
        for name in ["lamps", "mcp__box__exec_command", "box_run_shell_command", "load_page", "mcp__box__Bash"] {
            let account = account(name, &arguments, &text, None);
            assert_eq!((account.outcome, account.printed), (None, None), "{name}: {text:?}");
        }
    }
}

#[test]
fn no_two_agents_are_confused() {
    // A result of one agent's is never read as the other's where both have a tool of the name.
    let mut below = below();
    for _ in 0..1_000 {
        let text = envelope(["pi", "Copilot", "Crush", "mini"][below(4)], &output(&mut below), 1);
        let account = account("bash", &serde_json::json!({"command": "x"}), &text, None);
        assert_eq!(account.outcome, None, "{text:?}");
    }
    let (name, arguments) = call("Zed");
    let text = envelope("OpenHands", "x", 1);
    assert_eq!(account(name, &arguments, &text, None).outcome, None);
}
