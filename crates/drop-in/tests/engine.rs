//! The engine by itself: what holds for every conversation, options and answers.

use palimpsest_drop_in::compress::{DepthOption, Engine, NoHost, Options, Outcome, Output, Request, Sentences, Step};
use palimpsest_drop_in::summarize::Depth;
use palimpsest_history::transcript::{Message, Speaker, Transcript};
use palimpsest_text::TextBuf;
use palimpsest_text::random::cases;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

type Sent = (Message, Vec<u16>, Vec<u16>);

/// Sentences, code, lists and arbitrary units, so that every way through the engine is taken.
fn text() -> impl Strategy<Value = Vec<u16>> {
    let sentence = prop::sample::select(vec![
        "The keeper repaired the lantern before dusk and wrote it into the ledger. ",
        "Sure, that is fine. ",
        "Actually, could you fix it? ",
        "Actually, the keeper repaired the lantern after dusk. ",
        "However, readToken must never rewind the TokenStream! ",
        "It took 30 seconds on v1.2.3 of npm, see src/app.ts. ",
        "Grüße aus Zürich und 東京。 ",
        "```js\nlet a = 1;\n```\n",
        "key: value\n",
        " - item\n",
        "\n\n",
    ]);
    prop_oneof![
        4 => prop::collection::vec(sentence, 0..20).prop_map(|parts| parts.concat().encode_utf16().collect()),
        1 => prop::collection::vec(any::<u16>(), 0..400),
        1 => (prop::sample::select(vec!["a", " ", "\n", "1.", "`", "{", "😀"]), 0..2000usize)
            .prop_map(|(piece, count)| piece.repeat(count).encode_utf16().collect()),
    ]
}

fn message() -> impl Strategy<Value = Sent> {
    let flags = (0..3u32, prop::array::uniform3(prop::bool::weighted(0.15)));
    let id = prop_oneof![Just("m".to_owned()), "[a-z]{1,8}"];
    (flags, id, text()).prop_map(|((role, [has_preserved_role, has_tool_calls, answers_tool_call]), id, text)| {
        let speaker = [Speaker::Other, Speaker::User, Speaker::Assistant][role as usize];
        let message = Message {
            role,
            has_role: role > 0,
            speaker,
            has_preserved_role,
            has_tool_calls,
            answers_tool_call,
            has_string_id: true,
        };
        (message, id.encode_utf16().collect(), text)
    })
}

fn options() -> impl Strategy<Value = Options> {
    let window = prop::sample::select(vec![0.0, 1.0, 4.0, 1.5, -1.0, f64::NAN, f64::INFINITY]);
    let budget = prop::option::of(prop::sample::select(vec![-1.0, 0.0, 30.0, 300.0, 1e6, f64::NAN]));
    let depth = prop::sample::select(vec![
        DepthOption::Fixed(Depth::Gentle),
        DepthOption::Fixed(Depth::Moderate),
        DepthOption::Fixed(Depth::Aggressive),
        DepthOption::Auto,
    ]);
    let thresholds = prop::array::uniform4(prop::option::of(prop::sample::select(vec![0.0, 0.2, 0.5, 4.0, f64::NAN])));
    (window, budget, depth, thresholds, any::<[bool; 11]>()).prop_map(
        |(recency_window, token_budget, depth, thresholds, flags)| Options {
            recency_window,
            token_budget,
            dedup: flags[0],
            fuzzy_dedup: flags[1],
            embed_summary_id: flags[2],
            force_converge: flags[3],
            trace: flags[4],
            has_summarizer: flags[5],
            has_scorer: flags[6],
            is_tiered: flags[7],
            conversation_flow: flags[8],
            coreference: flags[9],
            discourse_aware: flags[10],
            depth,
            importance_threshold: thresholds[0],
            contradiction_threshold: thresholds[1],
            relevance_threshold: thresholds[2],
            cluster_threshold: thresholds[3],
            ..Options::default()
        },
    )
}

fn conversation(sent: &[Sent]) -> Transcript {
    let mut conversation = Transcript::default();
    sent.iter().for_each(|(message, id, text)| conversation.push(*message, id, text));
    conversation
}

