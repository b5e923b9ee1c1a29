// What of UI messages can't be sent: those of the AI SDK as its own converter makes model messages of them, Mastra's by the same rules.
import { convertToModelMessages, safeValidateUIMessages } from 'ai';
import { answerModelMessages, isCompaction } from './ai-sdk.mjs';
import { refuse } from './refusal.mjs';

export async function answerUiMessages({ messages }) {
  messages.forEach(({ id, parts }, i) => {
    if (typeof id !== 'string') refuse(`messages[${i}]: no id`);
    if (!Array.isArray(parts) || parts.length === 0) refuse(`messages[${i}]: no parts`);
  });
  const { success, error } = await safeValidateUIMessages({ messages: structuredClone(messages) });
  if (!success) refuse(error.message);
  const model = await convertToModelMessages(messages, { convertDataPart: () => undefined });
  // Parts that are not sent leave an empty message; providers skip it.
  answerModelMessages({ messages: model.filter(({ content }) => content.length > 0) });
}

/** A call that Mastra stores has its result beside it; the user's words come first. */
export function answerMastra({ messages }) {
  if (messages.length === 0) refuse('no messages');
  const first = messages.find(({ role }) => role !== 'system');
  if (first?.role === 'assistant' && !isCompaction(first.content.parts.find(({ type }) => type !== 'step-start')))
    refuse('first message must use the "user" role');
  messages.forEach(({ id, role, content }, i) => {
    if (typeof id !== 'string' || content?.format !== 2) refuse(`messages[${i}]: not of Mastra`);
    if (!Array.isArray(content.parts) || content.parts.length === 0) refuse(`messages[${i}]: no parts`);
    for (const { type, toolInvocation: tool } of content.parts) {
      if (type !== 'tool-invocation') continue;
      if (role !== 'assistant') refuse(`messages[${i}]: a call in a message of the user`);
      if (tool.state === 'result' && tool.result === undefined) refuse(`messages[${i}]: a result that is none`);
      if (i < messages.length - 1 && /call$|^approval-/.test(tool.state)) refuse(`messages[${i}]: a call without its result`);
    }
    if (content.parts.every(({ type }) => type === 'step-start' || type === 'reasoning')) refuse(`messages[${i}]: nothing is sent of it`);
  });
}
