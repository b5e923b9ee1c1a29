// `validate`.
import { cases } from './family.mjs';

/** Number of calls without a result. */
export const UNANSWERED = 100;

/**
 * One exchange of parallel calls, by their ids, answered from the last to the first: as much to remember, and to look up, as there can be.
 */
export const EXCHANGES = {
  'openai-chat': (ids) => [
    { role: 'assistant', tool_calls: ids.map((id) => ({ id, type: 'custom', custom: { name: 'f', input: '' } })) },
    ...ids
      .slice(100)
      .reverse()
      .map((id) => ({ role: 'tool', tool_call_id: id, content: '' })),
  ],
  'openai-responses': (ids) => [
    ...ids.flatMap((id) => [
      { type: 'reasoning', id: `r${id}`, summary: [] },
      { type: 'function_call', id: `f${id}`, call_id: id, name: 'f', arguments: '{}' },
    ]),
    ...ids
      .slice(100)
      .reverse()
      .map((id) => ({ type: 'function_call_output', call_id: id, output: '' })),
  ],
  'openai-agents': (ids) => [
    ...ids.flatMap((id) => [
      { type: 'reasoning', id: `r${id}`, content: [] },
      { type: 'function_call', id: `f${id}`, callId: id, name: 'f', arguments: '{}' },
    ]),
    ...ids
      .slice(100)
      .reverse()
      .map((id) => ({ type: 'function_call_result', callId: id, output: '' })),
  ],
  anthropic: (ids) => [
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      content: [
        ...ids.map((id) => ({ type: 'server_tool_use', id: `s${id}` })),
        ...ids
          .slice(100)
          .reverse()
          .map((id) => ({ type: 'web_search_tool_result', tool_use_id: `s${id}` })),
        ...ids.map((id) => ({ type: 'tool_use', id, name: 'f', input: {} })),
      ],
    },
    ...ids
      .slice(100)
      .reverse()
      .map((id) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id }] })),
  ],
  'ai-sdk-model': (ids) => [
    { role: 'assistant', content: ids.map((id) => ({ type: 'tool-call', toolCallId: id, toolName: 'f', input: {} })) },
    ...ids
      .slice(100)
      .reverse()
      .map((id) => ({ role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: 'f', output: { type: 'json' } }] })),
  ],
  'ai-sdk-ui': (ids) => [
    {
      id: '',
      role: 'assistant',
      parts: ids.map((id, i) => ({ type: 'tool-f', toolCallId: id, state: i < 100 ? 'input-available' : 'output-available', input: {} })),
    },
  ],
  'ag-ui': (ids) => [
    { id: '', role: 'assistant', toolCalls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })) },
    ...ids
      .slice(100)
      .reverse()
      .map((id) => ({ id, role: 'tool', toolCallId: id, content: '' })),
  ],
  // Mastra itself leaves out calls without results. The first hundred use the ids of others instead.
  mastra: (ids) => [
    {
      role: 'assistant',
      content: {
        format: 2,
        parts: ids.map((id, i) => ({
          type: 'tool-invocation',
          toolInvocation: { state: 'result', toolCallId: i < 100 ? ids.at(-1 - i) : id, toolName: 'f', args: {}, result: '' },
        })),
      },
    },
  ],
  gemini: (ids) => [
    { role: 'user', parts: [{ text: 'Go.' }] },
    { role: 'model', parts: ids.map((id) => ({ functionCall: { name: 'f', id }, thoughtSignature: 'AAEC' })) },
    { role: 'user', parts: ids.map((id, i) => ({ functionResponse: { name: 'f', id: i < 100 ? 'none' : id, response: {} } })).reverse() },
  ],
  langchain: (ids) => [
    { role: 'assistant', tool_calls: ids.map((id) => ({ id, name: 'f', args: {} })) },
    ...ids
      .slice(100)
      .reverse()
      .map((id) => ({ role: 'tool', tool_call_id: id, content: '' })),
  ],
  message: (ids) => ids.map((id, i) => (i < 100 ? {} : { id })),
};

/** Number of calls. A quarter of them is enough for the garbage collector to run, as it does for all. */
const CALLS = 64_000;

export const validate = Object.entries(EXCHANGES).flatMap(([format, make]) =>
  cases('validate', CALLS, { [format]: (count) => make(Array.from({ length: count }, (_, i) => `c${i}`)) }, ({ validate }, messages) =>
    validate(messages, { format }),
  ),
);
