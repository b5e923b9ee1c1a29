import { originalsOf } from '../agent/originals.js';
import { mismatch } from '../checks.js';
import { fit } from '../fit/index.js';
import { checkOwnOptions } from '../options/index.js';
import { func, switching } from '../options/kinds.js';
import { tokensAbove0 } from '../options/limits.js';
import { tokenizer } from '../options/shared.js';
import { isOff } from '../switch.js';
import { countTokens } from '../tokens/index.js';
import { Guard } from './guard.js';
import type { FitResult } from '../../index.js';
import type { Option } from '../options/shared.js';
import type { ShortenOptions, ToolRunner } from './anthropic.js';

const CALLER = 'shortenResults()';
const OPTIONS: Record<string, Option> = {
  limit: { kind: tokensAbove0, isRequired: true },
  tokenizer,
  enabled: { kind: switching, default: true },
  onShortened: { kind: func },
  onError: { kind: func },
};

/**
 * Shortens the results of tools before they are first sent, so that what was sent before stays as it is: a message thread goes on, and so
 * does a cached prefix. The calls, and what the turn and the user's last message are about, choose what stays. Results within the limit are
 * left to the runner.
 *
 * The runner's own messages get the shortened results. Where a caller changes the messages of a turn, that turn is left alone.
 *
 * @example
 * const originals = {};
 * const runner = shortenResults(client.beta.messages.toolRunner(params), {
 *   limit: 2000,
 *   onShortened: (more) => Object.assign(originals, more),
 * });
 * const message = await runner;
 *
 * @param runner what `client.beta.messages.toolRunner()` returns, before it runs
 * @returns the same runner
 * @throws {TypeError} `runner` is not a tool runner, or an option is wrong; the error names it
 * @throws {RangeError} `limit` is not above 0
 */
export function shortenResults<R extends ToolRunner>(runner: R, options: ShortenOptions): R;
export function shortenResults(given: ToolRunner, settings: ShortenOptions): ToolRunner {
  const runner = given as unknown as Runner;
  if (typeof runner?.generateToolResponse !== 'function' || typeof runner.setMessagesParams !== 'function') {
    throw mismatch(`${CALLER}: runner`, 'a tool runner', runner);
  }
  const options = { ...checkOwnOptions(CALLER, OPTIONS, settings ?? {}) } as ShortenOptions;
  const guard = new Guard(CALLER, options.onError as ConstructorParameters<typeof Guard>[1]);
  const shorten: Shorten = (asked, results, history) =>
    guard.run(() => (isOff(options, `${CALLER}: options`) ? undefined : shortened(asked, results, history, options)), runner.params);
  const iterate = runner[Symbol.asyncIterator].bind(runner);
  // Awaiting the runner iterates over it, too.
  runner[Symbol.asyncIterator] = async function* () {
    for await (const item of iterate()) {
      const messages = runner.params?.messages;
      yield item;
      // A caller who changed the messages has taken over.
      const isUnchanged = await guard.run(() => isSame(messages, runner.params.messages), runner.params);
      if (isUnchanged) await answer(runner, await replyOf(item), shorten);
    }
  };
  return given;
}

/** What is used of a runner. */
interface Runner {
  readonly params: { messages: readonly Message[] };
  generateToolResponse(): Promise<Results | null>;
  setMessagesParams(change: (params: Runner['params']) => Runner['params']): void;
  [Symbol.asyncIterator](): AsyncGenerator<Item>;
}

/** A reply, or the stream of one. */
type Item = Reply & { finalMessage?: () => Promise<Reply> };

interface Reply {
  stop_reason?: unknown;
  content: Block[];
}

interface Message {
  role: string;
  content: string | Block[];
}

/** A message of the runner's: the reply, or the results of its calls. */
interface Results extends Message {
  content: Block[];
}

interface Block {
  type: string;
  text?: string;
  input?: unknown;
}

/** Returns the results within the limit; undefined if they already are, or something of ours failed. */
type Shorten = (asked: Results, results: Results, history: readonly Message[]) => Promise<Results | undefined>;

const isSame = (before: readonly object[], after: readonly object[]) =>
  before.length === after.length && before.every((message, index) => message === after[index]);

/** Returns the reply, streamed or not; undefined if it failed, for which the runner throws. */
async function replyOf(item: Item): Promise<Reply | undefined> {
  try {
    return typeof item?.finalMessage === 'function' ? await item.finalMessage() : item;
  } catch {
    return undefined;
  }
}

/** Adds the reply and the results of its calls in place of the runner, if the results are too long. */
async function answer(runner: Runner, reply: Reply | undefined, shorten: Shorten) {
  if (reply?.stop_reason !== 'tool_use') return;
  const results = await runner.generateToolResponse();
  if (!results) return;
  const asked = { role: 'assistant', content: reply.content };
  const answered = await shorten(asked, results, runner.params.messages);
  // The runner adds the results that it made.
  if (answered === undefined) return;
  runner.setMessagesParams((params) => ({ ...params, messages: [...params.messages, asked, answered] }));
}

async function shortened(
  asked: Results,
  results: Results,
  history: readonly Message[],
  { limit, tokenizer: counting, onShortened }: ShortenOptions,
): Promise<Results | undefined> {
  const counted = { format: 'anthropic', tokenizer: counting } as const;
  // Of the reply only the calls, which stay: nothing but results can go.
  const calls = { ...asked, content: asked.content.filter(({ type }) => type === 'tool_use') };
  const empty = { ...results, content: results.content.map((result) => ({ ...result, content: '' })) };
  const most = countTokens([calls, empty], counted) + limit;
  const inputs = calls.content.map(({ input }) => JSON.stringify(input));
  const query = [lastQuestion(history), textOf(asked.content), ...inputs];
  const fitted: FitResult<Results> = fit([calls, results], { ...counted, limit: most, query, keep: { arguments: true } });
  const [, answered] = fitted.messages;
  if (answered === undefined || answered === results) return undefined;
  const written = { messages: [asked, answered], sources: [0, 1].map((index) => ({ first: index, last: index })) };
  await onShortened?.(originalsOf([asked, results], written));
  return answered;
}

/** Returns the text of the user's last message that has one. */
function lastQuestion(history: readonly Message[]) {
  const last = history.findLast(({ role, content }) => role === 'user' && textOf(content) !== '');
  return last === undefined ? '' : textOf(last.content);
}

function textOf(content: string | Block[]) {
  if (typeof content === 'string') return content;
  const texts = content.filter(({ type }) => type === 'text').map(({ text }) => text);
  return texts.join('\n').trim();
}
