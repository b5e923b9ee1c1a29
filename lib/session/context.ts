// What a request is made of: its tokens by what they are, for a person who asks what fills the context.

import { grouped, percent } from '../agent/wording.js';
import { openingAny } from '../fit/compacted.js';
import { KEEP_REASON } from '../generated/layout.js';
import native from '../native.js';
import { mainArgument } from '../recall/place.js';
import { measure, measuring } from '../tokens/measure.js';
import { systemPrompts } from '../tokens/system.js';
import { cacheOf } from './cache.js';
import { addedIn, divided } from './cuts.js';
import { inFormatOf } from './format.js';
import { scaling } from './request.js';
import { resumed } from './resume.js';
import { requestOf } from './situation.js';
import type { ContextPart, SessionContext } from '../../index.js';
import type { Part } from '../types.js';
import type { Steps } from '../steps.js';
import type { Config } from './config.js';
import type { Ready, State } from './state.js';

type Kind = ContextPart['kind'];
type Tokens = Map<Kind, number>;

/** Names of files: paths without blanks. */
const PATH = /^\S*[/\\.]\S+$/;

/** Kinds of messages that the engine knows by why it keeps them. */
const DUTIES = new Map<number | undefined, Kind>([
  [KEEP_REASON.rules, 'rules'],
  [KEEP_REASON.task, 'task'],
  [KEEP_REASON.state, 'state'],
]);

const sumOf = (tokens: Tokens) => [...tokens.values()].reduce((sum, count) => sum + count, 0);
const add = (tokens: Tokens, kind: Kind, count: number) => tokens.set(kind, (tokens.get(kind) ?? 0) + count);

/** Answers `session.context`, in steps: what the last request was made of; undefined where the session has none, or does not have its messages. */
export function* contextOf(config: Config, { format, counter, ...state }: State): Steps<SessionContext | undefined> {
  if (format === undefined || counter === undefined || state.last.messages.length === 0) return undefined;
  return yield* madeOf(config, { ...state, format, counter });
}

/** The same, where a session that was saved is given the history of its last request; undefined for another one. */
export function* contextWith(config: Config, state: State, given: readonly object[]): Steps<SessionContext | undefined> {
  if (state.saved === undefined) return yield* contextOf(config, state);
  const ready = yield* inFormatOf(config, state, given);
  const { state: taken, isForeign } = yield* resumed(config, ready, given, false);
  return isForeign || taken.cutOff !== undefined ? undefined : yield* contextOf(config, taken);
}

function* madeOf(config: Config, state: Ready): Steps<SessionContext> {
  const { last, limit, log, ledger, units } = state;
  const factor = units.factor ?? 1;
  const { read, write } = cacheOf(config.options.cache, config.model, state.format);
  const rows = new Map<Kind, { tokens: number; cost: number; messages: number; first: number }>();
  // What was read from the cache stands at the start.
  let cached = last.cached / factor;
  const take = (tokens: Tokens, message?: number) => {
    const all = sumOf(tokens);
    const hit = all > 0 ? Math.min(1, Math.max(0, cached / all)) : 0;
    cached -= all;
    for (const [kind, count] of tokens) {
      const row = rows.get(kind) ?? { tokens: 0, cost: 0, messages: 0, first: Infinity };
      row.tokens += count;
      row.cost += factor * count * (hit * read + (1 - hit) * write);
      if (message !== undefined && count > 0) {
        row.messages++;
        row.first = Math.min(row.first, message);
      }
      rows.set(kind, row);
    }
  };
  take(frontOf(config, state));
  for (const { tokens, first } of yield* messagesOf(config, state)) take(tokens, first);
  const tokens = scaling(factor)(last.tokens);
  const exact = apportioned(rows, tokens);
  const parts = [...rows].flatMap(([kind, { messages, first, cost }]): ContextPart[] => {
    const count = exact.get(kind) ?? 0;
    if (count === 0) return [];
    const came = log.made.findIndex(({ length }) => length > first);
    const age = messages === 0 || came < 0 ? {} : { age: log.length - 1 - came };
    return [{ kind, tokens: count, share: count / tokens, messages, ...age, cost }];
  });
  parts.sort((one, other) => other.tokens - one.tokens);
  const most = limit?.tokens ?? tokens;
  const context = { request: ledger.requests, tokens, limit: most, free: Math.max(0, most - tokens), parts };
  return { ...context, summary: summaryOf(context) };
}

