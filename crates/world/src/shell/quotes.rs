//! Whether what a program prints may be lines that an edit quotes. In doubt it may.

use super::git;
use super::prefixes::program_name;
use super::programs::{Prints, Program, one_of, program};
use super::runners::{builder, container, hub, interpreter, runner};
use super::state::Quotes;
use super::streams::Input;
use super::syntax::Word;

/// Returns whether a program that is known may print lines of files.
pub(super) fn quotes(name: &str, known: Program, arguments: &[Word], input: &Input) -> Quotes {
    // `head -v` and `grep -v` say what they read.
    let reads = matches!(known.prints, Prints::Lines | Prints::Matches);
    let says_how = matches!(arguments, [only] if match only.literal() {
        Some("--help" | "--version") => true,
        Some("-V" | "-v") => !reads,
        _ => false,
    });
    let words = || arguments.iter().map(|word| word.text.as_str());
    let has = |options: &[&str]| words().any(|word| options.contains(&word));
    match name {
        _ if says_how && !matches!(name, "cat" | "sed") => Quotes::No,
        "git" => git::quotes(arguments),
        // In other shells it prints a file.
        "type" if !arguments.is_empty() => Quotes::Maybe,
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
            let starts: Vec<&str> =
                words().skip_while(|word| !one_of(word, "-exec -execdir -ok -x -X --exec")).skip(1).collect();
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
                None => of_input(input),
                Some(started) => started.literal().map_or(Quotes::Maybe, |started| of_files(program_name(started))),
            }
        }
        // Without another scheme it is that of the web.
        "curl" | "wget" if words().any(|word| word.contains("file:")) => Quotes::Maybe,
        "curl" | "wget" => Quotes::No,
        "rustfmt" | "prettier" | "black" | "gofmt" | "clang-format" | "shfmt" | "autopep8" | "yapf" | "isort"
        | "ruff" | "biome" => {
            let writes =
                has(&["--write", "-w", "-i", "--in-place", "--check", "check", "-l", "--list-different", "-c"]);
            let is_silent = one_of(name, "black isort rustfmt") && !has(&["--check", "-c", "-"]);
            let shows = has(&["--diff", "-d"]) || (name == "rustfmt" && !is_silent);
            if (writes || is_silent) && !shows { Quotes::No } else { Quotes::Maybe }
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
                only_names |= one_of(
                    option,
                    "-files-with-matches -files-without-match -count -quiet -files -silent -count-matches",
                );
                is_recursive |= matches!(option, "-recursive" | "-dereference-recursive");
                has_pattern |= one_of(option, "-regexp -file -files");
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
    let searches = is_recursive || (one_of(name, "rg ag ack ugrep") && matches!(input, Input::Inherited));
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
    let is_awk = one_of(name, "awk gawk mawk nawk");
    let mut has_script = !one_of(name, "sed awk gawk mawk nawk jq yq xq");
    let mut operands = 0;
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        if !word.is_literal && !word.is_never_option && text.is_empty() && !word.is_quoted {
            return Quotes::Maybe;
        }
        match text.strip_prefix('-').filter(|option| !option.is_empty() && (!is_awk || !has_script)) {
            Some("-in-place" | "i") if name == "sed" => return Quotes::No,
            Some(option) if option.starts_with('i') && name == "sed" => return Quotes::No,
            Some("-") => operands += words.by_ref().count(),
            Some("-arg" | "-argjson") => drop((words.next(), words.next())),
            Some(option) => {
                let mut letters = option.chars();
                let letter = letters.next().filter(|letter| letters.next().is_none() && valued.contains(*letter));
                if letter.is_some() {
                    words.next();
                    has_script |= letter == Some('e');
                }
                has_script |= one_of(option, "f -expression -from-file")
                    || (name == "sed" && option == "ne" && words.next().is_some());
            }
            None if !has_script => has_script = true,
            None => operands += usize::from(text != "-" && !one_of(name, "tr tee envsubst")),
        }
    }
    if operands > 0 { Quotes::Yes } else { of_input(input) }
}
