// What providers refuse, written down a second time from their documentation, for what the tests send: pairs of calls and
// results, alternation, empty texts. Every function gives a list of complaints.
import { asResponses } from './agents-items.mjs';

/** What `@ai-sdk/anthropic` notes of a streamed answer is not sent. */
const isSent = ({ type, kind }) => type !== 'custom' || kind !== 'anthropic.message_start';
const filled = (content) => (typeof content === 'string' ? content !== '' : content.length > 0);
const isObject = (text) => {
  const value = JSON.parse(text);
  return value !== null && typeof value === 'object' && !Array.isArray(value);
};

/** Results must answer exactly these calls. A conversation may end with calls that nobody answered yet. */
function pairs(calls, results, atEnd) {
  if (calls.length > 0 && results.length === 0 && atEnd) return [];
  return calls.toSorted().join() === results.toSorted().join() ? [] : [`calls ${calls} and results ${results}`];
}

function openaiChat(messages) {
  const complaints = [];
  for (let index = 0; index < messages.length; index++) {
    const { role, content, tool_calls: calls } = messages[index];
    if (role === 'tool') complaints.push(`${index}: a result without its call`);
    if (role === 'assistant' ? !(content && filled(content)) && !calls : !filled(content)) complaints.push(`${index}: empty`);
    if (!calls) continue;
    if (calls.length === 0) complaints.push(`${index}: an empty list of calls`);
    for (const call of calls) if (call.function && !isObject(call.function.arguments)) complaints.push(`${index}: arguments`);
    const results = [];
    while (messages[index + 1]?.role === 'tool') {
      results.push(messages[++index].tool_call_id);
      if (!filled(messages[index].content)) complaints.push(`${index}: an empty result`);
    }
    complaints.push(
      ...pairs(
        calls.map(({ id }) => id),
        results,
        index === messages.length - 1,
      ),
    );
  }
  return complaints;
}

function openaiResponses(items) {
  const complaints = [];
  const called = items.filter(({ type }) => /^(function|custom_tool)_call$/.test(type));
  const answered = items.filter(({ type }) => /_call_output$/.test(type));
  const open = called.filter(({ call_id: id }) => !answered.some((item) => item.call_id === id));
  const lastAnswer = items.lastIndexOf(answered.at(-1));
  if (open.some((item) => items.indexOf(item) < lastAnswer)) complaints.push('a call without its result');
  for (const item of answered) {
    const place = items.findIndex((call) => called.includes(call) && call.call_id === item.call_id);
    if (place < 0 || place > items.indexOf(item)) complaints.push('a result without its call');
  }
  items.forEach((item, index) => {
    const next = items[index + 1];
    const led = next && (next.role === 'assistant' || /_call$/.test(next.type));
    if (item.type === 'reasoning' && !led) complaints.push(`${index}: reasoning without what followed it`);
    if (item.content !== undefined && !filled(item.content)) complaints.push(`${index}: empty`);
  });
  return complaints;
}

function anthropic(messages) {
  const complaints = [];
  messages.forEach(({ role, content }, index) => {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    const of = (type, message) => (Array.isArray(message?.content) ? message.content.filter((block) => block.type === type) : []);
    if (role !== (index % 2 === 0 ? 'user' : 'assistant')) complaints.push(`${index}: roles don't alternate`);
    if (blocks.length === 0 || blocks.some(({ type, text }) => type === 'text' && text === '')) complaints.push(`${index}: empty`);
    if (role === 'assistant' && /thinking$/.test(blocks.at(-1)?.type)) complaints.push(`${index}: ends with thinking`);
    const calls = of('tool_use', messages[index]).map(({ id }) => id);
    const results = of('tool_result', messages[index + 1]).map(({ tool_use_id: id }) => id);
    complaints.push(...pairs(calls, results, index === messages.length - 1));
    if (role === 'user' && index === 0 && of('tool_result', messages[index]).length > 0) complaints.push('a result without its call');
    const firstOther = blocks.findIndex(({ type }) => type !== 'tool_result');
    if (firstOther >= 0 && blocks.slice(firstOther).some(({ type }) => type === 'tool_result'))
      complaints.push(`${index}: results come first`);
  });
  return complaints;
}

