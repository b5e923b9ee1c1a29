//! Pruning, rule by rule: for each sentence of a rule, a conversation in which content is removed and one in which it stays.

mod support;

use palimpsest_agent::prune::{Options, Rule};
use palimpsest_history::transcript::Status;
use palimpsest_world::tools::{Tool, ToolKind};
use serde_json::json;
use support::{Talk, prose};

fn options() -> Options<'static> {
    Options { keep_recent: 0, ..Options::default() }
}

/// A file of `count` lines as Claude Code shows it from line `first` on. All lines have the same words.
fn listing(first: u32, count: u32) -> String {
    (first..first + count).map(|line| format!("{line:>6}→the line of the file, word for word\n")).collect()
}

fn read(talk: &mut Talk, path: &str, text: &str) -> usize {
    talk.call("Read", json!({"file_path": path}), text)
}

fn read_lines(talk: &mut Talk, path: &str, first: u32, count: u32) -> usize {
    talk.call("Read", json!({"file_path": path, "offset": first, "limit": count}), &listing(first, count))
}

fn edit(talk: &mut Talk, path: &str, new: &str) -> usize {
    talk.call("Edit", json!({"file_path": path, "old_string": prose("old"), "new_string": new}), "done")
}

fn write(talk: &mut Talk, path: &str, content: &str) -> usize {
    talk.call("Write", json!({"file_path": path, "content": content}), "done")
}

fn bash(talk: &mut Talk, command: &str, output: &str) -> usize {
    talk.call("Bash", json!({"command": command}), output)
}

#[test]
fn a_read_is_stale_when_the_file_is_written_edited_or_created_later() {
    for change in [edit as fn(&mut Talk, &str, &str) -> usize, write] {
        let mut talk = Talk::new();
        let stale = read(&mut talk, "/r/a.ts", &prose("a"));
        let other = read(&mut talk, "/r/b.ts", &prose("b"));
        change(&mut talk, "/r/a.ts", "new");
        let fresh = read(&mut talk, "/r/a.ts", &prose("new a"));
        let pruned = talk.prune(&options());
        assert!(pruned.result(stale).contains("stale read of"), "{}", pruned.result(stale));
        assert!(pruned.is_untouched(other) && pruned.is_untouched(fresh));
        assert_eq!(pruned.count(Rule::StaleRead), 1);
    }
}

#[test]
fn a_read_is_stale_when_the_file_is_read_again_in_full() {
    let mut talk = Talk::new();
    let part = read_lines(&mut talk, "/r/a.ts", 10, 20);
    let first = read(&mut talk, "/r/a.ts", &listing(1, 40));
    let second = read(&mut talk, "/r/a.ts", &listing(1, 41));
    let pruned = talk.prune(&options());
    assert!(pruned.result(part).contains("stale read") && pruned.result(first).contains("stale read"));
    assert!(pruned.is_untouched(second));
}

#[test]
fn line_ranges_are_respected() {
    let mut talk = Talk::new();
    let far = read_lines(&mut talk, "/r/a.ts", 200, 100);
    let inner = read_lines(&mut talk, "/r/a.ts", 10, 20);
    let outer = read_lines(&mut talk, "/r/a.ts", 1, 50);
    let pruned = talk.prune(&options());
    assert!(pruned.is_untouched(far), "lines 1 to 50 do not replace 200 to 300");
    assert!(pruned.result(inner).contains("stale read"), "they do replace 10 to 29");
    assert!(pruned.is_untouched(outer));
}

#[test]
fn overlapping_reads_are_cut_to_what_is_new() {
    let mut talk = Talk::new();
    let first = read_lines(&mut talk, "/r/a.ts", 1, 50);
    let second = read_lines(&mut talk, "/r/a.ts", 31, 60);
    let pruned = talk.prune(&options());
    let kept = pruned.result(first);
    assert!(kept.contains("[… lines 31–50]"), "{kept}");
    assert!(kept.contains(&listing(1, 30)) && !kept.contains("    31→"));
    assert!(pruned.is_untouched(second));
    assert_eq!((pruned.count(Rule::OverlappingRead), pruned.count(Rule::StaleRead)), (1, 0));
}

