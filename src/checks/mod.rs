//! Properties that hold for any input, each as a function of bytes that panics where its property doesn't hold.
//!
//! The fuzz targets in `fuzz/` call them with what the fuzzer thinks up, and `cargo test` with the seeds in `fuzz/seeds/`, so that
//! neither gets out of date.

mod compress;
mod fit;
mod json;
mod shell;
mod text;
mod tokens;

pub use compress::compress;
pub use fit::fit;
pub use json::json;
pub use shell::shell;
pub use text::text;
pub use tokens::tokens;

use crate::text::TextBuf;

/// Reads `bytes` as a text: as UTF-8 if they are valid, else as UTF-16 code units of any value.
fn units_of(bytes: &[u8]) -> Vec<u16> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.encode_utf16().collect(),
        Err(_) => bytes.as_chunks().0.iter().map(|&unit| u16::from_le_bytes(unit)).collect(),
    }
}

fn buffer(units: &[u16]) -> TextBuf {
    let mut text = TextBuf::new();
    text.push_units(units);
    text
}

/// Splits `bytes` into a line of options and records, which begin with the separator U+001E.
fn records(bytes: &[u8]) -> (&[u8], impl Iterator<Item = &[u8]>) {
    let mut records = bytes.split(|&byte| byte == 0x1E);
    (records.next().unwrap_or_default(), records)
}

/// Takes options from a line: each character is a small number, `0` and what is missing are 0.
struct Digits<'a>(std::slice::Iter<'a, u8>);

impl Digits<'_> {
    fn next(&mut self) -> u8 {
        self.0.next().map_or(0, |byte| byte.wrapping_sub(b'0'))
    }

    fn flag(&mut self) -> bool {
        self.next() & 1 == 1
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::from(self.next()) % from.len()]
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// Checks every seed of a target.
    fn check_seeds(target: &str, check: fn(&[u8])) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
        let mut count = 0;
        for seed in std::fs::read_dir(&folder).expect("a folder of seeds") {
            let path = seed.expect("an entry").path();
            println!("{}", path.display());
            check(&std::fs::read(path).expect("a file"));
            count += 1;
        }
        assert!(count > 0, "{target} has no seeds");
    }

    macro_rules! seeds {
        ($($target:ident)*) => { $(
            #[test]
            fn $target() {
                check_seeds(stringify!($target), super::$target);
            }
        )* };
    }

    seeds! { compress fit json shell text tokens }
}