function gemini(contents) {
  const complaints = [];
  const isResponse = ({ functionResponse }) => functionResponse !== undefined;
  contents.forEach(({ role, parts }, index) => {
    const before = contents[index - 1];
    // The user may speak behind a content of responses.
    const speaks = before?.parts.some(isResponse) && !parts.some(isResponse);
    if (before === undefined ? role !== 'user' : role === before.role && !speaks) complaints.push(`${index}: roles don't alternate`);
    if (parts.length === 0 || parts.some(({ text }) => text === '')) complaints.push(`${index}: empty`);
    const calls = parts.flatMap(({ functionCall }) => (functionCall ? [functionCall.name] : []));
    const responses = (contents[index + 1]?.parts ?? []).flatMap(({ functionResponse }) => (functionResponse ? [functionResponse] : []));
    complaints.push(
      ...pairs(
        calls,
        responses.map(({ name }) => name),
        index === contents.length - 1,
      ),
    );
    for (const { response } of responses)
      if (response === null || typeof response !== 'object' || Array.isArray(response))
        complaints.push(`${index}: a response is an object`);
  });
  return complaints;
}

function aiSdkModel(messages) {
  const complaints = [];
  for (let index = 0; index < messages.length; index++) {
    const { role, content } = messages[index];
    if (!filled(content) || (!isSent(content[0]) && content.length === 1)) complaints.push(`${index}: empty`);
    if (role === 'assistant' && content.at(-1).type === 'reasoning') complaints.push(`${index}: ends with reasoning`);
    if (role === 'tool') complaints.push(`${index}: a result without its call`);
    const calls = Array.isArray(content) ? content.filter(({ type }) => type === 'tool-call') : [];
    const results = [];
    while (messages[index + 1]?.role === 'tool') results.push(...messages[++index].content.map(({ toolCallId }) => toolCallId));
    complaints.push(
      ...pairs(
        calls.map(({ toolCallId }) => toolCallId),
        results,
        index === messages.length - 1,
      ),
    );
  }
  return complaints;
}

function langchain(messages) {
  const complaints = [];
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    const calls = (message.tool_calls ?? []).map(({ id }) => id);
    if (message.type === 'tool') complaints.push(`${index}: a result without its call`);
    if (!filled(message.content) && calls.length === 0) complaints.push(`${index}: empty`);
    if (calls.length === 0 && Array.isArray(message.content) && message.content.at(-1).type === 'thinking')
      complaints.push(`${index}: ends with thinking`);
    const twice =
      message.type === 'ai' && Array.isArray(message.content) ? message.content.filter(({ type }) => type === 'tool_use') : undefined;
    const raw = message.additional_kwargs.tool_calls?.map((call) => ({ id: call.id, input: JSON.parse(call.function.arguments) }));
    for (const copy of [twice, raw]) {
      if (!copy) continue;
      const same =
        JSON.stringify(copy.map(({ id, input }) => [id, input])) === JSON.stringify(message.tool_calls.map(({ id, args }) => [id, args]));
      if (!same && (copy.length > 0 || copy === twice)) complaints.push(`${index}: a call that stands twice differs`);
    }
    const results = [];
    while (messages[index + 1]?.type === 'tool') results.push(messages[++index].tool_call_id);
    complaints.push(...pairs(calls, results, index === messages.length - 1));
  }
  return complaints;
}

const aiSdkUi = (messages) =>
  messages.flatMap(({ parts }, index) =>
    parts.filter(isSent).some(({ type }) => type !== 'step-start' && type !== 'reasoning') ? [] : [`${index}: empty`],
  );

const mastra = (messages) => aiSdkUi(messages.map(({ content }) => content));

/** An agent sends no activities, and reasoning with what it led to. */
const agUi = (messages) =>
  openaiChat(
    messages
      .filter(({ role }) => role !== 'activity' && role !== 'reasoning')
      .map(({ toolCalls, toolCallId, ...rest }) => ({ ...rest, ...(toolCalls && { tool_calls: toolCalls }), tool_call_id: toolCallId })),
  );

/** Complaints by format. */
export const complaintsOf = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'openai-agents': (items) => openaiResponses(asResponses(items)),
  anthropic,
  gemini,
  'ai-sdk-model': aiSdkModel,
  'ai-sdk-ui': aiSdkUi,
  langchain,
  mastra,
  'ag-ui': agUi,
  message: openaiChat,
};
