//! Lines that say by their form alone that a terminal writes over them: progress that goes up, spinners, and what is printed twice for bold.
//!
//! Records of HL7, tables and texts of old Macintoshes are separated by carriage returns, too. So only a form that says that the states follow
//! one another counts.

use palimpsest_text::Text;

const BACKSPACE: u16 = 0x08;
const RETURN: u16 = 0x0D;

/// Whether the carriage returns and backspaces in the visible units of a line lead back over states of it.
pub(super) fn is_progress(line: &[u16]) -> bool {
    let (returns, backspaces) = (line.contains(&RETURN), line.contains(&BACKSPACE));
    match (returns, backspaces) {
        (false, true) => is_printed_twice(line) || is_spinner_in_place(line) || is_number_in_place(line),
        (true, false) => {
            let text: String = char::decode_utf16(line.iter().copied()).map(|one| one.unwrap_or('\u{FFFD}')).collect();
            let states: Vec<&str> = text.split('\r').filter(|state| !state.is_empty()).collect();
            if is_wiped(&states) {
                states.split(|state| state.trim().is_empty()).all(|group| group.len() < 2 || follow(group))
            } else {
                follow(&states)
            }
        }
        _ => false,
    }
}

/// Whether states are those of one thing, one after the other.
fn follow(states: &[&str]) -> bool {
    states.len() > 1 && (are_shares(states) || are_spinning(states) || are_transfers(states))
}

/// Whether blanks are written over states, each time over the whole of the last one.
fn is_wiped(states: &[&str]) -> bool {
    let is_blank = |state: &str| state.trim().is_empty();
    let covers = |pair: &[&str]| is_blank(pair[0]) || !is_blank(pair[1]) || pair[1].len() >= pair[0].chars().count();
    states.iter().skip(1).any(|state| is_blank(state)) && states.windows(2).all(covers)
}

/// `N\bN` for bold, `_\bN` for underlined.
fn is_printed_twice(line: &[u16]) -> bool {
    let at = |index: usize| line.get(index).copied();
    let is_twice = |index: usize| {
        let (Some(before), Some(after)) = (index.checked_sub(1).and_then(at), at(index + 1)) else { return false };
        let is_letter = after > 0x20 && !(0xD800..0xE000).contains(&after);
        is_letter && (before == after || before == u16::from(b'_'))
    };
    // An underscore in front of one that it underlines may stand for itself.
    (0..line.len()).filter(|&index| line[index] == BACKSPACE).all(is_twice)
}

/// `|\b/\b-\b\\\b`: three turns or more, or one that blanks go over, as in `-\b \b`.
fn is_spinner_in_place(line: &[u16]) -> bool {
    let mut turns = 0;
    let mut is_gone = false;
    for index in (0..line.len()).filter(|&index| line[index] == BACKSPACE) {
        let Some(before) = index.checked_sub(1).map(|before| line[before]) else { return false };
        let is_blank = before == 0x20;
        if !is_blank && !is_spinner(u32::from(before)) {
            return false;
        }
        turns += 1;
        is_gone |= is_blank && index > 2 && line[index - 2] == BACKSPACE && is_spinner(u32::from(line[index - 3]));
    }
    turns >= 3 || is_gone
}

/// ` 50%\b\b\b\b 70%`: shares that don't go down, each written over the whole of the last.
fn is_number_in_place(line: &[u16]) -> bool {
    let mut last: Option<u32> = None;
    let mut at = 0;
    let mut count = 0;
    while let Some(found) = line[at..].iter().position(|&unit| unit == BACKSPACE) {
        let end = at + found;
        let back = line[end..].iter().take_while(|&&unit| unit == BACKSPACE).count();
        let Some(start) = end.checked_sub(back) else { return false };
        // A part of a number is none.
        if start > 0 && (line[start - 1] == u16::from(b'.') || (0x30..0x3A).contains(&line[start - 1])) {
            return false;
        }
        let Some(share) = share_of(&line[start..end]).filter(|&share| last.is_none_or(|last| last <= share)) else {
            return false;
        };
        last = Some(share);
        count += 1;
        at = end + back;
    }
    let rest = &line[at..];
    let next = rest.iter().position(|&unit| unit == u16::from(b'%')).and_then(|end| share_of(&rest[..=end]));
    count > 0 && (next.is_some_and(|next| last.is_none_or(|last| last <= next)) || count > 2 && rest.is_empty())
}

/// What ` 50%` says.
fn share_of(units: &[u16]) -> Option<u32> {
    let text = String::from_utf16(units).ok()?;
    let digits = text.trim_start().strip_suffix('%')?;
    digits.parse().ok().filter(|&share| share <= 100)
}

fn is_spinner(character: u32) -> bool {
    matches!(character, 0x2D | 0x2F | 0x5C | 0x7C | 0x25D0..=0x25D3 | 0x2801..=0x28FF)
}

