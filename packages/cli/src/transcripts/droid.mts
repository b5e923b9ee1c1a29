// Droid (Factory): a line for each of Anthropic's messages. Their usage is in `<id>.settings.json` alone, as a sum.
import { basename } from 'node:path';
import { Conversation, once, readerOfAll } from './conversation.mjs';
import { readBeside } from './lines.mjs';
import { isObject, stringOf, timeOf, titleIn } from './values.mjs';
import type { Json } from './values.mjs';

const isMessage = ({ type, message }: Json) =>
  type === 'message' &&
  isObject(message) &&
  ['user', 'assistant'].includes(message.role) &&
  (typeof message.content === 'string' || Array.isArray(message.content));

export const isLine = (line: unknown) =>
  isObject(line) && ((line.type === 'session_start' && typeof line.id === 'string') || (isMessage(line) && typeof line.id === 'string'));

export const settingsOf = (file: string) => file.replace(/\.jsonl$/, '.settings.json');

export const Reader = readerOfAll(async function* (file, lines, skipped) {
  const talk = new Conversation();
  talk.skipped = skipped;
  let id = basename(file, '.jsonl');
  for (const line of once(lines)) {
    const time = timeOf(line.timestamp);
    if (line.type === 'session_start') {
      id = stringOf(line.id) ?? id;
      talk.title = stringOf(line.title) ?? talk.title;
      talk.cwd = stringOf(line.cwd) ?? talk.cwd;
    } else if (isMessage(line)) {
      talk.at(time);
      const { role, content } = line.message;
      if (role === 'assistant') talk.reply({ role, content }, { time });
      else {
        talk.title ??= titleIn(typeof content === 'string' ? content : content.find((block: Json | null) => block?.type === 'text')?.text);
        talk.messages.push({ role, content });
      }
    } else talk.skipped++;
  }
  const settings = await readBeside(settingsOf(file));
  if (isObject(settings) && stringOf(settings.model)) for (const request of talk.requests) request.model = settings.model;
  yield* talk.transcripts('droid', file, { id, format: 'anthropic' });
});
