// Rows 1 to 6 and 18: calls of `compress` that wait for nobody.
import { MarkdownAdapter, StructuredOutputAdapter, XmlAdapter, YamlAdapter } from 'palimpsest/compress';
import { agentSession, conversation } from '../generate.mjs';
import { STRINGIFY, timed } from '../row.mjs';
import { targets } from '../targets.mjs';

const MEGABYTE = 1_000_000;
const megabyteSession = () => agentSession(1, 750, MEGABYTE);
export const tenMegabytes = () => agentSession(2, 4_000, 10 * MEGABYTE);
const twentyThousand = () => agentSession(8, 20_000, 13 * MEGABYTE);

const compressing = (number, workload, input, target, { options, beside = STRINGIFY, ...timing } = {}) =>
  timed({
    number,
    workload,
    input,
    task:
      ({ compress }, messages) =>
      () =>
        compress(messages, options),
    beside,
    timing,
    target,
  });

const session = compressing(1, 'agent session, 1 MB', megabyteSession, targets.session);
const ofKind = (kind, target = targets.session) => compressing(1, `${kind}, 1 MB`, () => conversation(kind, 3, 400, MEGABYTE), target);
const small = compressing(2, 'agent session, 13 KB / 20', () => agentSession(4, 20, 13_000), targets.small);

/** `compress` with these options beside the same call without them, or with those of `unlike`. */
const withOption = (number, workload, input, options, target, { unlike, ...timing } = {}) =>
  compressing(number, workload, input, target, {
    options,
    beside: {
      of: 'default',
      task:
        ({ compress }, messages) =>
        () =>
          compress(messages, unlike),
    },
    ...timing,
  });

/** No result fits into a single token, so the search tries all that it ever would. */
const unreachable = { tokenBudget: 1 };
const megabyteBudget = withOption(5, 'token budget, 1 MB', megabyteSession, unreachable, targets.budget);
/** What most calls find that are made before each request. */
const fitting = compressing(5, 'token budget, 1 MB, which fits', megabyteSession, targets.budgetFits, {
  options: { tokenBudget: Number.MAX_SAFE_INTEGER },
});

/** A caller's model that answers from memory, so that only the engine's time counts. */
function remembering(answer) {
  const known = new Map();
  return (text) => {
    if (!known.has(text)) known.set(text, answer(text));
    return known.get(text);
  };
}

/** Row 18: each opt-in feature. */
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
const optIn = Object.entries(optInOptions).map(([name, options]) =>
  withOption(18, `${name}, 13 MB / 20,000`, twentyThousand, options, targets.optIn, {
    seconds: 2,
    unlike: options.tokenBudget === undefined ? {} : unreachable,
  }),
);

/** @param {{ name: string, messages: object[] }[]} corpus conversations of the user's */
export const speedRows = (corpus) => [
  session,
  ...['prose', 'json', 'document', 'code'].map((kind) => ofKind(kind)),
  ofKind('markdown', targets.markdown),
  ...corpus.map(({ name, messages }) => compressing(1, `corpus: ${name}`, () => messages, targets.session)),
  small,
  compressing(2, 'agent session, 100 KB / 60', () => agentSession(9, 60, 100_000), targets.medium),
  compressing(3, 'agent session, 10 MB / 4,000', tenMegabytes, targets.large),
  compressing(3, 'short messages, 13 MB / 20,000', twentyThousand, targets.large, { seconds: 2 }),
  compressing(3, 'agent session, 50 MB / 20,000', () => agentSession(10, 20_000, 50 * MEGABYTE), targets.large, { seconds: 3 }),
  compressing(4, 'Chinese, 1 M characters', () => conversation('chinese', 5, 400, MEGABYTE), targets.otherScripts),
  compressing(4, 'Japanese, 1 M characters', () => conversation('japanese', 6, 400, MEGABYTE), targets.otherScripts),
  compressing(4, 'chat with emoji, 1 M characters', () => conversation('emoji', 7, 4_000, MEGABYTE), targets.emoji),
  megabyteBudget,
  fitting,
  withOption(5, 'token budget, 10 MB', tenMegabytes, unreachable, targets.budget, { seconds: 2 }),
  withOption(6, 'fuzzyDedup, 13 MB / 20,000', twentyThousand, { fuzzyDedup: true }, targets.fuzzy, { seconds: 2 }),
  ...optIn,
];
export const shortSpeedRows = () => [session, ofKind('prose'), small, megabyteBudget];