#[test]
fn the_numbers_of_a_table_are_not_those_of_its_lines() {
    // The file's third line has number 2, because its first one is a heading.
    let row = |id: u32| format!("{id}\tthe row of the table that says all there is to say about it: name{id}\n");
    let table = format!("id\tname\n{}", (1..=20).map(row).collect::<String>());
    let lines =
        |from: usize, to: usize| table.split_inclusive('\n').skip(from - 1).take(to + 1 - from).collect::<String>();
    for asked in [json!({"absolute_path": "/r/t.tsv"}), json!({"absolute_path": "/r/t.tsv", "offset": 0, "limit": 21})]
    {
        let mut talk = Talk::new();
        let whole = talk.call("read_file", asked, &table);
        talk.call("read_file", json!({"absolute_path": "/r/t.tsv", "offset": 4, "limit": 10}), &lines(5, 14));
        let kept = talk.prune(&options()).result(whole);
        assert!(kept.contains(&lines(1, 4)) && kept.contains(&lines(15, 21)), "{kept}");
        assert!(!kept.contains(&row(8)), "{kept}");
    }
    // A heading of the tool's is no line of the file, even above few lines.
    let long = "a long line ".repeat(80);
    let shown = format!("Here's the result of running `cat -n` on /r/a.ts:\n     1\t{long}\n     2\tshort\n");
    for last in [2, 3] {
        let mut talk = Talk::new();
        let asked = json!({"command": "view", "path": "/r/a.ts", "view_range": [1, last]});
        let both = talk.call("str_replace_based_edit_tool", asked, &shown);
        talk.call("read_file", json!({"absolute_path": "/r/a.ts", "offset": 1, "limit": 1}), "short\n");
        assert!(talk.prune(&options()).result(both).contains(&long));
    }
    let mut talk = Talk::new();
    let new = (1..=20).map(|line| format!("let name{line} = compute(total);")).collect::<Vec<_>>().join("\n");
    let edit = edit(&mut talk, "/r/a.ts", &new);
    talk.call("read_file", json!({"absolute_path": "/r/a.ts", "offset": 0, "limit": 3}), "1\ta\n// a note\n2\tb");
    assert!(talk.prune(&options()).is_untouched(edit), "three lines were read, not all");
}

#[test]
fn a_long_read_that_an_edit_made_stale_keeps_the_names_that_nothing_else_says() {
    let common = "the line of the file, word for word\n".repeat(60);
    let mut talk = Talk::new();
    let stale = read(&mut talk, "/r/a.ts", &format!("{common}fn only_here() {{}}\n{common}"));
    let other = read(&mut talk, "/r/b.ts", &common);
    edit(&mut talk, "/r/a.ts", "new");
    let pruned = talk.prune(&options());
    let kept = pruned.result(stale);
    assert!(kept.contains("stale read of") && kept.contains("\nfn only_here() {}\n"), "{kept}");
    assert!(kept.len() < 300 && pruned.is_untouched(other));
    // A whole write replaced the earlier content.
    write(&mut talk, "/r/a.ts", "new");
    assert!(!talk.prune(&options()).result(stale).contains("only_here"));
}

#[test]
fn a_short_excerpt_outlives_edits_until_its_lines_are_shown_or_written_again() {
    let mut talk = Talk::new();
    let (short, long) = (read_lines(&mut talk, "/r/a.ts", 10, 20), read_lines(&mut talk, "/r/a.ts", 100, 50));
    edit(&mut talk, "/r/a.ts", "new");
    edit(&mut talk, "/r/a.ts", "newer");
    let pruned = talk.prune(&options());
    assert!(pruned.is_untouched(short), "the edits say what became of it");
    assert!(pruned.result(long).contains("stale read"));
    let mut written = talk.clone();
    write(&mut written, "/r/a.ts", "all");
    read_lines(&mut talk, "/r/a.ts", 5, 30);
    for talk in [written, talk] {
        assert!(talk.prune(&options()).result(short).contains("stale read"));
    }
}

#[test]
fn of_several_whole_writes_only_the_last_stays() {
    let mut talk = Talk::new();
    let first = write(&mut talk, "/r/a.ts", &prose("one"));
    let last = write(&mut talk, "/r/a.ts", &prose("two"));
    let pruned = talk.prune(&options());
    let arguments: serde_json::Value = serde_json::from_str(&pruned.arguments(first)).expect("still JSON");
    assert_eq!(arguments["file_path"], "/r/a.ts");
    assert!(arguments["content"].as_str().is_some_and(|text| text.starts_with("[palimpsest:")));
    assert!(pruned.is_untouched(last));
    assert_eq!(pruned.count(Rule::StaleEdit), 1);
}

