// Conversations of an agent as fast-check generates them, in the formats of the providers, and ways to break them.
import fc from 'fast-check';

const text = fc.constantFrom('Hello.', 'Read a.ts', 'Done: 3 files', 'ok', '走吧', '{"a": 1}');
const output = fc.oneof(text, fc.constant(''));
const call = fc.record({ output, error: fc.boolean(), custom: fc.boolean() });
const step = fc.record({
  text: fc.option(text, { nil: undefined }),
  thinking: fc.boolean(),
  calls: fc.array(call, { minLength: 1, maxLength: 3 }),
});
const exchange = fc.record({
  user: text,
  image: fc.boolean(),
  steps: fc.array(step, { maxLength: 3 }),
  answer: text,
  thinking: fc.boolean(),
  searches: fc.boolean(),
});

/** The course of a conversation, independent of a provider; with `open`, the last calls wait for their results. */
export const conversations = fc.record({
  system: fc.boolean(),
  exchanges: fc.array(exchange, { minLength: 1, maxLength: 3 }),
  end: fc.constantFrom('answer', 'user', 'results'),
  split: fc.boolean(), // results in messages of their own, where they may also stand together
});

/** The exchanges with an id for each call. `end` determines where the last one ends. */
function* numbered({ exchanges, end }) {
  let count = 0;
  for (const [i, { steps, ...rest }] of exchanges.entries()) {
    const isLast = i === exchanges.length - 1;
    yield {
      ...rest,
      steps:
        isLast && end === 'user' ? [] : steps.map((one) => ({ ...one, calls: one.calls.map((c) => ({ ...c, id: `call_${++count}` })) })),
      answer: isLast && end !== 'answer' ? undefined : rest.answer,
      number: i,
    };
  }
}

const image = 'data:image/png;base64,iVBORw0KGgo=';
const input = (id) => ({ path: `${id}.ts`, lines: [1, 2] });

function chat(conversation) {
  const messages = conversation.system ? [{ role: 'system', content: 'Be brief.' }] : [];
  for (const { user, image: sees, steps, answer } of numbered(conversation)) {
    messages.push({
      role: 'user',
      content: sees
        ? [
            { type: 'text', text: user },
            { type: 'image_url', image_url: { url: image } },
          ]
        : user,
    });
    for (const { text: says, calls } of steps) {
      const tool_calls = calls.map(({ id, custom }) =>
        custom
          ? { id, type: 'custom', custom: { name: 'patch', input: '*** Begin' } }
          : { id, type: 'function', function: { name: 'read', arguments: JSON.stringify(input(id)) } },
      );
      messages.push({ role: 'assistant', content: says ?? null, tool_calls });
      for (const { id, output: shows } of calls)
        messages.push({ role: 'tool', tool_call_id: id, content: conversation.split ? shows : [{ type: 'text', text: shows }] });
    }
    if (answer !== undefined) messages.push({ role: 'assistant', content: answer });
  }
  return messages;
}

function responses(conversation) {
  const items = conversation.system ? [{ role: 'developer', content: 'Be brief.' }] : [];
  let ids = 0;
  const reason = (thinking) => thinking && items.push({ type: 'reasoning', id: `rs_${++ids}`, summary: [], encrypted_content: 'gAAA' });
  const say = (words) =>
    items.push({
      type: 'message',
      role: 'assistant',
      id: `msg_${++ids}`,
      content: [{ type: 'output_text', text: words, annotations: [] }],
    });
  for (const { user, image: sees, steps, answer, thinking: thinks, searches } of numbered(conversation)) {
    const content = [{ type: 'input_text', text: user }, ...(sees ? [{ type: 'input_image', image_url: image, detail: 'auto' }] : [])];
    items.push({ type: 'message', role: 'user', content: sees || searches ? content : user });
    if (searches && answer !== undefined) items.push({ type: 'web_search_call', id: `ws_${++ids}`, status: 'completed' });
    for (const { text: says, thinking, calls } of steps) {
      reason(thinking);
      if (says !== undefined) say(says);
      for (const { id, custom } of calls) {
        items.push(
          custom
            ? { type: 'custom_tool_call', id: `ctc_${++ids}`, call_id: id, name: 'patch', input: '*** Begin' }
            : { type: 'function_call', id: `fc_${++ids}`, call_id: id, name: 'read', arguments: JSON.stringify(input(id)) },
        );
      }
      for (const { id, custom, output: shows } of calls) {
        items.push({
          type: custom ? 'custom_tool_call_output' : 'function_call_output',
          call_id: id,
          output: conversation.split ? shows : [{ type: 'input_text', text: shows }],
        });
      }
    }
    if (answer === undefined) continue;
    reason(thinks);
    say(answer);
  }
  return items;
}

