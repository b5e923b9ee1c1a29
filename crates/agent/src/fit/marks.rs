//! Marks in the place of what is left out of a text; `docs/reference/marks.md` lists their forms.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::context::Fence;
use super::first_lines::FirstLine;
use super::gap::{Gap, counted, ends_with_escape, is_after_backslash, lines_in};
use super::span::Form;
use super::spans::{count_line_ends, is_escaped};
use super::structure::after_string;
use crate::shorten::is_head;
use palimpsest_text::Text;
use palimpsest_text::lines::lf_lines;

/// Minimum length of a gap, in lines or items, for its mark to have a count, which costs five tokens instead of two.
const MIN_COUNTED: usize = 4;
/// Maximum length of a mark, however it is escaped, in UTF-16 code units.
const LONGEST_MARK: usize = 240;
/// What a mark in the arguments of a call says.
const CUT_ARGUMENT: &str = "cut here, sent in full";
/// The ellipsis of a mark, as a code unit and escaped in JSON.
const ELLIPSIS: (u16, &[u8]) = (0x2026, b"\\u2026");

/// Writes the marks of one text, gap by gap in order.
pub(super) struct MarkWriter<'a> {
    text: Text<'a>,
    /// A position and the number of its line, where the text shows lines of a file without their numbers.
    line_at: Option<(usize, usize)>,
    /// Whether the text may have fences around code; few have, and then each gap is looked through for them.
    has_fences: bool,
    /// Position from which lines may open or close a fence.
    fence_at: usize,
    /// The fence around that position.
    fence: Fence,
    /// For each count of members the highest number of a mark's name that the text already has.
    taken: Option<FxHashMap<usize, usize>>,
    /// Number of marks in each object with each count of members.
    members: FxHashMap<(u32, usize), usize>,
}

impl<'a> MarkWriter<'a> {
    /// Begins with the first gap of `text`, which shows a file from its `first_line` on, if that is known and the text lacks the numbers.
    pub(super) fn new(text: Text<'a>, first_line: Option<FirstLine>) -> Self {
        let line_at = first_line.map(|FirstLine { at, number }| (at, number));
        MarkWriter {
            text,
            line_at,
            has_fences: memchr::memmem::find(text.bytes(), b"```").is_some(),
            fence_at: 0,
            fence: Fence::default(),
            taken: None,
            members: FxHashMap::default(),
        }
    }

    /// The mark of `gap`, with a note where it is lines of text.
    pub(super) fn of(&mut self, gap: &Gap, note: Option<&str>) -> String {
        match gap.form {
            Form::Text => self.of_text(&gap.range, note),
            Form::JsonText => self.of_json_text(&gap.range),
            Form::Argument => self.of_argument(&gap.range),
            Form::Items | Form::Members(_) => self.of_json(gap),
        }
    }

    /// The mark of lines. Code stays only with its opening fence; where the closing one is in the gap, the mark includes it.
    fn of_text(&mut self, gap: &Range<usize>, note: Option<&str>) -> String {
        if !self.has_fences {
            return self.of_lines(gap, note);
        }
        while self.next_fence(gap.start).is_some() {}
        let was_code = self.fence.is_open();
        let first = self.next_fence(gap.end);
        while self.next_fence(gap.end).is_some() {}
        let Some(fence) = first.filter(|_| was_code && !self.fence.is_open()) else {
            return self.of_lines(gap, note);
        };
        let (code, rest) = (gap.start..fence.start, fence.end.min(gap.end)..gap.end);
        let (of_code, of_rest) = if code.len() >= rest.len() { (note, None) } else { (None, note) };
        // A closing fence is ASCII.
        let fence = String::from_utf8_lossy(&self.text.bytes()[fence.start..rest.start]);
        format!("{}{fence}{}", self.of_part(&code, of_code), self.of_part(&rest, of_rest))
    }

