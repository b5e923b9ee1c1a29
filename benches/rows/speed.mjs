// Rows 1 to 6 and 18: calls that do not wait for anyone.
import { MarkdownAdapter, StructuredOutputAdapter, XmlAdapter, YamlAdapter, compress } from '../../index.mjs';
import { agentSession, conversation } from '../generate.mjs';
import { besideStringify, contentBytes, medians } from '../measure.mjs';
import { targets } from '../targets.mjs';

const row = (number, workload, messages, target, options) => ({
  number,
  workload,
  ...besideStringify(messages, () => compress(messages), options),
  ...target,
});

const MEGABYTE = 1_000_000;
const megabyteSession = () => agentSession(1, 750, MEGABYTE);
export const tenMegabytes = () => agentSession(2, 4_000, 10 * MEGABYTE);

/** Row 1; of all its workloads the worst one has a target of its own. */
function session(kinds, corpus) {
  const rows = [row(1, 'agent session, 1 MB', megabyteSession(), targets.session)];
  for (const kind of kinds) {
    rows.push(row(1, `${kind}, 1 MB`, conversation(kind, 3, 400, MEGABYTE), targets.session));
  }
  for (const { name, messages } of corpus) rows.push(row(1, `corpus: ${name}`, messages, targets.session));
  const worst = rows.reduce((a, b) => (a.ratio > b.ratio ? a : b));
  Object.assign(worst, targets.worstSession);
  return rows;
}

const smallSession = () => row(2, 'agent session, 13 KB / 20', agentSession(4, 20, 13_000), targets.small);

/** A call with `options` beside the same call without, or with those of `timing.beside`. */
function besideDefault(number, workload, messages, options, target, { beside, ...timing } = {}) {
  const tasks = [() => JSON.stringify(messages), () => compress(messages, beside), () => compress(messages, options)];
  const [stringify, plain, value] = medians(tasks, timing);
  const throughput = contentBytes(messages) / 1_000 / value;
  return { number, workload, stringify, value, unit: 'ms', ratio: value / plain, of: 'default', throughput, ...target };
}

/** No result fits into a single token, so the search has to try all that it ever would. */
const unreachable = { tokenBudget: 1 };
const megabyteBudget = () => besideDefault(5, 'token budget, 1 MB', megabyteSession(), unreachable, targets.budget);
const twentyThousand = () => agentSession(8, 20_000, 13 * MEGABYTE);

export const sessions = ({ corpus }) => session(['prose', 'json', 'document', 'code', 'markdown'], corpus);
export const small = () => [smallSession(), row(2, 'agent session, 100 KB / 60', agentSession(9, 60, 100_000), targets.medium)];
export const large = [
  () => [row(3, 'agent session, 10 MB / 4,000', tenMegabytes(), targets.large)],
  () => [row(3, 'short messages, 13 MB / 20,000', twentyThousand(), targets.large, { seconds: 2 })],
  () => [row(3, 'agent session, 50 MB / 20,000', agentSession(10, 20_000, 50 * MEGABYTE), targets.large, { seconds: 3 })],
];
export const otherScripts = () => [
  row(4, 'Chinese, 1 M characters', conversation('chinese', 5, 400, MEGABYTE), targets.otherScripts),
  row(4, 'Japanese, 1 M characters', conversation('japanese', 6, 400, MEGABYTE), targets.otherScripts),
  row(4, 'chat with emoji, 1 M characters', conversation('emoji', 7, 4_000, MEGABYTE), targets.otherScripts),
];
export const budgets = () => [
  megabyteBudget(),
  besideDefault(5, 'token budget, 10 MB', tenMegabytes(), unreachable, targets.budget, { seconds: 2 }),
];
export const fuzzy = () => [
  besideDefault(6, 'fuzzyDedup, 13 MB / 20,000', twentyThousand(), { fuzzyDedup: true }, targets.fuzzy, { seconds: 2 }),
];

/** A model of the caller's that answers from memory: what it takes beyond that is the caller's own time. */
function remembering(answer) {
  const known = new Map();
  return (text) => {
    if (!known.has(text)) known.set(text, answer(text));
    return known.get(text);
  };
}

/** Row 18: each opt-in feature beside the same call without it. */
const optInOptions = {
  importanceScoring: { importanceScoring: true },
  contradictionDetection: { contradictionDetection: true },
  relevanceThreshold: { relevanceThreshold: 3 },
  "compressionDepth: 'moderate'": { compressionDepth: 'moderate' },
  "compressionDepth: 'aggressive'": { compressionDepth: 'aggressive' },
  "compressionDepth: 'auto'": { compressionDepth: 'auto', ...unreachable },
  "budgetStrategy: 'tiered'": { budgetStrategy: 'tiered', ...unreachable },
  conversationFlow: { conversationFlow: true },
  semanticClustering: { semanticClustering: true },
  coreference: { coreference: true },
  discourseAware: { discourseAware: true },
  entropyScorer: { entropyScorer: (sentences) => sentences.map(({ length }) => length) },
  mlTokenClassifier: {
    mlTokenClassifier: remembering((text) => text.split(' ').map((token) => ({ token, keep: token.length > 5, confidence: 1 }))),
  },
  adapters: { adapters: [StructuredOutputAdapter, XmlAdapter, YamlAdapter, MarkdownAdapter] },
  agentToolPrepass: { agentToolPrepass: true },
};
export const optIn = () => {
  const messages = twentyThousand();
  return Object.entries(optInOptions).map(([name, options]) => {
    const beside = options.tokenBudget === undefined ? {} : unreachable;
    return besideDefault(18, `${name}, 13 MB / 20,000`, messages, options, targets.optIn, { seconds: 2, beside });
  });
};

export const shortRows = () => [...session(['prose'], []), smallSession(), megabyteBudget()];
