// Generated conversations of agents, the same in every format: messages, calls and results are drawn once, and each
// format writes them as its own messages. All are valid by their provider's rules (a call may be open at the end).
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import fc from 'fast-check';

export const FORMATS = [
  'openai-chat',
  'openai-responses',
  'openai-agents',
  'anthropic',
  'ai-sdk-model',
  'ai-sdk-ui',
  'gemini',
  'langchain',
  'mastra',
  'ag-ui',
  'message',
];

// ---- Contents -----------------------------------------------------------------------------------------------------

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Texts that are never empty, some of them long, some that look like a marker or hold half of a surrogate pair. */
export const someText = fc.oneof(
  { weight: 6, arbitrary: fc.lorem({ maxCount: 12 }) },
  { weight: 2, arbitrary: fc.lorem({ maxCount: 60, mode: 'sentences' }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'ok',
      'continue',
      '[palimpsest:3f9a2c81 stale read]',
      '[palimpsest:]',
      '{"a": 1.0}',
      '\ud83d',
      '灯台守 😀',
      'a\r\n\tb\\"',
    ),
  },
  { weight: 1, arbitrary: fc.string({ minLength: 1, unit: 'binary' }) },
);
const someJson = fc.oneof(
  fc.constantFrom(
    1e21,
    0.1,
    -3,
    null,
    true,
    [],
    {},
    [1, [2]],
    { nested: { deep: ['x', { y: null }] } },
    JSON.parse('{"__proto__":{"a":1},"b":2}'),
  ),
  someText,
);
const someArguments = fc.oneof(
  fc.record({ path: fc.constantFrom('src/a.ts', './src/a.ts', '/root/b.py'), content: someText }, { requiredKeys: ['path'] }),
  fc.record({ command: fc.constantFrom('npm test', 'ls -la', 'git status') }),
  fc.dictionary(fc.constantFrom('z', 'a', '10', '2', '__proto__', 'long key'), someJson, { maxKeys: 4 }),
);
const block = fc.oneof({ weight: 4, arbitrary: someText.map((text) => ({ text })) }, { weight: 1, arbitrary: fc.constant({ image: PNG }) });
const someResult = fc.record({
  blocks: fc.oneof({ weight: 3, arbitrary: someText }, { weight: 2, arbitrary: fc.array(block, { minLength: 1, maxLength: 3 }) }),
  json: fc.option(fc.dictionary(fc.constantFrom('rows', 'total', 'error', 'output'), someJson, { minKeys: 1, maxKeys: 3 }), { freq: 4 }),
  failed: fc.boolean(),
});
const someCall = fc.record({
  name: fc.constantFrom('Read', 'Bash', 'Edit', 'get_weather'),
  args: someArguments,
  result: someResult,
});
const assistantTurn = fc.record({
  who: fc.constant('assistant'),
  reasoning: fc.option(fc.record({ text: someText, signed: fc.boolean() }), { freq: 3 }),
  text: fc.option(someText),
  calls: fc.oneof(fc.constant([]), fc.array(someCall, { minLength: 1, maxLength: 3 })),
  odd: fc.boolean(),
});
const userTurn = fc.record({
  who: fc.constant('user'),
  text: someText,
  more: fc.array(block, { maxLength: 2 }),
});

/**
 * Exchanges, with numbered calls: a user's turn, then turns of the assistant. Only the last turn of an exchange
 * has no call.
 */
export const dialogue = fc
  .array(fc.tuple(userTurn, fc.array(assistantTurn, { maxLength: 4 }), someText), { minLength: 1, maxLength: 5 })
  .chain((exchanges) => fc.record({ exchanges: fc.constant(exchanges), system: fc.option(someText), open: fc.boolean() }))
  .map(({ exchanges, system, open }) => {
    let count = 0;
    const turns = [];
    for (const [user, steps, end] of exchanges) {
      turns.push(user);
      for (const step of steps) {
        if (step.calls.length === 0) continue;
        const calls = step.calls.map((call) => ({ ...call, id: `call_${++count}`, answered: true }));
        turns.push({ ...step, calls });
      }
      turns.push({ who: 'assistant', reasoning: null, text: end, calls: [], odd: false });
    }
    const last = turns.at(-2);
    // A conversation that waits for its tools: no call of the last turn has a result.
    if (open && last.calls?.length > 0) {
      turns.pop();
      turns[turns.length - 1] = { ...last, calls: last.calls.map((call) => ({ ...call, answered: false })) };
    }
    return { system, turns };
  });

