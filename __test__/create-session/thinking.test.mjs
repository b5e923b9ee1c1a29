// Signed thinking under each value of the option: removed, kept with everything before it, or left in place.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from '../../index.mjs';
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

test('strip: a signed block is sent only after the content that it was signed over', async () => {
  const behind = new Map(); // block → what stood before its message when it came
  for (const { step, given, last } of play('strip')) {
    // The newest answer was signed over the last request.
    const answer = given.findLastIndex(({ role }) => role === 'assistant');
    for (const block of answer < 0 ? [] : blocksIn([given[answer]])) if (!behind.has(block)) behind.set(block, last);
    step.messages.forEach((message, index) => {
      for (const block of blocksIn([message])) {
        const before = behind.get(block);
        assert.ok(
          before.length === index && commonStart(before, step.messages) === index,
          `${block.signature} stands behind another prefix`,
        );
      }
    });
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
