//! Lays out the tables that a process would otherwise build at its first call.

use std::env;
use std::path::PathBuf;

#[path = "build/classes.rs"]
mod classes;
#[path = "build/vocabulary.rs"]
mod vocabulary;

/// Bytes of the stack in WebAssembly.
const STACK: usize = 8 << 20;

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    for source in ["build.rs", "build", "src/text/unit_rules.rs", "src/tokens/key.rs", "src/tokens/tables.rs"] {
        println!("cargo::rerun-if-changed={source}");
    }
    classes::write(&out);
    let is_wasm = env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm");
    if !is_wasm {
        vocabulary::write("o200k_base", vocabulary::tables::O200K_BASE, &out);
        vocabulary::write("cl100k_base", vocabulary::tables::CL100K_BASE, &out);
    }
    #[cfg(feature = "node")]
    napi_build::setup();
    if is_wasm {
        // As much as a main thread has. napi_build asks for eight times as much, which a small worker may not have.
        println!("cargo::rustc-cdylib-link-arg=-zstack-size={STACK}");
    }
}
