//! Whether what interpreters, managers of packages and containers print may be lines that an edit quotes.

use super::programs::{one_of, program};
use super::quotes::quotes;
use super::state::Quotes;
use super::streams::Input;
use super::syntax::Word;

/// Words in a program of an interpreter that may bring text of files into what it prints.
const OPENERS: &str = "open|read|load|require|import(|importlib|exec|eval|system|spawn|popen|Popen|subprocess|cat |Path|include|slurp|source|`|inspect|dump|glob|IO.|File|STDIN|stdin";

pub(super) fn interpreter(name: &str, arguments: &[Word], input: &Input) -> Quotes {
    let flag = match name {
        "python" | "python2" | "python3" => "-c",
        "php" => "-r",
        _ => "-e",
    };
    let code = arguments.iter().position(|word| one_of(&word.text, "-p -pe --eval --print") || word.text == flag);
    let text = match (code, input) {
        (Some(at), _) if arguments[at].text.starts_with("-p") && name == "perl" => return Quotes::Maybe,
        (Some(at), _) => arguments.get(at + 1).and_then(Word::literal),
        (None, Input::Text(text)) if arguments.iter().all(|word| word.text == "-") => Some(text.as_str()),
        (None, _) => {
            // Modules that report on what they do.
            let module: Vec<&str> = arguments.iter().map(|word| word.text.as_str()).collect();
            let is_report = match (name, module.as_slice()) {
                ("python" | "python3", ["-m", module, ..]) => one_of(
                    module,
                    "pytest unittest pip venv mypy flake8 pylint build compileall py_compile tox nox http.server coverage",
                ),
                ("node" | "nodejs", ["--test", ..] | ["--check" | "-c", ..]) => true,
                ("bun", ["test" | "install" | "add" | "remove" | "run" | "build", ..]) => true,
                ("deno", ["test" | "lint" | "check" | "cache" | "task", ..]) => true,
                _ => false,
            };
            return if is_report { Quotes::No } else { Quotes::Maybe };
        }
    };
    match text {
        Some(text) if !OPENERS.split('|').any(|opener| text.contains(opener)) => {
            // What it reads may come from files.
            if text.contains('<') { Quotes::Maybe } else { Quotes::No }
        }
        _ => Quotes::Maybe,
    }
}

/// Managers of packages that run a command after some of their own words.
pub(super) fn runner(name: &str, arguments: &[Word], input: &Input) -> Quotes {
    let mut words = arguments;
    let first = words.first().map(|word| word.text.as_str());
    let runs = matches!(
        (name, first),
        ("npx" | "bunx" | "uvx", _)
            | (_, Some("exec" | "dlx" | "x"))
            | ("uv" | "poetry" | "pipenv" | "pdm", Some("run"))
    );
    if !runs {
        let shows = words.first().is_some_and(|word| one_of(&word.text, "cat diff patch explore"));
        return if shows { Quotes::Maybe } else { Quotes::No };
    }
    if !one_of(name, "npx bunx uvx") {
        words = &words[1..];
    }
    while let Some((first, rest)) = words.split_first().filter(|(first, _)| first.text.starts_with('-')) {
        words = rest;
        if !one_of(&first.text, "-y --yes --no-install -- -q --quiet --bun") {
            return Quotes::Maybe;
        }
    }
    let Some((started, rest)) = words.split_first() else { return Quotes::Maybe };
    let name = started.literal().map(|name| name.split('@').next().unwrap_or_default()).unwrap_or_default();
    match program(name) {
        Some(known) if !one_of(name, "npx bunx uvx uv poetry pipenv pdm pnpm yarn npm bundle") => {
            quotes(name, known, rest, input)
        }
        _ => Quotes::Maybe,
    }
}

/// Tools of languages that build and test, and also run programs.
pub(super) fn builder(name: &str, arguments: &[Word]) -> Quotes {
    let words: Vec<&str> =
        arguments.iter().map(|word| word.text.as_str()).skip_while(|word| word.starts_with(['-', '+'])).collect();
    let first = words.first().copied().unwrap_or_default();
    let is_report = match name {
        "go" => one_of(first, "build test vet mod get install generate list version env fmt clean work"),
        "cargo" => {
            one_of(
                first,
                "build b test t check c clippy doc add remove update tree metadata bench install clean fix nextest publish fetch search machete deny audit new init",
            ) || (first == "fmt" && !words.contains(&"--check"))
        }
        _ => one_of(first, "build test restore clean publish pack add remove package list new"),
    };
    if is_report { Quotes::No } else { Quotes::Maybe }
}

/// What runs in a container is another world; what its manager says is not.
pub(super) fn container(name: &str, arguments: &[Word]) -> Quotes {
    let words: Vec<&str> =
        arguments.iter().map(|word| word.text.as_str()).skip_while(|word| word.starts_with('-')).collect();
    let command = match words.as_slice() {
        ["compose" | "image" | "container" | "volume" | "network" | "system" | "builder" | "buildx", rest @ ..] => rest,
        words => words,
    };
    let is_report = match name {
        "kubectl" => one_of(
            command.first().copied().unwrap_or_default(),
            "get describe logs apply delete rollout scale top version create label annotate wait cluster-info api-resources",
        ),
        _ => one_of(
            command.first().copied().unwrap_or_default(),
            "build pull push ps logs images ls list up down stop start restart rm rmi kill prune version info tag login logout stats top port wait create df",
        ),
    };
    if is_report { Quotes::No } else { Quotes::Maybe }
}

/// The tools of hosts of repositories print patches and files too.
pub(super) fn hub(arguments: &[Word]) -> Quotes {
    let words: Vec<&str> = arguments.iter().map(|word| word.text.as_str()).take(2).collect();
    let is_report = match words.as_slice() {
        ["run" | "workflow" | "auth" | "release" | "label" | "secret" | "variable", ..] => true,
        ["pr" | "mr" | "issue", action] => {
            one_of(action, "view list create checks merge status comment close edit ready reopen checkout")
        }
        _ => false,
    };
    if is_report { Quotes::No } else { Quotes::Maybe }
}
