//! Properties of every conversation that is pruned.

mod support;

use palimpsest_agent::edit::{Change, Piece};
use palimpsest_agent::prune::{Options, Rule, Stub};
use palimpsest_history::transcript::{Kind, Role, Status};
use palimpsest_text::random::cases;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use serde_json::json;
use support::{Talk, prose};

/// Possible next steps of a conversation.
#[derive(Clone, Debug)]
enum Step {
    User(String),
    Assistant(String),
    Read {
        path: usize,
        lines: Option<(u32, u32)>,
        size: u32,
    },
    Edit {
        path: usize,
        new: String,
    },
    /// An edit whose result reads of these lines show.
    Change {
        path: usize,
        first: u32,
        count: u32,
    },
    Write {
        path: usize,
        content: String,
    },
    Bash {
        command: usize,
        output: String,
        fails: bool,
    },
    Other {
        argument: u8,
        output: String,
    },
    Open,
    Broken(String),
    Lock,
    Join,
}

const PATHS: [&str; 4] = ["/r/a.ts", "a.ts", "./b.ts", "/r/docs/c.md"];
const COMMANDS: [&str; 6] = ["npm test", "cd /r", "cat a.ts", "make && sed -n '2,9p' b.ts", "rm b.ts", "(((("];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec!["one", "two", "three"]).prop_map(prose),
        2 => "(error: |parseUrl |x_1 |東京 |😀|\n|word |0 failed ){0,80}",
        1 => (prop::sample::select(vec!["a", "log line 7\n", "é", "[palimpsest:k123456789 x]\n", "\""]), 0..1600usize)
            .prop_map(|(piece, count)| piece.repeat(count)),
        1 => Just("Let me look at it.".to_owned()),
        // Encoded data.
        1 => (prop::sample::select(vec!["iVBORw0KGgo", "UklGRiQAAAB"]), text_beside())
            .prop_map(|(piece, beside)| format!("{}\n{beside}", piece.repeat(60))),
        1 => ".{0,40}",
    ]
}

fn text_beside() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), (0..400usize).prop_map(|count| "error: it failed\n".repeat(count))]
}

fn line(number: u32) -> String {
    format!("the same in line {number}")
}

fn step() -> impl Strategy<Value = Step> {
    let path = 0..PATHS.len();
    prop_oneof![
        1 => text().prop_map(Step::User),
        2 => text().prop_map(Step::Assistant),
        6 => (path.clone(), prop::option::of((1..60u32, 1..60u32)), 1..90u32)
            .prop_map(|(path, lines, size)| Step::Read { path, lines, size }),
        3 => (path.clone(), text()).prop_map(|(path, new)| Step::Edit { path, new }),
        4 => (path.clone(), 1..60u32, 1..9u32).prop_map(|(path, first, count)| Step::Change { path, first, count }),
        2 => (path, text()).prop_map(|(path, content)| Step::Write { path, content }),
        4 => (0..COMMANDS.len(), text(), any::<bool>())
            .prop_map(|(command, output, fails)| Step::Bash { command, output, fails }),
        2 => (0..3u8, text()).prop_map(|(argument, output)| Step::Other { argument, output }),
        1 => Just(Step::Open),
        1 => text().prop_map(Step::Broken),
        1 => Just(Step::Lock),
        3 => Just(Step::Join),
    ]
}

fn talk() -> impl Strategy<Value = Talk> {
    prop::collection::vec(step(), 0..80).prop_map(|steps| {
        let mut talk = Talk::new();
        let mut joins = false;
        for step in steps {
            let joined = std::mem::replace(&mut joins, matches!(step, Step::Join));
            // A text after a text may be in the same message, as a call after its announcement is.
            let say = |talk: &mut Talk| {
                take(talk, &step);
            };
            let last = talk.parts().last().map(|(part, _)| (part.role, part.kind));
            if joined && last == Some((Role::Assistant, Kind::Text)) && !matches!(step, Step::User(_) | Step::Lock) {
                talk.same_message(say);
            } else {
                say(&mut talk);
            }
        }
        talk
    })
}

