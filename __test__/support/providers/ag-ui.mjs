// AG-UI's messages: the schema of the protocol's own package, and the chat completions that an agent makes of them.
import { MessageSchema } from '@ag-ui/core/schemas';
import { answerChat } from './openai-chat.mjs';
import { refuse } from './refusal.mjs';

/** A part as chat completions have it; media in results are shown to the model as texts. */
const partOf = (role) => (part) =>
  part.type === 'text' ? part : role === 'tool' ? { type: 'text', text: part.type } : { type: 'image_url', image_url: { url: 'data:,' } };

/** Activities are not sent, and reasoning is no message of chat completions. */
export function asChat(messages) {
  return messages
    .filter(({ role }) => role !== 'activity' && role !== 'reasoning')
    .map(({ role, content, name, toolCalls, toolCallId }) => ({
      role,
      content: Array.isArray(content) ? content.map(partOf(role)) : content,
      ...(name !== undefined && { name }),
      ...(toolCalls !== undefined && { tool_calls: toolCalls.map(({ id, type, function: called }) => ({ id, type, function: called })) }),
      ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
    }));
}

export function answerAgUi({ messages }) {
  messages.forEach((message, i) => {
    const { success, error } = MessageSchema.safeParse(message);
    if (!success) refuse(`messages[${i}]: ${error.message}`);
  });
  return answerChat({ messages: asChat(messages) });
}
