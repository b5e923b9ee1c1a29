// The maximum ratio of each row. The unit of most is S, the time of `JSON.stringify` on the same messages in the same
// run; exact counting has to reach so many MB/s of UTF-8.
//
// `target` is the goal on a quiet machine. `missed` says why it isn't met. Most rows of the short form have a gate that follows from what their first
// full run reached (see `gates.mjs`). The others have a `gate` here: a linear time is told from a square, which makes four times the input
// 16 times as dear; a time or a throughput in absolute numbers leaves room for slower machines.
const PER_CHARACTER =
  'Only the calling thread copies strings out of V8 and folds them, and the steps between the shared ones run on one thread: on one processor a call on prose takes 1.5 times as long, where all of it shared would be 2. Words of the rules take a fifth of it. Threads that stay from call to call brought 6 to 15 %, facts read while strings are copied 1 to 5 %; words sorted out by their lengths and first letters with AVX-512 cost 5 %.';
const FIXED =
  'The engine takes 25 of some 40 µs, as much for each character as in a long session; assembling messages, statistics and measures takes 3 µs, gathering one, and the boundary most of the rest.';
const SHORT_SENTENCES =
  'The text has half a million sentences of two characters, each of which is cut, scored and looked at by every rule: five times the instructions of prose for each character. It is linear, and nobody but an attacker sends it.';
const STARTED =
  'Reading and compiling JavaScript takes 22 of 31 million instructions of a prune. If no function were read that the call does not run, it would take 27 million and needs 24.5; a fit would take 57 of 59 and needs half. The rest would take minified bundles, with which nobody could debug. A cache of compiled code meets the targets (2.7 ms, and 5.5 with the estimate), but V8 runs a damaged one until the process dies, so it cannot be shipped.';
const LAID_OUT =
  'The first exact count of a process inflates its vocabulary and lays it out, so that an install takes 4.6 MB less. `warmUp()` does so before. The rest is reading and compiling JavaScript.';
const LOADED = 'A path leads to the work tree, where three files of JavaScript are read before the addon, which is itself a larger file.';
const EACH_MESSAGE = 'Each message of the history is compared with the one that was there before.';
const COLD =
  'The engine alone takes 215 µs for a request that it has just read, and 340 to 420 within a fit, because JavaScript fills the caches in between. JavaScript takes as long, in 2,900 calls of functions without a dearest part, and still 235 µs after 10,000 fits.';
const CHOICES =
  "All of the history is read before anything is chosen. Two processors need two thirds of the engine's instructions at least, a third of them for choosing and writing on one thread; a quarter of the calling thread's time is JavaScript. Even with the facts of all texts known, a fit takes 4.2 S with the estimate and 4.7 with o200k_base. A build made from a profile would take 0.8 to 0.9 of the time with the estimate, and 0.99 with o200k_base.";

