//! Finds the displacements of the vocabularies' tables, such that a process only has to fill them.

use std::path::{Path, PathBuf};
use std::{env, fs};

use miniz_oxide::inflate::decompress_to_vec;

#[path = "src/displacements.rs"]
mod displacements;
#[allow(dead_code, reason = "a part is for look-ups")]
#[path = "src/key.rs"]
mod key;
#[allow(dead_code, reason = "a part is for look-ups")]
#[path = "src/tables.rs"]
mod tables;

fn main() {
    for source in ["build.rs", "src/displacements.rs", "src/key.rs", "src/tables.rs"] {
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

/// Writes the displacements of the vocabulary `name` to files in `out`, `<name>.short` and `<name>.long`, in little-endian.
fn write(name: &str, count: usize, out: &Path) {
    let file = format!("vocabularies/{name}.bin");
    println!("cargo::rerun-if-changed={file}");
    let packed = fs::read(&file).expect("the vocabulary is in the repository");
    let unpacked = decompress_to_vec(&packed).expect("the vocabulary is a DEFLATE stream");
    for (table, displacements) in ["short", "long"].into_iter().zip(displacements::displacements(&unpacked, count)) {
        let bytes: Vec<u8> = displacements.into_iter().flat_map(u16::to_le_bytes).collect();
        fs::write(out.join(format!("{name}.{table}")), bytes).expect("OUT_DIR is writable");
    }
}
