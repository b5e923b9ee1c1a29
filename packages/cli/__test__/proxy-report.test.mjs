// The report of what went through the proxy: its data, and its bounds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { longAgent, startProvider } from '../../../__test__/support/agents/index.mjs';
import { clientsOf, loops } from '../../../__test__/support/agents/loops.mjs';
import { startProxy } from '../dist/proxy/index.mjs';
import { findArray } from '../dist/proxy/json-source.mjs';
import { Reporting } from '../dist/proxy/reporting.mjs';
import { JSON_HEADERS, send, startUpstream } from './raw-http.mjs';
import { judge, plain } from './support/gone.mjs';
import { someOf } from '../../../__test__/support/seed.mjs';

const LISTS = { anthropic: 'messages', 'openai-chat': 'messages', 'openai-responses': 'input', gemini: 'contents' };

/** The report in the page of a proxy. */
async function reportOf(proxy) {
  const { text } = await send(proxy.url, { method: 'GET', path: '/' });
  return JSON.parse(text.match(/<script type="application\/json" id="data">(.*)<\/script>/)[1]);
}

/** What the page is told of the report. */
async function stateOf(proxy) {
  const events = await fetch(`${proxy.url}/palimpsest/events`);
  const { value } = await events.body.getReader().read();
  return JSON.parse(Buffer.from(value).toString().slice('data:'.length)).report;
}

for (const [format, list] of someOf(Object.entries(LISTS))) {
  test(`${format}: tokens sent and cached are the provider's, and each message has the fate that the last request shows`, async () => {
    const provider = await startProvider(longAgent({ steps: 24 }), { window: 200_000 });
    const proxy = await startProxy({ limit: 8000, port: 0, upstream: provider.url });
    try {
      const history = await loops[format](clientsOf(proxy), { stream: true });
      const sum = provider.sum();
      const { totals, sessions, where, spend, curve } = await reportOf(proxy);
      // Tables and findings are of what was paid: what was sent.
      for (const { by, rows } of [...where, ...spend]) {
        const sent = rows.reduce((total, row) => total + (row.sent ?? row.tokens), 0);
        assert.ok(Math.abs(sent - totals.sent) <= rows.length, `${by}: ${sent}, not ${totals.sent}`);
        const cost = rows.reduce((total, row) => total + (row.cost ?? 0), 0);
        assert.ok(Math.abs(cost - (totals.costWithSession ?? 0)) < 1e-6, `${by}: ${cost}`);
      }
      assert.equal(curve, undefined);
      assert.deepEqual([totals.sessions, totals.requests, totals.sent], [1, sum.requests, sum.sent]);
      const [session] = sessions;
      assert.equal(
        session.requests.reduce((total, { cached }) => total + cached, 0),
        sum.cached,
      );
      assert.ok(session.count.epochs > 0 && totals.kept > 0);
      // Of what its sessions sent, the proxy knows why it missed.
      const { cache } = totals;
      assert.equal(cache.read, sum.cached);
      // Gemini says nothing of its cache before it reads from it.
      if (format !== 'gemini') assert.deepEqual([cache.requests, cache.input], [sum.requests, sum.sent]);
      const missed = Object.values(cache.missed).reduce((total, { tokens }) => total + tokens, 0);
      assert.equal(cache.read + cache.new + cache.tail + missed, cache.input);
      assert.ok(
        Object.keys(cache.missed).every((cause) => cause === 'epoch' || (cause === 'never' && format === 'anthropic')),
        cache.summary,
      );
      for (const one of session.requests) {
        const lost = (one.missed ?? []).reduce((total, { tokens }) => total + tokens, 0);
        assert.ok(one.cached + (one.new ?? 0) + lost <= one.sent && (lost === 0 || one.missed.every(({ tokens }) => tokens > 0)));
      }
      assert.ok(totals.tokens > 1.5 * totals.sent);
      // The answer to the last request never comes back.
      const came = (format === 'openai-chat' || format === 'anthropic' ? history : (history.input ?? history)).slice(
        0,
        session.messages.length,
      );
      const sent = provider.requests.at(-1).body[list].map(plain);
      const kept = came.map((message) => sent.some((one) => isDeepStrictEqual(one, plain(message))));
      assert.deepEqual(
        session.messages.map(({ fate }) => fate === 'kept'),
        kept,
      );
      assert.equal(session.counted, 'recorded');
      // What is said of each message that is missing is what the provider was sent, and what the last request is made of adds up to its tokens.
      assert.ok(session.messages.every(({ fate, gone }) => (fate === 'kept') === (gone === undefined)));
      const requests = provider.requests.map(({ body }, index) => ({
        ...{ sent: body[list], length: session.requests[index].messages },
        ...(session.requests[index].epoch && { epoch: session.requests[index].epoch }),
      }));
      const counts = judge(session, came, requests);
      assert.ok(counts.removed > 0 && counts.cut > 0, JSON.stringify(counts));
      const { tokens, limit, free, parts } = session.context;
      const sentTokens = provider.requests.at(-1).tokens;
      assert.ok(Math.abs(tokens - sentTokens) < 1e-6 * sentTokens, `${tokens}, not ${sentTokens}`);
      assert.ok(Math.abs(parts.reduce((total, part) => total + part.tokens, 0) - tokens) < 1e-6);
      assert.deepEqual([limit, free], [8000, Math.max(0, 8000 - tokens)]);
      for (const kind of ['tools', 'instructions', 'marks'])
        assert.ok(
          parts.some((part) => part.kind === kind),
          kind,
        );
    } finally {
      await proxy.close(0);
      await provider.close();
    }
  });
}

