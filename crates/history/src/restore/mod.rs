//! The way back from what was sent to what it stands for.
//!
//! A stub is found by the key in its [`marker`]; everything else that a round of edits took out is found by the
//! [`fingerprint`]s of the messages that the round left, which [`places`] looks for in a history that may have been edited since.
//! The engine knows neither the messages nor the originals: the caller puts them back.

mod align;
pub mod cuts;
pub mod fingerprint;
pub mod marker;
pub mod places;
#[cfg(test)]
mod properties;
