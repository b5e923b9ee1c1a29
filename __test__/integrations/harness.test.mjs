// What the packages for harnesses share: whole requests of one conversation, whose state the harness keeps. Their own tests run the harnesses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHarness } from 'palimpsest/internal';
import { marksNote } from 'palimpsest';
import { Random } from '../support/random.mjs';
import { SEED } from '../support/seed.mjs';

const random = new Random(SEED);
const words = (count) => Array.from({ length: count }, () => `word${random.integer(0, 1e6)}`).join(' ');
const tools = [{ name: 'read', description: 'Reads a file.', input_schema: { type: 'object', properties: {} } }];

/** The requests of a conversation in Anthropic's form, each with a result more. */
function requestsOf(count, more = {}) {
  const messages = [{ role: 'user', content: 'Repair it.' }];
  return Array.from({ length: count }, (_, step) => {
    const request = { model: 'claude-sonnet-4-5', max_tokens: 1000, system: 'You repair.', tools, messages: [...messages], ...more };
    const id = `toolu_${step}`;
    messages.push({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: { path: `${step}` } }] });
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: words(150) }] });
    return request;
  });
}
const failing = (error) => {
  throw error;
};
const anthropic = { format: 'anthropic' };
async function sent(harness, requests, beside = anthropic) {
  const all = [];
  for (const request of requests) all.push(JSON.stringify(await harness.choose(request, beside)));
  return all;
}

test('a harness that keeps the state goes on where another process stopped, byte for byte', async () => {
  const requests = requestsOf(30);
  const before = JSON.stringify(requests);
  const options = { limit: 6000, onError: failing };
  const whole = await sent(createHarness('test', options), requests);
  const [first, second] = [createHarness('test', options), createHarness('test', options)];
  const at = random.integer(5, 25);
  const parts = await sent(first, requests.slice(0, at));
  second.open(JSON.parse(JSON.stringify(first.session)));
  parts.push(...(await sent(second, requests.slice(at))));
  assert.deepEqual(parts, whole);
  assert.ok(second.isFitting && second.session.report.epochs.limit > 0);
  assert.ok(whole.every((request) => JSON.parse(request).system.endsWith(marksNote)));
  assert.equal(JSON.stringify(requests), before, 'what it was given is unchanged');
});

test('a state that can not be read is none, and another conversation has none of this one', async () => {
  const harness = createHarness('test', { limit: 6000, onError: failing });
  harness.open({ version: 'of another time' });
  await sent(harness, requestsOf(20));
  const { requests } = harness.session.report;
  assert.equal(requests, 20);
  harness.open();
  assert.equal(harness.session, undefined);
  await sent(harness, requestsOf(2));
  assert.equal(harness.session.report.requests, 2);
});

test('with other tools the session goes on, and a shorter answer is no other setting', async () => {
  const harness = createHarness('test', { limit: 6000, onError: failing });
  const requests = requestsOf(12);
  await sent(harness, requests.slice(0, 6));
  const { session } = harness;
  await sent(harness, [{ ...requests[6], max_tokens: 10 }]);
  assert.equal(harness.session, session);
  await sent(harness, [{ ...requests[7], tools: [...tools, { ...tools[0], name: 'write' }] }]);
  assert.notEqual(harness.session, session);
  assert.equal(harness.session.report.requests, 8);
});

test('the window of the harness stands for that of a model that is not known, and for a larger one', async () => {
  const limitOf = async (model, window, options = {}) => {
    const harness = createHarness('test', { onError: failing, ...options });
    await sent(harness, requestsOf(1, { model }), { ...anthropic, window });
    return harness.session.report.limit;
  };
  const small = await limitOf('claude-sonnet-4-5', 50_000);
  assert.ok(small.by === 'window' && small.tokens <= 49_000 && small.tokens > 25_000, JSON.stringify(small));
  const unknown = await limitOf('a-local-model', 50_000);
  assert.ok(unknown.by === 'window' && unknown.tokens <= 49_000 && unknown.tokens > 25_000, JSON.stringify(unknown));
  const large = await limitOf('a-local-model', 2_000_000);
  assert.ok(large.tokens < 200_000, 'nobody chose so much');
  assert.equal((await limitOf('claude-sonnet-4-5', 1_000_000)).by, (await limitOf('claude-sonnet-4-5')).by, 'the model decides');
  assert.deepEqual(await limitOf('a-local-model', 50_000, { limit: 7000 }), { tokens: 7000, by: 'limit' });
});

test('what is switched off, or kept by the provider, goes out as it came', async () => {
  const off = createHarness('test', { limit: 6000, enabled: false, onError: failing });
  const requests = requestsOf(20);
  assert.deepEqual(
    await sent(off, requests),
    requests.map((request) => JSON.stringify(request)),
  );
  assert.equal(off.isFitting, false);
  const stored = { model: 'gpt-5', input: [{ role: 'user', content: 'Go on.' }], previous_response_id: 'resp_1' };
  const harness = createHarness('test', { limit: 6000, onError: failing });
  assert.deepEqual(await harness.choose(stored, { format: 'openai-responses' }), stored);
  assert.equal(harness.isFitting, false);
});

test('the usage of the last request is observed once', async () => {
  const harness = createHarness('test', { limit: 6000, onError: failing });
  harness.observe({ input: 5, output: 1, read: 0, write: 0 });
  const requests = requestsOf(2);
  await sent(harness, requests);
  harness.observe({ input: 700, output: 1, read: 100, write: 200 });
  harness.observe({ input: 1, output: 1, read: 1, write: 0 });
  assert.equal(harness.session.report.cache.last.input, 1000);
});

test('the state is to be written behind each cut and at the end, and not again', async () => {
  const cutsOf = ({ session }) => Object.values(session?.report.epochs ?? {}).reduce((sum, count) => sum + count, 0);
  const requests = requestsOf(32);
  const harness = createHarness('test', { limit: 6000, onError: failing });
  assert.equal(harness.state(true), undefined);
  let [written, cuts] = [0, 0];
  for (const request of requests.slice(0, 31)) {
    await sent(harness, [request]);
    const isCut = cutsOf(harness) > cuts;
    cuts = cutsOf(harness);
    assert.equal(harness.state() !== undefined, isCut);
    written += isCut ? 1 : 0;
  }
  assert.ok(written >= 2);
  harness.state(true);
  assert.equal(harness.state(true), undefined);
  // Another process has nothing to write before it makes a request, nor because of the cuts of the last one.
  const next = createHarness('test', { limit: 6000, onError: failing });
  next.open(JSON.parse(JSON.stringify(harness.session)));
  assert.equal(next.state(true), undefined);
  await sent(next, requests.slice(31));
  assert.equal(next.state() !== undefined, cutsOf(next) > cuts);
  next.state(true);
  assert.equal(next.state(true), undefined);
});

test('the model looks up what was cut, and an option that is wrong is refused', async () => {
  const harness = createHarness('test', { limit: 6000, onError: failing });
  const { name, execute } = harness.recallTool();
  assert.equal(name, 'recall');
  assert.match(execute({ query: 'word' }), /nothing|no /i);
  const requests = requestsOf(30);
  const last = (await sent(harness, requests)).at(-1);
  const early = requests.at(-1).messages[4].content[0].content.split(' ');
  const gone = early.find((word) => !last.includes(word));
  assert.ok(gone !== undefined);
  assert.match(execute({ query: `"${gone}"` }), new RegExp(gone));
  assert.throws(() => createHarness('test', { limt: 1 }), /test: .*limt/);
});
