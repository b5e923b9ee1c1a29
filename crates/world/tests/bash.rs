//! The engine says less of a script than bash did, never something else.
//!
//! Random scripts run over a small tree of files. The claims of directory, files and output are compared with what was there before and after.
//! `BASH_SECONDS` says how long, `BASH_THREADS` how many bashs run at once, and `TEST_SEED` repeats a run.

#![cfg(target_os = "linux")]

#[path = "bash/generate.rs"]
mod generate;
#[path = "bash/judge.rs"]
mod judge;
#[path = "bash/tree.rs"]
mod tree;

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use generate::Maker;
use judge::{Counts, Happened, judge};
use palimpsest_text::random::below_from;
use palimpsest_world::shell::{Dialect, Exit, run};
use tree::{NOBODY, Tree, files, is_root};

/// Number of scripts that one bash runs.
const BATCH: usize = 64;

/// What describes the shell after a script, as far as builtins tell it without starting a program.
const STATE: &str = r#"printf '%s\0' "$?" "$PWD" >&9; { printf '%s ' "$-" "$V" "$D" "$E" "$X" "$Q" "$Z" "$x" "$v" "$n" "${m[*]}" "${a[*]}" "$N" "$#" "$PATH" "$CDPATH"; declare -F; alias; trap; shopt nullglob; umask; export -p X V Z; } >&9 2>&1; wait"#;

/// Runs the scripts of a directory, each in a subshell or in a bash of its own.
const DRIVER: &str = r#"
export V=b D=sub E= HOME; B=$1; n=$2; kind=$3; [ "$4" ] && ulimit -u "$4"; unset -v x v m a N X Q Z
for ((i = 0; i < n; i++)); do
  IFS= read -r -d '' s < "$B/$i.sh"
  S="$B/$i/1/2/3/4/5/6/7/8/9/start"; HOME="$S/../home"
  if [ "$kind" = eval ]; then
    ( ulimit -t 2 -f 100; cd "$S" || exit; OLDPWD="$S/sub"; exec 9> "$B/$i.end" > "$B/$i.out" 2>&1 < /dev/null; trap - EXIT; unset -v B i kind S n; eval "$s" )
  else
    ( ulimit -t 2 -f 100; cd "$S" || exit; OLDPWD="$S/sub"; exec 9> "$B/$i.end" > "$B/$i.out" 2>&1 < /dev/null; unset -v n; exec bash -c "$s" )
  fi
  echo "$?" > "$B/$i.code"
done 2> /dev/null
"#;

fn shared_memory() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() }
}

/// Ends what a bash and its scripts started.
fn end_group(leader: u32) {
    let mut kill = Command::new("kill");
    kill.args(["-KILL", "--", &format!("-{leader}")]).stderr(Stdio::null()).status().ok();
}

