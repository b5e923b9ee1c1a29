// Shadow requests of the clients: what they find, and that the caller's own requests never feel them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { withPalimpsest as anthropic } from 'palimpsest/anthropic';
import { withPalimpsest as gemini } from 'palimpsest/gemini';
import { withPalimpsest as openai } from 'palimpsest/openai';
import { checkReport, forgetful, until } from '../support/agents/forgetful.mjs';
import { startProvider } from '../support/agents/index.mjs';
import { clientsOf, loops } from '../support/agents/loops.mjs';

const LIMIT = 3000;
const wrappers = { anthropic, openai, gemini };

/** The clients of a provider, each with shadow requests. */
function wrapped(provider, shadow) {
  const options = { limit: LIMIT, explainMarks: false, shadow };
  return Object.fromEntries(Object.entries(clientsOf(provider)).map(([name, client]) => [name, wrappers[name](client, options)]));
}

for (const format of ['anthropic', 'openai-chat', 'openai-responses', 'gemini']) {
  for (const stream of [false, true]) {
    test(`${format}, ${stream ? 'streamed' : 'whole'}: the share of changed actions is found, beside the noise of the model`, async () => {
      let report = { compared: 0 };
      let cut = 0;
      const before = async () => {
        await until(() => report.compared === cut);
        cut++;
      };
      const provider = await startProvider(forgetful(before), { window: 200_000 });
      try {
        const shadow = { share: 1, maxTokens: 10_000_000, onResult: (_, next) => (report = next) };
        await loops[format](wrapped(provider, shadow), { stream });
        await until(() => report.compared === cut);
        checkReport(report, provider.requests);
      } finally {
        await provider.close();
      }
    });
  }
}

/** A conversation that is cut, in one request of Anthropic's. */
const request = () => ({
  model: 'claude-test',
  max_tokens: 100,
  messages: [
    { role: 'user', content: Array.from({ length: 2000 }, (_, n) => `entry ${n} of the table`).join('\n') },
    { role: 'assistant', content: 'Read.' },
    { role: 'user', content: 'And now?' },
  ],
});
const isWhole = ({ messages }) => messages[0].content.length > 20_000;

test('what ends the own request, or changes its messages later, is not for the shadow; a refusal reaches nobody', async () => {
  for (const status of [undefined, 429]) {
    const faults = ({ request: body }) => (status && isWhole(body) ? { status } : undefined);
    const provider = await startProvider(() => ({ text: 'Now.' }), { window: 200_000, faults });
    try {
      const results = [];
      const shadow = { share: 1, maxTokens: 1_000_000, onResult: (result) => results.push(result) };
      const client = new Anthropic({ apiKey: 'test', baseURL: provider.url, maxRetries: 2 });
      const own = new AbortController();
      const body = request();
      const copy = anthropic(client, { limit: 1000, explainMarks: false, shadow });
      const answer = await copy.messages.create(body, { signal: own.signal, headers: { 'x-own': 'yes' } });
      own.abort();
      body.messages.push({ role: 'assistant', content: answer.content });
      assert.equal(answer.content[0].text, 'Now.');
      const shadows = () => provider.requests.filter(({ body: sent }) => isWhole(sent));
      await until(() => (status ? shadows()[0]?.status === status : results.length === 1));
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.deepEqual(results, status ? [] : [{}]);
      assert.equal(shadows().length, status ? 1 : 2);
      for (const { body: sent, headers } of shadows()) {
        assert.deepEqual(sent, request());
        assert.equal(headers['x-own'], 'yes');
      }
    } finally {
      await provider.close();
    }
  }
});

test('a stream that the caller leaves early is not compared', async () => {
  const provider = await startProvider(() => ({ text: 'One. Two. Three. '.repeat(50) }), { window: 200_000 });
  try {
    const shadow = { share: 1, maxTokens: 1_000_000, onResult: assert.fail };
    const client = new Anthropic({ apiKey: 'test', baseURL: provider.url });
    const copy = anthropic(client, { limit: 1000, explainMarks: false, shadow });
    for await (const _ of await copy.messages.create({ ...request(), stream: true })) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(provider.requests.filter(({ body }) => isWhole(body)).length, 0);
  } finally {
    await provider.close();
  }
});

test('wrong options are named', () => {
  const { anthropic: client } = clientsOf({ url: 'http://127.0.0.1:1' });
  const at = (shadow, message) => assert.throws(() => anthropic(client, { shadow }), { message });
  at({ share: 2, maxTokens: 1 }, 'withPalimpsest(): options.shadow.share must be a share above 0, at most 1, got 2');
  at({ share: 1 }, 'withPalimpsest(): options.shadow.maxTokens must be a number, got undefined');
  at(0.02, 'withPalimpsest(): options.shadow must be an object, got number');
});
