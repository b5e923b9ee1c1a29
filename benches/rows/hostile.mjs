// Row 7: texts on which a careless rule takes quadratic time.
import { names, wideTexts } from '../generate/colliding.mjs';
import { prose } from '../generate/prose.mjs';
import { Random } from '../generate/random.mjs';
import { HEX, vocabulary } from '../generate/vocabulary.mjs';
import { medians, sampler } from '../measure.mjs';
import { digits } from '../report/table.mjs';
import { timed } from '../row.mjs';
import { targets } from '../targets.mjs';

const SIZE = 1_000_000;

const repeat = (unit) => (length) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
const filled = (alphabet) => (length) => new Random(1).letters(length, alphabet);
const head = (start, unit) => (length) => start + repeat(unit)(length - start.length);
const lines = (line) => (length) => {
  let text = '';
  for (let number = 0; text.length < length; number++) text += line(number);
  return text;
};
const half = (unit, other) => (length) => repeat(unit)(length / 2) + repeat(other)(length / 2);
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const texts = {
  'words without a sentence end': (length) => {
    const random = new Random(2);
    return random.join(length / 6, ' ', () => random.pickRanked(vocabulary)).slice(0, length);
  },
  'only blanks': repeat(' '),
  'only newlines': repeat('\n'),
  'blanks, then newlines': half(' ', '\n'),
  'blanks behind newlines': repeat(`\n${' '.repeat(1_000)}`),
  'one word': repeat('a'),
  aAaA: repeat('aA'),
  'a-a-a-': repeat('a-'),
  'a.b.c.': repeat('a.b.c.'),
  '!?!?': repeat('!?'),
  digits: filled('0123456789'),
  'digits with dots': repeat('1.'),
  'digits with blanks': repeat('12 '),
  base64: filled(BASE64),
  hex: filled(HEX),
  'one backtick': head('`', 'word '),
  backticks: repeat('`'),
  'an unclosed fence': head('```js\n', 'let a = 1;\n'),
  'fence openings': repeat('```js\n'),
  'fence openings in one line': repeat('```js '),
  'a quote unmatched': head('"', 'word '),
  quotes: repeat('"a '),
  'curly quotes': repeat('“'),
  'dollar signs': repeat('$'),
  'dollar signs and lines': repeat('$a\n'),
  'nested {': repeat('{'),
  'nested [': repeat('['),
  'nested {" : {': repeat('{"a":'),
  'key: lines': repeat('key: \n'),
  'key: value lines': lines((number) => `key_${number}: ${number}\n`),
  'sk-': repeat('sk-'),
  ghp_: repeat('ghp_'),
  'a long key': head('sk-', 'a1B2-'),
  'at signs': repeat('@'),
  addresses: repeat('a@b.'),
  '/a/a/a': repeat('/a'),
  'http://': repeat('http://'),
  CRLF: repeat('\r\n'),
  'lines with CRLF': repeat('A line of text.\r\n'),
  emoji: repeat('👩🏽‍💻'),
  'lone surrogates': repeat('\ud83d'),
  NUL: repeat('\0'),
  'lines PASS x': repeat('PASS x\n'),
  'identical short sentences': repeat('It is. '),
  'capitalised words': repeat('Aaa '),
  'dots behind blanks': repeat(' .'),
  'step by step': lines((number) => `${number}. \n`),
};

const duplicates = (length) => {
  const random = new Random(3);
  const contents = Array.from({ length: length / 420 }, (_, number) => `${number} ${random.letters(205, 'abcdef ')}`);
  return [...contents, ...contents].map((content, index) => ({ id: `m${index}`, index, role: 'user', content }));
};
/** The only message, and no recent one, so that every rule reads it. */
const single = (content) => [{ id: 'm', index: 0, role: 'user', content }];

const inputs = {
  ...Object.fromEntries(Object.entries(texts).map(([name, make]) => [name, (length) => single(make(length))])),
  'distinct duplicates': duplicates,
};
const run =
  ({ compress }, messages) =>
  () =>
    compress(messages, { recencyWindow: 0 });

const worstOf = (list, key) => list.reduce((a, b) => (a[key] > b[key] ? a : b));

/**
 * Prose without what keeps it: words of SQL, and paths so long that they look like base64. Most hostile texts are summarised, so it
 * is what their time is compared with. A text that is kept takes a fraction of that, because reading ends at the first reason.
 */
const summarisedProse = (palimpsest) => {
  const text = prose(new Random(4), SIZE)
    .replaceAll(/\b(?:declare|returning|order by)\b/gi, 'state')
    .replaceAll(/[A-Za-z0-9+/]{40,}/g, (path) => path.slice(0, 39));
  const messages = single(text);
  const { messages_compressed: compressed } = run(palimpsest, messages)().compression;
  if (compressed !== 1) throw new Error('the prose is kept, so hostile texts would be compared with a text that is hardly read');
  return messages;
};

