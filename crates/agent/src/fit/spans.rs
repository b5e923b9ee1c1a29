//! Collecting the spans of one text.

use std::num::NonZeroU32;
use std::ops::Range;

use super::context::Context;
use super::gap::counted_by_mark;
use super::policy::policy;
use super::sentences::{extends_within, split_line};
use super::span::{Form, Span};
use palimpsest_text::Text;
use palimpsest_text::index::to_u32;
use palimpsest_text::lines::lf_lines;

/// Approximate length of a span in UTF-16 code units, a low one, for reserving memory.
pub(super) const UNITS_PER_SPAN: usize = 40;

/// Collects the spans of one text, in order.
pub struct Spans<'a> {
    text: Text<'a>,
    /// The spans so far.
    pub list: Vec<Span>,
    runs: u32,
}

impl<'a> Spans<'a> {
    /// No spans of `text` yet.
    pub fn new(text: Text<'a>) -> Self {
        Spans { text, list: Vec::with_capacity(text.len() / UNITS_PER_SPAN + 1), runs: 0 }
    }

    /// The text that is split.
    pub fn text(&self) -> Text<'a> {
        self.text
    }

    /// Begins a run and returns its number, for [`Spans::add`].
    pub fn run(&mut self) -> u32 {
        self.runs += 1;
        self.runs - 1
    }

    /// Adds a span. Its context is the index of a span above it.
    pub fn add(&mut self, range: Range<usize>, run: u32, form: Form, context: Option<usize>) {
        if range.is_empty() {
            return;
        }
        let above = context.and_then(|context| self.list.len().checked_sub(context));
        debug_assert_eq!(above.is_some_and(|above| above > 0), context.is_some());
        let context = above.and_then(|above| NonZeroU32::new(to_u32(above)));
        self.list.push(Span { range, run, form, context, needs_ends: false });
    }

    /// Adds the lines of `range`: a whole text or the content of a JSON string.
    pub fn add_text(&mut self, range: Range<usize>, form: Form) {
        let run = self.run();
        let content = self.text.slice(range.clone());
        let mut context = Context::default();
        let mut at = range.start;
        for_each_line_end(content.bytes(), is_escaped(form, range.start), |end| {
            let end = range.start + end;
            self.add_line(at..end, run, form, &mut context);
            at = end;
        });
    }

    fn add_line(&mut self, range: Range<usize>, run: u32, form: Form, context: &mut Context) {
        let line = self.text.slice(range.clone());
        let is_blank = !line.bytes().iter().any(|&byte| byte.is_ascii_alphanumeric() || byte >= 0x80);
        let index = self.list.len();
        let needed = context.of(line, &self.text.bytes()[range.end..], index, is_blank);
        // A quote is no code to work on, and does without.
        let needed = needed.filter(|_| form != Form::Argument);
        match self.list.last_mut() {
            // The line that opens a fence belongs to the code below it.
            _ if context.is_fence(index) => {}
            // A mark of what is written shorter says something of the line above.
            Some(last) if last.run == run && form != Form::Argument && counted_by_mark(line).is_some() => {
                last.range.end = range.end;
                return;
            }
            // An empty line or a closing bracket belongs to the span above it.
            Some(last)
                if is_blank
                    && last.run == run
                    && last.range.end + line.len() - last.range.start <= policy().spans.longest_line =>
            {
                last.range.end = range.end;
                return;
            }
            _ => {}
        }
        if extends_within(line, policy().spans.longest_line) {
            return self.add(range, run, form, needed);
        }
        for part in split_line(line, form == Form::Text) {
            self.add(range.start + part.start..range.start + part.end, run, form, needed);
        }
    }
}

/// Whether line ends are escaped in a run of `form` that starts at `start`. Free-form arguments are no JSON, and all of their text.
pub(super) fn is_escaped(form: Form, start: usize) -> bool {
    form == Form::JsonText || (form == Form::Argument && start > 0)
}

/// Number of lines that end in `content`.
pub(super) fn count_line_ends(content: &[u8], is_escaped: bool) -> usize {
    if !is_escaped {
        return memchr::memchr_iter(b'\n', content).count();
    }
    let mut count = 0;
    for_each_line_end(content, true, |_| count += 1);
    // The end of the content is no line end.
    count - 1
}

/// Calls `visit` with the end of each line of `content`, line ends included.
fn for_each_line_end(content: &[u8], is_escaped: bool, mut visit: impl FnMut(usize)) {
    if !is_escaped {
        return lf_lines(content).map(|(_, end)| (end + 1).min(content.len())).filter(|&end| end > 0).for_each(visit);
    }
    // In JSON a line end is a backslash and an `n`; an escaped backslash begins no escape.
    let mut after = 0;
    for at in memchr::memchr_iter(b'\\', content) {
        if at < after {
            continue;
        }
        after = at + 2;
        if content.get(at + 1) == Some(&b'n') {
            visit(after);
        }
    }
    visit(content.len());
}
