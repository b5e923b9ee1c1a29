//! Threads that help the thread of a call, and rest until another call needs them: starting a thread takes some 50 µs.

use std::any::Any;
use std::cell::Cell;
use std::io;
use std::marker::PhantomData;
use std::mem::transmute;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, SendError, Sender, TryRecvError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};

/// How often a thread looks for what it needs before it sleeps: some 30 µs, as long as the system takes to wake it.
const LOOKS: usize = 100;

/// Whether there can be helpers: they ask the system to run another thread, which hosts of WebAssembly need not know.
pub(super) const CAN_HELP: bool = cfg!(not(target_family = "wasm"));

/// What a helper does, on what lies on the stack of another thread.
type Task<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Helpers, of which none starts before it is needed.
pub(super) struct Pool {
    most: usize,
    threads: Mutex<Threads>,
}

struct Threads {
    started: usize,
    resting: Vec<Sender<Task<'static>>>,
}

impl Pool {
    pub(super) const fn new(most: usize) -> Self {
        Pool { most, threads: Mutex::new(Threads { started: 0, resting: Vec::new() }) }
    }

    /// Takes `wanted` helpers, or as many as do nothing. A caller without helpers does the work itself instead of waiting for some.
    pub(super) fn take(&self, wanted: usize) -> Helpers<'_> {
        let mut threads = lock(&self.threads);
        let left = threads.resting.len().saturating_sub(wanted);
        let mut taken = threads.resting.split_off(left);
        while taken.len() < wanted && threads.started < self.most {
            // Where no thread can be started, there are fewer.
            let Ok(helper) = start() else { break };
            threads.started += 1;
            taken.push(helper);
        }
        Helpers { pool: self, threads: taken }
    }
}

/// Starts a thread, which stays as long as its end of the channel.
fn start() -> io::Result<Sender<Task<'static>>> {
    let (sender, tasks) = mpsc::channel();
    thread::Builder::new().name("palimpsest".to_owned()).spawn(move || help(&tasks))?;
    Ok(sender)
}

fn help(tasks: &Receiver<Task<'static>>) {
    while let Some(task) = receive(tasks) {
        task();
    }
}

/// Receives what is sent next, and sleeps only if that takes long; `None` at the end.
pub(super) fn receive<T>(sent: &Receiver<T>) -> Option<T> {
    let found = || match sent.try_recv() {
        Err(TryRecvError::Empty) => None,
        ended => Some(ended.ok()),
    };
    look_for(found).unwrap_or_else(|| sent.recv().ok())
}

/// Helpers taken from a [`Pool`], which go back to it when this is dropped.
pub(super) struct Helpers<'pool> {
    pool: &'pool Pool,
    threads: Vec<Sender<Task<'static>>>,
}

impl Drop for Helpers<'_> {
    fn drop(&mut self) {
        lock(&self.pool.threads).resting.append(&mut self.threads);
    }
}

impl Helpers<'_> {
    pub(super) fn count(&self) -> usize {
        if CAN_HELP { self.threads.len() } else { 0 }
    }

    /// Runs `own`, which can hand a task to each helper, and waits until all of them are done, as [`thread::scope`] does.
    ///
    /// # Panics
    /// If `own` or a task panics.
    pub(super) fn scope<'env, R>(&'env self, own: impl for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> R) -> R {
        let tasks = Arc::new(Tasks { caller: thread::current(), left: AtomicUsize::new(0), panic: Mutex::default() });
        let scope = Scope { helpers: &self.threads, given: Cell::new(0), tasks, scope: PhantomData, env: PhantomData };
        // After a panic of `own` too, tasks use what lies on this thread's stack.
        let made = catch_unwind(AssertUnwindSafe(|| own(&scope)));
        scope.tasks.wait();
        let panic = lock(&scope.tasks.panic).take();
        match (made, panic) {
            (Err(panic), _) | (Ok(_), Some(panic)) => resume_unwind(panic),
            (Ok(made), None) => made,
        }
    }
}

/// Takes tasks that use what lives longer than `'scope`. Both lifetimes are invariant, as those of [`thread::Scope`].
pub(super) struct Scope<'scope, 'env: 'scope> {
    helpers: &'env [Sender<Task<'static>>],
    given: Cell<usize>,
    tasks: Arc<Tasks>,
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