// ---- The formats --------------------------------------------------------------------------------------------------

const plain = (blocks) => (typeof blocks === 'string' ? blocks : blocks.map(({ text }) => text ?? '[image]').join('\n'));
const answered = ({ calls }) => calls.filter((call) => call.answered);
const shown = ({ json, blocks }) => (json ? JSON.stringify(json) : plain(blocks));

const openaiChat = ({ system, turns }) => {
  const messages = system === null ? [] : [{ role: 'system', content: system }];
  for (const turn of turns) {
    if (turn.who === 'user') {
      const more = turn.more.map(({ text, image }) =>
        text === undefined ? { type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } } : { type: 'text', text },
      );
      messages.push({ role: 'user', content: more.length > 0 ? [{ type: 'text', text: turn.text }, ...more] : turn.text });
      continue;
    }
    const message = { role: 'assistant', content: turn.text };
    if (turn.reasoning?.signed)
      message.reasoning_details = [{ type: 'reasoning.text', text: turn.reasoning.text, signature: 'c2ln', format: 'anthropic-claude-v1' }];
    else if (turn.reasoning) message.reasoning_content = turn.reasoning.text;
    if (turn.calls.length > 0) {
      message.tool_calls = turn.calls.map(({ id, name, args }, index) =>
        turn.odd && index === 1
          ? { id, type: 'custom', custom: { name, input: plain(turn.text ?? 'free form') } }
          : { id, type: 'function', function: { name, arguments: JSON.stringify(args) } },
      );
    }
    messages.push(message);
    for (const { id, result } of answered(turn)) {
      const content =
        typeof result.blocks === 'string' ? shown(result) : result.blocks.map(({ text }) => ({ type: 'text', text: text ?? '[image]' }));
      messages.push({ role: 'tool', tool_call_id: id, content });
    }
  }
  return messages;
};