/** The tokens in front of the messages. */
function frontOf({ options }: Config, state: Ready): Tokens {
  const { counter } = state;
  const prompts = systemPrompts(options.system, 'createSession(): options.system');
  const { system } = measure([], [], counter.provider, counter.tokenizer, { schemas: [], prompts });
  const base = measure([], [], counter.provider, counter.tokenizer, {}).request;
  const tools = counter.front.tools.length === 0 ? 0 : Math.max(0, counter.request - system - base);
  const weights: Tokens = new Map([
    ['instructions', system],
    ['tools', tools],
    ['other', Math.max(0, counter.request + state.units.beside - system - tools)],
  ]);
  return divide(weights, Math.max(0, requestOf(state)));
}

/** The tokens of each message of the last request, and the first message of the history in it, in steps. */
function* messagesOf(config: Config, state: Ready): Steps<{ tokens: Tokens; first: number }[]> {
  const { last, history, sent, counter, format, pins } = state;
  const { messages } = last;
  const parts = yield* format.reading(messages);
  const kinds = kindsOf(parts, yield* dutiesOf(config, state, parts));
  const measured = yield* measuring(messages, parts, counter.provider, counter.tokenizer, { deferred: counter.deferred });
  const put = yield* putInto(config, state);
  const pinned = new Set(pins.map(({ message }) => message));
  const weights = messages.map((): Tokens => new Map());
  const sourceOf = (index: number) => {
    const at = sent.covered + index - sent.items.length;
    return sent.items[index] ?? { first: at, last: at, tokens: history.entries[at].tokens };
  };
  for (const [index, { message }] of parts.entries()) {
    const { first, last: end } = sourceOf(message);
    add(weights[message], first === end && pinned.has(first) ? 'pins' : kinds[index], measured.parts[index]);
  }
  return weights.map((own, index) => {
    const { first, last: end, tokens } = sourceOf(index);
    for (let at = first; at <= end; at++) for (const [kind, count] of put.get(at) ?? []) move(own, kind, count);
    return { tokens: divide(own, tokens), first };
  });
}

/** Why the engine would keep each message of a request, in steps: it is asked to leave out as little as it can. */
function* dutiesOf({ options }: Config, { last, format }: Ready, parts: Part[]): Steps<Uint8Array | undefined> {
  const { tokenizer, tokenCounter, system, tools, keep, query, prune } = options;
  const conversation = { messages: last.messages, parts, format, stale: Infinity, carried: {} };
  const fitting = yield* openingAny(conversation, { tokenizer, tokenCounter, system, tools, keep, query, prune, thinking: 'leave' });
  try {
    return (yield* fitting.searching(fitting.before - 1, [])).choice?.why;
  } finally {
    fitting.close();
  }
}

/** The kind of each part of a request. */
function kindsOf(parts: readonly Part[], duties: Uint8Array | undefined): Kind[] {
  const turn = parts.findLast(({ role, kind }) => role === 'user' && kind === 'text')?.message ?? 0;
  const files = new Map<string, number>();
  const fileOf = ({ kind, call = -1 }: Part) => {
    const name = kind === 'result' && call >= 0 ? mainArgument(parts[call]) : undefined;
    return name !== undefined && PATH.test(name) ? name : undefined;
  };
  for (const [index, part] of parts.entries()) {
    const file = fileOf(part);
    if (file !== undefined) files.set(file, index);
  }
  return parts.map((part, index): Kind => {
    const { role, kind, message } = part;
    if (role === 'system') return 'instructions';
    if (kind === 'reasoning') return 'thinking';
    if (kind !== 'text' && kind !== 'call' && kind !== 'result') return 'media';
    const duty = DUTIES.get(duties?.[message]);
    if (duty !== undefined) return duty;
    if (kind === 'call') return 'calls';
    if (kind === 'text') return role === 'user' ? 'user' : 'assistant';
    const file = fileOf(part);
    if (file !== undefined && files.get(file) === index) return 'files';
    return message > turn ? 'results' : 'older-results';
  });
}

