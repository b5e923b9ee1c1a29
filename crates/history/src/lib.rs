//! A conversation: what it consists of ([`transcript`]), and the way back from what was sent to what it stands for ([`restore`]).

pub mod restore;
pub mod transcript;
