// Quality on the small corpus, in every clone: the facts that `fit` keeps for later messages, compared with choosers that read nothing. The
// tests have bounds, not recorded values. A chooser that doesn't read the texts misses each of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Random } from '../benches/generate/random.mjs';
import { commonIn, cutsOf, lostIn } from '../benches/quality/facts.mjs';
import { compress, countTokens, fit, prune, uncompress } from '../index.mjs';
import { conversationsIn, plainConversations } from './corpus/index.mjs';
import * as contract from './support/contract.mjs';

const FORMAT = 'openai-chat';
const conversations = conversationsIn(FORMAT);
const textOf = ({ content, tool_calls: calls }) => (calls?.length ? `${content ?? ''}\n${JSON.stringify(calls)}` : (content ?? ''));
const isCommon = commonIn(conversations.map(({ messages }) => messages.map(textOf)));
const cuts = conversations.flatMap(({ messages }) => cutsOf(messages, textOf, isCommon));

/** The share of facts that are still readable, over all cuts. */
function recall(chooser, share) {
  let [kept, all] = [0, 0];
  for (const { past, facts } of cuts) {
    const budget = Math.floor(countTokens(past, { format: FORMAT }) * share);
    const chosen = chooser(past, budget);
    // A result over its budget doesn't count.
    if (countTokens(chosen, { format: FORMAT }) <= budget) kept += facts.length - lostIn(chosen.map(textOf), facts).length;
    all += facts.length;
  }
  return kept / all;
}

const tokensOf = (message) => countTokens([message], { format: FORMAT });
/** Takes messages in this order as long as they fit, and returns them in their own. */
function taken(messages, order, budget) {
  let left = budget - countTokens([], { format: FORMAT });
  const chosen = new Set();
  for (const message of order) {
    const tokens = tokensOf(message);
    if (tokens > left) continue;
    left -= tokens;
    chosen.add(message);
  }
  return messages.filter((message) => chosen.has(message));
}
/** Choosers that don't read messages. */
const BLIND = {
  newest: (messages, budget) => taken(messages, messages.toReversed(), budget),
  random: (messages, budget) => {
    const random = new Random(7);
    const drawn = messages.map((message) => ({ message, lot: random.next() })).sort((a, b) => a.lot - b.lot);
    return taken(
      messages,
      drawn.map(({ message }) => message),
      budget,
    );
  },
};
const fitted = (messages, budget) => fit(messages, { budget, format: FORMAT, thinking: 'strip' }).messages;

test('the corpus has facts that come up again', () => {
  assert.ok(cuts.length >= 10, `${cuts.length} cuts`);
  assert.ok(cuts.reduce((sum, { facts }) => sum + facts.length, 0) > 80);
});

/** Minimum share of facts that `fit` keeps, by share of tokens. */
const LEAST = { 0.5: 0.9, 0.25: 0.7, 0.1: 0.33 };

for (const [share, least] of Object.entries(LEAST)) {
  test(`fit keeps facts that come up again, with ${share} of the tokens`, () => {
    const kept = recall(fitted, share);
    assert.ok(kept >= least, `${kept}`);
    for (const [name, chooser] of Object.entries(BLIND)) {
      const blind = recall(chooser, share);
      assert.ok(blind < least, `the bound says nothing: ${name} keeps ${blind}`);
    }
  });
}

test('prune saves a fifth of sessions that read again what they edited, and few facts', () => {
  const agents = conversations.filter(({ kind }) => kind === 'agent').map(({ messages }) => messages);
  const total = (list) => list.reduce((sum, messages) => sum + countTokens(messages, { format: FORMAT }), 0);
  const pruned = (messages) => prune(messages, { format: FORMAT, thinking: 'strip', keep: { recent: 0 } }).messages;
  const saved = 1 - total(agents.map(pruned)) / total(agents);
  assert.ok(saved > 0.2, `${saved}`);
  assert.ok(recall(pruned, 1) > 0.95);
});

test('compress makes talks smaller and keeps what has a number', () => {
  for (const { id, messages } of plainConversations().filter(({ id }) => id.startsWith('talk-english'))) {
    const { messages: out, compression } = compress(messages, { recencyWindow: 0 });
    assert.ok(compression.ratio > 1.2, `${id}: ${compression.ratio}`);
    const text = out.map(({ content }) => content).join('\n');
    for (const { content } of messages)
      for (const number of content.match(/INV-\d+|K-\d+/g) ?? []) assert.ok(text.includes(number), number);
  }
});

test('compress gives the results of the contract, and they come back', () => {
  for (const { id, messages } of plainConversations()) {
    // A message that answers a call is never merged here; without the key the results are comparable.
    const given = messages.map(({ tool_call_id: _, ...message }) => message);
    for (const options of [{}, { recencyWindow: 0 }, { fuzzyDedup: true }]) {
      const result = compress(given, options);
      const expected = contract.compress(given, options);
      assert.deepEqual(result.messages, expected.messages, id);
      assert.deepEqual(uncompress(result.messages, result.verbatim).messages, given, id);
    }
  }
});
