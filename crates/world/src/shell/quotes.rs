//! Whether what a program prints may be lines that an edit quotes. In doubt it may.

use super::command::Input;
use super::course::Quotes;
use super::git;
use super::prefixes::program_name;
use super::programs::{Prints, Program, program};
use super::syntax::Word;

/// Returns whether a program that is known may print lines of files.
pub(super) fn quotes(name: &str, known: Program, arguments: &[Word], input: &Input) -> Quotes {
    let says_how = matches!(arguments, [only] if matches!(only.literal(), Some("--help" | "--version" | "-V" | "-v")));
    let words = || arguments.iter().map(|word| word.text.as_str());
    let has = |options: &[&str]| words().any(|word| options.contains(&word));
    match name {
        _ if says_how && !matches!(name, "cat" | "sed") => Quotes::No,
        "git" => git::quotes(arguments),
        "gh" | "glab" => hub(arguments),
        "python" | "python2" | "python3" | "node" | "nodejs" | "ruby" | "perl" | "php" | "deno" | "bun" | "Rscript" => {
            interpreter(name, arguments, input)
        }
        "uv" | "poetry" | "pipenv" | "pdm" | "bundle" | "npx" | "bunx" | "uvx" | "pnpm" | "yarn" | "npm" => {
            runner(name, arguments, input)
        }
        "go" | "cargo" | "dotnet" | "swift" => builder(name, arguments),
        "docker" | "podman" | "docker-compose" | "kubectl" | "nerdctl" => container(name, arguments),
        "find" | "fd" | "fdfind" => {
            let starts: Vec<&str> = words()
                .skip_while(|word| !matches!(*word, "-exec" | "-execdir" | "-ok" | "-x" | "-X" | "--exec"))
                .skip(1)
                .collect();
            match starts.first() {
                None => Quotes::No,
                Some(started) => of_files(program_name(started)),
            }
        }
        "xargs" | "parallel" => {
            let is_option = |word: &&&Word| {
                word.text.starts_with('-') || word.text.bytes().all(|byte| byte.is_ascii_digit()) || word.text == "{}"
            };
            match arguments.iter().find(|word| !is_option(&word)) {
                None => Quotes::Input,
                Some(started) => started.literal().map_or(Quotes::Maybe, |started| of_files(program_name(started))),
            }
        }
        "curl" | "wget" => {
            let is_remote = |word: &str| word.starts_with("http://") || word.starts_with("https://");
            let is_named = arguments
                .iter()
                .any(|word| is_remote(&word.text) || (!word.is_literal && word.is_quoted && word.text.is_empty()));
            if is_named && !words().any(|word| word.starts_with("file:")) { Quotes::No } else { Quotes::Maybe }
        }
        "rustfmt" | "prettier" | "black" | "gofmt" | "clang-format" | "shfmt" | "autopep8" | "yapf" | "isort"
        | "ruff" | "biome" => {
            let writes =
                has(&["--write", "-w", "-i", "--in-place", "--check", "check", "-l", "--list-different", "-c"]);
            let is_silent = matches!(name, "black" | "isort" | "rustfmt") && !has(&["--check", "-c", "-"]);
            if (writes || is_silent) && !has(&["--diff", "-d"]) && !(name == "rustfmt" && !is_silent) {
                Quotes::No
            } else {
                Quotes::Maybe
            }
        }
        "gcc" | "g++" | "cc" | "c++" | "clang" | "clang++" if has(&["-E", "-S", "-"]) => Quotes::Maybe,
        "tar" if words().any(|word| word.contains('O') || word == "--to-stdout") => Quotes::Maybe,
        "unzip" if words().any(|word| word.starts_with('-') && word.contains(['p', 'c'])) => Quotes::Maybe,
        "gzip" | "gunzip" | "bzip2" | "xz" if words().any(|word| word.starts_with('-') && word.contains('c')) => {
            Quotes::Maybe
        }
        "make" | "gmake" if has(&["-p", "-n", "--dry-run", "--print-data-base"]) => Quotes::Maybe,
        "helm" | "terraform" | "pulumi" if has(&["template", "show", "console", "output", "get"]) => Quotes::Maybe,
        _ => match known.prints {
            Prints::Nothing | Prints::Report | Prints::Digest => Quotes::No,
            Prints::Files => Quotes::Maybe,
            Prints::Matches => matches(name, arguments, input),
            Prints::Lines => lines(name, arguments, input),
        },
    }
}

