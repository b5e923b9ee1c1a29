//! JavaScript callbacks as Rust futures that run on the JavaScript thread.
//!
//! A threadsafe function would cost 10–27 µs for each call, and the promise that belongs to it keeps the process alive
//! for as long as the callback doesn't answer. Here nothing leaves the JavaScript thread: [`spawn_local`] polls a future
//! right away, and again whenever a promise that it waits for settles, from inside that promise's reaction. So a handle
//! scope is open whenever Rust runs, a pending LLM call holds up nothing, and an error that JavaScript threw arrives as
//! the same value. Only [`offload`] uses another thread.
//!
//! A future wakes up for the promises and the off-loaded work that it awaits itself, for nothing else: a lock or a
//! channel shared between two spawned futures would never wake the other one.
mod callback;
mod concurrent;
mod failure;
mod offload;
mod promise;
mod task;

pub(crate) use callback::Callback;
pub(crate) use concurrent::map_concurrently;
pub(crate) use failure::thrown;
pub(crate) use offload::offload;
pub(crate) use task::spawn_local;
