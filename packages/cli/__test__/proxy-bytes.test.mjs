// What the proxy does to bytes: nothing, except for the elements of the list of messages that a session changed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as zlib from 'node:zlib';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { character } from '../../../__test__/support/characters.mjs';
import { cases } from '../../../__test__/support/seed.mjs';
import { findArray, guarded, textsFor, withItems } from '../dist/proxy/json-source.mjs';
import { startProxy } from '../dist/proxy/index.mjs';
import { readable, readUsage } from '../dist/proxy/usage.mjs';
import { JSON_HEADERS, send, startUpstream } from './raw-http.mjs';

async function withUpstream(work, { answer, ...options } = {}) {
  const upstream = await startUpstream(answer);
  const warnings = [];
  const proxy = await startProxy({ limit: 2000, port: 0, upstream: upstream.url, onWarning: (text) => warnings.push(text), ...options });
  try {
    return await work({ upstream, proxy, warnings });
  } finally {
    await proxy.close(0);
    await upstream.close();
  }
}

const spaces = fc.constantFrom('', ' ', '\n\t', '  ');
/** JSON texts as people and programs write them, with numbers that JavaScript has no exact value for. */
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('null', 'true', '18446744073709551616', '1.0', '-0', '1e400', '0.1', '12345678901234567', '5'),
    fc.string({ unit: character }).map((text) => JSON.stringify(text)),
    fc.constantFrom('"\\u00e9\\/\\\\"', '"]}\\""', '"\\ud83d"'),
    tie('list'),
    tie('object'),
  ),
  list: fc.tuple(spaces, fc.array(tie('value'), { maxLength: 4 })).map(([space, items]) => `[${space}${items.join(`${space},`)}${space}]`),
  object: fc
    .tuple(spaces, fc.uniqueArray(fc.tuple(fc.string(), tie('value')), { maxLength: 4, selector: ([key]) => key }))
    .map(([space, members]) => `{${space}${members.map(([key, value]) => `${JSON.stringify(key)}${space}:${value}`).join(',')}${space}}`),
}));
const body = fc
  .tuple(
    spaces,
    // Of elements that mean the same, any one's bytes will do.
    fc.uniqueArray(json.object, { maxLength: 5, selector: (text) => JSON.stringify(JSON.parse(text)) }),
    fc.uniqueArray(fc.tuple(fc.string(), json.value), { maxLength: 3, selector: ([key]) => key }),
    fc.nat(),
  )
  .filter(([, , members]) => members.every(([key]) => key !== 'messages'))
  .map(([space, items, members, place]) => {
    const list = `"messages"${space}:[${space}${items.join(`,${space}`)}${space}]`;
    const all = members.map(([key, value]) => `${JSON.stringify(key)}:${space}${value}`);
    all.splice(place % (all.length + 1), 0, list);
    return { text: `${space}{${all.join(`${space},`)}}${space}`, items };
  });

test('elements are found in every JSON text, and come back byte for byte', () => {
  fc.assert(
    fc.property(body, ({ text, items }) => {
      const source = findArray(text, 'messages');
      assert.deepEqual(
        source.items.map(([start, end]) => text.slice(start, end)),
        items,
      );
      const values = JSON.parse(guarded(source)).messages;
      assert.equal(withItems(source, textsFor(source, values)), text);
      // With one of them gone, the others and everything around them keep their bytes.
      if (items.length === 0) return;
      const [start, end] = source.array;
      assert.equal(
        withItems(source, textsFor(source, values.slice(1))),
        `${text.slice(0, start)}[${items.slice(1).join(',')}]${text.slice(end)}`,
      );
    }),
  );
});

test('a changed element keeps its numbers', () => {
  const text = '{"messages":[{"id":18446744073709551616,"x":[1.0,-0,1e400,7],"text":"long","more":12345678901234567890}]}';
  const source = findArray(text, 'messages');
  const [message] = JSON.parse(guarded(source)).messages;
  assert.equal(withItems(source, textsFor(source, [{ ...message, text: 'cut' }])), text.replace('long', 'cut'));
});

test('anything but an object with the list once is not touched', () => {
  for (const text of [
    '',
    '[]',
    '"messages"',
    '{"messages":{}}',
    '{"messages":[1}',
    '{"messages":[',
    '{"a":1,"messages":[],"messages":[]}',
  ]) {
    assert.equal(findArray(text, 'messages'), undefined, text);
  }
  fc.assert(fc.property(fc.string(), (text) => void findArray(text, 'messages')));
});

