// The proxy where only another proxy leads out: HTTPS_PROXY and NO_PROXY.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { listen } from '../../../__test__/support/listen.mjs';
import { JSON_HEADERS, send, startUpstream } from './raw-http.mjs';

const CLI = fileURLToPath(new URL('../bin/palimpsest.mjs', import.meta.url));
const BODY = JSON.stringify({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Hello.' }] });
const HEADERS = { ...JSON_HEADERS, 'x-api-key': 'sk-secret' };

const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-tunnel-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => join(scratch, name));
const made = spawnSync('openssl', [
  ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-keyout', key],
  ...['-out', certificate, '-subj', '/CN=provider.test', '-addext', 'subjectAltName=DNS:provider.test'],
]);
const skip = made.status === 0 ? false : 'no openssl: there is no certificate for a provider';

describe('a provider that only HTTPS_PROXY leads to', { skip }, () => {
  /** Requests of the provider, which no name leads to. */
  const requests = [];
  let provider;
  /** What the proxy outside was asked, and how many bytes came before it let anybody through. */
  const asked = [];
  let outside;
  let url;
  let status = 200;
  before(async () => {
    provider = createSecureServer({ key: readFileSync(key), cert: readFileSync(certificate) }, async (request, response) => {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      requests.push({ url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(200, JSON_HEADERS).end('{"it":"passed"}');
    });
    await listen(provider);
    outside = createServer((request, response) => {
      asked.push({ url: request.url, headers: request.headers });
      response.writeHead(500).end();
    });
    outside.on('connect', ({ url: target, headers }, socket, head) => {
      socket.on('error', () => {});
      const record = { url: target, headers, received: head.toString() };
      asked.push(record);
      outside.emit('asked');
      if (status === undefined) return;
      if (status !== 200) {
        socket.on('data', (chunk) => {
          record.received += chunk;
        });
        return socket.end(`HTTP/1.1 ${status} No\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n`);
      }
      const through = connect(provider.address().port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(through).pipe(socket);
      });
      through.on('error', () => socket.destroy());
    });
    url = await listen(outside);
  });
  after(async () => {
    for (const server of [provider, outside]) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** Starts the program with such an environment, for the time of `work`. */
  async function withProgram(env, work, upstream = 'https://provider.test/base') {
    requests.length = 0;
    asked.length = 0;
    const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name)));
    const child = spawn(process.execPath, [CLI, 'proxy', '--limit', '10k', '--port', '0', '-q', '--upstream', upstream], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...clean, NODE_EXTRA_CA_CERTS: certificate, ...env },
    });
    try {
      const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
      await work((body = BODY, signal) => send(line.trim(), { path: '/v1/messages', headers: HEADERS, body, signal }));
    } finally {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  }

  for (const [name, env] of [
    ['HTTPS_PROXY', () => ({ HTTPS_PROXY: url })],
    ['https_proxy', () => ({ https_proxy: url, NO_PROXY: 'other.test,127.0.0.1' })],
    ['ALL_PROXY', () => ({ ALL_PROXY: url.replace('//', '//user:pass%40word@') })],
  ]) {
    test(`${name}: requests go through a tunnel, which is kept, and the proxy outside sees no key`, async () => {
      await withProgram(env(), async (ask) => {
        const large = JSON.stringify({ ...JSON.parse(BODY), metadata: { user_id: 'u'.repeat(300_000) } });
        for (const body of [BODY, large, BODY]) assert.deepEqual((await ask(body)).text, '{"it":"passed"}');
        assert.deepEqual(
          requests.map(({ url: path, headers, body }) => [path, headers.host, headers['x-api-key'], body]),
          [BODY, large, BODY].map((body) => ['/base/v1/messages', 'provider.test', 'sk-secret', body]),
        );
        assert.deepEqual(
          asked.map(({ url: target }) => target),
          ['provider.test:443'],
        );
        assert.doesNotMatch(JSON.stringify(asked), /sk-secret/);
        const credentials = name === 'ALL_PROXY' ? `Basic ${Buffer.from('user:pass@word').toString('base64')}` : undefined;
        assert.equal(asked[0].headers['proxy-authorization'], credentials);
      });
    });
  }

  test('a proxy outside that refuses gets no request, and the answer says what it said', async () => {
    for (status of [407, 403]) {
      await withProgram({ HTTPS_PROXY: url }, async (ask) => {
        const answer = await ask();
        assert.equal(answer.status, 502);
        assert.match(answer.text, new RegExp(`the upstream did not answer \\(the proxy of HTTPS_PROXY said ${status}\\)`));
        assert.deepEqual(
          asked.map(({ received }) => received),
          [''],
        );
      });
    }
    status = 200;
  });

  test('a proxy outside that never answers holds nobody: neither a client that goes, nor the program when it is to end', async () => {
    status = undefined;
    await withProgram({ HTTPS_PROXY: url }, async (ask) => {
      const gone = new AbortController();
      const answer = ask(BODY, gone.signal);
      await once(outside, 'asked');
      gone.abort();
      await assert.rejects(answer);
    });
    status = 200;
  });

  test('NO_PROXY names hosts that are asked directly, and an upstream with http always is', async () => {
    for (const no of ['provider.test', '.test', '*', 'a.test provider.test:443']) {
      await withProgram({ HTTPS_PROXY: url, NO_PROXY: no }, async (ask) => {
        assert.equal((await ask()).status, 502);
        assert.deepEqual(asked, []);
      });
    }
    const upstream = await startUpstream();
    await withProgram(
      { HTTPS_PROXY: url, HTTP_PROXY: url },
      async (ask) => {
        assert.equal((await ask()).status, 200);
        assert.deepEqual([upstream.requests.length, asked], [1, []]);
      },
      upstream.url,
    );
    await upstream.close();
  });
});

test('HTTPS_PROXY that is no URL of an HTTP proxy is an error before anything is sent, which shows no password', () => {
  for (const wrong of ['socks5://user:secret@127.0.0.1:1080', 'http://user:secret@[', 'ftp://proxy.test']) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, 'proxy', '--limit', '10k', '--port', '0'], {
      encoding: 'utf8',
      env: { ...process.env, https_proxy: '', HTTPS_PROXY: wrong, NO_PROXY: '', no_proxy: '' },
    });
    const message = 'palimpsest: HTTPS_PROXY must be a URL with http or https; NO_PROXY names the hosts that need none\n';
    assert.deepEqual([status, stdout, stderr], [2, '', message], wrong);
  }
});
