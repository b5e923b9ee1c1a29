// palimpsest/express: a chat endpoint with the real Express, over HTTP, in front of the loopback provider.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import express from 'express';
import fc from 'fast-check';
import { chatParser } from 'palimpsest/express';
import { createSession, validate } from 'palimpsest';
import { forward, serve } from '../support/agents/endpoint.mjs';
import { image, longAgent, startProvider } from '../support/agents/index.mjs';
import { clientsOf, loops } from '../support/agents/loops.mjs';
import { listen } from '../support/listen.mjs';
import { cases, someOf } from '../support/seed.mjs';
import { FORMATS, transcript } from '../support/transcripts.mjs';

const LIMIT = 20_000;
/** The answer, and what usage can't tell beforehand. */
const ROOM = 2500;

/** Runs `work` with an application whose endpoint sends on what the middleware gives. */
async function withEndpoint(options, work, script = longAgent(), more = {}) {
  const provider = await startProvider(script, { window: LIMIT + ROOM, ...more });
  const steps = [];
  const onStep = (step, { session, params }) => void steps.push({ step, session, params });
  const app = await serve((server) => {
    server.use(chatParser({ limit: LIMIT, onStep, ...options }), (request, response) => forward(provider.url, request, response));
  });
  try {
    return await work({ app, provider, steps });
  } finally {
    await app.close();
    await provider.close();
  }
}

/** What a client's loop does with the provider itself. */
async function alone(name, options, { script = longAgent(), headers } = {}) {
  const provider = await startProvider(script);
  try {
    return await loops[name](clientsOf(provider, headers), options);
  } finally {
    await provider.close();
  }
}

for (const name of Object.keys(loops)) {
  test(`${name}: an agent of 45 steps goes through the endpoint, with several epochs and a warm cache`, async (t) => {
    const stream = name !== 'anthropic';
    const request = name === 'openai-chat' ? { model: 'gpt-5.5' } : {};
    await withEndpoint({}, async ({ app, provider, steps }) => {
      const history = await loops[name](clientsOf(app), { stream, request });
      assert.deepEqual(history, await alone(name, { stream, request }), 'the client sees nothing of it');
      const { requests, refused, sent, cached, cachedShare } = provider.sum();
      assert.deepEqual([requests, refused, steps.length], [45, 0, 45]);
      const sessions = new Set(steps.map(({ session }) => session));
      assert.equal(sessions.size, 1);
      const [{ report }] = sessions;
      const epochs = steps.filter(({ step }) => step.epoch).length;
      assert.ok(epochs >= 3, `${epochs} epochs`);
      // The session counts its cached tokens itself; the provider's are in steps and without what it adds to messages.
      assert.ok(Math.abs(report.tokens.cached / report.tokens.sent - cachedShare) < 0.02, `${String(report)}; ${cachedShare}`);
      assert.ok(cachedShare > 0.8);
      assert.match(JSON.stringify(provider.requests.at(-1).body), /\[… \d+ messages: [^\]]*\b(read|search|run|edit)\b/);
      t.diagnostic(`${sent} tokens sent, ${cached} cached (${(100 * cachedShare).toFixed(1)}%), ${epochs} epochs`);
    });
  });
}

test('without memory each request stands for itself, uses its whole limit and is accepted', async (t) => {
  await withEndpoint({ conversations: 0 }, async ({ app, provider, steps }) => {
    const history = await loops['openai-chat'](clientsOf(app));
    assert.deepEqual(history, await alone('openai-chat'));
    const { requests, refused, sent, cachedShare } = provider.sum();
    assert.deepEqual([requests, refused], [45, 0]);
    assert.equal(new Set(steps.map(({ session }) => session)).size, 45);
    const cut = steps.filter(({ step }) => step.epoch);
    assert.ok(cut.length > 20);
    for (const { step } of cut) assert.ok(step.tokens.after > 0.97 * LIMIT && step.tokens.after <= LIMIT, String(step.report));
    t.diagnostic(`${sent} tokens sent, ${(100 * cachedShare).toFixed(1)}% cached, ${cut.length} requests cut`);
  });
});

