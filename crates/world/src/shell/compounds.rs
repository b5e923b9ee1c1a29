//! Reads the commands of which a part may run or not: `if`, `while`, `until`, `for`, `select`, `case`.

use super::parser::{Parser, Unclear};
use super::syntax::{Compound, List};

impl Parser<'_> {
    pub(super) fn conditional(&mut self) -> Result<Compound, Unclear> {
        self.at += "if".len();
        let mut compound = Compound { first: Some(self.list()?), ..Compound::default() };
        self.expect_word("then")?;
        loop {
            compound.bodies.push(self.list()?);
            if self.accept_word("fi") {
                return Ok(compound);
            }
            if self.accept_word("elif") {
                compound.bodies.push(self.list()?);
                self.expect_word("then")?;
            } else {
                self.expect_word("else")?;
                compound.bodies.push(self.list()?);
                self.expect_word("fi")?;
                return Ok(compound);
            }
        }
    }

    pub(super) fn repeated(&mut self) -> Result<Compound, Unclear> {
        self.at += "while".len();
        let first = self.list()?;
        let body = self.body()?;
        Ok(Compound { first: Some(first), bodies: vec![body], ..Compound::default() })
    }

    fn body(&mut self) -> Result<List, Unclear> {
        self.expect_word("do")?;
        let body = self.list()?;
        self.expect_word("done")?;
        Ok(body)
    }

    pub(super) fn each(&mut self) -> Result<Compound, Unclear> {
        self.at += self.reserved().len();
        self.skip_blanks();
        let mut compound = Compound { sets_variable: true, ..Compound::default() };
        if self.accept("((") {
            compound.words.push(self.arithmetic_command()?);
        } else {
            let name = self.word()?;
            name.literal().ok_or(Unclear)?;
            self.skip_lines()?;
            if self.accept_word("in") {
                compound.words = self.words()?;
            }
        }
        self.skip_blanks();
        self.accept(";");
        self.skip_lines()?;
        compound.bodies.push(self.body()?);
        Ok(compound)
    }

    pub(super) fn case(&mut self) -> Result<Compound, Unclear> {
        self.at += "case".len();
        self.skip_blanks();
        let mut compound = Compound { words: vec![self.word()?], ..Compound::default() };
        self.skip_lines()?;
        self.expect_word("in")?;
        loop {
            self.skip_lines()?;
            if self.accept_word("esac") {
                return Ok(compound);
            }
            self.accept("(");
            loop {
                self.skip_blanks();
                let word = self.word()?;
                if word.text.is_empty() && !word.is_quoted && word.is_literal {
                    return Err(Unclear);
                }
                compound.words.push(word);
                self.skip_blanks();
                if self.accept(")") {
                    break;
                }
                if !self.accept("|") {
                    return Err(Unclear);
                }
            }
            compound.bodies.push(self.list()?);
            if !(self.accept(";;&") || self.accept(";;") || self.accept(";&")) {
                self.expect_word("esac")?;
                return Ok(compound);
            }
        }
    }
}
