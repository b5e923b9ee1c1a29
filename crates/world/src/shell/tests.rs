use super::*;

/// Writes what is claimed of a script, if it ended with 0.
fn claims(script: &str, exit: Exit) -> String {
    told(&run(script, Dialect::Posix, exit))
}

fn told(ran: &Ran) -> String {
    let mut said: Vec<String> = ran
        .effects
        .iter()
        .map(|effect| match effect {
            Effect::Overwrite(place) => format!("write {}", place.as_str()),
            Effect::Delete(place) => format!("delete {}", place.as_str()),
            Effect::Move { from, to } => format!("move {} {}", from.as_str(), to.as_str()),
            Effect::MayMove { from, to } => format!("move? {} {}", from.as_str(), to.as_str()),
            Effect::MayChange(place) => format!("{}?", place.as_str()),
            Effect::MayChangeAny => "?".to_owned(),
            Effect::Patch { .. } => "patch".to_owned(),
        })
        .collect();
    match &ran.directory {
        Directory::Same => {}
        Directory::At(place) => said.push(format!("at {}", place.as_str())),
        Directory::Unknown => said.push("somewhere".to_owned()),
    }
    if let Some((place, extent)) = &ran.printed {
        let lines = match extent {
            Extent::Whole => String::new(),
            Extent::Part => ":part".to_owned(),
            Extent::Lines(range) if range.last() == u32::MAX => format!(":{}-", range.first()),
            Extent::Lines(range) => format!(":{}-{}", range.first(), range.last()),
        };
        said.push(format!("= {}{lines}", place.as_str()));
    }
    said.join(", ")
}

/// Notes a script of which something else is told.
fn same(wrong: &mut Vec<String>, script: &str, told: &str, expected: &str) {
    if told != expected {
        wrong.push(format!("{script}\n    told:     {told}\n    expected: {expected}"));
    }
}

