// A caller changes messages in place between requests, at any depth. What a session sends and says is what a fresh session makes of a copy: its
// figures are counts of the copy, and nothing that was replaced is sent, found or saved.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countTokens, createSession } from 'palimpsest';
import { Agent } from '../session/agent.mjs';
import { judgeTexts } from '../session/judge.mjs';
import { say } from '../session/speak.mjs';
import { Random } from '../support/random.mjs';
import { cases, IS_WHOLE, someOf } from '../support/seed.mjs';
import { FORMATS } from '../support/transcripts.mjs';

/** Names whose values say what a member is, or link it to another one: with others the messages would be invalid. A date is not sent. */
const FIXED =
  /^(?:id|createdAt|index|role|type|status|state|format|name|toolName|\w*(?:_id|Id)|lc_\w*|mediaType|media_type|mimeType|url|image|image_url)$/;
const isNest = (value) => value !== null && typeof value === 'object';

/** A copy that nothing was remembered of. */
function copyOf(value) {
  if (!isNest(value)) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const copy = Object.create(Object.getPrototypeOf(value));
  for (const key of Object.keys(value)) copy[key] = copyOf(value[key]);
  return copy;
}

/** Where texts and data stand: `{ holder, key, depth }`. `isData`: it is an argument or a structured result, of which every member may change. */
function* leaves(value, isData = false, depth = 1) {
  for (const key of Object.keys(value)) {
    const inner = value[key];
    if (!isData && FIXED.test(key)) continue;
    if (typeof inner === 'string' || (isData && !isNest(inner))) yield { holder: value, key, depth, isData };
    else if (isNest(inner)) yield* leaves(inner, isData || /^(?:input|args|response|result)$/.test(key), depth + 1);
  }
}

const isJson = (text) => {
  try {
    return isNest(JSON.parse(text));
  } catch {
    return false;
  }
};

/** Changes one leaf of a message, or adds, renames or removes a member of data; returns its depth, or undefined if there is none. */
function change(message, random, word) {
  const all = [...leaves(message)];
  if (all.length === 0) return undefined;
  // The deep ones are few.
  const deepest = random.chance(0.5) ? Math.max(...all.map(({ depth }) => depth)) : 0;
  const { holder, key, depth, isData } = random.pick(all.filter((leaf) => leaf.depth >= deepest));
  const value = holder[key];
  const long = `${word} ${'was put here in place '.repeat(random.pick([0, 3, 60]))}`.trim();
  if (isData && !Array.isArray(holder) && random.chance(0.3)) {
    if (random.chance(0.5)) holder[word] = long;
    else {
      delete holder[key];
      holder[`${word} of ${key}`] = value;
    }
  } else if (typeof value === 'string' && isJson(value)) holder[key] = JSON.stringify({ ...JSON.parse(value), [word]: long });
  else holder[key] = typeof value === 'string' && random.chance(0.5) ? `${value}\n${long}` : long;
  return depth;
}

const depths = new Set();

function live(format, seed) {
  const random = new Random(seed);
  const agent = new Agent(random, { dialect: random.pick(['claude', 'codex', 'mcp']), reuse: false, thinks: 0, signed: false });
  const options = { limit: random.pick([1500, 4000]), format, now: () => 0, recall: random.pick([undefined, 'auto']) };
  let serial = 0;
  const history = say(format, [{ ...agent.user(random), ...(format === 'message' && { more: [] }) }], serial++);
  const session = createSession(options);
  for (let round = 0; round < cases(16); round++) {
    const turns = random.chance(0.7)
      ? [agent.work(random)]
      : [agent.answer(random), { ...agent.user(random), ...(format === 'message' && { more: [] }) }];
    history.push(...say(format, turns, serial++));
    const word = `swap${round}x`;
    for (let times = random.pick([0, 1, 1, 3]); times > 0; times--) {
      const depth = change(random.pick(history), random, word);
      if (depth !== undefined) depths.add(depth);
    }
    const before = random.pick(history);
    const given = random.chance(0.8) ? history : history.map((message) => (message === before ? message : copyOf(message)));
    const step = session.next(given);
    const count = (messages) => countTokens(messages.map(copyOf), { format });
    assert.equal(step.tokens.before, count(history), 'before');
    assert.equal(step.tokens.after, count(step.messages), 'after');
    assert.equal(step.fits, count(step.messages) <= options.limit);
    if (options.recall === undefined) judgeTexts(format, history, step.messages, true, true);
    const resumed = createSession(options, JSON.parse(JSON.stringify(session))).next(history.map(copyOf));
    assert.equal(resumed.report.foreign, undefined);
    assert.equal(JSON.stringify(resumed.messages), JSON.stringify(session.next(given).messages), 'a resumed session');
    // What the model is shown of a message is what it says now.
    const at = random.integer(0, history.length - 1);
    const { text } = session.recall('', { from: at, to: at, limit: 100_000 });
    assert.equal(text, createSessionOf(options, history).recall('', { from: at, to: at, limit: 100_000 }).text, `message ${at}`);
  }
}