test('conversations at once have a session each, and the same history as alone', async () => {
  const script = longAgent({ steps: 16 });
  const names = ['blue', 'green', 'red'];
  const optionsOf = (name) => ({ system: `You mend programs. [conversation ${name}]` });
  const work = async ({ app, provider, steps }) => {
    const histories = await Promise.all(names.map((name) => loops['openai-chat'](clientsOf(app), optionsOf(name))));
    for (const [index, name] of names.entries()) {
      assert.deepEqual(histories[index], await alone('openai-chat', optionsOf(name), { script }));
      assert.ok(provider.sum({ conversation: name }).cachedShare > 0.6, name);
    }
    assert.equal(new Set(steps.map(({ session }) => session)).size, names.length);
    assert.ok(steps.filter(({ step }) => step.epoch).length >= names.length);
    assert.equal(provider.sum().refused, 0);
  };
  await withEndpoint({ limit: 12_000 }, work, script);
});

test('a session that is named, and saved after each request, takes its requests', async () => {
  const script = longAgent({ steps: 16 });
  const headers = { 'x-conversation': 'a' };
  const kept = new Map();
  const idOf = (request) => request.get('x-conversation');
  const session = (request) => createSession({ limit: 12_000, format: 'openai-chat' }, JSON.parse(kept.get(idOf(request)) ?? 'null'));
  const onStep = (_, { session: live, params }) => void kept.set(idOf(params), JSON.stringify(live));
  const work = async ({ app, provider }) => {
    const history = await loops['openai-chat'](clientsOf(app, headers));
    assert.deepEqual(history, await alone('openai-chat', {}, { script, headers }));
    assert.deepEqual([...kept.keys()], ['a']);
    assert.equal(provider.sum().refused, 0);
    assert.ok(provider.sum().cachedShare > 0.6);
  };
  await withEndpoint({ session, onStep }, work, script);
});

test('signed thinking is accepted where the provider holds it to its prefix', async () => {
  const script = longAgent({ steps: 24, thinking: true });
  const options = { stream: true, request: { thinking: { type: 'adaptive' } } };
  const work = async ({ app, provider, steps }) => {
    assert.deepEqual(await loops.anthropic(clientsOf(app), options), await alone('anthropic', options, { script }));
    assert.equal(provider.sum().refused, 0);
    assert.ok(steps.filter(({ step }) => step.epoch).length >= 2);
  };
  await withEndpoint({ limit: 10_000 }, work, script, { preserved: true });
});

test('images and wanted shapes of answers go through untouched, and so does a client that leaves in the middle', async () => {
  const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'], additionalProperties: false };
  const body = {
    model: 'gpt-5.5',
    response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: image.dataUrl } },
        ],
      },
    ],
  };
  const script = ({ request }) => (request.stream ? { text: 'A long answer. '.repeat(50) } : { json: { a: 1 } });
  const work = async ({ app, provider }) => {
    const { openai } = clientsOf(app);
    const answer = await openai.chat.completions.create(body);
    assert.deepEqual(JSON.parse(answer.choices[0].message.content), { a: 1 });
    assert.deepEqual(provider.requests.at(-1).body, body);
    const stream = await openai.chat.completions.create({ model: 'gpt-5.5', stream: true, messages: [{ role: 'user', content: 'Hi.' }] });
    for await (const _ of stream) break;
    assert.deepEqual(JSON.parse((await openai.chat.completions.create(body)).choices[0].message.content), { a: 1 });
    assert.ok(provider.requests.some(({ aborted }) => aborted));
  };
  await withEndpoint({}, work, script, { pause: 20 });
});

// ---- One application for everything below: it says what it got. ---------------------------------------------------------

const seen = [];
let app;

