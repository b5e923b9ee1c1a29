// @ts-check
'use strict';

const { originalsOf } = require('../agent/originals.js');
const { FOR_MESSAGES, got } = require('../given.js');
const { named } = require('../places.js');
const { checkOptions, copyOptions, defaultOf } = require('../options/index.js');
const { resolveLimits } = require('../options/limits.js');
const { takeUp } = require('./earlier.js');
const { createReport } = require('./report.js');
const { Fitting } = require('./fitting.js');
const { summaries } = require('./summaries.js');

/** See `index.d.ts`. */
function fit(messages, given) {
  if (!Array.isArray(messages)) throw new TypeError(`fit(): messages must be an array, got ${got(messages, FOR_MESSAGES)}`);
  checkOptions('fit', given);
  // A callback may change the object that was given.
  const options = copyOptions('fit', given);
  resolveLimits(options, 'budget', 'fit(): options');
  options.thinking ??= defaultOf('fit', 'thinking');
  const conversation = takeUp(messages, options);
  const missing = conversation.missing();
  const fitting = new Fitting(conversation, options, options.summarizer ? undefined : options.budget);
  if (options.summarizer) return fitWithSummaries(fitting, missing, options);
  try {
    return finish(fitting, missing, options, choose(fitting, options.budget));
  } finally {
    fitting.close();
  }
}

async function fitWithSummaries(fitting, missing, options) {
  const { budget, signal } = options;
  try {
    if (signal?.aborted) throw signal.reason;
    if (fitting.fits(budget)) return finish(fitting, missing, options, fitting.whole());
    const { notes, ...counts } = await summaries(fitting, budget, options);
    return finish(fitting, missing, options, choose(fitting, budget, notes), counts);
  } finally {
    fitting.close();
  }
}

/** The whole conversation if it fits, otherwise the best choice. */
const choose = (fitting, budget, notes) => (fitting.fits(budget) ? fitting.whole() : fitting.search(budget, notes));

function finish(fitting, missing, { budget, trace }, made, counts) {
  const fits = made.tokens <= budget;
  const tokens = { before: fitting.before, after: made.tokens, budget, ...(fits ? {} : { minimum: made.tokens }) };
  return {
    messages: made.written.messages,
    originals: { ...fitting.carried, ...originalsOf(fitting.messages, made.written, fitting.staleMessages()) },
    missing,
    fits,
    tokens,
    report: createReport(fitting, made, tokens, counts, trace),
  };
}

module.exports = { fit: named('fit', fit), fitMessages: fit };
