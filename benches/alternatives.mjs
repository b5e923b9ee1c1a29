// Other packages beside this one, on the same conversations in the same run.
import { trimMessages } from '@langchain/core/messages';
import { pruneMessages } from 'ai';
import { clearMergeCache, countTokens as countWithGptTokenizer } from 'gpt-tokenizer/encoding/o200k_base';
import { get_encoding } from 'tiktoken';
import { toLangChain, toModel } from './board/strategies/messages.mjs';
import { conversation, session } from './generate.mjs';
import { interleaved, median, medians } from './measure.mjs';
import { fresh } from './rows/agent.mjs';

const MEGABYTE = 1_000_000;
const megabyteSession = () => session(1, 750, MEGABYTE);
const bytesOf = (texts) => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
const contentsOf = (messages) => messages.map(({ content }) => content ?? '');

/** The texts to count, one by one. */
const TEXTS = {
  'agent session, 1 MB': () => contentsOf(megabyteSession()),
  'prose, 1 MB': () => contentsOf(conversation('prose', 3, 400, MEGABYTE)),
  'Chinese, 1 M characters': () => contentsOf(conversation('chinese', 5, 400, MEGABYTE)),
  'one word of 20,000 letters': () => ['a'.repeat(20_000)],
};

/** Counting with o200k_base: the time of each package, whose counts are the same. */
export async function countingResults({ palimpsest }) {
  const tiktoken = get_encoding('o200k_base');
  const counters = {
    palimpsest: (text) => palimpsest.countTokens(text, { tokenizer: 'o200k_base' }),
    'gpt-tokenizer': (text) => countWithGptTokenizer(text),
    'tiktoken (WebAssembly)': (text) => tiktoken.encode_ordinary(text).length,
  };
  const results = [];
  for (const [workload, make] of Object.entries(TEXTS)) {
    const texts = make();
    const tasks = Object.values(counters).map((count) => () => {
      // Otherwise gpt-tokenizer would only look up what it remembers of the run before.
      clearMergeCache();
      return texts.reduce((sum, text) => sum + count(text), 0);
    });
    const counts = tasks.map((task) => task());
    if (new Set(counts).size > 1) throw new Error(`${workload}: the counts differ: ${counts}`);
    const times = await medians(tasks, { atLeast: 3 });
    const timed = Object.keys(counters).map((name, index) => ({
      name,
      ms: times[index],
      throughput: bytesOf(texts) / 1_000 / times[index],
    }));
    results.push({ workload, tokens: counts[0], timed });
  }
  tiktoken.free();
  return results;
}

const sizeOf = (messages) => JSON.stringify(messages).length;

/** A counter of messages as a caller may write it: each text is counted once. */
function remembering(count) {
  const known = new Map();
  return (text) => {
    if (!known.has(text)) known.set(text, count(text));
    return known.get(text);
  };
}
const textOf = ({ content, tool_calls: calls = [] }) => `${content}${calls.length > 0 ? JSON.stringify(calls) : ''}`;

/** Making a session of 1 MB smaller: what each call takes, and the share of the characters that it leaves. */
export async function trimmingResults({ palimpsest: { countTokens, fit, prune } }) {
  const messages = megabyteSession();
  const [langchain, model] = [toLangChain(messages), toModel(messages)];
  const budget = Math.floor(countTokens(messages) / 4);
  const trimming = (makeCount) => async () => {
    const count = makeCount();
    const tokenCounter = (list) => list.reduce((sum, message) => sum + count(textOf(message)), 0);
    return await trimMessages(langchain, { maxTokens: budget, tokenCounter, strategy: 'last', includeSystem: true, startOn: 'human' });
  };
  const calls = [
    ['`fit`, `o200k_base`', messages, async () => fit(messages, { limit: budget }).messages],
    ['`fit`, `estimate`', messages, async () => fit(messages, { limit: budget, tokenizer: 'estimate' }).messages],
    ['`trimMessages`, counting with gpt-tokenizer', langchain, trimming(() => remembering((text) => countWithGptTokenizer(text)))],
    ['`trimMessages`, a quarter of the characters', langchain, trimming(() => (text) => Math.ceil(text.length / 4))],
    ['`prune`', model, async () => prune(model, { format: 'ai-sdk-model' }).messages],
    [
      '`pruneMessages`, tool calls before the last 20 messages',
      model,
      async () => pruneMessages({ messages: model, reasoning: 'before-last-message', toolCalls: 'before-last-20-messages' }),
    ],
  ];
  const samplers = calls.map(([, , call]) => async () => {
    const start = performance.now();
    await call();
    return performance.now() - start;
  });
  const samples = await interleaved(samplers, { seconds: 5 });
  const results = [];
  for (const [index, [name, given, call]] of calls.entries()) {
    const left = await call();
    results.push({ name, ms: median(samples[index]), left: sizeOf(left) / sizeOf(given), messages: left.length, of: given.length });
  }
  return results;
}

/** Sizes of a session: messages and characters. */
const SIZES = [
  ['13 KB', 20, 13_000],
  ['100 KB', 60, 100_000],
  ['1 MB', 750, MEGABYTE],
  ['10 MB', 4_000, 10 * MEGABYTE],
];

/** How the time of each verb grows with the session. */
export async function growthResults({ palimpsest: { compress, countTokens, fit, prune } }) {
  const results = [];
  for (const [size, count, length] of SIZES) {
    const messages = session(2, count, length);
    const withIds = messages.map((message, index) => ({ id: `m${index}`, index, ...message }));
    const budget = Math.floor(countTokens(messages) / 4);
    const tasks = {
      'JSON.stringify': () => JSON.stringify(messages),
      compress: () => compress(withIds),
      prune: () => prune(messages),
      'fit, o200k_base': () => fit(messages, { limit: budget }),
      'fit, estimate': () => fit(messages, { limit: budget, tokenizer: 'estimate' }),
      'fit, nothing to do': () => fit(fresh(messages), { limit: Infinity }),
      'countTokens, o200k_base': () => countTokens(fresh(messages)),
    };
    const times = await medians(Object.values(tasks), { seconds: 2 });
    const bytes = bytesOf(contentsOf(messages));
    results.push({ size, count, bytes, times: Object.keys(tasks).map((name, index) => ({ name, ms: times[index] })) });
  }
  return results;
}