#[test]
fn an_edit_goes_only_where_a_whole_write_or_a_read_holds_its_result() {
    let new = prose("new text");
    let with = |later: &dyn Fn(&mut Talk)| {
        let mut talk = Talk::new();
        let first = edit(&mut talk, "/r/a.ts", &new);
        later(&mut talk);
        (talk.prune(&options()).count(Rule::StaleEdit), talk.prune(&options()).is_untouched(first))
    };
    assert_eq!(
        with(&|talk| {
            edit(talk, "/r/a.ts", "more");
        }),
        (0, true),
        "a partial edit holds nothing of it"
    );
    assert_eq!(
        with(&|talk| {
            write(talk, "/r/a.ts", "all");
        }),
        (1, false)
    );
    assert_eq!(
        with(&|talk| {
            write(talk, "/r/b.ts", "all");
        }),
        (0, true)
    );
    assert_eq!(
        with(&|talk| {
            read(talk, "/r/a.ts", "all of it");
        }),
        (1, false)
    );
    let shows = |text: String| {
        move |talk: &mut Talk| {
            talk.call("Read", json!({"file_path": "/r/a.ts", "offset": 7, "limit": 9}), &text);
        }
    };
    assert_eq!(with(&shows(format!("     7→before\n     8→{new}\n"))), (1, false), "the lines read show it");
    assert_eq!(with(&shows(listing(7, 9))), (0, true), "other lines do not");
    // A read that is removed itself holds nothing for long.
    assert_eq!(
        with(&|talk| {
            read(talk, "/r/a.ts", &prose("a"));
            edit(talk, "/r/a.ts", "x");
        }),
        (0, true)
    );
}

/// What is done in a conversation, and its name.
type Work<'w> = (&'w str, &'w dyn Fn(&mut Talk));

#[test]
fn what_one_rule_cut_gives_no_other_edit_its_turn_the_second_time() {
    let shown = |numbers: std::ops::Range<u32>| -> String {
        numbers.map(|number| format!("{number}\t{}\n", prose(&format!("part {number}")))).collect()
    };
    let read_of = |talk: &mut Talk, numbers: std::ops::Range<u32>| {
        talk.call("Read", json!({"file_path": "/r/a.ts", "offset": 1, "limit": 9}), &shown(numbers))
    };
    let edit_of = |talk: &mut Talk, number: u32| edit(talk, "/r/a.ts", &prose(&format!("part {number}")));
    let data = "iVBORw0KGgo".repeat(60);
    let talks: [Work<'_>; 4] = [
        ("more edits than are looked for in a read", &|talk| {
            (0..50).for_each(|number| _ = edit_of(talk, number));
            read_of(talk, 0..50);
        }),
        ("an edit that an earlier read does not show, and the last one does", &|talk| {
            edit_of(talk, 1);
            read_of(talk, 5..6);
            edit_of(talk, 2);
            read_of(talk, 1..4);
        }),
        ("a read of lines that a later read shows which goes itself", &|talk| {
            edit_of(talk, 1);
            talk.call("Read", json!({"file_path": "/r/a.ts", "offset": 1, "limit": 5}), &shown(1..6));
            talk.call("Read", json!({"file_path": "/r/a.ts", "offset": 5, "limit": 9}), &shown(5..14));
            edit_of(talk, 1);
        }),
        ("data in the part of an output that stays", &|talk| {
            talk.call("fetch", json!({"id": 1}), &format!("one\n{data}"));
            talk.call("fetch", json!({"id": 2}), &format!("{data}\n{}", "a line of the output\n".repeat(2000)));
        }),
    ];
    for (what, fill) in talks {
        for remove in [false, true] {
            let mut talk = Talk::new();
            fill(&mut talk);
            let options = Options { remove, ..options() };
            let pruned = talk.prune(&options);
            assert!(!pruned.edits().is_empty(), "{what}");
            assert_eq!(pruned.talk().prune(&options).edits(), &[], "{what}");
        }
    }
}

