//! Reads the words of a script: quotes, expansions, substitutions, here-documents.

use super::parser::{Parser, Unclear};
use super::syntax::Word;

/// Returns whether a byte ends a word where nothing quotes it.
pub(super) fn ends_word(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')')
}

/// Returns whether a text is a name that a variable may have.
pub(super) fn is_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// A word while it is read.
#[derive(Debug, Default)]
struct Draft {
    word: Word,
    /// Whether something was expanded, so that the text is not all of it.
    is_expanded: bool,
    /// Whether it may split, or start with what an expansion gives.
    is_open: bool,
}

impl Draft {
    /// Notes an expansion.
    fn expand(&mut self, is_in_quotes: bool) {
        self.is_open |= !is_in_quotes || self.word.text.is_empty();
        self.is_expanded = true;
    }

    /// Returns whether all that was read is a name and the equals sign after it.
    fn is_after_equals(&self) -> bool {
        let after = self.word.name.and_then(|name| self.word.text.get(name..));
        matches!(after, Some("=" | "+=")) && !self.word.is_quoted
    }

    fn finish(mut self) -> Word {
        self.word.is_literal = !self.is_expanded;
        let starts_well = !self.word.text.is_empty() && !self.word.text.starts_with('-');
        self.word.is_never_option = starts_well && !self.is_open;
        self.word
    }
}

