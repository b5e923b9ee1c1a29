// The plugin between hooks and a `fetch` of the test's; opencode itself runs in opencode.slow.test.mjs.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';

const data = mkdtempSync(join(tmpdir(), 'palimpsest-opencode-'));
after(() => rmSync(data, { recursive: true, force: true }));
process.env.XDG_DATA_HOME = data;
const { default: plugin } = await import('@palimpsest/opencode');
const folder = join(data, 'opencode/palimpsest');

const model = (npm = '@ai-sdk/anthropic', context = 200_000) => ({ api: { npm }, limit: { context } });
const real = globalThis.fetch;
let sent;
beforeEach(() => {
  sent = [];
  globalThis.fetch = async (url, init) => sent.push({ url, headers: Object.fromEntries(new Headers(init?.headers)), body: init?.body });
});
after(() => {
  globalThis.fetch = real;
});

/** The requests of a conversation. */
function requestsOf(count) {
  const messages = [{ role: 'user', content: 'Repair it.' }];
  return Array.from({ length: count }, (_, step) => {
    const body = JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 1000, messages });
    messages.push({ role: 'assistant', content: [{ type: 'tool_use', id: `t${step}`, name: 'read', input: {} }] });
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${step}`, content: `line ${step} `.repeat(200) }] });
    return body;
  });
}

async function ask(hooks, body, { id = 'ses_1', agent = 'build', npm, context } = {}) {
  const headers = { authorization: 'mine' };
  await hooks['chat.headers']({ sessionID: id, agent, model: model(npm, context) }, { headers });
  await fetch('https://api.example/v1/messages', { method: 'POST', headers, body });
  return sent.at(-1);
}

test('requests of a conversation are chosen, and those of opencode for itself and of other APIs go out as they came', async () => {
  const hooks = await plugin({}, { limit: 4000 });
  const all = requestsOf(30);
  for (const body of all) {
    const { headers, body: out } = await ask(hooks, body);
    assert.deepEqual(headers, { authorization: 'mine' });
    assert.ok(out.length < 20_000 && out !== body);
  }
  assert.match(sent.at(-1).body, /\[… /);
  for (const other of [{ agent: 'title' }, { agent: 'compaction' }, { npm: '@ai-sdk/amazon-bedrock' }])
    assert.deepEqual(await ask(hooks, all.at(-1), { ...other, id: 'ses_2' }), { ...sent.at(-1), body: all.at(-1) });
  await fetch('https://example.com');
  assert.equal(sent.at(-1).url, 'https://example.com');
  await hooks.dispose();
});

test('the next process goes on with what the last one sent; what is deleted leaves no state, and one that is broken is none', async () => {
  const options = { limit: 4000 };
  const all = requestsOf(30);
  const whole = await plugin({}, options);
  for (const body of all) await ask(whole, body, { id: 'ses_whole' });
  const expected = sent.map(({ body }) => body);
  await whole.dispose();
  sent = [];
  for (const part of [all.slice(0, 17), all.slice(17)]) {
    const hooks = await plugin({}, options);
    for (const body of part) await ask(hooks, body, { id: 'ses_parts' });
    await hooks.dispose();
  }
  assert.deepEqual(
    sent.map(({ body }) => body),
    expected,
  );
  assert.ok(['ses_whole.json', 'ses_parts.json'].every((name) => readdirSync(folder).includes(name)));
  const hooks = await plugin({}, options);
  await hooks.event({ event: { type: 'session.deleted', properties: { info: { id: 'ses_whole' } } } });
  assert.ok(!existsSync(join(folder, 'ses_whole.json')));
  writeFileSync(join(folder, 'ses_parts.json'), '{ "half');
  assert.ok((await ask(hooks, all.at(-1), { id: 'ses_parts' })).body.length < 20_000);
  await hooks.dispose();
});

test('each directory has a plugin of its own, and when one ends, the other goes on', async () => {
  const before = globalThis.fetch;
  const [one, other] = [await plugin({}, { limit: 4000 }), await plugin({}, { limit: 8000 })];
  const body = requestsOf(30).at(-1);
  const small = (await ask(one, body, { id: 'ses_one' })).body.length;
  const large = (await ask(other, body, { id: 'ses_other' })).body.length;
  assert.ok(small < large && large < body.length, `${small} and ${large}`);
  await one.dispose();
  assert.equal((await ask(other, body, { id: 'ses_other' })).body.length, large);
  await other.dispose();
  await fetch('https://example.com');
  assert.equal(sent.at(-1).url, 'https://example.com');
  globalThis.fetch = before;
});

test('usage is taken of the last request alone', async () => {
  const hooks = await plugin({}, { window: 20_000 });
  const answered = (completed, input) => ({
    event: {
      type: 'message.updated',
      properties: {
        info: { role: 'assistant', sessionID: 'ses_u', time: { completed }, tokens: { input, output: 5, cache: { read: 0, write: 0 } } },
      },
    },
  });
  const all = requestsOf(40);
  await ask(hooks, all[0], { id: 'ses_u' });
  // One of before, one that is not complete, and one that the session never had.
  await hooks.event(answered(Date.now() - 60_000, 1e6));
  await hooks.event(answered(undefined, 1e6));
  await hooks.event({ event: { type: 'message.updated', properties: { info: { role: 'user', sessionID: 'ses_u', time: {} } } } });
  await hooks.event({ event: { type: 'session.idle', properties: {} } });
  const most = async () => {
    let longest = 0;
    for (const body of all) longest = Math.max(longest, (await ask(hooks, body, { id: 'ses_u' })).body.length);
    return longest;
  };
  const estimated = await most();
  // As the provider counts it, each token is two: less has room.
  await hooks.event(answered(Date.now() + 1000, 2 * Math.ceil(sent.at(-1).body.length / 4)));
  assert.ok((await ask(hooks, all.at(-1), { id: 'ses_u' })).body.length < estimated);
  await hooks.dispose();
});

test('what fails is said to opencode, and an option that is wrong when it starts', async () => {
  const said = [];
  const client = { app: { log: async ({ body }) => said.push(body) } };
  const hooks = await plugin({ client }, { limit: 4000 });
  const broken = JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 10, messages: [{ role: 'user', content: 7 }] });
  assert.equal((await ask(hooks, broken, { id: 'ses_b' })).body, broken);
  assert.equal(said.length, 1);
  assert.deepEqual([said[0].service, said[0].level], ['palimpsest', 'warn']);
  await hooks.dispose();
  await assert.rejects(plugin({}, { limt: 1 }), /palimpsest: .*limt/);
  const config = { compaction: { auto: true } };
  await hooks.config(config);
  assert.deepEqual(config.compaction, { prune: false, auto: true });
});
