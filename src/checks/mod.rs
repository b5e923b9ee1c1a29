//! Properties that hold for any input, each as a function of bytes that panics where its property doesn't hold.
//!
//! The fuzz targets in `fuzz/` call them with what the fuzzer thinks up, and `cargo test` with the seeds in `fuzz/seeds/`, so that
//! neither gets out of date.

mod compress;
mod fit;
mod input;
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
