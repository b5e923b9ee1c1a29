// Strings of a long conversation are read on one thread and understood on another, some at a time: each summary is still that of its message.
import assert from 'node:assert/strict';
import test from 'node:test';

import { compress, uncompress } from 'palimpsest';
import { Random } from './support/random.mjs';

const WORDS = 'harbour lantern keeper repairs quiet evening before ferry crosses narrow channel under heavy rain while crew waits'.split(
  ' ',
);
const SIGNS = ['…', '—', 'é', '😀', '\ud83d', '東京', '“so”'];

/** Prose of some 100 to 3,000 characters. Every third has nothing but ASCII, and every 50th is mostly Chinese. */
function prose(random, number) {
  const sign = number % 3 === 0 ? () => '' : () => (random.chance(0.1) ? ` ${random.pick(SIGNS)}` : '');
  const filler = number % 50 === 1 ? '港口的灯塔看守人在傍晚修理灯笼。'.repeat(20) : '';
  const sentence = () => `The ${Array.from({ length: 12 }, () => random.pick(WORDS) + sign()).join(' ')}. `;
  return `Note ${number} says so. ${filler}${Array.from({ length: 1 + (number % 30) }, sentence).join('')}`;
}

test('a long conversation has the summaries that its messages have alone', () => {
  const random = new Random(7);
  const messages = [];
  for (let number = 0; number < 900; number++) {
    messages.push({ id: `n${number}`, index: 2 * number, role: 'user', content: prose(random, number) });
    // A message that is kept parts those that are summarised.
    messages.push({ id: `s${number}`, index: 2 * number + 1, role: 'system', content: `Rule ${number}.` });
  }
  const length = messages.reduce((sum, { content }) => sum + content.length, 0);
  assert.ok(length > 1_000_000, 'several pieces on another thread');
  const options = { recencyWindow: 0, dedup: false };
  const result = compress(messages, options);
  assert.equal(result.messages.length, messages.length);
  for (let at = 0; at < messages.length; at += 2) {
    const alone = compress(messages.slice(at, at + 2), options);
    assert.deepEqual(result.messages.slice(at, at + 2), alone.messages);
  }
  assert.ok(result.messages.filter(({ content }, at) => content !== messages[at].content).length > 700, 'most are summarised');
  assert.deepEqual(uncompress(result.messages, result.verbatim).messages, messages);
});