#[test]
fn a_read_whose_result_must_stay_holds_edits_the_first_time() {
    let mut talk = Talk::new();
    let early = edit(&mut talk, "/r/a.ts", "the line of the file, word for word");
    let part = read_lines(&mut talk, "/r/a.ts", 43, 11);
    talk.lock(part + 1);
    read(&mut talk, "/r/a.ts", &listing(1, 1));
    talk.user("Go on.");
    edit(&mut talk, "/r/a.ts", "new");
    for remove in [false, true] {
        let options = Options { remove, ..options() };
        let once = talk.prune(&options);
        assert!(once.arguments(early).contains("superseded change") && once.is_untouched(part), "remove: {remove}");
        let left = once.talk();
        assert_eq!(left.prune(&options).edits(), &[], "remove: {remove}");
    }
}

#[test]
fn a_read_that_goes_keeps_no_later_one_from_holding_edits() {
    let mut talk = Talk::new();
    let early = edit(&mut talk, "/r/a.ts", "the line of the file, word for word");
    read(&mut talk, "/r/a.ts", &listing(1, 17));
    edit(&mut talk, "/r/a.ts", "new");
    // It looks as if an earlier pruning had cut it.
    edit(&mut talk, "/r/a.ts", "[palimpsest:k123456789 x]\n");
    read_lines(&mut talk, "/r/a.ts", 1, 10);
    let once = talk.prune(&options());
    assert!(once.arguments(early).contains("superseded change"), "{}", once.arguments(early));
    assert_eq!(once.talk().prune(&options()).edits(), &[]);
}

#[test]
fn with_edits_last_only_the_last_edit_stays() {
    let mut talk = Talk::new();
    let first = edit(&mut talk, "/r/a.ts", &prose("one"));
    let last = edit(&mut talk, "/r/a.ts", &prose("two"));
    let pruned = talk.prune(&Options { last_edit_only: true, ..options() });
    assert!(!pruned.is_untouched(first) && pruned.is_untouched(last));
    assert!(talk.prune(&options()).is_untouched(first));
}

#[test]
fn of_the_same_command_the_last_run_stays() {
    let mut talk = Talk::new();
    let first = bash(&mut talk, "npm test", &prose("first run"));
    let other = bash(&mut talk, "npm test -- a", &prose("other arguments"));
    bash(&mut talk, "cd packages/x", "");
    let elsewhere = bash(&mut talk, "npm test", &prose("elsewhere"));
    bash(&mut talk, "cd ../..", "");
    let last = talk.call("Bash", json!({"description": "again", "command": "npm test"}), &prose("last run"));
    let pruned = talk.prune(&options());
    assert!(pruned.result(first).contains("run again later"));
    assert!([other, elsewhere, last].iter().all(|&call| pruned.is_untouched(call)));
    assert_eq!(pruned.count(Rule::StaleCommand), 1);
}

#[test]
fn a_failed_command_leaves_the_line_that_says_what_failed() {
    let output = format!("Exit code 1\n{}\nsrc/a.go:7: undefined: total\n{}", prose("build"), prose("more"));
    let mut talk = Talk::new();
    let failed = bash(&mut talk, "go build", &output);
    let pruned = talk.prune(&options());
    assert!(
        pruned.result(failed).ends_with("] Exit code 1\nsrc/a.go:7: undefined: total"),
        "{}",
        pruned.result(failed)
    );
    assert_eq!(pruned.count(Rule::FailedCommand), 1);
    // In remove mode too: without the call nobody would know what was tried.
    let pruned = talk.prune(&Options { remove: true, ..options() });
    assert!(pruned.result(failed).ends_with("undefined: total") && pruned.is_call_untouched(failed));
}

#[test]
fn a_long_failure_that_was_not_run_again_keeps_errors_and_names_that_nothing_else_says() {
    let noise = "compiling as before, nothing to see in this line\n".repeat(60);
    let output = format!("Exit code 1\n{noise}--- FAIL: TestOne\n{noise}--- FAIL: TestTwo\n{noise}see build_log_7\n");
    let mut talk = Talk::new();
    let failed = bash(&mut talk, "go test", &output);
    talk.assistant("compiling as before, nothing to see in this line");
    let kept = talk.prune(&options()).result(failed);
    for line in ["\n--- FAIL: TestOne\n", "\n--- FAIL: TestTwo\n", "\nsee build_log_7\n"] {
        assert!(kept.contains(line), "{kept}");
    }
    assert!(kept.len() < 300, "{kept}");
    bash(&mut talk, "go test", "ok");
    assert!(
        talk.prune(&options()).result(failed).ends_with("lines] Exit code 1\n--- FAIL: TestOne"),
        "one line once it is settled"
    );
}