/// How far a state is: a share of 100 %, or a count and the whole of it, both in millionths.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Share {
    whole: u64,
    part: u64,
}

/// Reads a number, in millionths.
fn millionths(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = part.len().min(6);
    let part: u64 = part[..digits].parse().ok().filter(|_| !part.contains('.'))?;
    whole.parse::<u64>().ok()?.checked_mul(1_000_000)?.checked_add(part * 10_u64.pow(6 - digits as u32))
}

/// Whether all states say how far the same thing is, none less than the one before. The last may say in words that it is done, the first that
/// it begins.
fn are_shares(states: &[&str]) -> bool {
    let states: Vec<&str> = states.iter().copied().filter(|state| !state.trim().is_empty()).collect();
    let [first, .., last] = states[..] else { return false };
    let shares: Vec<Option<Share>> = states.iter().map(|state| share_in(state)).collect();
    let (begin, end) =
        (usize::from(shares[0].is_none()), states.len() - usize::from(shares[states.len() - 1].is_none()));
    let count = end.saturating_sub(begin);
    if count < 2 && (count, states.len()) != (1, 3) {
        return false;
    }
    let known: Option<Vec<Share>> = shares[begin..end].iter().copied().collect();
    let Some(known) = known else { return false };
    let goes_up = known.windows(2).all(|pair| pair[0].whole == pair[1].whole && pair[0].part <= pair[1].part);
    let words = words_of(states[begin]);
    let is_same = |(index, state): (usize, &&str)| {
        let here = words_of(state);
        (here == words || index + 1 == states.len() && here.starts_with(&words)) && !is_record(state)
    };
    let are_same = states.iter().enumerate().take(end).skip(begin).all(is_same);
    let names = lead_of(states[begin]);
    let begins = begin == 0 || !lead_of(first).is_empty() && names.starts_with(lead_of(first));
    // Of other words that go over all of the last state, it is certain after two that went up.
    let covers = || count > 1 && columns_of(last) >= columns_of(states[end - 1]);
    let ends = end == states.len() || !names.is_empty() && last.starts_with(names) || covers();
    goes_up && are_same && begins && ends && known.iter().any(|share| share.part > 0)
}

fn columns_of(state: &str) -> usize {
    state.trim_end().chars().count()
}

/// The share that a state says: `45%`, `(3/17)`. None where it says none, or several that differ.
fn share_in(state: &str) -> Option<Share> {
    let bytes = state.as_bytes();
    let is_number = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let before = |end: usize| end - bytes[..end].iter().rev().take_while(|byte| is_number(byte)).count();
    const ALL: u64 = 100_000_000;
    let mut percents = (0..bytes.len()).filter(|&at| bytes[at] == b'%').map(|at| millionths(&state[before(at)..at]));
    if let Some(part) = percents.next() {
        let part = part.filter(|&part| part <= ALL)?;
        return percents.next().is_none().then_some(Share { whole: ALL, part });
    }
    let mut counts = (0..bytes.len()).filter(|&at| bytes[at] == b'/').filter_map(|at| {
        let end = at + 1 + bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (part, whole) = (millionths(&state[before(at)..at])?, millionths(&state[at + 1..end])?);
        (part <= whole).then_some(Share { whole, part })
    });
    let share = counts.next()?;
    counts.next().is_none().then_some(share)
}

/// The words of a state, without numbers, units and bars.
fn words_of(state: &str) -> Vec<&str> {
    let is_word = |word: &&str| word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let parts = state.split(|character: char| !character.is_ascii_alphanumeric());
    parts.filter(is_word).collect()
}

/// What a state begins with, up to its first number.
fn lead_of(state: &str) -> &str {
    let end = state.find(|character: char| character.is_ascii_digit()).unwrap_or(state.len());
    state[..end].trim_end_matches(|character: char| !character.is_alphanumeric())
}

/// Whether it looks like a record of a table: fields with a separator and no blank between.
fn is_record(state: &str) -> bool {
    let characters: Vec<char> = state.chars().collect();
    let is_text = |at: Option<usize>| at.and_then(|at| characters.get(at)).is_some_and(|one| one.is_alphanumeric());
    characters.iter().enumerate().any(|(at, one)| match one {
        '\t' | ';' => true,
        '|' => is_text(at.checked_sub(1)) && is_text(Some(at + 1)),
        ',' => characters.get(at + 1).is_some_and(|next| *next != ' ') && !is_thousands(&characters, at),
        _ => false,
    })
}

/// Whether the comma at `at` stands in a number such as 32,768.
fn is_thousands(characters: &[char], at: usize) -> bool {
    let is_digit = |at: usize| characters.get(at).is_some_and(char::is_ascii_digit);
    at > 0 && is_digit(at - 1) && (1..=3).all(|more| is_digit(at + more)) && !is_digit(at + 4)
}

