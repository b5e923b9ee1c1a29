//! Writes the tables of a vocabulary, such that a process can look tokens up without building anything.

use std::fs;
use std::path::Path;

use miniz_oxide::inflate::decompress_to_vec;

#[allow(dead_code, reason = "a part is for look-ups")]
#[path = "../src/tokens/key.rs"]
mod key;
#[path = "../src/tokens/tables.rs"]
pub mod tables;

/// Writes the tables of the vocabulary `name` to files in `out`: `<name>.pairs` and so on, all of them in little-endian.
pub fn write(name: &str, count: usize, out: &Path) {
    let file = format!("src/tokens/vocabularies/{name}.bin");
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
