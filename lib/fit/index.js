'use strict';

const { originalsOf } = require('../agent/originals.js');
const { check, putBack } = require('../agent/restore.js');
const { formatOf } = require('../formats/index.js');
const { checkFitOptions } = require('./arguments.js');
const { createReport } = require('./report.js');
const { Session } = require('./session.js');
const { summaries } = require('./summaries.js');

/** See `index.d.ts`. */
function fit(messages, given) {
  checkFitOptions(messages, given);
  const { budget, format, tools, tokenizer, tokenCounter, thinking, keep, prune, originals, summarizer, concurrency, signal, trace } = given;
  // A callback may change the object that was given.
  const options = { budget, format, tools, tokenizer, tokenCounter, thinking, keep, prune, originals, summarizer, concurrency, signal, trace };
  const { input, missing } = restored(messages, options.originals);
  const session = new Session(input, formatOf(input, options.format ?? 'auto'), options);
  if (options.summarizer) return fitWithSummaries(session, options, missing);
  try {
    return finish(session, options, missing, choose(session, options.budget));
  } finally {
    session.close();
  }
}

async function fitWithSummaries(session, options, missing) {
  const { budget, signal } = options;
  try {
    if (signal?.aborted) throw signal.reason;
    if (session.before <= budget) return finish(session, options, missing, choose(session, budget));
    const { notes, ...counts } = await summaries(session, budget, options);
    const made = choose(session, budget, notes);
    return finish(session, options, missing, made, counts);
  } finally {
    session.close();
  }
}

/** What stays: all where all of it fits. */
const choose = (session, budget, notes) => (session.before <= budget ? session.whole() : session.search(budget, notes));

/** The messages as they were before earlier rounds, and the originals that have no place in them. */
function restored(messages, originals) {
  // The array may have grown when the summaries are there.
  if (originals === undefined || originals === null) return { input: messages.slice(), missing: {} };
  check(messages, originals, 'fit(): messages', 'fit(): options.originals');
  const { messages: input, missing } = putBack(messages, originals);
  return { input, missing: Object.fromEntries(missing.filter((key) => Object.hasOwn(originals, key)).map((key) => [key, originals[key]])) };
}

function finish(session, { budget, trace }, missing, made, counts) {
  const fits = made.tokens <= budget;
  const tokens = { before: session.before, after: made.tokens, budget, ...(fits ? {} : { minimum: made.tokens }) };
  return {
    messages: made.written.messages,
    originals: { ...missing, ...originalsOf(session.messages, made.written) },
    fits,
    tokens,
    report: createReport(session, made, tokens, counts, trace),
  };
}

module.exports = { fit };