#[test]
fn words_decide_only_where_asked() {
    let mut talk = Talk::new();
    let failed = bash(&mut talk, "make", &format!("{}\nerror: it broke\n", prose("make")));
    let passed = bash(&mut talk, "npm test", &format!("{}\n12 passed, 0 failed\n", prose("test")));
    assert!(talk.prune(&options()).is_untouched(failed));
    let pruned = talk.prune(&Options { failures_by_words: true, ..options() });
    assert!(pruned.result(failed).ends_with("error: it broke") && pruned.is_untouched(passed));
}

#[test]
fn what_failed_supersedes_nothing_that_succeeded() {
    let mut talk = Talk::new();
    let kept = [read(&mut talk, "/r/a.ts", &prose("a")), edit(&mut talk, "/r/a.ts", &prose("b"))];
    let run = bash(&mut talk, "npm test", &prose("run"));
    let write = talk.call("Write", json!({"file_path": "/r/a.ts", "content": prose("all")}), "no");
    talk.status(write, Status::Error);
    let again = talk.call("Read", json!({"file_path": "/r/a.ts"}), "<tool_use_error>no</tool_use_error>");
    bash(&mut talk, "npm test", "Exit code 1\nno");
    let pruned = talk.prune(&options());
    assert!(pruned.is_untouched(run) && pruned.is_untouched(again) && pruned.is_untouched(kept[1]));
    assert_eq!(pruned.count(Rule::StaleRead), 1, "the edit that succeeded counts");
    assert_eq!(pruned.superseded_by(kept[0]), Some(kept[1]));
}

#[test]
fn one_file_has_one_name() {
    for (said, path) in [
        ("", "./src/a.ts"),
        ("Working directory: /r\n", "/r/src/a.ts"),
        ("", "/r/src/a.ts"), // the only directory under which src/a.ts is one of the files named
    ] {
        let mut talk = Talk::new();
        talk.user(&format!("{said}Fix it."));
        let stale = talk.call("file_read", json!({"path": "src/a.ts"}), &prose("a"));
        talk.call("file_edit", json!({"path": path, "new_string": "x"}), "done");
        let pruned = talk.prune(&options());
        assert!(pruned.result(stale).contains("stale read of src/a.ts"), "{said}{path}");
    }
    let mut talk = Talk::new();
    bash(&mut talk, "cd /r/src && ls", "");
    let stale = bash(&mut talk, "cat a.ts", &prose("a"));
    write(&mut talk, "/r/src/a.ts", "new");
    assert_eq!(talk.prune(&options()).count(Rule::StaleRead), 1);
    assert!(!talk.prune(&options()).is_untouched(stale));
}

#[test]
fn time_goes_before_position_where_every_message_has_one() {
    let mut talk = Talk::new();
    let edited = edit(&mut talk, "/r/a.ts", "new");
    let shown = read(&mut talk, "/r/a.ts", &prose("a"));
    assert!(talk.prune(&options()).is_untouched(shown));
    for (call, time) in [(edited, 2000.0), (shown, 1000.0)] {
        talk.time(call, time);
    }
    assert!(!talk.prune(&options()).is_untouched(shown), "the edit was later");
    talk.user("no time");
    assert!(talk.prune(&options()).is_untouched(shown), "not all have one");
}

#[test]
fn identical_results_of_different_calls_stay_once() {
    let mut talk = Talk::new();
    let first = talk.call("get_user", json!({"id": 1}), &prose("same"));
    let second = talk.call("find_user", json!({"name": "x"}), &prose("same"));
    let pruned = talk.prune(&options());
    assert!(pruned.result(first).contains("same as a later result of find_user") && pruned.is_untouched(second));
    assert_eq!(pruned.count(Rule::IdenticalResult), 1);
}

#[test]
fn a_search_that_is_made_again_goes() {
    let mut talk = Talk::new();
    let first = talk.call("Grep", json!({"pattern": "x"}), &prose("first"));
    let other = talk.call("Grep", json!({"pattern": "y"}), &prose("other"));
    talk.call("Grep", json!({"pattern": "x"}), &prose("last"));
    let pruned = talk.prune(&options());
    assert!(!pruned.is_untouched(first) && pruned.is_untouched(other));
    assert_eq!(pruned.count(Rule::StaleSearch), 1);
}