before(async () => {
  const tell = (request, response) => {
    seen.push({ body: request.body, ...request.palimpsest });
    const { messages, format, step, request: fitted } = request.palimpsest;
    response.json({ format, count: messages.length, fits: step?.fits, isBody: fitted === request.body });
  };
  const options = { limit: 1000, maxBytes: 300_000, maxMessages: 200, conversations: 5 };
  app = await serve((server) => {
    server.post('/own', chatParser(options), tell);
    server.post('/parsed', express.json({ limit: '300kb' }), chatParser(options), tell);
    server.post('/whole', chatParser({ limit: 1e6, conversations: 0 }), tell);
    server.post('/fallen', (request, _, next) => request.resume().on('end', next), chatParser(options), tell);
    server.use((error, _request, response, _next) => response.status(error.status ?? 500).json({ error: { message: error.message } }));
  });
});
after(() => app.close());

/** Posts a body and returns the status and what was answered. */
async function post(path, body, headers = {}) {
  const answer = await fetch(app.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream ? body : JSON.stringify(body),
    duplex: 'half',
    signal: AbortSignal.timeout(10_000),
  });
  return { status: answer.status, ...(await answer.json()) };
}

const hi = { messages: [{ role: 'user', content: 'Hi.' }] };
const isAlive = async () => assert.equal((await post('/own', hi)).status, 200);

test('what fits goes on as the very body, and what is edited keeps the objects of the rest', async () => {
  assert.deepEqual(await post('/own', hi), { status: 200, format: 'openai-chat', count: 1, fits: true, isBody: true });
  const long = Array.from({ length: 60 }, (_, index) => ({
    role: index % 2 ? 'assistant' : 'user',
    content: `Turn ${index}: file-${index}.ts has ${index * 31} lines, and worker-${index} took ${index * 7} s. `.repeat(2),
  }));
  const body = { model: 'gpt-test', messages: long, mine: { a: [1] } };
  assert.deepEqual((await post('/parsed', body)).isBody, false);
  const { body: given, request, messages } = seen.at(-1);
  assert.deepEqual(given, body, 'the body itself is not changed');
  assert.ok(messages.length < long.length);
  assert.equal(request.messages, messages);
  assert.equal(request.mine, given.mine);
  const kept = messages.filter((message) => given.messages.includes(message));
  assert.ok(kept.length >= 3, 'messages that are sent whole are the objects that were parsed');
});

for (const format of someOf(FORMATS.filter((name) => name !== 'langchain'))) {
  test(`${format}: a body is refused if and only if validate finds a problem, at its place`, async () => {
    await fc.assert(
      fc.asyncProperty(transcript(format), async (messages) => {
        const body = JSON.parse(JSON.stringify({ messages }));
        const { status, error, isBody } = await post('/whole', body);
        // Not a matter of the request alone: the server may answer calls, and some of Gemini's models don't sign.
        const beyond = ['tool-call-at-end', 'thought-signature'];
        const named = status === 200 ? seen.at(-1).format : format;
        const [problem] = validate(body.messages, { format: named }).filter(({ rule }) => !beyond.includes(rule));
        if (problem === undefined) assert.deepEqual([status, isBody], [200, true]);
        else assert.deepEqual([status, error.path, error.rule], [400, problem.path, problem.rule]);
      }),
      { numRuns: cases(25) },
    );
  });

  test(`${format}: what is broken is named by its place, and nothing is quoted`, async () => {
    const secret = 'the secret Xq7kVw2';
    const broken = fc.constantFrom(
      null,
      7,
      true,
      secret,
      [secret],
      { [secret]: secret },
      { role: secret, content: secret },
      { role: 'user', content: { secret } },
    );
    await fc.assert(
      fc.asyncProperty(
        transcript(format).filter((messages) => messages.length > 1),
        fc.nat(),
        broken,
        async (messages, seed, value) => {
          const index = seed % messages.length;
          const list = JSON.parse(JSON.stringify(messages));
          list[index] = value;
          const { status, error } = await post('/whole', { messages: list });
          assert.equal(status, 400);
          // An earlier message may lack its answer now, or a later one its call.
          assert.match(error.message, /^messages\[\d+\]/);
          assert.ok(error.message.startsWith(error.path));
          assert.ok(!JSON.stringify(error).includes(secret));
        },
      ),
      { numRuns: cases(20) },
    );
  });
}

