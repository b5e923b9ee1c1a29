//! What [`screen::shown`](palimpsest_world::screen::shown) makes of random outputs, judged by emulators of terminals: whatever their size, and whatever stood on
//! the screen before, the text that it writes shows what the program's output shows.
//!
//! `PROPTEST_RNG_SEED` repeats a run, `SCREEN_CASES` sets the number of cases.

mod generate;

use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

use generate::{Random, output};
use palimpsest_text::{Text, TextBuf};
use palimpsest_world::screen::shown;
use regex::Regex;

/// Faults that a run looks for.
const MOST_FAULTS: usize = 6;
/// Columns and rows.
const SIZES: [(usize, usize); 4] = [(80, 24), (97, 31), (200, 50), (400, 60)];

fn string(text: Text<'_>) -> String {
    text.units().map_or_else(
        || String::from_utf8(text.bytes().to_vec()).expect("ASCII"),
        |units| String::from_utf16(units).expect("whole characters"),
    )
}

fn written(text: &str) -> Option<String> {
    shown(TextBuf::from(text).as_text()).certain().map(|shown| string(shown.as_text()))
}

/// The text without marks, and the number of states that they count.
fn without_marks(text: &str) -> (String, usize) {
    let mut states = 0;
    let is_mark = |line: &&str| {
        let count = line.trim_end().strip_prefix("[… ").and_then(|rest| rest.strip_suffix(" earlier states]"));
        states += count.map_or(0, |count| count.parse::<usize>().expect("a number"));
        count.is_some()
    };
    let mut is_mark = is_mark;
    let lines: Vec<&str> = text.split('\n').filter(|line| !is_mark(line)).collect();
    (lines.join("\n"), states)
}

/// As the driver of a terminal passes it on.
fn passed_on(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

fn trimmed(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut lines: Vec<String> = lines.map(|line| line.trim_end().to_owned()).collect();
    lines.truncate(lines.len() - lines.iter().rev().take_while(|line| line.is_empty()).count());
    lines
}

fn by_avt(text: &str, (columns, rows): (usize, usize)) -> Vec<String> {
    let mut terminal = avt::Terminal::with_scrollback(columns, rows, None).expect("a size");
    terminal.feed(text);
    let lines: Vec<String> = terminal.screen().all_lines().map(|line| line.text()).collect();
    trimmed(lines.into_iter())
}

fn by_vt100(text: &str, (columns, rows): (usize, usize)) -> Vec<String> {
    let size = |number: usize| u16::try_from(number).ok().and_then(std::num::NonZeroU16::new).expect("a size");
    let mut terminal = vt100::Parser::new(size(rows), size(columns), 400);
    terminal.process(text.as_bytes());
    terminal.screen_mut().set_scrollback(usize::MAX);
    let mut lines = Vec::new();
    loop {
        let offset = terminal.screen().scrollback();
        let shown: Vec<String> = terminal.screen().rows(0, columns as u16).collect();
        if offset == 0 {
            lines.extend(shown);
            return trimmed(lines.into_iter());
        }
        let step = offset.min(rows);
        lines.extend(shown.into_iter().take(step));
        terminal.screen_mut().set_scrollback(offset - step);
    }
}

/// What names rows of the screen or changes all of it, so that it matters what was there before.
static ABSOLUTE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\x1B(\[[\d;]*[HfdrST]|\[[123]J|\[\?(6|47|1049)|[c#])").expect("a pattern"));
/// What one of the emulators doesn't know.
static RARE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\x1B(\[[\d;]*[EFSTaebdgfsuIZr`]|\[\??[467][hl]|[DEHcM])|\t").expect("a pattern"));

/// What is wrong with what was made of an output in terminals of these sizes, if anything.
fn fault(text: &str, made: &str, sizes: &[(usize, usize)]) -> Option<String> {
    let (bare, _) = without_marks(made);
    let (is_absolute, is_rare) = (ABSOLUTE.is_match(text), RARE.is_match(text));
    for &size in sizes {
        // Below what a shell showed before: nothing, some rows, a whole screen.
        for &before in if is_absolute { &[0][..] } else { &[0, 7, 40] } {
            let before = "what was there\n".repeat(before);
            let [given, made] = [text, &bare].map(|text| passed_on(&format!("{before}{text}")));
            let (want, got) = (by_avt(&given, size), by_avt(&made, size));
            if want != got {
                return Some(format!("avt {size:?}: {want:#?} but {got:#?}"));
            }
            if !is_rare {
                let (want, got) = (by_vt100(&given, size), by_vt100(&made, size));
                if want != got {
                    return Some(format!("vt100 {size:?}: {want:#?} but {got:#?}"));
                }
            }
        }
    }
    None
}

/// A shorter output with the same fault.
fn smallest(mut text: String, sizes: &[(usize, usize)]) -> String {
    let mut step = text.chars().count();
    while step > 0 {
        let characters: Vec<char> = text.chars().collect();
        let found = (0..characters.len()).step_by(step).find_map(|at| {
            let end = (at + step).min(characters.len());
            let less: String = characters[..at].iter().chain(&characters[end..]).collect();
            fault(&less, &written(&less)?, sizes).map(|_| less)
        });
        match found {
            Some(less) => text = less,
            None => step /= 2,
        }
    }
    text
}

#[test]
fn what_is_written_shows_what_the_output_shows() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
    let seed = number("PROPTEST_RNG_SEED").unwrap_or_else(now);
    let cases = number("SCREEN_CASES").unwrap_or(5000);
    println!("PROPTEST_RNG_SEED={seed} repeats the cases of this run.");
    let mut random = Random(seed);
    // Those with something to write anew, and those of which it was certain.
    let mut faults = Vec::new();
    let (mut asked, mut claimed, mut marked) = (0_u64, 0_u64, 0_u64);
    for _ in 0..cases {
        let text = output(&mut random);
        asked += u64::from(text.contains(['\x1B', '\x08']) || text.replace("\r\n", "").contains('\r'));
        let Some(made) = written(&text) else { continue };
        claimed += 1;
        marked += u64::from(without_marks(&made).1 > 0);
        assert!(made.encode_utf16().count() < text.encode_utf16().count());
        // The smallest terminal, and now and then a larger one.
        let larger = random.pick(&[0, 0, 0, 0, 0, 0, 1, 1, 2, 3]);
        let sizes = &[SIZES[0], SIZES[larger]][..1 + larger.min(1)];
        if fault(&text, &made, sizes).is_some() {
            let less = smallest(text, sizes);
            let made = written(&less).expect("a fault");
            let fault = fault(&less, &made, sizes).expect("a fault");
            faults.push(format!("{less:?} was written as {made:?}: {fault}"));
            if faults.len() == MOST_FAULTS {
                break;
            }
        }
    }
    assert!(faults.is_empty(), "{}\n{}", seed, faults.join("\n"));
    println!("{cases} cases, {asked} with something to write, {claimed} written, {marked} with a mark");
    assert!(claimed * 5 > asked, "{claimed} of {asked} written");
    assert!(marked * 50 > claimed, "{marked} of {claimed} with a mark");
}
