// Messages of OpenAI's chat completions as the AI SDK and LangChain have them, and back.
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';

/** A message without what no provider sees. */
export const clean = ({ role, content, tool_calls: calls, tool_call_id: id }) => ({
  role,
  content: content ?? '',
  ...(calls ? { tool_calls: calls } : {}),
  ...(id ? { tool_call_id: id } : {}),
});

const callsOf = ({ tool_calls: calls = [] }) => calls;
/** The recorded calls by their ids, so that arguments come back as they were written. */
const recorded = (messages) => new Map(messages.flatMap(callsOf).map((call) => [call.id, call]));
const asChat = (content, ids, calls) => ({
  role: 'assistant',
  content,
  ...(ids.length > 0 ? { tool_calls: ids.map((id) => calls.get(id)) } : {}),
});

export function toModel(messages) {
  const calls = recorded(messages);
  return messages.map((message) => {
    const { role, content, tool_call_id: id } = message;
    if (role === 'system' || role === 'user') return { role, content };
    if (role === 'tool') {
      const output = { type: 'text', value: content };
      return { role, content: [{ type: 'tool-result', toolCallId: id, toolName: calls.get(id)?.function.name ?? 'tool', output }] };
    }
    const called = callsOf(message).map(({ id: toolCallId, function: { name, arguments: json } }) => {
      return { type: 'tool-call', toolCallId, toolName: name, input: JSON.parse(json) };
    });
    return { role, content: [...(content ? [{ type: 'text', text: content }] : []), ...called] };
  });
}

export function fromModel(messages, given) {
  const calls = recorded(given);
  return messages.flatMap(({ role, content }) => {
    if (role === 'system' || role === 'user') return [{ role, content }];
    if (role === 'tool') return content.map(({ toolCallId, output }) => ({ role, content: output.value, tool_call_id: toolCallId }));
    const ids = content.flatMap(({ type, toolCallId }) => (type === 'tool-call' ? [toolCallId] : []));
    const said = content.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join('');
    return [asChat(said, ids, calls)];
  });
}

export function toLangChain(messages) {
  return messages.map((message) => {
    const { role, content, tool_call_id: id } = message;
    if (role === 'system') return new SystemMessage(content);
    if (role === 'user') return new HumanMessage(content);
    if (role === 'tool') return new ToolMessage({ content, tool_call_id: id });
    const called = callsOf(message).map(({ id: callId, function: { name, arguments: json } }) => {
      return { id: callId, type: 'tool_call', name, args: JSON.parse(json) };
    });
    return new AIMessage({ content: content ?? '', tool_calls: called });
  });
}

const ROLES = { system: 'system', human: 'user' };
export function fromLangChain(messages, given) {
  const calls = recorded(given);
  return messages.map((message) => {
    const { type, content } = message;
    if (type === 'tool') return { role: 'tool', content, tool_call_id: message.tool_call_id };
    if (type !== 'ai') return { role: ROLES[type], content };
    return asChat(
      content,
      message.tool_calls.map(({ id }) => id),
      calls,
    );
  });
}