test('places: whole requests, texts in place of lists, and what stands beside the messages', async () => {
  const user = { role: 'user', content: 'Hi.' };
  const cases = [
    [{ messages: [user, { role: 'assistant', content: 5 }] }, 'messages[1].content'],
    [{ messages: [{ role: 'user', content: [{ type: 'text', text: 5 }] }] }, 'messages[0].content[0].text'],
    [{ messages: 'Hi.' }, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ input: [{ role: 'user', content: 5 }] }, 'input[0].content'],
    [{ contents: [{ role: 'user', parts: [{ text: 5 }] }] }, 'contents[0].parts[0].text'],
    [{ input: 'Hi.', previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ contents: 'Hi.', config: { cachedContent: 'caches/1' } }, 'config.cachedContent'],
    [{ ...hi, system: 4 }, 'system'],
    [{ ...hi, tools: 'none' }, 'tools'],
    [{ ...hi, tools: [{ type: 'function', function: 3 }] }, 'tools[0].function'],
    [{ ...hi, max_tokens: 'many' }, 'max_tokens'],
    [{ ...hi, model: {} }, 'model'],
  ];
  for (const [body, path] of cases) {
    for (const way of ['/own', '/parsed']) {
      const { status, error } = await post(way, body);
      assert.deepEqual([status, error?.path], [400, path], JSON.stringify(body));
      assert.ok(error.message.startsWith(path), error.message);
    }
  }
  for (const body of [
    { input: 'Hi.' },
    { contents: 'Hi.' },
    { contents: { role: 'user', parts: [{ text: 'Hi.' }] } },
    { ...hi, id: 'c1', trigger: 'x' },
  ])
    assert.deepEqual((await post('/own', body)).isBody, true, JSON.stringify(body));
  for (const body of [[], 'null', '"x"', '7', {}, { message: user }])
    assert.match((await post('/own', body)).error.message, /^the body must be an object with/);
});

test('an answer that leaves no room in the window is the client’s mistake', async () => {
  const server = await serve((one) => one.post('/', chatParser({ window: 500 }), (_, response) => response.json({})));
  try {
    const send = (body) =>
      fetch(server.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const answer = await send({ ...hi, max_completion_tokens: 500 });
    assert.deepEqual([answer.status, (await answer.json()).error.path], [400, 'max_completion_tokens']);
    const tight = await send({ ...hi, max_completion_tokens: 499 });
    assert.equal(tight.status, 400);
    assert.match(
      (await tight.json()).error.message,
      /^the conversation takes \d+ tokens, above the limit of 1, and nothing more of it can go$/,
    );
    assert.equal((await send({ ...hi, max_completion_tokens: 400 })).status, 200);
  } finally {
    await server.close();
  }
});

// ---- Hostile bodies ---------------------------------------------------------------------------------------------------------------------

const deep = (levels) => '['.repeat(levels) + ']'.repeat(levels);
const chunks = (count, size) => {
  let left = count;
  return new ReadableStream({ pull: (one) => (left-- > 0 ? one.enqueue(new Uint8Array(size).fill(32)) : one.close()) });
};
const hostile = {
  'more bytes than are wanted': [413, () => ({ messages: [{ role: 'user', content: 'x'.repeat(400_000) }] })],
  'more bytes, in chunks of unknown number': [413, () => chunks(1000, 10_000)],
  'more messages than are wanted': [413, () => ({ messages: Array.from({ length: 201 }, () => ({})) }), /at most 200 entries, got 201/],
  'messages nested too deeply': [400, () => `{"messages":[{"role":"user","content":${deep(50_000)}}]}`, /^messages\[0\].*1000 levels/],
  'members with other names nested too deeply': [
    400,
    () => `{"messages":[{"role":"user","content":"Hi."}],"Cannot read":${deep(5000)}}`,
    /^a member of the body is nested/,
  ],
  'other members nested too deeply': [400, () => `{"messages":[{"role":"user","content":"Hi."}],"a":${deep(5000)}}`, /^a is nested/],
  'nothing but nesting': [400, () => deep(100_000)],
  'no JSON': [400, () => '{"messages":[', undefined],
  'nothing at all': [400, () => ''],
  'the same key again and again': [
    200,
    () => `{${'"messages":[],'.repeat(5000)}"messages":[{"role":"user","role":"user","content":"Hi."}]}`,
  ],
  '__proto__ as a key': [200, () => '{"__proto__":{"polluted":1},"messages":[{"role":"user","content":"Hi.","__proto__":{"polluted":1}}]}'],
  'constructor as a key': [200, () => '{"constructor":{"prototype":{"polluted":1}},"messages":[{"role":"user","content":"Hi."}]}'],
  'very many keys': [200, () => ({ ...Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, n])), ...hi })],
};

