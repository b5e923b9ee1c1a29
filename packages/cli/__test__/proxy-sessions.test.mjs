// Which session a request of the proxy gets: agents that begin alike keep the provider's cache, and memory is what bounds them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { longAgent, startProvider } from '../../../__test__/support/agents/index.mjs';
import { clientsOf, loops } from '../../../__test__/support/agents/loops.mjs';
import { cases } from '../../../__test__/support/seed.mjs';
import { startProxy } from '../dist/proxy/index.mjs';
import { png } from '../../../__test__/support/files.mjs';
import { filesIn, LIMITS, limitObjection } from '../../../__test__/support/providers/limits.mjs';
import { Sessions } from '../dist/proxy/sessions.mjs';
import { JSON_HEADERS, send, startUpstream } from './raw-http.mjs';
import { billing } from './support/billing.mjs';

const STEPS = 16;
const LIMIT = 5000;

/** Messages of an agent, step by step. All agents begin with the same words, and with the same answers up to `alike`. */
function agent(name, alike) {
  const messages = [{ role: 'user', content: 'Find out why the export is slow.' }];
  return (step) => {
    if (step === 0) return messages.slice();
    const who = step <= alike ? 'all' : name;
    const id = `call_${who}_${step}`;
    const rows = Array.from({ length: 40 }, (_, row) => `${who} ${step}: row ${row} has ${row * 37 + step} entries`).join('\n');
    messages.push({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: { path: `${who}/${step}` } }] });
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: rows }] });
    return messages.slice();
  };
}

/** Lets agents work in turns that `order` chooses; returns what each costs, with cached tokens at a tenth of the price. */
async function costs(count, alike, order) {
  const upstream = await startUpstream();
  const proxy = await startProxy({ limit: LIMIT, port: 0, upstream: upstream.url, onWarning: assert.fail });
  try {
    const agents = Array.from({ length: count }, (_, n) => ({ next: agent(`agent${n}`, alike), bill: billing(1), step: 0, cost: 0 }));
    const working = agents.slice();
    while (working.length > 0) {
      const one = working[order(working.length)];
      const body = JSON.stringify({ model: 'm', max_tokens: 10, messages: one.next(one.step++) });
      assert.equal((await send(proxy.url, { path: '/v1/messages', headers: JSON_HEADERS, body })).status, 200);
      const { input, cacheRead } = one.bill(JSON.parse(upstream.requests.pop().body).messages);
      one.cost += input + cacheRead / 10;
      if (one.step > STEPS) working.splice(working.indexOf(one), 1);
    }
    return agents.map(({ cost }) => cost);
  } finally {
    await proxy.close(0);
    await upstream.close();
  }
}

test('roles alternate as the server of the requests wants it', async () => {
  const words = (seed, count) => Array.from({ length: count }, (_, at) => `w${seed}x${(seed * 7919 + at * 104729) % 9973}`).join(' ');
  // What the user says is short and stays, and the answers between do not.
  const messages = Array.from({ length: 41 }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: words(at, at % 2 ? 300 : 5) }));
  const isAlternating = async (options) => {
    const upstream = await startUpstream();
    const proxy = await startProxy({ limit: 1500, port: 0, upstream: upstream.url, onWarning: assert.fail, ...options });
    try {
      const body = JSON.stringify({ model: 'local', messages });
      assert.equal((await send(proxy.url, { path: '/v1/chat/completions', headers: JSON_HEADERS, body })).status, 200);
      const sent = JSON.parse(upstream.requests.pop().body).messages;
      assert.ok(sent.length < messages.length);
      return sent.every(({ role }, at) => role === messages[at].role);
    } finally {
      await proxy.close(0);
      await upstream.close();
    }
  };
  assert.ok(await isAlternating({ roles: 'alternate' }));
  assert.ok(!(await isAlternating({})));
});

test('agents that begin alike keep their caches, however many they are and in whatever order they ask', async () => {
  const [alone] = await costs(1, 0, () => 0);
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 12, max: 16 }),
      fc.integer({ min: 0, max: 4 }),
      fc.infiniteStream(fc.nat()),
      async (count, alike, numbers) => {
        const all = await costs(count, alike, (working) => numbers.next().value % working);
        const mean = all.reduce((sum, cost) => sum + cost, 0) / count;
        assert.ok(mean < 1.02 * alone, `${mean} instead of ${alone} for each of ${count}`);
      },
    ),
    { numRuns: cases(3) },
  );
});

