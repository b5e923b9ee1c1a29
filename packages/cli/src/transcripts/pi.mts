// pi, and OpenClaw, which is made of it: a line for each entry. From version 2 on they form a tree.
import { basename, sep } from 'node:path';
import { unlessEmpty } from '../usage.mjs';
import { digestOf } from './answers.mjs';
import { callPart, Conversation, once, pathTo, readerOfAll, textPart, thinkingPart } from './conversation.mjs';
import { counted, isObject, stringOf, timeOf, tokensOf } from './values.mjs';
import type { Json } from './values.mjs';
import type { Usage } from '../types.mjs';

/** Entries that are not sent. */
const OTHER = new Set(['custom', 'label', 'session_info', 'model_change', 'thinking_level_change']);

export const isLine = (line: unknown) =>
  isObject(line) &&
  ((line.type === 'session' && typeof line.id === 'string' && typeof line.cwd === 'string') ||
    (line.type === 'message' &&
      isObject(line.message) &&
      ('api' in line.message || ['toolResult', 'bashExecution'].includes(line.message.role))));

/** @param content a text, or blocks @param media how images are named */
const partsOf = (content: unknown, media: 'image' | 'media'): Json[] =>
  typeof content === 'string'
    ? textPart(content)
    : (Array.isArray(content) ? content : []).flatMap((block) =>
        block?.type === 'image'
          ? [{ type: media, [media === 'image' ? 'image' : 'data']: String(block.data), mediaType: String(block.mimeType) }]
          : block?.type === 'text'
            ? textPart(block.text)
            : [],
      );

const replyOf = (content: unknown): Json[] =>
  (Array.isArray(content) ? content : []).flatMap((block) =>
    block?.type === 'text'
      ? textPart(block.text)
      : block?.type === 'thinking'
        ? thinkingPart(block.thinking)
        : block?.type === 'toolCall'
          ? [callPart(block.id, block.name, block.arguments)]
          : [],
  );

/** What the user ran, as it is sent. */
const ranOf = ({ command, output, exitCode }: Json) =>
  `Ran \`${command}\`\n${stringOf(output) ? `\`\`\`\n${output}\n\`\`\`` : '(no output)'}${exitCode ? `\n\nCommand exited with code ${exitCode}` : ''}`;

function usageOf(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const { input, output, cacheRead, cacheWrite } = usage;
  // Requests that failed or were interrupted have none.
  return unlessEmpty({
    input: tokensOf(input),
    cacheRead: tokensOf(cacheRead),
    cacheWrite: tokensOf(cacheWrite),
    output: tokensOf(output),
  });
}

/** What is recorded of an answer. Copies of it in other sessions have the same time, and may have another id of the entry. */
function answerOf({ message, timestamp }: Json) {
  const time = timeOf(message.timestamp) ?? timeOf(timestamp);
  const model = stringOf(message.model);
  const usage = usageOf(message.usage);
  const ids = [digestOf('pi', time, model, message.content, usage)];
  return { ...(time !== undefined && { time, ids }), ...(model !== undefined && { model }), ...(usage && { usage }) };
}

/** Adds an entry as it is sent. */
function add(talk: Conversation, entry: Json) {
  const { type, message, content, summary, timestamp } = entry;
  const time = timeOf(timestamp) ?? timeOf(message?.timestamp);
  talk.at(time);
  if (type === 'branch_summary') talk.user(textPart(summary));
  else if (type === 'custom_message') talk.user(partsOf(content, 'image'));
  else if (type === 'message' && isObject(message)) {
    const { role } = message;
    if (role === 'assistant') talk.assistant(replyOf(message.content), answerOf(entry));
    else if (role === 'toolResult') talk.result(message.toolCallId, partsOf(message.content, 'media'), message.isError === true);
    else if (role === 'bashExecution') {
      if (message.excludeFromContext !== true) talk.user(textPart(ranOf(message)));
    } else if (['user', 'custom', 'hookMessage'].includes(role)) talk.user(partsOf(message.content, 'image'));
    else talk.skipped++;
  } else if (!OTHER.has(type)) talk.skipped++;
}

export const Reader = readerOfAll(function* (file, lines, skipped) {
  const talk = new Conversation();
  talk.skipped = skipped;
  const header = lines.find(({ type }) => type === 'session') ?? {};
  const entries = once(lines.filter((line) => line !== header && line.type !== 'session'));
  const isTree = entries.some(({ id, parentId }) => typeof id === 'string' && parentId !== undefined);
  const path = isTree ? pathTo(entries, entries.at(-1), { id: 'id', parent: 'parentId' }) : entries;
  const own = new Set(path);
  const places = new Map(path.map((entry, index) => [isTree ? entry.id : entry, index]));
  /** Places of the last two. */
  let compactions: number[] = [];
  talk.cwd = stringOf(header.cwd);
  talk.at(timeOf(header.timestamp));
  for (const [index, entry] of path.entries()) {
    if (entry.type === 'session_info') talk.title = stringOf(entry.name) ?? talk.title;
    if (entry.type !== 'compaction') add(talk, entry);
    else {
      // The summary, and the entries that are kept.
      const first = places.get(isTree ? entry.firstKeptEntryId : lines[entry.firstKeptEntryIndex]) ?? index;
      // None is kept more often than by two compactions, so that a file can't say to repeat all of it again and again.
      const [, second = 0] = compactions;
      compactions = [index, ...compactions.slice(0, 1)];
      const kept = path.slice(Math.max(first, second), index).filter(({ type }) => type !== 'compaction');
      talk.compact();
      talk.user(textPart(entry.summary));
      addAgain(talk, kept);
    }
  }
  const aside = entries.filter((entry) => entry.type === 'message' && !own.has(entry));
  if (aside.length > 0) talk.notes.push(`${counted(aside.length, 'message')} of other branches left out`);
  for (const entry of aside) {
    const answer = entry.message?.role === 'assistant' ? answerOf(entry) : undefined;
    if (answer?.usage) talk.beside.push({ kind: 'branch', ...answer });
  }
  const agent = file.includes(`${sep}.openclaw${sep}`) ? 'openclaw' : 'pi';
  yield* talk.transcripts(agent, file, { id: stringOf(header.id) ?? basename(file, '.jsonl') });
});

/** Adds entries that are sent again after a compaction: their requests were counted before. */
function addAgain(talk: Conversation, entries: Json[]) {
  const [requests, beside, { skipped }] = [talk.requests.length, talk.beside.length, talk];
  for (const entry of entries) add(talk, entry);
  talk.requests.length = requests;
  talk.beside.length = beside;
  talk.skipped = skipped;
}