/** The tokens of the marks, and of what was added behind words, by the message of the history that they stand in, in steps. */
function* putInto({ options, texts }: Config, { history, sent, format }: Ready): Steps<Map<number, Tokens>> {
  const all = new Map<number, Tokens>();
  if (sent.edits.length === 0) return all;
  const { parts } = yield* texts.remembering(history, format);
  for (const { part, pieces } of sent.edits) {
    const { own, added } = divided(pieces);
    const list = [
      ...own.flatMap((piece) => (typeof piece === 'string' ? [{ kind: 'marks' as const, text: piece }] : [])),
      ...addedIn(added, parts),
    ];
    if (list.length === 0) continue;
    const counts = native.countTexts(
      list.map(({ text }) => text),
      options.tokenizer,
    );
    const { message } = parts[part];
    const tokens = all.get(message) ?? new Map<Kind, number>();
    list.forEach(({ kind }, index) => add(tokens, kind, counts[index]));
    all.set(message, tokens);
  }
  return all;
}

/** Takes tokens from the largest kinds of a message for another one. */
function move(tokens: Tokens, kind: Kind, count: number) {
  let left = count;
  while (left > 0) {
    const [largest, most] = [...tokens].reduce((best, one) => (one[0] !== kind && one[1] > best[1] ? one : best), ['other' as Kind, 0]);
    const taken = Math.min(left, most);
    if (taken <= 0) return;
    tokens.set(largest, most - taken);
    add(tokens, kind, taken);
    left -= taken;
  }
}

/** Divides a number of tokens as others are divided. */
function divide(weights: Tokens, total: number): Tokens {
  const sum = sumOf(weights);
  if (sum <= 0) return new Map([['other', total]]);
  return new Map([...weights].map(([kind, weight]) => [kind, (weight / sum) * total]));
}

/** Whole numbers that are nearest to the tokens of each kind and add up to a number; the largest one has what is no whole number of that. */
function apportioned(rows: ReadonlyMap<Kind, { tokens: number }>, total: number): Tokens {
  const sum = [...rows.values()].reduce((all, { tokens }) => all + tokens, 0);
  const whole = Math.floor(total);
  const exact = [...rows].map(([kind, { tokens }]) => ({ kind, share: sum <= 0 ? 0 : (tokens / sum) * whole }));
  const result: Tokens = new Map(exact.map(({ kind, share }) => [kind, Math.floor(share)]));
  let left = whole - sumOf(result);
  for (const { kind } of exact.toSorted((one, other) => (other.share % 1) - (one.share % 1))) if (left-- > 0) add(result, kind, 1);
  const [largest] = [...result].reduce((best, one) => (one[1] > best[1] ? one : best), ['other' as Kind, -1]);
  add(result, largest, total - whole);
  return result;
}

const NAMES: Partial<Record<Kind, string>> = { 'older-results': 'older results', files: 'files in work', calls: 'calls of tools' };

function summaryOf({ request, tokens, limit, free, parts }: Omit<SessionContext, 'summary'>) {
  const list = parts.map(({ kind, tokens: count }) => `${NAMES[kind] ?? kind} ${percent(count, tokens)}`);
  return [
    `request ${request}`,
    `${grouped(Math.round(tokens))} of ${grouped(Math.round(limit))} tokens`,
    ...list,
    `free ${grouped(Math.round(free))}`,
  ].join(' · ');
}