const long = (n) => Array.from({ length: 400 }, (_, row) => `${n}: row ${row} has ${row * 37 + n} entries`).join('\n');
/** A conversation of 60,000 tokens, written with spaces, big integers and members that nobody knows. */
const conversation = `{ "model" : "claude-test", "seed": 18446744073709551616, "messages": [
  {"role": "user", "content": "Why is the export slow? \\u00e9"},
  ${Array.from({ length: 8 }, (_, n) => [
    `{"role": "assistant", "content": [{"type": "tool_use", "id": "call_${n}", "name": "read", "input": {"id": 12345678901234567890, "path": "a"}}]}`,
    `{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_${n}", "content": ${JSON.stringify(long(n))}}]}`,
  ])
    .flat()
    .join(',\n  ')}
], "zzz": {"b": 1.0, "a": [ ]}, "max_tokens": 100 }`;

test('only the list changes: members, their order, numbers and spaces stay', async () => {
  await withUpstream(async ({ upstream, proxy, warnings }) => {
    await send(proxy.url, { path: '/v1/messages', headers: JSON_HEADERS, body: conversation });
    assert.deepEqual(warnings, []);
    const sent = upstream.requests[0].body.toString();
    const [start] = findArray(conversation, 'messages').array;
    assert.ok(sent.length < conversation.length / 2, `${sent.length}`);
    assert.equal(sent.slice(0, start), conversation.slice(0, start));
    assert.ok(sent.endsWith('], "zzz": {"b": 1.0, "a": [ ]}, "max_tokens": 100 }'));
    assert.ok(sent.includes('{"role": "user", "content": "Why is the export slow? \\u00e9"}'), 'what was not cut keeps its bytes');
    for (const [id] of sent.matchAll(/"id":\s*\d+/g)) assert.match(id, /12345678901234567890$/);
    assert.equal(Number(upstream.requests[0].headers['content-length']), upstream.requests[0].body.length);
  });
});

test('switched off, by the request or the environment, a body goes out as it came', async (t) => {
  t.after(() => delete process.env.PALIMPSEST);
  await withUpstream(async ({ upstream, proxy, warnings }) => {
    const ask = (headers) => send(proxy.url, { path: '/v1/messages', headers: { ...JSON_HEADERS, ...headers }, body: conversation });
    await ask({ 'x-palimpsest': 'off' });
    process.env.PALIMPSEST = 'off';
    await ask();
    delete process.env.PALIMPSEST;
    await ask();
    assert.deepEqual(warnings, []);
    const bodies = upstream.requests.map(({ body }) => body.toString());
    assert.deepEqual(bodies.slice(0, 2), [conversation, conversation]);
    assert.ok(bodies[2].length < conversation.length / 2, 'and on again');
    assert.equal(upstream.requests[0].headers['x-palimpsest'], undefined, 'no provider sees the switch');
  });
});

const pass = { limit: 1_000_000 };
/** Bodies that must reach the provider as they are. */
const HOSTILE = {
  'truncated JSON': conversation.slice(0, -40),
  'a list that never ends': `{"messages":${'['.repeat(200_000)}`,
  'deep JSON': `{"messages":[{"role":"user","content":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}`,
  'the messages twice': conversation.replace('"zzz"', '"messages"'),
  'invalid UTF-8': Buffer.concat([
    Buffer.from(conversation.slice(0, 100)),
    Buffer.from([0xff, 0xfe]),
    Buffer.from(conversation.slice(100)),
  ]),
  'a byte order mark': `\uFEFF${conversation}`,
  'no JSON at all': 'messages=1',
  nothing: '',
  'null messages': '{"messages":[null,null]}',
  'messages of other shapes': '{"messages":[{"role":"user","content":[{"type":"tool_result"}]},7,"text"]}',
  'a prototype': '{"__proto__":{"thread":1},"messages":[{"role":"user","content":"Hello.","__proto__":{"x":1}}]}',
  'a history at the provider': conversation.replace('"zzz"', '"thread"'),
};

test('bodies that nobody can read, or that the provider completes, go out as they came', async () => {
  await withUpstream(async ({ upstream, proxy, warnings }) => {
    for (const [name, given] of Object.entries(HOSTILE)) {
      const { status } = await send(proxy.url, { path: '/v1/messages', headers: JSON_HEADERS, body: given });
      assert.equal(status, 200, name);
      assert.ok(upstream.requests.at(-1).body.equals(Buffer.from(given)), name);
    }
    for (const member of ['previous_response_id', 'conversation']) {
      const given = conversation.replace('"messages"', '"input"').replace('"zzz"', `"${member}"`);
      await send(proxy.url, { path: '/v1/responses', headers: JSON_HEADERS, body: given });
      assert.equal(upstream.requests.at(-1).body.toString(), given);
    }
    // What is wrong is said once, without what the messages say.
    assert.equal(new Set(warnings).size, warnings.length);
    assert.ok(warnings.some((text) => text.includes('the provider keeps the history')));
    assert.doesNotMatch(warnings.join('\n'), /export|row|read/);
  });
});

test('compressed bodies, other types, methods and paths go through', async () => {
  await withUpstream(async ({ upstream, proxy }) => {
    const zipped = gzipSync(conversation);
    const requests = [
      { path: '/v1/messages', headers: { ...JSON_HEADERS, 'content-encoding': 'gzip' }, body: zipped },
      { path: '/v1/messages', headers: { 'content-type': 'text/plain' }, body: conversation },
      { path: '/v1/messages', method: 'PUT', headers: JSON_HEADERS, body: conversation },
      { path: '/v1/files?x=%2e&y=a/../b', headers: JSON_HEADERS, body: conversation },
      { path: '/v1/models', method: 'GET' },
      { path: '/v1/batches/7', method: 'DELETE' },
    ];
    for (const { path, method = 'POST', headers, body: given } of requests) {
      await send(proxy.url, { path, method, headers, body: given });
      const record = upstream.requests.at(-1);
      assert.deepEqual([record.method, record.url], [method, path]);
      assert.ok(record.body.equals(Buffer.from(given ?? '')), path);
      assert.equal(record.headers['content-encoding'], headers?.['content-encoding']);
    }
  });
});

/** Headers of an answer, names and values in turn. */
const ANSWERED = [
  'X-Request-ID',
  'r1',
  'Set-Cookie',
  'a=1',
  'Set-Cookie',
  'b=2',
  'Content-Type',
  'application/json',
  'Content-Length',
  '2',
];

test('headers keep their order, spelling and repetitions in both directions; those of the connection end here', async () => {
  const answer = (_request, response) => response.writeHead(201, 'Fine', ANSWERED).end('{}');
  await withUpstream(
    async ({ upstream, proxy }) => {
      const host = proxy.url.slice('http://'.length);
      const own = ['Host', host, 'x-API-key', 'sk-1', 'Anthropic-Beta', 'a', 'anthropic-beta', 'b', 'Content-Type', 'application/json'];
      const headers = [...own, 'Connection', 'close, X-Hop', 'X-Hop', '1', 'TE', 'trailers', 'Content-Length', String(conversation.length)];
      const { status, raw } = await send(proxy.url, { path: '/v1/messages', headers, body: conversation });
      assert.equal(status, 201);
      assert.deepEqual(raw.slice(0, ANSWERED.length), ANSWERED);
      const sent = upstream.requests[0].raw;
      const end = sent.indexOf('Content-Length');
      assert.deepEqual(sent.slice(0, end), ['Host', upstream.url.slice('http://'.length), ...own.slice(2)]);
      assert.doesNotMatch(JSON.stringify(sent), /X-Hop|trailers/);
    },
    { answer, ...pass },
  );
});

test("what a browser could run of an answer gets an origin of its own; a model's answer stays as it came", async () => {
  const types = {
    none: undefined,
    html: 'text/html; charset=utf-8',
    xhtml: 'application/xhtml+xml',
    svg: 'image/svg+xml',
    text: 'text/plain',
  };
  const inert = {
    json: 'application/json; charset=utf-8',
    problem: 'application/problem+json',
    stream: 'text/event-stream',
    image: 'image/png',
  };
  const all = Object.entries({ ...types, ...inert });
  for (const [name, type] of all) {
    const own = [...(type === undefined ? [] : ['Content-Type', type]), 'Content-Security-Policy', 'upgrade-insecure-requests'];
    const answer = (_request, response) => response.writeHead(200, own).end('<script>document.title = 1</script>');
    await withUpstream(
      async ({ proxy }) => {
        const { raw, headers, text } = await send(proxy.url, { method: 'GET', path: '/v1/models' });
        assert.equal(text, '<script>document.title = 1</script>');
        assert.deepEqual(raw.slice(0, own.length), own, name);
        const policies = headers['content-security-policy'].split(/, /);
        assert.equal(policies[0], 'upgrade-insecure-requests');
        if (name in inert) assert.deepEqual([policies.length, headers['x-content-type-options']], [1, undefined], name);
        else {
          // No `allow-scripts` and no `allow-same-origin`.
          assert.match(policies[1], /^sandbox; default-src 'none'/, name);
          assert.equal(headers['x-content-type-options'], 'nosniff');
        }
      },
      { answer, ...pass },
    );
  }
});

test('a conversation that goes out uncut is told, once for each reason, and counted on the page; what is short or meant to is not', async () => {
  await withUpstream(async ({ proxy, warnings }) => {
    const ask = (more, body = conversation) => send(proxy.url, { path: '/v1/messages', headers: { ...JSON_HEADERS, ...more }, body });
    const short = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello.' }] });
    await ask({ 'x-palimpsest': 'off' });
    await ask({ 'content-encoding': 'gzip' }, gzipSync(short));
    await ask({ 'content-type': 'text/plain' }, short);
    await ask({});
    assert.deepEqual(warnings, []);
    const kept = JSON.stringify({ model: 'm', previous_response_id: 'resp_1', input: [{ role: 'user', content: 'And now?' }] });
    for (let count = 0; count < 2; count++) await send(proxy.url, { path: '/v1/responses', headers: JSON_HEADERS, body: kept });
    await ask({ 'content-type': 'text/plain' });
    assert.equal(warnings.length, 2);
    assert.match(warnings[0], /^a conversation goes out uncut: the provider keeps the history; have the client send all messages/);
    assert.match(warnings[1], /^a conversation goes out uncut: the body is not declared as JSON/);
    const events = await fetch(`${proxy.url}/palimpsest/events`);
    const { value } = await events.body.getReader().read();
    const { uncut } = JSON.parse(Buffer.from(value).toString().slice('data:'.length));
    assert.deepEqual(
      uncut.map(([reason, count]) => [reason.split(';')[0], count]),
      [
        ['the provider keeps the history', 2],
        ['the body is not declared as JSON', 1],
      ],
    );
  });
});

test('redirects are passed on, not followed', async () => {
  const answer = (_request, response) => response.writeHead(307, { location: 'http://127.0.0.1:9/stolen' }).end();
  await withUpstream(
    async ({ proxy, upstream }) => {
      const { status, headers } = await send(proxy.url, { path: '/v1/messages', headers: JSON_HEADERS, body: conversation });
      assert.equal(status, 307);
      assert.equal(headers.location, 'http://127.0.0.1:9/stolen');
      assert.equal(upstream.requests.length, 1);
    },
    { answer },
  );
});

const events = [
  { type: 'message_start', message: { usage: { input_tokens: 7, cache_read_input_tokens: 9 } } },
  { type: 'content_block_delta', delta: { text: 'the usage of "usage"' } },
  { type: 'message_delta', usage: { output_tokens: 12 } },
];
const stream = Buffer.from(events.map((event) => `event: ${event.type}\r\ndata: ${JSON.stringify(event)}\r\n\r\n`).join(''));

test('the usage of a stream is found wherever its chunks end, compressed or not', async () => {
  const found = (bytes, sizes, encoding) =>
    new Promise((resolve) => {
      const copy = readUsage({ 'content-type': 'text/event-stream', ...(encoding && { 'content-encoding': encoding }) }, resolve);
      for (let at = 0, n = 0; at < bytes.length; n++) {
        copy.write(bytes.subarray(at, at + sizes[n % sizes.length]));
        at += sizes[n % sizes.length];
      }
      copy.end();
    });
  const expected = { usage: events[0].message.usage, output: 12 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }),
      fc.constantFrom(undefined, 'gzip', 'br', ...(zlib.zstdCompressSync === undefined ? [] : ['zstd'])),
      async (sizes, encoding) => {
        const bytes = { gzip: gzipSync, br: brotliCompressSync, zstd: zlib.zstdCompressSync }[encoding]?.(stream) ?? stream;
        assert.deepEqual(await found(bytes, sizes, encoding), expected);
      },
    ),
    { numRuns: cases(30) },
  );
  // What is broken, or too much, has no usage, and harms nobody.
  assert.deepEqual(await found(Buffer.from('not zipped'), [3], 'gzip'), {});
  assert.deepEqual(await found(gzipSync(Buffer.alloc(80 * 2 ** 20)), [4096], 'gzip'), {});
  assert.deepEqual(await found(stream, [50], 'zstd'), {});
});

test('no answer is asked for in a coding that this Node.js can’t read', () => {
  const asked = (value) => readable(['Accept', 'zstd', 'accept-Encoding', value])[3];
  const hasZstd = zlib.createZstdDecompress !== undefined;
  assert.equal(asked('gzip, deflate, br, zstd'), hasZstd ? 'gzip, deflate, br, zstd' : 'gzip, deflate, br');
  assert.equal(asked('ZSTD;q=1, gzip;q=0.5'), hasZstd ? 'ZSTD;q=1, gzip;q=0.5' : ' gzip;q=0.5');
  assert.equal(asked('gzip, zstandard'), 'gzip, zstandard');
  assert.equal(readable(['Accept', 'zstd'])[1], 'zstd');
});