/// Returns whether a program that is given names of files prints lines of them.
fn of_files(name: &str) -> Quotes {
    match program(name).map(|program| program.prints) {
        Some(Prints::Nothing | Prints::Report | Prints::Digest) => Quotes::No,
        Some(Prints::Lines) => Quotes::Yes,
        _ => Quotes::Maybe,
    }
}

/// Returns whether what a program reads may hold lines of files.
fn of_input(input: &Input) -> Quotes {
    match input {
        Input::Inherited | Input::Piped => Quotes::Input,
        Input::File(_) => Quotes::Yes,
        Input::Text(_) => Quotes::No,
    }
}

fn matches(name: &str, arguments: &[Word], input: &Input) -> Quotes {
    let (mut operands, mut has_pattern, mut only_names, mut is_recursive) = (0, false, false, false);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        match text.strip_prefix('-') {
            Some("-") => {
                operands += words.by_ref().count();
            }
            Some(long) if long.starts_with('-') => {
                let option = long.split('=').next().unwrap_or_default();
                only_names |= matches!(
                    option,
                    "-files-with-matches"
                        | "-files-without-match"
                        | "-count"
                        | "-quiet"
                        | "-files"
                        | "-silent"
                        | "-count-matches"
                );
                is_recursive |= matches!(option, "-recursive" | "-dereference-recursive");
                has_pattern |= matches!(option, "-regexp" | "-file" | "-files");
            }
            Some(letters) if !letters.is_empty() => {
                let valued =
                    letters.find(|letter| "efmABCDdgtTrEjM".contains(letter) && !(letter == 'r' && name != "rg"));
                let flags = &letters[..valued.unwrap_or(letters.len())];
                only_names |= flags.contains(['l', 'L', 'c', 'q'])
                    && !(name == "rg" && flags.contains('L') && !flags.contains(['l', 'c', 'q']));
                is_recursive |= flags.contains(['r', 'R']);
                if let Some(at) = valued {
                    has_pattern |= matches!(letters.as_bytes()[at], b'e' | b'f');
                    if at + 1 == letters.len() {
                        words.next();
                    }
                }
            }
            _ => operands += 1,
        }
    }
    let files = if has_pattern { operands } else { operands.saturating_sub(1) };
    let searches = is_recursive || (matches!(name, "rg" | "ag" | "ack" | "ugrep") && matches!(input, Input::Inherited));
    match (only_names, files) {
        (true, _) => Quotes::No,
        (false, 0) if !searches => of_input(input),
        _ => Quotes::Maybe,
    }
}

fn lines(name: &str, arguments: &[Word], input: &Input) -> Quotes {
    // Options with a value of its own, which is no file.
    let valued = match name {
        "head" | "tail" => "nc",
        "cut" => "dfcb",
        "sort" => "ktS",
        "paste" => "d",
        "fold" | "fmt" => "w",
        "awk" | "gawk" | "mawk" | "nawk" => "Fv",
        "column" => "sto",
        "sed" | "perl" => "e",
        _ => "",
    };
    let mut has_script = !matches!(name, "sed" | "awk" | "gawk" | "mawk" | "nawk" | "jq" | "yq" | "xq");
    let mut operands = 0;
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        if !word.is_literal && !word.is_never_option && text.is_empty() && !word.is_quoted {
            return Quotes::Maybe;
        }
        match text.strip_prefix('-').filter(|option| !option.is_empty()) {
            Some("-in-place" | "i") if name == "sed" => return Quotes::No,
            Some(option) if option.starts_with('i') && name == "sed" => return Quotes::No,
            Some("-arg" | "-argjson") => drop((words.next(), words.next())),
            Some(option) => {
                let mut letters = option.chars();
                if let (Some(letter), None) = (letters.next(), letters.next()) {
                    if valued.contains(letter) {
                        words.next();
                        has_script |= letter == 'e';
                    }
                }
                has_script |= matches!(option, "f" | "-expression" | "-from-file")
                    || (name == "sed" && option == "ne" && words.next().is_some());
            }
            None if !has_script => has_script = true,
            None => operands += usize::from(text != "-" && !matches!(name, "tr" | "tee" | "envsubst")),
        }
    }
    if operands > 0 { Quotes::Yes } else { of_input(input) }
}

