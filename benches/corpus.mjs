// Real conversations from a folder with `plain/*.json`: arrays of `{ messages }`.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { contentLength } from './generate.mjs';

const SIZE = 1_000_000;
/** Sources with fewer characters are joined. */
const OWN_ROW = 200_000;

/** The conversations, one behind the other, up to about a megabyte, under ids that are unique again. */
function joined(conversations) {
  const messages = [];
  let size = 0;
  for (const message of conversations.flatMap((conversation) => conversation.messages)) {
    if (size >= SIZE) break;
    messages.push({ ...message, id: `msg_${messages.length}`, index: messages.length });
    size += message.content.length;
  }
  return messages;
}

/** One workload for each source that is long enough, and one for all the others. Nothing is repeated to make it longer. */
export function readCorpus(folder) {
  const plain = join(folder, 'plain');
  const files = readdirSync(plain).filter((name) => name.endsWith('.json'));
  const sources = files.map((file) => ({ name: basename(file, '.json'), conversations: JSON.parse(readFileSync(join(plain, file), 'utf8')) }));
  const length = ({ conversations }) => conversations.reduce((sum, { messages }) => sum + contentLength(messages), 0);
  const isLong = (source) => length(source) >= OWN_ROW;
  const rest = { name: 'all others', conversations: sources.filter((source) => !isLong(source)).flatMap(({ conversations }) => conversations) };
  return [...sources.filter(isLong), rest].map(({ name, conversations }) => ({ name, messages: joined(conversations) }));
}
