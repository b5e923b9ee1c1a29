//! The values of a JSON text are where serde_json finds them.

use serde_json::{Map, Value};

use super::input::{buffer, units_of};
use palimpsest_agent::fit::{Node, Span, Tree, read, spans_of};
use palimpsest_history::transcript::Kind;

/// Builds the value of a JSON text from the ranges of its nodes, and compares it with the value that serde_json reads.
pub fn json(bytes: &[u8]) {
    let units = units_of(bytes);
    let text = buffer(&units);
    for kind in [Kind::Text, Kind::Call, Kind::Result] {
        for is_value in [false, true] {
            in_order(&spans_of(kind, is_value, text.as_text()), units.len());
        }
    }
    let Ok(written) = String::from_utf16(&units) else { return };
    let expected = serde_json::from_str::<Value>(trim(&written));
    let Some(tree) = read(text.as_text()) else {
        assert!(!expected.is_ok_and(|value| value.is_object() || value.is_array()), "{written:?} is not read");
        return;
    };
    // serde_json refuses deep nesting and large numbers, which the grammar allows.
    let Ok(expected) = expected else { return };
    let source = |start: usize, end: usize| String::from_utf16_lossy(&units[start..end]);
    assert_eq!(value_of(&tree, 0, &source), expected, "{written:?}");
}

/// White space as JavaScript has it.
fn trim(text: &str) -> &str {
    text.trim_matches(|char: char| char == '\u{FEFF}' || (char.is_whitespace() && char != '\u{85}'))
}

fn value_of(tree: &Tree, node: usize, source: &impl Fn(usize, usize) -> String) -> Value {
    let Node { start, end, .. } = tree.nodes[node];
    let text = source(start, end);
    match text.as_bytes()[0] {
        b'{' => {
            let mut members = Map::new();
            for child in tree.children(node) {
                let key = source(tree.nodes[child].element, tree.nodes[child].start);
                let key = key.trim_end().strip_suffix(':').expect("a colon behind the key");
                let key: String = serde_json::from_str(key).expect("a key");
                members.insert(key, value_of(tree, child, source));
            }
            Value::Object(members)
        }
        b'[' => tree.children(node).map(|child| value_of(tree, child, source)).collect(),
        _ => serde_json::from_str(&text).expect("a value"),
    }
}

fn in_order(spans: &[Span], length: usize) {
    assert!(spans.iter().all(|span| !span.range.is_empty() && span.range.end <= length));
    assert!(spans.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start));
}
