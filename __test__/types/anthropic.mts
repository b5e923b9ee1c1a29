// Compiled, never run: clients and tool runners of Anthropic's SDK go in and come out as they are.
import Anthropic from '@anthropic-ai/sdk';
import { createSession, restore } from 'palimpsest';
import type { Originals } from 'palimpsest';
import { shortenResults, withPalimpsest } from 'palimpsest/anthropic';

const client: Anthropic = withPalimpsest(new Anthropic(), {
  cacheControl: true,
  session: (request) => (request.metadata?.user_id === 'a' ? createSession({ limit: 1000 }) : undefined),
  onStep: ({ tokens }, { params }) => console.log(tokens.after, params.model),
  shadow: { share: 0.02, maxTokens: 1_000_000, onResult: ({ changed }, { noise }) => console.log(changed === 'tool', noise.high) },
});
const one: Anthropic = withPalimpsest(new Anthropic(), createSession({ window: 200_000 }));
const found: Anthropic = withPalimpsest(new Anthropic());

client.beta.messages.toolRunner({
  model: 'claude-opus-5',
  max_tokens: 1000,
  messages: [],
  tools: [withPalimpsest(client).recallTool()],
  thread: false,
});

const params = { model: 'claude-opus-5', max_tokens: 1000, messages: [] };
const { data, request_id } = await client.messages.create(params).withResponse();
const reason: Anthropic.StopReason | null = data.stop_reason;
const text: string = await one.messages.stream(params).finalText();

const originals: Originals = {};
const runner = shortenResults(client.beta.messages.toolRunner({ ...params, tools: [] }), {
  limit: 2000,
  onShortened: (more) => {
    Object.assign(originals, more);
  },
});
for await (const message of runner) console.log(message.usage.input_tokens);
const { content } = await runner;
const { messages } = restore(runner.params.messages, originals);
const streaming = shortenResults(client.beta.messages.toolRunner({ ...params, tools: [], stream: true }), { limit: 2000 });
for await (const stream of streaming) stream.on('text', (delta) => console.log(delta));
console.log(reason, request_id, text, content, messages, found);

// @ts-expect-error -- what is not a runner
shortenResults(client, { limit: 1000 });
// @ts-expect-error -- no limit
shortenResults(runner, {});
// @ts-expect-error -- no such option
withPalimpsest(new Anthropic(), { cachControl: true });
