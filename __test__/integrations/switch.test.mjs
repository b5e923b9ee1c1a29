// Switched off, an SDK's request goes out as it goes out without palimpsest, byte for byte.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { withPalimpsest as withAnthropic } from 'palimpsest/anthropic';
import { palimpsestMiddleware } from 'palimpsest/ai-sdk';
import { withPalimpsest as withGemini } from 'palimpsest/gemini';
import { withPalimpsest as withOpenAI } from 'palimpsest/openai';
import { createChatParser } from 'palimpsest/web';
import { requestsOf, working } from '../create-session/working.mjs';

const historyOf = (format) => requestsOf(working(format, 1, 12, 30)).at(-1);
const LIMIT = 2_500;

/** Bodies of requests that get no answer that an SDK could use. */
const bodies = [];
const { fetch: real } = globalThis;
before(() => {
  globalThis.fetch = async (_, { body }) => {
    bodies.push(body);
    return new Response('{"error":{"message":"enough"}}', { status: 400, headers: { 'content-type': 'application/json' } });
  };
});
after(() => {
  globalThis.fetch = real;
});

const openai = () => new OpenAI({ apiKey: 'x', maxRetries: 0 });
const CLIENTS = {
  anthropic: {
    open: () => new Anthropic({ apiKey: 'x', maxRetries: 0 }),
    wrap: withAnthropic,
    ask: (client) =>
      client.messages.create({ model: 'claude-sonnet-4-5', max_tokens: 100, system: 'You mend.', messages: historyOf('anthropic') }),
  },
  'openai chat': {
    open: openai,
    wrap: withOpenAI,
    ask: (client) => client.chat.completions.create({ model: 'gpt-5', messages: historyOf('openai-chat') }),
  },
  'openai responses': {
    open: openai,
    wrap: withOpenAI,
    ask: (client) =>
      client.responses.create({ model: 'gpt-5', instructions: 'You mend.', input: historyOf('openai-responses'), store: false }),
  },
  gemini: {
    open: () => new GoogleGenAI({ apiKey: 'x' }),
    wrap: withGemini,
    ask: (client) => client.models.generateContent({ model: 'gemini-2.5-pro', contents: historyOf('gemini') }),
  },
};

for (const [name, { open, wrap, ask }] of Object.entries(CLIENTS))
  test(`${name}: off, the body is the SDK’s own; on again, it is cut`, async () => {
    bodies.length = 0;
    let isOn = false;
    const steps = [];
    const client = wrap(open(), { limit: LIMIT, enabled: () => isOn, onStep: (step) => void steps.push(step), onError: assert.fail });
    await assert.rejects(ask(open()));
    await assert.rejects(ask(client));
    isOn = true;
    await assert.rejects(ask(client));
    const [plain, off, on] = bodies;
    assert.equal(off, plain);
    assert.ok(on.length < plain.length / 2, `${on.length} of ${plain.length}`);
    assert.deepEqual(
      steps.map(({ report }) => report.off),
      [true, undefined],
      'it is counted and reported',
    );
  });

test('AI SDK: off, the middleware hands on the very parameters', async () => {
  const params = { prompt: historyOf('ai-sdk-model') };
  const middleware = palimpsestMiddleware({ limit: LIMIT, enabled: false });
  const model = { provider: 'x', modelId: 'gpt-5', specificationVersion: 'v3' };
  assert.equal(await middleware.transformParams({ type: 'generate', params, model }), params);
});

test('an endpoint refuses nothing for its length while it is off', async () => {
  const body = { model: 'gpt-5', messages: historyOf('openai-chat') };
  const parse = createChatParser({ limit: 50, format: 'openai-chat', enabled: false });
  const { request, messages, step } = await parse(
    new Request('http://x', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  );
  assert.deepEqual(request, body);
  assert.deepEqual(messages, body.messages);
  assert.ok(step.report.off && !step.fits);
});
