//! The same text in fewer tokens: what a reader of a tool's result loses nothing by is written shorter before anything is cut.
//!
//! A rule is a pure function of one text, in a file of its own: [`numbers`], [`escapes`], [`json`], [`table`] and [`repeats`]. Which of
//! them a result may get follows from its call ([`Content`]): an edit has to quote lines of a file as they are. So the same result is
//! always written in the same way, whatever follows it. What is in the [`strings`] of JSON is written as it would be alone.

mod escapes;
mod json;
mod numbers;
mod repeats;
mod strings;
mod table;

pub(crate) use table::is_head;

use std::ops::Range;

use palimpsest_history::transcript::{PartIndex, Transcript};
use palimpsest_text::index::IndexVec;
use palimpsest_text::json::is_json_structure;
use palimpsest_text::parallel::map_chunks;
use palimpsest_text::{Text, TextBuf, Texts};
use palimpsest_world::ReadOptions;
use palimpsest_world::operation::{FileAccess, Operation, Operations};
use palimpsest_world::outcome::rejection::users_answer;
use palimpsest_world::tools::{Tool, ToolKind};

/// What a rule writes shorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Blanks before the numbers of lines.
    LineNumbers,
    /// Sequences that tell a terminal about colours and places, and states of a line that it wrote over.
    Escapes,
    /// Blanks between the values of JSON.
    Json,
    /// The names of members in arrays of objects that have the same ones.
    Tables,
    /// Lines that equal the line above.
    Repeats,
}

/// The number of rules.
pub const RULES: usize = 5;

/// What a result shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Content {
    /// Lines of files, or something that nothing is known of: an edit may have to quote them.
    #[default]
    Quotable,
    /// What a command printed.
    Terminal,
    /// What another tool says.
    Output,
}

/// A result that was written shorter.
#[derive(Debug)]
pub struct Shortened {
    /// Its part.
    pub part: PartIndex,
    /// What it says now.
    pub text: TextBuf,
    /// The UTF-16 code units that each rule saved.
    pub saved: [usize; RULES],
}

