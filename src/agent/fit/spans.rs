//! A text as spans: lines, sentences of long lines, members of JSON. Each stays or goes as a whole.

use std::num::NonZeroU32;
use std::ops::Range;

use super::context::Context;
use super::logs::is_log;
use super::sentences::split_line;
use super::structure::{self, Stays};
use crate::text::Text;
use crate::text::lines::lf_lines;
use crate::transcript::Kind;

/// A line up to this length is one span, in UTF-16 code units; longer ones are split into sentences.
const LINE: usize = 280;
/// About how many units of text come to a span; with room.
pub const UNITS_PER_SPAN: usize = 40;

/// What spans side by side are made of, and so what may stand in the place of those that go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Lines and sentences of a text.
    Text,
    /// The same inside a string of JSON, where line ends are escaped.
    JsonText,
    /// Elements of an array; each but the last has its comma.
    Items,
    /// Members of the object with this number; each but the last has its comma.
    Members(u32),
}

/// A stretch of a text that stays or goes as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Where it stands, in UTF-16 code units.
    pub range: Range<usize>,
    /// Spans with the same number follow each other without anything between them.
    pub run: u32,
    /// What the run is made of.
    pub form: Form,
    /// How many spans above this one its context stands: the span without which it is hard to understand, such as the
    /// signature above a line of code, the header of a hunk, the heading of a section. It can't point at itself or at what
    /// comes later, so no chain of contexts is a circle.
    pub context: Option<NonZeroU32>,
    /// Whether the first and the last span of the text stay wherever this one does, as in a log.
    pub needs_ends: bool,
}

/// Collects the spans of one text, in order.
pub struct Spans<'a> {
    text: Text<'a>,
    /// What was found.
    pub list: Vec<Span>,
    runs: u32,
}

/// The spans of a text of a part of `kind`, which is the JSON of a value where `is_value`. What stands between them stays as
/// long as the part does.
pub fn spans_of(kind: Kind, is_value: bool, text: Text<'_>) -> Vec<Span> {
    let mut spans = Spans { text, list: Vec::with_capacity(text.len() / UNITS_PER_SPAN + 1), runs: 0 };
    match structure::read(text) {
        Some(tree) if kind == Kind::Call => tree.split(&mut spans, Stays::Arguments),
        Some(tree) => tree.split(&mut spans, if is_value { Stays::Records } else { Stays::Nothing }),
        // Arguments that are no JSON can't be shortened in such a way that they stay what they are; nor can a number.
        None if kind == Kind::Call && text.trim().bytes().first() == Some(&b'{') => {}
        None if is_value => {}
        None => {
            spans.add_text(0..text.len(), Form::Text);
            // Of a log the first and the last line say when and how it went.
            let needs_ends = kind == Kind::Result && is_log(text);
            spans.list.iter_mut().for_each(|span| span.needs_ends = needs_ends);
        }
    }
    spans.list
}

impl<'a> Spans<'a> {
    /// The text that is split.
    pub fn text(&self) -> Text<'a> {
        self.text
    }

    /// Begins a run, whose number [`Spans::add`] takes.
    pub fn run(&mut self) -> u32 {
        self.runs += 1;
        self.runs - 1
    }

    /// Adds a span. What doesn't stand above it, by its place in the list, can't be its context.
    pub fn add(&mut self, range: Range<usize>, run: u32, form: Form, context: Option<usize>) {
        if range.is_empty() {
            return;
        }
        let above = context.and_then(|context| self.list.len().checked_sub(context));
        debug_assert_eq!(above.is_some_and(|above| above > 0), context.is_some());
        let context = above.and_then(|above| NonZeroU32::new(above as u32));
        self.list.push(Span { range, run, form, context, needs_ends: false });
    }

    /// Adds the lines of `range`, which is a text or what stands in a string of JSON.
    pub fn add_text(&mut self, range: Range<usize>, form: Form) {
        let run = self.run();
        let content = self.text.slice(range.clone());
        let mut context = Context::default();
        let mut at = range.start;
        for_each_line_end(content.bytes(), form, |end| {
            let end = range.start + end;
            self.add_line(at..end, run, form, &mut context);
            at = end;
        });
    }

    fn add_line(&mut self, range: Range<usize>, run: u32, form: Form, context: &mut Context) {
        let line = self.text.slice(range.clone());
        let says_nothing = !line.bytes().iter().any(|&byte| byte.is_ascii_alphanumeric() || byte >= 0x80);
        let index = self.list.len();
        let needed = context.of(line, &self.text.bytes()[range.end..], index, says_nothing);
        match self.list.last_mut() {
            // The line that opens a fence belongs to what comes.
            _ if context.is_fence(index) => {}
            // An empty line or a closing bracket belongs to what stands above it.
            Some(last) if says_nothing && last.run == run && last.range.end + line.len() - last.range.start <= LINE => {
                last.range.end = range.end;
                return;
            }
            _ => {}
        }
        if line.len() <= LINE {
            return self.add(range, run, form, needed);
        }
        for part in split_line(line, form == Form::Text) {
            self.add(range.start + part.start..range.start + part.end, run, form, needed);
        }
    }
}

