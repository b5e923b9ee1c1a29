//! The agent face: the choice of what a conversation still has to show.
//!
//! A conversation comes in as a [`Transcript`](palimpsest_history::transcript::Transcript): its texts, calls and results in order, whatever
//! provider they are for. [`prune`] says which results, arguments and texts can go, because a later operation says it better (what the
//! calls did, `palimpsest_world` knows). [`shorten`] writes results in fewer tokens, and [`fit`] chooses, for a number of tokens, what
//! stays. The answer is a list of edits; whoever calls applies them and keeps the originals, see [`palimpsest_history::restore`].

pub mod edit;
pub mod fit;
pub mod prepass;
pub mod prune;
pub mod shorten;
