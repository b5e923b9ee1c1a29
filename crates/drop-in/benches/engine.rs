//! Times the stages of the engine alone, so that a regression shows where it happened: `cargo bench --no-default-features`.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use palimpsest_drop_in::classify::{classify, hard_reasons};
use palimpsest_drop_in::compress::{Engine, NoHost, Options};
use palimpsest_drop_in::dedup::{ExactGroups, FuzzyIndex};
use palimpsest_drop_in::quality::{ENTITY_LIMIT, EntityTable, structural_elements};
use palimpsest_drop_in::summarize::entities::EntityScanner;
use palimpsest_drop_in::summarize::{Excerpts, ScoreSignals, structured_summary};
use palimpsest_history::transcript::{DistinctTexts, Message, Transcript};
use palimpsest_text::masks::Scratch;
use palimpsest_text::{Text, TextBuf, fold_into};

const COUNT: usize = 400;
const LENGTH: usize = 2_500;
/// Characters of a summary.
const BUDGET: usize = 400;

/// A seeded source of words and lines (xorshift), with many different names as in real text.
struct Writer(u64);

impl Writer {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn word(&mut self) -> String {
        let syllables = ["ra", "ten", "lo", "mi", "ker", "sa", "vor", "al", "in", "dus", "pe", "con", "te", "ri", "na"];
        // Few words are frequent and many are rare: the smaller of two draws is more often a small one.
        let rank = self.below(3_000).min(self.below(3_000));
        let parts = [rank % 15, rank / 15 % 15, rank / 225].map(|syllable| syllables[syllable as usize]);
        parts[..if rank.is_multiple_of(3) { 2 } else { 3 }].concat()
    }

    fn name(&mut self) -> String {
        let (first, second) = (self.word(), self.word());
        let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
        match self.below(4) {
            0 => capital(&first),
            1 => first + &capital(&second),
            2 => format!("{first}_{second}"),
            _ => format!("src/{first}/{second}.rs"),
        }
    }

    fn sentence(&mut self) -> String {
        let mut sentence = String::from("The");
        for _ in 0..8 + self.below(10) {
            let word = if self.below(12) == 0 { self.name() } else { self.word() };
            sentence = sentence + " " + &word;
        }
        sentence + ". "
    }

    fn log_line(&mut self) -> String {
        let (name, word, count, time) = (self.name(), self.word(), self.below(900), self.below(5_000));
        format!("2025-03-{:02} INFO [{name}] {word} count={count} took={time}ms\n", 1 + count % 28)
    }

    fn code_line(&mut self) -> String {
        format!("    let {} = {}({}, {});\n", self.word(), self.name(), self.word(), self.below(500))
    }

    fn text(&mut self, line: fn(&mut Self) -> String) -> String {
        let mut text = String::new();
        while text.len() < LENGTH {
            text += &line(self);
        }
        text
    }
}

fn prose() -> Vec<String> {
    let mut writer = Writer(1);
    (0..COUNT).map(|_| writer.text(Writer::sentence)).collect()
}

fn logs() -> Vec<String> {
    let mut writer = Writer(2);
    (0..COUNT).map(|_| writer.text(Writer::log_line)).collect()
}

/// Prose, logs and code in turns, some of them twice and some nearly so.
fn mixed() -> Vec<String> {
    let mut writer = Writer(3);
    let lines = [Writer::sentence, Writer::log_line, Writer::code_line];
    let mut texts: Vec<String> = Vec::new();
    for index in 0..COUNT {
        let text = match index % 25 {
            23 => texts[index / 2].clone(),
            24 => texts[index / 2].clone() + &writer.code_line(),
            _ => writer.text(lines[index % 3]),
        };
        texts.push(text);
    }
    texts
}

fn bytes(texts: &[String]) -> Throughput {
    Throughput::Bytes(texts.iter().map(|text| text.len() as u64).sum())
}

