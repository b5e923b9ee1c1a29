//! How much a query asks for.

use super::index::Index;
use super::query::terms_of;
use palimpsest_text::Text;
use palimpsest_text::bm25::idf;
use palimpsest_text::terms::is_digit;

/// A term that more of the units contain says nothing of what a text asks for.
const COMMON: usize = 8;

impl Index {
    /// Returns the sum of the rarities of a text's terms, as a multiple of the rarity of a term that one unit contains. Terms that no unit of
    /// the history contains, or that many contain, and function words are no clues; one with digits counts twice.
    pub fn weight_of(&self, text: Text<'_>) -> f64 {
        let all = self.lists.units.len();
        let weights = terms_of(text).into_iter().map(|term| match self.lists.units_with(&term.letters).len() {
            0 => 0.0,
            _ if term.is_function_word => 0.0,
            units if units * COMMON > all.max(64) => 0.0,
            units => specificity(&term.letters) * idf(all as u32, units as u32),
        });
        weights.sum::<f64>() / idf(all as u32, 1).max(1.0)
    }
}

/// A number or a name with digits is hardly said by chance, as a rare word may be.
pub(super) fn specificity(letters: &[u16]) -> f64 {
    if letters.iter().any(|&letter| is_digit(letter)) { 2.0 } else { 1.0 }
}
