// The export of Claude.ai, `conversations.json`: what the user and Claude said.
import { Conversation, once, textPart } from './conversation.mjs';
import { counted, isObject, stringOf, timeOf } from './values.mjs';
import type { Json } from './values.mjs';
import type { Transcript } from '../types.mjs';

export const isWhole = (value: unknown) => isObject(value) && Array.isArray(value.chat_messages);

export function* readWhole(file: string, conversation: Json): Generator<Transcript> {
  const talk = new Conversation();
  talk.title = stringOf(conversation.name);
  let left = 0;
  const messages = conversation.chat_messages.filter(isObject);
  talk.skipped = conversation.chat_messages.length - messages.length;
  for (const { sender, text, content, created_at } of once(messages, 'uuid')) {
    const time = timeOf(created_at);
    talk.at(time);
    const blocks = Array.isArray(content) ? content.filter(isObject) : [];
    left += blocks.filter(({ type }) => type !== 'text').length;
    const said = blocks.flatMap((block) => (block.type === 'text' ? textPart(block.text) : []));
    const parts = said.length > 0 ? said : textPart(text);
    if (sender === 'human') talk.user(parts);
    else if (sender === 'assistant') {
      if (parts.length > 0) talk.assistant(parts, { time });
    } else talk.skipped++;
  }
  if (left > 0) talk.notes.push(`${counted(left, 'block')} that ${left === 1 ? 'is' : 'are'} no text left out`);
  const id = stringOf(conversation.uuid) ?? 'conversation';
  yield* talk.transcripts('claude-ai', file, { id, started: timeOf(conversation.created_at) });
}
