//! Makes automata of the regular expressions, so that a process compiles none.

use std::path::PathBuf;
use std::{env, fs};

use regex_automata::dfa::{StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;

#[allow(unreachable_pub, reason = "the module is used here alone")]
#[path = "src/expressions.rs"]
mod expressions;

fn main() {
    for source in ["build.rs", "src/expressions.rs"] {
        println!("cargo::rerun-if-changed={source}");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let is_big = env::var("CARGO_CFG_TARGET_ENDIAN").is_ok_and(|endian| endian == "big");
    for (name, expression) in expressions::expressions() {
        let dense = dense::Builder::new()
            .syntax(syntax::Config::new().unicode(false).utf8(false))
            .thompson(thompson::Config::new().utf8(false))
            .configure(dense::Config::new().start_kind(StartKind::Anchored).minimize(true))
            .build(&expression)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let automaton = dense.to_sparse().expect("a small automaton");
        let bytes = if is_big { automaton.to_bytes_big_endian() } else { automaton.to_bytes_little_endian() };
        fs::write(out.join(format!("{name}.dfa")), bytes).expect("OUT_DIR is writable");
    }
}