/// Runs a call to its end. Each text that is asked for is answered by `answer`.
fn run(sent: &[Sent], options: &Options, answer: impl Fn(&TextBuf) -> Option<TextBuf>) -> Outcome {
    let mut engine = Engine::new(conversation(sent), options.clone(), None);
    if let Some(outcome) = engine.untouched() {
        return outcome;
    }
    engine.prepare();
    let mut asked = std::collections::HashSet::new();
    loop {
        let Ok(step) = engine.step(&mut NoHost);
        match step {
            Step::Done(outcome) => return *outcome,
            Step::Ask(requests) => {
                assert!(!requests.is_empty());
                for request in requests {
                    assert!(asked.insert(request.clone()), "asked for twice");
                    match request {
                        Request::Summary(text) => {
                            assert!(options.has_summarizer);
                            engine.answer(&text, answer(&text));
                        }
                        Request::Scores(sentences) => {
                            assert!(options.has_scorer);
                            engine.answer_scores(&sentences, scores(&sentences, &answer));
                        }
                    }
                }
            }
        }
    }
}

/// Scores for `sentences` where a summary would be answered with, by no rule of ours.
fn scores(sentences: &Sentences, answer: impl Fn(&TextBuf) -> Option<TextBuf>) -> Option<Vec<f64>> {
    answer(&sentences.text)?;
    Some(sentences.all.iter().map(|(range, _)| 3.0 - (range.len() % 7) as f64).collect())
}

fn half(text: &TextBuf) -> Option<TextBuf> {
    Some(TextBuf::from(text.as_text().prefix(text.len() / 2)))
}

/// The messages of a result, without the places of their entities, which depend on the texts that were read before.
fn texts(outcome: &Outcome) -> Option<Vec<impl std::fmt::Debug>> {
    let describe = |output: &Output| (output.start, output.count, format!("{:?}", output.text), output.ids_hash);
    outcome.outputs.as_ref().map(|outputs| outputs.iter().map(describe).collect())
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
    #![proptest_config(config(512))]

    #[test]
    fn every_message_is_stood_for_once_and_by_nothing_longer(sent in prop::collection::vec(message(), 0..12), options in options()) {
        let outcome = run(&sent, &options, half);
        let statistics = &outcome.statistics;
        let counted = statistics.messages_compressed
            + statistics.messages_preserved
            + statistics.messages_deduped
            + statistics.messages_fuzzy_deduped
            + statistics.messages_contradicted;
        prop_assert_eq!(counted, sent.len());
        let Some(outputs) = outcome.outputs else { return Ok(()) };
        let mut next = 0;
        for output in &outputs {
            prop_assert_eq!(output.start, next);
            prop_assert!(output.count == 1 || output.text.is_some());
            let length: usize = sent[next..next + output.count].iter().map(|(_, _, text)| text.len()).sum();
            prop_assert!(output.length() <= length);
            prop_assert_eq!(output.text.as_ref().map_or(length, |text| text.len()), output.length());
            next += output.count;
        }
        prop_assert_eq!(next, sent.len());
        prop_assert_eq!(statistics.decisions.len(), if options.trace { sent.len() } else { 0 });
        if let Some(report) = outcome.budget {
            let tokens: f64 = outputs.iter().fold(0.0, |sum, output| sum + (output.length() as f64 / 3.5).ceil());
            prop_assert_eq!(report.token_count, tokens);
            prop_assert_eq!(Some(report.fits), options.token_budget.map(|budget| tokens <= budget));
        }
    }

    #[test]
    fn the_same_call_gives_the_same_result(sent in prop::collection::vec(message(), 0..8), options in options()) {
        let describe = |outcome: Outcome| format!("{:?} {:?} {:?}", outcome.outputs, outcome.statistics, outcome.budget);
        prop_assert_eq!(describe(run(&sent, &options, half)), describe(run(&sent, &options, half)));
    }

    #[test]
    fn a_result_does_not_depend_on_earlier_calls_of_the_thread(sent in prop::collection::vec(message(), 0..8), options in options()) {
        let result = || format!("{:?}", texts(&run(&sent, &options, half)));
        let alone = std::thread::scope(|scope| scope.spawn(result).join());
        prop_assert_eq!(Some(result()), alone.ok());
    }

    #[test]
    fn answers_that_are_no_good_leave_it_to_the_engine(sent in prop::collection::vec(message(), 0..8), options in options()) {
        let describe = |outcome: Outcome| format!("{:?} {:?}", texts(&outcome), outcome.budget);
        // The engine looks for clauses only where no summary is asked for.
        let options = Options { discourse_aware: false, ..options };
        let alone = Options { has_summarizer: false, has_scorer: false, ..options.clone() };
        let alone = describe(run(&sent, &alone, half));
        let options = Options { has_summarizer: true, ..options };
        prop_assert_eq!(&alone, &describe(run(&sent, &options, |_| None)));
        let options = Options { has_scorer: false, ..options };
        prop_assert_eq!(&alone, &describe(run(&sent, &options, |_| Some(TextBuf::new()))));
        prop_assert_eq!(&alone, &describe(run(&sent, &options, |text| Some(text.clone()))));
    }
}
