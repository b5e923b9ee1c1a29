//! What the linker of an addon needs.

use std::env;

/// Bytes of the stack in WebAssembly.
const STACK: usize = 8 << 20;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "node")]
    napi_build::setup();
    if env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        // As much as a main thread has. napi_build asks for eight times as much, which a small worker may not have.
        println!("cargo::rustc-cdylib-link-arg=-zstack-size={STACK}");
    }
}