/// Words in a program of an interpreter that may bring text of files into what it prints.
const OPENERS: [&str; 26] = [
    "open",
    "read",
    "load",
    "require",
    "import(",
    "importlib",
    "exec",
    "eval",
    "system",
    "spawn",
    "popen",
    "Popen",
    "subprocess",
    "cat ",
    "Path",
    "include",
    "slurp",
    "source",
    "`",
    "inspect",
    "dump",
    "glob",
    "IO.",
    "File",
    "STDIN",
    "stdin",
];

fn interpreter(name: &str, arguments: &[Word], input: &Input) -> Quotes {
    let flag = match name {
        "python" | "python2" | "python3" => "-c",
        "php" => "-r",
        _ => "-e",
    };
    let code = arguments
        .iter()
        .position(|word| matches!(&*word.text, "-p" | "-pe" | "--eval" | "--print") || word.text == flag);
    let text = match (code, input) {
        (Some(at), _) if arguments[at].text.starts_with("-p") && name == "perl" => return Quotes::Maybe,
        (Some(at), _) => arguments.get(at + 1).and_then(Word::literal),
        (None, Input::Text(text)) if arguments.iter().all(|word| word.text == "-") => Some(text.as_str()),
        (None, _) => {
            // Modules that report on what they do.
            let module: Vec<&str> = arguments.iter().map(|word| word.text.as_str()).collect();
            let is_report = match (name, module.as_slice()) {
                ("python" | "python3", ["-m", module, ..]) => matches!(
                    *module,
                    "pytest"
                        | "unittest"
                        | "pip"
                        | "venv"
                        | "mypy"
                        | "flake8"
                        | "pylint"
                        | "build"
                        | "compileall"
                        | "py_compile"
                        | "tox"
                        | "nox"
                        | "http.server"
                        | "coverage"
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
        Some(text) if !OPENERS.iter().any(|opener| text.contains(opener)) => {
            // What it reads may come from files.
            if text.contains('<') { Quotes::Maybe } else { Quotes::No }
        }
        _ => Quotes::Maybe,
    }
}

/// Managers of packages that run a command after some of their own words.
fn runner(name: &str, arguments: &[Word], input: &Input) -> Quotes {
    let mut words = arguments;
    let runs = match (name, words.first().map(|word| word.text.as_str())) {
        ("npx" | "bunx" | "uvx", _) => true,
        (_, Some("exec" | "dlx" | "x")) => true,
        ("uv" | "poetry" | "pipenv" | "pdm", Some("run")) => true,
        _ => false,
    };
    if !runs {
        let shows = words
            .first()
            .is_some_and(|word| matches!(&*word.text, "show" | "cat" | "view" | "diff" | "patch" | "explore"));
        return if shows { Quotes::Maybe } else { Quotes::No };
    }
    if !matches!(name, "npx" | "bunx" | "uvx") {
        words = &words[1..];
    }
    while let Some((first, rest)) = words.split_first().filter(|(first, _)| first.text.starts_with('-')) {
        words = rest;
        if !matches!(&*first.text, "-y" | "--yes" | "--no-install" | "--" | "-q" | "--quiet" | "--bun") {
            return Quotes::Maybe;
        }
    }
    let Some((started, rest)) = words.split_first() else { return Quotes::Maybe };
    let name = started.literal().map(|name| name.split('@').next().unwrap_or_default()).unwrap_or_default();
    match program(name) {
        Some(known)
            if !matches!(
                name,
                "npx" | "bunx" | "uvx" | "uv" | "poetry" | "pipenv" | "pdm" | "pnpm" | "yarn" | "npm" | "bundle"
            ) =>
        {
            quotes(name, known, rest, input)
        }
        _ => Quotes::Maybe,
    }
}

/// Tools of languages that build and test, and also run programs.
fn builder(name: &str, arguments: &[Word]) -> Quotes {
    let words: Vec<&str> =
        arguments.iter().map(|word| word.text.as_str()).skip_while(|word| word.starts_with(['-', '+'])).collect();
    let first = words.first().copied().unwrap_or_default();
    let is_report = match name {
        "go" => matches!(
            first,
            "build"
                | "test"
                | "vet"
                | "mod"
                | "get"
                | "install"
                | "generate"
                | "list"
                | "version"
                | "env"
                | "fmt"
                | "clean"
                | "work"
        ),
        "cargo" => {
            matches!(
                first,
                "build"
                    | "b"
                    | "test"
                    | "t"
                    | "check"
                    | "c"
                    | "clippy"
                    | "doc"
                    | "add"
                    | "remove"
                    | "update"
                    | "tree"
                    | "metadata"
                    | "bench"
                    | "install"
                    | "clean"
                    | "fix"
                    | "nextest"
                    | "publish"
                    | "fetch"
                    | "search"
                    | "machete"
                    | "deny"
                    | "audit"
                    | "new"
                    | "init"
            ) || (first == "fmt" && !words.contains(&"--check"))
        }
        _ => matches!(
            first,
            "build" | "test" | "restore" | "clean" | "publish" | "pack" | "add" | "remove" | "package" | "list" | "new"
        ),
    };
    if is_report { Quotes::No } else { Quotes::Maybe }
}

/// What runs in a container is another world; what its manager says is not.
fn container(name: &str, arguments: &[Word]) -> Quotes {
    let words: Vec<&str> =
        arguments.iter().map(|word| word.text.as_str()).skip_while(|word| word.starts_with('-')).collect();
    let command = match words.as_slice() {
        ["compose" | "image" | "container" | "volume" | "network" | "system" | "builder" | "buildx", rest @ ..] => rest,
        words => words,
    };
    let is_report = match name {
        "kubectl" => matches!(
            command.first(),
            Some(
                &("get"
                    | "describe"
                    | "logs"
                    | "apply"
                    | "delete"
                    | "rollout"
                    | "scale"
                    | "top"
                    | "version"
                    | "create"
                    | "label"
                    | "annotate"
                    | "wait"
                    | "cluster-info"
                    | "api-resources")
            )
        ),
        _ => matches!(
            command.first(),
            Some(
                &("build"
                    | "pull"
                    | "push"
                    | "ps"
                    | "logs"
                    | "images"
                    | "ls"
                    | "list"
                    | "up"
                    | "down"
                    | "stop"
                    | "start"
                    | "restart"
                    | "rm"
                    | "rmi"
                    | "kill"
                    | "prune"
                    | "version"
                    | "info"
                    | "tag"
                    | "login"
                    | "logout"
                    | "stats"
                    | "top"
                    | "port"
                    | "wait"
                    | "create"
                    | "df")
            )
        ),
    };
    if is_report { Quotes::No } else { Quotes::Maybe }
}

/// The tools of hosts of repositories print patches and files too.
fn hub(arguments: &[Word]) -> Quotes {
    let words: Vec<&str> = arguments.iter().map(|word| word.text.as_str()).take(2).collect();
    let is_report = match words.as_slice() {
        ["run" | "workflow" | "auth" | "release" | "label" | "secret" | "variable", ..] => true,
        ["pr" | "mr" | "issue", action] => matches!(
            *action,
            "list"
                | "create"
                | "checks"
                | "merge"
                | "status"
                | "comment"
                | "close"
                | "edit"
                | "ready"
                | "reopen"
                | "checkout"
        ),
        _ => false,
    };
    if is_report { Quotes::No } else { Quotes::Maybe }
}