for (const [what, [status, body, text]] of Object.entries(hostile)) {
  test(`hostile: ${what}`, async () => {
    for (const way of ['/own', '/parsed']) {
      const answer = await post(way, body());
      assert.equal(answer.status, status, way);
      if (text && way === '/own') assert.match(answer.error.message, text);
      assert.equal({}.polluted, undefined);
      await isAlive();
    }
  });
}

test('hostile: only JSON in UTF-8, and not compressed, is read', async () => {
  const text = JSON.stringify(hi);
  assert.equal((await post('/own', text, { 'content-type': 'text/plain' })).status, 415);
  assert.equal((await post('/own', text, { 'content-type': 'application/x-www-form-urlencoded' })).status, 415);
  assert.equal((await post('/own', text, { 'content-type': 'application/json; charset=latin1' })).status, 415);
  assert.equal((await post('/own', text, { 'content-type': 'application/json; charset=UTF-8' })).status, 200);
  assert.equal((await post('/own', text, { 'content-type': 'application/vnd.api+json' })).status, 200);
  const bomb = gzipSync(Buffer.alloc(50_000_000, 32));
  assert.equal((await post('/own', bomb, { 'content-encoding': 'gzip' })).status, 415);
  assert.equal((await post('/parsed', bomb, { 'content-encoding': 'gzip' })).status, 413);
  const bytes = Buffer.concat([Buffer.from('{"messages":[{"role":"user","content":"'), Buffer.from([0xff, 0xc0]), Buffer.from('"}]}')]);
  assert.match((await post('/own', bytes)).error.message, /UTF-8/);
  await isAlive();
});

test('hostile: a body that comes slowly, or never ends, holds up nobody else', async () => {
  const { port } = new URL(app.url);
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => {});
  const count = seen.length;
  socket.write('POST /own HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n');
  await isAlive();
  for (const byte of '"a":1') socket.write(`1\r\n${byte}\r\n`);
  await isAlive();
  socket.destroy();
  await isAlive();
  assert.equal(seen.length, count + 3, 'the handler got none of it');
});

