// Grok Build: `chat_history.jsonl`, a message a line, without times and usage. What the session is called is in `summary.json`.
import { basename, dirname, join } from 'node:path';
import { callPart, Conversation, readerOfAll, textPart, thinkingPart } from './conversation.mjs';
import { readBeside } from './lines.mjs';
import { counted, isObject, stringOf, timeOf } from './values.mjs';
import type { Json } from './values.mjs';

export const isLine = (line: unknown) =>
  isObject(line) &&
  !('role' in line) &&
  !('message' in line) &&
  ((line.type === 'user' && Array.isArray(line.content)) ||
    (line.type === 'assistant' && typeof line.content === 'string') ||
    (line.type === 'tool_result' && typeof line.tool_call_id === 'string' && 'content' in line));

/** @param content a text, or parts */
const textOf = (content: unknown) =>
  typeof content === 'string'
    ? content
    : (Array.isArray(content) ? content : [])
        .map((part) => (typeof part === 'string' ? part : part?.text))
        .filter((text) => typeof text === 'string')
        .join('\n');

export const summaryOf = (file: string) => join(dirname(file), 'summary.json');

export const Reader = readerOfAll(async function* (file, lines, skipped) {
  const talk = new Conversation();
  talk.skipped = skipped;
  const summary = await readBeside(summaryOf(file));
  if (isObject(summary)) {
    talk.title = stringOf(summary.generated_title);
    talk.cwd = stringOf(summary.info?.cwd);
    talk.model = stringOf(summary.current_model_id);
    talk.at(timeOf(summary.created_at));
  }
  /** What the model thought before it answers. */
  let thoughts: Json[] = [];
  let hosted = 0;
  for (const { type, content, summary: thought, tool_calls: calls, tool_call_id: id, model_id: model } of lines) {
    if (type === 'system') talk.system = stringOf(textOf(content)) ?? talk.system;
    else if (type === 'user') talk.user(textPart(textOf(content)));
    else if (type === 'reasoning') thoughts.push(...thinkingPart(textOf(thought)));
    else if (type === 'tool_result') talk.result(id, textOf(content));
    else if (type === 'backend_tool_call') hosted++;
    else if (type === 'assistant') {
      const asked = (Array.isArray(calls) ? calls : []).filter(isObject).map((call) => callPart(call.id, call.name, call.arguments));
      talk.assistant([...thoughts, ...textPart(textOf(content)), ...asked], { model: stringOf(model) });
      thoughts = [];
    } else talk.skipped++;
  }
  if (hosted > 0) talk.notes.push(`${counted(hosted, 'call')} that ran at the provider left out`);
  const name = basename(file, '.jsonl');
  yield* talk.transcripts('grok', file, { id: name === 'chat_history' ? basename(dirname(file)) : name });
});
