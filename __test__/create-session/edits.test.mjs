// Histories that are not append-only: the session sends the prefix that still holds, and nothing that is not in the history now.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'palimpsest';
import { sorted } from '../session/play.mjs';
import { commonStart, deepFreeze, withControl } from './life.mjs';
import { asks, refused, requestsOf, says, working } from './working.mjs';
import { someOf } from '../support/seed.mjs';

const LIMIT = 6000;
const FORMATS = ['openai-chat', 'openai-responses', 'openai-agents', 'anthropic', 'ai-sdk-model', 'gemini', 'message'];
const copy = (value) => JSON.parse(JSON.stringify(value));
const open = (format, options) => createSession({ limit: LIMIT, format, now: () => 0, ...options });

/** A session this many requests after its second epoch, its last request, and the history at the epoch. */
function lived(format, requests = 5) {
  const session = open(format);
  const history = deepFreeze(working(format, 1, 40));
  let epochs = 0;
  let since = 0;
  for (const given of requestsOf(history)) {
    const step = session.next(given);
    since++;
    if (step.epoch) {
      epochs++;
      since = 0;
    }
    if (epochs >= 2 && since >= requests) return { session, history: given, sent: step.messages };
  }
  return assert.fail('no second epoch');
}

async function assertSendable(format, step, { without = [], has = [] } = {}) {
  assert.ok(step.fits);
  assert.equal(await refused(format, step.messages), null);
  for (const text of without) assert.ok(!says(step.messages, text), `still says ${text}`);
  for (const text of has) assert.ok(says(step.messages, text), `does not say ${text}`);
}

for (const format of someOf(FORMATS)) {
  test(`${format}: an undone message is gone, those before it stay`, async () => {
    const { session, history, sent } = lived(format);
    const asked = history.findLastIndex((message) => JSON.stringify(message).includes('Why does part'));
    const step = session.next([...history.slice(0, asked), ...asks(format, 'Something else: why is it slow?')]);
    assert.equal(step.epoch, undefined);
    assert.equal(commonStart(step.messages, sent), sent.length - (history.length - asked));
    const [part] = /part\d+/.exec(JSON.stringify(history[asked]));
    await assertSendable(format, step, { without: [`Why does ${part} fail?`, `${part} line`], has: ['why is it slow?'] });
  });

  test(`${format}: fresh but equal objects from a store count as those that were sent`, () => {
    const { session, history, sent } = lived(format);
    for (const fresh of [copy(history), sorted(copy(history)), history.with(3, copy(history[3]))]) {
      const step = session.next(fresh);
      assert.equal(step.epoch, undefined);
      assert.equal(step.messages.length, sent.length);
      step.messages.forEach((message, index) => assert.equal(message, sent[index], `message ${index} is another object`));
      assert.equal(step.report.messages.reused, sent.length);
    }
  });

  test(`${format}: a message that is changed in place is noticed`, async () => {
    const session = open(format);
    const history = working(format, 1, 3);
    const last = session.next(history).messages;
    assert.deepEqual(last, history);
    // Each text in turn, at any depth.
    for (const [holder, key] of texts(history)) {
      const was = holder[key];
      holder[key] = was.replace('part', 'shed').replace('batch', 'boat');
      if (holder[key] === was) continue;
      const step = session.next(history);
      assert.deepEqual(step.messages, history);
      holder[key] = was;
      assert.deepEqual(session.next(history).messages, history);
    }
  });

  test(`${format}: a message changed in place after an epoch is never sent as it was`, async () => {
    const session = open(format);
    const history = working(format, 1, 30);
    for (const given of requestsOf(history)) session.next(given);
    for (const [holder, key] of texts(history)) holder[key] = holder[key].replaceAll('part', 'shed');
    await assertSendable(format, session.next(history), {
      without: Array.from({ length: 10 }, (_, digit) => `part${digit}`),
      has: ['shed30'],
    });
  });
}

test('a message that is frozen with its blocks is read once; any other one at each step', () => {
  const reads = [];
  const watched = (message, index) =>
    new Proxy(message, {
      ownKeys(target) {
        reads[index] = (reads[index] ?? 0) + 1;
        return Reflect.ownKeys(target);
      },
    });
  const blocks = (text) => [{ type: 'text', text }];
  const messages = Array.from({ length: 6 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: blocks(`part ${index}`),
  }));
  // The second of the first four is not frozen at all, the third but for its block.
  messages.forEach((message, index) => {
    if (index === 1) return;
    if (index !== 2) deepFreeze(message);
    Object.freeze(message.content);
    Object.freeze(message);
  });
  const given = messages.map(watched);
  const session = open('anthropic');
  session.next(given.slice(0, 4));
  const before = reads.slice();
  session.next(given.slice(0, 5));
  session.next(given);
  const again = [0, 1, 2, 3].map((index) => reads[index] - before[index]);
  assert.deepEqual([again[0], again[3]], [0, 0]);
  assert.ok(again[1] >= 2 && again[2] >= 2, `${again}`);
});

