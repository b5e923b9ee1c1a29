// Measures the effect of each opt-in option on real conversations, for the table of research/opt-in.md.
//
//   node benches/effects.mjs DIR           prints it, measured on the conversations in DIR/plain (see corpus.mjs)
//   node benches/effects.mjs DIR --write   puts it into the page
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { compress } from 'palimpsest';

import { MarkdownAdapter, StructuredOutputAdapter, XmlAdapter, YamlAdapter } from 'palimpsest/compress';

const [directory, flag] = process.argv.slice(2);
const plain = join(directory, 'plain');
const conversations = readdirSync(plain).flatMap((file) => JSON.parse(readFileSync(join(plain, file), 'utf8')));
const page = new URL('../research/opt-in.md', import.meta.url);

/** The share of the tokens that those with a budget may keep. */
const SHARE = 0.5;
const ROWS = [
  ['none', {}],
  ['`importanceScoring`', { importanceScoring: true }],
  ['with `importanceThreshold: 0.5`', { importanceScoring: true, importanceThreshold: 0.5 }],
  ['`contradictionDetection`', { contradictionDetection: true }],
  ['`relevanceThreshold: 3`', { relevanceThreshold: 3 }],
  ['`relevanceThreshold: 6`', { relevanceThreshold: 6 }],
  ["`compressionDepth: 'moderate'`", { compressionDepth: 'moderate' }],
  ["`compressionDepth: 'aggressive'`", { compressionDepth: 'aggressive' }],
  ['`conversationFlow`', { conversationFlow: true }],
  ['`semanticClustering`', { semanticClustering: true }],
  ['`coreference`', { coreference: true }],
  ['`discourseAware`', { discourseAware: true }],
  ['`adapters`: the four that detect by themselves', { adapters: [XmlAdapter, YamlAdapter, MarkdownAdapter, StructuredOutputAdapter] }],
  ['`agentToolPrepass`', { agentToolPrepass: true }],
  ['a budget of half the tokens', {}, SHARE],
  ["with `compressionDepth: 'auto'`", { compressionDepth: 'auto' }, SHARE],
  ["with `budgetStrategy: 'tiered'`", { budgetStrategy: 'tiered' }, SHARE],
  ['with both', { compressionDepth: 'auto', budgetStrategy: 'tiered' }, SHARE],
];

const lengthOf = ({ content }) => (typeof content === 'string' ? content.length : 0);
const sum = (list, of = (value) => value) => list.reduce((total, item) => total + of(item), 0);

function row([name, options, share]) {
  const results = conversations.map(({ messages }) => {
    const tokenBudget = share && Math.round((share * sum(messages, lengthOf)) / 3.5);
    return compress(messages, { ...options, tokenBudget });
  });
  const before = sum(conversations, ({ messages }) => sum(messages, lengthOf));
  const ratio = before / sum(results, ({ messages }) => sum(messages, lengthOf));
  const kept = sum(results, ({ compression }) => compression.fact_retention) / results.length;
  const fits = share ? `${Math.round((100 * results.filter((result) => result.fits).length) / results.length)} %` : '';
  return `| ${name} | ${ratio.toFixed(3)} | ${kept.toFixed(3)} | ${fits} |`;
}

const table = ['| option | characters before ÷ after | `fact_retention` | budget met |', '|---|---|---|---|', ...ROWS.map(row)].join('\n');
if (flag === '--write') {
  const [start, end] = ['<!-- measured -->\n', '\n<!-- end -->'];
  const text = readFileSync(page, 'utf8');
  const from = text.indexOf(start) + start.length;
  writeFileSync(page, text.slice(0, from) + table + text.slice(text.indexOf(end)));
} else console.log(table);