/** Asks for a session of an agent that says so many words after an answer of its own. */
const asking =
  (sessions) =>
  async (name, words, answer = name) => {
    const messages = [
      { role: 'user', content: 'Hello.' },
      { role: 'assistant', content: `I am ${answer}.` },
      { role: 'user', content: `Go on, ${name}.${' word'.repeat(words)}` },
    ];
    const bytes = Buffer.from(JSON.stringify({ model: 'm', max_tokens: 10, messages }));
    const [{ content: prompt }, first] = messages;
    return (await sessions.choose({ format: 'anthropic', bytes, prompt, answer: first })).session;
  };

test('memory bounds the sessions: those of the least recently used conversations go, also of those that begin alike', async () => {
  let now = 0;
  const sessions = new Sessions({ limit: 2000, idle: 1000, maxBytes: 300_000, now: () => now });
  const ask = asking(sessions);
  // 8 KiB beside their messages, and 10 KB with them.
  const first = [];
  for (let n = 0; n < 25; n++) first.push(await ask(`agent ${n}`, 200));
  for (let n = 0; n < 25; n++) assert.equal(await ask(`agent ${n}`, 200), first[n]);
  for (let n = 25; n < 40; n++) await ask(`agent ${n}`, 200);
  assert.ok(sessions.size >= 25 && sessions.size <= 35, `${sessions.size}`);
  for (let n = 15; n < 25; n++) assert.equal(await ask(`agent ${n}`, 200), first[n]);
  assert.notEqual(await ask('agent 0', 200), first[0]);
  // One that takes all of the room leaves none for the others.
  await ask('a large one', 58_000);
  assert.equal(sessions.size, 1);
  now = 999;
  await ask('agent 1', 200);
  now = 1500;
  sessions.forgetIdle();
  assert.equal(sessions.size, 1);
  now = 1999;
  sessions.forgetIdle();
  assert.equal(sessions.size, 0);
});

test('all branches of a conversation count, and are remembered as long as there is room', async () => {
  const sessions = new Sessions({ limit: 2000, idle: 1000, maxBytes: 300_000 });
  const ask = asking(sessions);
  const first = [];
  for (let n = 0; n < 20; n++) first.push(await ask(`branch ${n}`, 1000, 'one'));
  for (let n = 0; n < 20; n++) assert.equal(await ask(`branch ${n}`, 1000, 'one'), first[n]);
  assert.equal(sessions.size, 1);
  for (let n = 20; n < 40; n++) await ask(`branch ${n}`, 1000, 'one');
  assert.notEqual(await ask('branch 0', 1000, 'one'), first[0]);
});

test('requests that fail, and those that are under way while their conversation goes, leave the account right', async () => {
  const sessions = new Sessions({ limit: 2000, idle: 1000, maxBytes: 100_000 });
  const ask = asking(sessions);
  const bytes = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'nobody' }] }));
  for (let n = 0; n < 50; n++) {
    await assert.rejects(sessions.choose({ format: 'anthropic', bytes, prompt: `Question ${n}` }));
  }
  assert.ok(sessions.size <= 25, `${sessions.size}`);
  await Promise.all(Array.from({ length: 60 }, (_, n) => ask(`agent ${n}`, 600)));
  // There is as much room as ever.
  const some = await Promise.all(Array.from({ length: 5 }, (_, n) => ask(`another ${n}`, 600)));
  for (let n = 0; n < 5; n++) assert.equal(await ask(`another ${n}`, 600), some[n]);
});

/** Passes on what an agent of so many steps sends to a provider that checks thinking; returns the provider's records and the whole history. */
async function through(t, { thinking, steps = 30, preserved, more }) {
  const agent = longAgent({ steps, thinking });
  const summary = { content: [{ type: 'compaction', content: 'It is slow.', signature: 'c2ln' }], stop: 'compaction' };
  const provider = await startProvider((turn) => (turn.request.compaction ? summary : agent(turn)), { window: 400_000, preserved });
  t.after(() => provider.close());
  const proxy = await startProxy({ limit: 2 * LIMIT, port: 0, upstream: provider.url, onWarning: assert.fail });
  t.after(() => proxy.close(0));
  const clients = clientsOf(proxy);
  return { provider, clients, messages: await loops.anthropic(clients, { request: more }) };
}

