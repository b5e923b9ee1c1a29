// Decodes a vector of the opt-in features, runs it against a module and encodes what came out, so that both can be compared.
const lengths = (sentences) => sentences.map((sentence) => sentence.length);
const digits = (sentence) => sentence.match(/[0-9]/g)?.length ?? 0;
const words = (text) => text.split(/\s+/).filter(Boolean);
const classified = (keep) => (text) => words(text).map((token) => ({ token, keep: keep(token), confidence: 0.9 }));

/** The functions that stand in the vectors under a name; those with parameters find them beside it. */
const FUNCTIONS = {
  'tokenCounter:div3': () => (message) => Math.ceil((typeof message.content === 'string' ? message.content.length : 0) / 3),
  'tokenCounter:words': () => (message) => (typeof message.content === 'string' ? message.content.split(' ').length : 0),
  'scorer:length': () => lengths,
  'scorer:digits': () => (sentences) => sentences.map(digits),
  'scorer:negLength': () => (sentences) => sentences.map((sentence) => -sentence.length),
  'scorer:const': () => (sentences) => sentences.map(() => 3),
  'scorer:short': () => (sentences) => sentences.slice(1).map(() => 1),
  'scorer:one': () => () => [7],
  'scorer:long': () => (sentences) => [...lengths(sentences), 999],
  'scorer:asyncLength': () => async (sentences) => lengths(sentences),
  'ml:mock': ({ patterns, confidence }, module) => module.createMockTokenClassifier(patterns, confidence),
  'ml:keepAll': () => classified(() => true),
  'ml:dropAll': () => classified(() => false),
  'ml:asyncLong': () => async (text) => classified((token) => token.length >= 6)(text),
  'ml:table':
    ({ rows }) =>
    () =>
      rows.map(([token, keep, confidence]) => ({ token, keep, confidence })),
  'llm:const':
    ({ value }) =>
    () =>
      value,
  'llm:asyncConst':
    ({ value }) =>
    async () =>
      value,
  'llm:fail': () => () => {
    throw new Error('the LLM is down');
  },
  'summarizer:first40': () => (text) => text.slice(0, 40),
  'classifier:compressAll': () => () => ({ decision: 'compress', confidence: 0.9, reason: 'c' }),
  'edu:length': () => (text) => text.length,
  'edu:vowels': () => (text) => text.match(/[aeiou]/g)?.length ?? 0,
};

const ADAPTERS = {
  ticket: {
    name: 'ticket',
    detect: (text) => text.startsWith('TICKET '),
    extractPreserved: (text) => [text.split('\n')[0]],
    extractCompressible: (text) => text.split('\n').slice(1),
    reconstruct: (preserved, summary) => `${preserved.join('\n')}\n<${summary}>`,
  },
  headOnly: {
    name: 'head-only',
    detect: (text) => text.startsWith('LOG '),
    extractPreserved: (text) => [text.slice(0, 30)],
    extractCompressible: () => [],
    reconstruct: (preserved, summary) => `${preserved.join('')}{${summary}}`,
  },
  grow: {
    name: 'grow',
    detect: () => true,
    extractPreserved: (text) => [text + text],
    extractCompressible: (text) => [text],
    reconstruct: (preserved, summary) => preserved.join('') + summary,
  },
};

function decode(value, module) {
  if (Array.isArray(value)) return value.map((part) => decode(part, module));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, part]) => [key, decode(part, module)]);
  const decoded = Object.fromEntries(entries);
  if ('$fn' in value) return FUNCTIONS[value.$fn](decoded, module);
  if ('$adapter' in value) return ADAPTERS[value.$adapter] ?? module[`${value.$adapter}Adapter`];
  if ('$set' in value) return new Set(decoded.$set);
  if ('$map' in value) return new Map(decoded.$map);
  if ('$re' in value) return new RegExp(value.$re, value.$flags);
  if ('$num' in value) return Number(value.$num);
  if ('$undef' in value) return undefined;
  return decoded;
}

function encode(value) {
  if (typeof value === 'function') return { $fn: '?' };
  if (value instanceof Map) return { $map: [...value].map(encode) };
  if (value instanceof Set) return { $set: [...value].map(encode) };
  if (Array.isArray(value)) return value.map(encode);
  if (value === null || typeof value !== 'object') return value;
  const present = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(present.map(([key, part]) => [key, encode(part)]));
}

const contents = (messages) => messages.map(({ content }) => content);
const idAndContent = (messages) => JSON.stringify(messages.map(({ id, content }) => [id, content]));

/** The vectors' names of functions beside the exports, by name or by the part of the name before a slash or dot. */
const CALLS = {
  const: (module, name) => module[name],
  roundtrip: ({ compress, uncompress }, messages, options) => {
    const { messages: output, verbatim } = compress(messages, options);
    const restored = uncompress(output, verbatim).messages;
    return {
      contents: contents(output),
      sourceIds: output.map(({ metadata }) => metadata?._cce_original?.ids ?? null),
      restoredIds: restored.map(({ id }) => id),
      lossless: JSON.stringify(restored) === JSON.stringify(messages),
      contentLossless: idAndContent(restored) === idAndContent(messages),
    };
  },
  'compress.repeat': ({ compress }, messages, options, times) => {
    const passes = [];
    for (let pass = 0; pass < times; pass++) {
      ({ messages } = compress(messages, options));
      passes.push(contents(messages));
    }
    return passes;
  },
  'createMockTokenClassifier/call': ({ createMockTokenClassifier }, patterns, confidence, text) =>
    createMockTokenClassifier(patterns, confidence)(text),
};

function find(module, fn) {
  if (Object.hasOwn(CALLS, fn)) return (...args) => CALLS[fn](module, ...args);
  const [subject, method] = fn.split(/[./]/);
  if (subject !== 'createFeedbackCollector') return method ? (...args) => module[subject][method](...args) : module[subject];
  return (llm, pairs) => {
    const collector = module.createFeedbackCollector(llm);
    for (const pair of pairs) collector.add(...pair);
    return method === 'pairs' ? collector.pairs : collector[method]();
  };
}

/** The outcome as the vectors write it: of an error its class. */
export async function run(module, { fn, args }) {
  try {
    const value = find(module, fn)(...decode(args, module));
    return value instanceof Promise ? { $promise: encode(await value) } : encode(value);
  } catch (error) {
    return { $error: error.name };
  }
}
