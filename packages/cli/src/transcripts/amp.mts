// Amp: a file of JSON for each thread, with Anthropic's messages but for the results of calls.
import { fileURLToPath } from 'node:url';
import { unlessEmpty } from '../usage.mjs';
import { digestOf } from './answers.mjs';
import { Conversation } from './conversation.mjs';
import { isObject, stringOf, timeOf, titleIn, tokensOf } from './values.mjs';
import type { Json } from './values.mjs';
import type { Transcript, Usage } from '../types.mjs';

export const isWhole = (value: unknown) =>
  isObject(value) && typeof value.id === 'string' && value.id.startsWith('T-') && Array.isArray(value.messages);

/** A block as the API takes it. */
function blockOf(block: Json): Json {
  if (block.type !== 'tool_result' || !('toolUseID' in block)) return block;
  const { status, result, error } = isObject(block.run) ? block.run : ({} as Json);
  const said = result?.output ?? result ?? error ?? status ?? '';
  return {
    type: 'tool_result',
    tool_use_id: String(block.toolUseID),
    content: typeof said === 'string' ? said : JSON.stringify(said),
    ...(status === 'error' && { is_error: true }),
  };
}

function usageOf(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  return unlessEmpty({
    input: tokensOf(usage.inputTokens),
    cacheRead: tokensOf(usage.cacheReadInputTokens),
    cacheWrite: tokensOf(usage.cacheCreationInputTokens),
    output: tokensOf(usage.outputTokens),
  });
}

/** The folder of a URI of a file. */
function pathOf(uri: unknown) {
  try {
    return typeof uri === 'string' && uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

export function* readWhole(file: string, thread: Json): Generator<Transcript> {
  const talk = new Conversation();
  talk.title = stringOf(thread.title);
  talk.cwd = pathOf(thread.env?.initial?.trees?.[0]?.uri);
  const seen = new Set();
  for (const message of thread.messages) {
    const isKnown = isObject(message) && ['user', 'assistant'].includes(message.role) && Array.isArray(message.content);
    if (!isKnown) {
      talk.skipped++;
      continue;
    }
    if (message.messageId !== undefined && seen.has(message.messageId)) continue;
    seen.add(message.messageId);
    const { role } = message;
    const content = message.content.filter(isObject).map(blockOf);
    if (role === 'assistant') {
      const usage = usageOf(message.usage);
      // There are no times. A thread and its messages keep their ids.
      const ids = [digestOf('amp', thread.id, message.messageId, message.content, usage)];
      talk.reply({ role, content }, { model: stringOf(message.usage?.model), usage, ...(message.messageId !== undefined && { ids }) });
    } else if (content.length > 0) {
      talk.title ??= titleIn(content.find(({ type }: Json) => type === 'text')?.text);
      talk.messages.push({ role, content });
    }
  }
  yield* talk.transcripts('amp', file, { id: thread.id, format: 'anthropic', started: timeOf(thread.created) });
}
