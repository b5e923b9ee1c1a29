// Rows 14 and 15: the messages of providers.
import { createRequire } from 'node:module';
import { prune } from '../../index.mjs';
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

const textsOf = (messages) => formatOf(messages).read(messages).map(({ text }) => text);
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

export const pruneRows = ({ providers }) => [
  pruning('prune, agent session, 1 MB', megabyteSession()),
  pruning('prune, agent session, 100 KB / 60', [session(9, 60, 100_000)]),
  ...providers.map(({ name, conversations }) => pruning(`prune, corpus: ${name}`, conversations)),
];
export const tokenRows = ({ providers }) => [
  counting('exact tokens, agent sessions, 4 × 1 MB', [1, 2, 3, 4].map((seed) => session(seed, 750, MEGABYTE))),
  ...providers.map(({ name, conversations }) => counting(`exact tokens, corpus: ${name}`, conversations)),
];
export const shortAgentRows = () => [pruning('prune, agent session, 1 MB', megabyteSession()), counting('exact tokens, agent session, 1 MB', megabyteSession())];
