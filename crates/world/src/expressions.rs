//! The regular expressions by which failures of tools and the user's answers are recognised. They are for texts folded to bytes, and a match starts
//! where the text does. The build script makes automata of them (see [`Automaton`](super::forms::Automaton)).

/// What is done to a call that is refused.
const VERB: &str = "(?:rejected|denied|declined|refused|cancell?ed|aborted|interrupted|skipped|dismissed|stopped)";
/// What is refused.
const NOUN: &str =
    "(?:tool|command|patch|edit|action|operation|call|execution|change|plan|permission|proposal|question|file)";

/// Returns each expression with its name.
pub fn expressions() -> [(&'static str, String); 10] {
    [
        // Text before a word that says that there is none of it: "0 failed", "no errors", "0 tests failed", "without exception".
        ("none_before", r"(?s:.)*?(?:^|[^0-9.,A-Za-z])(?i:0|no|zero|without)(?: [A-Za-z]+)? $".to_owned()),
        // The same of the text after it: "failed: 0", "errors=0".
        ("none_after", r"(?i)[a-z]* ?[:=] ?(?:0|none)(?:[^0-9.]|$)".to_owned()),
        // A line that tells where or what failed, not only that something did.
        (
            "telling_line",
            r"(?s:.)*?(?i:--- FAIL|^FAIL\S* \S|panic:|error(?:\[\w+\])?: \S|:[0-9]+(?::[0-9]+)?[: ]|exception|not found|no such file|undefined|denied|cannot|fatal:)".to_owned(),
        ),
        // Tags and head lines that may precede a form.
        (
            "lead",
            r"(?i)(?:\s|<(?:tool_use_error|tool_error|error|result|output)>|(?:tool )?error: |\[[^\]\n]*\] result:|wall time: [0-9.]+ seconds\n|observation:\n)*".to_owned(),
        ),
        // JSON up to its first long string.
        (
            "json_lead",
            r#"(?i)[\s\[{]*(?:"[a-z_]+"\s*:\s*(?:(?:"[a-z-]{1,20}"|true|false|null|-?[0-9]+)\s*,)?[\s\[{]*)+""#.to_owned(),
        ),
        // The call was rejected or stopped; the next one tells it, too, if what the user did is near to what.
        (
            "refusal",
            format!(
                r"(?i)(?:\[request interrupted by user|\[operation cancelled\] reason:|action rejected:|tool execution (?:was not approved|denied)|the agent proposed a plan that was rejected by the user|the user has specified a rule which prevents you|(?:(?:the|this|mcp|use|exec|request|was|has|been|{NOUN}) )*{VERB} by (?:the )?user\b)"
            ),
        ),
        (
            "act",
            format!(
                r"(?i)(?:the )?user (?:has )?(?:{VERB}|chose (?:to skip|not to)|did not (?:allow|approve)|does(?: not|n't) want to)\b"
            ),
        ),
        ("noun", format!(r"(?i)[^\n]*?\b{NOUN}s?\b")),
        // The tool ran and the user commented on it, or the tool asked the user.
        (
            "remark",
            r"(?i)(?:the user approved this [a-z]+ and provided|the user (?:has )?provided (?:the following )?feedback|user has answered your questions:|your questions have been answered:|<answer>|<user_message>)".to_owned(),
        ),
        // The introduction of the user's words, in the first line of the form or right after it.
        (
            "introduction",
            r#"(?i)[^\n]*?(?::(?:\s|\\n|$)|"\s*,\s*"feedback"\s*:\s*"|\s<feedback>|<answer>|<user_message>)"#.to_owned(),
        ),
    ]
}