const openaiResponses = ({ system, turns }) => {
  const part =
    (kind) =>
    ({ text, image }) =>
      text === undefined ? { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${image}` } : { type: kind, text };
  const items = system === null ? [] : [{ role: 'developer', content: system }];
  let count = 0;
  for (const turn of turns) {
    if (turn.who === 'user') {
      items.push({
        type: 'message',
        role: 'user',
        content: turn.more.length > 0 ? [{ text: turn.text }, ...turn.more].map(part('input_text')) : turn.text,
      });
      continue;
    }
    if (turn.reasoning) {
      items.push({
        type: 'reasoning',
        id: `rs_${++count}`,
        summary: [{ type: 'summary_text', text: turn.reasoning.text }],
        ...(turn.reasoning.signed && { encrypted_content: 'gAAAA' }),
      });
    }
    if (turn.odd) items.push({ type: 'web_search_call', id: `ws_${++count}`, status: 'completed', action: { type: 'search', query: 'x' } });
    if (turn.text !== null)
      items.push({
        type: 'message',
        id: `msg_${++count}`,
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: turn.text, annotations: [] }],
      });
    turn.calls.forEach(({ id, name, args }, index) =>
      items.push(
        turn.odd && index === 1
          ? { type: 'custom_tool_call', call_id: id, name, input: 'free form' }
          : { type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) },
      ),
    );
    turn.calls.forEach(({ id, result, answered: done }, index) => {
      const output = typeof result.blocks === 'string' ? shown(result) : result.blocks.map(part('input_text'));
      if (done) items.push({ type: turn.odd && index === 1 ? 'custom_tool_call_output' : 'function_call_output', call_id: id, output });
    });
  }
  return items;
};

const openaiAgents = ({ system, turns }) => {
  const part = ({ text, image }) =>
    text === undefined ? { type: 'input_image', image: `data:image/png;base64,${image}` } : { type: 'input_text', text };
  /** A tool may give one output, without a list around it. */
  const only = ({ text, image }) =>
    text === undefined ? { type: 'image', image: { data: image, mediaType: 'image/png' } } : { type: 'text', text };
  const items = system === null ? [] : [{ type: 'message', role: 'system', content: system }];
  let count = 0;
  for (const turn of turns) {
    if (turn.who === 'user') {
      items.push({
        type: 'message',
        role: 'user',
        content: turn.more.length > 0 ? [{ text: turn.text }, ...turn.more].map(part) : turn.text,
      });
      continue;
    }
    if (turn.reasoning) {
      items.push({
        type: 'reasoning',
        id: `rs_${++count}`,
        content: [{ type: 'input_text', text: turn.reasoning.text }],
        providerData: turn.reasoning.signed ? { encrypted_content: 'gAAAA' } : {},
      });
    }
    if (turn.odd) {
      const id = `ws_${++count}`;
      items.push({
        type: 'hosted_tool_call',
        id,
        name: 'web_search_call',
        status: 'completed',
        providerData: { id, type: 'web_search_call', action: { type: 'search', query: 'x' } },
      });
    }
    if (turn.text !== null)
      items.push({
        type: 'message',
        id: `msg_${++count}`,
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: turn.text, providerData: { annotations: [] } }],
        providerData: {},
      });
    for (const { id, name, args } of turn.calls) {
      items.push({
        type: 'function_call',
        id: `fc_${++count}`,
        callId: id,
        name,
        status: 'completed',
        arguments: JSON.stringify(args),
        providerData: {},
      });
    }
    for (const { id, name, result } of answered(turn)) {
      const blocks = typeof result.blocks === 'string' ? [{ text: shown(result) }] : result.blocks;
      const output = turn.odd && blocks.length === 1 ? only(blocks[0]) : blocks.map(part);
      items.push({
        type: 'function_call_result',
        name,
        callId: id,
        status: 'completed',
        output: typeof result.blocks === 'string' && !turn.odd ? shown(result) : output,
      });
    }
  }
  return items;
};

const anthropic = ({ turns }) => {
  const show = ({ text, image }) =>
    text === undefined ? { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } } : { type: 'text', text };
  const messages = [];
  for (const turn of turns) {
    if (turn.who === 'user') {
      const blocks = turn.more.length > 0 ? [{ text: turn.text }, ...turn.more].map(show) : turn.text;
      // A user's text after an open turn of tool results goes into their message.
      if (messages.at(-1)?.role === 'user')
        messages.at(-1).content.push(...(typeof blocks === 'string' ? [{ type: 'text', text: blocks }] : blocks));
      else messages.push({ role: 'user', content: blocks });
      continue;
    }
    const content = [];
    if (turn.reasoning)
      content.push(
        turn.reasoning.signed
          ? { type: 'thinking', thinking: turn.reasoning.text, signature: 'c2ln' }
          : { type: 'redacted_thinking', data: 'ZGF0YQ==' },
      );
    if (turn.odd) {
      content.push({ type: 'server_tool_use', id: `srv_${messages.length}`, name: 'web_search', input: { query: 'x' } });
      content.push({ type: 'web_search_tool_result', tool_use_id: `srv_${messages.length}`, content: [] });
    }
    if (turn.text !== null) content.push({ type: 'text', text: turn.text });
    for (const { id, name, args } of turn.calls) content.push({ type: 'tool_use', id, name, input: args });
    messages.push({ role: 'assistant', content });
    const results = answered(turn).map(({ id, result }, index) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: typeof result.blocks === 'string' ? shown(result) : result.blocks.map(show),
      ...(result.failed && { is_error: true }),
      ...(index === 0 && turn.odd && { cache_control: { type: 'ephemeral' } }),
    }));
    if (results.length > 0) messages.push({ role: 'user', content: results });
  }
  return messages;
};

/** What `@ai-sdk/anthropic` puts before a streamed answer, and leaves out of a request. */
const messageStart = {
  kind: 'anthropic.message_start',
  usage: { anthropic: { id: 'msg_1', usage: { input_tokens: 4321, output_tokens: 1 } } },
};

const aiSdkModel = ({ system, turns }) => {
  const show = ({ text, image }) => (text === undefined ? { type: 'image', image, mediaType: 'image/png' } : { type: 'text', text });
  const messages = system === null ? [] : [{ role: 'system', content: system }];
  for (const turn of turns) {
    if (turn.who === 'user') {
      messages.push({ role: 'user', content: turn.more.length > 0 ? [{ text: turn.text }, ...turn.more].map(show) : turn.text });
      continue;
    }
    const content = turn.reasoning?.signed ? [{ type: 'custom', kind: messageStart.kind, providerOptions: messageStart.usage }] : [];
    if (turn.reasoning)
      content.push({
        type: 'reasoning',
        text: turn.reasoning.text,
        ...(turn.reasoning.signed && { providerOptions: { anthropic: { signature: 'c2ln' } } }),
      });
    if (turn.text !== null) content.push({ type: 'text', text: turn.text });
    // Version 4 calls them `args` and `result`.
    for (const { id, name, args } of turn.calls)
      content.push({ type: 'tool-call', toolCallId: id, toolName: name, [turn.odd ? 'args' : 'input']: args });
    messages.push({ role: 'assistant', content });
    const results = answered(turn).map(({ id, name, result }) => {
      if (turn.odd)
        return { type: 'tool-result', toolCallId: id, toolName: name, result: result.json ?? plain(result.blocks), isError: result.failed };
      let output = { type: result.failed ? 'error-text' : 'text', value: plain(result.blocks) };
      if (result.json) output = { type: result.failed ? 'error-json' : 'json', value: result.json };
      else if (typeof result.blocks !== 'string') {
        output = {
          type: 'content',
          value: result.blocks.map(({ text, image }) =>
            text === undefined ? { type: 'image-data', data: image, mediaType: 'image/png' } : { type: 'text', text },
          ),
        };
      }
      return { type: 'tool-result', toolCallId: id, toolName: name, output };
    });
    if (results.length > 0) messages.push({ role: 'tool', content: results });
  }
  return messages;
};

const aiSdkUi = ({ system, turns }) => {
  let count = 0;
  const id = () => `msg-${++count}`;
  const messages = system === null ? [] : [{ id: id(), role: 'system', parts: [{ type: 'text', text: system }] }];
  for (const turn of turns) {
    if (turn.who === 'user') {
      const more = turn.more.map(({ text, image }) =>
        text === undefined ? { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${image}` } : { type: 'text', text },
      );
      messages.push({ id: id(), role: 'user', parts: [{ type: 'text', text: turn.text }, ...more] });
      continue;
    }
    // All steps up to the user's next turn are one message.
    if (messages.at(-1)?.role !== 'assistant') messages.push({ id: id(), role: 'assistant', parts: [] });
    const { parts } = messages.at(-1);
    parts.push({ type: 'step-start' });
    if (turn.reasoning?.signed) parts.push({ type: 'custom', kind: messageStart.kind, providerMetadata: messageStart.usage });
    if (turn.reasoning)
      parts.push({
        type: 'reasoning',
        text: turn.reasoning.text,
        state: 'done',
        ...(turn.reasoning.signed && { providerMetadata: { anthropic: { signature: 'c2ln' } } }),
      });
    if (turn.text !== null) parts.push({ type: 'text', text: turn.text, state: 'done' });
    if (turn.odd)
      parts.push(
        { type: 'data-note', id: 'n', data: { any: ['thing'] } },
        { type: 'source-url', sourceId: 's', url: 'https://example.org' },
      );
    for (const { id: toolCallId, name, args, result, answered: done } of turn.calls) {
      const tool = turn.odd ? { type: 'dynamic-tool', toolName: name, toolCallId } : { type: `tool-${name}`, toolCallId };
      if (!done) parts.push({ ...tool, state: 'input-available', input: args });
      else if (result.failed) parts.push({ ...tool, state: 'output-error', input: args, errorText: plain(result.blocks) });
      else parts.push({ ...tool, state: 'output-available', input: args, output: result.json ?? plain(result.blocks) });
    }
  }
  return messages;
};

