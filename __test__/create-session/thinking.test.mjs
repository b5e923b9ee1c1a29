// Signed thinking under each value of the option: removed, kept with everything before it, or left in place.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'palimpsest';
import { commonStart } from './life.mjs';
import { refused, requestsOf, working } from './working.mjs';

const format = 'anthropic';
const isSigned = ({ type }) => type === 'thinking';
const blocksIn = (messages) => messages.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isSigned) : []));
const hasThinking = (message) => blocksIn([message]).length > 0;

/** An agent that thinks before each call, in turns of several calls. */
const history = working(format, 1, 30, 20)
  .filter(({ role, content }, index) => index < 2 || index % 12 === 0 || role === 'assistant' || Array.isArray(content))
  .map((message, index) => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return message;
    return {
      ...message,
      content: [
        { type: 'thinking', thinking: `What is next after ${index}? `.repeat(8), signature: `sealed-${index}` },
        ...message.content,
      ],
    };
  });

function play(thinking, limit = 5000) {
  const session = createSession({ limit, format, thinking, now: () => 0 });
  let last = [];
  return requestsOf(history).map((given) => {
    const step = session.next(given);
    const played = { step, given, last };
    last = step.messages;
    return played;
  });
}

/** Knows what each signed block was signed over, and asserts that requests have it only there. */
class Seals {
  #behind = new Map(); // signature → what stood before its message when it came

  /** @param last the request before, over which the newest answer was signed */
  judge(messages, given, last) {
    const answer = given.findLastIndex(({ role }) => role === 'assistant');
    for (const { signature } of answer < 0 ? [] : blocksIn([given[answer]]))
      if (!this.#behind.has(signature)) this.#behind.set(signature, last);
    messages.forEach((message, index) => {
      for (const { signature } of blocksIn([message])) {
        const before = this.#behind.get(signature);
        assert.ok(before.length === index && commonStart(before, messages) === index, `${signature} stands behind another prefix`);
      }
    });
  }
}

test('strip: a signed block is sent only after the content that it was signed over', async () => {
  const seals = new Seals();
  for (const { step, given, last } of play('strip')) {
    seals.judge(step.messages, given, last);
    assert.equal(await refused(format, step.messages), null);
  }
});

test('strip: the report tells if, and only if, an open turn lost its thinking', () => {
  let stripped = 0;
  for (const { step, given } of play('strip')) {
    const answer = given.findLastIndex(({ role }) => role === 'assistant');
    const isOpen = answer >= 0 && answer < given.length - 1 && given.slice(answer + 1).every(({ content }) => Array.isArray(content));
    const sent = step.messages.findLast(({ role }) => role === 'assistant');
    const isStripped = isOpen && hasThinking(given[answer]) && !hasThinking(sent);
    assert.equal(step.report.strippedOpenTurn ?? false, isStripped);
    if (isStripped) stripped++;
  }
  assert.ok(stripped > 0);
});

test('leave: blocks stay unchanged with the messages that stay', async () => {
  let epochs = 0;
  for (const { step, given } of play('leave')) {
    const known = new Set(blocksIn(given));
    for (const block of blocksIn(step.messages)) assert.ok(known.has(block));
    for (const message of step.messages) {
      if (message.role === 'assistant' && message.content.some(({ type }) => type === 'tool_use')) assert.ok(hasThinking(message));
    }
    assert.equal(step.report.strippedOpenTurn, undefined);
    assert.equal(await refused(format, step.messages), null);
    if (step.epoch) epochs++;
  }
  assert.ok(epochs > 0);
});

test('keep: nothing before a signed block is cut', () => {
  for (const { step, given } of play('keep')) {
    const last = given.findLastIndex(hasThinking);
    if (last >= 0) assert.deepEqual(step.messages.slice(0, last + 1), given.slice(0, last + 1));
  }
});

// ---- Thinking that comes back --------------------------------------------------------------------------------------

/** What the history is while the answer at `place` is away. */
const absences = {
  'is undone': (given, place) => given.slice(0, place),
  'gives way to another answer': (given, place) => [...given.slice(0, place), { role: 'assistant', content: 'Ask me again.' }],
  'follows an edit of the first message': (given) => [{ role: 'user', content: 'Why do part 1 and part 2 fail?' }, ...given.slice(1)],
};
const saves = { 'in one process': '', 'saved before': 'before', 'saved in between': 'between', 'saved twice': 'before and between' };

for (const [what, absence] of Object.entries(absences)) {
  for (const [when, saved] of Object.entries(saves)) {
    test(`strip: an answer that ${what} and comes back stands where it was signed, or loses its thinking: ${when}`, () => {
      const options = { limit: 5000, format, now: () => 0 };
      const seals = new Seals();
      let session = createSession(options);
      const save = (at) => {
        if (saved.includes(at)) session = createSession(options, JSON.parse(JSON.stringify(session)));
      };
      let last = [];
      let returns = 0;
      for (const given of requestsOf(history)) {
        const step = session.next(given);
        seals.judge(step.messages, given, last);
        last = step.messages;
        const place = given.findLastIndex(hasThinking);
        // An answer that was signed over a request of which something was cut since.
        if (step.epoch === undefined || place < 0) continue;
        save('before');
        const away = absence(given, place);
        seals.judge(session.next(away).messages, away, last);
        save('between');
        last = session.next(given).messages;
        seals.judge(last, given, []);
        returns++;
      }
      assert.ok(returns > 3, `${returns} epochs`);
    });
  }
}