#[test]
fn oversized_outputs_keep_head_tail_errors_and_what_is_taken_up() {
    let filler = |word: &str| format!("{word} line of the log, word for word\n").repeat(400);
    let output = format!(
        "first line\n{}panic: it broke\n{}took 73ms in warehouse_sync\n{}last line\n",
        filler("a"),
        filler("b"),
        filler("c")
    );
    let mut talk = Talk::new();
    let long = bash(&mut talk, "./run", &output);
    talk.assistant("So warehouse_sync is the slow one.");
    let pruned = talk.prune(&options());
    let kept = pruned.result(long);
    for line in ["first line\n", "\npanic: it broke\n", "\ntook 73ms in warehouse_sync\n", "\nlast line\n"] {
        assert!(kept.contains(line), "{line}");
    }
    assert!(kept.len() < 16_000 && pruned.count(Rule::OversizedOutput) == 1);
    // A read is the agent's copy of the file.
    let mut talk = Talk::new();
    let file = read(&mut talk, "/r/a.log", &output);
    assert!(talk.prune(&options()).is_untouched(file));
}

#[test]
fn a_long_diff_still_names_its_files() {
    let changed = "+    the same line is added again and again, word for word\n".repeat(200);
    let diff: String = ["a.ts", "b.ts", "c.ts"].map(|file| format!("diff --git a/{file} b/{file}\n{changed}")).concat();
    let mut talk = Talk::new();
    let shown = bash(&mut talk, "git diff", &diff);
    let kept = talk.prune(&options()).result(shown);
    assert!(kept.contains("long output") && kept.len() < diff.len() / 2);
    for file in ["a.ts", "b.ts", "c.ts"] {
        assert!(kept.contains(&format!("\ndiff --git a/{file} b/{file}\n")), "{file}");
    }
}

#[test]
fn encoded_data_that_is_repeated_stays_once() {
    let data = "iVBORw0KGgoAAAANSUhEUgAB".repeat(40);
    let mut talk = Talk::new();
    let first = talk.call("screenshot", json!({"n": 1}), &format!("before {data} behind"));
    let second = talk.call("screenshot", json!({"n": 2}), &format!("now {data}"));
    let pruned = talk.prune(&options());
    let kept = pruned.result(first);
    assert!(kept.starts_with("before [palimpsest:") && kept.ends_with("] behind"), "{kept}");
    assert!(pruned.is_untouched(second) && pruned.count(Rule::RepeatedMedia) == 1);
}

#[test]
fn empty_messages_of_the_model_go_in_both_modes() {
    for remove in [false, true] {
        let mut talk = Talk::new();
        let empty = talk.assistant(" \n");
        let users = talk.user("");
        let pruned = talk.prune(&Options { remove, ..options() });
        assert!(pruned.is_removed(empty) && !pruned.is_removed(users));
    }
}

#[test]
fn in_remove_mode_call_and_results_go_together_and_the_rest_stays() {
    let mut talk = Talk::new();
    talk.user("Look at it.");
    let said = talk.assistant("The cause is in src/a.ts.");
    let (a, b) = talk.calls_of_one_message(
        ("Read", json!({"file_path": "/r/a.ts"}), &prose("a")),
        ("Read", json!({"file_path": "/r/b.ts"}), &prose("b")),
    );
    edit(&mut talk, "/r/a.ts", "new");
    let pruned = talk.prune(&Options { remove: true, ..options() });
    assert!(pruned.is_removed(a) && pruned.is_removed(a + 2), "the call and its result");
    assert!(!pruned.is_removed(b) && !pruned.is_removed(said));
}

#[test]
fn in_remove_mode_an_announcement_goes_with_all_of_its_calls() {
    let mut talk = Talk::new();
    let text = talk.assistant("Let me read the file.");
    talk.same_message(|talk| {
        read(talk, "/r/a.ts", &prose("a"));
    });
    let finding = talk.assistant("It holds the lock. Let me read it again.");
    talk.same_message(|talk| {
        read(talk, "/r/a.ts", &prose("a"));
    });
    edit(&mut talk, "/r/a.ts", "new");
    let pruned = talk.prune(&Options { remove: true, ..options() });
    assert!(pruned.is_removed(text) && !pruned.is_removed(finding));
    assert_eq!((pruned.count(Rule::Announcement), pruned.count(Rule::StaleRead)), (1, 2));
    assert!(!talk.prune(&options()).is_removed(text), "stub mode keeps the call, so its announcement too");
}

