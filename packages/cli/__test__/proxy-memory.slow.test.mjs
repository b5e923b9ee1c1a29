// The memory of the proxy's process, measured under load: it stays below the bound of docs/proxy.md, however much went through.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { JSON_HEADERS, send, startUpstream } from './raw-http.mjs';

const MIB = 2 ** 20;
/** The bound of docs/proxy.md in MiB. */
const BOUND = 2048;
const CLI = fileURLToPath(new URL('../bin/palimpsest.mjs', import.meta.url));
const CHUNK = Buffer.from(`data: {"text":"${'word '.repeat(30_000)}"}\n\n`);
const USAGE = '{"usage":{"input_tokens":1000,"cache_read_input_tokens":0,"output_tokens":10}}';
/** A stream without an end, which is written no faster than it is read. */
function* chunks() {
  for (;;) yield CHUNK;
}
const skip = existsSync('/proc/self/status') ? false : 'no /proc: the memory of another process is not known here';

describe('the memory of the process', { skip, timeout: 240_000 }, () => {
  let upstream;
  let proxy;
  let url;
  before(async () => {
    upstream = await startUpstream(async (request, response, record) => {
      record.body = undefined;
      upstream.requests.length = 0;
      if (!request.url.includes('stream')) return response.writeHead(200, JSON_HEADERS).end(USAGE);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      await pipeline(Readable.from(chunks(), { objectMode: false }), response).catch(() => {});
    });
    const args = [CLI, 'proxy', '--limit', '100k', '--port', '0', '--quiet', '--upstream', upstream.url];
    proxy = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(proxy.stdout, 'data');
    url = String(line).trim();
  });
  after(async () => {
    if (proxy?.exitCode === null) {
      proxy.kill('SIGTERM');
      await once(proxy, 'exit');
    }
    await upstream?.close();
  });

  /** Resident memory in MiB: now, or at most. */
  function memory(name = 'VmRSS') {
    const status = readFileSync(`/proc/${proxy.pid}/status`, 'utf8');
    return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)[1]) / 1024;
  }

  const agent = new http.Agent({ keepAlive: true });
  /** Sends bodies, so many at once. */
  async function sendAll(count, atOnce, bodyOf) {
    let next = 0;
    const worker = async () => {
      while (next < count) {
        const { status } = await send(url, { path: '/v1/messages', headers: JSON_HEADERS, body: bodyOf(next++), agent });
        assert.equal(status, 200);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }

  test('sessions take no more than what there is room for, however many there were', async (t) => {
    const empty = memory();
    let made = 0;
    const data = Buffer.alloc(0.75 * MIB, 'some bytes of a picture ').toString('base64');
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
    const bodyOf = () => {
      const content = [{ type: 'text', text: `Conversation ${made++}` }, image];
      return JSON.stringify({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content }] });
    };
    // 128 MiB of JSON are remembered.
    await sendAll(150, 5, bodyOf);
    const full = memory();
    await sendAll(150, 5, bodyOf);
    const more = memory();
    t.diagnostic(`${empty.toFixed()} MiB without a session, ${full.toFixed()} after 150 of 1 MiB, ${more.toFixed()} after 300`);
    assert.ok(more - empty < 5 * (128 + 128), `${more - empty} MiB`);
  });

  test('200 streams whose clients read slowly take less than a mebibyte each', async (t) => {
    // Forgets the most that there was before (proc(5)).
    writeFileSync(`/proc/${proxy.pid}/clear_refs`, '5');
    const before = memory();
    const body = JSON.stringify({ model: 'm', max_tokens: 10, stream: true, messages: [{ role: 'user', content: 'Go on.' }] });
    const { port } = new URL(url);
    const readers = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const request = http.request({
          host: '127.0.0.1',
          port,
          method: 'POST',
          path: '/v1/messages?stream',
          headers: JSON_HEADERS,
          agent: false,
        });
        request.on('error', () => {});
        request.end(body);
        const [response] = await once(request, 'response');
        response.on('error', () => {});
        return { request, response };
      }),
    );
    for (let round = 0; round < 5; round++) {
      await wait(200);
      for (const { response } of readers) while (response.read() === null) await once(response, 'readable');
    }
    const most = memory('VmHWM');
    t.diagnostic(`${before.toFixed()} MiB before, at most ${most.toFixed()} MiB`);
    assert.ok(most - before < 200, `${most - before} MiB for 200 streams`);
    for (const { request } of readers) request.destroy();
  });

  test('50 bodies of 20 MB, five at once, and the page with the report', async (t) => {
    const data = Buffer.alloc(0.75 * MIB, 'some bytes of a picture ').toString('base64');
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
    const content = [{ type: 'text', text: 'Conversation 00000' }, ...Array(20).fill(image)];
    const template = Buffer.from(JSON.stringify({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content }] }));
    const at = template.indexOf('00000');
    await sendAll(50, 5, (number) => {
      const body = Buffer.from(template);
      body.write(String(number).padStart(5, '0'), at);
      return body;
    });
    const page = await send(url, { method: 'GET', path: '/' });
    assert.match(page.text, /<h1>What went through the proxy/);
    const most = memory('VmHWM');
    t.diagnostic(`${memory().toFixed()} MiB, at most ${most.toFixed()} MiB`);
    assert.ok(most < BOUND, `${most} MiB`);
    agent.destroy();
  });
});
