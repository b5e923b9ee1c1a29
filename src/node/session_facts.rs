//! Facts that a session keeps from one epoch to the next.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use napi::Env;
use napi::bindgen_prelude::{ObjectFinalize, Result};
use napi_derive::napi;

use palimpsest_agent::fit::CacheHandle;

/// The facts of a session.
#[napi(custom_finalize)]
#[derive(Default)]
pub struct SessionFacts {
    /// Shared with the thread that reads the conversation.
    pub(super) kept: Arc<Kept>,
}

/// Facts of whose memory the garbage collector is told.
#[derive(Default)]
pub struct Kept {
    pub(super) cache: CacheHandle,
    /// The bytes that it was told of.
    told: AtomicUsize,
}

#[napi]
impl SessionFacts {
    /// No facts yet.
    #[napi(constructor, catch_unwind)]
    pub fn new() -> Self {
        Self::default()
    }
}

impl ObjectFinalize for SessionFacts {
    fn finalize(self, env: Env) -> Result<()> {
        self.kept.cache.take();
        self.kept.tell(env)
    }
}

impl Kept {
    /// Tells the garbage collector how much memory is kept now.
    pub(super) fn tell(&self, env: Env) -> Result<()> {
        let bytes = self.cache.size();
        let before = self.told.swap(bytes, Ordering::Relaxed);
        env.adjust_external_memory(bytes as i64 - before as i64).map(drop)
    }
}