#[test]
fn in_remove_mode_no_empty_text_stays_behind_where_calls_stood() {
    let mut talk = Talk::new();
    let text = talk.assistant("");
    talk.same_message(|talk| {
        read(talk, "/r/a.ts", &prose("a"));
    });
    read(&mut talk, "/r/a.ts", &prose("a"));
    let pruned = talk.prune(&Options { remove: true, ..options() });
    assert!(pruned.is_removed(text));
    assert_eq!((pruned.count(Rule::EmptyMessage), pruned.count(Rule::StaleRead)), (1, 1));
}

#[test]
fn recent_messages_kept_tools_and_kept_paths_are_not_touched() {
    let mut talk = Talk::new();
    let stale = read(&mut talk, "/r/docs/a.md", &prose("a"));
    edit(&mut talk, "/r/docs/a.md", "new");
    let protected = |options: Options<'_>| talk.prune(&options).edits().is_empty();
    assert!(!protected(options()));
    assert!(protected(Options { keep_recent: 4, ..options() }) && !protected(Options { keep_recent: 2, ..options() }));
    assert!(protected(Options { keep_tools: vec!["Read".into()], ..options() }));
    assert!(!protected(Options { keep_tools: vec!["Edit".into()], ..options() }));
    assert!(protected(Options { keep_paths: vec!["docs/**".into()], ..options() }));
    assert!(!protected(Options { keep_paths: vec!["src/**".into()], ..options() }));
    let _ = stale;
}

#[test]
fn the_last_six_messages_are_kept_by_default() {
    let mut talk = Talk::new();
    read(&mut talk, "/r/a.ts", &prose("a"));
    edit(&mut talk, "/r/a.ts", "new");
    talk.user("one");
    talk.user("two");
    assert!(talk.prune(&Options::default()).edits().is_empty(), "call and result are among the last six");
    talk.user("three");
    talk.user("four");
    assert_eq!(talk.prune(&Options::default()).edits().len(), 1);
}

#[test]
fn no_stub_is_longer_than_what_it_replaces() {
    let mut talk = Talk::new();
    let short = read(&mut talk, "/r/a.ts", "short text");
    edit(&mut talk, "/r/a.ts", "new");
    assert!(talk.prune(&options()).is_untouched(short));
}

#[test]
fn tools_of_ones_own_are_given() {
    let own = Tool { path: "file", ..Tool::described("myRead", ToolKind::Read) };
    let mut talk = Talk::new();
    let stale = talk.call("myRead", json!({"file": "/r/a.ts"}), &prose("a"));
    edit(&mut talk, "/r/a.ts", "new");
    assert!(talk.prune(&options()).is_untouched(stale));
    assert!(!talk.prune(&Options { tools: vec![own], ..options() }).is_untouched(stale));
}

#[test]
fn arguments_that_are_no_json_name_nothing() {
    let mut talk = Talk::new();
    let broken = talk.call_text("Read", "{\"file_path\": \"/r/a.ts", &prose("a"));
    edit(&mut talk, "/r/a.ts", "new");
    assert!(talk.prune(&options()).is_untouched(broken));
}

#[test]
fn an_open_call_supersedes_nothing() {
    let mut talk = Talk::new();
    let shown = read(&mut talk, "/r/a.ts", &prose("a"));
    talk.open_call("Write", json!({"file_path": "/r/a.ts", "content": "x"}));
    assert!(talk.prune(&options()).is_untouched(shown));
}