for (const thinking of [true, 'once']) {
  test(`with a fixed budget, of a model that thinks ${thinking === true ? 'in each step' : 'once in a turn'}, nothing is refused`, async (t) => {
    const more = { model: 'claude-haiku-4-5', thinking: { type: 'enabled', budget_tokens: 1024 } };
    const { provider } = await through(t, { thinking, more });
    const { requests, refused, sent } = provider.sum();
    assert.deepEqual([requests, refused], [30, 0]);
    assert.ok(sent < 2 * LIMIT * requests);
  });
}

test('a request for a summary goes out whole, without the thinking that was signed behind less, and its session hears nothing of it', async (t) => {
  const more = { model: 'claude-opus-5-5', thinking: { type: 'adaptive' } };
  const { provider, clients, messages } = await through(t, { thinking: true, preserved: true, more });
  const rest = { ...provider.requests.at(-1).body, messages: [...messages, { role: 'user', content: 'Where are we?' }] };
  const compaction = { type: 'summarize' };
  await clients.anthropic.beta.messages.create({ ...rest, compaction, betas: ['compact-2026-09-04'] });
  const bare = ({ role, content }) => ({
    role,
    content: Array.isArray(content) ? content.filter(({ type }) => type !== 'thinking') : content,
  });
  assert.deepEqual(provider.requests.at(-1).body.messages, JSON.parse(JSON.stringify(rest.messages.map(bare))));
  assert.equal(provider.requests.at(-1).status, 200);
  // The next turn goes on where the last one was.
  await clients.anthropic.messages.create(rest);
  const { status, cached, tokens } = provider.requests.at(-1);
  assert.equal(status, 200);
  assert.ok(cached > tokens / 2, `${cached} of ${tokens}`);
});

test('a request for a summary of what nobody thought of goes through byte by byte', async (t) => {
  const upstream = await startUpstream();
  t.after(() => upstream.close());
  const proxy = await startProxy({ limit: 100, port: 0, upstream: upstream.url, onWarning: assert.fail });
  t.after(() => proxy.close(0));
  const messages = [{ role: 'user', content: 'word '.repeat(1000) }];
  const body = JSON.stringify({ model: 'm', max_tokens: 10, compaction: { type: 'summarize' }, messages }, null, 2);
  assert.equal((await send(proxy.url, { path: '/v1/messages', headers: JSON_HEADERS, body })).status, 200);
  assert.equal(String(upstream.requests.pop().body), body);
});

test('what exceeds the limits of the model beside tokens is cut, by the figures of that model', async () => {
  const upstream = await startUpstream();
  const proxy = await startProxy({ limit: 150_000, port: 0, upstream: upstream.url, onWarning: assert.fail });
  const looking = (count, width, height, prompt = 'Book the room.') => [
    { role: 'user', content: prompt },
    ...Array.from({ length: count }, (_, n) => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `t${n}`, name: 'look', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: `t${n}`,
            content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(width, height, n) } }],
          },
        ],
      },
    ]).flat(),
  ];
  const sentBy = async (model, messages) => {
    const body = JSON.stringify({ model, max_tokens: 10, messages });
    assert.equal((await send(proxy.url, { path: '/v1/messages', headers: JSON_HEADERS, body })).status, 200);
    return JSON.parse(upstream.requests.pop().body).messages;
  };
  try {
    for (const messages of [looking(110, 64, 64), looking(25, 2400, 1600)]) {
      assert.notEqual(limitObjection(messages, LIMITS.anthropic), null);
      const sent = await sentBy('claude-haiku-4-5', messages);
      assert.equal(limitObjection(sent, LIMITS.anthropic), null);
      assert.ok(filesIn(sent).length > 10);
    }
    // A model with a larger window takes 600.
    assert.equal(filesIn(await sentBy('claude-opus-5', looking(110, 64, 64, 'Book a table.'))).length, 110);
  } finally {
    await proxy.close(0);
    await upstream.close();
  }
});
