//! Splitting a text into spans: lines, sentences of long lines, elements and members of JSON.

use super::logs::is_log;
use super::policy::policy;
use super::span::{Form, Span};
use super::spans::Spans;
use super::structure::{self, Stays};
use palimpsest_history::transcript::Kind;
use palimpsest_text::Text;

/// The spans of a text of a part of `kind`, which is the JSON of a value where `is_value`. The text between spans stays as long as the
/// part does. Linear in the length of the text.
pub fn spans_of(kind: Kind, is_value: bool, text: Text<'_>) -> Vec<Span> {
    let mut spans = Spans::new(text);
    match structure::read(text) {
        Some(tree) if kind == Kind::Call => tree.split(&mut spans, Stays::Arguments),
        Some(tree) => tree.split(&mut spans, if is_value { Stays::Records } else { Stays::Nothing }),
        // Arguments that are no valid JSON can't be shortened safely, and neither can a number.
        None if kind == Kind::Call && matches!(text.trim().bytes().first(), Some(b'{' | b'[' | b'"')) => {}
        None if is_value => {}
        None if kind == Kind::Call => {
            if text.len() > policy().spans.argument {
                spans.add_text(0..text.len(), Form::Argument);
            }
        }
        None => {
            spans.add_text(0..text.len(), Form::Text);
            // The first and the last line of a log say when it began and how it ended.
            let needs_ends = kind == Kind::Result && is_log(text);
            spans.list.iter_mut().for_each(|span| span.needs_ends = needs_ends);
        }
    }
    spans.list
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::TextBuf;
    use palimpsest_text::index::to_usize;

    fn split(kind: Kind, text: &str) -> Vec<String> {
        let text = TextBuf::from(text);
        let text = text.as_text();
        let show = |span: &Span| {
            let bytes = text.slice(span.range.clone()).bytes().to_vec();
            String::from_utf8(bytes).expect("ASCII")
        };
        spans_of(kind, false, text).iter().map(show).collect()
    }

    /// Which span is the context of each.
    fn contexts(spans: &[Span]) -> Vec<Option<usize>> {
        spans.iter().enumerate().map(|(at, span)| Some(at - to_usize(span.context?.get()))).collect()
    }

    #[test]
    fn lines_stand_alone_and_brackets_with_what_they_close() {
        let code = "fn a() {\n    one();\n}\n\nfn b() {}\n";
        assert_eq!(split(Kind::Result, code), ["fn a() {\n", "    one();\n}\n\n", "fn b() {}\n"]);
        assert_eq!(split(Kind::Text, ""), Vec::<String>::new());
    }

    #[test]
    fn a_line_of_code_needs_its_signature() {
        let code = TextBuf::from("12→fn a() {\n13→    one();\n14→    two();\n15→fn b() {\n16→    three();");
        let contexts = contexts(&spans_of(Kind::Result, false, code.as_text()));
        assert_eq!(contexts, [None, Some(0), Some(0), None, Some(3)]);
    }

    #[test]
    fn code_in_a_fence_needs_its_fence() {
        let text = TextBuf::from("## Fix\nHere it is:\n```ts\nlet a = 1;\n```\nThat is all.");
        let contexts = contexts(&spans_of(Kind::Text, false, text.as_text()));
        assert_eq!(contexts, [None, Some(0), Some(0), Some(2), Some(0)], "the closing fence stands with the code");
    }

    #[test]
    fn arguments_lose_long_strings_and_nothing_else() {
        let lines: Vec<String> = (0..30).map(|line| format!("line {line} of the file")).collect();
        let content = lines.join("\\n");
        let with_ends: Vec<&str> = content.split_inclusive("\\n").collect();
        for call in [format!(r#"{{"path":"a.txt","content":"{content}"}}"#), format!(r#"["bash",["-lc","{content}"]]"#)]
        {
            assert_eq!(split(Kind::Call, &call), with_ends);
        }
        assert_eq!(split(Kind::Call, r#"{"path":"a.txt","content":"short"}"#), Vec::<String>::new());
        let free_form = lines.join("\n");
        let with_ends: Vec<&str> = free_form.split_inclusive('\n').collect();
        assert_eq!(split(Kind::Call, &free_form), with_ends, "free-form input");
        assert_eq!(split(Kind::Call, "short"), Vec::<String>::new());
        for broken in [r#"{"path":"a.txt", "#, "[\"bash\", ", "\""] {
            assert_eq!(split(Kind::Call, &format!("{broken}{content}")), Vec::<String>::new(), "{broken}");
        }
    }

    #[test]
    fn rows_of_a_table_need_its_head() {
        let rows: Vec<String> = (0..90).map(|row| format!("[{row},\"a name of it\"]")).collect();
        let table = format!(r#"[{{"[… 90 items, a row each]":["id","is"]}},{}]"#, rows.join(","));
        let text = TextBuf::from(&table[..]);
        let contexts = contexts(&spans_of(Kind::Result, false, text.as_text()));
        assert_eq!(contexts[..3], [None, Some(0), Some(0)]);
        assert_eq!(contexts.len(), 91);
    }

    #[test]
    fn results_in_json_lose_elements() {
        let items: Vec<String> = (0..40).map(|item| format!(r#"{{"id":{item},"name":"item {item}"}}"#)).collect();
        let spans = split(Kind::Result, &format!(r#"{{"items":[{}],"total":40}}"#, items.join(", ")));
        assert!(spans.contains(&format!("{}, ", items[3])) && spans.contains(&items[39]), "{spans:?}");
    }
}