#[test]
fn the_tools_of_every_agent_make_reads_stale() {
    let patch = "*** Begin Patch\n*** Update File: /r/a.ts\n@@\n-a\n+b\n*** End Patch";
    for (reader, asks, writer, brings) in [
        ("shell", json!({"command": ["bash", "-lc", "cat /r/a.ts"]}), "apply_patch", json!({"input": patch})),
        (
            "exec_command",
            json!({"cmd": "cat a.ts", "workdir": "/r"}),
            "shell",
            json!({"command": ["apply_patch", patch]}),
        ),
        (
            "read_file",
            json!({"absolute_path": "/r/a.ts"}),
            "replace",
            json!({"file_path": "/r/a.ts", "new_string": "b"}),
        ),
        ("read", json!({"filePath": "/r/a.ts"}), "edit", json!({"filePath": "/r/a.ts", "newString": "b"})),
        ("read_file", json!({"path": "/r/a.ts"}), "write_to_file", json!({"path": "/r/a.ts", "content": "b"})),
        ("read_file", json!({"path": "/r/a.ts"}), "apply_diff", json!({"path": "/r/a.ts", "diff": "b"})),
        (
            "str_replace_editor",
            json!({"command": "view", "path": "/r/a.ts"}),
            "str_replace_editor",
            json!({"command": "str_replace", "path": "/r/a.ts", "old_str": "a", "new_str": "b"}),
        ),
        (
            "read_file",
            json!({"target_file": "/r/a.ts"}),
            "edit_file",
            json!({"target_file": "/r/a.ts", "code_edit": "b"}),
        ),
        (
            "mcp__fs__read_text_file",
            json!({"path": "/r/a.ts"}),
            "mcp__fs__edit_file",
            json!({"path": "/r/a.ts", "edits": [{"oldText": "a", "newText": "b"}]}),
        ),
        ("file_read", json!({"path": "/r/a.ts"}), "file_new", json!({"path": "/r/a.ts", "content": "b"})),
        (
            "execute_bash",
            json!({"command": "cat /r/a.ts"}),
            "execute_bash",
            json!({"command": "sed -i s/a/b/ /r/a.ts"}),
        ),
    ] {
        let mut talk = Talk::new();
        let stale = talk.call(reader, asks, &prose("a"));
        talk.call(writer, brings, "done");
        assert!(!talk.prune(&options()).is_untouched(stale), "{reader} {writer}");
    }
}

#[test]
fn swe_agents_open_file_is_the_one_that_is_edited() {
    let tail = "\n(Open file: /r/a.py)\n(Current directory: /r)\nbash-$";
    let mut talk = Talk::new();
    let stale = talk.call("open", json!({"path": "a.py"}), &format!("{}{tail}", prose("a")));
    talk.call("edit", json!({"search": "a", "replace": "b"}), &format!("File updated.{tail}"));
    assert_eq!(talk.prune(&options()).count(Rule::StaleRead), 1);
    assert!(!talk.prune(&options()).is_untouched(stale));
}

#[test]
fn what_stands_in_a_result_beside_its_text_goes_with_the_call() {
    let mut talk = Talk::new();
    let first = bash(&mut talk, "npm test", &prose("tests"));
    let image = talk.attach(first);
    bash(&mut talk, "npm test", &prose("tests again"));
    let pruned = talk.prune(&Options { remove: true, ..options() });
    assert!([first, first + 1, image].iter().all(|&part| pruned.is_removed(part)));
    let pruned = talk.prune(&options());
    assert!(pruned.result(first).contains("run again later") && !pruned.is_removed(image));
}

#[test]
fn where_something_has_to_stay_a_stub_is_left_in_remove_mode_too() {
    for locked in [0, 2] {
        let mut talk = Talk::new();
        let first = bash(&mut talk, "npm test", &prose("tests"));
        talk.attach(first);
        talk.lock(first + locked);
        bash(&mut talk, "npm test", &prose("tests again"));
        let pruned = talk.prune(&Options { remove: true, ..options() });
        assert!((first..first + 3).all(|part| !pruned.is_removed(part)));
        assert!(pruned.result(first).contains("run again later"), "{}", pruned.result(first));
    }
}

#[test]
fn the_last_message_never_goes() {
    let mut talk = Talk::new();
    talk.user("Go on.");
    let empty = talk.assistant("");
    assert!(!talk.prune(&options()).is_removed(empty));
    // By the timestamps, the last message was the first operation.
    let mut talk = Talk::new();
    let later = bash(&mut talk, "npm test", &prose("tests"));
    let earlier = bash(&mut talk, "npm test", &prose("tests again"));
    talk.time(later, 2000.0);
    talk.time(earlier, 1000.0);
    let pruned = talk.prune(&Options { remove: true, ..options() });
    assert!(pruned.is_untouched(later) && !pruned.is_removed(earlier));
    assert!(pruned.result(earlier).contains("run again later"));
}
