//! `fit` stays within its budget, edits what may be edited, in order, and each edit can be undone.

use super::input::{Digits, buffer, records, units_of};
use palimpsest_agent::edit::{Change, Piece};
use palimpsest_agent::fit::{Choice, Costs, Facts, FitInput, Keep, Query};
use palimpsest_agent::prune::Options;
use palimpsest_history::transcript::{Kind, Part, PartIndex, Role, Transcript};
use palimpsest_text::index::to_usize;
use palimpsest_text::json::is_json_structure;
use palimpsest_text::{Text, TextBuf, Texts};
use palimpsest_tokens::Tokenizer;

/// Tokens of a message beside its text.
const MESSAGE: f64 = 4.0;

/// Tokens of a message.
fn tokens_of(text: &TextBuf, tokenizer: Tokenizer) -> f64 {
    MESSAGE + tokenizer.count(text.as_text()) as f64
}

/// A conversation, and the choice of `fit`.
pub(super) struct Fitted {
    pub parts: Vec<Part>,
    pub texts: Vec<TextBuf>,
    messages: usize,
    recent: u32,
    tokenizer: Tokenizer,
    tokens: Vec<f64>,
    budget: f64,
    input: FitInput,
    /// `None` if everything stays as it is.
    pub choice: Option<Choice>,
}

impl Fitted {
    /// Fits a conversation of a line of options and records of a letter and a text each. The letters are those of
    /// [`Conversation::push`].
    pub(crate) fn new<'a>(digits: &[u8], records: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut digits = Digits(digits.iter());
        let share = f64::from(digits.number()) / 10.0;
        let tokenizer = digits.pick(&[Tokenizer::Estimate, Tokenizer::O200kBase]);
        let keep = Keep { recent: u32::from(digits.number() % 4), user: digits.flag(), ..Keep::default() };
        let pruning = digits.flag().then(Options::default);
        let keep = Keep { arguments: digits.flag(), ..keep };

        let mut conversation = Conversation::default();
        for record in records {
            if let Some((&letter, text)) = record.split_first() {
                conversation.push(letter, &units_of(text));
            }
        }
        let Conversation { parts, texts, messages } = conversation;
        let costs = Costs {
            parts: vec![0.0; parts.len()].into(),
            messages: vec![MESSAGE; parts.len()].into(),
            ..Costs::default()
        };
        let mut given = Texts::default();
        texts.iter().for_each(|text| given.push_units(text));
        let names = vec!["bash".to_owned(), "Read".to_owned()];
        let transcript = Transcript::new(messages, names, parts.clone(), given);
        let input = FitInput::read(transcript, Facts::new(tokenizer), costs, &keep, &Query::Current, pruning.as_ref());

        let texts: Vec<TextBuf> = texts.iter().map(|text| buffer(text)).collect();
        let tokens: Vec<f64> = texts.iter().map(|text| tokens_of(text, tokenizer)).collect();
        let all: f64 = tokens.iter().sum();
        let budget = (all * share).floor();
        let choice = input.search(budget, Some(all), &[]);
        Fitted { parts, texts, messages, recent: keep.recent, tokenizer, tokens, budget, input, choice }
    }
}

/// Fits a conversation from `bytes`; see `Fitted::new`.
pub fn fit(bytes: &[u8]) {
    let (digits, records) = records(bytes);
    let Fitted { parts, texts, messages, recent, tokenizer, mut tokens, budget, input, choice } =
        Fitted::new(digits, records);
    let all: f64 = tokens.iter().sum();
    // Everything stays as it is only if that fits or nothing is smaller.
    let Some(choice) = choice else {
        return assert!(all <= budget || input.choose(0.0, &[]).tokens >= all);
    };

    assert!(choice.edits.windows(2).all(|pair| pair[0].0 < pair[1].0), "edits are in order");
    for (part, edit) in &choice.edits {
        let part = part.index();
        let is_recent = part + to_usize(recent) >= messages;
        let text = &texts[part];
        let Change::Replace(pieces) = edit else {
            assert!(!is_recent, "part {part} may not go");
            tokens[part] = 0.0;
            continue;
        };
        assert!(!parts[part].locked, "part {part} may not be cut");
        // A recent text may get the mark of the messages removed before it.
        assert!(!is_recent || pieces.contains(&Piece::Keep(0..text.len())), "part {part} may not be cut");
        let written = write(text.as_text(), pieces);
        tokens[part] = tokens_of(&written, tokenizer);
        assert_eq!(undo(written.as_text(), text.as_text(), pieces), *text);
        if is_json_structure(text.as_text()) {
            assert!(is_json_structure(written.as_text()), "{text:?} became {written:?}");
        }
    }
    let left: f64 = tokens.iter().sum();
    assert_eq!(choice.tokens, left);
    assert!(left <= budget || left <= input.choose(0.0, &[]).tokens, "{left} tokens for {budget}");
}

/// The text that an edit makes.
pub(super) fn write(original: Text<'_>, pieces: &[Piece]) -> TextBuf {
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
    let (mut at, mut from) = (0, 0);
    for (number, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Keep(range) => {
                assert_eq!(range.start, from, "a gap without a mark");
                text.push(written.slice(at..at + range.len()));
                at += range.len();
                from = range.end;
            }
            Piece::Mark(mark) => {
                at += mark.encode_utf16().count();
                let end = match pieces.get(number + 1) {
                    Some(Piece::Keep(next)) => next.start,
                    Some(Piece::Mark(_)) => from,
                    None => original.len(),
                };
                text.push(original.slice(from..end));
                from = end;
            }
        }
    }
    assert_eq!((at, from), (written.len(), original.len()));
    text
}

/// A conversation that grows by one message at a time.
#[derive(Default)]
struct Conversation {
    parts: Vec<Part>,
    texts: Vec<Vec<u16>>,
    messages: usize,
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
            Kind::Call => part.name = Some(usize::from(letter == b'd').into()),
            Kind::Result => {
                part.call = self.parts.iter().rposition(|part| part.kind == Kind::Call).map(PartIndex::from);
                part.is_value = letter == b'j';
            }
            _ => {}
        }
        self.parts.push(part);
        self.texts.push(text.to_vec());
        self.messages += 1;
    }
}