const gemini = ({ turns }) => {
  const show = ({ text, image }) => (text === undefined ? { inlineData: { mimeType: 'image/png', data: image } } : { text });
  const contents = [];
  for (const turn of turns) {
    if (turn.who === 'user') {
      contents.push({ role: 'user', parts: [{ text: turn.text }, ...turn.more].map(show) });
      continue;
    }
    const parts = [];
    if (turn.reasoning) parts.push({ text: turn.reasoning.text, thought: true });
    if (turn.text !== null) parts.push({ text: turn.text });
    if (turn.odd) parts.push({ executableCode: { language: 'PYTHON', code: 'print(1)' } });
    turn.calls.forEach(({ id, name, args }, index) =>
      parts.push({
        functionCall: { ...(turn.odd && { id }), name, args },
        ...(index === 0 && turn.reasoning?.signed && { thoughtSignature: 'c2ln' }),
      }),
    );
    contents.push({ role: 'model', parts });
    const responses = answered(turn).map(({ id, name, result }) => ({
      functionResponse: {
        ...(turn.odd && { id }),
        name,
        response: result.json ?? { [result.failed ? 'error' : 'output']: plain(result.blocks) },
      },
    }));
    if (responses.length > 0) contents.push({ role: 'user', parts: responses });
  }
  return contents;
};

