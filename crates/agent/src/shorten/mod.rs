//! The same text in fewer tokens: what a reader of a tool's result loses nothing by is written shorter before anything is cut.
//!
//! A rule is a pure function of one text, in a file of its own: [`numbers`], [`escapes`], [`json`], [`table`] and [`repeats`]. Which of
//! them a result may get follows from its call ([`content`]): an edit has to quote lines of a file as they are. So the same result is
//! always written in the same way, whatever follows it. What is in the [`strings`] of JSON is written as it would be alone.

mod content;
mod escapes;
mod json;
mod numbers;
mod repeats;
mod strings;
mod table;

pub use content::command_line;
pub(crate) use table::is_head;

use std::ops::Range;

use palimpsest_history::transcript::{PartIndex, Transcript};
use palimpsest_text::json::is_json_structure;
use palimpsest_text::parallel::map_chunks;
use palimpsest_text::{Text, TextBuf};
use palimpsest_world::outcome::rejection::users_answer;
use palimpsest_world::tools::Tool;

use content::{Content, Contents, has_member_of_file};

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

/// Writes the results in `parts` shorter, where that is possible and certain; those that pass on what the user said stay. Linear in the length of
/// the conversation.
pub fn shorten(transcript: &Transcript, parts: &[PartIndex], tools: &[Tool<'_>]) -> Vec<Shortened> {
    let contents = Contents::new(transcript, tools);
    let write = |&part: &PartIndex| {
        let Written { text, saved } =
            written(transcript.text(part), contents.by_name(part), transcript.parts()[part].is_value);
        // To read the arguments of all calls would take as long as all rules.
        text.filter(|_| contents.is_certain(part)).map(|text| Shortened { part, text, saved })
    };
    let read = |range: Range<usize>| parts[range].iter().filter_map(write).collect::<Vec<_>>();
    let all = map_chunks(parts.len(), |index| transcript.length(parts[index]), read);
    all.into_iter().flatten().collect()
}

fn speaks_for_user(text: Text<'_>) -> bool {
    users_answer(text).is_some()
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
        Content::Quotable => return Written::default(),
        // The names of files, and what people edit.
        Content::Answer if !is_json_structure(text) || has_member_of_file(text) => return Written::default(),
        _ if is_value => &[],
        Content::Numbered => &[(Rule::LineNumbers, numbers::shorter)],
        Content::Terminal => &[
            (Rule::Escapes, escapes::shorter),
            (Rule::Json, json::shorter),
            (Rule::Tables, table::shorter),
            (Rule::Repeats, repeats::shorter),
        ],
        Content::Answer => &[(Rule::Json, json::shorter), (Rule::Tables, table::shorter)],
    };
    let in_string = |string: Text<'_>| written(string, content, false);
    let mut made = match content {
        // A text of numbered lines is no JSON.
        Content::Numbered if !is_value => Written::default(),
        Content::Terminal if is_value || strings::is_envelope(text) => {
            strings::shorter(text, strings::is_printed, in_string)
        }
        Content::Terminal => Written::default(),
        _ => strings::shorter(text, |_| true, in_string),
    };
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
    use palimpsest_text::Texts;

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
        let json = "{\n  \"name\": \"palimpsest\",\n  \"on\": true\n}";
        let same = "waiting for the lock\n".repeat(9);
        let numbered = "     1→let a = 1;\n     2→let b = 2;\n";
        assert_eq!(rules("Read", r#"{"file_path":"package.json"}"#, json), []);
        assert_eq!(rules("Bash", r#"{"command":"cat package.json"}"#, json), []);
        assert_eq!(
            rules("Bash", r#"{"command":"curl https://api.example.org/a","description":"Ask"}"#, json),
            [Rule::Json]
        );
        assert_eq!(rules("Bash", r#"{"command":"cat a.log"}"#, &same), []);
        assert_eq!(rules("Bash", r#"{"command":"make"}"#, &same), [Rule::Repeats]);
        assert_eq!(rules("Bash", r#"{"command":"make"}"#, &format!("{same}@@ -1,2 +1,2 @@\n")), []);
        assert_eq!(rules("Bash", r#"{"command":""}"#, &same), []);
        assert_eq!(rules("Bash", "", &same), []);
        assert_eq!(rules("Read", r#"{"file_path":"a.ts"}"#, numbered), [Rule::LineNumbers]);
        assert_eq!(
            rules("Edit", r#"{"file_path":"a.ts","old_string":"a","new_string":"b"}"#, numbered),
            [Rule::LineNumbers]
        );
        // Other tools number no lines like that, so it stands in the file.
        for (name, arguments) in [
            ("Read", r#"{"path":"a.ts"}"#),
            ("read_file", r#"{"path":"a.ts"}"#),
            ("mcp__files__Read", r#"{"file_path":"a.ts"}"#),
            ("Bash", r#"{"command":"cat a.ts"}"#),
            ("Grep", r#"{"pattern":"a"}"#),
            ("my_tool", "{}"),
        ] {
            assert_eq!(rules(name, arguments, numbered), [], "{name}");
        }
    }

    #[test]
    fn answers_of_services_are_one_value_of_json_that_speaks_of_no_file() {
        let users = r#"{ "users": [{ "id": 1, "url": "https://a.b/c" }], "next": null }"#;
        for (name, arguments) in [
            ("list_users", "{}"),
            ("list_users", ""),
            ("mcp__crm__getUser", r#"{"id":7,"page":2,"since":"2026/11/29","mail":"a@b.com","q":"two words"}"#),
        ] {
            assert_eq!(rules(name, arguments, users), [Rule::Json], "{name} {arguments}");
        }
        for (name, arguments) in [
            ("show_code", "{}"),
            ("mcp__repo__getFileContents", "{}"),
            ("git_show", "{}"),
            ("list_users", r#"{"path":"a"}"#),
            ("list_users", r#"{"in":[{"sourceFile":"a"}]}"#),
            ("list_users", r#"{"of":"src/app"}"#),
            ("list_users", r#"{"of":"app.json"}"#),
            ("run", r#"{"cmd":"x"}"#),
            ("list_users", "no JSON"),
            (&"x".repeat(300), "{}"),
        ] {
            assert_eq!(rules(name, arguments, users), [], "{name} {arguments}");
        }
        for text in [
            users.replace("users", "path").replace("[{ \"id\"", "\"a\", \"b\": [{ \"id\""),
            users.replace("next", "scripts"),
            format!("Here it is:\n{users}"),
            "waiting for the lock\n".repeat(9),
        ] {
            assert_eq!(rules("list_users", "{}", &text), [], "{text}");
        }
    }

    #[test]
    fn a_result_without_a_call_stays() {
        let mut texts = Texts::default();
        texts.push_str(&"waiting for the lock\n".repeat(9));
        let transcript = Transcript::new(1, Vec::new(), vec![Part::new(0, Role::Tool, Kind::Result)], texts);
        assert!(shorten(&transcript, &[PartIndex(0)], &[]).is_empty());
    }

    #[test]
    fn strings_in_json_are_texts_where_a_tool_put_them_there() {
        let numbered = r#"{"text":"     1→let a = 1;\n     2→let b = 2;\n"}"#;
        let same = format!(r#"{{"stdout":"{}"}}"#, "waiting for the lock\\n".repeat(9));
        let table = r#"{"rows":[{"number":1},{"number":2},{"number":3},{"number":4},{"number":5},{"number":6}]}"#;
        let nested = serde_json::json!({ "content": [{ "text": same, "type": "text" }] }).to_string();
        let said = same.replace("stdout", "message");
        for is_value in [false, true] {
            assert_eq!(rules_for("Bash", r#"{"command":"make"}"#, &same, is_value), [Rule::Repeats]);
            assert_eq!(rules_for("Bash", r#"{"command":"make"}"#, &nested, is_value), [Rule::Repeats]);
            assert_eq!(rules_for("Bash", r#"{"command":"curl https://api.example.org/a"}"#, &said, is_value), []);
            assert_eq!(rules_for("Read", r#"{"file_path":"a.ts"}"#, &same, is_value), []);
        }
        assert_eq!(rules_for("Read", r#"{"file_path":"a.ts"}"#, numbered, true), [Rule::LineNumbers]);
        assert_eq!(rules_for("Read", r#"{"file_path":"a.json"}"#, numbered, false), []);
        assert_eq!(rules_for("list_users", "{}", table, false), [Rule::Tables]);
        assert_eq!(rules_for("list_users", "{}", table, true), []);
        let inner = serde_json::json!({ "content": [{ "text": table, "type": "text" }] }).to_string();
        for is_value in [false, true] {
            assert_eq!(rules_for("list_users", "{}", &inner, is_value), [Rule::Tables]);
        }
    }
}
