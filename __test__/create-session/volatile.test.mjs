// What is volatile stands behind the user's words, so that what is before it stays in the provider's cache.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'palimpsest';
import { answerMessages } from '../support/providers/anthropic.mjs';
import { answerChat } from '../support/providers/openai-chat.mjs';
import { AnthropicCache } from './cache.mjs';
import { deepFreeze } from './life.mjs';
import { working } from './working.mjs';

const LINE = '[current, not part of this message]';
const STABLE = 'You work on a warehouse. Be brief, and name the file of each fault that you find.';
const historyOf = (format) =>
  deepFreeze(Array.from({ length: 60 }, (_, turn) => working(format, turn + 1, turn + 1, 10 + ((turn * 37) % 90))).flat());
/** Messages without breakpoints, which only blocks take. */
const plain = (messages) =>
  messages.map(({ content, ...message }) => {
    const blocks = typeof content === 'string' && message.role === 'user' ? [{ type: 'text', text: content }] : content;
    return JSON.stringify({ ...message, content: blocks }, (key, value) => (key === 'cache_control' ? undefined : value));
  });
const textOf = (message) => JSON.stringify(message);
const asks = (format, { role, content }) =>
  role === 'user' && !(format === 'anthropic' && Array.isArray(content) && content.some(({ type }) => type === 'tool_result'));

/** Plays a history request by request, while the time goes on by a minute. */
function play(format, isMoved, onRequest) {
  const history = historyOf(format);
  let minute = 0;
  const time = () => `It is minute ${minute}.`;
  const system = [{ type: 'text', text: isMoved ? STABLE : '', cache_control: { type: 'ephemeral' } }];
  const session = createSession({
    limit: 8000,
    format,
    now: () => 0,
    ...(format === 'anthropic' ? { system, cacheControl: true } : { system: STABLE }),
    ...(isMoved ? { volatile: time } : {}),
  });
  for (let length = 1; length <= history.length; length++) {
    if (history[length - 1].role === 'assistant') continue;
    minute++;
    if (!isMoved && format === 'anthropic') system[0].text = `${STABLE}\n${time()}`;
    const part = history.slice(0, length);
    onRequest({ step: session.next(part), history: part, system, time: time(), session });
  }
}

test('with a date in the instructions Anthropic reads nothing; behind the user’s words it reads all but the epochs', () => {
  const shares = [false, true].map((isMoved) => {
    const cache = new AnthropicCache();
    const [all, cached] = [[], []];
    play('anthropic', isMoved, ({ step: { messages, epoch }, system }) => {
      answerMessages({ messages });
      const { blocks, read, faults } = cache.send({ system, messages });
      assert.deepEqual(faults, []);
      if (epoch !== undefined || messages.length === 1) return;
      all.push(blocks);
      cached.push(read);
    });
    const sum = (list) => list.reduce((total, count) => total + count, 0);
    return sum(cached) / sum(all);
  });
  assert.equal(shares[0], 0);
  assert.ok(shares[1] > 0.85, `${shares[1]}`);
});

for (const [format, answer] of [
  ['anthropic', answerMessages],
  ['openai-chat', answerChat],
]) {
  test(`${format}: a request that the user ends says the time, others stay as they were sent, and all are valid and within the limit`, () => {
    let before = [];
    let [epochs, ends, mid] = [0, 0, 0];
    play(format, true, ({ step, history, time, session }) => {
      const { messages, epoch, fits } = step;
      answer({ messages });
      assert.ok(fits);
      const told = messages.filter((message) => textOf(message).includes(LINE));
      if (asks(format, history.at(-1))) {
        ends++;
        assert.ok(textOf(messages.at(-1)).includes(`${LINE}\\n${time}`), textOf(messages.at(-1)));
      }
      if (epoch === undefined) {
        assert.deepEqual(plain(messages.slice(0, before.length)), plain(before));
      } else {
        epochs++;
        if (!asks(format, history.at(-1))) mid++;
        assert.equal(told.length, 1);
      }
      assert.ok(history.every((message) => !textOf(message).includes(LINE)));
      const again = session.next(history);
      if (again.epoch === undefined) assert.deepEqual(plain(again.messages), plain(messages));
      before = again.messages;
    });
    assert.ok(epochs > 3 && mid > 0 && ends > 20, JSON.stringify({ epochs, mid, ends }));
  });
}

test('a resumed session knows what it told', () => {
  const options = { limit: 6000, format: 'openai-chat', now: () => 0, volatile: () => 'It is Monday.' };
  const history = historyOf('openai-chat');
  const session = createSession(options);
  for (let length = 1; length <= 60; length += 3) session.next(history.slice(0, length));
  const resumed = createSession(options, JSON.parse(JSON.stringify(session)));
  for (let length = 61; length <= history.length; length += 3)
    assert.deepEqual(resumed.next(history.slice(0, length)).messages, session.next(history.slice(0, length)).messages);
});

test('nothing is appended for an empty text; anything but a text is an error', () => {
  const history = [{ role: 'user', content: 'Hello?' }];
  const next = (volatile) => createSession({ limit: 1000, format: 'openai-chat', volatile }).next(history).messages;
  assert.deepEqual(
    next(() => ''),
    history,
  );
  assert.deepEqual(next(null), history);
  assert.deepEqual(
    next(() => 'It is Monday.'),
    [{ role: 'user', content: `Hello?\n\n${LINE}\nIt is Monday.` }],
  );
  assert.throws(() => next(() => 7), { name: 'TypeError', message: /options\.volatile/ });
  assert.throws(() => next('Monday'), { name: 'TypeError', message: /options\.volatile/ });
});

test('signed thinking stays behind what it was signed behind', () => {
  const history = [
    { role: 'user', content: 'Look.' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Where?', signature: 'c2lnbmVk' },
        { type: 'tool_use', id: 't1', name: 'read', input: { path: 'a' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'Nothing.' }] },
  ];
  const session = createSession({ limit: 1000, format: 'anthropic', volatile: () => 'It is Monday.' });
  assert.deepEqual(session.next(history).messages, history);
});