fn analysis(criterion: &mut Criterion) {
    let texts = mixed();
    let mut group = criterion.benchmark_group("analysis");
    group.throughput(bytes(&texts));

    let units: Vec<Vec<u16>> = texts.iter().map(|text| text.encode_utf16().collect()).collect();
    group.bench_function("fold", |bencher| {
        let mut folded = Vec::new();
        bencher.iter(|| {
            folded.clear();
            units.iter().for_each(|units| _ = black_box(fold_into(units, &mut folded)));
        });
    });

    let texts: Vec<TextBuf> = texts.iter().map(|text| TextBuf::from(text.as_str())).collect();
    let mut scratch = Scratch::default();
    group.bench_function("masks", |bencher| {
        bencher.iter(|| texts.iter().for_each(|text| _ = black_box(scratch.scan(text.as_text().bytes()))));
    });
    // The stages below scan each text first; `masks` tells what that costs.
    group.bench_function("words", |bencher| {
        let count = |scratch: &mut Scratch, text: &TextBuf| -> u32 {
            scratch.scan(text.as_text().bytes()).word_starts().map(|(_, _, starts)| starts.count_ones()).sum()
        };
        bencher.iter(|| texts.iter().for_each(|text| _ = black_box(count(&mut scratch, text))));
    });
    for (name, wants_all) in [("first hard reason", false), ("all hard reasons", true)] {
        group.bench_function(name, |bencher| {
            let mut reasons =
                |text: &TextBuf| hard_reasons(scratch.scan(text.as_text().bytes()), wants_all, &mut Vec::new());
            bencher.iter(|| texts.iter().for_each(|text| _ = black_box(reasons(text))));
        });
    }
    group.bench_function("classify", |bencher| {
        bencher.iter(|| texts.iter().for_each(|text| _ = black_box(classify(text.as_text()))));
    });
    group.bench_function("structural elements", |bencher| {
        let mut count = |text: &TextBuf| structural_elements(scratch.scan(text.as_text().bytes()));
        bencher.iter(|| texts.iter().for_each(|text| _ = black_box(count(text))));
    });
    group.bench_function("entities", |bencher| {
        bencher.iter(|| {
            let mut table = EntityTable::default();
            for text in &texts {
                let text = text.as_text();
                black_box(table.list(text, scratch.scan(text.bytes()), ENTITY_LIMIT, None));
            }
        });
    });
    group.finish();
}

fn summaries(criterion: &mut Criterion) {
    let owned = |texts: &[String]| -> Vec<TextBuf> { texts.iter().map(|text| TextBuf::from(text.as_str())).collect() };
    let (prose, logs) = (prose(), logs());
    let mut group = criterion.benchmark_group("summaries");
    let mut scratch = Scratch::default();
    group.throughput(bytes(&prose)).bench_function("excerpt of prose", |bencher| {
        let texts = owned(&prose);
        let mut excerpts = Excerpts::default();
        let (mut signs, mut passes, mut summary) = (ScoreSignals::default(), EntityScanner::default(), TextBuf::new());
        let mut summarize = |text: Text<'_>| {
            let scanned = scratch.scan(text.bytes());
            signs.read(scanned, &mut passes);
            excerpts.write(text, scanned, signs.as_slice(), BUDGET, &mut summary);
            summary.len()
        };
        bencher.iter(|| texts.iter().for_each(|text| _ = black_box(summarize(text.as_text()))));
    });
    group.throughput(bytes(&logs)).bench_function("structured output", |bencher| {
        let texts = owned(&logs);
        let mut scratch = Scratch::default();
        let mut summarize = |text: Text<'_>| structured_summary(text, scratch.scan(text.bytes()), BUDGET);
        bencher.iter(|| texts.iter().for_each(|text| _ = black_box(summarize(text.as_text()))));
    });
    group.finish();
}

fn duplicates(criterion: &mut Criterion) {
    let texts = mixed();
    let mut group = criterion.benchmark_group("duplicates");
    group.throughput(bytes(&texts));
    let texts: Vec<TextBuf> = texts.iter().map(|text| TextBuf::from(text.as_str())).collect();
    let candidates = || texts.iter().map(TextBuf::as_text).enumerate();
    group.bench_function("exact", |bencher| {
        bencher.iter(|| {
            let mut distinct = DistinctTexts::default();
            black_box(ExactGroups::new(candidates().map(|(index, text)| (index, distinct.push(text)))))
        });
    });
    group.bench_function("fuzzy", |bencher| {
        bencher.iter(|| {
            let mut found = vec![None; texts.len()];
            FuzzyIndex::new(candidates()).annotate(0.85, texts.len() as f64, &mut found);
            black_box(found)
        });
    });
    group.finish();
}

fn conversation(texts: &[String]) -> Transcript {
    let mut conversation = Transcript::with_capacity(texts.len(), texts.iter().map(String::len).sum());
    for (index, text) in texts.iter().enumerate() {
        let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
        let message = Message { role: index as u32 % 2, has_string_id: true, ..Message::default() };
        conversation.push(message, &units(&format!("message_{index}")), &units(text));
    }
    conversation
}

fn engine(criterion: &mut Criterion) {
    let texts = mixed();
    let mut group = criterion.benchmark_group("engine");
    group.throughput(bytes(&texts));
    let unreachable = Options { token_budget: Some(1.0), ..Options::default() };
    let fuzzy = Options { fuzzy_dedup: true, ..Options::default() };
    for (name, options) in [("default", Options::default()), ("token budget", unreachable), ("fuzzy", fuzzy)] {
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || Engine::new(conversation(&texts), options.clone(), None),
                |mut engine| {
                    engine.prepare();
                    black_box(engine.step(&mut NoHost)).is_ok()
                },
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, analysis, summaries, duplicates, engine);
criterion_main!(benches);
