'use strict';

const { originalsOf } = require('../agent/originals.js');
const { checkFitOptions } = require('./arguments.js');
const { takeUp } = require('./earlier.js');
const { createReport } = require('./report.js');
const { Session } = require('./session.js');
const { summaries } = require('./summaries.js');

/** See `index.d.ts`. */
function fit(messages, given) {
  checkFitOptions(messages, given);
  const { budget, format, tools, tokenizer, tokenCounter, thinking, keep, query, prune, originals, summarizer, concurrency, signal, trace } = given;
  // A callback may change the object that was given.
  const options = { budget, format, tools, tokenizer, tokenCounter, thinking, keep, query, prune, originals, summarizer, concurrency, signal, trace };
  const session = new Session(takeUp(messages, options), options);
  if (options.summarizer) return fitWithSummaries(session, options);
  try {
    return finish(session, options, choose(session, options.budget));
  } finally {
    session.close();
  }
}

async function fitWithSummaries(session, options) {
  const { budget, signal } = options;
  try {
    if (signal?.aborted) throw signal.reason;
    if (session.fits(budget)) return finish(session, options, session.whole());
    const { notes, ...counts } = await summaries(session, budget, options);
    return finish(session, options, choose(session, budget, notes), counts);
  } finally {
    session.close();
  }
}

/** What stays: all where all of it fits. */
const choose = (session, budget, notes) => (session.fits(budget) ? session.whole() : session.search(budget, notes));

function finish(session, { budget, trace }, made, counts) {
  const fits = made.tokens <= budget;
  const tokens = { before: session.before, after: made.tokens, budget, ...(fits ? {} : { minimum: made.tokens }) };
  return {
    messages: made.written.messages,
    originals: { ...session.carried, ...originalsOf(session.messages, made.written, session.staleMessages()) },
    fits,
    tokens,
    report: createReport(session, made, tokens, counts, trace),
  };
}

module.exports = { fit };
