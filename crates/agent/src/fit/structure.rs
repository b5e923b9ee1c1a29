//! The spans of a JSON text that can be dropped without breaking it: elements, members, and lines of long strings.

use std::ops::Range;

use super::policy::policy;
use super::span::Form;
use super::spans::Spans;
use crate::shorten::is_head;
use palimpsest_text::Text;
use palimpsest_text::index::to_u32;
use palimpsest_text::json::{is_json_structure, string_end};

/// Maximum depth of values that are split.
const MAX_DEPTH: usize = 24;

/// The parts of a JSON text that are required.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stays {
    /// Any element or member can go.
    Nothing,
    /// The members of records stay, whatever is in them: a program may ask for them.
    Records,
    /// Every member and element stays: a tool asks for them. Lines of long strings can go.
    Arguments,
}

/// A value.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Start of its element or member: of the key, if it has one.
    pub element: usize,
    /// Start of the value.
    pub start: usize,
    /// End of the value.
    pub end: usize,
    /// The node after it and all that stands in it.
    next: usize,
}

/// The values of a JSON text, each before what stands in it.
#[derive(Debug, Default)]
pub struct Tree {
    /// The first one is the text's own.
    pub nodes: Vec<Node>,
}

/// Reads `text` if it is a JSON object or array.
pub fn read(text: Text<'_>) -> Option<Tree> {
    if !is_json_structure(text) {
        return None;
    }
    let bytes = text.bytes();
    let mut nodes: Vec<Node> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    // Start of the key whose value comes next.
    let mut key = None;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'{' | b'[' => {
                open.push(nodes.len());
                nodes.push(Node { element: key.take().unwrap_or(at), start, end: 0, next: 0 });
                at += 1;
                continue;
            }
            b'}' | b']' => {
                at += 1;
                let count = nodes.len();
                if let Some(node) = open.pop() {
                    nodes[node].end = at;
                    nodes[node].next = count;
                }
                continue;
            }
            b'"' => {
                at = after_string(bytes, at);
                let after = at + bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                if bytes.get(after) == Some(&b':') {
                    key = Some(start);
                    at = after + 1;
                    continue;
                }
            }
            b',' | b' ' | b'\t' | b'\n' | b'\r' => {
                at += 1;
                continue;
            }
            _ => {
                at += bytes[at..]
                    .iter()
                    .take_while(|byte| !matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r'))
                    .count()
                    .max(1)
            }
        }
        let next = nodes.len() + 1;
        nodes.push(Node { element: key.take().unwrap_or(start), start, end: at, next });
    }
    Some(Tree { nodes })
}

/// The place after the string that starts at `at`.
pub(super) fn after_string(bytes: &[u8], at: usize) -> usize {
    (string_end(bytes, at + 1) + 1).min(bytes.len())
}

impl Tree {
    /// Adds what can go.
    pub fn split(&self, spans: &mut Spans<'_>, stays: Stays) {
        if !self.nodes.is_empty() {
            self.open(0, spans, stays, 0);
        }
    }

    fn open(&self, node: usize, spans: &mut Spans<'_>, stays: Stays, depth: usize) {
        let Node { start, end, next, .. } = self.nodes[node];
        let is_object = spans.text().bytes()[start] == b'{';
        let form = if is_object { Form::Members(to_u32(node)) } else { Form::Items };
        let policy = &policy().spans;
        let (keeps, longest) = match stays {
            Stays::Records if is_object && self.children(node).nth(policy.record).is_none() => (true, policy.string),
            Stays::Nothing | Stays::Records => (false, policy.element),
            Stays::Arguments => (true, policy.argument),
        };
        let mut run = spans.run();
        let mut head = None;
        for child in self.children(node) {
            let Node { element, start: from, end: to, next: after } = self.nodes[child];
            // With its comma and the blanks after it; the last one ends where it ends.
            let whole = element..if after < next { self.nodes[after].element } else { to };
            let is_container = matches!(spans.text().bytes()[from], b'{' | b'[');
            let is_string = spans.text().bytes()[from] == b'"';
            let is_long = to - from > longest;
            // The rows of a table say nothing without its head.
            let is_head = child == node + 1 && is_container && is_head(spans.text().slice(from..to));
            if is_head {
                head = Some(spans.list.len());
                spans.add(whole, run, form, None);
            } else if is_container && is_long && depth < MAX_DEPTH {
                self.open(child, spans, stays, depth + 1);
                run = spans.run();
            } else if is_string && is_long {
                let form = if stays == Stays::Arguments { Form::Argument } else { Form::JsonText };
                spans.add_text(inside(from..to), form);
                run = spans.run();
            } else if !keeps {
                spans.add(whole, run, form, head);
            }
        }
        debug_assert!(end <= spans.text().len());
    }

    /// The values that stand in the one of a node.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[node].next;
        let next = move |child: usize| Some(child).filter(|&child| child < end);
        std::iter::successors(next(node + 1), move |&child| next(self.nodes[child].next))
    }
}

/// Without the quotes.
fn inside(string: Range<usize>) -> Range<usize> {
    string.start + 1..string.end - 1
}
