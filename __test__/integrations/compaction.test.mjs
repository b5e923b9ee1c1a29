// Requests of the official clients that have the provider compact, end to end: 40 turns each against a server that compacts at its threshold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { countTokens } from 'palimpsest';
import { withPalimpsest as withAnthropic } from 'palimpsest/anthropic';
import { withPalimpsest as withOpenAI } from 'palimpsest/openai';
import { compactThresholdIn } from '../../unbundled/integrations/compact-threshold.js';
import { objectionTo } from '../support/providers/formats.mjs';

const LIMIT = 12_000;
const THRESHOLD = 8000;
const text = (turn, length = 350) =>
  Array.from({ length }, (_, at) => `${['queue', 'worker', 'lock'][(at * 7 + turn) % 3]}-${(at * turn) % 97}`).join(' ');

/** A `fetch` that answers with what `answer` makes of a request's body and the tokens of its `messages`. */
function server(format, messagesOf, answer) {
  const requests = [];
  return {
    requests,
    async fetch(_, { body }) {
      const request = JSON.parse(body);
      const messages = messagesOf(request);
      const input = countTokens(messages, { format });
      requests.push({ messages, input, objection: await objectionTo(format, messages), request });
      return Response.json(answer(request, input, requests.length));
    },
  };
}

async function check({ requests }, history) {
  assert.equal(requests.length, 40);
  assert.deepEqual(
    requests.filter(({ objection, input }) => objection !== null || input > LIMIT),
    [],
  );
  const isWhole = (message) => history.includes(JSON.stringify(message));
  for (const { messages } of requests) assert.ok(messages.every(isWhole));
}

test('Anthropic’s client: `context_management` of a request goes to the session, which cuts nothing before the provider does', async () => {
  let compactions = 0;
  const usage = (tokens) => ({ input_tokens: tokens, output_tokens: 9, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 });
  const said = server(
    'anthropic',
    ({ messages }) => messages,
    ({ context_management: { edits } }, input, turn) => {
      const isFull = input >= edits[0].trigger.value;
      if (isFull) compactions++;
      const iterations = [{ type: 'message', ...usage(isFull ? 20 : input) }];
      return {
        id: `msg_${turn}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-5',
        stop_reason: 'end_turn',
        content: [...(isFull ? [{ type: 'compaction', content: `Summary ${turn}` }] : []), { type: 'text', text: text(turn) }],
        usage: { ...usage(isFull ? 20 : input), iterations: isFull ? [{ type: 'compaction', ...usage(900) }, ...iterations] : iterations },
      };
    },
  );
  const steps = [];
  // The session's clock stands in for pauses: its cache has always expired.
  let time = 0;
  const now = () => (time += 3_600_000);
  const options = { limit: LIMIT, now, explainMarks: false, onStep: (step) => void steps.push(step) };
  const client = withAnthropic(new Anthropic({ apiKey: 'none', fetch: said.fetch, maxRetries: 0 }), options);
  const messages = [];
  for (let turn = 0; turn < 40; turn++) {
    messages.push({ role: 'user', content: `Why does step ${turn} fail?` });
    const { content } = await client.beta.messages.create({
      model: 'claude-sonnet-5',
      max_tokens: 1000,
      betas: ['compact-2026-01-12'],
      context_management: { edits: [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: THRESHOLD } }] },
      messages,
    });
    messages.push({ role: 'assistant', content });
  }
  assert.ok(compactions > 2);
  assert.deepEqual(
    steps.filter(({ epoch }) => epoch),
    [],
  );
  await check(
    said,
    messages.map((message) => JSON.stringify(message)),
  );
});

test('OpenAI’s client: `context_management` of a request goes to the session, which sends nothing of the model’s before the newest item', async () => {
  let compactions = 0;
  const said = server(
    'openai-responses',
    ({ input }) => input,
    ({ context_management: [{ compact_threshold: threshold }] }, input, turn) => {
      const isFull = input >= threshold;
      if (isFull) compactions++;
      const answer = {
        type: 'message',
        id: `msg_${turn}`,
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: text(turn), annotations: [] }],
      };
      return {
        id: `resp_${turn}`,
        object: 'response',
        status: 'completed',
        model: 'gpt-5.5',
        output: [...(isFull ? [{ type: 'compaction', id: `cmp_${turn}`, encrypted_content: 'YWJj' }] : []), answer],
        usage: { input_tokens: input, input_tokens_details: { cached_tokens: 0 }, output_tokens: 9 },
      };
    },
  );
  const steps = [];
  let time = 0;
  const now = () => (time += 3_600_000);
  const options = { limit: LIMIT, now, explainMarks: false, onStep: (step) => void steps.push(step) };
  const client = withOpenAI(new OpenAI({ apiKey: 'none', fetch: said.fetch, maxRetries: 0 }), options);
  const input = [];
  for (let turn = 0; turn < 40; turn++) {
    input.push({ role: 'user', content: `Why does step ${turn} fail?` });
    const { output } = await client.responses.create({
      model: 'gpt-5.5',
      store: false,
      context_management: [{ type: 'compaction', compact_threshold: THRESHOLD }],
      input,
    });
    input.push(...output);
  }
  assert.ok(compactions > 2);
  assert.deepEqual(
    steps.filter(({ epoch }) => epoch),
    [],
  );
  await check(
    said,
    input.map((item) => JSON.stringify(item)),
  );
  for (const { messages } of said.requests) {
    const newest = messages.findLastIndex(({ type }) => type === 'compaction');
    assert.ok(messages.slice(0, Math.max(0, newest)).every(({ role }) => role === 'user'));
  }
});

test('the threshold is read from what each API and each SDK calls it', () => {
  const compact = (trigger) => ({ edits: [{ type: 'compact_20260112', trigger }] });
  const clear = (trigger) => ({ edits: [{ type: 'clear_tool_uses_20250919', trigger }] });
  const tokens = { type: 'input_tokens', value: 60_000 };
  for (const [given, threshold] of [
    [undefined, undefined],
    [{ edits: [{ type: 'clear_thinking_20251015' }] }, undefined],
    [[{ type: 'compaction', compact_threshold: 70_000 }], 70_000],
    [[{ type: 'compaction', compactThreshold: 70_000 }], 70_000],
    [[{ type: 'compaction' }], 0],
    [compact(tokens), 60_000],
    [compact(undefined), 150_000],
    [clear(tokens), 60_000],
    [clear({ type: 'tool_uses', value: 30 }), 0],
    [{ edits: [...compact(tokens).edits, ...clear({ ...tokens, value: 40_000 }).edits] }, 40_000],
    ['none', undefined],
    [[null, 7], undefined],
  ])
    assert.equal(compactThresholdIn(given), threshold, JSON.stringify(given));
});
