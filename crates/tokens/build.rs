//! Writes the tables of the vocabularies, such that a process can look tokens up without building anything.

use std::path::{Path, PathBuf};
use std::{env, fs};

use miniz_oxide::inflate::decompress_to_vec;

#[allow(dead_code, unreachable_pub, reason = "a part is for look-ups")]
#[path = "src/key.rs"]
mod key;
#[allow(unreachable_pub, reason = "the crate has it too")]
#[path = "src/tables.rs"]
mod tables;

fn main() {
    for source in ["build.rs", "src/key.rs", "src/tables.rs"] {
        println!("cargo::rerun-if-changed={source}");
    }
    // An engine in WebAssembly is given its vocabularies.
    if env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        return;
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    write("o200k_base", tables::O200K_BASE, &out);
    write("cl100k_base", tables::CL100K_BASE, &out);
}

/// Writes the tables of the vocabulary `name` to files in `out`: `<name>.pairs` and so on, all of them in little-endian.
fn write(name: &str, count: usize, out: &Path) {
    let file = format!("vocabularies/{name}.bin");
    println!("cargo::rerun-if-changed={file}");
    let packed = fs::read(&file).expect("the vocabulary is in the repository");
    let tables = tables::laid_out(&decompress_to_vec(&packed).expect("the vocabulary is a DEFLATE stream"), count);
    let save = |table: &str, bytes: Vec<u8>| {
        fs::write(out.join(format!("{name}.{table}")), bytes).expect("OUT_DIR is writable")
    };
    save("pairs", tables.pairs);
    save("present", tables.present);
    save("short-displacements", tables.short_displacements);
    save("short", tables.short);
    save("long-displacements", tables.long_displacements);
    save("long", tables.long);
    save("texts", tables.texts);
}
