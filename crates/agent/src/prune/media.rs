//! Images and encoded data in results that a later result repeats: the last one stays.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::Piece;
use super::context::PruneContext;
use super::outcome::{Marker, Rule, Stub};
use super::stub::{FURTHER, marked};
use super::write::Writer;
use palimpsest_history::transcript::{Kind, PartIndex, Role};
use palimpsest_text::Text;
use palimpsest_text::hashing::TextMap;

/// Minimum length of encoded data, in UTF-16 code units.
const MIN_LENGTH: usize = 512;

/// Replaces media of tools, and encoded data in results, by stubs if a later result repeats them.
pub(super) fn cut_repeated(context: &PruneContext<'_>, writer: &mut Writer<'_>) {
    let mut media: FxHashMap<u32, PartIndex> = FxHashMap::default();
    let mut data: TextMap<Text<'_>, PartIndex> = TextMap::default();
    for (index, part) in context.transcript.parts().iter_enumerated().rev() {
        // A text that is cut now has a marker the next time. Neither supersedes anything.
        if writer.is_edited(index) || context.operations.may_hold_marker[index] {
            continue;
        }
        if let (Kind::Media, Some(number)) = (part.kind, part.media) {
            let by = *media.entry(number).or_insert(index);
            if by != index && part.role == Role::Tool && writer.is_open(index) {
                writer.replace(index, Rule::RepeatedMedia, Some(by), |_| {
                    Some(vec![Piece::Mark(Stub::Marker(marked("the same as a later image")))])
                });
                writer.count(Rule::RepeatedMedia);
            }
        }
        if part.kind != Kind::Result {
            continue;
        }
        let text = context.transcript.text(index);
        let mut repeated = Vec::new();
        for range in encoded(text.bytes()) {
            match data.get(&text.slice(range.clone())) {
                Some(&by) => repeated.push((range, by)),
                None => {
                    data.insert(text.slice(range), index);
                }
            }
        }
        if let (Some(&(_, by)), true) = (repeated.first(), writer.is_open(index)) {
            writer.replace(index, Rule::RepeatedMedia, Some(by), |text| {
                let ranges = repeated.into_iter().map(|(range, _)| range);
                Some(without(ranges, text.len(), marked("the same data as in a later result")))
            });
            writer.count(Rule::RepeatedMedia);
        }
    }
}

fn without(ranges: impl Iterator<Item = Range<usize>>, length: usize, marker: Marker) -> Vec<Piece> {
    let mut marker = Some(marker);
    let mut pieces = Vec::new();
    let mut from = 0;
    for range in ranges {
        pieces.push(Piece::Keep(from..range.start));
        from = range.end;
        pieces.push(Piece::Mark(marker.take().map_or_else(|| Stub::Text(FURTHER.to_owned()), Stub::Marker)));
    }
    pieces.push(Piece::Keep(from..length));
    pieces.retain(|piece| !matches!(piece, Piece::Keep(range) if range.is_empty()));
    pieces
}

/// Returns the runs of at least [`MIN_LENGTH`] characters of the base64 alphabet. Skips most of a text without any.
fn encoded(text: &[u8]) -> Vec<Range<usize>> {
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'=');
    let mut runs = Vec::new();
    let mut start = 0;
    while start + MIN_LENGTH <= text.len() {
        // No run that is long enough begins before the last character of the window that ends one.
        if let Some(at) = text[start..start + MIN_LENGTH].iter().rposition(|&byte| !is_inner(byte)) {
            start += at + 1;
            continue;
        }
        let length = text[start..].iter().position(|&byte| !is_inner(byte)).unwrap_or(text.len() - start);
        runs.push(start..start + length);
        start += length;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_encoded_data() {
        let data = "iVBORw0KGgo+/".repeat(50);
        let text = format!("some words\n{{\"data\":\"{data}\"}} {} {data}", "x".repeat(MIN_LENGTH - 1));
        let found: Vec<&str> = encoded(text.as_bytes()).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, [&data, &data]);
        assert!(encoded(b"").is_empty());
    }
}