#[test]
fn what_was_printed() {
    let mut wrong = Vec::new();
    for (script, expected) in [
        ("cat src/a.ts", "= src/a.ts"),
        ("sed -n '10,20p' 'my file'", "= my file:10-20"),
        ("nl -ba a | sed -n '1,5p'", "= a:1-5"),
        ("head -n 5 a", "= a:1-5"),
        ("head -5 a", "= a:1-5"),
        ("head a", "= a:1-10"),
        ("head -n 0 a", ""),
        ("head -n +5 a", ""),
        ("head -n -5 a", ""),
        ("head -c 50 a", "= a:part"),
        ("tail -n 5 a", "= a:part"),
        ("tail -n +5 a", "= a:5-"),
        ("tail -f a", ""),
        ("sed -n '10,$p' a", "= a:10-"),
        ("sed -n '10,+5p' a", "= a:10-15"),
        ("sed -n '10,5p' a", "= a:10-10"),
        ("sed -n '7p' a", "= a:7-7"),
        ("sed -n '0,5p' a", ""),
        ("sed -n '10,20p;20q' a", "= a:10-20"),
        ("sed 20q a", "= a:1-20"),
        ("sed -n '1,10p;20,30p' a", "= a:part"),
        ("sed -n '1,/re/p' a", "= a:part"),
        ("sed -n '1~10,3p' a", "= a:part"),
        ("sed -n 's/a/b/p' a", ""),
        ("sed -n '$=' a", ""),
        ("nl -ba a | sed -n '1,10p;90,95p'", "= a:part"),
        ("head -n 20 a | tail -n +5", "= a:5-20"),
        ("head -n 20 a | head -n 5", "= a:1-5"),
        ("tail -n +10 a | cat -n", ""),
        ("awk 'NR>=10 && NR<=20' a", "= a:10-20"),
        ("cd /x && cat a", "at /x, = /x/a"),
        ("cd x && cat a", "at x, = x/a"),
        ("cd x; cat a", "somewhere"),
        ("(cd x && cat a)", "= x/a"),
        ("bash -lc 'cd x && cat a'", "= x/a"),
        ("cat < a", "= a"),
        ("/bin/cat a", "= a"),
        ("command cat a", "= a"),
        ("timeout 5 cat a", "= a"),
        ("cat a b", ""),
        ("cat a; cat b", ""),
        ("cat a | grep x", ""),
        ("cat $FILE", ""),
        ("cat a > b", "write b"),
        ("cat a &> b", "write b"),
        ("cat a >& b", "write b"),
        ("cat a 2>/dev/null | head -5", ""),
        ("cat a || true", ""),
        ("! cat a", ""),
        ("cat a && echo done", ""),
        ("echo x > a && cat a", "write a, = a"),
        ("cat a && echo x > a", "write a"),
        ("cat a | tee b", "write b"),
        ("cat a | tee a", "write a"),
        ("cat a & cat b", ""),
        ("set -euo pipefail; cat a", "= a"),
        ("set -x; cat a", "?, somewhere"),
        ("cat() { rm b; }; cat a", "?, somewhere"),
        ("alias cat=rm; cat a", "?, somewhere"),
        ("docker exec x cat a", "?"),
        ("time cat a", ""),
        ("cat a/../b", ""),
        ("cat ../a", "= ../a"),
        ("cd x && cat ../a", "at x"),
        ("cd x/.. && cat a", "= a"),
    ] {
        let told = claims(script, Exit::Zero);
        same(&mut wrong, script, &told, expected);
    }
    for (script, expected) in [
        ("cat a", "= a"),
        ("cd /x && cat a", "somewhere, = /x/a"),
        ("cat a 2>/dev/null", ""),
        ("[ -f a ] && cat a", ""),
        ("cd x || exit 1; cat a", "somewhere, = x/a"),
    ] {
        same(&mut wrong, script, &claims(script, Exit::Unknown), expected);
    }
    assert_eq!(claims("cat a", Exit::NonZero), "");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn where_the_shell_is() {
    let mut wrong = Vec::new();
    for (script, expected) in [
        ("cd /x", "at /x"),
        ("cd ~/other", "somewhere"),
        ("cd \"$(npm root -g)/x\"", "?, somewhere"),
        ("cd -", "somewhere"),
        ("cd", "somewhere"),
        ("cd $X", "somewhere"),
        ("cd *", "somewhere"),
        ("cd -P x", "somewhere"),
        ("CDPATH=/y cd x", "?, somewhere"),
        ("CDPATH= cd x", "at x"),
        ("cd ~ && cd /x", "at /x"),
        ("cd ~; cd /x", "at /x"),
        ("cd /x; ls", "somewhere"),
        ("cd /x && ls", "at /x"),
        ("cd /x || exit 1; ls", "at /x"),
        ("cd /x || { echo no >&2; exit 1; }\nls", "at /x"),
        ("ls || cd /x", "somewhere"),
        ("(cd /x)", ""),
        ("cd /x | cat", ""),
        ("cat a | cd /x", "somewhere"),
        ("cd /x &", ""),
        ("{ cd /x; }", "at /x"),
        ("pushd /x", "somewhere"),
        ("eval ls", "?, somewhere"),
        ("source a && ls", "?, somewhere"),
        ("if true; then cd /x; fi", "somewhere"),
        ("for a in b; do cd $a; done", "somewhere"),
        ("for a in b; do echo $a; done", ""),
        ("f() { cd /x; }", ""),
        ("f() { cd /x; }; f", "?, somewhere"),
        ("env cd /x", ""),
        ("command cd /x", "at /x"),
        ("bash -c 'cd /x'", ""),
        ("cd a && cd ..", ""),
        ("cd ..", "at .."),
        ("[ -d x ] && exit 0; cd /x", "somewhere"),
        ("z project", "?, somewhere"),
        ("./run.sh", "?"),
        ("cd D:/x && cd ../y", "at D:/y"),
        ("cd ~ && cd D:/x", "at D:/x"),
    ] {
        same(&mut wrong, script, &claims(script, Exit::Zero), expected);
    }
    for exit in [Exit::Unknown, Exit::NonZero] {
        assert_eq!(claims("ls && grep x a", exit), "");
    }
    assert_eq!(claims("cd /x", Exit::NonZero), "");
    assert_eq!(claims("cd /x", Exit::Unknown), "somewhere");
    assert_eq!(claims("cd /x", Exit::ZeroOrBenign), "at /x");
    assert_eq!(claims("cd /x && grep a b", Exit::ZeroOrBenign), "somewhere");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_happened_to_files() {
    let mut wrong = Vec::new();
    for (script, expected) in [
        ("echo hi > a 2>&1", "write a"),
        ("echo hi >| a", "write a"),
        ("> a", "write a"),
        ("echo hi >> a", "a?"),
        ("echo hi <> a", "a?"),
        ("make 2>/dev/null", "?"),
        ("make 2>&1 | tee log", "write log, ?"),
        ("cat > a <<'EOF'\nrm b\nEOF", "write a"),
        ("cat <<EOF > a\n$(rm b)\nEOF", "b?, write a"),
        ("cat <<-EOF\n\trm b\n\tEOF\nrm c", "delete c"),
        ("rm -f a b", "delete a, delete b"),
        ("rm -i a", "a?"),
        ("rm -- -a", "delete -a"),
        ("rm -rf a/", "a?"),
        ("rm a/../b", "?"),
        ("rm $X", "?"),
        ("rm a || true", "a?"),
        ("rm a; ls", "a?"),
        ("rm a && ls", "delete a"),
        ("ls && rm a", "delete a"),
        ("ls || rm a", "a?"),
        ("rm a &", "a?"),
        ("! rm a", "a?"),
        ("if true; then rm a; fi", "a?"),
        ("mv a b", "move a b, b/a?"),
        ("mv a b/", "move a b/a"),
        ("mv -n a b", "move? a b, b/a?"),
        ("mv a b c", "move a c/a, move b c/b"),
        ("mv a b; ls", "move? a b, b/a?"),
        ("git mv a b", "move a b, b/a?"),
        ("cp a b", "write b, b/a?"),
        ("cp -n a b", "b?"),
        ("cp -r a b", "?"),
        ("ln -s a b", "?"),
        ("cp x/a b/", "write b/a"),
        ("sed -i 's/a/b/' a", "a?"),
        ("sed -i.bak 's/a/b/' a", "a?, a.bak?"),
        ("sed -i '' 's/a/b/' a", "a?"),
        ("sed -n 's/a/b/w out' a", "?"),
        ("sed -i 's/[[:space:]]*$//' a", "a?"),
        ("dd if=a of=b", "write b"),
        ("dd if=a of=b conv=notrunc", "?"),
        ("tee -a log", "log?"),
        ("touch a", "a?"),
        ("git restore a", "a?"),
        ("git restore --staged a", ""),
        ("git reset", ""),
        ("git reset HEAD a", ""),
        ("git reset --hard", "?"),
        ("git rm --cached a", ""),
        ("git rm a", "delete a"),
        ("git stash", "?"),
        ("git stash list", ""),
        ("git checkout main", "?"),
        ("git status && git diff", ""),
        ("git commit -m x", "?"),
        ("npm test", "?"),
        ("ls # lists > a", ""),
        ("[[ x > a ]] && echo y", "?"),
        ("(( x > 3 ))", "?"),
        ("(( x < 3 ))", ""),
        ("echo 'a > b' \"> c\" \\> d", ""),
        ("echo hi > /dev/null", ""),
        ("find . -name x -delete", "?"),
        ("find . -name x -exec cat {} +", ""),
        ("ls | xargs rm", "?"),
        ("ls | xargs wc -l", ""),
        ("python -c 'print(1)'", "?"),
        ("awk '{print > \"x\"}' a", "?"),
        ("awk 'NR>=3' a", "= a:3-"),
        ("sort -o a b", "?"),
        ("echo x > $F", "?"),
        ("cd x && rm a", "delete x/a, at x"),
        ("cd x; rm a", "?, somewhere"),
        ("cd ~ && rm a", "?, somewhere"),
        ("cd ~ && rm /a", "delete /a, somewhere"),
        ("ssh host rm a", "?"),
        ("bash -c 'rm a'", "delete a"),
        ("sudo rm a", "delete a"),
        ("env X=1 rm a", "delete a"),
        ("echo $((1/0)); rm a\nls", "a?"),
        ("rm a > b", "write b, delete a"),
        ("(((((", "?, somewhere"),
        ("cat <<EOF", "?, somewhere"),
        ("echo 'a", "?, somewhere"),
    ] {
        same(&mut wrong, script, &claims(script, Exit::Zero), expected);
    }
    for exit in [Exit::Unknown, Exit::NonZero] {
        assert_eq!(claims("echo x > a && rm b && mv c d/", exit), "a?, b?, move? c d/c");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_edits_may_quote() {
    let mut wrong = Vec::new();
    for script in [
        "cat a",
        "cat a b",
        "bat a",
        "less a",
        "tac a",
        "nl a",
        "cut -c1-80 a",
        "paste a b",
        "/bin/cat a",
        "command cat a",
        "bash -c \"cat a\"",
        "env cat a",
        "docker exec x cat a",
        "ssh host cat a",
        "kubectl exec x -- cat a",
        "git show HEAD:src/lib.rs",
        "git show HEAD",
        "git cat-file -p HEAD:a",
        "git diff HEAD -- a",
        "git log -p",
        "git blame a",
        "diff a b",
        "grep -rn x src",
        "grep x a",
        "rg x",
        "ag x",
        "git grep x",
        "find src -name '*.rs' -exec cat {} +",
        "git ls-files | xargs cat",
        "python -c 'print(open(\"a\").read())'",
        "node -e 'console.log(require(\"fs\").readFileSync(\"a\"))'",
        "jq . a",
        "cat a | jq .",
        "yq . a",
        "xmllint a",
        "./show.sh",
        "show-code a",
        "node script.js",
        "cat a | grep x",
        "for f in a b; do cat \"$f\"; done",
        "echo '--- a' ; cat a ; npm test",
        "cat $(git ls-files)",
        "sed -n '1,380p' a && sed -n '1,320p' b",
        "awk 'NR>=10 && NR<=20' a",
        "awk '{ s += $1 } END { print s }' a",
        "(cd /r && cat a b)",
        "while read -r l; do echo \"$l\"; done < a",
        "X=$(cat a); echo \"$X\"",
        "echo $(cat $V) 2>/dev/null; unlink a | tee b",
        "echo $(mystery)",
        "cat a | echo \"$(cat)\"",
        "{ cat; } < a",
        "cat a | (cat)",
        "cat < a",
        "cat a | tee b",
        "f() { cat a; }; f",
        "cargo run",
        "npx prettier a.ts",
        "git stash show -p",
        "cat a 2>&1 | tail -5",
        "gh pr diff",
        "mystery",
        "curl file:///a",
        "echo 'unclosed",
    ] {
        same(&mut wrong, script, &run(script, Dialect::Posix, Exit::Unknown).may_quote.to_string(), "true");
    }
    for script in [
        "npm test",
        "npm test 2>&1 | tail -n 700",
        "npm run build && npm test",
        "cargo build --release 2>&1 | grep -E 'error|warning'",
        "go test ./...",
        "make",
        "pytest -x",
        "python -m pytest",
        "npx jest",
        "npx tsc --noEmit",
        "npx -y eslint .",
        "gradle build",
        "./gradlew --version",
        "mvn test",
        "pip install x",
        "apt-get install -y x",
        "docker build .",
        "docker compose up -d",
        "docker logs x | tail -n 20",
        "kubectl get pods",
        "ls -la",
        "find . -name x",
        "ps aux",
        "df -h",
        "du -sh .",
        "wc -l a",
        "cat a | wc -l",
        "curl -s https://x.org/",
        "curl -s localhost:3000/api | jq .",
        "git status",
        "gh pr view 5 --json title",
        "npm view x version",
        "git push",
        "git pull --rebase",
        "git fetch",
        "git commit -m 'cat a'",
        "git log --oneline -5",
        "git diff --stat",
        "git show --stat",
        "git checkout main",
        "git add -A",
        "echo cat a",
        "echo \"exit: $?\"",
        "printf '%s\\n' x",
        "mkdir -p a",
        "touch a",
        "cat a > b",
        "cat > a <<'EOF'\nx\nEOF",
        "sed -i 's/a/b/' a",
        "grep -rl x .",
        "grep -c x a",
        "rg -l x",
        "cd /r && npm test",
        "node --test",
        "sleep 5",
        "true",
        "",
        "python -c 'print(1+1)'",
        "for i in 1 2 3; do npm test; done",
        "timeout 60 npm test || true",
        "if npm test; then echo ok; fi",
        "git commit -m \"$(cat <<'EOF'\nx\nEOF\n)\"",
        "cd \"$(git rev-parse --show-toplevel)\" && npm test",
        "npm test 2>&1 | (grep x)",
        "echo a | echo \"$(date)\"",
    ] {
        same(&mut wrong, script, &run(script, Dialect::Posix, Exit::Unknown).may_quote.to_string(), "false");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_changes_the_shell() {
    let mut wrong = Vec::new();
    for script in [
        "export X=1",
        "X=1",
        "alias a=b",
        "f() { ls; }",
        "source a",
        ". a",
        "eval x",
        "set -e",
        "unset X",
        "shopt -s extglob",
        "ulimit -n 9",
        "umask 2",
        "trap x EXIT",
        "read x",
        "nvm use 20",
        "cd a && export X=1",
        "exec > log",
        "for x in a; do ls; done",
        ": ${X:=1}",
        "((x++))",
    ] {
        same(&mut wrong, script, &run(script, Dialect::Posix, Exit::Zero).changes_environment.to_string(), "true");
    }
    for script in [
        "ls",
        "X=1 make",
        "(export X=1)",
        "bash -c 'export X=1'",
        "cd a",
        "npm test | tail -5",
        "[[ -f a ]]",
        "git status",
    ] {
        same(&mut wrong, script, &run(script, Dialect::Posix, Exit::Zero).changes_environment.to_string(), "false");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn which_codes_some_harnesses_hide() {
    let mut wrong = Vec::new();
    for script in [
        "grep x a",
        "cat a | grep x",
        "[ -f a ]",
        "test -f a",
        "[[ -f a ]]",
        "diff a b",
        "ls | xargs grep x",
        "bash -c 'rg x'",
        "find . -exec grep x {} +",
    ] {
        same(&mut wrong, script, &run(script, Dialect::Posix, Exit::Zero).may_be_benign.to_string(), "true");
    }
    for script in ["npm test", "cat a", "echo grep"] {
        same(&mut wrong, script, &run(script, Dialect::Posix, Exit::Zero).may_be_benign.to_string(), "false");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn shells_of_windows() {
    let mut wrong = Vec::new();
    for (script, expected) in [
        ("Get-Content a.txt", "= a.txt"),
        ("gc src\\a.ts -TotalCount 20", "= src/a.ts:1-20"),
        ("Get-Content -Path 'C:\\x\\a.ts' -Tail 5", "= C:/x/a.ts:part"),
        ("Get-Content a, b", ""),
        ("Get-Content a | Select-Object -First 5", "= a:1-5"),
        ("cat a | Select-String x", ""),
        ("Set-Location sub; Get-Content a", "somewhere"),
        ("cd sub && type a", "at sub, = sub/a"),
        ("'x' | Set-Content a", "?, a?, somewhere"),
        ("Set-Content -Path a -Value 'x'", "write a"),
        ("echo x > a", "write a"),
        ("echo x >> a", "a?"),
        ("Add-Content a", "a?"),
        ("Remove-Item a -Recurse -Force", "delete a"),
        ("del a", "delete a"),
        ("Move-Item a b", "move a b, b/a?"),
        ("Copy-Item a b", "write b, b/a?"),
        ("cd $env:TEMP; Get-Content a", "somewhere"),
        ("npm test 2>&1", "?"),
        ("if (Test-Path a) { rm a }", "?, somewhere"),
        ("Get-ChildItem -Recurse", ""),
    ] {
        same(&mut wrong, script, &told(&run(script, Dialect::PowerShell, Exit::Zero)), expected);
    }
    for (script, expected) in [
        ("type a.txt", "= a.txt"),
        ("type a b", ""),
        ("cd /d C:\\x && type a", "at C:/x, = C:/x/a"),
        ("cd sub & type a", "somewhere"),
        ("del a", "a?"),
        ("copy a b", "a?, b?"),
        ("move a b", "move? a b, b/a?"),
        ("echo x > a", "write a"),
        ("type %X%", ""),
        ("for %f in (*) do del %f", "?, somewhere"),
    ] {
        same(&mut wrong, script, &told(&run(script, Dialect::Cmd, Exit::Zero)), expected);
    }
    for (script, expected) in [
        ("cat a", "= a"),
        ("cd sub && cat a", "at sub, = sub/a"),
        ("echo x > a", "write a"),
        ("cat 'my file'", ""),
        ("rm a", "?, somewhere"),
        ("type a", ""),
    ] {
        same(&mut wrong, script, &told(&run(script, Dialect::Unknown, Exit::Zero)), expected);
    }
    for script in ["Get-Content a", "type a", "Select-String x a", "gc a | Select-Object -First 3", "unknown-thing"] {
        same(&mut wrong, script, &run(script, Dialect::PowerShell, Exit::Unknown).may_quote.to_string(), "true");
    }
    for script in ["npm test", "npm test 2>&1 | Select-Object -Last 40", "git status; npm run build"] {
        same(&mut wrong, script, &run(script, Dialect::PowerShell, Exit::Unknown).may_quote.to_string(), "false");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn commands_as_words() {
    assert_eq!(script_of(&["bash", "-lc", "cat a | wc"]), "cat a | wc");
    assert_eq!(script_of(&["cat", "my file"]), "cat 'my file'");
    let patch = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** Add File: b\n+x\n*** End Patch";
    let ran = run(&script_of(&["apply_patch", patch]), Dialect::Posix, Exit::Zero);
    let [Effect::Patch { text, directory: Directory::Same }] = ran.effects.as_slice() else { panic!("no patch") };
    assert_eq!(patched_files(text), [("src/a.ts", false), ("b", true)]);
    let there = run(&format!("cd /x && apply_patch <<'EOF'\n{patch}\nEOF"), Dialect::Posix, Exit::Zero);
    assert!(
        matches!(&there.effects[..], [Effect::Patch { directory: Directory::At(place), .. }] if place.as_str() == "/x")
    );
    let unclear = run(&format!("apply_patch \"{patch} `\""), Dialect::Posix, Exit::Zero);
    assert!(matches!(&unclear.effects[..], [Effect::Patch { .. }]), "{unclear:?}");
    let then = run(&format!("apply_patch <<'EOF'\n{patch}\nEOF\nrm a"), Dialect::Posix, Exit::Zero);
    assert!(matches!(&then.effects[..], [Effect::Patch { .. }, Effect::Delete(_)]), "{then:?}");
}

#[test]
fn where_bash_does_something_else_than_it_seems() {
    let mut wrong = Vec::new();
    for (script, exit, expected) in [
        // The `-` is cut off: this closes the output.
        ("echo a >& --", Exit::Zero, "?"),
        ("echo a >& f-", Exit::Zero, "?"),
        // Where `new` is missing, nothing is written, and the pipeline ends with 0.
        ("exit 3 | < new > a", Exit::Zero, "a?"),
        // The search may complain about a missing file.
        ("echo $(grep -c x new) > a && cat a", Exit::Zero, "write a"),
        // A division by 0 ends the shell.
        ("echo $((n/0)); ! cd sub", Exit::NonZero, "somewhere"),
        ("echo $((n/2)); cd /sub", Exit::Zero, "at /sub"),
        // Given up in a loop, bash takes a later `break` for its end, and ends with 0.
        ("for v in a; do echo $((n/0)); done\nbreak; cat b", Exit::Zero, "somewhere"),
        ("! cd /sub || exit 1; ! cd /nodir", Exit::Zero, ""),
        // The last program may complain, although what it prints goes elsewhere.
        ("cat a && cat new >> /dev/null", Exit::Unknown, ""),
        ("cat a && cat < new > /dev/null", Exit::Unknown, ""),
        // A question is no output.
        ("> new rm -i c && cat b", Exit::Zero, "write new, c?"),
    ] {
        same(&mut wrong, script, &claims(script, exit), expected);
    }
    assert!(run("head -v <> a", Dialect::Posix, Exit::Zero).may_quote);
    // What is after `&&` never ran.
    same(&mut wrong, "! X+=1 && cat a | cat", &claims("! X+=1 && cat a | cat", Exit::Unknown), "");
    // The redirection fails, and the shell goes on.
    assert!(claims("! cd sub || exit 1 > '.'; ! cd /nodir", Exit::Zero).ends_with("somewhere"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