test('hostile: Node’s time limit for a request ends a body that never ends', async () => {
  const got = [];
  const middleware = chatParser({ limit: 1000 });
  const server = http.createServer({ requestTimeout: 150, headersTimeout: 100, connectionsCheckingInterval: 50 });
  server.on('request', (request, response) => middleware(request, response, (error) => got.push(error)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect(server.address().port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{');
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  await once(socket, 'close');
  assert.match(text, /^HTTP\/1\.1 408 /);
  assert.deepEqual(got, []);
  server.close();
});

test('a body that another middleware used up is an error of the server, not a request without end', async () => {
  const { status, error } = await post('/fallen', hi);
  assert.equal(status, 500);
  assert.match(error.message, /the body was read before/);
});

// ---- Failures of ours -------------------------------------------------------------------------------------------------------------------

async function once500(options, body = hi) {
  const got = [];
  const server = await serve((one) => {
    one.post('/', chatParser(options), (request, response) => {
      got.push(request.palimpsest);
      request.palimpsest.observe({ prompt_tokens: 5 });
      response.json({ isBody: request.palimpsest.request === request.body });
    });
    one.use((error, _request, response, _next) => response.status(500).json({ message: error.message }));
  });
  try {
    const answer = await fetch(server.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    return { status: answer.status, got, ...(await answer.json()) };
  } finally {
    await server.close();
  }
}

test('a failure of ours lets the request go on as it came', async () => {
  const errors = [];
  const onError = (error, { params }) => void errors.push([error.message, params.path]);
  const session = () => {
    throw new Error('The store is down.');
  };
  for (const conversations of [0, 5]) {
    const { status, isBody, got } = await once500({ session, conversations, onError });
    assert.deepEqual([status, isBody, got[0].step, got[0].messages.length], [200, true, undefined, 1]);
  }
  assert.deepEqual(errors, Array(2).fill(['The store is down.', '/']));
  // Neither the options nor the client say how much a request may take.
  errors.length = 0;
  assert.equal((await once500({ onError, conversations: 0 }, { ...hi, model: 'nobody-knows' })).isBody, true);
  assert.equal((await once500({ onError }, { ...hi, model: 'nobody-knows' })).isBody, true);
  assert.equal(errors.length, 2);
  for (const [message] of errors) assert.match(message, /^chatParser\(\): options must give a limit or a window/);
});

test('a body that can’t be read for another reason than what the client sent goes on, too', async () => {
  const errors = [];
  const middleware = chatParser({ limit: 1000, onError: (error) => void errors.push(error.message) });
  const fail = () => {
    throw new Error('The body is a trap.');
  };
  const body = new Proxy({ a: 1, messages: hi.messages }, { getOwnPropertyDescriptor: fail, ownKeys: () => ['a'] });
  const request = { body, headers: {}, readableDidRead: true };
  await new Promise((resolve) => middleware(request, {}, resolve));
  assert.deepEqual(errors, ['The body is a trap.']);
  assert.ok(request.palimpsest.request === body && request.palimpsest.messages === hi.messages);
  request.palimpsest.observe({ prompt_tokens: 5 });
});

test('without onError the process warns; what onError throws is the error of the request', async () => {
  const warned = once(process, 'warning');
  const session = () => {
    throw new Error('The store is down.');
  };
  assert.equal((await once500({ session })).isBody, true);
  const [warning] = await warned;
  assert.equal(warning.code, 'PALIMPSEST_PASSED_THROUGH');
  const onError = (error) => {
    throw error;
  };
  const { status, message } = await once500({ session, onError });
  assert.deepEqual([status, message], [500, 'The store is down.']);
});

test('options are checked when the server starts', () => {
  assert.throws(() => chatParser({ limit: 'x' }), {
    name: 'TypeError',
    message: /^chatParser\(\): options\.limit must be/,
  });
  assert.throws(() => chatParser({ maxBytes: 0 }), {
    name: 'RangeError',
    message: /options\.maxBytes must be a whole number from 1, got 0/,
  });
  assert.throws(() => chatParser({ maxMesages: 5 }), /did you mean options\.maxMessages\?/);
  assert.throws(() => chatParser({ explainMarks: true }), /options\.explainMarks is not for endpoints/);
  assert.throws(() => chatParser(5), /options must be an object, got number/);
});

// ---- Other servers ---------------------------------------------------------------------------------------------------------------------------

test('it needs nothing that only Express 5 has', async () => {
  const middleware = chatParser({ limit: 1000 });
  // Parsers of Express 4 leave an empty object where they read nothing.
  const server = http.createServer((request, response) => {
    request.body = {};
    middleware(request, response, () => response.end(JSON.stringify({ count: request.palimpsest.messages.length })));
  });
  const origin = await listen(server);
  try {
    const send = (body) => fetch(origin, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    assert.deepEqual(await (await send(JSON.stringify(hi))).json(), { count: 1 });
    const refused = await send('{"messages":[7]}');
    assert.deepEqual([refused.status, refused.headers.get('content-type')], [400, 'application/json; charset=utf-8']);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
