//! What is left of a result while the harness's lines are taken off its ends.

use std::ops::Range;

/// A range of a text.
#[derive(Clone, Copy)]
pub(super) struct Rest<'a> {
    text: &'a [u8],
    start: usize,
    end: usize,
}

impl<'a> Rest<'a> {
    /// All of `text`.
    pub(super) fn new(text: &'a [u8]) -> Self {
        Rest { text, start: 0, end: text.len() }
    }

    pub(super) fn bytes(&self) -> &'a [u8] {
        &self.text[self.start..self.end]
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    pub(super) fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Takes `form` off the start.
    pub(super) fn take(&mut self, form: &str) -> bool {
        let has = self.bytes().starts_with(form.as_bytes());
        self.start += if has { form.len() } else { 0 };
        has
    }

    /// Takes `form` off the end.
    pub(super) fn take_end(&mut self, form: &str) -> bool {
        let has = self.bytes().ends_with(form.as_bytes());
        self.end -= if has { form.len() } else { 0 };
        has
    }

    /// The first line, without its end.
    pub(super) fn first(&self) -> Line<'a> {
        let end = memchr::memchr(b'\n', self.bytes()).map_or(self.end, |at| self.start + at);
        Line { text: self.text, start: self.start, end }
    }

    /// The last line, which no line end follows.
    pub(super) fn last(&self) -> Line<'a> {
        let start = memchr::memrchr(b'\n', self.bytes()).map_or(self.start, |at| self.start + at + 1);
        Line { text: self.text, start, end: self.end }
    }

    /// Takes the first line and its end off, if `read` reads it.
    pub(super) fn take_first<T>(&mut self, read: impl FnOnce(Line<'a>) -> Option<T>) -> Option<T> {
        let line = self.first();
        let found = read(line)?;
        self.start = self.end.min(line.end + 1);
        Some(found)
    }

    /// Takes the last line and the line end before it off, if `read` reads it.
    pub(super) fn take_last<T>(&mut self, read: impl FnOnce(Line<'a>) -> Option<T>) -> Option<T> {
        let line = self.last();
        let found = read(line)?;
        self.end = if line.start > self.start { line.start - 1 } else { self.start };
        Some(found)
    }

    /// Takes what is before `form` and it off the start, and returns the range of what was before.
    pub(super) fn take_to(&mut self, form: &str) -> Option<Range<usize>> {
        let at = self.start + memchr::memmem::find(self.bytes(), form.as_bytes())?;
        let before = self.start..at;
        self.start = at + form.len();
        Some(before)
    }
}

/// A line of a text.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    text: &'a [u8],
    start: usize,
    end: usize,
}

impl<'a> Line<'a> {
    pub(super) fn bytes(self) -> &'a [u8] {
        &self.text[self.start..self.end]
    }

    pub(super) fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns the range between `before` and `after`, if the line is nothing else.
    pub(super) fn between(self, before: &str, after: &str) -> Option<Range<usize>> {
        let inner = self.bytes().strip_prefix(before.as_bytes())?.strip_suffix(after.as_bytes())?;
        let start = self.start + before.len();
        Some(start..start + inner.len())
    }

    /// Returns the whole number between `before` and `after`, if the line is nothing else.
    pub(super) fn number(self, before: &str, after: &str) -> Option<i64> {
        number(&self.text[self.between(before, after)?])
    }

    /// Returns whether the line is `words`.
    pub(super) fn is(self, words: &str) -> bool {
        self.bytes() == words.as_bytes()
    }
}

/// Returns the whole number that `text` is. A larger one than fits is as large as fits.
pub(super) fn number(text: &[u8]) -> Option<i64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value =
        digits.iter().fold(0i64, |value, digit| value.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    Some(if digits.len() < text.len() { -value } else { value })
}

/// Returns whether `text` is a number with a point or without.
pub(super) fn is_decimal(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_digit) && text.iter().all(|&byte| byte.is_ascii_digit() || byte == b'.')
}
