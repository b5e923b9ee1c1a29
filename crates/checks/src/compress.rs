//! `compress` takes any options and texts, accounts for every message, and makes none longer.

use super::input::{Digits, records, units_of};
use palimpsest_drop_in::compress::{DepthOption, Engine, NoHost, Options, Outcome, Request, Step};
use palimpsest_drop_in::summarize::Depth;
use palimpsest_history::transcript::{Message, Speaker, Transcript};
use palimpsest_text::TextBuf;

/// A message and its text.
pub(crate) struct Sent {
    message: Message,
    text: Vec<u16>,
}

/// Messages of the user and the assistant in turns.
pub(crate) fn messages_of(texts: impl Iterator<Item = Vec<u16>>) -> Vec<Sent> {
    let speakers = [Speaker::User, Speaker::Assistant].into_iter().cycle();
    let message = |(text, speaker)| Sent {
        message: Message { role: speaker as u32, has_role: true, speaker, has_string_id: true, ..Message::default() },
        text,
    };
    texts.zip(speakers).map(message).collect()
}

/// Compresses messages, with summaries of half the length and scores where they are asked for.
pub(crate) fn outcome_of(messages: &[Sent], options: &Options) -> Outcome {
    let mut transcript = Transcript::default();
    for (number, sent) in messages.iter().enumerate() {
        let id: Vec<u16> = number.to_string().encode_utf16().collect();
        transcript.push(sent.message, &id, &sent.text);
    }
    let mut engine = Engine::new(transcript, options.clone(), None);
    if let Some(outcome) = engine.untouched() {
        return outcome;
    }
    engine.prepare();
    loop {
        let Ok(step) = engine.step(&mut NoHost);
        match step {
            Step::Done(outcome) => return *outcome,
            Step::Ask(requests) => {
                assert!(!requests.is_empty());
                for request in requests {
                    match request {
                        Request::Summary(text) => {
                            let half = TextBuf::from(text.as_text().prefix(text.len() / 2));
                            engine.answer(&text, Some(half));
                        }
                        Request::Scores(sentences) => {
                            let score = |(range, _): &(std::ops::Range<usize>, _)| 3.0 - (range.len() % 7) as f64;
                            let scores = sentences.all.iter().map(score).collect();
                            engine.answer_scores(&sentences, Some(scores));
                        }
                    }
                }
            }
        }
    }
}

/// Compresses messages from `bytes`: a line of options, then records of a flag and a text each.
pub fn compress(bytes: &[u8]) {
    let (digits, records) = records(bytes);
    let mut digits = Digits(digits.iter());
    let options = options_of(&mut digits);
    let messages: Vec<Sent> = records
        .filter_map(|record| {
            let (&flags, text) = record.split_first()?;
            let role = u32::from(flags % 3);
            let message = Message {
                role,
                has_role: role > 0,
                speaker: [Speaker::Other, Speaker::User, Speaker::Assistant][role as usize],
                has_preserved_role: flags & 0x30 == 0x30 && flags & 8 > 0,
                has_tool_calls: flags & 0x20 > 0 && flags & 0x0C == 4,
                answers_tool_call: flags & 0x20 > 0 && flags & 0x0C == 8,
                has_string_id: true,
            };
            Some(Sent { message, text: units_of(text) })
        })
        .collect();
    let outcome = outcome_of(&messages, &options);
    let statistics = &outcome.statistics;
    let counted = statistics.messages_compressed
        + statistics.messages_preserved
        + statistics.messages_deduped
        + statistics.messages_fuzzy_deduped
        + statistics.messages_contradicted;
    assert_eq!(counted, messages.len());
    let Some(outputs) = outcome.outputs else { return };
    let mut next = 0;
    for output in &outputs {
        assert_eq!(output.start, next);
        assert!(output.count == 1 || output.text.is_some());
        let length: usize = messages[next..next + output.count].iter().map(|sent| sent.text.len()).sum();
        assert!(output.length() <= length);
        next += output.count;
    }
    assert_eq!(next, messages.len());
    assert_eq!(statistics.decisions.len(), if options.trace { messages.len() } else { 0 });
    if let Some(report) = outcome.budget {
        let tokens: f64 = outputs.iter().map(|output| (output.length() as f64 / 3.5).ceil()).sum();
        assert_eq!(report.token_count, tokens);
        assert_eq!(Some(report.fits), options.token_budget.map(|budget| tokens <= budget));
    }
}

fn options_of(digits: &mut Digits<'_>) -> Options {
    let numbers = [0.0, 1.0, 4.0, 0.2, 0.5, -1.0, f64::NAN, f64::INFINITY];
    let optional = [None, Some(0.0), Some(0.2), Some(0.5), Some(4.0), Some(f64::NAN), Some(-1.0)];
    let depths = [
        DepthOption::Fixed(Depth::Gentle),
        DepthOption::Fixed(Depth::Moderate),
        DepthOption::Fixed(Depth::Aggressive),
        DepthOption::Auto,
    ];
    Options {
        recency_window: digits.pick(&numbers),
        token_budget: digits.pick(&[None, Some(0.0), Some(30.0), Some(300.0), Some(1e6), Some(f64::NAN), Some(-1.0)]),
        depth: digits.pick(&depths),
        dedup: digits.flag(),
        fuzzy_dedup: digits.flag(),
        fuzzy_threshold: digits.pick(&[0.85, 0.0, 1.0, 0.5, f64::NAN]),
        embed_summary_id: digits.flag(),
        min_recency_window: digits.pick(&numbers),
        force_converge: digits.flag(),
        observation_threshold: digits.pick(&[None, Some(0.0), Some(20.0), Some(f64::NAN)]),
        full_classifier_mode: digits.flag(),
        trace: digits.flag(),
        conversation_flow: digits.flag(),
        cluster_threshold: digits.pick(&optional),
        coreference: digits.flag(),
        discourse_aware: digits.flag(),
        has_summarizer: digits.flag(),
        has_scorer: digits.flag(),
        combine_scores: digits.flag(),
        importance_threshold: digits.pick(&optional),
        contradiction_threshold: digits.pick(&optional),
        relevance_threshold: digits.pick(&optional),
        is_tiered: digits.flag(),
        has_patterns: false,
        has_adapters: false,
    }
}
