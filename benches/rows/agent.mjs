// Rows 14 to 17 and 27: the messages of providers.
import { createRequire } from 'node:module';
import { countTokens, fit } from '../../unbundled/index.js';
import { session } from '../generate.mjs';
import { STRINGIFY, timed } from '../row.mjs';
import { targets } from '../targets.mjs';

const require = createRequire(import.meta.url);
const { Fitting } = require('../../unbundled/fit/fitting.js');
const { formatOf } = require('../../unbundled/providers/index.js');

const MEGABYTE = 1_000_000;

const megabyteSession = () => session(1, 750, MEGABYTE);
const longest = (conversations) => conversations.reduce((a, b) => (JSON.stringify(b).length > JSON.stringify(a).length ? b : a));

const textBytes = (messages) =>
  formatOf(messages)
    .read(messages)
    .reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);

/** A task for each of several conversations, one after the other. */
const each = (task) => (palimpsest, conversations) => () => {
  for (const messages of conversations) task(palimpsest, messages);
};
const ofAll = {
  beside: { ...STRINGIFY, task: each((_, messages) => JSON.stringify(messages)) },
  bytes: (conversations) => conversations.reduce((sum, messages) => sum + textBytes(messages), 0),
};
/** Compares with `JSON.stringify` of the messages, which are one member of the input. */
const ofMessages = {
  beside: {
    ...STRINGIFY,
    task:
      (_, { messages }) =>
      () =>
        JSON.stringify(messages),
  },
  bytes: ({ messages }) => textBytes(messages),
};
const pruning = (workload, input) =>
  timed({ number: 14, workload, input, task: each(({ prune }, messages) => prune(messages)), ...ofAll, target: targets.prune });

/** The same messages as objects that were not counted before. */
export const fresh = (messages) => messages.map((message) => ({ ...message }));

/** Exact counting; its target is a throughput. */
const counting = (workload, input) =>
  timed({
    number: 15,
    workload,
    input,
    task: each(({ countTokens }, messages) => countTokens(fresh(messages), { tokenizer: 'o200k_base' })),
    ...ofAll,
    judge: ({ throughput }) => ({ ratio: throughput, of: 'MB/s' }),
    target: targets.tokens,
  });

/** Fitting a conversation into a quarter of its tokens. */
function fitting(workload, messages, tokenizer, target) {
  const input = () => {
    const given = messages();
    return { messages: given, options: { limit: Math.floor(countTokens(given, { tokenizer }) / 4), tokenizer } };
  };
  return timed({
    number: 16,
    workload,
    input,
    task:
      ({ fit }, { messages, options }) =>
      () =>
        fit(messages, options),
    ...ofMessages,
    target,
  });
}

/** Ratio of the times of fitting 4 MB and 1 MB. */
function fitGrowth(tokenizer) {
  const withBudget = (messages) => [messages, { limit: Math.floor(countTokens(messages, { tokenizer }) / 4), tokenizer }];
  const fitting =
    (index) =>
    ({ fit }, inputs) =>
    () =>
      fit(...inputs[index]);
  return timed({
    number: 17,
    workload: `fit, ${tokenizer}, 4 MB : 1 MB`,
    input: () => [megabyteSession(), session(1, 3000, 4 * MEGABYTE)].map(withBudget),
    task: fitting(1),
    beside: { of: '1 MB', task: fitting(0) },
    bytes: null,
    target: targets.fitGrowth,
  });
}

/** Fitting a conversation that fits, beside counting it. */
const whole = (workload, input, prepare) =>
  timed({
    number: 16,
    workload,
    input,
    task:
      ({ fit }, messages) =>
      () =>
        fit(prepare(messages), { limit: Infinity }),
    beside: {
      of: 'countTokens',
      task:
        ({ countTokens }, messages) =>
        () =>
          countTokens(prepare(messages)),
    },
    bytes: textBytes,
    target: targets.fitWhole,
  });

const fitRows = [
  fitting('fit, agent session, 1 MB, o200k_base', megabyteSession, 'o200k_base', targets.fitExact),
  fitting('fit, agent session, 1 MB, estimate', megabyteSession, 'estimate', targets.fitEstimate),
];
const asIs = (messages) => messages;
const smallSession = () => session(4, 20, 13_000);
const wholeRows = [
  whole('fit, agent session, 1 MB, which fits', megabyteSession, fresh),
  whole('fit, the same, counted before', megabyteSession, asIs),
  whole('fit, agent session, 13 KB / 20, which fits', smallSession, fresh),
  whole('fit, the same 13 KB, counted before', smallSession, asIs),
];

/** A conversation, and what a fit into a quarter of its tokens wrote. */
function fitted() {
  const messages = megabyteSession();
  const budget = Math.floor(countTokens(fresh(messages)) / 4);
  return { messages, ...writtenBy(messages, budget), result: fit(fresh(messages), { limit: budget }) };
}

function writtenBy(messages, budget) {
  const conversation = { messages, format: formatOf(messages), stale: Infinity, carried: {} };
  return Fitting.of(conversation, {}, budget).search(budget);
}

/** Times of what makes a fit reversible. */
const reversing = (workload, input, task) =>
  timed({
    number: 27,
    workload,
    input,
    task,
    ...ofMessages,
    target: targets.reversing,
  });
const originals = (_, { messages, written }, folder) => {
  const { originalsOf } = require(`${folder}/unbundled/agent/originals.js`);
  return () => originalsOf(messages, written);
};
const reversingRows = [
  reversing(
    'restore of a fit, 1 MB',
    fitted,
    ({ restore }, { result }) =>
      () =>
        restore(result.messages, result.originals),
  ),
  reversing('originals of a fit, 1 MB', fitted, originals),
  reversing('originals of a fit, 1 MB, fitted before', fitted, ({ countTokens }, given, folder) => {
    countTokens(given.messages);
    return originals(undefined, given, folder);
  }),
];
const growthRows = [fitGrowth('o200k_base'), fitGrowth('estimate')];
const pruned = pruning('prune, agent session, 1 MB', () => [megabyteSession()]);
const counted = counting('exact tokens, agent sessions, 4 × 1 MB', () => [1, 2, 3, 4].map((seed) => session(seed, 750, MEGABYTE)));

/** @param {{ name: string, conversations: object[][] }[]} providers conversations of the user's, as providers take them */
export const agentRows = (providers) => [
  pruned,
  pruning('prune, agent session, 100 KB / 60', () => [session(9, 60, 100_000)]),
  ...providers.map(({ name, conversations }) => pruning(`prune, corpus: ${name}`, () => conversations)),
  counted,
  ...providers.map(({ name, conversations }) => counting(`exact tokens, corpus: ${name}`, () => conversations)),
  ...fitRows,
  ...wholeRows,
  ...reversingRows,
  ...providers.flatMap(({ name, conversations }) => [
    fitting(`fit, corpus: ${name}, longest, o200k_base`, () => longest(conversations), 'o200k_base', targets.fitExact),
    fitting(`fit, corpus: ${name}, longest, estimate`, () => longest(conversations), 'estimate', targets.fitEstimate),
  ]),
  ...growthRows,
];
export const shortAgentRows = () => [pruned, counted, ...fitRows, ...wholeRows, ...reversingRows, ...growthRows];
