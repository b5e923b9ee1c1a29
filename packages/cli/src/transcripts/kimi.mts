// Kimi Code CLI: an event a line. A request is a step, whose end has its usage.
import { basename } from 'node:path';
import { unlessEmpty } from '../usage.mjs';
import { digestOf } from './answers.mjs';
import { callPart, Conversation, readerOfAll, textPart, thinkingPart } from './conversation.mjs';
import { isObject, stringOf, timeOf, tokensOf } from './values.mjs';
import type { Json } from './values.mjs';
import type { TranscriptRequest, Usage } from '../types.mjs';

/** Events that are not sent. `usage.record` repeats what the end of a step has. */
const OTHER = /^(?:metadata$|config\.|llm\.|usage\.|turn\.|permission\.|plan_mode\.|context\.)/;

export const isLine = (line: unknown) =>
  isObject(line) &&
  ((line.type === 'metadata' && 'protocol_version' in line) ||
    (line.type === 'context.append_message' && isObject(line.message)) ||
    (line.type === 'context.append_loop_event' && isObject(line.event)));

function usageOf(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const { inputOther, inputCacheRead, inputCacheCreation, output } = usage;
  return unlessEmpty({
    input: tokensOf(inputOther),
    cacheRead: tokensOf(inputCacheRead),
    cacheWrite: tokensOf(inputCacheCreation),
    output: tokensOf(output),
  });
}

/** @param content a text, or parts */
const partsOf = (content: unknown): Json[] =>
  typeof content === 'string' ? textPart(content) : (Array.isArray(content) ? content : []).flatMap((part) => textPart(part?.text));

/** What a tool put out. */
const outputOf = (output: unknown) =>
  typeof output === 'string' ? output : Array.isArray(output) ? partsOf(output) : output === undefined ? '' : JSON.stringify(output);

export const Reader = readerOfAll(function* (file, lines, skipped) {
  const talk = new Conversation();
  talk.skipped = skipped;
  /** What was written in each step, by its id. */
  const steps: Map<unknown, { content: Json[]; request?: TranscriptRequest | undefined }> = new Map();
  const write = (id: unknown, parts: Json[]) => {
    const step = steps.get(id);
    if (step === undefined) steps.set(id, { content: parts, request: talk.assistant(parts) });
    else {
      step.content.push(...parts);
      talk.named(parts);
    }
  };
  const results = new Set();
  for (const line of lines) {
    const { type, message, event } = line;
    if (type === 'metadata') talk.at(timeOf(line.created_at));
    if (type === 'config.update') {
      talk.system = stringOf(line.systemPrompt) ?? talk.system;
      talk.model = stringOf(line.modelAlias) ?? talk.model;
    } else if (type === 'llm.request') talk.model = stringOf(line.model) ?? talk.model;
    else if (type === 'context.append_message' && isObject(message)) {
      if (message.role === 'user') talk.user(partsOf(message.content));
      else if (message.role === 'assistant') talk.assistant(partsOf(message.content));
      else talk.skipped++;
    } else if (type === 'context.apply_compaction') {
      talk.compact();
      talk.user(textPart(stringOf(line.contextSummary) ?? line.summary));
    } else if (type === 'context.append_loop_event' && isObject(event)) {
      if (event.type === 'content.part') {
        const parts = [...textPart(event.part?.text), ...thinkingPart(event.part?.think)];
        if (parts.length > 0) write(event.stepUuid, parts);
      } else if (event.type === 'tool.call') write(event.stepUuid, [callPart(event.toolCallId, event.name, event.args)]);
      else if (event.type === 'tool.result') {
        if (!results.has(event.toolCallId)) talk.result(event.toolCallId, outputOf(event.result?.output));
        results.add(event.toolCallId);
      } else if (event.type === 'step.end') {
        const usage = usageOf(event.usage);
        const step = steps.get(event.uuid);
        // The ids of steps stay the same in a copy of the session.
        const ids = stringOf(event.uuid) && [digestOf('kimi', event.uuid, step?.content, usage)];
        const request = step === undefined ? talk.reply(undefined) : step.request;
        const paid = { ...(ids && { ids }), ...(usage && { usage }) };
        if (request) Object.assign(request, paid);
        else if (usage) talk.beside.push({ kind: 'lost', ...(talk.model && { model: talk.model }), ...paid });
      } else if (event.type !== 'step.begin') talk.skipped++;
    } else if (typeof type !== 'string' || !OTHER.test(type)) talk.skipped++;
  }
  yield* talk.transcripts('kimi', file, { id: basename(file, '.jsonl') });
});