/// Writes the results in `parts` shorter, where that is possible; those that pass on what the user said stay. Linear in the length of the
/// conversation.
pub fn shorten(transcript: &Transcript, parts: &[PartIndex], tools: &[Tool<'_>]) -> Vec<Shortened> {
    let is_value = |part: PartIndex| transcript.parts()[part].is_value;
    let written_as = |content: &(dyn Fn(PartIndex) -> Content + Sync), parts: &[PartIndex]| -> Vec<Shortened> {
        let write = |&part: &PartIndex| {
            let Written { text, saved } = written(transcript.text(part), content(part), is_value(part));
            text.map(|text| Shortened { part, text, saved })
        };
        let read = |range: Range<usize>| parts[range].iter().filter_map(write).collect::<Vec<_>>();
        let all = map_chunks(parts.len(), |index| transcript.length(parts[index]), read);
        all.into_iter().flatten().collect()
    };
    // Which rules apply makes no difference for most results, and to read what the calls did takes as long as all of them.
    let is_sure = |one: &Shortened| {
        let is_only_numbers = one.saved.iter().sum::<usize>() == one.saved[Rule::LineNumbers as usize];
        is_only_numbers && !is_json_structure(transcript.text(one.part))
    };
    let (sure, unsure): (Vec<_>, Vec<_>) = written_as(&|_| Content::Terminal, parts).into_iter().partition(is_sure);
    let unsure: Vec<PartIndex> = unsure.into_iter().map(|one| one.part).collect();
    let contents = contents(transcript, &unsure, tools);
    let mut all = sure;
    all.extend(written_as(&|part| contents[part], &unsure));
    all.sort_unstable_by_key(|one| one.part);
    all
}

fn speaks_for_user(text: Text<'_>) -> bool {
    users_answer(text).is_some()
}

/// What the results in `parts` show, by what their calls did.
fn contents(transcript: &Transcript, parts: &[PartIndex], tools: &[Tool<'_>]) -> IndexVec<PartIndex, Content> {
    let all = transcript.parts();
    let mut contents: IndexVec<PartIndex, Content> = vec![Content::default(); all.len()].into();
    if parts.is_empty() {
        return contents;
    }
    let mut is_asked: IndexVec<PartIndex, bool> = vec![false; all.len()].into();
    for &part in parts {
        is_asked[part] = true;
        if let Some(is_asked) = all[part].call.and_then(|call| is_asked.get_mut(call)) {
            *is_asked = true;
        }
    }
    let mut texts = Texts::default();
    for (part, &is_asked) in is_asked.iter_enumerated() {
        texts.push(if is_asked { transcript.text(part) } else { Text::from_ascii(b"") });
    }
    let names = transcript.names().iter().cloned().collect();
    let asked = Transcript::new(transcript.len(), names, all.to_vec(), texts);
    for operation in Operations::read(&asked, ReadOptions { tools, failures_by_words: false }).list {
        let content = Content::of(&operation);
        operation.results.iter().for_each(|&part| contents[part] = content);
    }
    contents
}

impl Content {
    fn of(operation: &Operation) -> Self {
        let shows_files = operation.prints_files
            || matches!(
                operation.kind,
                ToolKind::Read | ToolKind::Write | ToolKind::Edit | ToolKind::Patch | ToolKind::Editor
            )
            || operation.files.iter().any(|used| matches!(used.does, FileAccess::Read(_)));
        match operation.kind {
            _ if shows_files => Content::Quotable,
            ToolKind::Command => Content::Terminal,
            _ => Content::Output,
        }
    }
}

/// A rule: the shorter text, if there is one.
type Write = fn(Text<'_>) -> Option<TextBuf>;

/// What the rules made of a text, if anything, and the UTF-16 code units that each saved.
#[derive(Default)]
struct Written {
    text: Option<TextBuf>,
    saved: [usize; RULES],
}

/// Writes a text shorter. Of the JSON of a value only the strings are: its shape stays.
fn written(text: Text<'_>, content: Content, is_value: bool) -> Written {
    let rules: &[(Rule, Write)] = match content {
        _ if is_value => &[],
        Content::Quotable => &[(Rule::LineNumbers, numbers::shorter)],
        Content::Terminal | Content::Output => &[
            (Rule::Escapes, if content == Content::Terminal { escapes::shown } else { escapes::bare }),
            (Rule::LineNumbers, numbers::shorter),
            (Rule::Json, json::shorter),
            (Rule::Tables, table::shorter),
            (Rule::Repeats, repeats::shorter),
        ],
    };
    let mut made = Written::default();
    // A text that may be quoted may be a file of JSON.
    if is_value || content != Content::Quotable {
        made = strings::shorter(text, |string| written(string, content, false));
    }
    for &(rule, shorter) in rules {
        let current = made.text.as_ref().map_or(text, TextBuf::as_text);
        // A provider may refuse a text of blanks.
        if let Some(next) = shorter(current).filter(|next| !next.as_text().trim().is_empty()) {
            made.saved[rule as usize] += current.len() - next.len();
            made.text = Some(next);
        }
    }
    if made.text.is_some() && speaks_for_user(text) { Written::default() } else { made }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_history::transcript::{Kind, NameIndex, Part, Role};

    /// What a rule makes of a text; the text itself where it can't be shorter.
    pub(super) fn shown(shorter: Write, text: &str) -> String {
        let buffer = TextBuf::from(text);
        let shorter = shorter(buffer.as_text()).unwrap_or(buffer);
        let text = shorter.as_text();
        text.units().map_or_else(
            || String::from_utf8(text.bytes().to_vec()).expect("ASCII"),
            |units| String::from_utf16(units).expect("whole characters"),
        )
    }

    /// Which rules shorten the result of a call.
    fn rules(name: &str, arguments: &str, result: &str) -> Vec<Rule> {
        rules_for(name, arguments, result, false)
    }

    fn rules_for(name: &str, arguments: &str, result: &str, is_value: bool) -> Vec<Rule> {
        let mut call = Part::new(0, Role::Assistant, Kind::Call);
        call.name = Some(NameIndex(0));
        let mut answer = Part::new(1, Role::Tool, Kind::Result);
        answer.call = Some(PartIndex(0));
        answer.is_value = is_value;
        let mut texts = Texts::default();
        texts.push_str(arguments);
        texts.push_str(result);
        let transcript = Transcript::new(2, vec![name.to_owned()], vec![call, answer], texts);
        let shortened = shorten(&transcript, &[PartIndex(1)], &[]);
        let all = [Rule::LineNumbers, Rule::Escapes, Rule::Json, Rule::Tables, Rule::Repeats];
        all.into_iter().filter(|&rule| shortened.iter().any(|one| one.saved[rule as usize] > 0)).collect()
    }

    #[test]
    fn lines_that_an_edit_may_quote_stay() {
        let json = "{\n  \"name\": \"palimpsest\",\n  \"version\": \"1.0.0\"\n}";
        let same = "waiting for the lock\n".repeat(9);
        let numbered = "     1→let a = 1;\n     2→let b = 2;\n";
        assert_eq!(rules("Read", r#"{"file_path":"package.json"}"#, json), []);
        assert_eq!(rules("Bash", r#"{"command":"cat package.json"}"#, json), []);
        assert_eq!(rules("Bash", r#"{"command":"curl api"}"#, json), [Rule::Json]);
        assert_eq!(rules("Bash", r#"{"command":"cat a.log"}"#, &same), []);
        assert_eq!(rules("Bash", r#"{"command":"make"}"#, &same), [Rule::Repeats]);
        assert_eq!(rules("Read", r#"{"file_path":"a.ts"}"#, numbered), [Rule::LineNumbers]);
        assert_eq!(
            rules("Edit", r#"{"file_path":"a.ts","old_string":"a","new_string":"b"}"#, numbered),
            [Rule::LineNumbers]
        );
    }
    #[test]
    fn strings_in_json_are_texts_unless_they_stand_in_a_file() {
        let numbered = r#"{"text":"     1→let a = 1;\n     2→let b = 2;\n"}"#;
        let same = format!(r#"{{"stdout":"{}"}}"#, "waiting for the lock\\n".repeat(9));
        let table = r#"{"rows":[{"number":1},{"number":2},{"number":3},{"number":4},{"number":5},{"number":6}]}"#;
        let nested = serde_json::json!({ "content": [{ "text": same, "type": "text" }] }).to_string();
        for is_value in [false, true] {
            assert_eq!(rules_for("Bash", r#"{"command":"make"}"#, &same, is_value), [Rule::Repeats]);
            assert_eq!(rules_for("Bash", r#"{"command":"make"}"#, &nested, is_value), [Rule::Repeats]);
            assert_eq!(rules_for("Read", r#"{"file_path":"a.ts"}"#, &same, is_value), []);
        }
        assert_eq!(rules_for("Read", r#"{"file_path":"a.ts"}"#, numbered, true), [Rule::LineNumbers]);
        assert_eq!(rules_for("Read", r#"{"file_path":"a.json"}"#, numbered, false), []);
        assert_eq!(rules_for("list", "{}", table, false), [Rule::Tables]);
        assert_eq!(rules_for("list", "{}", table, true), []);
    }
}
