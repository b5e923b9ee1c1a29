// The property of every kind of content: a history of any kinds fits every limit from the minimum on, is valid by a strict judge, comes back byte
// for byte, and loses the user's words and the exchange that runs last.
import assert from 'node:assert/strict';
import { AIMessage } from '@langchain/core/messages';
import { countTokens, createSession, fit, prune, restore, validate } from '../../unbundled/index.js';
import { objectionTo } from '../support/providers/formats.mjs';
import { Random } from '../support/random.mjs';
import { Draw, inFormat, kindsOf } from './index.mjs';

const json = (value) => JSON.stringify(value);

/** What the user says beside texts that fill a message: {@link Draw.word}. */
const WORDS = / \S+ \d+\.\d+$/;
const partsOf = ({ content, parts }) => content?.parts ?? parts ?? content;
/** Whether a message is nothing but words of the user's. */
const isPlain = (message, wordsOf) => {
  const [words, ...more] = wordsOf(message);
  const parts = partsOf(message);
  return (
    words !== undefined && more.length === 0 && WORDS.test(words) && !words.startsWith('(') && (!Array.isArray(parts) || parts.length === 1)
  );
};

/** A message of the model with what two say; undefined if they are no lists of parts. */
function inOne(one, two) {
  const parts = [one, two].map(partsOf);
  const isOfModel = (one.role ?? one.type) === (two.role ?? two.type) && !(one.tool_calls?.length > 0 || two.tool_calls?.length > 0);
  // What the model says of OpenAI's is an item of its own, and calls come last in a message of Claude's.
  if (!isOfModel || one.type === 'message' || !parts.every(Array.isArray) || /"tool(_use|-call)"|functionCall/.test(json(parts[0])))
    return undefined;
  const list = parts.flat();
  if (two instanceof AIMessage) return new AIMessage({ ...two.lc_kwargs, content: list });
  if (two.content?.parts !== undefined) return { ...two, content: { ...two.content, parts: list } };
  return two.parts === undefined ? { ...two, content: list } : { ...two, parts: list };
}

/**
 * Makes a history.
 *
 * @param {object} provider see `describeProvider`
 * @param {Random} random
 * @returns `messages`; `close`, which appends what the last exchange waits for; `names` of its kinds
 */
export function historyOf(provider, random) {
  const { system, user, open, opens = {}, wordsOf } = provider;
  const messages = [];
  let number = 0;
  const draw = () => new Draw(random, number++);
  if (system !== undefined && random.chance(0.4)) messages.push(system(draw().text(60)));
  const kinds = kindsOf(provider);
  const drawn = Array.from({ length: random.integer(2, 9) }, () => random.pick(kinds));
  for (const [, , make] of drawn) {
    const [first, ...rest] = make(draw());
    // Now and then an exchange goes on with the next kind: the user says nothing between them, or one message holds both.
    // An instruction needs the user's message before it.
    const isSaid = messages.some((message) => wordsOf(message).length > 0) && rest.length > 0 && isPlain(first, wordsOf);
    const goesOn = isSaid && rest[0].role !== 'system';
    const both = goesOn && rest.length === 1 && random.chance(0.4) ? inOne(messages.at(-1), rest[0]) : undefined;
    if (both !== undefined) messages.splice(-1, 1, both);
    else messages.push(...(goesOn && random.chance(0.35) ? rest : [first, ...rest]));
  }
  let close = (list) => list;
  let last = [user(draw())];
  const end = random.next();
  if (end < 0.3) ({ messages: last, close } = random.pick([open, ...Object.values(opens)])(draw()));
  else if (end < 0.5) {
    const [list, name, make] = random.pick(kinds);
    drawn.push([list, name]);
    last = make(draw());
  }
  messages.push(...last);
  return {
    messages: inFormat(provider, messages),
    close: (list) => inFormat(provider, close(list)),
    names: drawn.map(([list, name]) => `${list}: ${name}`),
    wordsOf,
  };
}

/** Asserts that nothing is wrong with messages but that something is still to come. */
async function assertValid(provider, messages, where, close = (list) => list) {
  assert.equal(await objectionTo(provider, close(messages)), null, where);
  if (provider.format !== undefined) return; // `validate` takes no format of one's own
  const problems = validate(messages, { format: provider.name }).filter(({ rule }) => rule !== 'tool-call-at-end');
  assert.deepEqual(problems, [], where);
}

/** Asserts what holds of a result: it is valid, and it leads back. */
async function assertSound(provider, history, { messages, originals, missing = [] }, where) {
  await assertValid(provider, messages, where, history.close);
  assert.deepEqual(missing, [], where);
  const back = restore(messages, originals);
  assert.deepEqual(back.missing, [], where);
  assert.equal(json(back.messages), json(history.messages), where);
}

