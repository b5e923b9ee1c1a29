//! The text model: a text is a sequence of UTF-16 code units, as in JavaScript. Every length, position and budget of
//! the engine counts them. A lone surrogate is a unit like any other, and a cut may leave one. Reading a text takes time linear in
//! its length, even if an attacker chose it: see [`hashing`]. [`parallel`] divides long lists between threads.

mod block;
pub mod bm25;
mod buffer;
pub mod class;
pub mod demands;
mod fold;
pub mod hashing;
pub mod index;
mod interner;
pub mod json;
pub mod lines;
mod lowercase;
pub mod masks;
pub mod names;
pub mod parallel;
pub mod patterns;
pub mod phrases;
pub mod questions;
#[doc(hidden)]
pub mod random;
pub mod ranking;
pub mod rolling;
mod shared;
#[doc(hidden)]
pub mod simd;
pub mod swar;
pub mod tables;
pub mod terms;
mod texts;
pub mod unit_rules;
mod units;
mod view;
mod wide;
pub mod words;

pub use buffer::TextBuf;
pub use fold::fold_into;
pub use interner::Interner;
pub use shared::SharedText;
pub use texts::Texts;
pub use units::{BULLET, LEFT_QUOTE, MATH, RIGHT_QUOTE, THEREFORE, WIDE_LINE_END, WIDE_SPACE, fold_unit};
pub use view::Text;
