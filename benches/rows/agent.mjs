// Rows 14 to 17: the messages of providers.
import { createRequire } from 'node:module';
import { countTokens, fit, prune } from '../../index.mjs';
import { agentSession } from '../generate.mjs';
import { medians } from '../measure.mjs';
import { targets } from '../targets.mjs';

const require = createRequire(import.meta.url);
const native = require('../../lib/native.js');
const { formatOf } = require('../../lib/formats/index.js');

const MEGABYTE = 1_000_000;

/** A session as OpenAI's chat completions take it: without the drop-in's own keys. */
const session = (seed, count, length) => agentSession(seed, count, length).map(({ id, index, ...message }) => message);
const megabyteSession = () => [session(1, 750, MEGABYTE)];

const textsOf = (messages) =>
  formatOf(messages)
    .read(messages)
    .map(({ text }) => text);
const bytesOf = (texts) => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** Pruning each of the conversations, beside `JSON.stringify` of each. */
function pruning(workload, conversations, timing) {
  const each = (task) => () => conversations.forEach(task);
  const [stringify, value] = medians([each((messages) => JSON.stringify(messages)), each((messages) => prune(messages))], timing);
  const throughput = bytesOf(conversations.flatMap(textsOf)) / 1_000 / value;
  return { number: 14, workload, stringify, value, unit: 'ms', ratio: value / stringify, of: 'S', throughput, ...targets.prune };
}

/** Counting the texts of the conversations in the engine, one conversation after the other; o200k_base. */
function counting(workload, conversations, timing) {
  const texts = conversations.map(textsOf);
  const count = () => texts.forEach((each) => native.countTexts(each, 'o200k_base'));
  const stringify = () => conversations.forEach((messages) => JSON.stringify(messages));
  const [unit, value] = medians([stringify, count], timing);
  const throughput = bytesOf(texts.flat()) / 1_000 / value;
  return { number: 15, workload, stringify: unit, value, unit: 'ms', ratio: throughput, of: 'MB/s', throughput, ...targets.tokens };
}

/** Fitting a conversation into a quarter of its tokens. */
function fitting(workload, messages, tokenizer, target, timing) {
  const budget = Math.floor(countTokens(messages, { tokenizer }) / 4);
  const [stringify, value] = medians([() => JSON.stringify(messages), () => fit(messages, { budget, tokenizer })], timing);
  const throughput = bytesOf(textsOf(messages)) / 1_000 / value;
  return { number: 16, workload, stringify, value, unit: 'ms', ratio: value / stringify, of: 'S', throughput, ...target };
}

/** How much dearer 4 MB are than 1 MB. */
function fitGrowth(tokenizer, timing) {
  const run = (messages) => {
    const budget = Math.floor(countTokens(messages, { tokenizer }) / 4);
    return () => fit(messages, { budget, tokenizer });
  };
  const [one, value] = medians([run(session(1, 750, MEGABYTE)), run(session(1, 3000, 4 * MEGABYTE))], timing);
  return {
    number: 17,
    workload: `fit, ${tokenizer}, 4 MB : 1 MB`,
    value,
    unit: 'ms',
    ratio: value / one,
    of: '1 MB',
    ...targets.fitGrowth,
  };
}

export const pruneRows = ({ providers }) => [
  pruning('prune, agent session, 1 MB', megabyteSession()),
  pruning('prune, agent session, 100 KB / 60', [session(9, 60, 100_000)]),
  ...providers.map(({ name, conversations }) => pruning(`prune, corpus: ${name}`, conversations)),
];
export const tokenRows = ({ providers }) => [
  counting(
    'exact tokens, agent sessions, 4 × 1 MB',
    [1, 2, 3, 4].map((seed) => session(seed, 750, MEGABYTE)),
  ),
  ...providers.map(({ name, conversations }) => counting(`exact tokens, corpus: ${name}`, conversations)),
];
export const fitRows = ({ providers }, timing) => [
  fitting('fit, agent session, 1 MB, o200k_base', session(1, 750, MEGABYTE), 'o200k_base', targets.fitExact, timing),
  fitting('fit, agent session, 1 MB, estimate', session(1, 750, MEGABYTE), 'estimate', targets.fitEstimate, timing),
  ...providers.flatMap(({ name, conversations }) => [
    fitting(`fit, corpus: ${name}, longest, o200k_base`, longest(conversations), 'o200k_base', targets.fitExact, timing),
    fitting(`fit, corpus: ${name}, longest, estimate`, longest(conversations), 'estimate', targets.fitEstimate, timing),
  ]),
  fitGrowth('o200k_base', timing),
  fitGrowth('estimate', timing),
];
const longest = (conversations) => conversations.reduce((a, b) => (JSON.stringify(b).length > JSON.stringify(a).length ? b : a));
export const shortAgentRows = () => [
  pruning('prune, agent session, 1 MB', megabyteSession()),
  counting('exact tokens, agent session, 1 MB', megabyteSession()),
  ...fitRows({ providers: [] }),
];
