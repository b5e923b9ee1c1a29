// What the AI SDK and the provider behind it refuse of model messages. There is no server here: tests call it directly.
import { refuse } from './refusal.mjs';

const partsOf = {
  user: ['text', 'image', 'file'],
  assistant: [
    'text',
    'custom',
    'file',
    'reasoning',
    'reasoning-file',
    'redacted-reasoning',
    'tool-call',
    'tool-result',
    'tool-approval-request',
  ],
  tool: ['tool-result', 'tool-approval-response'],
};
const outputs = ['text', 'json', 'execution-denied', 'error-text', 'error-json', 'content'];
const isReasoning = ({ type }) => type === 'reasoning' || type === 'reasoning-file' || type === 'redacted-reasoning';

function readMessage({ role, content }, i) {
  if (role === 'system') {
    if (typeof content !== 'string') refuse(`messages[${i}]: a system message is a string`);
    return;
  }
  if (!Object.hasOwn(partsOf, role)) refuse(`messages[${i}]: unknown role`);
  if (typeof content === 'string' && role !== 'tool') {
    if (content === '') refuse(`messages[${i}]: no content`);
    return;
  }
  if (!Array.isArray(content) || content.length === 0) refuse(`messages[${i}]: no content`);
  content.forEach((part, j) => {
    if (!partsOf[role].includes(part.type)) refuse(`messages[${i}].content[${j}]: ${part.type} is no part of a message of the ${role}`);
    if (part.type !== 'tool-result') return;
    const { output } = part;
    if (!outputs.includes(output?.type)) refuse(`messages[${i}].content[${j}].output: unknown type`);
    if (output.type === 'content' ? !Array.isArray(output.value) || output.value.length === 0 : output.value === '')
      refuse(`messages[${i}].content[${j}].output: no value`);
  });
  if (content.every(isReasoning)) refuse(`messages[${i}]: nothing but reasoning`);
  // What the Responses API says of an item: reasoning has the item behind it that it led to.
  if (role === 'assistant' && isReasoning(content.at(-1))) refuse(`messages[${i}]: reasoning without what it led to`);
}

/** Checks that calls of the caller's tools have their results before anybody else speaks, and the provider's theirs in the same message. */
function readCalls(messages) {
  let waiting = new Map(); // id → whether the provider runs it
  const asked = new Map(); // id of an approval → the call
  const called = new Set();
  const approved = new Set();
  const unanswered = new Set(); // requests
  const end = (where, role) => {
    // An approved call of the provider's comes again in its next message; the SDK runs one of the caller's before it sends anything.
    const isExcused = ([id, isHosted]) => approved.has(id) && (role === undefined || (isHosted && role === 'assistant'));
    const left = [...waiting].filter((call) => !isExcused(call)).map(([id]) => id);
    if (unanswered.size > 0 && role !== undefined) refuse(`Nothing answers the approval request ${[...unanswered][0]} (${where}).`);
    if (left.length > 0) refuse(`Tool results are missing for tool calls ${left.join(', ')} (${where}).`);
    waiting = new Map(role === 'assistant' ? waiting : []);
  };
  messages.forEach(({ role, content }, i) => {
    if (role !== 'tool') end(`messages[${i}]`, role);
    for (const part of Array.isArray(content) ? content : []) {
      if (part.type === 'tool-call') {
        // The provider gives an approved call of its own once more.
        if (called.has(part.toolCallId) && !(part.providerExecuted && approved.has(part.toolCallId)))
          refuse(`messages[${i}]: \`tool_use\` ids must be unique`);
        called.add(part.toolCallId);
        waiting.set(part.toolCallId, part.providerExecuted === true);
      } else if (part.type === 'tool-result') {
        if (!waiting.has(part.toolCallId)) refuse(`messages[${i}]: a result without its call ${part.toolCallId}`);
        if (role === 'assistant' && !waiting.get(part.toolCallId)) refuse(`messages[${i}]: a result in a message of the assistant`);
        waiting.delete(part.toolCallId);
        // Where the request was not streamed, the approved call comes again with an id of the provider's.
        const again = [...waiting.keys()].find((id) => role === 'assistant' && approved.has(id));
        if (again !== undefined) waiting.delete(again);
      } else if (part.type === 'tool-approval-request') {
        if (!called.has(part.toolCallId)) refuse(`Tool call "${part.toolCallId}" not found for approval request "${part.approvalId}".`);
        asked.set(part.approvalId, part.toolCallId);
        unanswered.add(part.approvalId);
      } else if (part.type === 'tool-approval-response') {
        const call = asked.get(part.approvalId);
        if (call === undefined) refuse(`Tool approval response references unknown approvalId: "${part.approvalId}".`);
        // The SDK runs the call if this is the end, and the provider its own.
        unanswered.delete(part.approvalId);
        if (part.approved) approved.add(call);
      }
    }
  });
  end('the end');
}

/** What the SDK makes a compaction of, which may come first. */
export const isCompaction = ({ type, kind, text, ...part } = {}) =>
  (type === 'custom' && kind === 'openai.compaction') ||
  (type === 'text' && text !== '' && (part.providerOptions ?? part.providerMetadata)?.anthropic?.type === 'compaction');

/** Refuses what the SDK throws for, or the provider answers with status 400. */
export function answerModelMessages({ messages }) {
  if (messages.length === 0) refuse('Invalid prompt: messages must not be empty');
  messages.forEach(readMessage);
  const first = messages.find(({ role }) => role !== 'system');
  if (first?.role !== 'user' && !isCompaction(first?.content[0])) refuse('messages: first message must use the "user" role');
  readCalls(messages);
}
