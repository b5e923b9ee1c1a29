// Forty turns of the providers' own clients through the proxy, with every kind of content that the API has: each request is accepted and within the
// window.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TURNS, WINDOW } from '../../../__test__/support/life.mjs';
import { CLIENTS, livingClient } from '../../../__test__/support/life-clients.mjs';
import { startProxy } from '../dist/proxy/index.mjs';
import { someOf } from '../../../__test__/support/seed.mjs';

/** Tokens of the answer that a client asks for. */
const ANSWER = 100;

for (const format of someOf(Object.keys(CLIENTS))) {
  test(`${format} through the proxy: ${TURNS} turns with every kind of content`, async (t) => {
    const warnings = [];
    await livingClient(t, format, async ({ url }) => {
      const proxy = await startProxy({ limit: WINDOW - ANSWER, port: 0, upstream: url, onWarning: (text) => warnings.push(text) });
      t.after(() => proxy.close(0));
      return CLIENTS[format].open(proxy);
    });
    assert.deepEqual(warnings, []);
  });
}
