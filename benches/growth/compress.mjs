// `compress` with default options, and what reads texts beside it: fact retention, token classifiers, adapters, the pass over tool
// results, answers of models.
import { createRequire } from 'node:module';
import { CodeAdapter, MarkdownAdapter, StructuredOutputAdapter, XmlAdapter, YamlAdapter } from '../../unbundled/drop-in.js';
import { cases, messagesOf, repeat, repeats } from './family.mjs';

const { parseVerdict } = createRequire(import.meta.url)('../../unbundled/drop-in/llm/verdict.js');

const PIECES = {
  'words without a full stop': 'harbour ledger lantern ferry ',
  'one long word': 'abcdefghij',
  blanks: ' ',
  newlines: '\n',
  'blank lines': 'Alpha\n\n',
  'hyphenated letters': 'a-',
  'dotted letters': 'a.b.c.',
  digits: '12',
  'dotted digits': '1.2.',
  marks: '!?',
  backticks: '`',
  'unclosed fences': '```js\n',
  quotes: '"abc ',
  'keys without values': 'key: ',
  'key lines': 'key:\n',
  'key prefixes': 'sk-',
  addresses: 'a@a.',
  paths: '/a',
  schemes: 'http://',
  'lone surrogates': '\ud800',
  brackets: '[',
};

const texts = Object.fromEntries(Object.entries(PIECES).map(([name, piece]) => [name, repeat(piece)]));
const list = (count, line) => Array.from({ length: count }, (_, number) => line(number)).join('\n');

const header = list(6, (line) => `line ${line} of a header that all reports have in common`);
const report = list(18, (line) => `line ${line} of a report that is always the same`);
/** 18 of the 22 different lines of any two are the same: 0.82, just under the threshold. */
const almostAlike = (index) => `${report}\nstarted at ${1e6 + index}\nended at ${2e6 + index}`;
const reports = (content) => (count) => messagesOf(...Array.from({ length: count }, (_, index) => content(index)));
const alike = {
  'that begin alike': reports((index) => `${header}\n${list(6, (line) => `value ${index * 7 + line} of this report alone`)}`),
  'that are almost near duplicates': reports(almostAlike),
};

const FACTS = ['a ', '1 ', '1,', '1.', '"', '`a` ', '@', 'a@', '$ ', 'A-1 ', 'aB', '\n$ x', 'http://', 'May 1 ', '😀', 'x1 '];

const TOKENS = { blanks: repeat(' '), 'one word': repeat('x'), 'brackets and blanks': repeat('( '), 'blanks and dots': repeat(' .') };
const keep = (token) => ({ token, keep: true, confidence: 1 });

const STRUCTURES = ['>', '<', '></', '<!--', '```\n', '`', ' ', '\n', 'a', 'a:', '|', '#', '- ', 'x.y:1', '---\n', '\r', '😀'];
const ADAPTERS = [CodeAdapter, StructuredOutputAdapter, XmlAdapter, YamlAdapter, MarkdownAdapter];
function adapt(adapter, text) {
  adapter.detect(text);
  adapter.extractPreserved(text);
  adapter.extractCompressible(text);
}

const OUTPUTS = [
  '├── node_modules/a',
  '  dist/b',
  '[1/9] step',
  '2/9 step',
  'npm warn x',
  'yarn info y',
  '⠸ spin',
  '  ✓ passes',
  '✔ too',
  '✗ fails',
  'Tests: 5 passed',
  '\n',
  'plain',
  '\ud800',
  '日本語',
  'cat /a/b/c/d.ts',
  '/a/b/c/d.ts saved',
  'x'.repeat(250),
  'const a = 1;\n'.repeat(170),
  '```js',
  '[summary: x]',
  ' ',
  '\n\n',
  '/',
  'a/',
  '.a',
  '/a.b',
  ':1',
  '1/',
  '[',
  '✓ ',
  'dist/',
];
const tool = (content, id) => ({ id, index: 0, role: 'tool', content });
const trimming = ({ compress }, messages) => compress(messages, { agentToolPrepass: true, recencyWindow: 100 });
const outputs = Object.fromEntries(
  Object.entries(repeats(OUTPUTS)).map(([name, make]) => [
    name,
    (length) => {
      const text = make(length);
      return [{ id: 'a', index: 0, role: 'assistant', content: text }, tool(text, 't'), tool(`${text}\n\n${text}`, 'u')];
    },
  ]),
);
/** One long text of the agent before many results, each with blocks to be looked up in it. */
const saidBefore = (count) => [
  { id: 'a', index: 0, role: 'assistant', content: 'word '.repeat(20 * count) },
  ...Array.from({ length: count }, (_, index) => tool(`${index} ${'word '.repeat(50)}`, `t${index}`)),
];

const ANSWERS = ['{', '}{', '`', '```', '[', '```json '];

const sentences = 'They talked about the garden and the weather for a while, and then went home again. '.repeat(4);
const talks = (count) => messagesOf(...Array.from({ length: count }, (_, index) => `Part ${index} of it. ${sentences}`));
const onNextTurn = (text) => new Promise((resolve) => setImmediate(resolve, text.slice(0, 50)));
const SUMMARIZERS = {
  'at once': (text) => text.slice(0, 50),
  'as a promise': async (text) => text.slice(0, 50),
  'on the next turn': onNextTurn,
};

export const compress = [
  ...cases('compress', 400_000, texts, ({ compress }, content) =>
    compress([{ id: 'a', index: 0, role: 'user', content }], { recencyWindow: 0, trace: true }),
  ),
  ...cases('compress, fuzzyDedup, messages', 8000, alike, ({ compress }, messages) => compress(messages, { fuzzyDedup: true })),
  ...cases('computeFactRetention', 400_000, repeats(FACTS), ({ computeFactRetention }, text) =>
    computeFactRetention(messagesOf(text), messagesOf(text)),
  ),
  ...cases('compressWithTokenClassifierSync', 400_000, TOKENS, ({ compressWithTokenClassifierSync }, text) =>
    compressWithTokenClassifierSync('ignored', () => [keep(text), keep('end')]),
  ),
  ...ADAPTERS.flatMap((adapter) => cases(adapter.name, 300_000, repeats(STRUCTURES), (_, text) => adapt(adapter, text))),
  ...cases('compress, agentToolPrepass', 200_000, outputs, trimming),
  ...cases('compress, agentToolPrepass', 5000, { 'many results after a long text': saidBefore }, trimming),
  ...cases("a classifier's answer", 2_000_000, repeats(ANSWERS), (_, text) => parseVerdict(text)),
  ...[1, 4, 1000].flatMap((concurrency) =>
    Object.entries(SUMMARIZERS).flatMap(([how, summarizer]) =>
      cases(`compress, ${concurrency} summaries at once`, 8000, { [`that come ${how}`]: talks }, ({ compress }, messages) =>
        compress(messages, { summarizer, concurrency, recencyWindow: 0 }),
      ),
    ),
  ),
];
