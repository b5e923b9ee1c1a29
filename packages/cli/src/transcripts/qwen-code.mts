// Qwen Code: a record a line, with Gemini's messages. The records form a tree by `parentUuid`; a reply may be several of one `uuid`.
import { basename } from 'node:path';
import { unlessEmpty, usageWithin } from '../usage.mjs';
import { digestOf } from './answers.mjs';
import { Conversation, pathTo, readerOfAll } from './conversation.mjs';
import { counted, isObject, stringOf, timeOf, titleIn, tokensOf } from './values.mjs';
import type { Json } from './values.mjs';
import type { Usage } from '../types.mjs';

const OWN = new Set(['ui_telemetry', 'custom_title', 'rewind', 'chat_compression', 'slash_command', 'at_command', 'notification']);
const TYPES = new Set(['user', 'assistant', 'tool_result']);

const isMessage = ({ type, message }: Json) => TYPES.has(type) && isObject(message) && Array.isArray(message.parts);

export const isLine = (line: unknown) =>
  isObject(line) && typeof line.sessionId === 'string' && (isMessage(line) || (line.type === 'system' && OWN.has(line.subtype)));

function usageOf(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  // What was thought is among the candidates.
  return unlessEmpty(usageWithin(usage.promptTokenCount, usage.cachedContentTokenCount, tokensOf(usage.candidatesTokenCount)));
}

/** What is recorded of an answer. */
function answerOf({ uuid, timestamp, model, message, usageMetadata }: Json) {
  const time = timeOf(timestamp);
  const usage = usageOf(usageMetadata);
  const ids = [digestOf('qwen-code', time ?? uuid, message.parts, usage)];
  return { ids, ...(time !== undefined && { time }), ...(stringOf(model) && { model: String(model) }), ...(usage && { usage }) };
}

/** Joins the records of one uuid. */
function recordsOf(lines: Json[]): Json[] {
  const records = new Map();
  const seen = new Set();
  for (const line of lines) {
    const { uuid, message } = line;
    const known = stringOf(uuid) === undefined ? undefined : records.get(uuid);
    const text = `${uuid} ${JSON.stringify(message ?? line.type)}`;
    if (known === undefined)
      records.set(stringOf(uuid) ?? line, isMessage(line) ? { ...line, message: { ...message, parts: [...message.parts] } } : line);
    // The same line, once more.
    else if (!seen.has(text) && isMessage(line) && isMessage(known)) {
      known.message.parts.push(...message.parts);
      known.usageMetadata = line.usageMetadata ?? known.usageMetadata;
      known.model ??= line.model;
    }
    seen.add(text);
  }
  return [...records.values()];
}

export const Reader = readerOfAll(function* (file, lines, skipped) {
  const talk = new Conversation();
  const known = lines.filter((line) => isMessage(line) || line.type === 'system');
  talk.skipped = skipped + lines.length - known.length;
  const records = recordsOf(known);
  const path = pathTo(records, records.findLast(isMessage), { id: 'uuid', parent: 'parentUuid' });
  for (const record of path) {
    const { type, subtype, message, timestamp, systemPayload } = record;
    const time = timeOf(timestamp);
    talk.at(time);
    talk.cwd ??= stringOf(record.cwd);
    if (type === 'system') {
      if (subtype === 'custom_title') talk.title = stringOf(systemPayload?.customTitle) ?? talk.title;
      if (subtype !== 'chat_compression' || !Array.isArray(systemPayload?.compressedHistory)) continue;
      talk.compact();
      talk.messages.push(...systemPayload.compressedHistory.filter(isObject));
    } else if (message.parts.length === 0) talk.skipped++;
    else if (type === 'assistant') talk.reply({ role: 'model', parts: message.parts }, answerOf(record));
    else {
      const text = message.parts.find((part: Json | null) => typeof part?.text === 'string')?.text;
      if (type === 'user') talk.title ??= titleIn(text);
      const last = talk.messages.at(-1);
      // Results of calls in parallel are records of their own, but one message.
      if (type === 'tool_result' && last?.parts?.[0]?.functionResponse) last.parts.push(...message.parts);
      else talk.messages.push({ role: 'user', parts: [...message.parts] });
    }
  }
  const own = new Set(path);
  const aside = records.filter((record) => isMessage(record) && !own.has(record));
  if (aside.length > 0) talk.notes.push(`${counted(aside.length, 'message')} of other branches left out`);
  for (const record of aside) {
    const answer = record.type === 'assistant' ? answerOf(record) : undefined;
    if (answer?.usage) talk.beside.push({ kind: 'branch', ...answer });
  }
  yield* talk.transcripts('qwen-code', file, { id: stringOf(known[0]?.sessionId) ?? basename(file, '.jsonl'), format: 'gemini' });
});
