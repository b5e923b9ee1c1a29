// `cacheControl` of palimpsest/openai with the SDK itself: what goes out to OpenAI, and what to others. The loopback provider refuses breakpoints and keys
// that the API would refuse.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI, { AzureOpenAI } from 'openai';
import { createSession } from 'palimpsest';
import { withPalimpsest } from 'palimpsest/openai';
import { memoryStore } from 'palimpsest/store/memory';
import { longAgent } from '../support/agents/index.mjs';
import { readBreakpoints } from '../support/providers/openai-breakpoints.mjs';
import { withProvider } from '../support/clients.mjs';

const model = 'gpt-5.6-sol';
const LIMIT = 4000;
const OWN = 'https://api.openai.com/v1';
const onError = (error) => {
  throw error;
};

/** A client of the SDK whose requests to any address reach the loopback provider. */
const open = (provider, options, Client = OpenAI) =>
  new Client({
    apiKey: 'test',
    maxRetries: 0,
    fetch: (url, init) => {
      const { pathname } = new URL(url);
      return fetch(`${provider.url}/v1${pathname.slice(pathname.search(/\/(?:chat|responses)/))}`, init);
    },
    ...options,
  });

const textOf = (step) => `Step ${step}: worker-${step} waited ${step * 7} s for backup-${step}, so I moved it. `.repeat(12);
const system = 'You mend programs. '.repeat(30);
/** The histories of a conversation that grows by a turn at a time. */
const turns = (lead) =>
  Array.from({ length: 12 }, (_, turn) => [
    ...lead,
    ...Array.from({ length: 2 * turn + 1 }, (_, step) => ({ role: step % 2 ? 'assistant' : 'user', content: textOf(step) })),
  ]);

const APIS = {
  chat: {
    lead: [{ role: 'system', content: system }],
    send: (client, messages, more) => client.chat.completions.create({ model, messages, ...more }),
  },
  responses: { lead: [], send: (client, input, more) => client.responses.create({ model, input, instructions: system, ...more }) },
};
const inBody = ({ messages, input }) => messages ?? input;
const script = () => longAgent({ steps: 0, final: { text: 'All is well.' } });

for (const [api, { lead, send }] of Object.entries(APIS)) {
  test(`${api}: breakpoints go to OpenAI, stand where they may, and stay where they are between cuts`, async () => {
    await withProvider(script(), async (provider) => {
      const steps = [];
      const client = withPalimpsest(open(provider), { limit: LIMIT, cacheControl: true, onError, onStep: (step) => steps.push(step) });
      const histories = turns(lead);
      const before = JSON.stringify(histories);
      for (const history of histories) await send(client, history);
      assert.equal(JSON.stringify(histories), before);
      assert.equal(provider.sum().refused, 0);
      let cuts = 0;
      const bodies = provider.requests.map(({ body }) => body);
      for (const [index, body] of bodies.entries()) {
        const places = readBreakpoints(api, inBody(body), model);
        assert.ok(places.length >= 1 && places.length <= 2 && places[0] === 0, String(places));
        assert.ok(!('prompt_cache_key' in body) && !('prompt_cache_options' in body));
        if (steps[index].epoch) cuts++;
        else if (index > 0) {
          const last = inBody(bodies[index - 1]);
          assert.deepEqual(inBody(body).slice(0, last.length), last);
        }
      }
      assert.ok(cuts >= 1);
    });
  });

  test(`${api}: a session with an id has a key of its own, the same in each process; the caller's own stays`, async () => {
    await withProvider(script(), async (provider) => {
      const store = memoryStore();
      const keyOf = async (id, more, options) => {
        const session = createSession({ limit: LIMIT, cacheControl: true, store, id, ...options });
        await send(withPalimpsest(open(provider), session), turns(lead)[1], more);
        return provider.requests.at(-1).body.prompt_cache_key;
      };
      const [one, again, other] = [await keyOf('jo@example.com'), await keyOf('jo@example.com'), await keyOf('al@example.com')];
      assert.match(one, /^[\w-]{8,64}$/);
      assert.equal(again, one);
      assert.notEqual(other, one);
      assert.ok(!one.includes('jo'));
      assert.equal(await keyOf('jo@example.com', { prompt_cache_key: 'mine' }), 'mine');
      assert.equal(await keyOf('jo@example.com', {}, { cacheControl: false }), undefined);
      assert.equal(await keyOf('jo@example.com', {}, { enabled: false }), undefined);
      // Older models take a key, too, and no breakpoints.
      assert.equal(await keyOf('jo@example.com', { model: 'gpt-5.5' }), one);
      assert.deepEqual(readBreakpoints(api, inBody(provider.requests.at(-1).body)), []);
      assert.equal(provider.sum().refused, 0);
    });
  });

  test(`${api}: other models and other addresses are left alone`, async () => {
    await withProvider(script(), async (provider) => {
      const azure = { endpoint: 'https://pumps.openai.azure.com', apiVersion: '2026-08-01', deployment: undefined };
      const places = async (client, more) => {
        await send(client, turns(lead)[2], more);
        return readBreakpoints(api, inBody(provider.requests.at(-1).body)).length;
      };
      const wrapped = (options, Client) => withPalimpsest(open(provider, options, Client), { limit: LIMIT, cacheControl: true, onError });
      assert.ok((await places(wrapped())) > 0);
      assert.ok((await places(wrapped({ baseURL: 'https://eu.api.openai.com/v1' }))) > 0);
      // The copies of a client go by their own address.
      assert.ok((await places(wrapped({ baseURL: 'https://llm.example.com/v1' }).withOptions({ baseURL: OWN }))) > 0);
      for (const client of [
        wrapped({ baseURL: 'https://llm.example.com/v1' }),
        wrapped({ baseURL: 'https://api.openai.com.example.com/v1' }),
        wrapped(azure, AzureOpenAI),
        wrapped().withOptions({ baseURL: 'https://llm.example.com/v1' }),
      ])
        assert.equal(await places(client), 0);
      for (const name of ['gpt-5.5', 'o3', 'my-own-model']) assert.equal(await places(wrapped(), { model: name }), 0);
      assert.equal(await places(withPalimpsest(open(provider), { limit: LIMIT, onError })), 0);
    });
  });
}