    /// The next line before `end` that opens or closes a fence, with its end.
    fn next_fence(&mut self, end: usize) -> Option<Range<usize>> {
        let bytes = self.text.bytes();
        while let Some(found) = memchr::memmem::find(&bytes[self.fence_at..end.max(self.fence_at)], b"```") {
            let start = self.fence_at + found;
            self.fence_at = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |found| start + found + 1);
            let starts_line = start == 0 || bytes[start - 1] == b'\n';
            if starts_line && self.fence.is_turned_by(&bytes[start..self.fence_at]) {
                return Some(start..self.fence_at);
            }
        }
        self.fence_at = end.max(self.fence_at);
        None
    }

    /// The mark of a part of a gap, or the part itself where it is blank.
    fn of_part(&mut self, part: &Range<usize>, note: Option<&str>) -> String {
        let bytes = &self.text.bytes()[part.clone()];
        let is_blank = bytes.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
        if is_blank { String::from_utf8_lossy(bytes).into_owned() } else { self.of_lines(part, note) }
    }

    fn of_lines(&mut self, gap: &Range<usize>, note: Option<&str>) -> String {
        let cut = &self.text.bytes()[gap.clone()];
        let ends_line = cut.ends_with(b"\n");
        let starts_line = gap.start == 0 || self.text.bytes()[gap.start - 1] == b'\n';
        let end = end_of(cut);
        // Lines are counted where nothing is left of the first and the last.
        let is_whole = starts_line && (ends_line || gap.end == self.text.len());
        let count = lines_in(self.text, gap, false);
        match note {
            Some(note) if is_whole => format!("[… {}: {note}]{end}", counted(count, "line")),
            Some(note) => format!("[…: {note}]{end}"),
            None if !is_whole || count < MIN_COUNTED => format!("[…]{end}"),
            None if repeats(self.text, gap) => format!("[… {count} more like this]{end}"),
            None => match self.line_number(gap.start) {
                Some(first) => format!("[… {count} lines: {first}–{}]{end}", first + count - 1),
                None => format!("[… {count} lines]{end}"),
            },
        }
    }

    /// The number in its file of the line that starts at `start`, which is not before that of the last call.
    fn line_number(&mut self, start: usize) -> Option<usize> {
        // What is above the file has no number in it.
        let (at, line) = self.line_at.as_mut().filter(|(at, _)| *at <= start)?;
        *line += count_line_ends(&self.text.bytes()[*at..start], false);
        *at = start;
        Some(*line)
    }

    fn of_json_text(&self, gap: &Range<usize>) -> String {
        let (count, end) = self.json_lines(gap);
        match count.filter(|&count| count >= MIN_COUNTED) {
            Some(count) => format!("[… {}]{end}", counted(count, "line")),
            None => format!("[…]{end}"),
        }
    }

    /// The number of lines in a gap of a JSON string, where they are whole, and the line end that the gap ends with.
    fn json_lines(&self, gap: &Range<usize>) -> (Option<usize>, &'static str) {
        let bytes = self.text.bytes();
        let ends_line = ends_with_escape(&bytes[..gap.end], b'n');
        let before = &bytes[..gap.start];
        let starts_line = is_quote_at(bytes, gap.start - 1) || ends_with_escape(before, b'n');
        let is_whole = starts_line && (ends_line || is_quote_at(bytes, gap.end));
        (is_whole.then(|| lines_in(self.text, gap, true)), if ends_line { "\\n" } else { "" })
    }

    /// The mark of a long text in the arguments of a call, in words that no model takes for what the call said.
    pub(super) fn of_argument(&self, range: &Range<usize>) -> String {
        let cut = &self.text.bytes()[range.clone()];
        let is_escaped = is_escaped(Form::Argument, range.start);
        let ends_line = if is_escaped { ends_with_escape(cut, b'n') } else { cut.ends_with(b"\n") };
        // Arguments are never written shorter.
        let count = count_line_ends(cut, is_escaped) + usize::from(!ends_line);
        format!("[… {}: {CUT_ARGUMENT}]", counted(count, "line"))
    }

    fn of_json(&mut self, Gap { range, form, count }: &Gap) -> String {
        let cut = self.text.slice(range.clone()).bytes();
        let blanks = cut.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
        let end = cut.len() - blanks;
        let rest = if cut[..end].ends_with(b",") { String::from_utf8_lossy(&cut[end - 1..]) } else { "".into() };
        let Form::Members(object) = *form else {
            // The names of a table are no item of it.
            let count = count - usize::from(is_head(self.text.slice(range.start..range.start + end)));
            let items = if count < MIN_COUNTED { String::new() } else { format!(" {}", counted(count, "item")) };
            return format!("\"[…{items}]\"{rest}");
        };
        // As in the first member, so that compact JSON stays compact.
        let colon = cut[after_string(cut, 0)..].iter().skip_while(|&&byte| byte != b':').nth(1);
        let blank = if colon.is_some_and(u8::is_ascii_whitespace) { " " } else { "" };
        format!("\"{}\":{blank}null{rest}", self.name_of(object, *count))
    }

    /// The name of the mark of `count` members; no other member of the object has it.
    fn name_of(&mut self, object: u32, count: usize) -> String {
        let taken = self.taken.get_or_insert_with(|| taken(self.text)).get(&count).copied().unwrap_or(0);
        let marks = self.members.entry((object, count)).or_default();
        *marks += 1;
        let members = counted(count, "member");
        match taken + *marks {
            1 => format!("[… {members}]"),
            number => format!("[… {members} ({number})]"),
        }
    }
}

