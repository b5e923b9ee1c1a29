// A message as a stream of events.
import { split } from './sse.mjs';

const withoutInput = (block) => ({ ...block, input: {} });
const inputDeltas = ({ input }) => ['', ...split(JSON.stringify(input))].map((part) => ({ type: 'input_json_delta', partial_json: part }));

/** How blocks start, and what follows; all others come whole. */
const started = {
  text: (block) => ({ ...block, text: '' }),
  thinking: (block) => ({ ...block, thinking: '', signature: '' }),
  tool_use: withoutInput,
  server_tool_use: withoutInput,
  mcp_tool_use: withoutInput,
};
const deltas = {
  text: ({ text }) => split(text).map((part) => ({ type: 'text_delta', text: part })),
  thinking: ({ thinking, signature }) => [
    ...split(thinking).map((part) => ({ type: 'thinking_delta', thinking: part })),
    { type: 'signature_delta', signature },
  ],
  tool_use: inputDeltas,
  server_tool_use: inputDeltas,
  mcp_tool_use: inputDeltas,
};

export function* anthropicEvents(message) {
  const event = (data) => ({ event: data.type, data });
  const { content, stop_reason, stop_sequence, usage } = message;
  yield event({
    type: 'message_start',
    message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } },
  });
  yield event({ type: 'ping' });
  for (const [index, block] of content.entries()) {
    yield event({ type: 'content_block_start', index, content_block: started[block.type]?.(block) ?? block });
    for (const delta of deltas[block.type]?.(block) ?? []) yield event({ type: 'content_block_delta', index, delta });
    yield event({ type: 'content_block_stop', index });
  }
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = usage;
  yield event({
    type: 'message_delta',
    delta: { stop_reason, stop_sequence },
    usage: { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens },
  });
  yield event({ type: 'message_stop' });
}