function createSessionOf(options, history) {
  const session = createSession(options);
  session.next(history.map(copyOf));
  return session;
}

for (const format of someOf(FORMATS)) {
  test(`${format}: whatever is changed in place is sent, counted, found and saved as it is now`, () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31), (seed) => live(format, seed)),
      { numRuns: cases(6), includeErrorInReport: true },
    );
  });
}

test('the changes were deep', { skip: !IS_WHOLE && 'not all cases are tried' }, () => {
  for (const depth of [1, 2, 3, 4, 5]) assert.ok(depths.has(depth), `depth ${depth}`);
});

const user = (text) => ({ role: 'user', content: text });

for (const [name, format, message, alter] of [
  [
    'bytes',
    'ai-sdk-model',
    { role: 'user', content: [{ type: 'image', image: new Uint8Array([1, 2, 3]) }] },
    ({ content }) => (content[0].image[2] = 9),
  ],
  ['a date', 'openai-chat', { ...user('go'), details: { at: [new Date(0)] } }, ({ details }) => details.at[0].setTime(5)],
  [
    'a block that is not frozen, in one that is',
    'anthropic',
    frozenAround([{ type: 'text', text: 'one' }]),
    ({ content }) => (content[0].content[0].text = 'two'),
  ],
]) {
  test(`${name} changed in place: nothing of it was sent before`, () => {
    const session = createSession({ limit: 9000, format, now: () => 0 });
    const answer = { role: 'assistant', content: 'ok' };
    session.next([user('first'), answer, message]);
    alter(message);
    const { report } = session.next([user('first'), answer, message]);
    assert.equal(report.messages.reused, 2);
    assert.equal(session.next([user('first'), answer, message]).report.messages.reused, 3);
  });
}

function frozenAround(blocks) {
  const result = Object.freeze({ type: 'tool_result', tool_use_id: 't', content: blocks });
  return Object.freeze({ role: 'user', content: Object.freeze([result]) });
}

test('a message that became circular or unreadable in place is named', () => {
  for (const spoil of [
    (input) => (input.inner = input),
    (input) =>
      Object.defineProperty(input, 'inner', {
        enumerable: true,
        get() {
          throw new Error('gone');
        },
      }),
  ]) {
    const session = createSession({ limit: 9000, format: 'anthropic' });
    const input = { a: 1 };
    const history = [user('go'), { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'w', input }] }];
    session.next(history);
    spoil(input);
    assert.throws(
      () => session.next(history),
      (error) => error instanceof TypeError && /messages\[1\]/.test(error.message),
    );
  }
});

test('a cut copy of a message holds nothing of an object that its owner changed since', () => {
  const lines = Array.from({ length: 400 }, (_, index) => `row ${index} was written by worker-${index % 7}`).join('\n');
  const said = () => ({
    role: 'user',
    content: [
      { type: 'text', text: lines },
      { type: 'text', text: 'And mind the first rule.' },
    ],
  });
  const rest = [{ role: 'assistant', content: 'ok' }, user('Go on.')];
  const session = createSession({ limit: 1500, format: 'anthropic', now: () => 0 });
  const first = said();
  const before = JSON.stringify(session.next([first, ...rest]).messages);
  assert.ok(before.length < lines.length);
  const second = said();
  session.next([second, ...rest]);
  first.content[1].text = 'And mind nothing.';
  assert.equal(JSON.stringify(session.next([second, ...rest]).messages), before);
});