/** Every hostile text: how it grows from 1 MB to 4 MB, and what it costs beside prose that is summarised and prose that is kept. */
const hostile = (timing) => ({
  workloads: Object.entries(inputs).map(([name, make]) => ({
    workload: `hostile, 1 MB: ${name}`,
    unit: 'ms',
    input: () => make(SIZE),
    sampler: ({ palimpsest }, messages) => sampler(run(palimpsest, messages)),
  })),
  async measure({ palimpsest }) {
    const details = [];
    const ordinaryProse = [summarisedProse(palimpsest), single(prose(new Random(4), SIZE))];
    for (const [name, make] of Object.entries(inputs)) {
      const conversations = [...ordinaryProse, make(SIZE), make(4 * SIZE)];
      const [summarised, kept, short, long] = await medians(
        conversations.map((messages) => run(palimpsest, messages)),
        timing,
      );
      details.push({ name, short, long, growth: long / short, cost: short / summarised, besideKept: short / kept });
    }
    const [growth, cost] = [worstOf(details, 'growth'), worstOf(details, 'cost')];
    const common = { number: 7, unit: 'ms' };
    return [
      { ...common, workload: '4 MB', worst: growth.name, value: growth.long, ratio: growth.growth, of: '1 MB', ...targets.linearity },
      {
        ...common,
        workload: '1 MB',
        worst: cost.name,
        value: cost.short,
        ratio: cost.cost,
        of: `prose (${digits(cost.besideKept)} times prose that is kept)`,
        details,
        ...targets.hostileCost,
      },
    ];
  },
});

const manyDuplicates = timed({
  number: 7,
  workload: '95,000 messages, each twice',
  input: () => [duplicates(SIZE * 5), duplicates(SIZE * 20)],
  task: (palimpsest, [, all]) => run(palimpsest, all),
  beside: { of: 'a quarter of them', task: (palimpsest, [quarter]) => run(palimpsest, quarter) },
  bytes: null,
  timing: { seconds: 0, atLeast: 3 },
  target: targets.linearity,
});

const messagesOf = (contents) => contents.map((content, index) => ({ id: `m${index}`, index, role: 'user', content }));
const inGroups = (all, size) => Array.from({ length: all.length / size }, (_, group) => all.slice(group * size, (group + 1) * size));
const results = (contents) => [
  { role: 'user', content: 'Look at all of it.' },
  ...contents.flatMap((content, number) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${number}`, type: 'function', function: { name: 'Bash', arguments: `{"command":"cat ${number}"}` } }],
    },
    { role: 'tool', tool_call_id: `c${number}`, content },
  ]),
];
const filler = '\u4e00'.repeat(202);

/** Conversations whose texts collide in a hash table or don't, and the call that reads them. */
const hashed = {
  'compress, 20,000 texts': [(collide) => messagesOf(wideTexts(new Random(5), 20_000, collide).map((text) => text + filler)), run],
  'compress, 80 × 500 addresses': [
    (collide) =>
      messagesOf(inGroups(wideTexts(new Random(6), 40_000, collide), 500).map((group) => group.map((text) => `https://${text}`).join(' '))),
    run,
  ],
  'compress, 80 × 50 names': [
    (collide) => messagesOf(inGroups(names(new Random(7), 4_000, collide), 50).map((group) => group.join(' and '))),
    run,
  ],
  'prune, 5,000 results': [
    (collide) => results(wideTexts(new Random(8), 5_000, collide).map((text) => text + filler)),
    ({ prune }, messages) =>
      () =>
        prune(messages, { format: 'openai-chat', keep: { recent: 0 } }),
  ],
  'fit, 5,000 results': [
    (collide) => results(wideTexts(new Random(9), 5_000, collide).map((text) => text + filler)),
    ({ fit }, messages) =>
      () =>
        fit(messages, { format: 'openai-chat', limit: 150_000, tokenizer: 'estimate' }),
  ],
};

/** Nobody can choose texts with which the engine's tables are slower than with others. */
const collisions = (timing) => ({
  workloads: Object.entries(hashed).map(([name, [make, task]]) => ({
    workload: `colliding: ${name}`,
    unit: 'ms',
    input: () => make(true),
    sampler: ({ palimpsest }, messages) => sampler(task(palimpsest, messages)),
  })),
  async measure({ palimpsest }) {
    const measured = [];
    for (const [name, [make, task]] of Object.entries(hashed)) {
      const [others, chosen] = await medians(
        [false, true].map((collide) => task(palimpsest, make(collide))),
        timing,
      );
      measured.push({ name, chosen, ratio: chosen / others });
    }
    const { name, chosen, ratio } = worstOf(measured, 'ratio');
    return [{ number: 7, workload: 'colliding', worst: name, value: chosen, unit: 'ms', ratio, of: 'random texts', ...targets.collisions }];
  },
});

export const hostileRows = [hostile({ seconds: 0.2 }), collisions({ seconds: 0.2 }), manyDuplicates];
export const shortHostileRows = [hostile({ seconds: 0.1, atLeast: 3 }), collisions({ seconds: 0.1, atLeast: 3 })];
