//! Reads the commands of a script. What is not certain to be read as a shell reads it is [`Unclear`]: then nothing is known of the script.
//!
//! The grammar is the one that bash, zsh and dash share. Each byte is read once, but for what backquotes and here-documents hold, which is read
//! once at each depth of nesting, and the depth is bounded.

use std::collections::BTreeSet;

use super::programs::may_move;
use super::syntax::{Command, CommandKind, Compound, Item, Joint, List, Operator, Pipeline, Redirect, Word};
use super::words::ends_word;

/// Nothing is known of the script.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unclear;

/// Deepest nesting that is read. People nest three or four levels.
const DEEPEST: usize = 40;

/// A script that was read.
#[derive(Debug)]
pub(super) struct Script {
    pub(super) list: List,
    /// Names of the functions that it defines.
    pub(super) functions: BTreeSet<String>,
    /// Whether it substitutes processes, which run beside it.
    pub(super) has_async: bool,
}

/// Reads a script, at a depth of nesting.
pub(super) fn parse(text: &str, depth: usize) -> Result<Script, Unclear> {
    let mut parser = Parser::new(text, depth);
    parser.deepen()?;
    let list = parser.script()?;
    if parser.recalls {
        return Err(Unclear);
    }
    Ok(Script { list, functions: parser.functions, has_async: parser.has_async })
}

