//! BM25 (Robertson and Zaragoza 2009), the same on every platform.

/// How soon more occurrences of a term stop to count; the usual value.
pub const K1: f64 = 1.2;
/// How much the length of a text counts; the usual value.
const B: f64 = 0.75;

/// Returns the weight of a term that `saying` of `all` texts say: approximately the binary logarithm of the inverse document frequency.
pub fn idf(all: u32, saying: u32) -> f64 {
    let (all, saying) = (f64::from(all), f64::from(saying));
    let ratio = 1.0 + (all - saying + 0.5) / (saying + 0.5);
    let bits = ratio.to_bits();
    let exponent = (bits >> 52) as f64 - 1023.0;
    let fraction = f64::from_bits(bits & !(0xFFF << 52) | 1023 << 52) - 1.0;
    exponent + fraction + 0.344 * fraction * (1.0 - fraction)
}

/// Returns what a term of this weight that a text says so many `times` adds to the text's score; up to `1 + K1` times the weight. `length` is
/// that of the text, and `mean` that of all texts.
pub fn score(weight: f64, times: f64, length: f64, mean: f64) -> f64 {
    weight * times * (1.0 + K1) / (times + K1 * (1.0 - B + B * length / mean))
}