/** A compaction by the provider, and one that has it ignore what is before it. */
const COMPACTION = /"type":"compaction"(?!,"content":null)|"kind":"openai.compaction"/;
const IGNORING = /"type":"compaction"(,"content":"|\})/;
const afterLast = (kind, messages) => messages.slice(messages.findLastIndex((message) => kind.test(json(message))) + 1);

/** The strings in a value, without those of thinking, which goes before anything else is cut. */
function stringsIn(value) {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object' || /thinking|reasoning/.test(value.type)) return [];
  return Object.entries(value).flatMap(([key, inner]) => (/^reasoning/.test(key) ? [] : stringsIn(inner)));
}

const wordsIn = (history, messages) => messages.flatMap(history.wordsOf).filter((text) => WORDS.test(text) && !text.startsWith('('));

/** Tokens of the marks of a minimum, at most. */
const MARKS = 60;
/** `setup` is what one of the formats in `custom.test.mjs` calls the system. */
const isInstruction = (message) =>
  ['system', 'developer', 'setup'].includes(message._getType?.() ?? message.role ?? message.entry?.role ?? message.sender) ||
  message.type === 'additional_tools';

/** Tests a history at limits from below the minimum to the whole. */
export async function testFit(provider, seed, steps) {
  const { name, format = name } = provider;
  const random = new Random(seed);
  const history = historyOf(provider, random);
  const { messages, close, names } = history;
  const before = json(messages);
  const where = (limit) => `${name}, seed ${seed}, limit ${limit}: ${names.join('; ')}`;
  assert.equal(await objectionTo(provider, close(messages)), null, where('none'));
  const whole = fit(messages, { format, limit: 1e9 });
  assert.deepEqual(whole.messages, messages, where('none'));
  assert.deepEqual(whole.report.unknownKinds, {}, where('none'));
  const below = fit(messages, { format, limit: 1 });
  assert.equal(below.fits, false, where(1));
  const { minimum } = below.tokens;
  const most = whole.tokens.after;
  assert.ok(minimum <= most, where(1));
  await assertSound(provider, history, below, where(1));
  assert.equal(fit(messages, { format, limit: minimum - 1 }).fits, false, where(minimum - 1));
  // What the provider's newest compaction stands for goes first, and of that the last words stay where they are read.
  const said = wordsIn(history, afterLast(COMPACTION, messages));
  const read = afterLast(COMPACTION, messages).length < afterLast(IGNORING, messages).length ? messages : afterLast(IGNORING, messages);
  // What the user's messages take, with a short mark in each.
  const ofUser = messages.filter((message) => history.wordsOf(message).length > 0);
  const lastSaid = wordsIn(
    history,
    read.filter((message) => ofUser.at(-1) === message),
  );
  const cost = countTokens(ofUser, { format }) + 8 * ofUser.length;
  const newest = messages.indexOf(ofUser.at(-1));
  const newestCost = countTokens(messages.slice(newest), { format });
  const firstCost = countTokens(
    messages
      .slice(0, newest)
      .filter((message) => history.wordsOf(message).length > 0)
      .slice(0, 1),
    { format },
  );
  // Nothing has to stay but the instructions and the newest exchange, with marks; and the provider's compaction.
  if (!COMPACTION.test(json(messages))) {
    const needed = messages.filter((message, index) => index >= newest || isInstruction(message));
    assert.ok(minimum <= countTokens(needed, { format }) + MARKS, where(minimum));
  }
  let held = 0;
  for (let step = 0; step <= steps; step++) {
    const limit = Math.round(minimum + ((most - minimum) * step) / steps);
    const result = fit(messages, { format, limit, trace: true });
    assert.ok(result.fits, where(limit));
    assert.ok(result.tokens.after <= limit, where(limit));
    await assertSound(provider, history, result, where(limit));
    const words = result.messages.flatMap(history.wordsOf).join('\n');
    if (!result.report.cutLastWords) for (const one of lastSaid) assert.ok(words.includes(one), `${one} is gone, ${where(limit)}`);
    // The task comes first. The newest exchange may take three tenths of what is free then, of which the search tries less, and the user’s words a
    // fifth of the rest.
    assert.notEqual(result.report.trace.at(-1).action, 'remove', where(limit));
    if (newestCost <= 0.25 * (limit - minimum - firstCost) && !COMPACTION.test(json(messages.slice(newest)))) {
      // Where nothing is left between it and the user's words before, the two are one message.
      const left = stringsIn(result.messages).join('\n');
      for (const text of stringsIn(messages.slice(newest))) assert.ok(left.includes(text), `${text}, ${where(limit)}`);
    }
    if (cost > 0.7 * 0.2 * (limit - minimum - firstCost)) continue;
    held++;
    for (const one of said) assert.ok(words.includes(one), `${one}, ${where(limit)}`);
  }
  assert.equal(json(messages), before, where('any'));
  return held;
}

/** Tests `prune` on a history. */
export async function testPrune(provider, seed) {
  const { name, format = name } = provider;
  const history = historyOf(provider, new Random(seed));
  for (const mode of ['stub', 'remove']) {
    const result = prune(history.messages, { format, mode });
    await assertSound(provider, history, result, `${name}, seed ${seed}, ${mode}: ${history.names.join('; ')}`);
  }
}

/** Tests a session over a growing history. */
export async function testSession(provider, seed, requests = 20) {
  const random = new Random(seed);
  const kinds = kindsOf(provider);
  const { name: of, format = of, user } = provider;
  const made = [];
  let number = 0;
  const limit = random.pick([600, 1200, 3000]);
  const session = createSession({ limit, format, now: () => 0 });
  for (let request = 0; request < requests; request++) {
    const [list, name, make] = random.pick(kinds);
    made.push(...make(new Draw(random, number++)));
    const next = user(new Draw(random, number++));
    const messages = inFormat(provider, [...made, next]);
    const { messages: sent, tokens } = session.next(messages);
    const where = `${of}, seed ${seed}, request ${request} of ${limit}: ${list}: ${name}`;
    const fitted = fit(messages, { format, limit });
    if (fitted.fits) assert.ok(tokens.after <= limit && countTokens(sent, { format }) <= limit, `${where}, ${tokens.after}`);
    await assertValid(provider, sent, where);
    // The next exchange begins with these words.
    made.push(next, ...make(new Draw(random, number++)).slice(1));
  }
}
