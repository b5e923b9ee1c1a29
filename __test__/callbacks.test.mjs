// Token classifiers and adapters in `compress`: the effect of good and of bad answers, and that nothing is ever lost.
import assert from 'node:assert/strict';
import test from 'node:test';
import { compress, uncompress } from 'palimpsest';
import { YamlAdapter, whitespaceTokenize } from 'palimpsest/compress';

const prose = (topic) => `They talked about the ${topic} for a long while. `.repeat(12);
const said = (contents) => contents.map((content, index) => ({ id: `m${index}`, index, role: index % 2 ? 'assistant' : 'user', content }));
const messages = said([prose('roof'), prose('door'), 'short']);
const all = { recencyWindow: 0, trace: true };
const keepLong = (text) => whitespaceTokenize(text).map((token) => ({ token, keep: token.length > 5, confidence: 1 }));
const byRules = compress(messages, all);
const withoutTrace = ({ callback_fallbacks: _, ...compression }) => compression;

test('a token classifier writes the summaries, one call per text', () => {
  const asked = [];
  const { messages: output, compression } = compress(messages, { ...all, mlTokenClassifier: (text) => (asked.push(text), keepLong(text)) });
  assert.deepEqual(asked, [messages[0].content, messages[1].content]);
  assert.ok(output[0].content.startsWith('[summary: talked while. talked while.'), output[0].content);
  assert.ok(!('callback_fallbacks' in compression));
});

test('a text is submitted once, even with a budget', () => {
  const asked = [];
  const many = said(Array.from({ length: 20 }, (_, number) => prose(`roof ${number}`)));
  compress(many, { tokenBudget: 800, mlTokenClassifier: (text) => (asked.push(text), keepLong(text)) });
  assert.equal(asked.length, new Set(asked).size);
});

const bad = {
  'an answer of the wrong type': () => 'text',
  nothing: () => undefined,
  'entries of the wrong type': () => [{ token: 5, keep: true, confidence: 1 }],
  'no entries': () => [],
  'nothing to keep': (text) => whitespaceTokenize(text).map((token) => ({ token, keep: false, confidence: 1 })),
  'a failure': () => {
    throw new Error('no model');
  },
};
for (const [name, mlTokenClassifier] of Object.entries(bad)) {
  test(`a token classifier with ${name}: the rules summarise, and the trace counts it`, async () => {
    const now = compress(messages, { ...all, mlTokenClassifier });
    assert.deepEqual(now.messages, byRules.messages);
    assert.deepEqual(now.compression.callback_fallbacks, { mlTokenClassifier: 2 });
    assert.deepEqual(withoutTrace(now.compression), byRules.compression);
    const classifier = () => ({ decision: 'compress', confidence: 1, reason: '' });
    const later = await compress(messages, { ...all, classifier, mlTokenClassifier: async (text) => mlTokenClassifier(text) });
    assert.deepEqual(later.messages, byRules.messages);
    assert.deepEqual(later.compression.callback_fallbacks, { mlTokenClassifier: 2 });
  });
}

test('a promise is accepted only in an asynchronous call, where no summarizer is asked', async () => {
  const mlTokenClassifier = async (text) => keepLong(text);
  assert.throws(() => compress(messages, { ...all, mlTokenClassifier }), {
    name: 'Error',
    message: /^compress\(\): options\.mlTokenClassifier answered with a promise/,
  });
  const rejecting = () => Promise.reject(new Error('late'));
  assert.throws(() => compress(messages, { ...all, mlTokenClassifier: rejecting }), /options\.mlTokenClassifier/);
  const summarizer = () => assert.fail('a summarizer was asked');
  const later = await compress(messages, { ...all, summarizer, mlTokenClassifier });
  assert.deepEqual(later.messages, compress(messages, { ...all, mlTokenClassifier: keepLong }).messages);
});

const ticket = {
  name: 'ticket',
  detect: (text) => text.startsWith('TICKET '),
  extractPreserved: (text) => [text.split('\n')[0]],
  extractCompressible: (text) => text.split('\n').slice(1),
  reconstruct: (preserved, summary) => `${preserved.join('\n')}\n<${summary}>`,
};
const tickets = said([`TICKET 5\n${prose('roof')}`, prose('door'), 'short']);

