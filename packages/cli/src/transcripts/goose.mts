// Goose: a database, or in older versions a file of lines, of which the first is the session. Both hold the same blocks.
import { basename } from 'node:path';
import { callPart, Conversation, readerOfAll, textPart, thinkingPart } from './conversation.mjs';
import { counted, countOf, isObject, parsed, stringOf, timeOf } from './values.mjs';
import type { Json } from './values.mjs';
import type { Transcript } from '../types.mjs';
import type { Database } from './databases.mjs';

/** Blocks of Goose's own. */
const BLOCKS = new Set(['toolRequest', 'toolResponse']);
/** Blocks that can be neither read nor made shorter, or are not sent. */
const OTHER = new Set(['redactedThinking', 'image']);

export const isLine = (line: unknown) =>
  isObject(line) &&
  ((typeof line.working_dir === 'string' && ('message_count' in line || 'description' in line)) ||
    (typeof line.role === 'string' && Array.isArray(line.content) && line.content.some((block) => BLOCKS.has(block?.type))));

/** What a tool answered. */
function answerOf(result: unknown): { text: string; isError: boolean } {
  const { status, value, error } = isObject(result) ? result : ({} as Json);
  const list = Array.isArray(value) ? value : Array.isArray(value?.content) ? value.content : [];
  const text = list.flatMap((block: Json | null) => (typeof block?.text === 'string' ? [block.text] : [])).join('\n');
  const isError = (status !== undefined && status !== 'success') || value?.isError === true;
  return { text: text === '' && typeof error === 'string' ? error : text, isError };
}

/** @param messages each `{ role, created, content }`, `created` in seconds */
function* transcriptsOf(file: string, session: Json, messages: Json[], skipped: number) {
  const talk = new Conversation();
  talk.skipped = skipped;
  talk.title = stringOf(session.description) ?? stringOf(session.name);
  talk.cwd = stringOf(session.working_dir);
  const model = typeof session.model_config_json === 'string' ? parsed(session.model_config_json) : undefined;
  talk.model = isObject(model) ? stringOf(model.model_name) : undefined;
  let left = 0;
  for (const { role, created, content } of messages) {
    const time = timeOf(countOf(created) * 1000);
    talk.at(time);
    const blocks = (Array.isArray(content) ? content : []).filter(isObject);
    left += blocks.filter(({ type }) => OTHER.has(type)).length;
    if (role === 'assistant') {
      const parts = blocks.flatMap((block) =>
        block.type === 'thinking'
          ? thinkingPart(block.thinking)
          : block.type === 'toolRequest'
            ? [callPart(block.id, block.toolCall?.value?.name, block.toolCall?.value?.arguments)]
            : block.type === 'text'
              ? textPart(block.text)
              : [],
      );
      talk.assistant(parts, { time });
    } else {
      for (const { type, id, toolResult } of blocks) {
        if (type !== 'toolResponse') continue;
        const { text, isError } = answerOf(toolResult);
        talk.result(id, text, isError);
      }
      talk.user(blocks.flatMap(({ type, text }) => (type === 'text' ? textPart(text) : [])));
    }
  }
  if (left > 0) talk.notes.push(`${counted(left, 'part')} that ${left === 1 ? 'is' : 'are'} no text left out`);
  const [input, output] = [countOf(session.accumulated_input_tokens), countOf(session.accumulated_output_tokens)];
  if (input > 0)
    talk.notes.push(
      `usage is there as a sum alone: ${input.toLocaleString('en')} tokens of input, ${output.toLocaleString('en')} of output`,
    );
  yield* talk.transcripts('goose', file, { id: stringOf(session.id) ?? basename(file, '.jsonl') });
}

export const Reader = readerOfAll((file, lines, skipped) => {
  const session = lines.find((line) => line.role === undefined && 'working_dir' in line) ?? {};
  const messages = lines.filter(({ role, content }) => (role === 'user' || role === 'assistant') && Array.isArray(content));
  const others = lines.filter((line) => line !== session).length - messages.length;
  return transcriptsOf(file, session, messages, skipped + others);
});

/** @param tables of a database */
export const hasTables = (tables: Set<string>) => tables.has('sessions') && tables.has('messages');

/** Reads the sessions of a database, the one that was written last first. */
export function* readDatabase(file: string, database: Database): Generator<Transcript> {
  const messagesOf = database.prepare('SELECT * FROM messages WHERE session_id = ? ORDER BY rowid');
  const order = 'ORDER BY (SELECT max(rowid) FROM messages WHERE session_id = sessions.id) DESC';
  for (const session of database.prepare(`SELECT * FROM sessions ${order}`).all()) {
    let skipped = 0;
    const messages = [];
    for (const { role, content_json, created_timestamp } of messagesOf.iterate(session.id)) {
      const content = typeof content_json === 'string' ? parsed(content_json) : undefined;
      if (Array.isArray(content)) messages.push({ role, created: created_timestamp, content });
      else skipped++;
    }
    yield* transcriptsOf(file, session, messages, skipped);
  }
}
