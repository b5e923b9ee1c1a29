// GitHub Copilot CLI: `events.jsonl`, an event a line.
import { basename, dirname } from 'node:path';
import { callPart, Conversation, once, readerOfAll, textPart, thinkingPart } from './conversation.mjs';
import { counted, countOf, isObject, stringOf, timeOf, titleIn } from './values.mjs';
import type { Json } from './values.mjs';

/** Events that are neither messages nor about them. */
const OTHER = /^(?:session|hook|permission|external_tool|skill|system|tool|subagent|assistant|user_input)\.|^abort$/;

export const isLine = (line: unknown) =>
  isObject(line) &&
  typeof line.type === 'string' &&
  isObject(line.data) &&
  'timestamp' in line &&
  (OTHER.test(line.type) || line.type === 'user.message');

/** @param data of a call that ended */
const resultOf = ({ result, error }: Json) =>
  stringOf(result?.content) ?? stringOf(error?.message) ?? stringOf(result?.detailedContent) ?? '';

/** The sums of a session, which grow when it is resumed. @param models usage by model */
function sumOf(models: Json) {
  const all = Object.values(models).flatMap((model) => (isObject(model?.usage) ? [model.usage] : []));
  const sum = (key: string) => all.reduce((total, usage) => total + countOf(usage[key]), 0).toLocaleString('en');
  return `usage is there as a sum alone: ${sum('inputTokens')} tokens of input, ${sum('cacheReadTokens')} of them from the cache, ${sum('outputTokens')} of output`;
}

export const Reader = readerOfAll(function* (file, lines, skipped) {
  const talk = new Conversation();
  talk.skipped = skipped;
  let id = /^events\.jsonl$/.test(basename(file)) ? basename(dirname(file)) : basename(file, '.jsonl');
  /** Replies that came in parts. */
  const replies: Map<string, Json> = new Map();
  let sums: string | undefined;
  let ofSubagents = 0;
  const calls = new Set();
  for (const { type, data, timestamp } of once(lines)) {
    if (typeof type !== 'string' || !isObject(data)) {
      talk.skipped++;
      continue;
    }
    const time = timeOf(timestamp);
    talk.at(time);
    if (type === 'session.start' || type === 'session.resume') {
      id = stringOf(data.sessionId) ?? id;
      talk.cwd = stringOf(data.context?.cwd) ?? talk.cwd;
      talk.model = stringOf(data.selectedModel) ?? talk.model;
    } else if (type === 'session.model_change') talk.model = stringOf(data.newModel) ?? talk.model;
    else if (type === 'session.compaction_complete' && stringOf(data.summaryContent)) {
      talk.compact();
      talk.user(textPart(data.summaryContent));
    } else if (type === 'session.shutdown' && isObject(data.modelMetrics)) sums = sumOf(data.modelMetrics);
    else if (type === 'system.message') talk.system = stringOf(data.content) ?? talk.system;
    else if (type === 'user.message') {
      talk.title ??= titleIn(data.content);
      talk.user(textPart(stringOf(data.transformedContent) ?? data.content));
    } else if (type === 'assistant.message') {
      if (stringOf(data.parentToolCallId)) {
        ofSubagents++;
        continue;
      }
      const asked = Array.isArray(data.toolRequests) ? data.toolRequests.filter(isObject) : [];
      const parts = [
        ...thinkingPart(data.reasoningText),
        ...textPart(data.content),
        ...asked.map(({ toolCallId, name, arguments: input }) => callPart(toolCallId, name, input)),
      ];
      for (const { toolCallId } of asked) calls.add(toolCallId);
      const reply = stringOf(data.apiCallId);
      const known = reply === undefined ? undefined : replies.get(reply);
      if (known) {
        known.content.push(...parts);
        talk.named(parts);
        continue;
      }
      talk.assistant(parts, { time, model: stringOf(data.model) });
      const message = talk.messages.at(-1);
      if (reply !== undefined && parts.length > 0 && message) replies.set(reply, message);
    } else if (type === 'tool.execution_complete') {
      if (calls.delete(data.toolCallId)) talk.result(data.toolCallId, resultOf(data), data.success === false);
    } else if (!OTHER.test(type)) talk.skipped++;
  }
  if (ofSubagents > 0) talk.notes.push(`${counted(ofSubagents, 'message')} of subagents left out`);
  if (sums) talk.notes.push(sums);
  yield* talk.transcripts('copilot-cli', file, { id });
});