/// A script while it is read.
#[derive(Debug)]
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) depth: usize,
    /// Here-documents whose text begins after this line: the word that ends it, whether it is quoted, and whether tabs are taken away.
    pub(super) pending: Vec<(String, bool, bool)>,
    /// The texts of here-documents that were read.
    documents: Vec<Word>,
    functions: BTreeSet<String>,
    pub(super) has_async: bool,
    /// Whether an interactive shell would put in words from its history.
    pub(super) recalls: bool,
    /// Number of commands so far that may change the directory.
    movers: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, depth: usize) -> Self {
        Parser {
            text,
            at: 0,
            depth,
            pending: Vec::new(),
            documents: Vec::new(),
            functions: BTreeSet::new(),
            has_async: false,
            recalls: false,
            movers: 0,
        }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, offset: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + offset).copied()
    }

    /// Returns the character that starts so many bytes after this place.
    pub(super) fn next_char(&self, offset: usize) -> Option<char> {
        self.text.get(self.at + offset..)?.chars().next()
    }

    /// Notes that what follows is nested one level deeper.
    pub(super) fn deepen(&mut self) -> Result<(), Unclear> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(Unclear) } else { Ok(()) }
    }

    /// Reads another text at this depth.
    pub(super) fn nested<T>(
        &mut self,
        text: &str,
        read: impl FnOnce(&mut Parser<'_>) -> Result<T, Unclear>,
    ) -> Result<T, Unclear> {
        let mut parser = Parser::new(text, self.depth);
        let result = read(&mut parser)?;
        self.functions.append(&mut parser.functions);
        self.has_async |= parser.has_async;
        self.recalls |= parser.recalls;
        Ok(result)
    }

    /// Reads a script to its end.
    pub(super) fn script(&mut self) -> Result<List, Unclear> {
        let mut list = self.list()?;
        if self.peek().is_some() {
            return Err(Unclear);
        }
        self.documents_of(&mut list)?;
        Ok(list)
    }

    /// Reads a substitution after its opening parenthesis.
    pub(super) fn substituted(&mut self) -> Result<List, Unclear> {
        let outer = std::mem::take(&mut self.pending);
        let documents = std::mem::take(&mut self.documents);
        self.deepen()?;
        let start = self.at;
        let mut list = self.list()?;
        self.depth -= 1;
        self.documents_of(&mut list)?;
        // Shells differ in where they look for the text of a here-document.
        if self.peek() != Some(b')') || (!outer.is_empty() && self.text[start..self.at].contains('\n')) {
            return Err(Unclear);
        }
        self.at += 1;
        self.pending = outer;
        self.documents = documents;
        Ok(list)
    }

    /// Gives the here-documents of a list their texts.
    fn documents_of(&mut self, list: &mut List) -> Result<(), Unclear> {
        if !self.pending.is_empty() {
            return Err(Unclear);
        }
        let mut documents = std::mem::take(&mut self.documents).into_iter();
        if documents.len() > 0 {
            list.each_document(&mut |redirect| {
                if let Some(text) = documents.next() {
                    redirect.word = text;
                }
            });
        }
        Ok(())
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.at += 1,
                Some(b'\\') if self.peek_at(1) == Some(b'\n') => self.at += 2,
                Some(b'#') => {
                    let rest = &self.text.as_bytes()[self.at..];
                    self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// Skips blanks, comments and ends of lines.
    pub(super) fn skip_lines(&mut self) -> Result<(), Unclear> {
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'\n') {
                return Ok(());
            }
            self.at += 1;
            for (end, is_quoted, takes_tabs) in std::mem::take(&mut self.pending) {
                let text = self.lines_until(&end, is_quoted, takes_tabs)?;
                let word = if is_quoted {
                    Word { text, is_literal: true, is_quoted, ..Word::default() }
                } else {
                    self.document(&text)?
                };
                self.documents.push(word);
            }
        }
    }

    /// Reads the lines of a here-document, and the one that ends it.
    fn lines_until(&mut self, end: &str, is_quoted: bool, takes_tabs: bool) -> Result<String, Unclear> {
        let start = self.at;
        let mut continues = false;
        loop {
            let rest = &self.text[self.at..];
            let length = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
            let line = &rest[..length];
            let bare = if takes_tabs { line.trim_start_matches('\t') } else { line };
            if bare == end && !continues {
                let text = self.text[start..self.at].to_owned();
                self.at += length;
                return Ok(text);
            }
            let is_last = length == rest.len();
            let backslashes = line.len() - line.trim_end_matches('\\').len();
            continues = !is_quoted && backslashes % 2 == 1;
            // Joined lines may end the text, too.
            if is_last || (continues && end.starts_with(bare.trim_end_matches('\\'))) {
                return Err(Unclear);
            }
            self.at += length + 1;
        }
    }

    /// Returns the word of letters and signs that stands here, if nothing but an end of a word follows.
    fn reserved(&self) -> &'a str {
        let rest = &self.text[self.at..];
        let length = rest.bytes().take(9).position(ends_word).unwrap_or(rest.len().min(9));
        rest.get(..length).unwrap_or_default()
    }

    fn accept(&mut self, text: &str) -> bool {
        let is_here = self.text[self.at..].starts_with(text);
        self.at += if is_here { text.len() } else { 0 };
        is_here
    }

    fn accept_word(&mut self, word: &str) -> bool {
        self.reserved() == word && self.accept(word)
    }

    fn expect_word(&mut self, word: &str) -> Result<(), Unclear> {
        if self.accept_word(word) { Ok(()) } else { Err(Unclear) }
    }

    /// Reads a list up to what ends the command around it.
    fn list(&mut self) -> Result<List, Unclear> {
        let mut list = List::default();
        loop {
            self.skip_lines()?;
            let is_end = matches!(self.peek(), None | Some(b')'))
                || self.text[self.at..].starts_with(";;")
                || self.text[self.at..].starts_with(";&")
                || matches!(self.reserved(), "then" | "elif" | "else" | "fi" | "do" | "done" | "esac" | "}");
            if is_end {
                return Ok(list);
            }
            let mut item = self.item()?;
            self.skip_blanks();
            let is_over = match self.peek() {
                Some(b';') if !matches!(self.peek_at(1), Some(b';' | b'&')) => {
                    self.at += 1;
                    false
                }
                Some(b'&') => {
                    self.at += 1;
                    item.is_background = true;
                    false
                }
                Some(b'\n') => false,
                _ => true,
            };
            list.items.push(item);
            if is_over && !matches!(self.peek(), None | Some(b')' | b';')) {
                return Err(Unclear);
            }
            // An operator does not start a command.
            self.skip_blanks();
            if matches!(self.peek(), Some(b'&' | b'|')) {
                return Err(Unclear);
            }
        }
    }

    fn item(&mut self) -> Result<Item, Unclear> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.skip_blanks();
            let joint = if self.accept("&&") {
                Joint::And
            } else if self.accept("||") {
                Joint::Or
            } else {
                return Ok(Item { first, rest, is_background: false });
            };
            self.skip_lines()?;
            rest.push((joint, self.pipeline()?));
        }
    }

    fn pipeline(&mut self) -> Result<Pipeline, Unclear> {
        let mut pipeline = Pipeline { is_negated: false, is_timed: false, parts: Vec::new(), joins_errors: false };
        loop {
            self.skip_blanks();
            if self.accept_word("!") {
                pipeline.is_negated = !pipeline.is_negated;
            } else if self.accept_word("time") {
                pipeline.is_timed = true;
                self.skip_blanks();
                self.accept_word("-p");
            } else {
                break;
            }
        }
        loop {
            pipeline.parts.push(self.command()?);
            self.skip_blanks();
            if self.peek() != Some(b'|') || self.peek_at(1) == Some(b'|') {
                return Ok(pipeline);
            }
            self.at += 1;
            if self.peek() == Some(b'&') {
                self.at += 1;
                pipeline.joins_errors = true;
            }
            self.skip_lines()?;
        }
    }

    fn command(&mut self) -> Result<Command, Unclear> {
        self.deepen()?;
        self.skip_blanks();
        let before = self.movers;
        let mut kind = match self.reserved() {
            _ if self.peek() == Some(b'(') => {
                self.at += 1;
                if self.accept("(") {
                    CommandKind::Arithmetic(self.arithmetic_command()?)
                } else {
                    let list = self.list()?;
                    if !self.accept(")") {
                        return Err(Unclear);
                    }
                    CommandKind::Subshell(list)
                }
            }
            "{" => {
                self.at += 1;
                let list = self.list()?;
                self.expect_word("}")?;
                CommandKind::Group(list)
            }
            "if" => CommandKind::Compound(self.conditional()?),
            "while" | "until" => CommandKind::Compound(self.repeated()?),
            "for" | "select" => CommandKind::Compound(self.each()?),
            "case" => CommandKind::Compound(self.case()?),
            "[[" => self.test()?,
            "function" => {
                self.at += "function".len();
                self.skip_blanks();
                let name = self.word()?;
                self.skip_blanks();
                if self.accept("(") {
                    self.skip_blanks();
                    if !self.accept(")") {
                        return Err(Unclear);
                    }
                }
                self.function(&name)?
            }
            "coproc" | "then" | "elif" | "else" | "fi" | "do" | "done" | "esac" | "}" | "in" => return Err(Unclear),
            _ => {
                let command = self.simple()?;
                self.depth -= 1;
                return Ok(command);
            }
        };
        if let CommandKind::Compound(compound) = &mut kind {
            compound.may_move = self.movers > before;
        }
        let redirects = match kind {
            CommandKind::Function(_) => Vec::new(),
            _ => self.redirects()?,
        };
        self.depth -= 1;
        Ok(Command { kind, redirects })
    }

    fn conditional(&mut self) -> Result<Compound, Unclear> {
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

    fn repeated(&mut self) -> Result<Compound, Unclear> {
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

    fn each(&mut self) -> Result<Compound, Unclear> {
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

    /// Reads words up to an operator or the end of the line.
    fn words(&mut self) -> Result<Vec<Word>, Unclear> {
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek() {
                None | Some(b'\n' | b';') => return Ok(words),
                Some(byte) if ends_word(byte) && !self.starts_process() => return Err(Unclear),
                Some(_) => words.push(self.word()?),
            }
        }
    }

    /// Returns whether the substitution of a process stands here.
    fn starts_process(&self) -> bool {
        matches!(self.peek(), Some(b'<' | b'>')) && self.peek_at(1) == Some(b'(')
    }

    fn case(&mut self) -> Result<Compound, Unclear> {
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

    fn test(&mut self) -> Result<CommandKind, Unclear> {
        self.at += "[[".len();
        let (mut words, mut has_angle) = (Vec::new(), false);
        loop {
            self.skip_blanks();
            if self.accept_word("]]") {
                return Ok(CommandKind::Test { words, has_angle });
            }
            match self.peek() {
                None | Some(b'#') => return Err(Unclear),
                Some(b'\n') => self.skip_lines()?,
                Some(b'<' | b'>' | b'(' | b')' | b'&' | b'|' | b';') if !self.starts_process() => {
                    has_angle |= self.peek() == Some(b'>');
                    self.at += 1;
                }
                Some(_) => words.push(self.word_of_test()?),
            }
        }
    }

    fn function(&mut self, name: &Word) -> Result<CommandKind, Unclear> {
        let name = name.literal().ok_or(Unclear)?;
        self.functions.insert(name.to_owned());
        self.skip_lines()?;
        Ok(CommandKind::Function(Box::new(self.command()?)))
    }

    fn redirects(&mut self) -> Result<Vec<Redirect>, Unclear> {
        let mut redirects = Vec::new();
        loop {
            self.skip_blanks();
            match self.redirect()? {
                Some(redirect) => redirects.push(redirect),
                None => return Ok(redirects),
            }
        }
    }

    /// Reads a redirection, if one starts here.
    fn redirect(&mut self) -> Result<Option<Redirect>, Unclear> {
        const OPERATORS: [(&str, Operator); 14] = [
            ("&>>", Operator::AppendBoth),
            ("&>", Operator::WriteBoth),
            ("<<<", Operator::Text),
            ("<<-", Operator::Document),
            ("<<", Operator::Document),
            ("<&", Operator::CopyInput),
            ("<>", Operator::ReadWrite),
            ("<(", Operator::Read),
            ("<", Operator::Read),
            (">>", Operator::Append),
            (">|", Operator::Write),
            (">&", Operator::CopyOutput),
            (">(", Operator::Write),
            (">", Operator::Write),
        ];
        let rest = &self.text[self.at..];
        let digits = rest.bytes().take(3).take_while(u8::is_ascii_digit).count();
        // `{name}>` puts the number into a variable.
        let name = if rest.starts_with('{') {
            rest.bytes().take(40).position(|byte| byte == b'}').map_or(0, |end| end + 1)
        } else {
            0
        };
        let start = digits.max(name);
        let Some(&(sign, operator)) = OPERATORS.iter().find(|(sign, _)| rest[start..].starts_with(sign)) else {
            return Ok(None);
        };
        if sign.ends_with('(') {
            return if start == 0 { Ok(None) } else { Err(Unclear) };
        }
        // zsh reads more digits as a word.
        if (start > 0 && sign.starts_with('&')) || digits > 1 {
            return if sign.starts_with('&') { Ok(None) } else { Err(Unclear) };
        }
        let descriptor = if name > 0 { Some(99) } else { rest[..digits].parse().ok() };
        self.at += start + sign.len();
        self.skip_blanks();
        let word = self.word()?;
        if word.text.is_empty() && word.is_literal && !word.is_quoted {
            return Err(Unclear);
        }
        if operator == Operator::Document {
            if word.name.is_none() && !word.is_literal && !word.is_quoted {
                return Err(Unclear);
            }
            self.pending.push((word.text.clone(), word.is_quoted, sign == "<<-"));
        }
        Ok(Some(Redirect { descriptor, operator, word }))
    }

    fn simple(&mut self) -> Result<Command, Unclear> {
        let (mut assignments, mut words, mut redirects) = (Vec::new(), Vec::<Word>::new(), Vec::new());
        loop {
            self.skip_blanks();
            if let Some(redirect) = self.redirect()? {
                redirects.push(redirect);
                continue;
            }
            match self.peek() {
                Some(b'(') => {
                    let is_function = assignments.is_empty() && redirects.is_empty() && words.len() == 1;
                    self.at += 1;
                    self.skip_blanks();
                    let name = words.pop().filter(|name| is_function && !name.is_quoted).ok_or(Unclear)?;
                    if !self.accept(")") {
                        return Err(Unclear);
                    }
                    return Ok(Command { kind: self.function(&name)?, redirects });
                }
                Some(byte) if !ends_word(byte) || self.starts_process() => {
                    let word = self.word()?;
                    if words.is_empty() && word.name.is_some() { &mut assignments } else { &mut words }.push(word);
                }
                _ => break,
            }
        }
        if assignments.is_empty() && words.is_empty() && redirects.is_empty() {
            return Err(Unclear);
        }
        let first = words.first().map(|word| word.literal().unwrap_or_default());
        self.movers += usize::from(first.is_some_and(may_move));
        Ok(Command { kind: CommandKind::Simple { assignments, words }, redirects })
    }
}