export const targets = {
  session: { target: 0.8, missed: PER_CHARACTER },
  markdown: { target: 1.0, missed: PER_CHARACTER },
  small: { target: 1.2, missed: FIXED },
  medium: { target: 0.9, missed: PER_CHARACTER },
  large: { target: 1.0, missed: PER_CHARACTER },
  twoThreads: {
    target: 1.7,
    isLeast: true,
    missed:
      'The thread of JavaScript has 53 % of the samples of a call, so two processors reach 1.9 at most; at the start and the end one of them waits for the other. Texts read ahead on the waiting thread changed 1 % at most.',
  },
  otherScripts: {
    target: 1.2,
    missed: 'Texts with many characters outside of ASCII keep two bytes per unit beside the byte per unit that the rules read.',
  },
  emoji: {
    target: 1.5,
    missed:
      '4,000 short messages: each costs 15,000 instructions beside those of its characters, in no single place; reading and assembling strings in V8 stay on one thread. Reasons looked for while strings are read brought 2 % at most, and threads that stay from call to call 5 to 7 %.',
  },
  budget: { target: 1.5 },
  budgetFits: { target: 0.1 },
  fuzzy: {
    target: 1.5,
    missed: 'One thread looks for near duplicates while the others read the texts, and needs longer: the engine takes 43 ms instead of 24.',
  },
  optIn: {
    target: 2,
    missed:
      'importanceScoring reads the names of all messages in a pass of its own: the engine takes 70 ms instead of 24. mlTokenClassifier spends 29 of 87 ms on calling the function for each message and tidying its answers in JavaScript.',
  },
  linearity: { target: 5, gate: 10, missed: "Four times the text no longer fits into the processor's caches." },
  growth: {
    target: 5,
    gate: 14,
    missed: 'Caches and the threads of the collector of JavaScript: up to 11 was seen. A square would be 16.',
  },
  hostileCost: { target: 5, missed: SHORT_SENTENCES },
  collisions: { target: 1.5 },
  eventLoop: { target: 0.4 },
  concurrency: { target: 1.3 },
  memory: {
    target: 2,
    missed:
      'A copy of all texts is 1 × the content. Strings put together in pieces are made flat by the first read: 0.55 ×. Characters outside of ASCII, what is written, and pieces of strings on their way to another thread take the rest.',
  },
  agentMemory: { target: 10 },
  firstCall: {
    compress: { target: 2, missed: STARTED },
    prune: { target: 5, missed: STARTED },
    'fit, o200k_base': { target: 15, missed: LAID_OUT },
    'fit, estimate': { target: 6, missed: STARTED },
    'session.next': { target: 30, missed: LAID_OUT },
    'countTokens, o200k_base': { target: 15, missed: LAID_OUT },
  },
  load: { target: 2, missed: LOADED },
  size: {
    target: 2.5,
    missed:
      'Code takes 3.5 MB, of which 0.5 are regular expressions, 0.7 the standard library and 0.3 the bindings; packed vocabularies take 1.5 MB and tables to unwind a panic 0.5.',
  },
  uncompress: { target: 1, missed: "Ids and metadata are checked, which the loop beside it doesn't do." },
  prune: {
    target: 1.5,
    missed:
      'The rules read every result: one call of the engine is two thirds of 1 MB and half of 100 KB. At 1 MB the words of all texts that stay take a third of it, the operations a quarter, with no dearest part, and reading the strings a fifth.',
  },
  fitExact: { target: 4, missed: CHOICES },
  fitEstimate: { target: 2.5, missed: CHOICES },
  fitGrowth: { target: 5, gate: 10, missed: "Four times the text no longer fits into the processor's caches." },
  fitWhole: {
    target: 1.1,
    missed: 'Options have more to check, the list is copied, and texts are searched once for marks of earlier rounds.',
  },
  smallFits: { target: 150, missed: COLD },
  reversing: {
    target: 0.3,
    // Processes of one build differ by up to 1.8 times here, and more on a machine that was busy before.
    gate: 0.75,
    missed:
      'Of some 0.95 ms of originals, the engine takes 0.4, half of it copying and hashing 1.3 million code units; listing the pieces of their canonical texts takes 0.29, entries and descriptions 0.25. One walk for both, or strings as arguments of calls, would save 0.03 ms each at most. Of restore, a fifth is the collector, and no other part more than a sixth.',
  },
  fitHold: { target: 1, missed: 'Reading and writing the messages happens on the event loop, between pauses.' },
  fitAside: { target: 1.3, missed: 'Pauses, and the way to the other thread and back.' },
  recallIndex: {
    target: 2,
    missed: 'Each word of the history is hashed and looked up: half of the work. Page faults of new memory are a sixth.',
  },
  recallQuery: {
    target: 1,
    gate: 15,
    missed: 'All units are ranked, and passages are counted and looked for in what was sent.',
  },
  step: { target: 0.2, gate: 10, missed: EACH_MESSAGE },
  freshStep: { target: 1 },
  sessionMemory: {
    target: 3,
    missed:
      'Each message has an entry with its tokens and properties, 0.6 MB; facts of the last epoch take 0.4 MB; the rest is freed memory that the allocator keeps.',
  },
  epochTime: {
    target: 25,
    missed:
      'What depends on the whole history is computed anew: the choice takes two fifths of the engine, superseded content a sixth, and the new texts as much; a third of the time is JavaScript, with no dearest function.',
  },
  epoch: { target: 1, missed: 'A session also compares and hashes the history.' },
  played: {
    target: 40,
    missed:
      'A step takes 0.23 ms in recorded sessions: two calls of the engine with cold caches take a fifth of it each, comparing the history a tenth, and bookkeeping the rest; a cut takes as long as eighty steps.',
  },
  serverMemory: {
    target: 60,
    missed: 'Each message has an entry with its tokens and properties and a list of its members, by which a change in place is seen.',
  },
  restingMemory: { target: 40 },
  restingStep: { target: 10 },
  held: { target: 5, missed: 'The collector stops all of JavaScript.' },
  heldLarge: { target: 8, missed: 'The collector stops all of JavaScript.' },
  tokens: {
    target: 150,
    gate: 20,
    isLeast: true,
    missed:
      'Strings are counted while they are read; remembering messages, a fifth of the time, is on one thread. A thread counts some 160 MB/s, bound by two to three mispredicted branches for each piece of four bytes.',
  },
};

/** Tells whether a row meets a limit of its target; undefined for a row that could not be measured. */
export function meets({ ratio, isLeast }, limit) {
  if (ratio === undefined || limit === undefined) return undefined;
  return isLeast ? ratio >= limit : ratio <= limit;
}
