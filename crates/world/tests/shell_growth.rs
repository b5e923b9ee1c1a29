//! Scripts of an attacker are read in time that grows as they do, and without a stack that does.
//!
//! A square of these lengths would take minutes. `cargo test --release --test shell_growth -- --nocapture` shows the times of a quarter and of
//! the whole of each.

use std::fs;

use palimpsest_world::shell::{Dialect, Exit, program_prints_files, run};

/// Returns the milliseconds that this thread's work has taken, of which others on the machine are no part.
fn spent() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|time| time.parse::<f64>().ok()).unwrap_or_default() / 1e6
}

/// What an attacker says so many times.
type Case = (&'static str, fn(usize) -> String);

const CASES: [Case; 46] = [
    ("parentheses", |n| "(".repeat(n)),
    ("closed parentheses", |n| format!("{}true{}", "(".repeat(n), ")".repeat(n))),
    ("subshells", |n| "(ls);".repeat(n)),
    ("substitutions", |n| format!("echo {}x{}", "$(echo ".repeat(n), ")".repeat(n))),
    ("open substitutions", |n| "echo $(".repeat(n)),
    ("substitutions in quotes", |n| "echo \"$(".repeat(n)),
    ("arithmetic", |n| format!("echo {}", "$((".repeat(n))),
    ("closed arithmetic", |n| format!("echo $(({}1{}))", "(".repeat(n), ")".repeat(n))),
    ("backquotes", |n| "`".repeat(n)),
    ("pairs of backquotes", |n| "echo `ls` ".repeat(n)),
    ("nested backquotes", |n| format!("echo {}", "`echo \\`echo \\\\\\`".repeat(n))),
    ("backslashes", |n| "\\".repeat(n)),
    ("backslashes and quotes", |n| "\\'".repeat(n)),
    ("quotes", |n| "'a' \"b\" ".repeat(n)),
    ("open quotes", |n| "echo '\n".repeat(n)),
    ("double quotes", |n| "\"".repeat(n)),
    ("dollars", |n| "$".repeat(n)),
    ("braces", |n| "${x:-".repeat(n)),
    ("closed braces", |n| format!("echo {}y{}", "${x:-".repeat(n), "}".repeat(n))),
    ("groups", |n| "{ ".repeat(n)),
    ("less", |n| "<".repeat(n)),
    ("greater", |n| ">".repeat(n)),
    ("here-documents that don't end", |n| "cat <<E\nx\n".repeat(n)),
    ("here-documents", |n| "cat <<E\nx\nE\n".repeat(n)),
    ("here-documents on one line", |n| format!("cat {}\n{}", "<<E ".repeat(n), "x\nE\n".repeat(n))),
    ("a here-document with substitutions", |n| format!("cat <<E\n{}\nE", "$(ls) `ls` ".repeat(n))),
    ("here-documents with near ends", |n| format!("cat <<E\n{}E", "E\\\n".repeat(n))),
    ("here-strings", |n| "<<< a ".repeat(n)),
    ("case", |n| "case x in a) ".repeat(n)),
    ("closed case", |n| format!("{}{}", "case x in a) ".repeat(n), ";; esac ".repeat(n))),
    ("patterns", |n| format!("case x in {}a) ls;; esac", "a|".repeat(n))),
    ("if", |n| format!("{}true{}", "if true; then ".repeat(n), "; fi".repeat(n))),
    ("loops", |n| "for x in a; do ls; done;".repeat(n)),
    ("functions", |n| (0..n).map(|number| format!("f{number}() {{ ls; }}\n")).collect()),
    ("conditions", |n| "[[ ! ( a".repeat(n)),
    ("negations", |n| "! ".repeat(n)),
    ("and", |n| format!("true{}", " && true".repeat(n))),
    ("or", |n| format!("true{}", " || exit 1".repeat(n))),
    ("cd", |n| format!("cd a{}", " && cd a".repeat(n))),
    ("pipes", |n| format!("cat a{}", " | cat".repeat(n))),
    ("deletions", |n| "rm a b c && ".repeat(n) + "ls"),
    ("redirections", |n| format!("ls {}", "> a ".repeat(n))),
    ("scripts in scripts", |n| format!("bash -c \"{}\"", "rm a; ".repeat(n))),
    ("sed", |n| format!("sed -i 's/{}/x/' a", "[".repeat(n))),
    ("sed with brackets", |n| format!("sed -i 's/{}]/x/' a", "[a]".repeat(n))),
    ("lines", |n| "cat src/a.ts | head -n 5 > out && rm -f b\n".repeat(n)),
];

#[test]
fn what_takes_long_is_long() {
    let length = if cfg!(debug_assertions) { 60_000 } else { 800_000 };
    let mut slow = Vec::new();
    for (name, make) in CASES {
        let times: Vec<f64> = [length / 4, length]
            .into_iter()
            .map(|length| {
                let script = make(length / make(1).len().max(1));
                let start = spent();
                for dialect in [Dialect::Posix, Dialect::PowerShell, Dialect::Cmd, Dialect::Unknown] {
                    run(&script, dialect, Exit::Zero);
                }
                program_prints_files(&script);
                program_prints_files(&format!("tools.exec_command({{cmd: {script:?}}})"));
                spent() - start
            })
            .collect();
        println!("{name}: {:.1} ms, then {:.1} ms", times[0], times[1]);
        slow.push((times[1] / times[0].max(1.0), name));
    }
    slow.sort_by(|one, other| other.0.total_cmp(&one.0));
    println!("{:.1?}", &slow[..5]);
}

#[test]
fn programs_are_read_once() {
    let length = if cfg!(debug_assertions) { 60_000 } else { 800_000 };
    let cases: [Case; 6] = [
        ("quotes", |n| format!("'{}'", "\\'".repeat(n))),
        ("apostrophes", |n| "'".repeat(n)),
        ("lines of apostrophes", |n| "don't\n".repeat(n)),
        ("comments", |n| "/*".repeat(n)),
        ("templates", |n| "`${".repeat(n)),
        ("commands", |n| "tools.exec_command({cmd: \"cat a\"});".repeat(n)),
    ];
    for (name, make) in cases {
        let times: Vec<f64> = [length / 4, length]
            .into_iter()
            .map(|length| {
                let program = make(length / make(1).len());
                let start = spent();
                program_prints_files(&program);
                spent() - start
            })
            .collect();
        println!("{name}: {:.1} ms, then {:.1} ms", times[0], times[1]);
    }
}

#[test]
fn any_bytes_are_a_script() {
    let mut below = palimpsest_text::random::below();
    let pieces = [
        "(",
        ")",
        "{",
        "}",
        "'",
        "\"",
        "`",
        "$",
        "$(",
        "${",
        "((",
        "))",
        "<",
        ">",
        "<<E",
        "\n",
        "E\n",
        "&",
        "|",
        ";",
        ";;",
        "case x in",
        "esac",
        "if",
        "then",
        "fi",
        "do",
        "done",
        "for x in",
        "while",
        "[[",
        "]]",
        " ",
        " ",
        " ",
        "a",
        "é",
        "\\",
        "!",
        "#",
        "cd",
        "rm a",
        "sed -i",
        "\u{0}",
        "-c",
        "bash -c",
        "=",
        "x=",
        "f()",
        "&&",
        "||",
        "京",
        "~",
        "*",
        "%",
        "^",
        "head -n",
        "1,5p",
        "git show",
        "\r",
    ];
    for round in 0..60_000 {
        let script: String = (0..round % 24).map(|_| pieces[below(pieces.len())]).collect();
        for dialect in [Dialect::Posix, Dialect::PowerShell, Dialect::Cmd] {
            run(&script, dialect, Exit::Zero);
        }
        program_prints_files(&script);
    }
}
