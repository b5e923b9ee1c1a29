//! Reads `[[ … ]]`. Of one that isn't correct bash runs nothing, and yet ends with 0.

use super::parser::{Parser, Unclear};
use super::syntax::{CommandKind, Word};
use super::words::ends_word;

/// A condition while it is read.
#[derive(Debug, Default)]
struct Condition {
    words: Vec<Word>,
    has_angle: bool,
}

/// Operators between two words.
const BINARY: [&str; 13] = ["==", "=", "!=", "=~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"];

impl Parser<'_> {
    /// Reads a condition, whose opening brackets stand here.
    pub(super) fn condition(&mut self) -> Result<CommandKind, Unclear> {
        self.at += "[[".len();
        let mut condition = Condition::default();
        self.any_of(&mut condition)?;
        self.skip_lines()?;
        if !self.accept_word("]]") {
            return Err(Unclear);
        }
        Ok(CommandKind::Test { words: condition.words, has_angle: condition.has_angle })
    }

    /// Reads conditions joined by `||` and `&&`, which bind as in other languages; for what is expanded that is the same.
    fn any_of(&mut self, condition: &mut Condition) -> Result<(), Unclear> {
        loop {
            self.primary(condition)?;
            self.skip_lines()?;
            if !(self.accept("||") || self.accept("&&")) {
                return Ok(());
            }
        }
    }

    fn primary(&mut self, condition: &mut Condition) -> Result<(), Unclear> {
        self.skip_lines()?;
        while self.accept_word("!") {
            self.skip_lines()?;
        }
        if self.accept("(") {
            self.deepen()?;
            self.any_of(condition)?;
            self.depth -= 1;
            self.skip_lines()?;
            return if self.accept(")") { Ok(()) } else { Err(Unclear) };
        }
        let first = self.operand()?;
        self.skip_blanks();
        let is_unary = !first.is_quoted
            && matches!(first.text.as_bytes(), [b'-', letter] if b"abcdefghkprstuvwxGLNOSznoR".contains(letter));
        if is_unary {
            condition.words.push(self.operand()?);
            return Ok(());
        }
        condition.words.push(first);
        if matches!(self.peek(), Some(b'<' | b'>')) && matches!(self.peek_at(1), Some(b' ' | b'\t')) {
            condition.has_angle |= self.peek() == Some(b'>');
            self.at += 1;
            self.skip_blanks();
            condition.words.push(self.operand()?);
            return Ok(());
        }
        // One word alone is true if it is not empty.
        if matches!(self.peek(), Some(b')' | b'\n' | b'&' | b'|')) || self.reserved() == "]]" {
            return Ok(());
        }
        let operator = self.operand()?;
        let is_known = !operator.is_quoted && BINARY.contains(&operator.text.as_str());
        self.skip_blanks();
        let last = match operator.text.as_str() {
            "=~" => self.expression()?,
            _ => self.operand()?,
        };
        condition.words.push(last);
        if is_known { Ok(()) } else { Err(Unclear) }
    }

    fn operand(&mut self) -> Result<Word, Unclear> {
        let is_word = self.peek().is_some_and(|byte| !ends_word(byte) && byte != b'#') || self.starts_process();
        if !is_word || self.reserved() == "]]" { Err(Unclear) } else { self.word() }
    }

    /// Reads a regular expression, in which parentheses and `|` are no operators.
    fn expression(&mut self) -> Result<Word, Unclear> {
        let start = self.at;
        let word = self.word_of_test()?;
        let said = &self.text[start..self.at];
        let opened = said.bytes().filter(|byte| *byte == b'(').count();
        let closed = said.bytes().filter(|byte| *byte == b')').count();
        let is_plain = opened == closed
            && !said.is_empty()
            && !said.contains([';', '&', '<', '>'])
            && !said.starts_with([')', '|', '#']);
        if is_plain && said != "]]" { Ok(word) } else { Err(Unclear) }
    }
}
