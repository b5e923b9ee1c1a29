//! Arrays of objects that have the same members: their names are said once, in front, and each object becomes a row of its values.
//!
//! `[{"id":1,"on":true},{"id":2,"on":false}, …]` is `[{"[… 40 items, a row each]":["id","on"]},[1,true],[2,false], …]`, which is JSON again.

use crate::fit::{Node, Tree, read};
use palimpsest_text::{Text, TextBuf};

/// Minimum number of objects.
const MIN_ROWS: usize = 3;
/// Maximum number of members: nobody finds the value of the twentieth in a row.
const MAX_COLUMNS: usize = 16;
/// Maximum length of an object in UTF-16 code units: a row stays or goes as a whole.
const MAX_ROW: usize = 1000;

/// A compact JSON text with such arrays as tables.
pub(super) fn shorter(text: Text<'_>) -> Option<TextBuf> {
    let tree = read(text)?;
    let mut shorter: Option<TextBuf> = None;
    let (mut from, mut inside) = (0, 0);
    for (index, &Node { start, end, .. }) in tree.nodes.iter().enumerate() {
        if start < inside || text.bytes()[start] != b'[' {
            continue;
        }
        // What is in the rows of a table stays, also where the table is there already.
        if tree
            .children(index)
            .next()
            .is_some_and(|first| is_head(text.slice(tree.nodes[first].start..tree.nodes[first].end)))
        {
            inside = end;
            continue;
        }
        let Some(table) = Table::of(text, &tree, index) else { continue };
        let shorter = shorter.get_or_insert_with(TextBuf::new);
        shorter.push(text.slice(from..start));
        table.write(shorter);
        (from, inside) = (end, end);
    }
    let mut shorter = shorter?;
    shorter.push(text.slice(from..text.len()));
    Some(shorter)
}

/// An array of objects with the same members.
struct Table<'a> {
    text: Text<'a>,
    tree: &'a Tree,
    rows: Vec<usize>,
    head: TextBuf,
}

impl<'a> Table<'a> {
    /// The table for the array of a node, if it takes less room.
    fn of(text: Text<'a>, tree: &'a Tree, array: usize) -> Option<Self> {
        let nodes = &tree.nodes;
        let first = tree.children(array).next()?;
        let names =
            |object: usize| tree.children(object).map(|member| text.slice(nodes[member].element..nodes[member].start));
        let count = names(first).take(MAX_COLUMNS + 1).count();
        if text.bytes()[nodes[first].start] != b'{' || count == 0 || count > MAX_COLUMNS {
            return None;
        }
        let is_like = |&row: &usize| {
            let Node { start, end, .. } = nodes[row];
            text.bytes()[start] == b'{' && end - start <= MAX_ROW && names(row).eq(names(first))
        };
        let mut rows = Vec::new();
        for row in tree.children(array) {
            if !is_like(&row) {
                return None;
            }
            rows.push(row);
        }
        if rows.len() < MIN_ROWS {
            return None;
        }
        let mut head = TextBuf::new();
        head.push_str(&format!("{{\"[… {} items, a row each]\":[", rows.len()));
        for (place, name) in names(first).enumerate() {
            head.push_str(if place == 0 { "" } else { "," });
            // Without the colon.
            head.push(name.prefix(name.len() - 1));
        }
        head.push_str("]},");
        let said: usize = names(first).map(Text::len).sum();
        (rows.len() * said > head.len()).then_some(Table { text, tree, rows, head })
    }

    fn write(&self, shorter: &mut TextBuf) {
        shorter.push_str("[");
        shorter.push(self.head.as_text());
        for (place, &row) in self.rows.iter().enumerate() {
            shorter.push_str(if place == 0 { "[" } else { ",[" });
            for (place, value) in self.tree.children(row).enumerate() {
                shorter.push_str(if place == 0 { "" } else { "," });
                let Node { start, end, .. } = self.tree.nodes[value];
                shorter.push(self.text.slice(start..end));
            }
            shorter.push_str("]");
        }
        shorter.push_str("]");
    }
}

/// Whether a value of JSON is the head of a table.
pub(crate) fn is_head(value: Text<'_>) -> bool {
    let bytes = value.bytes();
    if !bytes.starts_with(b"{\"[") {
        return false;
    }
    let before = TextBuf::from("{\"[… ");
    let digits = bytes.iter().skip(before.len()).take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0
        && value.len() > before.len() + digits
        && value.prefix(before.len()) == before.as_text()
        && bytes[before.len() + digits..].starts_with(b" items, a row each]\":[")
}

#[cfg(test)]
mod tests {
    use super::super::tests::shown;
    use super::*;

    #[test]
    fn objects_with_the_same_members_become_rows() {
        let before = r#"{"users":[{"id":1,"name":"A → b","in":{"x":[1]}},{"id":2,"name":"","in":null},{"id":3.0,"name":"c","in":[]}],"n":3}"#;
        let after = r#"{"users":[{"[… 3 items, a row each]":["id","name","in"]},[1,"A → b",{"x":[1]}],[2,"",null],[3.0,"c",[]]],"n":3}"#;
        let long = before.replace("name", "the_full_name_of_the_user");
        assert_eq!(shown(shorter, &long), after.replace("name", "the_full_name_of_the_user"));
        assert!(is_head(TextBuf::from(r#"{"[… 3 items, a row each]":["id"]}"#).as_text()));
        assert!(!is_head(TextBuf::from(r#"{"[… items, a row each]":["id"]}"#).as_text()));
    }

    #[test]
    fn others_stay() {
        let rows = |row: &str| format!("[{}]", [row; 5].join(","));
        for text in [
            "[]",
            "[[1,2],[1,2],[1,2]]",
            "[{},{},{},{}]",
            // Two, some with other members or in another order, and too long ones.
            r#"[{"a_long_name_of_it":1},{"a_long_name_of_it":2}]"#,
            r#"[{"a_long_name_of_it":1},{"a_long_name_of_it":2},{"another_name_of_it":3},{"a_long_name_of_it":4}]"#,
            r#"[{"a_long_name":1,"b_long_name":1},{"a_long_name":1,"b_long_name":1},{"b_long_name":1,"a_long_name":1}]"#,
            &rows(&format!(r#"{{"a_long_name_of_it":"{}"}}"#, "x".repeat(1000))),
            // A table is there already.
            r#"[{"[… 3 items, a row each]":["id","in"]},[1,[{"a_long_name_of_it":1},{"a_long_name_of_it":2},{"a_long_name_of_it":3}]]]"#,
            // Nothing gained.
            r#"[{"a":1},{"a":2},{"a":3}]"#,
        ] {
            assert_eq!(shown(shorter, text), text);
        }
    }
}
