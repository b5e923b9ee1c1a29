//! The forms in which harnesses report what came of a call.

/// How a harness writes what came of a call: where the exit of a command is, what it adds to what was printed, and how it cuts that.
/// [`outcome`](crate::outcome) reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Report {
    /// Nothing is known of the harness, as where the caller runs the tool.
    Silent,
    /// A tool that the caller describes: its result is what it printed, and only the format's own flag tells a failure.
    Described,
    /// Claude Code's commands: `Exit code 1` above, `Shell cwd was reset to …` below.
    ClaudeCode,
    /// Codex' `exec_command`: `Chunk ID: …` to `Output:`.
    CodexExec,
    /// Codex' older shells and its patches: `Exit code: 1`, `Wall time: …`, `Output:`, or an object.
    CodexShell,
    /// Codex' scripts, which call its tools: `Script completed`.
    CodexScript,
    /// Gemini CLI: `Output: …` and lines below it.
    Gemini,
    /// Qwen Code, and Gemini CLI before: `Command: …`, `Directory: …`, `Output: …`, `Exit Code: 1`.
    Qwen,
    /// opencode and Kilo: what was printed, and `<shell_metadata>`.
    Opencode,
    /// pi: `Command exited with code 1` below.
    Pi,
    /// goose: the same, at the end of the last line's neighbour.
    Goose,
    /// Crush: `Exit code 1` and `<cwd>…</cwd>` below.
    Crush,
    /// Cline before its SDK: `[execute_command for '…'] Result:`.
    Cline,
    /// Cline's SDK: a list of what came of each command.
    ClineList,
    /// Roo: `Command executed in terminal within working directory '…'.`
    Roo,
    /// Continue in an editor: `[Status: Command completed]` below.
    ContinueEditor,
    /// Continue's command line: `Error (exit code 1): …`.
    Continue,
    /// OpenHands: `[The command completed with exit code 0.]` and more below.
    OpenHands,
    /// SWE-agent: what was printed, and the state below.
    SweAgent,
    /// mini-swe-agent: an object, or tags.
    Mini,
    /// Zed: what was printed in a fence.
    Zed,
    /// Copilot in VS Code: the exit is nowhere.
    VsCode,
    /// Copilot's command line: `<shellId: 4 completed with exit code 0>` below.
    Copilot,
    /// deepagents: `[Command failed with exit code 1]` below.
    DeepAgents,
    /// Cursor's older terminal: `Exit code: 1`, `Command output:`.
    Cursor,
    /// File tools, by agent; [`outcome`](crate::outcome) has their words.
    ClaudeCodeFiles,
    CodexFiles,
    GeminiFiles,
    OpencodeFiles,
    PiFiles,
    CrushFiles,
    ClineFiles,
    GooseFiles,
    OpenHandsFiles,
    SweAgentFiles,
    VsCodeFiles,
    ZedFiles,
    CopilotFiles,
    DeepAgentsFiles,
}

/// The forms that a result may have: that of each agent whose call it may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reports(u64);

impl Reports {
    /// No form is known.
    pub const NONE: Reports = Reports(0);

    /// The forms of `list`.
    pub const fn of(list: &[Report]) -> Reports {
        let (mut bits, mut at) = (0, 0);
        while at < list.len() {
            bits |= 1 << list[at] as u8;
            at += 1;
        }
        Reports(bits)
    }

    /// The forms of both.
    pub const fn or(self, other: Reports) -> Reports {
        Reports(self.0 | other.0)
    }

    /// Returns whether `report` is one of the forms.
    pub const fn has(self, report: Report) -> bool {
        self.0 & (1 << report as u8) != 0
    }
}
