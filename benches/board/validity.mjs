// Whether providers take messages, by the strict servers that the tests use.
import { answerMessages } from '../../__test__/support/providers/anthropic.mjs';
import { answerChat } from '../../__test__/support/providers/openai-chat.mjs';
import { Refusal } from '../../__test__/support/providers/refusal.mjs';

/** Messages of OpenAI's chat completions as blocks of Anthropic, without the system prompt. */
function asBlocks(messages) {
  const turns = [];
  for (const { role, content, tool_calls: calls = [], tool_call_id: id } of messages) {
    if (role === 'system') continue;
    const text = content ? [{ type: 'text', text: content }] : [];
    const used = calls.map(({ id: callId, function: { name, arguments: json } }) => {
      return { type: 'tool_use', id: callId, name, input: JSON.parse(json) };
    });
    const blocks = role === 'tool' ? [{ type: 'tool_result', tool_use_id: id, content }] : [...text, ...used];
    const [last, as] = [turns.at(-1), role === 'tool' ? 'user' : role];
    // Parallel results stand in one message.
    if (last?.role === as) last.content.push(...blocks);
    else turns.push({ role: as, content: blocks });
  }
  return turns;
}

function isTaken(answer, messages) {
  try {
    answer({ messages });
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

export const PROVIDERS = {
  openai: (messages) => isTaken(answerChat, messages),
  anthropic: (messages) => isTaken(answerMessages, asBlocks(messages)),
};
