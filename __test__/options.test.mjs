// The table of options has the names and defaults of the types.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import * as dropIn from '../unbundled/drop-in.js';
import * as root from '../unbundled/index.js';

const { VERBS } = createRequire(import.meta.url)('../unbundled/options/table.js');
const types = ['../index.d.ts', '../drop-in.d.ts'].map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('');
const palimpsest = { ...root, ...dropIn };

const interfaces = {
  compress: 'CompressOptions',
  uncompress: 'UncompressOptions',
  prune: 'PruneOptions',
  fit: 'FitSettings',
  fitAsync: 'FitSettings & SummarySettings',
  fitRequest: 'FitRequestSettings',
  fitRequestAsync: 'FitRequestSettings & SummarySettings',
  createSession: 'SessionSettings',
  createShadow: 'ShadowOptions',
  saveOriginals: 'SaveOriginalsOptions',
  countTokens: 'CountTokensOptions',
  recall: 'RecallOptions',
  validate: 'ValidateOptions',
  warmUp: 'WarmUpOptions',
  createSummarizer: 'CreateSummarizerOptions',
  createEscalatingSummarizer: 'CreateSummarizerOptions',
  createClassifier: 'CreateClassifierOptions',
  createEscalatingClassifier: 'CreateClassifierOptions',
  refineSummarizer: 'CreateSummarizerOptions',
  tightenSummarizer: 'CreateSummarizerOptions',
  refineSummarizerCandidates: 'CreateSummarizerOptions',
};
/** The members of one interface or several. */
const bodyOf = (names) =>
  names
    .split(' & ')
    .map((name) => types.match(new RegExp(`^export interface ${name}\\b[^\n]* \\{\n([\\s\\S]*?)^\\}`, 'm'))[1])
    .join('');

test('the table has every function that takes options', () => {
  const functions = [...types.matchAll(/^export function (\w+)[^;]*\boptions\??:/gm)].map(([, name]) => name);
  assert.ok(functions.length > 15);
  assert.deepEqual([...new Set(functions)].sort(), Object.keys(VERBS).sort());
  for (const verb of Object.keys(VERBS)) assert.equal(typeof palimpsest[verb], 'function', verb);
  assert.deepEqual(Object.keys(interfaces).sort(), Object.keys(VERBS).sort());
});

test('each function takes the options that its interface names', () => {
  for (const [verb, name] of Object.entries(interfaces)) {
    const typed = [...bodyOf(name).matchAll(/^ {2}(\w+)\??:/gm)].map(([, option]) => option);
    assert.ok(typed.length > 0, name);
    assert.deepEqual(Object.keys(VERBS[verb].options()).sort(), typed.sort(), verb);
  }
});

test('integrations take the options of a session but its store, and those that their interface names', () => {
  const require = createRequire(import.meta.url);
  const { integration } = require('../unbundled/options/integrations.js');
  const text = readFileSync(new URL('../lib/integrations/options.ts', import.meta.url), 'utf8');
  const [, body] = text.match(
    /^export interface IntegrationSettings\b[^\n]*\n {2}extends Omit<SessionSettings<T>, 'store' \| 'id' \| 'storeTimeout'> \{\n([\s\S]*?)^\}/m,
  );
  const own = [...body.matchAll(/^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}(\w+)\??:/gm)];
  const ofStore = ['store', 'id', 'storeTimeout'];
  const shared = Object.keys(VERBS.createSession.options()).filter((name) => !ofStore.includes(name));
  const names = [...shared, ...own.map(([, , name]) => name)];
  assert.deepEqual(Object.keys(integration).sort(), names.sort());
  for (const [, comment, name] of own) assert.deepEqual(integration[name].default, documentedDefault(comment), name);
});

test('the formats of the table are those that there are', () => {
  const load = createRequire(import.meta.url);
  const { PROVIDERS } = load('../unbundled/providers/index.js');
  assert.deepEqual(
    load('../unbundled/options/presets.js').FORMATS,
    PROVIDERS.map(({ name }) => name),
  );
});

/** Returns the default in the comment of an option; undefined if there is none, or if words describe it. */
function documentedDefault(comment) {
  const [, text] = comment.match(/Default\s+(?:\* )?(`[^`]+`|true|false|[\d.]*\d)/) ?? [];
  if (text === undefined || text === '`Date.now`') return undefined;
  const value = text.replaceAll('`', '').replaceAll("'", '"');
  return /^[a-z]\w*$/.test(value) && value !== 'true' && value !== 'false' ? value : JSON.parse(value);
}

test('defaults are those of the types', () => {
  let compared = 0;
  for (const [verb, name] of Object.entries(interfaces)) {
    // The escalating summarizer and the refining functions have no defaults for options that they don't read.
    if (/^(refine|tighten|createEscalatingSummarizer)/.test(verb)) continue;
    const comments = bodyOf(name).matchAll(/^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}(\w+)\??:/gm);
    for (const [, comment, option] of comments) {
      const expected = documentedDefault(comment);
      assert.deepEqual(VERBS[verb].options()[option].default, expected, `${verb}: ${option}`);
      if (expected !== undefined) compared++;
    }
  }
  assert.ok(compared > 40, `${compared} defaults`);
});

test('of several wrong options the first of the table is named, in whatever order they are given', () => {
  const wrong = { sourceVersion: 'x', recencyWindow: 'y' };
  const message = 'compress(): options.recencyWindow must be a number, got string';
  assert.throws(() => palimpsest.compress([], wrong), { name: 'TypeError', message });
  assert.throws(() => palimpsest.compress([], Object.fromEntries(Object.entries(wrong).reverse())), { name: 'TypeError', message });
});

test('options are checked wherever an object has them', () => {
  class Options {
    get recencyWindow() {
      return 'all';
    }
  }
  const hidden = Object.defineProperty({}, 'recencyWindow', { value: 'all' });
  const bare = Object.assign(Object.create(null), { recencyWindow: 'all' });
  for (const options of [new Options(), Object.create({ recencyWindow: 'all' }), hidden, bare]) {
    assert.throws(() => palimpsest.compress([], options), { message: 'compress(): options.recencyWindow must be a number, got string' });
  }
});