/// The line end or blank that `cut` ends with, for its mark.
fn end_of(cut: &[u8]) -> &'static str {
    match cut {
        [.., b'\r', b'\n'] => "\r\n",
        [.., b'\n'] => "\n",
        [.., b' '] => " ",
        _ => "",
    }
}

/// For each count of members the highest number of a mark's name in the strings of a JSON text.
fn taken(text: Text<'_>) -> FxHashMap<usize, usize> {
    let mut taken = FxHashMap::default();
    let bytes = text.bytes();
    let is_said = text.units().is_some_and(|units| units.contains(&ELLIPSIS.0))
        || memchr::memmem::find(bytes, ELLIPSIS.1).is_some();
    let mut at = if is_said { 0 } else { bytes.len() };
    while let Some(quote) = memchr::memchr(b'"', &bytes[at..]) {
        let start = at + quote;
        at = after_string(bytes, start);
        if at - start > LONGEST_MARK {
            continue;
        }
        let name = serde_json::from_str::<String>(&text.slice(start..at).to_string_lossy()).ok();
        if let Some((count, number)) = name.as_deref().and_then(read_name) {
            let highest: &mut usize = taken.entry(count).or_default();
            *highest = number.max(*highest);
        }
    }
    taken
}

/// The count of members in a mark's name, and its number.
fn read_name(name: &str) -> Option<(usize, usize)> {
    let (count, rest) = name.strip_prefix("[… ")?.strip_suffix(']')?.split_once(" member")?;
    let rest = rest.strip_prefix('s').unwrap_or(rest);
    let number = match rest {
        "" => 1,
        // No text has enough gaps for a longer number.
        _ => rest.strip_prefix(" (")?.strip_suffix(')').filter(|number| number.len() < 10)?.parse().ok()?,
    };
    Some((count.parse().ok()?, number))
}

/// Whether the unit at `at` ends or begins a string of JSON.
fn is_quote_at(bytes: &[u8], at: usize) -> bool {
    bytes.get(at) == Some(&b'"') && !is_after_backslash(bytes, at)
}

/// Whether all lines of `gap` equal the line before them, apart from numbers.
fn repeats(text: Text<'_>, gap: &Range<usize>) -> bool {
    let Some(end) = gap.start.checked_sub(1) else { return false };
    let start = memchr::memrchr(b'\n', &text.bytes()[..end]).map_or(0, |at| at + 1);
    let line = text.slice(start..end);
    let cut = text.slice(gap.clone());
    let mut lines = lf_lines(cut.bytes()).filter(|&(start, end)| start < end || end < cut.len());
    !line.is_empty() && lines.all(|(start, end)| without_numbers(line).eq(without_numbers(cut.slice(start..end))))
}

/// The code units of a line, with each run of digits as one digit.
fn without_numbers(line: Text<'_>) -> impl Iterator<Item = u16> + '_ {
    let unit = move |at: usize| line.units().map_or_else(|| line.bytes()[at].into(), |units| units[at]);
    let mut follows_digit = false;
    (0..line.len()).map(unit).filter_map(move |unit| {
        let is_digit = (0x30..0x3A).contains(&unit);
        let is_more = std::mem::replace(&mut follows_digit, is_digit) && is_digit;
        (!is_more).then_some(if is_digit { 0x30 } else { unit })
    })
}