const bodyOf = (name, more = []) =>
  JSON.stringify({ model: 'claude-haiku-4-5', max_tokens: 10, messages: [{ role: 'user', content: `Conversation ${name}` }, ...more] });

test('what a session says is that of its last request, whenever the page is made, and without contents it quotes nothing', async () => {
  let status = 200;
  let counted = 0;
  const upstream = await startUpstream((_request, response, { body }) => {
    counted = Math.round(body.length / 4);
    const usage = { input_tokens: counted, output_tokens: 5 };
    response.writeHead(status, JSON_HEADERS).end(JSON.stringify(status === 200 ? { usage } : {}));
  });
  const proxy = await startProxy({ limit: 4000, port: 0, upstream: upstream.url, redact: true });
  const more = [];
  const ask = async () => {
    more.push(
      { role: 'assistant', content: `The secret of step ${more.length} is ${'lamp '.repeat(300)}.` },
      { role: 'user', content: `Why, at step ${more.length}?` },
    );
    await send(proxy.url, { path: '/v1/messages', headers: JSON_HEADERS, body: bodyOf('one', more) });
    return (await reportOf(proxy)).sessions[0];
  };
  try {
    let explained = 0;
    for (let request = 1; request <= 12; request++) {
      const session = await ask();
      assert.deepEqual([session.context.request, session.requests.length], [request, request]);
      assert.ok(Math.abs(session.context.tokens - counted) < 1e-6 * counted, `${session.context.tokens}, not ${counted}`);
      assert.doesNotMatch(JSON.stringify(session), /lamp|"mark"|"markOf"|"because"/);
      for (const { fate, gone } of session.messages) {
        assert.equal(gone === undefined, fate === 'kept');
        if (gone !== undefined) explained++;
      }
      assert.deepEqual((await reportOf(proxy)).sessions[0], session);
    }
    assert.ok(explained > 0);
    // A request that was refused is none of the report's: what its messages were is that of the one before it, and what this one's were is not said of them.
    status = 400;
    const { context, requests, messages } = await ask();
    assert.deepEqual([context.request, requests.length], [13, 12]);
    assert.ok(messages.every(({ gone }) => gone === undefined));
  } finally {
    await proxy.close(0);
    await upstream.close();
  }
});