const langchain = ({ system, turns }) => {
  const show = ({ text, image }) =>
    text === undefined ? { type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } } : { type: 'text', text };
  const messages = system === null ? [] : [new SystemMessage(system)];
  for (const turn of turns) {
    if (turn.who === 'user') {
      messages.push(
        new HumanMessage({
          content: turn.more.length > 0 ? [{ text: turn.text }, ...turn.more].map(show) : turn.text,
          id: `m${messages.length}`,
        }),
      );
      continue;
    }
    const calls = turn.calls.map(({ id, name, args }) => ({ id, name, args, type: 'tool_call' }));
    // Anthropic's model puts a call into the content too; OpenAI's into the additional fields of the API's message.
    const content = turn.odd
      ? [
          ...(turn.reasoning ? [{ type: 'thinking', thinking: turn.reasoning.text, signature: 'c2ln' }] : []),
          ...(turn.text === null ? [] : [{ type: 'text', text: turn.text }]),
          ...turn.calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
        ]
      : (turn.text ?? '');
    const raw =
      turn.odd || calls.length === 0
        ? {}
        : {
            tool_calls: turn.calls.map(({ id, name, args }) => ({
              id,
              type: 'function',
              function: { name, arguments: JSON.stringify(args) },
            })),
          };
    messages.push(new AIMessage({ content, tool_calls: calls, additional_kwargs: raw }));
    for (const { id, name, result } of answered(turn)) {
      messages.push(
        new ToolMessage({
          content: typeof result.blocks === 'string' ? shown(result) : result.blocks.map(show),
          tool_call_id: id,
          name,
          status: result.failed ? 'error' : 'success',
        }),
      );
    }
  }
  return messages;
};

// Times as JSON has them, because a store may have kept it.
const mastra = ({ system, turns }) => {
  const messages = [];
  const add = (role, parts) =>
    messages.push({ id: `msg-${messages.length}`, role, createdAt: new Date(0).toISOString(), content: { format: 2, parts } });
  if (system !== null) add('system', [{ type: 'text', text: system }]);
  for (const turn of turns) {
    if (turn.who === 'user') {
      const more = turn.more.map(({ text, image }) =>
        text === undefined ? { type: 'file', mimeType: 'image/png', data: `data:image/png;base64,${image}` } : { type: 'text', text },
      );
      add('user', [{ type: 'text', text: turn.text }, ...more]);
      continue;
    }
    // All steps up to the user's next turn are one message.
    if (messages.at(-1)?.role !== 'assistant') add('assistant', []);
    const { content } = messages.at(-1);
    const { parts } = content;
    if (parts.length > 0) parts.push({ type: 'step-start', model: 'anthropic/claude-opus-5' });
    if (turn.reasoning)
      parts.push({
        type: 'reasoning',
        reasoning: turn.odd ? '' : turn.reasoning.text,
        details: [{ type: 'text', text: turn.reasoning.text }],
        ...(turn.reasoning.signed && { providerMetadata: { anthropic: { signature: 'c2ln' } } }),
      });
    if (turn.text !== null) {
      parts.push({ type: 'text', text: turn.text, createdAt: 0 });
      content.content = turn.text;
    }
    if (turn.odd) parts.push({ type: 'data-note', data: { any: ['thing'] } });
    for (const { id: toolCallId, name: toolName, args, result, answered: done } of turn.calls) {
      const call = { toolCallId, toolName, args };
      let toolInvocation = { state: 'result', ...call, result: result.json ?? plain(result.blocks) };
      if (!done) toolInvocation = { state: 'call', ...call };
      else if (result.failed) toolInvocation = { state: 'output-error', ...call, errorText: plain(result.blocks) };
      parts.push({ type: 'tool-invocation', toolInvocation, createdAt: 0 });
      // What succeeded stands there once more.
      if (toolInvocation.state === 'result') content.toolInvocations = [...(content.toolInvocations ?? []), { ...toolInvocation }];
    }
  }
  return messages;
};