/** The same items as OpenAI's Agents SDK keeps them. What it makes of hosted tools only it knows. */
function agents(conversation) {
  return responses({ ...conversation, exchanges: conversation.exchanges.map((one) => ({ ...one, searches: false })) }).map((item) => {
    const { type, call_id: callId, output: shows, input: words, ...rest } = item;
    if (item.role === 'developer') return { role: 'system', content: item.content };
    if (item.role === 'user') return { ...item, content: agentsContent(item.content) };
    if (item.role === 'assistant') {
      return { ...item, status: 'completed', content: item.content.map(({ annotations: _, ...part }) => part), providerData: {} };
    }
    if (type === 'reasoning') return { type, id: item.id, content: [], providerData: { encrypted_content: item.encrypted_content } };
    if (type.endsWith('_output')) {
      const output = conversation.system && Array.isArray(shows) ? { type: 'text', text: shows[0].text } : shows;
      return { type: 'function_call_result', name: 'read', callId, status: 'completed', output };
    }
    return { ...rest, type: 'function_call', callId, arguments: item.arguments ?? JSON.stringify({ words }), status: 'completed' };
  });
}

const agentsContent = (content) =>
  typeof content === 'string'
    ? content
    : content.map(({ image_url: url, ...part }) => (url === undefined ? part : { ...part, image: url }));

function anthropic(conversation) {
  const messages = [];
  const think = (thinking, id) =>
    !thinking ? [] : id % 2 ? [{ type: 'thinking', thinking: 'Hm.', signature: 'EqQB' }] : [{ type: 'redacted_thinking', data: 'EmwK' }];
  for (const { user, image: sees, steps, answer, thinking: thinks, searches, number } of numbered(conversation)) {
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
    messages.push({ role: 'user', content: sees ? [{ type: 'text', text: user, cache_control: { type: 'ephemeral' } }, picture] : user });
    for (const { text: says, thinking, calls } of steps) {
      messages.push({
        role: 'assistant',
        content: [
          ...think(thinking, calls.length),
          ...(says === undefined ? [] : [{ type: 'text', text: says }]),
          ...calls.map(({ id }) => ({ type: 'tool_use', id, name: 'read', input: input(id) })),
        ],
      });
      const results = calls.map(({ id, output: shows, error }) => ({
        type: 'tool_result',
        tool_use_id: id,
        is_error: error,
        content: shows === '' || error ? shows : [{ type: 'text', text: shows }, ...(sees ? [picture] : [])],
      }));
      if (conversation.split) messages.push(...results.map((result) => ({ role: 'user', content: [result] })));
      else messages.push({ role: 'user', content: results });
    }
    if (answer === undefined) continue;
    const search = searches
      ? [
          { type: 'server_tool_use', id: `srvtoolu_${number}`, name: 'web_search', input: { query: user } },
          { type: 'web_search_tool_result', tool_use_id: `srvtoolu_${number}`, content: [] },
        ]
      : [];
    messages.push({ role: 'assistant', content: [...think(thinks, number), ...search, { type: 'text', text: answer }] });
  }
  return messages;
}