impl Parser<'_> {
    /// Reads a word. What stands here does not end one.
    pub(super) fn word(&mut self) -> Result<Word, Unclear> {
        self.word_until(ends_word)
    }

    /// Reads a word inside of `[[ … ]]`, where only blanks end it.
    pub(super) fn word_of_test(&mut self) -> Result<Word, Unclear> {
        self.word_until(|byte| matches!(byte, b' ' | b'\t' | b'\n'))
    }

    fn word_until(&mut self, ends: fn(u8) -> bool) -> Result<Word, Unclear> {
        let mut draft = Draft::default();
        let start = self.at;
        while let Some(byte) = self.peek() {
            match byte {
                b'<' | b'>' if self.peek_at(1) == Some(b'(') => {
                    self.at += 2;
                    draft.expand(false);
                    let inner = self.substituted()?;
                    draft.word.inner.push(inner);
                    self.has_async = true;
                }
                b'(' if draft.is_after_equals() => {
                    self.at += 1;
                    draft.expand(false);
                    self.array(&mut draft)?;
                }
                byte if ends(byte) => break,
                b'\'' => {
                    self.at += 1;
                    let rest = &self.text[self.at..];
                    let length = memchr::memchr(b'\'', rest.as_bytes()).ok_or(Unclear)?;
                    draft.word.text.push_str(&rest[..length]);
                    draft.word.is_quoted = true;
                    self.pass(length)?;
                    self.at += 1;
                }
                b'"' => {
                    self.at += 1;
                    draft.word.is_quoted = true;
                    self.quoted(&mut draft)?;
                }
                b'\\' => match self.next_char(1) {
                    Some('\n') => self.at += 2,
                    Some(escaped) if !escaped.is_control() => {
                        draft.word.text.push(escaped);
                        draft.word.is_quoted = true;
                        self.at += 1 + escaped.len_utf8();
                    }
                    _ => return Err(Unclear),
                },
                b'$' => self.expansion(&mut draft, false)?,
                b'`' => self.backquoted(&mut draft, false)?,
                b'*' | b'?' | b'[' => {
                    // The command `[` is no pattern.
                    let is_alone = self.at == start && self.peek_at(1).is_none_or(ends);
                    draft.is_expanded |= byte != b'[' || !is_alone;
                    draft.is_open |= draft.word.text.is_empty();
                    self.plain(&mut draft);
                }
                b'{' if self.peek_at(1) == Some(b'}') => {
                    draft.word.text.push_str("{}");
                    self.at += 2;
                }
                b'{' => {
                    let is_alone = self.at == start && self.peek_at(1).is_none_or(ends);
                    draft.is_expanded |= !is_alone;
                    draft.is_open |= draft.word.text.is_empty();
                    self.plain(&mut draft);
                }
                b'~' => {
                    let may_expand = self.at == start || matches!(self.text.as_bytes()[self.at - 1], b'=' | b':');
                    draft.is_expanded |= may_expand;
                    self.plain(&mut draft);
                }
                b'=' => {
                    // zsh makes a program's path of `=name`.
                    draft.is_expanded |= self.at == start;
                    let name = draft.word.text.strip_suffix('+').unwrap_or(&draft.word.text);
                    let name = if name.ends_with(']') { name.split('[').next().unwrap_or_default() } else { name };
                    let is_first = draft.word.name.is_none() && !draft.word.is_quoted;
                    if is_first && is_name(name) && self.text[start..self.at].starts_with(name) {
                        draft.word.name = Some(name.len());
                        draft.is_expanded |= name.len() != draft.word.text.len();
                    }
                    self.plain(&mut draft);
                }
                b'!' => {
                    self.note_history();
                    self.plain(&mut draft);
                }
                // Harnesses differ in what they make of control characters.
                0..=0x1f | 0x7f => return Err(Unclear),
                _ => {
                    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./,:@%+".contains(byte);
                    self.plain_run(&mut draft, is_plain);
                }
            }
        }
        Ok(draft.finish())
    }

    /// Takes one character as it is.
    fn plain(&mut self, draft: &mut Draft) {
        if let Some(char) = self.next_char(0) {
            draft.word.text.push(char);
            self.at += char.len_utf8();
        }
    }

    /// Takes the characters up to the first byte that is not like these, or one character.
    fn plain_run(&mut self, draft: &mut Draft, is_like: fn(&u8) -> bool) {
        let length = self.text.as_bytes()[self.at..].iter().take_while(|byte| is_like(byte)).count();
        if length == 0 {
            return self.plain(draft);
        }
        draft.word.text.push_str(&self.text[self.at..self.at + length]);
        self.at += length;
    }

    /// Passes quoted text. A line break in it would come before the text of a here-document.
    fn pass(&mut self, length: usize) -> Result<(), Unclear> {
        let passed = &self.text.as_bytes()[self.at..self.at + length];
        if !self.pending.is_empty() && passed.contains(&b'\n') {
            return Err(Unclear);
        }
        self.at += length;
        Ok(())
    }

    /// Notes that an interactive shell would replace a word from its history.
    fn note_history(&mut self) {
        let before = self.at.checked_sub(1).map(|at| self.text.as_bytes()[at]);
        let after = self.peek_at(1);
        let is_safe = after.is_none_or(|byte| ends_word(byte) || matches!(byte, b'=' | b'"' | b'\''));
        self.recalls |= !is_safe && !matches!(before, Some(b'$' | b'{' | b'['));
    }

    /// Reads the elements of an array.
    fn array(&mut self, draft: &mut Draft) -> Result<(), Unclear> {
        loop {
            self.skip_lines()?;
            match self.peek() {
                None => return Err(Unclear),
                Some(b')') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(byte) if ends_word(byte) => return Err(Unclear),
                Some(_) => {
                    self.deepen()?;
                    let word = self.word();
                    self.depth -= 1;
                    let word = word?;
                    self.take_inner(draft, word);
                }
            }
        }
    }

    fn take_inner(&self, draft: &mut Draft, word: Word) {
        draft.word.inner.extend(word.inner);
        draft.word.may_abort |= word.may_abort;
        draft.word.may_assign |= word.may_assign;
    }

    /// Reads text in double quotes up to the closing one.
    fn quoted(&mut self, draft: &mut Draft) -> Result<(), Unclear> {
        loop {
            match self.peek().ok_or(Unclear)? {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' | b'$' | b'`' | b'\n' | b'!' => self.quoted_piece(draft)?,
                _ => self.plain_run(draft, |byte| !matches!(byte, b'"' | b'\\' | b'$' | b'`' | b'\n' | b'!')),
            }
        }
    }

    /// Reads one piece of text as in double quotes.
    fn quoted_piece(&mut self, draft: &mut Draft) -> Result<(), Unclear> {
        match self.peek().ok_or(Unclear)? {
            b'\\' => match self.next_char(1) {
                Some('\n') => self.at += 2,
                Some(escaped @ ('$' | '`' | '"' | '\\')) => {
                    draft.word.text.push(escaped);
                    self.at += 2;
                }
                _ => self.plain(draft),
            },
            b'$' => self.expansion(draft, true)?,
            b'`' => self.backquoted(draft, true)?,
            b'\n' if !self.pending.is_empty() => return Err(Unclear),
            b'!' => {
                self.note_history();
                self.plain(draft);
            }
            _ => self.plain(draft),
        }
        Ok(())
    }

    /// Reads what starts with `$`.
    fn expansion(&mut self, draft: &mut Draft, is_in_quotes: bool) -> Result<(), Unclear> {
        let rest = &self.text.as_bytes()[self.at + 1..];
        match rest {
            [b'(', b'(', ..] => {
                self.at += 3;
                draft.expand(is_in_quotes);
                self.arithmetic(draft)?;
            }
            [b'(', ..] => {
                self.at += 2;
                draft.expand(is_in_quotes);
                let inner = self.substituted()?;
                draft.word.inner.push(inner);
            }
            [b'{', ..] => {
                self.at += 2;
                draft.expand(is_in_quotes);
                self.deepen()?;
                let result = self.parameter(draft, is_in_quotes);
                self.depth -= 1;
                result?;
            }
            [b'[', ..] => return Err(Unclear),
            // Only bash and zsh know these quotes.
            [b'\'', ..] if !is_in_quotes => {
                self.at += 2;
                draft.expand(false);
                draft.word.is_quoted = true;
                loop {
                    match self.peek().ok_or(Unclear)? {
                        b'\'' => break self.at += 1,
                        b'\\' => self.at += 1 + self.next_char(1).ok_or(Unclear)?.len_utf8(),
                        b'\n' if !self.pending.is_empty() => return Err(Unclear),
                        _ => self.at += 1,
                    }
                }
            }
            [b'"', ..] if !is_in_quotes => {
                self.at += 2;
                draft.expand(false);
                draft.word.is_quoted = true;
                self.quoted(draft)?;
            }
            [first, ..] if first.is_ascii_alphabetic() || *first == b'_' => {
                draft.expand(is_in_quotes);
                let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
                self.at += 1 + rest.iter().take_while(is_of_name).count();
            }
            [first, ..] if first.is_ascii_digit() || b"@*#?-$!".contains(first) => {
                draft.expand(is_in_quotes);
                self.at += 2;
            }
            _ => self.plain(draft),
        }
        Ok(())
    }

    /// Reads `${…}` after its brace.
    fn parameter(&mut self, draft: &mut Draft, is_in_quotes: bool) -> Result<(), Unclear> {
        if self.peek().is_none_or(|byte| byte.is_ascii_whitespace() || byte == b'|') {
            return Err(Unclear);
        }
        let mut inner = Draft::default();
        let start = self.at;
        loop {
            match self.peek().ok_or(Unclear)? {
                b'}' => break,
                b'\'' if is_in_quotes => return Err(Unclear),
                b'\'' => {
                    self.at += 1;
                    let length = memchr::memchr(b'\'', &self.text.as_bytes()[self.at..]).ok_or(Unclear)?;
                    self.pass(length)?;
                    self.at += 1;
                }
                b'"' => {
                    self.at += 1;
                    self.quoted(&mut inner)?;
                }
                b'\\' => self.at += 1 + self.next_char(1).ok_or(Unclear)?.len_utf8(),
                _ => self.quoted_piece(&mut inner)?,
            }
        }
        let said = &self.text[start..self.at];
        let name = said.strip_prefix('#').unwrap_or(said);
        let length = name.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let operation = &name[length..];
        let is_tame = operation.is_empty()
            || matches!(operation, "[@]" | "[*]")
            || [":-", ":+", "-", "+", "#", "%"].iter().any(|tame| operation.starts_with(tame));
        draft.word.may_abort |= !is_tame || length == 0;
        draft.word.may_assign |= !is_tame && operation.contains('=');
        self.take_inner(draft, inner.word);
        self.at += 1;
        Ok(())
    }

    /// Reads arithmetic after `((`, up to the parentheses that close it.
    fn arithmetic(&mut self, draft: &mut Draft) -> Result<(), Unclear> {
        self.deepen()?;
        let mut open = 0usize;
        let mut inner = Draft::default();
        loop {
            match self.peek().ok_or(Unclear)? {
                b'(' => {
                    open += 1;
                    self.at += 1;
                }
                b')' if open > 0 => {
                    open -= 1;
                    self.at += 1;
                }
                b')' if self.peek_at(1) == Some(b')') => break self.at += 2,
                // A subshell in a subshell.
                b')' | b'\'' => return Err(Unclear),
                b'"' => {
                    self.at += 1;
                    self.quoted(&mut inner)?;
                }
                _ => self.quoted_piece(&mut inner)?,
            }
        }
        self.depth -= 1;
        self.take_inner(draft, inner.word);
        draft.word.may_abort = true;
        draft.word.may_assign = true;
        Ok(())
    }

    /// Reads arithmetic as a command.
    pub(super) fn arithmetic_command(&mut self) -> Result<Word, Unclear> {
        let mut draft = Draft::default();
        self.arithmetic(&mut draft)?;
        Ok(draft.finish())
    }

    /// Reads a substitution in backquotes.
    fn backquoted(&mut self, draft: &mut Draft, is_in_quotes: bool) -> Result<(), Unclear> {
        self.at += 1;
        draft.expand(is_in_quotes);
        let mut script = String::new();
        loop {
            match self.next_char(0).ok_or(Unclear)? {
                '`' => break self.at += 1,
                '\n' if !self.pending.is_empty() => return Err(Unclear),
                '\\' => {
                    let escaped = self.next_char(1).ok_or(Unclear)?;
                    let is_escaped = matches!(escaped, '`' | '\\' | '$') || (is_in_quotes && escaped == '"');
                    if !is_escaped {
                        script.push('\\');
                    }
                    script.push(escaped);
                    self.at += 1 + escaped.len_utf8();
                }
                char => {
                    script.push(char);
                    self.at += char.len_utf8();
                }
            }
        }
        self.deepen()?;
        let inner = self.nested(&script, |parser| parser.script())?;
        self.depth -= 1;
        draft.word.inner.push(inner);
        Ok(())
    }

    /// Reads the text of a here-document that is expanded.
    pub(super) fn document(&mut self, text: &str) -> Result<Word, Unclear> {
        self.deepen()?;
        let word = self.nested(text, |parser| {
            let mut draft = Draft::default();
            while parser.peek().is_some() {
                parser.quoted_piece(&mut draft)?;
            }
            Ok(draft.finish())
        });
        self.depth -= 1;
        word
    }
}