const agUi = ({ system, turns }) => {
  const show = ({ text, image }) =>
    text === undefined ? { type: 'image', source: { type: 'data', value: image, mimeType: 'image/png' } } : { type: 'text', text };
  const messages = [];
  const add = (role, more) => messages.push({ id: `m${messages.length}`, role, ...more });
  if (system !== null) add('system', { content: system });
  for (const turn of turns) {
    if (turn.who === 'user') {
      add('user', { content: turn.more.length > 0 ? [{ text: turn.text }, ...turn.more].map(show) : turn.text });
      continue;
    }
    if (turn.reasoning) add('reasoning', { content: turn.reasoning.text, ...(turn.reasoning.signed && { encryptedValue: 'gAAAA' }) });
    const toolCalls = turn.calls.map(({ id, name, args }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
    add('assistant', { content: turn.text ?? '', ...(toolCalls.length > 0 && { toolCalls }) });
    if (turn.odd) add('activity', { activityType: 'progress', content: { done: 1 } });
    for (const { id, result } of answered(turn)) {
      const content = typeof result.blocks === 'string' ? shown(result) : result.blocks.map(show);
      add('tool', { toolCallId: id, content, ...(result.failed && { error: 'It failed.' }) });
    }
  }
  return messages;
};

const message = (spoken) =>
  openaiChat({ ...spoken, turns: spoken.turns.map((turn) => (turn.who === 'user' ? { ...turn, more: [] } : turn)) }).map((each, index) => ({
    id: `m${index}`,
    index,
    ...each,
    content:
      typeof each.content === 'string' || each.content === null ? (each.content ?? '') : each.content.map(({ text }) => text).join('\n'),
  }));

const SPOKEN_IN = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'openai-agents': openaiAgents,
  anthropic,
  'ai-sdk-model': aiSdkModel,
  'ai-sdk-ui': aiSdkUi,
  gemini,
  langchain,
  mastra,
  'ag-ui': agUi,
  message,
};

/** Conversations in one format. */
export const transcript = (format) => dialogue.map(SPOKEN_IN[format]);

/** Writes the conversation that `dialogue` draws, in a format. */
export const sayIn = (format, spoken) => SPOKEN_IN[format](spoken);

/**
 * Edits of a conversation's parts that name calls and results together, as the engine's do: a call and everything in its
 * result go, or their texts are replaced, or nothing happens; `choices` decides, a number from 0 to 1 for each part.
 */
export function someEdits(parts, choices) {
  const edits = [];
  const choice = (index) => choices[index % choices.length];
  const results = new Map();
  parts.forEach((part) => part.call >= 0 && results.set(part.call, [...(results.get(part.call) ?? []), part]));
  parts.forEach((part, index) => {
    const chosen = choice(index);
    if (part.kind === 'call') {
      const group = [part, ...(results.get(index) ?? [])];
      if (chosen < 0.25 && results.has(index) && group.every(({ locked }) => locked === undefined))
        return edits.push(...group.map((one) => ({ part: one, remove: true })));
      for (const one of group.slice(1))
        if (chosen < 0.6 && one.kind === 'result' && !one.locked) edits.push({ part: one, text: chosen < 0.4 ? '' : one.text.slice(0, 9) });
      if (chosen > 0.4 && chosen < 0.6 && !part.locked)
        edits.push({ part, text: chosen < 0.5 ? '{"path":"a","content":"[palimpsest:]"}' : part.text.startsWith('{') ? part.text : '{}' });
    } else if (part.call === undefined && part.kind === 'text' && !part.locked) {
      if (part.role === 'assistant' && chosen < 0.2) edits.push({ part, remove: true });
      else if (chosen < 0.4) edits.push({ part, text: part.text.slice(0, 5) });
    } else if (part.kind === 'reasoning' && chosen < 0.2) edits.push({ part, remove: true });
  });
  return edits;
}
