// `fit`.
import { closed, lines, sentence, Talk } from '../../__test__/fit/talk.mjs';
import { png } from '../../__test__/support/files.mjs';
import { cases } from './family.mjs';

const UNITS = [
  ' ',
  '\t',
  '"',
  "'",
  '(',
  ')',
  '[',
  '{',
  '\u00a0',
  '\u3000',
  '”',
  '「',
  '\u0301',
  '\u00ad',
  '.',
  ',',
  '7',
  '`',
  '#',
  '。',
  '\r',
  '…',
];
const LINES = {
  'before a full stop': (run) => `Look.${run}.`,
  'before a sentence': (run) => `Look.${run}And so on`,
  'before a small letter': (run) => `Look.${run}and so on`,
};

const random = (seed) => () => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return seed / 2147483648;
};
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const item = (number) => ({ id: number, name: `item_${number}`, note: 'the same for all' });

/** Length of runs of blanks whose tokens are not remembered. With shorter ones, a repeated call would hardly count anything. */
const DEEP = 512;
/** Texts of about `length` UTF-16 code units. */
export const KINDS = {
  sentences: (length) => lines(length / 80),
  'instructions in elements': (length) => lines(length / 32, (n) => `<skill>\n- Never ${n}\n</skill>`),
  'one line of sentences': (length) => lines(length / 80).replaceAll('\n', ' '),
  code: (length) =>
    lines(length / 40, (n) => (n % 10 === 0 ? `function f${n}(a, b) {` : n % 10 === 9 ? '}\n' : `    const value_${n} = a + b * ${n};`)),
  log: (length) => lines(length / 40, (n) => `12:30:${10 + (n % 50)} INFO worker ${n} did it`),
  diff: (length) => lines(length / 20, (n) => (n % 9 === 0 ? '--- a/x.ts' : n % 9 === 1 ? '+++ b/x.ts' : `+line ${n} is new`)),
  'one letter': (length) => 'x'.repeat(length),
  base64: (length) => {
    const next = random(7);
    return Array.from({ length }, () => LETTERS[Math.floor(next() * 64)]).join('');
  },
  'an array': (length) => JSON.stringify(Array.from({ length: length / 56 }, (_, n) => item(n))),
  'a string in JSON': (length) => JSON.stringify({ text: lines(length / 80) }),
  'escapes in JSON': (length) => JSON.stringify({ text: '\\"'.repeat(length / 4) }),
  'JSON in JSON': (length) => {
    let text = lines(length / 160);
    while (text.length < length) text = JSON.stringify([text]);
    return text;
  },
  'nested arrays': (length) => '['.repeat(length / 2) + ']'.repeat(length / 2),
  'nested objects': (length) => '{"a":1,"b":'.repeat(length / 12) + 1 + '}'.repeat(length / 12),
  'numbered lines': (length) => lines(length / 20, (n) => `${String(n).padStart(6)}\tlet a = ${n};`),
  'equal lines': (length) => 'waiting for the lock\n'.repeat(length / 21),
  'one line that is written over': (length) => `${'x'.repeat(length / 2)}${'\ry'.repeat(length / 4)}`,
  'a screen that is drawn again': (length) => '\u001b[9A\u001b[2K\rone\n\ntwo\u001b[5L\u001b[3M\u001b[9@\u001b[J'.repeat(length / 40),
  'moves to the right': (length) => '\u001b[9999C'.repeat(length / 7),
  'inserted columns': (length) => `${'x'.repeat(70)}${'\r\u001b[9@\u001b[9P'.repeat(length / 9)}`,
  'rows that scroll': (length) => `\u001b[H\u001b[2;24r\u001b[24;1H${'a\n'.repeat(length / 2)}`,
  'tab stops': (length) => '\u001b[3g\u001b[79G\u001bH\r\u001b[9I'.repeat(length / 18),
  'repeated letters': (length) => 'x\u001b[79b\r\u001b[K'.repeat(length / 10),
  'shares in one line': (length) => '\r7% of the whole archive'.repeat(length / 24),
  'overprinted letters': (length) => 'N\bN'.repeat(length / 3),
  'coloured words': (length) => '\u001b[31mold\u001b[32mnew'.repeat(length / 16),
  'escapes without an end': (length) => '\u001b]0;a\u001b[1'.repeat(length / 8),
  'line ends': (length) => '\n'.repeat(length),
  blanks: (length) => ' '.repeat(length),
  dots: (length) => '.'.repeat(length),
  abbreviations: (length) => 'a.1 '.repeat(length / 4),
  emoji: (length) => '😀'.repeat(length / 2),
  'marks without a letter': (length) => '\u0301'.repeat(length),
  Chinese: (length) => '灯台守在黄昏之前修好了灯笼，然后沿着海岸走回村子里去了。'.repeat(length / 28),
  fences: (length) => '```\n'.repeat(length / 4),
  headings: (length) => '## h1\n'.repeat(length / 6),
  'deeper and deeper': (length) => lines(Math.sqrt(DEEP ** 2 + 2 * length) - DEEP, (n) => `${' '.repeat(DEEP + n)}def`),
};