function gemini(conversation) {
  const contents = [];
  for (const { user, image: sees, steps, answer, thinking: thinks } of numbered(conversation)) {
    contents.push({
      role: 'user',
      parts: [{ text: user }, ...(sees ? [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }] : [])],
    });
    for (const { text: says, calls } of steps) {
      const identified = (id) => (conversation.system ? { id } : {});
      contents.push({
        role: 'model',
        parts: [
          ...(says === undefined ? [] : [{ text: says, thought: true }]),
          // Either all steps of a conversation are signed or none, because that depends on the model.
          ...calls.map(({ id }, i) => ({
            functionCall: { ...identified(id), name: 'read', args: input(id) },
            ...(i === 0 && conversation.split && { thoughtSignature: 'AAEC' }),
          })),
        ],
      });
      contents.push({
        role: 'user',
        parts: calls.map(({ id, output: shows }) => ({
          functionResponse: { ...identified(id), name: 'read', response: { output: shows } },
        })),
      });
    }
    if (answer !== undefined) contents.push({ role: 'model', parts: [{ text: answer, ...(thinks && { thoughtSignature: 'AAEC' }) }] });
  }
  return contents;
}

export const render = { 'openai-chat': chat, 'openai-responses': responses, 'openai-agents': agents, anthropic, gemini };

/** Values of the formats in wrong places, and values that are no part of them. */
const strange = fc.constantFrom(
  null,
  '',
  ' ',
  '\n\n',
  0,
  true,
  [],
  {},
  'x',
  'call_1',
  'call_2',
  'srvtoolu_0',
  '{',
  '[]',
  '{"a":1}',
  'user',
  'assistant',
  'system',
  'tool',
  'developer',
  'wizard',
  { role: 'user', content: 'Go on.' },
  { role: 'assistant', content: 'I will.' },
  [{ type: 'text', text: 'x' }],
);

/** A change at one place of the conversation, which `at` picks. */
const change = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('drop', 'drop', 'repeat', 'repeat', 'swap', 'swap', 'copy', 'empty', 'replace', 'replace'),
  value: strange,
  depth: fc.integer({ min: 1, max: 7 }),
});
export const changes = fc.array(change, { minLength: 1, maxLength: 2 });

/** Returns all places in a value down to a depth: `[holder, key]`. */
function* places(holder, depth) {
  for (const key of Object.keys(holder)) {
    yield [holder, Array.isArray(holder) ? Number(key) : key];
    const value = holder[key];
    if (depth > 1 && typeof value === 'object' && value !== null) yield* places(value, depth - 1);
  }
}

const kind = (value) => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);
const empties = { array: [], object: {}, string: '' };

/**
 * Types of parts stay or are exchanged: the strict server refuses types that it doesn't know, as a provider would, but
 * `validate` takes them for newer than itself.
 */
export function breakIt(messages, all) {
  const broken = structuredClone(messages);
  for (const { at, how, value, depth } of all) {
    const candidates = [...places(broken, depth)].filter(
      ([holder, key]) => key !== 'type' && !(kind(holder) === 'object' && 'url' in holder),
    );
    if (candidates.length === 0) continue;
    const [holder, key] = candidates[at % candidates.length];
    const isList = Array.isArray(holder);
    if (how === 'drop') isList ? holder.splice(key, 1) : delete holder[key];
    else if (how === 'repeat' && isList) holder.splice(key, 0, structuredClone(holder[key]));
    else if (how === 'swap' && isList && key + 1 < holder.length) [holder[key], holder[key + 1]] = [holder[key + 1], holder[key]];
    else if (how === 'copy') {
      // Another value of the same key: an id for an id, a text, a role, the content of another message.
      const others = [...places(broken, 7)].filter(([, other]) => other === key);
      const [from, other] = others[(at * 7 + 3) % others.length];
      holder[key] = structuredClone(from[other]);
    } else if (how === 'empty' && kind(holder[key]) in empties) holder[key] = structuredClone(empties[kind(holder[key])]);
    else if (how === 'replace') holder[key] = structuredClone(value);
  }
  return broken;
}