/// Whether all states are the same but for a spinner, of which there are three or more.
fn are_spinning(states: &[&str]) -> bool {
    let place = |state: &str| {
        let mut dots = state.char_indices().filter(|(_, one)| is_spinner(u32::from(*one)) && !one.is_ascii());
        let (at, one) = dots.next()?;
        dots.next().is_none().then_some((at, one.len_utf8()))
    };
    let rest =
        |state: &&str| place(state).map(|(at, length)| (state[..at].to_owned(), state[at + length..].to_owned()));
    let rests: Option<Vec<_>> = states.iter().map(rest).collect();
    rests.is_some_and(|rests| rests.len() > 2 && rests.windows(2).all(|pair| pair[0] == pair[1]))
}

/// The table of curl, of which each state has twelve fields and three clocks.
fn are_transfers(states: &[&str]) -> bool {
    let is_clock = |field: &&str| {
        *field == "--:--:--" || field.len() > 6 && field.bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
    };
    let is_amount = |field: &&str| {
        let number = field.trim_end_matches(['k', 'K', 'M', 'G', 'T', 'P']);
        !number.is_empty()
            && field.len() <= number.len() + 1
            && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    states.iter().all(|state| {
        let fields: Vec<&str> = state.split_ascii_whitespace().collect();
        fields.len() == 12
            && fields[8..11].iter().all(is_clock)
            && fields[..8].iter().chain(&fields[11..]).all(is_amount)
    })
}

/// The units of a text, into `units`.
pub(super) fn units_of(text: Text<'_>, units: &mut Vec<u16>) {
    units.extend((0..text.len()).map(|at| text.unit(at)));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> bool {
        is_progress(&line.encode_utf16().collect::<Vec<_>>())
    }

    #[test]
    fn progress_is_known_by_its_form() {
        for line in [
            "10%\r55%\r100%",
            " 10%|█         | 1/10 [00:01<00:09,  1.00it/s]\r 20%|██        | 2/10 [00:02<00:08,  1.00it/s]",
            "Reading package lists... 0%\rReading package lists... 45%\rReading package lists... Done",
            "(Reading database ... \r(Reading database ... 5%\r(Reading database ... 100%\r(Reading database ... 12345 files and directories currently installed.)",
            "remote: Counting objects:  50% (1/2)\rremote: Counting objects: 100% (2/2)\rremote: Counting objects: 100% (2/2), done.",
            "Receiving objects:  45% (450/1000), 1.20 MiB | 500.00 KiB/s\rReceiving objects: 100% (1000/1000), 2.40 MiB | 600.00 KiB/s, done.",
            "      32,768   0%    0.00kB/s    0:00:00\r  10,000,000 100%   90.00MB/s    0:00:00 (xfr#1, to-chk=0/1)",
            "\r0% [Working]\r            \r0% [1 InRelease 0 B/151 kB 0%]\r                              \r0% [Working]\r50% [Working]\r             \rGet:2 a b",
            "Downloading 3/17\rDownloading 12/17\rDownloading 17/17",
            "⠋ installing\r⠙ installing\r⠹ installing",
            "  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0\r100  1256  100  1256    0     0   2321      0 --:--:-- --:--:-- --:--:--  2321",
            "Installing build dependencies ... -\x08 \x08done",
            "Installing build dependencies ... -\x08 \x08\\\x08 \x08done",
            "Rebasing (1/4)\rRebasing (2/4)\rAuto-merging README.md",
            "building |\x08/\x08-\x08\\\x08|\x08 ",
            "copying  10%\x08\x08\x08\x08 70%\x08\x08\x08\x08100%",
            "N\x08NA\x08AM\x08ME\x08E",
            "_\x08f_\x08i_\x08l_\x08e",
        ] {
            assert!(read(line), "{line:?}");
        }
    }

    #[test]
    fn data_is_not() {
        for line in [
            "one\rtwo",
            "MSH|^~\\&|LAB|H1\rPID|1||4711||DOE^J\rOBX|1|NM|K||6.9",
            "OBX|1|NM|HCT||45|%\rOBX|2|NM|HCT||46|%",
            "OBX|1|NM|HCT||45%|x\rOBX|2|NM|HCT||46%|x",
            "year,share\r2020,10%\r2021,20%",
            "2020;10%\r2021;20%",
            "2020\t10%\r2021\t20%",
            "1/2\r1/3",
            "50%\r40%",
            "apples 10%\rpears 20%",
            "Fetching all\rDone",
            "Rebasing (1/4)\rAuto-merging README.md",
            "Rebasing (1/4)\rRebasing (2/4)\rDone",
            "a-\x08done",
            "name\r  \rvalue",
            "name\rother\r       \rvalue",
            "\x08word\x08",
            "a\x08b",
            "50%\x08\x0870%",
            "",
        ] {
            assert!(!read(line), "{line:?}");
        }
    }
}
