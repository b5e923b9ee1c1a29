//! `fit` returns edits in order, of parts that may be edited, and each can be undone.

use super::input::{Digits, buffer, records, units_of};
use crate::agent::fit::{Case, Costs, Edit, Facts, Keep, Piece, Query};
use crate::agent::prune::Options;
use crate::text::json::is_json_structure;
use crate::text::{Text, TextBuf, Texts};
use crate::tokens::Tokenizer;
use crate::transcript::{Kind, Part, Role, Transcript};

/// Fits a conversation from `bytes`: a line of options, then records of a letter and a text each. The letters are those of
/// [`Conversation::push`].
pub fn fit(bytes: &[u8]) {
    let (digits, records) = records(bytes);
    let mut digits = Digits(digits.iter());
    let share = f64::from(digits.number()) / 10.0;
    let tokenizer = digits.pick(&[Tokenizer::Estimate, Tokenizer::O200kBase]);
    let keep = Keep { recent: u32::from(digits.number() % 4), user: digits.flag(), ..Keep::default() };
    let pruning = digits.flag().then(Options::default);

    let mut conversation = Conversation::default();
    for record in records {
        if let Some((&letter, text)) = record.split_first() {
            conversation.push(letter, &units_of(text));
        }
    }
    let Conversation { parts, texts, messages } = conversation;
    let costs = Costs { parts: vec![0.0; parts.len()], messages: vec![4.0; messages as usize], ..Costs::default() };
    let mut given = Texts::default();
    texts.iter().for_each(|text| given.push_units(text));
    let names = vec!["bash".to_owned(), "Read".to_owned()];
    let transcript = Transcript::new(messages, names, parts.clone(), given);
    let case = Case::new(transcript, Facts::new(tokenizer), costs, &keep, &Query::Current, pruning.as_ref());
    let all: f64 = case.message_tokens().iter().sum();
    let choice = case.choose((all * share).floor(), &[]);

    assert!(choice.edits.windows(2).all(|pair| pair[0].0 < pair[1].0), "edits are in order");
    for (at, (part, edit)) in choice.edits.iter().enumerate() {
        let Part { locked, message, .. } = parts[*part as usize];
        assert!(!locked && message + keep.recent < messages, "part {part} may not be edited");
        let text = buffer(&texts[*part as usize]);
        let Edit::Replace(pieces) = edit else { continue };
        let written = write(text.as_text(), pieces);
        assert_eq!(choice.counts[at], tokenizer.count(written.as_text()) as f64);
        assert_eq!(undo(written.as_text(), text.as_text(), pieces), text);
        if is_json_structure(text.as_text()) {
            assert!(is_json_structure(written.as_text()), "{text:?} became {written:?}");
        }
    }
}

/// The text that an edit makes.
fn write(original: Text<'_>, pieces: &[Piece]) -> TextBuf {
    let mut text = TextBuf::new();
    for piece in pieces {
        match piece {
            Piece::Keep(range) => text.push(original.slice(range.clone())),
            Piece::Mark(mark) => text.push_str(mark),
        }
    }
    text
}

/// Puts the gaps of `original` in the places of the marks that stand for them in `written`.
fn undo(written: Text<'_>, original: Text<'_>, pieces: &[Piece]) -> TextBuf {
    let mut text = TextBuf::new();
    // Positions in `written` and `original`.
    let (mut at, mut behind) = (0, 0);
    for (number, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Keep(range) => {
                assert_eq!(range.start, behind, "a gap without a mark");
                text.push(written.slice(at..at + range.len()));
                at += range.len();
                behind = range.end;
            }
            Piece::Mark(mark) => {
                at += mark.encode_utf16().count();
                let end = match pieces.get(number + 1) {
                    Some(Piece::Keep(next)) => next.start,
                    Some(Piece::Mark(_)) => behind,
                    None => original.len(),
                };
                text.push(original.slice(behind..end));
                behind = end;
            }
        }
    }
    assert_eq!((at, behind), (written.len(), original.len()));
    text
}

/// A conversation that grows by one message at a time.
#[derive(Default)]
struct Conversation {
    parts: Vec<Part>,
    texts: Vec<Vec<u16>>,
    messages: u32,
}

impl Conversation {
    /// Appends a message: of the system (`s`), the user (`u`), a call (`c`, and `d` of another tool), the result of the last one (`r`,
    /// and `j` if it is a value), a locked text (`l`), or a text of the assistant (any other letter).
    fn push(&mut self, letter: u8, text: &[u16]) {
        let (role, kind) = match letter {
            b's' => (Role::System, Kind::Text),
            b'u' => (Role::User, Kind::Text),
            b'c' | b'd' => (Role::Assistant, Kind::Call),
            b'r' | b'j' => (Role::Tool, Kind::Result),
            _ => (Role::Assistant, Kind::Text),
        };
        let mut part = Part::new(self.messages, role, kind);
        part.locked = letter == b'l';
        match kind {
            Kind::Call => part.name = Some(u32::from(letter == b'd')),
            Kind::Result => {
                part.call = self.parts.iter().rposition(|part| part.kind == Kind::Call).map(|at| at as u32);
                part.is_value = letter == b'j';
            }
            _ => {}
        }
        self.parts.push(part);
        self.texts.push(text.to_vec());
        self.messages += 1;
    }
}