/// Runs scripts, and returns what happened to each, where that is clear.
fn happened(place: &Path, scripts: &[String], trees: &[Tree], kind: &str) -> Option<Vec<Option<Happened>>> {
    for (number, script) in scripts.iter().enumerate() {
        fs::write(place.join(format!("{number}.sh")), format!("{script}\n{STATE}")).ok()?;
    }
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-c", DRIVER, "driver"]).arg(place).arg(scripts.len().to_string()).arg(kind);
    bash.stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .env_remove("BASH_ENV")
        .env_remove("CDPATH")
        .env("LC_ALL", "C");
    bash.process_group(0);
    if is_root() {
        // Nobody has no other processes, so that a limit harms none of them.
        bash.uid(NOBODY).gid(NOBODY).arg("400");
        std::os::unix::fs::chown(place, Some(NOBODY), Some(NOBODY)).ok()?;
    }
    let mut child = bash.spawn().ok()?;
    let started = Instant::now();
    while child.try_wait().ok()?.is_none() {
        std::thread::sleep(Duration::from_millis(2));
        // Some scripts may wait for something that never comes.
        if started.elapsed() > Duration::from_secs(30) {
            let stuck = (0..scripts.len()).find(|number| !place.join(format!("{number}.code")).exists());
            println!("given up: {:?}", stuck.map(|number| &scripts[number]));
            end_group(child.id());
            child.wait().ok()?;
            return None;
        }
    }
    // What scripts left running would write into the next ones' files.
    end_group(child.id());
    let read = |number: usize, what: &str| {
        let bytes = fs::read(place.join(format!("{number}.{what}"))).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let each = trees.iter().enumerate().map(|(number, tree)| {
        let end = read(number, "end");
        let mut parts = end.splitn(3, '\0');
        let code = parts.next().and_then(|code| code.parse().ok());
        let (directory, state) = (parts.next(), parts.next());
        // Where a part of a pipeline stops with an error, it goes on as if it were the shell, and ends twice.
        if state.is_some_and(|state| state.contains('\0')) {
            return None;
        }
        let end = directory.zip(state).map(|(directory, state)| (PathBuf::from(directory), state.to_owned()));
        // Who did not come to the end of the script ended the shell.
        let code = code.filter(|_| end.is_some()).or(read(number, "code").trim().parse().ok());
        Some(Happened { code, end, printed: read(number, "out"), after: files(&tree.root) })
    });
    Some(each.collect())
}

/// What a search found.
#[derive(Debug, Default)]
struct Found {
    scripts: usize,
    succeeded: usize,
    left_alone: usize,
    counts: Counts,
    wrong: Vec<String>,
}

fn search(seed: u64, until: Instant) -> Found {
    let mut below = below_from(seed);
    let mut found = Found::default();
    let place = shared_memory().join(format!("palimpsest-{}-{seed}", std::process::id()));
    let mut round = 0;
    while Instant::now() < until && found.wrong.len() < 20 {
        round += 1;
        fs::create_dir_all(&place).expect("directory");
        let kind = if below(4) == 0 { "process" } else { "eval" };
        let trees: Vec<Tree> =
            (0..BATCH).map(|number| Tree::new(&place.join(number.to_string()), round * BATCH + number)).collect();
        let mut scripts: Vec<String> =
            trees.iter().map(|tree| Maker::new(&mut below, tree.start.display().to_string()).script()).collect();
        // The first script does nothing, and shows the shell as it is.
        scripts[0] = ":".to_owned();
        if let Some(all) = happened(&place, &scripts, &trees, kind) {
            let plain =
                all[0].as_ref().and_then(|happened| happened.end.clone()).map(|(_, state)| state).unwrap_or_default();
            for ((script, tree), happened) in scripts.iter().zip(&trees).zip(&all) {
                let Some(happened) = happened else { continue };
                found.scripts += 1;
                found.succeeded += usize::from(happened.code == Some(0));
                let before: usize = found.counts.0.values().sum();
                if let Err(wrong) = judge(script, tree, happened, &plain, &mut found.counts) {
                    let said =
                        run(script, Dialect::Posix, if happened.code == Some(0) { Exit::Zero } else { Exit::NonZero });
                    found.wrong.push(format!(
                        "{kind}, seed {seed}, code {:?}\n{script}\n--- {wrong}\n{said:?}\nprinted {:?}\n",
                        happened.code, happened.printed
                    ));
                }
                found.left_alone += usize::from(found.counts.0.values().sum::<usize>() == before);
            }
        }
        fs::remove_dir_all(&place).ok();
    }
    found
}

#[test]
fn the_engine_never_says_something_else_than_bash() {
    let works =
        Command::new("bash").args(["-c", "((BASH_VERSINFO[0] >= 4))"]).status().is_ok_and(|status| status.success());
    if !works {
        println!("skipped: there is no bash here");
        return;
    }
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
    let seed = number("TEST_SEED").unwrap_or(now % 1_000_000_007);
    let until = Instant::now() + Duration::from_secs(number("BASH_SECONDS").unwrap_or(20));
    println!("TEST_SEED={seed}");
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get().min(4)) as u64;
    let threads = number("BASH_THREADS").unwrap_or(processors);
    let found: Vec<Found> = std::thread::scope(|scope| {
        let searches: Vec<_> =
            (0..threads).map(|thread| scope.spawn(move || search(seed.wrapping_add(thread), until))).collect();
        searches.into_iter().map(|search| search.join().expect("search")).collect()
    });
    let mut all = Found::default();
    for one in found {
        all.scripts += one.scripts;
        all.succeeded += one.succeeded;
        all.left_alone += one.left_alone;
        all.wrong.extend(one.wrong);
        one.counts.0.into_iter().for_each(|(kind, count)| *all.counts.0.entry(kind).or_default() += count);
    }
    println!(
        "{} scripts, {} ended with 0, {} left alone; claims: {:?}",
        all.scripts, all.succeeded, all.left_alone, all.counts.0
    );
    assert!(all.wrong.is_empty(), "{} false claims, TEST_SEED={seed}\n{}", all.wrong.len(), all.wrong.join("\n"));
    // Who claims nothing is never wrong.
    let share = |kind: &str| *all.counts.0.get(kind).unwrap_or(&0) as f64 / all.scripts.max(1) as f64;
    for (kind, least) in [
        ("same directory", 0.3),
        ("another directory", 0.01),
        ("overwrite", 0.03),
        ("delete", 0.005),
        ("move", 0.002),
        ("moved text", 0.001),
        ("no other file", 0.3),
        ("printed file", 0.01),
        ("printed lines", 0.003),
        ("no line to quote", 0.2),
        ("same environment", 0.2),
    ] {
        assert!(all.scripts < 2_000 || share(kind) >= least, "{kind}: {} of {} scripts", share(kind), all.scripts);
    }
}
