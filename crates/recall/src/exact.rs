//! The places of exact strings.

use palimpsest_text::Text;

/// The starts of `wanted` in `text`, which do not overlap. Linear in both.
pub(crate) fn places_of(wanted: Text<'_>, text: Text<'_>) -> Vec<usize> {
    match (wanted.units(), text.units()) {
        // The bytes of ASCII stand for nothing else.
        (None, _) => memchr::memmem::find_iter(text.bytes(), wanted.bytes()).collect(),
        (Some(_), None) => Vec::new(),
        (Some(wanted), Some(units)) => places_in(wanted, units),
    }
}

/// Knuth, Morris and Pratt (1977).
fn places_in(wanted: &[u16], units: &[u16]) -> Vec<usize> {
    let mut borders = vec![0; wanted.len()];
    let mut length = 0;
    for at in 1..wanted.len() {
        while length > 0 && wanted[at] != wanted[length] {
            length = borders[length - 1];
        }
        length += usize::from(wanted[at] == wanted[length]);
        borders[at] = length;
    }
    let mut places = Vec::new();
    length = 0;
    for (at, unit) in units.iter().enumerate() {
        while length > 0 && *unit != wanted[length] {
            length = borders[length - 1];
        }
        length += usize::from(*unit == wanted[length]);
        if length == wanted.len() {
            places.push(at + 1 - length);
            length = 0;
        }
    }
    places
}
