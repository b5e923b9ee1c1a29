// Chat endpoints cut what exceeds a limit beside tokens, as they cut what exceeds the limit of tokens, and refuse only what can't be cut.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validate } from 'palimpsest';
import { chatParser } from 'palimpsest/express';
import { createChatParser } from 'palimpsest/web';
import { serve } from '../support/agents/endpoint.mjs';
import { png } from '../support/files.mjs';
import { filesIn, LIMITS, limitObjection } from '../support/providers/limits.mjs';
import { Random } from '../support/random.mjs';
import { cases, SEED } from '../support/seed.mjs';
import { FORMATS } from '../providers/index.mjs';
import { historyOf } from './histories.mjs';

const post = (body) =>
  new Request('http://localhost/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const LARGE = 40_000_000;

/** Messages to Anthropic with as many screenshots, of which the last is a small one. */
const screenshots = (count, width, height, bytes) => [
  { role: 'user', content: 'Book the room.' },
  ...Array.from({ length: count }, (_, n) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${n}`, name: 'screenshot', input: { n } }] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: `t${n}`,
          content: [
            {
              type: 'image',
              source: { type: 'base64', media_type: 'image/png', data: n === count - 1 ? png(640, 480, n) : png(width, height, n, bytes) },
            },
          ],
        },
      ],
    },
  ]).flat(),
];
const CASES = {
  'more images than there may be': [screenshots(110, 1024, 768), 'Too much media'],
  'large ones of many': [screenshots(25, 2400, 1600), 'many-image'],
  'one that is too wide': [screenshots(3, 8400, 1600), 'exceed max allowed size'],
  'one of too many bytes': [screenshots(2, 1024, 768, 4_200_000), 'image exceeds the maximum'],
  'more bytes than there may be': [screenshots(30, 1024, 768, 850_000), 'maximum size'],
};

test('both endpoints cut a request until it keeps the limits of its provider', async () => {
  const options = { format: 'anthropic', limit: 60_000, maxBytes: LARGE, onError: assert.fail };
  const app = await serve((server) =>
    server.post('/', chatParser(options), ({ palimpsest }, response) => response.json(palimpsest.request)),
  );
  const parseChat = createChatParser(options);
  try {
    for (const [name, [messages, objection]] of Object.entries(CASES)) {
      assert.match(limitObjection(messages, LIMITS.anthropic) ?? '', new RegExp(objection), name);
      const chat = await parseChat(post({ messages }));
      const sent = await fetch(app.url, post({ messages })).then((answer) => answer.json());
      for (const request of [chat.request, sent]) {
        assert.equal(limitObjection(request.messages, LIMITS.anthropic), null, name);
        assert.ok(filesIn(request.messages).length > 0, name);
      }
      assert.equal(chat.step.fits, true, name);
    }
  } finally {
    await app.close();
  }
});

test('the figures are those that validate has for the model of the body, of the server, or of none', async () => {
  const messages = screenshots(110, 64, 64);
  for (const [options, model] of [
    [{ limit: 60_000 }, undefined],
    [{ limit: 60_000 }, 'claude-haiku-4-5'],
    [{ limit: 60_000 }, 'claude-opus-5'],
    [{ model: 'claude-opus-5' }, undefined],
    [{ model: 'claude-haiku-4-5' }, 'claude-opus-5'],
  ]) {
    const whose = options.model ?? model;
    const isTooMuch = validate(messages, { format: 'anthropic', model: whose }).some(({ rule }) => rule === 'too-many-media');
    assert.equal(isTooMuch, whose !== 'claude-opus-5');
    const { request } = await createChatParser({ format: 'anthropic', ...options })(post({ messages, ...(model && { model }) }));
    assert.equal(filesIn(request.messages).length < 110, isTooMuch, `${whose}`);
  }
});

test('figures of the server hold in every format', async () => {
  const random = new Random(SEED);
  // LangChain's messages are no JSON.
  for (const format of FORMATS.filter((name) => name !== 'langchain')) {
    const parseChat = createChatParser({ format, limit: 100_000, requestLimits: { images: 3, documents: 2 }, onError: assert.fail });
    for (let n = 0; n < cases(3); n++) {
      const messages = JSON.parse(JSON.stringify(historyOf(format, random, 8, 20)));
      const key = { gemini: 'contents', 'openai-responses': 'input' }[format] ?? 'messages';
      const chat = await parseChat(post({ [key]: messages }));
      if (chat instanceof Response) assert.fail(`${format}: ${await chat.text()}`);
      assert.equal(limitObjection(chat.request[key], { images: 3, documents: 2 }), null, format);
    }
  }
});

test('what can’t be cut is refused', async () => {
  const messages = [{ role: 'user', content: 'Hi.' }];
  const parseChat = createChatParser({ format: 'anthropic', limit: 60_000, requestLimits: { bytes: 3000 } });
  const answer = await parseChat(
    post({ messages, tools: [{ name: 'x', description: 'word '.repeat(2000), input_schema: { type: 'object' } }] }),
  );
  assert.equal(answer.status, 400);
  assert.match(
    (await answer.json()).error.message,
    /^the conversation exceeds what a request may hold \(.* bytes of 3,000\), and nothing more of it can go$/,
  );
  // By its length alone.
  const long = await createChatParser({ limit: 60_000, maxBytes: 1000 })(post({ messages: screenshots(2, 64, 64, 2000) }));
  assert.equal(long.status, 413);
});
