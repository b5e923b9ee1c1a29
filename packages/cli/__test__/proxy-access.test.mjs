// Who may use the proxy, where requests can go, and what a page shows of them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import fc from 'fast-check';
import { character } from '../../../__test__/support/characters.mjs';
import { cases } from '../../../__test__/support/seed.mjs';
import { startProxy } from '../dist/proxy/index.mjs';
import { JSON_HEADERS, send, sendRaw, startUpstream } from './raw-http.mjs';
import { palimpsest } from './run.mjs';

const TOKEN = 'a-token_of-20-letters';
const BODY = JSON.stringify({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Hello.' }] });

async function withUpstream(work, options) {
  const upstream = await startUpstream();
  const proxy = await startProxy({ limit: 2000, port: 0, upstream: upstream.url, ...options });
  try {
    return await work({ upstream, proxy });
  } finally {
    await proxy.close(0);
    await upstream.close();
  }
}

test('web pages can not use it: foreign names, origins and sites are refused before anything is read', async () => {
  await withUpstream(async ({ upstream, proxy }) => {
    const own = new URL(proxy.url).host;
    const refused = [
      { host: 'evil.example' },
      { host: `evil.example:${new URL(proxy.url).port}` },
      { host: `127.0.0.1.evil.example` },
      { host: `localhost@evil.example` },
      { host: own, origin: 'http://evil.example' },
      { host: own, origin: 'null' },
      { host: own, origin: 'http://127.0.0.1:1' },
      { host: own, origin: `https://${own}` },
      { host: own, 'sec-fetch-site': 'cross-site' },
      { host: own, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
      { host: own, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    ];
    for (const headers of refused) {
      for (const [method, path] of [
        ['POST', '/v1/messages'],
        ['GET', '/'],
        ['GET', '/palimpsest/events'],
        ['OPTIONS', '/v1/messages'],
      ]) {
        const body = method === 'POST' ? BODY : undefined;
        const { status, headers: answered } = await send(proxy.url, {
          method,
          path,
          headers: { ...headers, 'content-type': 'text/plain' },
          body,
        });
        assert.ok(status === 403 || status === 400, `${JSON.stringify(headers)}: ${status}`);
        assert.equal(answered['access-control-allow-origin'], undefined);
      }
    }
    assert.equal(upstream.requests.length, 0);
    const form = { host: own, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    assert.equal((await send(proxy.url, { path: '/v1/messages', headers: form, body: BODY })).status, 403);
    for (const host of [own, 'localhost', 'LOCALHOST:1', '[::1]:8', '127.9.9.9']) {
      assert.equal((await send(proxy.url, { path: '/v1/messages', headers: { ...JSON_HEADERS, host }, body: BODY })).status, 200, host);
    }
  });
});

test('requests to other hosts than the upstream are impossible', async () => {
  const other = await startUpstream();
  try {
    await withUpstream(async ({ upstream, proxy }) => {
      const { host } = new URL(proxy.url);
      const targets = [
        `${other.url}/v1/messages`,
        other.url.replace('http:', ''),
        `//${new URL(other.url).host}/v1/messages`,
        '*',
        `\\\\${new URL(other.url).host}`,
        '/v1/../../admin',
        '/v1/%2e%2E/admin',
        '/v1/..%2fadmin',
        '/v1/..;/admin',
        '/.',
        '/..\\admin',
      ];
      for (const target of targets) {
        const answer = await sendRaw(proxy.url, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
        assert.match(answer, /^HTTP\/1\.1 4\d\d /, target);
      }
      await sendRaw(proxy.url, `CONNECT ${new URL(other.url).host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      assert.match(await sendRaw(proxy.url, `GET / HTTP/1.1\r\nHost: ${host}\r\nHost: ${host}\r\n\r\n`), /^HTTP\/1\.1 400 /);
      assert.match(
        await sendRaw(
          proxy.url,
          `POST /v1/messages HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
        ),
        /^HTTP\/1\.1 400 /,
      );
      assert.deepEqual([upstream.requests.length, other.requests.length], [0, 0]);
      // Names in headers don't lead anywhere, either.
      const headers = { ...JSON_HEADERS, 'x-forwarded-host': new URL(other.url).host, forwarded: `host=${new URL(other.url).host}` };
      await send(proxy.url, { path: `/v1/messages?url=${other.url}`, headers, body: BODY });
      assert.deepEqual([upstream.requests.length, other.requests.length], [1, 0]);
    });
  } finally {
    await other.close();
  }
});

test('no bytes in the head of a request make it fall, or reach another host', async () => {
  await withUpstream(async ({ upstream, proxy }) => {
    const { host } = new URL(proxy.url);
    const line = fc.oneof(
      fc.string({ unit: character, maxLength: 60 }),
      fc.constantFrom(
        'Content-Length: -1',
        'Content-Length: 1e9',
        'Transfer-Encoding: x',
        'Upgrade: websocket',
        'Expect: x',
        `Host: ${host}`,
      ),
      fc.tuple(fc.string(), fc.string()).map(([name, value]) => `${name}: ${value}`),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'X'),
        fc.string({ unit: character, maxLength: 40 }),
        fc.array(line, { maxLength: 4 }),
        async (method, path, lines) => {
          await sendRaw(
            proxy.url,
            Buffer.from(`${method} /${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${lines.join('\r\n')}\r\n\r\n`),
          );
          assert.equal((await send(proxy.url, { method: 'GET', path: '/healthz' })).text, '{"status":"ok"}\n');
        },
      ),
      { numRuns: cases(25) },
    );
    for (const { headers } of upstream.requests) assert.equal(headers.host, new URL(upstream.url).host);
  });
});

test('a WebSocket is refused, and no key passes with what asks for it', async () => {
  await withUpstream(async ({ upstream, proxy }) => {
    const wanted = { connection: 'Upgrade', 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    for (const upgrade of ['websocket', 'WebSocket', 'h2c, websocket', 'websocket/13']) {
      for (const path of [
        '/v1/realtime?model=m',
        '/v1/responses',
        '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
      ]) {
        const headers = { ...wanted, upgrade, authorization: 'Bearer sk-secret' };
        const { status, text } = await send(proxy.url, { method: 'GET', path, headers });
        assert.equal(status, 501, `${upgrade} ${path}`);
        assert.match(JSON.parse(text).error.message, /^palimpsest proxy: WebSockets do not go through: use the API over HTTP/);
      }
    }
    // The client's own WebSocket hears of it, too.
    if (globalThis.WebSocket !== undefined) {
      const socket = new WebSocket(`${proxy.url.replace('http:', 'ws:')}/v1/realtime`);
      await once(socket, 'error');
    }
    assert.deepEqual(upstream.requests, []);
    // Clients that offer HTTP/2 this way go on with HTTP/1.1.
    const headers = {
      ...JSON_HEADERS,
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
    };
    assert.equal((await send(proxy.url, { path: '/v1/messages', headers, body: BODY })).status, 200);
    assert.deepEqual([upstream.requests.length, upstream.requests[0].headers.upgrade], [1, undefined]);
  });
});

test('headers that are too large are answered with 431 that says so, others pass', async () => {
  await withUpstream(async ({ upstream, proxy }) => {
    const { host } = new URL(proxy.url);
    for (const [size, many] of [
      [16_384, 1],
      [20_000, 1],
      [1_000, 17],
      [3_000, 300],
    ]) {
      const lines = Array.from({ length: many }, (_, n) => `X-Header-${n}: ${'a'.repeat(size)}\r\n`).join('');
      const answer = await sendRaw(proxy.url, `POST /v1/messages HTTP/1.1\r\nHost: ${host}\r\n${lines}Content-Length: 2\r\n\r\n{}`);
      const [head, body] = answer.split('\r\n\r\n');
      assert.match(head, /^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/, `${many} of ${size}`);
      assert.match(JSON.parse(body).error.message, /^palimpsest proxy: the headers of the request are larger than 16 KB: .*NODE_OPTIONS/);
    }
    const answer = await sendRaw(proxy.url, 'no HTTP\r\n\r\n');
    assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n.*the request can not be read/s);
    assert.deepEqual(upstream.requests, []);
    const headers = { ...JSON_HEADERS, 'x-long': 'a'.repeat(15_000) };
    assert.equal((await send(proxy.url, { path: '/v1/messages', headers, body: BODY })).status, 200);
    assert.equal(upstream.requests[0].headers['x-long'], headers['x-long']);
  });
});

test('beyond this machine it wants a token, which no provider sees', async () => {
  await assert.rejects(startProxy({ limit: 2000, port: 0, host: '0.0.0.0' }), {
    message: /0\.0\.0\.0, beyond this machine, needs a token/,
  });
  await withUpstream(
    async ({ upstream, proxy }) => {
      const base = `http://127.0.0.1:${new URL(proxy.url).port}`;
      assert.equal(new URL(proxy.url).pathname, `/${TOKEN}`);
      for (const path of [
        '/',
        '/v1/messages',
        '/healthz',
        `/${TOKEN}x/v1/messages`,
        `/${TOKEN.slice(1)}/v1/messages`,
        `/v1/messages?${TOKEN}`,
      ]) {
        const { status, text } = await send(base, {
          path,
          headers: { ...JSON_HEADERS, host: 'box.example:80', 'x-api-key': TOKEN },
          body: BODY,
        });
        assert.equal(status, 401, path);
        assert.ok(!text.includes(TOKEN));
      }
      assert.equal(upstream.requests.length, 0);
      await send(base, { path: `/${TOKEN}/v1/messages?beta=true`, headers: { ...JSON_HEADERS, host: 'box.example' }, body: BODY });
      await send(base, { path: '/v1/messages', headers: { ...JSON_HEADERS, 'X-Palimpsest-Token': TOKEN }, body: BODY });
      assert.deepEqual(
        upstream.requests.map(({ url }) => url),
        ['/v1/messages?beta=true', '/v1/messages'],
      );
      assert.ok(!JSON.stringify(upstream.requests).includes(TOKEN));
      assert.equal((await send(base, { method: 'GET', path: `/${TOKEN}` })).status, 200);
      // Other sites' pages know no token, and are told apart all the same.
      assert.equal(
        (await send(base, { path: `/${TOKEN}/v1/messages`, headers: { origin: 'http://evil.example' }, body: BODY })).status,
        403,
      );
    },
    { host: '0.0.0.0', token: TOKEN },
  );
});

/** Reads the first events of the page until one satisfies `isLast`. */
async function watch(url, isLast) {
  const response = await fetch(`${url}/palimpsest/events`);
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (isLast(text)) return text;
  }
}

test('the page shows what went through, under a strict policy and without keys', async () => {
  const body = JSON.stringify({ ...JSON.parse(BODY), model: '<img src=x>', messages: [{ role: 'user', content: 'What the user said.' }] });
  const headers = { ...JSON_HEADERS, 'x-api-key': 'sk-secret', authorization: 'Bearer sk-secret' };
  for (const redact of [false, true]) {
    await withUpstream(
      async ({ proxy }) => {
        const [text] = await Promise.all([
          watch(proxy.url, (seen) => seen.includes('"id":1') && seen.includes('"version":1')),
          send(proxy.url, { path: '/v1/messages?key=sk-secret', headers, body }),
        ]);
        assert.match(text, /"api":"anthropic","model":"<img src=x>","before":\d+/);
        const page = await send(proxy.url, { method: 'GET', path: '/' });
        assert.equal(page.headers['content-security-policy'], "frame-ancestors 'none'");
        assert.match(
          page.text,
          /Content-Security-Policy" content="default-src 'none'; script-src( 'sha256-[^']+'){2}; style-src( 'sha256-[^']+'){3}; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'"/,
        );
        assert.equal(page.text.includes('What the user said.'), !redact);
        for (const seen of [text, page.text]) assert.doesNotMatch(seen, /secret/);
        assert.doesNotMatch(text, /What the user said/);
      },
      { redact },
    );
  }
});

test('wrong options are errors in one line', async () => {
  const wrong = [
    [{ limit: 0 }, /limit must be an integer from 1/],
    [{ limit: 10, port: 70_000 }, /port must be/],
    [{ limit: 10, upstream: 'api.example.com' }, /upstream must be a URL/],
    [{ limit: 10, upstream: 'ftp://api.example.com' }, /https or http/],
    [{ limit: 10, upstream: 'https://user:password@api.example.com' }, /without a user, password/],
    [{ limit: 10, upstream: { openai: 'https://x.example?key=1' } }, /without a user, password/],
    [{ limit: 10, token: 'short' }, /token must have 16/],
    [{ limit: 10, host: '192.168.1.1' }, /needs a token/],
    [{ limit: 10, timeout: 2 ** 40 }, /timeout must be/],
  ];
  for (const [options, message] of wrong) await assert.rejects(startProxy(options), { message });
  const first = await startProxy({ limit: 10, port: 0 });
  const port = Number(new URL(first.url).port);
  await assert.rejects(startProxy({ limit: 10, port }), {
    message: `can't listen on 127.0.0.1:${port}: another program uses this port: choose one with --port, or 0 for any free one`,
  });
  await first.close(0);
  await assert.rejects(startProxy({ limit: 10, port, upstream: `http://localhost:${port}` }), {
    message: /the upstream is this proxy itself/,
  });
});

test('palimpsest proxy: its arguments, and a process that ends when it is interrupted', async () => {
  assert.deepEqual(await palimpsest(['proxy']), {
    code: 2,
    stdout: '',
    stderr: 'palimpsest: proxy needs --limit TOKENS, such as --limit 100k\n',
  });
  const exposed = await palimpsest(['proxy', '--limit', '1k', '--host', '0.0.0.0']);
  assert.deepEqual(
    [exposed.code, exposed.stderr],
    [2, 'palimpsest: listening on 0.0.0.0, beyond this machine, needs a token: give --token, or PALIMPSEST_TOKEN\n'],
  );
  const program = fileURLToPath(new URL('../bin/palimpsest.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, 'proxy', '--limit', '10k', '--port', '0', '-q'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  assert.equal((await send(`${line.trim()}/healthz`, { method: 'GET' })).status, 200);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  assert.equal(code, process.platform === 'win32' ? null : 0);
});

test('palimpsest proxy under npx ends with the shell that npx started', { skip: process.platform === 'win32' }, async () => {
  const program = fileURLToPath(new URL('../bin/palimpsest.mjs', import.meta.url));
  // Behind it, the shell has something to do, so that it stays its parent.
  const shell = spawn('sh', ['-c', `"${process.execPath}" "${program}" proxy --limit 10k --port 0 -q; true`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, npm_command: 'exec' },
  });
  const [line] = await once(shell.stdout.setEncoding('utf8'), 'data');
  shell.kill('SIGTERM');
  // The proxy holds its end of the pipe until it is gone.
  await once(shell, 'close');
  await assert.rejects(send(`${line.trim()}/healthz`, { method: 'GET' }));
});