test('a frozen message whose value still changes is noticed: by a block, a getter, or its prototype', () => {
  let text = 'one';
  const block = { type: 'text', text };
  const byBlock = Object.freeze({ role: 'user', content: Object.freeze([block]) });
  const byGetter = Object.freeze({
    role: 'user',
    get content() {
      return text;
    },
  });
  const prototype = { role: 'user', content: text };
  const byPrototype = Object.freeze(Object.create(prototype));
  const say = (words) => {
    text = words;
    block.text = words;
    prototype.content = words;
  };
  const longer = 'one, and a good deal more than that';
  for (const message of [byBlock, byGetter, byPrototype]) {
    say('one');
    const session = open('anthropic');
    session.next([message]);
    say(longer);
    const { tokens } = session.next([message]);
    assert.equal(tokens.before, open('anthropic').next([{ role: 'user', content: longer }]).tokens.before);
  }
});

test('a message that is frozen after it was changed is noticed, also if another session has read it since', () => {
  const block = { type: 'text', text: 'one' };
  const message = { role: 'user', content: [block] };
  const session = open('anthropic');
  session.next([message]);
  block.text = 'one, and a good deal more than that';
  deepFreeze(message);
  const { tokens } = open('anthropic').next([message]);
  assert.equal(session.next([message]).tokens.before, tokens.before);
});

/** The holders and keys of the texts in messages. */
function* texts(value) {
  for (const [key, one] of Object.entries(value)) {
    if (typeof one === 'string' && /part\d/.test(one) && !/id|ID/.test(key)) yield [value, key];
    else if (one !== null && typeof one === 'object') yield* texts(one);
  }
}

// ---- A cache breakpoint that the caller moves ---------------------------------------------------------------------

const controls = (messages) => JSON.stringify(messages).match(/cache_control|cacheControl/g)?.length ?? 0;

/** As callers of the AI SDK mark a message. */
const withOptions = (messages) =>
  messages.with(-1, { ...messages.at(-1), providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } });
/** As in Anthropic's examples, for a message that was a text. */
const asBlock = (messages) =>
  typeof messages.at(-1).content === 'string'
    ? withControl(messages.with(-1, { ...messages.at(-1), content: [{ type: 'text', text: messages.at(-1).content }] }))
    : withControl(messages);

for (const [name, format, mark, reads] of [
  ['the last block', 'anthropic', withControl],
  [
    'the last message, whose text becomes a block',
    'anthropic',
    asBlock,
    ({ content, ...rest }) => ({ ...rest, content: typeof content === 'string' ? [{ type: 'text', text: content }] : content }),
  ],
  ['the options of the last message', 'ai-sdk-model', withOptions],
]) {
  test(`a breakpoint that moves along is no edit: ${name}`, () => {
    const plain = open(format);
    const marked = open(format);
    const withoutControl = (messages) =>
      JSON.parse(
        JSON.stringify(messages.map(reads ?? ((message) => message)), (key, value) =>
          /cache_?[cC]ontrol/.test(key) ? undefined : value,
        ).replaceAll(',"providerOptions":{"anthropic":{}}', ''),
      );
    let epochs = 0;
    for (const given of requestsOf(working(format, 1, 40))) {
      const expected = plain.next(given);
      const handed = deepFreeze(mark(given));
      const step = marked.next(handed);
      assert.deepEqual(withoutControl(step.messages), withoutControl(expected.messages));
      assert.deepEqual(step.epoch, expected.epoch);
      assert.ok(controls(step.messages) <= controls(handed), `${controls(step.messages)} breakpoints for the caller's ${controls(handed)}`);
      epochs += step.epoch ? 1 : 0;
      // The end of the request is where the caller put it.
      if (!step.epoch) assert.equal(controls(step.messages.slice(-1)), controls(handed.slice(-1)));
    }
    assert.ok(epochs >= 2);
  });
}

test('a message of a UI that grows by a step is an edit of the last one', async () => {
  const { session, history, sent } = lived('ai-sdk-ui', 2);
  const last = history.at(-1);
  const grown = { ...last, parts: [...last.parts, { type: 'text', text: 'And the shed is empty.', state: 'done' }] };
  const step = session.next(history.with(-1, grown));
  assert.equal(step.epoch, undefined);
  assert.equal(commonStart(step.messages, sent), sent.length - 1);
  assert.equal(step.messages.at(-1), grown);
});
