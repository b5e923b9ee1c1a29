// Forty turns of the providers' own clients through a chat endpoint, with every kind of content that the API has: the endpoint refuses nothing that
// the provider takes, each request is accepted and within the window.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatParser } from 'palimpsest/express';
import { forward, serve } from '../support/agents/endpoint.mjs';
import { recording, TURNS } from '../support/life.mjs';
import { CLIENTS, livingClient } from '../support/life-clients.mjs';
import { someOf } from '../support/seed.mjs';

for (const format of someOf(Object.keys(CLIENTS))) {
  test(`${format} through an endpoint: ${TURNS} turns with every kind of content`, async (t) => {
    const { options, sessions } = recording();
    await livingClient(t, format, async ({ url }) => {
      const app = await serve((server) => {
        server.use(chatParser(options), (request, response) => forward(url, request, response));
      });
      t.after(() => app.close());
      return CLIENTS[format].open(app);
    });
    assert.equal(sessions.size, 1);
  });
}
