// The export of ChatGPT, `conversations.json`: each conversation is a tree of messages, of which the branch that is shown last is read.
import { Conversation, pathTo, textPart } from './conversation.mjs';
import { counted, isObject, stringOf, timeOf } from './values.mjs';
import type { Json } from './values.mjs';
import type { Transcript } from '../types.mjs';

export const isWhole = (value: unknown) => isObject(value) && isObject(value.mapping) && 'current_node' in value;

/** A time of the export, which is in seconds. */
const timeIn = (seconds: unknown) => (typeof seconds === 'number' ? timeOf(seconds * 1000) : undefined);

export function* readWhole(file: string, conversation: Json): Generator<Transcript> {
  const talk = new Conversation();
  talk.title = stringOf(conversation.title);
  const nodes = Object.entries(conversation.mapping).flatMap(([id, node]) =>
    isObject(node) ? [{ ...node, id, parent: node.parent ?? null }] : [],
  );
  const last = nodes.find(({ id }) => id === conversation.current_node) ?? nodes.at(-1);
  let left = 0;
  for (const { message } of pathTo(nodes, last, { id: 'id', parent: 'parent' })) {
    if (!isObject(message)) continue;
    const time = timeIn(message.create_time);
    talk.at(time);
    const { role } = message.author ?? {};
    const { content_type: type, parts } = message.content ?? {};
    const content = type === 'text' && Array.isArray(parts) ? parts.flatMap(textPart) : [];
    if (type !== 'text' || !['user', 'assistant', 'system'].includes(role)) left++;
    else if (role === 'user') talk.user(content);
    else if (role === 'system') talk.system = content.map(({ text }) => text).join('\n') || talk.system;
    else if (content.length > 0) talk.assistant(content, { time, model: stringOf(message.metadata?.model_slug) });
  }
  if (left > 0) talk.notes.push(`${counted(left, 'message')} that ${left === 1 ? 'is' : 'are'} no text left out`);
  const id =
    stringOf(conversation.conversation_id) ??
    stringOf(conversation.id) ??
    `conversation of ${timeIn(conversation.create_time) ?? 'an unknown time'}`;
  yield* talk.transcripts('chatgpt', file, { id, started: timeIn(conversation.create_time) });
}