/// How many lines end in `content`.
pub fn count_line_ends(content: &[u8], form: Form) -> usize {
    let mut count = 0;
    match form {
        Form::JsonText => for_each_line_end(content, form, |_| count += 1),
        _ => return memchr::memchr_iter(b'\n', content).count(),
    }
    // The end of the content is none.
    count - 1
}

/// Shows `visit` where the lines of `content` end, their ends included.
fn for_each_line_end(content: &[u8], form: Form, mut visit: impl FnMut(usize)) {
    if form == Form::Text {
        return lf_lines(content).map(|(_, end)| (end + 1).min(content.len())).filter(|&end| end > 0).for_each(visit);
    }
    // In JSON the line end is a backslash and an `n`; a backslash that is escaped itself begins nothing.
    let mut behind = 0;
    for at in memchr::memchr_iter(b'\\', content) {
        if at < behind {
            continue;
        }
        behind = at + 2;
        if content.get(at + 1) == Some(&b'n') {
            visit(behind);
        }
    }
    visit(content.len());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextBuf;

    fn split(kind: Kind, text: &str) -> Vec<String> {
        let text = TextBuf::from(text);
        let text = text.as_text();
        let show = |span: &Span| {
            let bytes = text.slice(span.range.clone()).bytes().to_vec();
            String::from_utf8(bytes).expect("ASCII")
        };
        spans_of(kind, false, text).iter().map(show).collect()
    }

    /// Which span is the context of each.
    fn contexts(spans: &[Span]) -> Vec<Option<usize>> {
        spans.iter().enumerate().map(|(at, span)| Some(at - span.context?.get() as usize)).collect()
    }

    #[test]
    fn lines_stand_alone_and_brackets_with_what_they_close() {
        let code = "fn a() {\n    one();\n}\n\nfn b() {}\n";
        assert_eq!(split(Kind::Result, code), ["fn a() {\n", "    one();\n}\n\n", "fn b() {}\n"]);
        assert_eq!(split(Kind::Text, ""), Vec::<String>::new());
    }

    #[test]
    fn a_line_of_code_needs_its_signature() {
        let code = TextBuf::from("12→fn a() {\n13→    one();\n14→    two();\n15→fn b() {\n16→    three();");
        let contexts = contexts(&spans_of(Kind::Result, false, code.as_text()));
        assert_eq!(contexts, [None, Some(0), Some(0), None, Some(3)]);
    }

    #[test]
    fn code_in_a_fence_needs_its_fence() {
        let text = TextBuf::from("## Fix\nHere it is:\n```ts\nlet a = 1;\n```\nThat is all.");
        let contexts = contexts(&spans_of(Kind::Text, false, text.as_text()));
        assert_eq!(contexts, [None, Some(0), Some(0), Some(2), Some(0)], "the closing fence stands with the code");
    }

    #[test]
    fn arguments_lose_lines_of_long_strings_and_nothing_else() {
        let lines: Vec<String> = (0..30).map(|line| format!("line {line} of the file")).collect();
        let call = format!(r#"{{"path":"a.txt","content":"{}"}}"#, lines.join("\\n"));
        let spans = split(Kind::Call, &call);
        assert_eq!((spans.len(), spans[0].as_str()), (30, "line 0 of the file\\n"));
        assert_eq!(split(Kind::Call, r#"{"path":"a.txt","content":"short"}"#), Vec::<String>::new());
        assert_eq!(split(Kind::Call, r#"{"path":"a.txt", broken"#), Vec::<String>::new());
    }

    #[test]
    fn results_in_json_lose_elements() {
        let items: Vec<String> = (0..40).map(|item| format!(r#"{{"id":{item},"name":"item {item}"}}"#)).collect();
        let spans = split(Kind::Result, &format!(r#"{{"items":[{}],"total":40}}"#, items.join(", ")));
        assert!(spans.contains(&format!("{}, ", items[3])) && spans.contains(&items[39]), "{spans:?}");
    }
}
