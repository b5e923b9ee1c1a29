// Cursor's transcripts of agents: what was said and called. Ids, results, times and usage are not in them.
import { basename } from 'node:path';
import { callPart, Conversation, readerOfAll, textPart } from './conversation.mjs';
import { counted, isObject } from './values.mjs';
import type { Json } from './values.mjs';

const isMessage = (line: unknown) =>
  isObject(line) && typeof line.role === 'string' && isObject(line.message) && Array.isArray(line.message.content) && !('type' in line);

export const isLine = (line: unknown) => isMessage(line) || (isObject(line) && line.type === 'turn_ended');

export const Reader = readerOfAll(function* (file, lines, skipped) {
  const talk = new Conversation();
  talk.skipped = skipped;
  let calls = 0;
  /** The reply that is being read. */
  let open: Json | undefined;
  for (const line of lines) {
    if (line.type === 'turn_ended') continue;
    if (!isMessage(line) || !['user', 'assistant'].includes(line.role)) {
      talk.skipped++;
      continue;
    }
    const parts = line.message.content.flatMap((block: Json | null) =>
      block?.type === 'text'
        ? textPart(block.text)
        : block?.type === 'tool_use'
          ? [callPart(`call-${++calls}`, block.name, block.input)]
          : [],
    );
    if (line.role === 'user') {
      talk.user(parts);
      open = undefined;
    } else if (open !== undefined) open.content.push(...parts);
    else {
      talk.assistant(parts);
      open = talk.messages.at(-1);
    }
    // After calls, the model was asked again.
    if (parts.some(({ type }: Json) => type === 'tool-call')) open = undefined;
  }
  if (calls > 0) talk.notes.push(`the results of ${counted(calls, 'call')} are not recorded`);
  yield* talk.transcripts('cursor', file, { id: basename(file, '.jsonl') });
});
