// Real conversations from a folder with `plain/*.json` and `native/*.json`: arrays of `{ messages }`, the latter as providers
// take them.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { contentLength } from './generate.mjs';

const SIZE = 1_000_000;
/** Sources with fewer characters are joined. */
const OWN_ROW = 200_000;

/** Joins the conversations, up to about a megabyte, with unique ids. */
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

const sourcesIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((file) => ({ name: basename(file, '.json'), conversations: JSON.parse(readFileSync(join(folder, file), 'utf8')) }));

/** The conversations of each provider's source that is long enough. */
export const readProviders = (folder) =>
  sourcesIn(join(folder, 'native'))
    .filter(({ conversations }) => JSON.stringify(conversations).length >= OWN_ROW)
    .map(({ name, conversations }) => ({ name, conversations: conversations.map(({ messages }) => messages) }));

/** One workload for each source that is long enough, and one for all the others. Nothing is repeated to make it longer. */
export function readCorpus(folder) {
  const sources = sourcesIn(join(folder, 'plain'));
  const length = ({ conversations }) => conversations.reduce((sum, { messages }) => sum + contentLength(messages), 0);
  const isLong = (source) => length(source) >= OWN_ROW;
  const rest = {
    name: 'all others',
    conversations: sources.filter((source) => !isLong(source)).flatMap(({ conversations }) => conversations),
  };
  return [...sources.filter(isLong), rest].map(({ name, conversations }) => ({ name, messages: joined(conversations) }));
}