const stops = Object.fromEntries(
  Object.entries(LINES).flatMap(([name, line]) =>
    UNITS.map((unit) => [`${JSON.stringify(unit)} ${name}`, (length) => line(unit.repeat(length))]),
  ),
);
const saidTwice = (content) => [
  { role: 'user', content: 'Begin.' },
  { role: 'assistant', content },
  { role: 'user', content },
  { role: 'assistant', content: 'Done.' },
];

/** A conversation in which a tool returned the text. */
export const holding = (text) => closed(new Talk().user('Look at it.').call('Read', { path: 'a' }, text));
const said = (text) => closed(new Talk().user(`Look.${text}.`));
/** About `count` short messages. */
export const talkOf = (count) => {
  const talk = new Talk();
  for (let n = 0; talk.messages.length < count; n++)
    talk
      .user(sentence(n))
      .call('Read', { path: `src/f${n}.ts` }, sentence(n + 1))
      .assistant(sentence(n + 2));
  return talk;
};
/** Inputs that are `fit` into a quarter of their tokens. */
const quartered = (inputs, talk) =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, make]) => [
      name,
      (length) => {
        const { messages, tokens } = talk(make(length));
        return { messages, limit: Math.floor(tokens / 4) };
      },
    ]),
  );
const fitting = ({ fit }, { messages, limit: budget }) => fit(messages, { limit: budget });
const { 'line ends': lineEnds, sentences, fences } = KINDS;

/** A chat in which the user shows `count` images, of which some are wide. */
const showing = (count) => [
  ...Array.from({ length: count }, (_, n) => [
    {
      role: 'user',
      content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(n % 7 ? 800 : 2400, 600, n) } }],
    },
    { role: 'assistant', content: sentence(n) },
  ]).flat(),
  { role: 'user', content: 'And now?' },
];
/** A PDF that somebody chose: `length` bytes that repeat a piece of one. */
const PDFS = Object.fromEntries(
  [
    '/Type /Page ',
    '/Type /Pages ',
    '<</Type /Pages /Count ',
    '/Type/ObjStm stream\n',
    '/Type /ObjStm stream\nx endstream ',
    '<<',
    '/Type         ',
    '%',
  ].map((piece) => [JSON.stringify(piece), (length) => Buffer.from(`%PDF-1.7\n${piece.repeat(length / piece.length)}`).toString('base64')]),
);
const document = (data) => ({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } });

export const fit = [
  ...cases('fit, limits of a request', 4000, { images: showing }, ({ fit: fitted }, messages) =>
    fitted(messages, { format: 'anthropic', limit: 1e9 }),
  ),
  ...cases('fit, pages of a document', 1 << 22, PDFS, ({ fit: fitted }, data) =>
    fitted([{ role: 'user', content: [document(data)] }], { format: 'anthropic', limit: 1e9, requestLimits: { pages: 1 } }),
  ),
  ...cases('fit', 1 << 14, stops, ({ fit }, content) => fit(saidTwice(content), { limit: 300, tokenizer: 'estimate' })),
  ...cases('fit, a result', 1 << 19, quartered(KINDS, holding), fitting),
  ...cases('fit, words of the user', 1 << 19, quartered({ 'line ends': lineEnds, sentences, fences }, said), fitting),
  ...cases(
    'fit',
    20_000,
    quartered({ messages: talkOf }, (talk) => talk),
    fitting,
  ),
];