test('the conversations that were used last are in it; one that goes on after it had to go is in it again, whole', async () => {
  const upstream = await startUpstream((_request, response) =>
    response
      .writeHead(200, JSON_HEADERS)
      .end('{"usage":{"input_tokens":100,"cache_read_input_tokens":0,"cache_creation_input_tokens":20,"output_tokens":5}}'),
  );
  const proxy = await startProxy({ limit: 50_000, port: 0, upstream: upstream.url });
  const ask = (name, more) => send(proxy.url, { path: '/v1/messages', headers: JSON_HEADERS, body: bodyOf(name, more) });
  try {
    for (let n = 0; n < 103; n++) await ask(n);
    const titles = (await reportOf(proxy)).sessions.map(({ title }) => title);
    assert.deepEqual(new Set(titles), new Set(Array.from({ length: 100 }, (_, n) => `Conversation ${n + 3}`)));
    assert.deepEqual(await stateOf(proxy), { version: 103, gone: 3, missed: 0, failures: 0 });
    const more = [
      { role: 'assistant', content: 'An answer.' },
      { role: 'user', content: 'Go on.' },
    ];
    await ask(0, more);
    const { sessions, totals } = await reportOf(proxy);
    const again = sessions.find(({ title }) => title === 'Conversation 0');
    assert.deepEqual(
      again.messages.map(({ parts }) => parts[0].text),
      ['Conversation 0', 'An answer.', 'Go on.'],
    );
    assert.equal(totals.sessions, 100);
    assert.equal(totals.sent, 100 * 120);
    // List prices of the model: 1, 1.25 and 5 dollars for a million.
    assert.ok(Math.abs(totals.cost - (100 * (100 * 1 + 20 * 1.25 + 5 * 5)) / 1e6) < 1e-9, `${totals.cost}`);
  } finally {
    await proxy.close(0);
    await upstream.close();
  }
});

test('what the provider refused is not in it, what names no usage is estimated, and what is too large is counted as missing', async () => {
  const upstream = await startUpstream((request, response) =>
    response.writeHead(request.url.endsWith('refuse') ? 429 : 200, JSON_HEADERS).end('{}'),
  );
  const proxy = await startProxy({ limit: 50_000, port: 0, upstream: upstream.url });
  const ask = (body, path = '/v1/messages') => send(proxy.url, { path, headers: JSON_HEADERS, body });
  try {
    await ask(bodyOf('refused'), '/v1/messages?refuse');
    await ask(bodyOf('one'));
    const page = `%PDF-1.4\n1 0 obj <</Type /Page>> endobj\n${' '.repeat(6_750_000)}`;
    const data = Buffer.from(page).toString('base64');
    const file = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } };
    await ask(
      bodyOf('two', [
        { role: 'assistant', content: 'And?' },
        { role: 'user', content: [file] },
      ]),
    );
    const { sessions } = await reportOf(proxy);
    assert.deepEqual(
      sessions.map(({ title, counted, count }) => [title, counted, count.requests]),
      [['Conversation one', 'estimate', 1]],
    );
    assert.deepEqual(await stateOf(proxy), { version: 1, gone: 0, missed: 1, failures: 0 });
  } finally {
    await proxy.close(0);
    await upstream.close();
  }
});

test('a thread that fails is one failure: the page says so, and the report begins anew with the next request', async () => {
  const reporting = new Reporting({ limit: 50_000, redact: false, onChange: () => {} });
  const step = { tokens: { before: 10, after: 10 }, report: { reusedTokens: 0 }, fits: true };
  const session = {};
  const ask = (text) => {
    const id = reporting.add({ step, session, number: 1, source: findArray(text, 'messages') }, 'anthropic', 0);
    reporting.answer(id, {});
  };
  // The thread alone keeps no process alive.
  const alive = setInterval(() => {}, 1000);
  try {
    // No JSON: the thread can't read it.
    ask('{"messages":[{broken}]}');
    await assert.rejects(reporting.page(), /could not be made/);
    assert.deepEqual([reporting.state.failures, reporting.state.missed], [1, 0]);
    ask(bodyOf('one'));
    assert.match(await reporting.page(), /Conversation one/);
    assert.equal(reporting.state.failures, 1);
  } finally {
    clearInterval(alive);
    await reporting.close();
  }
});
