// The measures of a result, which are computed when they are read: every way of reading gives their values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';

import { compress } from 'palimpsest';

import { computeFactRetention, computeQualityScore } from 'palimpsest/compress';

const NAMES = ['entity_retention', 'structural_integrity', 'reference_coherence', 'quality_score'];
const prose = (number) =>
  `The readToken function of src/part${number}.rs took 30 ms on Monday. ${'It was slow and nobody knew why for a week. '.repeat(6)}` +
  `In the end Ada Lovelace found that parse_header read v1.${number}.0 twice. Nothing else was wrong with any of it at all.`;
const messages = () => Array.from({ length: 12 }, (_, index) => ({ id: `m${index}`, index, role: 'user', content: prose(index % 9) }));

const rounded = (value) => Math.round(1000 * value) / 1000;
/** The measures as their public functions compute them. */
const expected = (input, output) =>
  Object.fromEntries(Object.entries(computeQualityScore(input, output)).map(([name, value]) => [name, rounded(value)]));
const measuresOf = (statistics) => Object.fromEntries(NAMES.map((name) => [name, statistics[name]]));

test('every way of reading the statistics gives the values', () => {
  const given = messages();
  const ways = {
    'a property': (statistics) => measuresOf(statistics),
    'a copy': (statistics) => measuresOf({ ...statistics }),
    JSON: (statistics) => measuresOf(JSON.parse(JSON.stringify(statistics))),
    'Object.entries': (statistics) => measuresOf(Object.fromEntries(Object.entries(statistics))),
    structuredClone: (statistics) => measuresOf(structuredClone(statistics)),
    'a proxy': (statistics) => measuresOf(new Proxy(statistics, {})),
    'an object that inherits': (statistics) => measuresOf(Object.create(statistics)),
  };
  for (const [name, read] of Object.entries(ways)) {
    const { messages: output, compression } = compress(given);
    assert.deepEqual(read(compression), expected(given, output), name);
  }
  const { compression } = compress(given);
  assert.deepEqual(compression, { ...compression });
  assert.notDeepEqual(compression, { ...compression, quality_score: -1 });
  assert.deepEqual(Object.keys(compression).slice(-4), NAMES);
  for (const shown of [inspect(compression), inspect({ compression })]) {
    assert.doesNotMatch(shown, /Getter/);
    assert.match(shown, new RegExp(`quality_score: ${compression.quality_score}\\b`));
  }
});

test('a summary has all fields of the first message that it stands for, whatever their names', () => {
  const field = Symbol('field');
  const given = messages().map((message) =>
    Object.assign(JSON.parse('{"__proto__": {"a": 1}, "metadata": {"__proto__": 2}}'), message, { [field]: 3 }),
  );
  const summaries = compress(given).messages.filter((message) => message.content.startsWith('[summary'));
  assert.ok(summaries.length > 0);
  for (const summary of summaries) {
    assert.deepEqual(Object.keys(summary), Object.keys(given[0]));
    assert.deepEqual(Object.getOwnPropertyDescriptor(summary, '__proto__').value, { a: 1 });
    assert.deepEqual([Object.getPrototypeOf(summary), summary[field]], [Object.prototype, 3]);
    assert.deepEqual(Object.keys(summary.metadata), ['__proto__', '_cce_original']);
  }
});

test('a result that is frozen or changed behaves as a plain object', () => {
  const given = messages();
  const { messages: output, compression } = compress(given);
  assert.deepEqual(measuresOf(Object.freeze(compression)), expected(given, output));
  const other = compress(given).compression;
  other.quality_score = 0.5;
  assert.equal(other.quality_score, 0.5);
  assert.equal(other.entity_retention, expected(given, output).entity_retention);
});

test('the measures are those of the call, whatever becomes of the messages', () => {
  const given = messages();
  const { messages: output, compression } = compress(given);
  const [quality, facts] = [expected(given, output), rounded(computeFactRetention(given, output))];
  for (const message of [...given, ...output]) Object.assign(message, { id: 'gone', content: 'Nothing is left.' });
  given.length = 0;
  output.length = 0;
  assert.deepEqual(measuresOf(compression), quality);
  assert.equal(compression.fact_retention, facts);
});

test('ids that are not strings are others than their texts', () => {
  const given = messages().map((message, index) => ({ ...message, id: index % 2 === 0 ? index : String(index - 1) }));
  const { messages: output, compression } = compress(given, { recencyWindow: 1 });
  assert.deepEqual(measuresOf(compression), expected(given, output));
  assert.notEqual(compression.reference_coherence, 1);
});

test('the measures of trimmed results are against what was given', () => {
  const listing = ['Alpha', 'Bravo', 'Gamma', 'Delta', 'Omega'].map((name) => `├── node_modules/unusual${name}`).join('\n');
  const given = [{ id: 't', index: 0, role: 'tool', content: `See parseHeader.\n${listing}` }, ...messages()];
  const { messages: output, compression } = compress(given, { agentToolPrepass: true });
  assert.ok(compression.messages_tool_prepass_trimmed > 0);
  assert.deepEqual(measuresOf(compression), expected(given, output));
  assert.equal(compression.fact_retention, rounded(computeFactRetention(given, output)));
});

test('a provider’s messages with a trace have all of the measures', () => {
  const given = messages().map(({ role, content }) => ({ role, content }));
  const { compression } = compress(given, { format: 'openai-chat', trace: true });
  assert.equal(typeof compression.fact_retention, 'number');
  assert.ok(compression.decisions.every(({ messageId }) => messageId.startsWith('messages[')));
});
