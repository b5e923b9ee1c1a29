//! Lays out the tables that a process would otherwise build at its first call.

use std::env;
use std::path::PathBuf;

#[path = "build/classes.rs"]
mod classes;
#[path = "build/vocabulary.rs"]
mod vocabulary;

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    for source in ["build.rs", "build", "src/text/unit_rules.rs", "src/tokens/key.rs"] {
        println!("cargo::rerun-if-changed={source}");
    }
    classes::write(&out);
    vocabulary::write("o200k_base", 199_998, &out);
    vocabulary::write("cl100k_base", 100_256, &out);
    #[cfg(feature = "node")]
    napi_build::setup();
}
