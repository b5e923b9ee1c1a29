//! A conversation of messages with one text each: the [`Transcript`](crate::transcript::Transcript) that `compress` reads.

pub use crate::transcript::{Message, Speaker, Transcript as Conversation, hash_of_id};