test('an adapter keeps its pieces, the rest is summarised, and the group around it ends', () => {
  const {
    messages: output,
    compression,
    verbatim,
  } = compress(
    tickets.map((message) => ({ ...message, role: 'user' })),
    { ...all, adapters: [YamlAdapter, ticket] },
  );
  assert.match(output[0].content, /^TICKET 5\n<They talked about the roof/);
  assert.equal(compression.decisions[0].reason, 'adapter:ticket');
  assert.equal(compression.decisions[0].action, 'compressed');
  assert.deepEqual(output[1].metadata._cce_original.ids, ['m1']);
  assert.equal(uncompress(output, verbatim).messages[0].content, tickets[0].content);
});

test('its prose goes to the summarizer or the token classifier', async () => {
  const { messages: asked } = await compress(tickets, { ...all, adapters: [ticket], summarizer: (text) => text.slice(0, 10) });
  assert.equal(asked[0].content, 'TICKET 5\n<They talke>');
  const { messages: kept } = compress(tickets, { ...all, adapters: [ticket], mlTokenClassifier: keepLong });
  assert.match(kept[0].content, /^TICKET 5\n<talked while. talked while./);
});

test('each text is split once, whatever the budget', () => {
  const counts = { detect: 0, extractPreserved: 0, extractCompressible: 0, reconstruct: 0 };
  const counting = Object.fromEntries(Object.keys(counts).map((name) => [name, (...given) => (counts[name]++, ticket[name](...given))]));
  const many = said(Array.from({ length: 20 }, (_, number) => `TICKET ${number}\n${prose(`roof ${number}`)}`));
  compress(many, { tokenBudget: 1500, adapters: [{ name: 'counting', ...counting }] });
  for (const [name, count] of Object.entries(counts)) assert.ok(count <= 20, `${name}: ${count}`);
});

test('errors of an adapter are passed on, synchronously and by the promise', async () => {
  for (const method of ['detect', 'extractPreserved', 'extractCompressible', 'reconstruct']) {
    const failing = {
      ...ticket,
      [method]: () => {
        throw new RangeError(method);
      },
    };
    assert.throws(() => compress(tickets, { ...all, adapters: [failing] }), { name: 'RangeError', message: method });
    await assert.rejects(async () => compress(tickets, { ...all, adapters: [failing], summarizer: (text) => text.slice(1) }), {
      name: 'RangeError',
    });
  }
});

test('an answer of the wrong type leaves the text to the rules, or unchanged after reconstruct', () => {
  const plain = compress(tickets, all);
  for (const method of ['extractPreserved', 'extractCompressible']) {
    for (const answer of [undefined, null, 'text', [5], Promise.resolve([]), Promise.reject(new Error('late'))]) {
      const { messages: output, compression } = compress(tickets, { ...all, adapters: [{ ...ticket, [method]: () => answer }] });
      assert.deepEqual(output, plain.messages);
      assert.ok(compression.callback_fallbacks.adapters >= 1);
    }
  }
  const detected = compress(tickets, { ...all, adapters: [{ ...ticket, detect: async () => true }] });
  assert.deepEqual(detected.messages, plain.messages);
  for (const answer of [undefined, null, '', 5, Promise.resolve('x'), Promise.reject(new Error('late'))]) {
    const { messages: output, compression } = compress(tickets, { ...all, adapters: [{ ...ticket, reconstruct: () => answer }] });
    assert.equal(output[0], tickets[0]);
    assert.equal(compression.decisions[0].reason, 'adapter_reverted:ticket');
    assert.equal(compression.callback_fallbacks.adapters, 1 + (typeof answer?.then === 'function' ? 1 : 0));
  }
});

test('hard structures and secrets do not reach an adapter or a token classifier', () => {
  const secrets = said([
    `The key is sk-abcdefghijklmnopqrstuvwxyz012345 and ${prose('key')}`,
    "SELECT id FROM jobs WHERE state = 'late' GROUP BY id; ".repeat(4),
    JSON.stringify({ list: Array(30).fill('value') }),
    `\`\`\`js\n${'let a = 1;\n'.repeat(20)}\`\`\``,
  ]);
  const never = () => assert.fail('a kept text was shown');
  const adapter = { name: 'never', detect: never, extractPreserved: never, extractCompressible: never, reconstruct: never };
  assert.deepEqual(compress(secrets, { ...all, adapters: [adapter], mlTokenClassifier: never }).messages, secrets);
});