impl<'scope> Scope<'scope, '_> {
    /// Hands a task to the next helper.
    ///
    /// # Panics
    /// If each helper has a task.
    pub(super) fn hand(&'scope self, task: impl FnOnce() + Send + 'scope) {
        let helper = &self.helpers[self.given.replace(self.given.get() + 1)];
        let tasks = Arc::clone(&self.tasks);
        let task: Task<'scope> = Box::new(move || {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(task)) {
                *lock(&tasks.panic) = Some(panic);
            }
            tasks.end_one();
        });
        self.tasks.left.fetch_add(1, Ordering::Relaxed);
        // SAFETY: `Helpers::scope` returns when this task has ended, and by then all that lives as long as `'scope` is dropped: the
        // task owned it, and ran. What is left of the box is the count of tasks, which it shares.
        let task = unsafe { transmute::<Task<'scope>, Task<'static>>(task) };
        if let Err(SendError(task)) = helper.send(task) {
            task();
        }
    }
}

/// Tasks that a scope handed over.
struct Tasks {
    caller: Thread,
    left: AtomicUsize,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl Tasks {
    fn end_one(&self) {
        // What the task wrote is there for the caller, which acquires the count.
        if self.left.fetch_sub(1, Ordering::Release) == 1 {
            self.caller.unpark();
        }
    }

    fn wait(&self) {
        let ended = || (self.left.load(Ordering::Acquire) == 0).then_some(());
        if look_for(ended).is_none() {
            while ended().is_none() {
                thread::park();
            }
        }
    }
}

/// Looks for something a while, and lets other threads run meanwhile.
fn look_for<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    (0..LOOKS).find_map(|_| {
        let found = look();
        if found.is_none() {
            thread::yield_now();
        }
        found
    })
}

/// No code that may panic holds one of these locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn a_pool_hands_out_no_more_helpers_than_it_has() {
        let pool = Pool::new(3);
        let (first, second, third) = (pool.take(2), pool.take(2), pool.take(1));
        assert_eq!([first.count(), second.count(), third.count()], [2, 1, 0]);
        drop(first);
        assert_eq!(pool.take(8).count(), 2);
        drop((second, third));
        assert_eq!(pool.take(8).count(), 3);
        assert_eq!(Pool::new(0).take(8).count(), 0);
    }

    #[test]
    fn helpers_start_when_they_are_needed_and_stay() {
        let pool = Pool::new(8);
        assert_eq!(lock(&pool.threads).started, 0);
        let mut threads = BTreeSet::new();
        for _ in 0..100 {
            let helpers = pool.take(2);
            let mut names = [String::new(), String::new()];
            helpers.scope(|scope| {
                names.iter_mut().for_each(|name| scope.hand(|| *name = format!("{:?}", thread::current().id())));
            });
            threads.extend(names);
        }
        assert_eq!(lock(&pool.threads).started, 2);
        assert_eq!(threads.len(), 2);
    }

    #[test]
    fn a_scope_ends_after_its_tasks() {
        let pool = Pool::new(4);
        for round in 0..1000 {
            let helpers = pool.take(4);
            let mut results = [0; 4];
            let both = Barrier::new(2);
            let own = helpers.scope(|scope| {
                for (number, result) in results.iter_mut().enumerate() {
                    let (both, is_late) = (&both, number == round % 4);
                    scope.hand(move || {
                        // One of them goes on only when this thread is about to wait.
                        if is_late {
                            both.wait();
                        }
                        *result = round + number;
                    });
                }
                both.wait();
                round
            });
            assert_eq!((own, results), (round, [round, round + 1, round + 2, round + 3]));
        }
    }

    #[test]
    fn panics_reach_the_caller_after_the_tasks_and_helpers_go_on() {
        let pool = Pool::new(2);
        for _ in 0..3 {
            let helpers = pool.take(2);
            let mut done = false;
            let result = catch_unwind(AssertUnwindSafe(|| {
                helpers.scope(|scope| {
                    scope.hand(|| panic!("a task"));
                    scope.hand(|| done = true);
                });
            }));
            assert_eq!(result.unwrap_err().downcast_ref(), Some(&"a task"));
            assert!(done);
            let mut done = false;
            let result = catch_unwind(AssertUnwindSafe(|| {
                helpers.scope(|scope| {
                    scope.hand(|| panic!("a task"));
                    scope.hand(|| done = true);
                    panic!("its caller");
                });
            }));
            assert_eq!(result.unwrap_err().downcast_ref(), Some(&"its caller"));
            assert!(done);
        }
        assert_eq!(lock(&pool.threads).started, 2);
    }
}