fn take(talk: &mut Talk, step: &Step) {
    match step {
        Step::User(text) => {
            talk.user(text);
        }
        Step::Assistant(text) => {
            talk.assistant(text);
        }
        Step::Read { path, lines: Some((first, count)), .. } => {
            let shown: String = (*first..first + count).map(|number| format!("{number}\t{}\n", line(number))).collect();
            talk.call("Read", json!({"file_path": PATHS[*path], "offset": first, "limit": count}), &shown);
        }
        Step::Read { path, size, .. } => {
            let shown: String = (1..=*size).map(|line| format!("{line}\tlet name{line} = compute(total);\n")).collect();
            talk.call("Read", json!({"file_path": PATHS[*path]}), &shown);
        }
        Step::Edit { path, new } => {
            talk.call("Edit", json!({"file_path": PATHS[*path], "old_string": "x", "new_string": new}), "done");
        }
        Step::Change { path, first, count } => {
            let new = (*first..first + count).map(line).collect::<Vec<_>>().join("\n");
            talk.call(
                "Edit",
                json!({"file_path": PATHS[*path], "old_string": prose("old"), "new_string": new}),
                "done",
            );
        }
        Step::Write { path, content } => {
            talk.call("Write", json!({"file_path": PATHS[*path], "content": content}), "done");
        }
        Step::Bash { command, output, fails } => {
            let call = talk.call("Bash", json!({"command": COMMANDS[*command]}), output);
            if *fails {
                talk.status(call, Status::Error);
            }
        }
        Step::Other { argument, output } => {
            talk.call("lookup", json!({"id": argument}), output);
        }
        Step::Open => {
            talk.open_call("Write", json!({"file_path": PATHS[0], "content": "x"}));
        }
        Step::Broken(text) => {
            talk.call_text("Edit", text, "done");
        }
        Step::Lock if !talk.parts().is_empty() => talk.lock(talk.parts().len() - 1),
        Step::Lock | Step::Join => {}
    }
}

fn options() -> impl Strategy<Value = Options<'static>> {
    (any::<[bool; 5]>(), 0..4u32).prop_map(|([remove, last_edit_only, failures_by_words, tool, path], keep_recent)| {
        Options {
            remove,
            last_edit_only,
            failures_by_words,
            keep_recent,
            keep_tools: tool.then(|| "lookup".to_owned()).into_iter().collect(),
            keep_paths: path.then(|| "docs/*".to_owned()).into_iter().collect(),
            ..Options::default()
        }
    })
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Tries `count` cases, and keeps those that fail beside this file for the next run.
fn config(count: u32) -> ProptestConfig {
    let persistence = FileFailurePersistence::WithSource("proptest-regressions");
    ProptestConfig {
        cases: cases(count),
        failure_persistence: Some(Box::new(persistence)),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn the_same_conversation_is_pruned_in_the_same_way(talk in talk(), options in options()) {
        let (first, second) = (talk.prune(&options), talk.prune(&options));
        prop_assert_eq!(first.edits(), second.edits());
    }

    #[test]
    fn no_text_gets_longer(talk in talk(), options in options()) {
        let pruned = talk.prune(&options);
        for edit in pruned.edits() {
            let before = units(&talk.parts()[edit.part.index()].1);
            let after = units(&pruned.text(edit.part.index()));
            prop_assert!(after < before || edit.change == Change::Remove, "{} to {}", before, after);
        }
    }

    #[test]
    fn a_pruned_conversation_has_nothing_left_to_prune(talk in talk(), options in options()) {
        let left = talk.prune(&options).talk();
        let again = left.prune(&options);
        prop_assert_eq!(again.edits(), &[], "{:?}", left);
    }

    #[test]
    fn what_is_protected_is_not_touched(talk in talk(), options in options()) {
        let pruned = talk.prune(&options);
        let messages = talk.parts().last().map_or(0, |(part, _)| part.message.0 + 1);
        for edit in pruned.edits() {
            let (part, text) = &talk.parts()[edit.part.index()];
            prop_assert!(!part.locked && part.message.0 + options.keep_recent < messages);
            prop_assert!(part.role != Role::User || part.kind != Kind::Text, "the user's {}", text);
        }
    }

    #[test]
    fn a_call_goes_only_together_with_its_results(talk in talk(), options in options()) {
        let pruned = talk.prune(&Options { remove: true, ..options });
        for (index, (part, _)) in talk.parts().iter().enumerate().filter(|(_, (part, _))| part.kind == Kind::Result) {
            prop_assert_eq!(pruned.is_removed(index), part.call.is_some_and(|call| pruned.is_removed(call.index())));
        }
        let answered = |call: usize| talk.parts().iter().any(|(part, _)| part.call == Some(call.into()));
        for (index, _) in talk.parts().iter().enumerate().filter(|(_, (part, _))| part.kind == Kind::Call) {
            prop_assert!(!pruned.is_removed(index) || answered(index));
        }
    }

    #[test]
    fn in_stub_mode_only_empty_messages_go_and_arguments_stay_json(talk in talk(), options in options()) {
        let pruned = talk.prune(&Options { remove: false, ..options });
        for edit in pruned.edits() {
            let (part, before) = &talk.parts()[edit.part.index()];
            prop_assert!(edit.change != Change::Remove || edit.rule == Rule::EmptyMessage);
            let object = |text: &str| serde_json::from_str::<serde_json::Value>(text).is_ok_and(|value| value.is_object());
            if part.kind == Kind::Call && object(before) {
                prop_assert!(object(&pruned.text(edit.part.index())), "{}", pruned.text(edit.part.index()));
            }
        }
    }

    #[test]
    fn each_edited_text_has_one_marker(talk in talk(), options in options()) {
        for edit in talk.prune(&options).edits() {
            if let Change::Replace(pieces) = &edit.change {
                prop_assert_eq!(pieces.iter().filter(|piece| matches!(piece, Piece::Mark(Stub::Marker(_)))).count(), 1);
            }
        }
    }
}
