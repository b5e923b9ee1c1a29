// What is found in messages and entries in a short way, and what takes the long one.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fit, restore } from '../../unbundled/index.js';

const require = createRequire(import.meta.url);
const { marksIn } = require('../../unbundled/agent/stubs.js');
const { memorise } = require('../../unbundled/equality/memory.js');

let state = 1;
const below = (limit) => {
  state = (state * 48271) % 0x7fffffff;
  return state % limit;
};
const LETTERS = ['a', 'é', '\xff', 'Ā', '…', '\ud83d', '\ude00', '"', '\0'];
const text = () =>
  Array.from({ length: below(3) === 0 ? below(200) : below(20) }, () => LETTERS[below(1 + below(LETTERS.length))]).join('');
test('marks of a message that is remembered are those of one that is not', () => {
  const marks = ['[…]', '[…: 2 lines]', '[palimpsest:k3f9a2c81x stale]', '[palimpsest', '…', ''];
  let marked = 0;
  for (let round = 0; round < 300; round++) {
    const [a, b, c] = [0, 1, 2].map(() => text() + marks[below(marks.length)] + text());
    const message = () => ({ role: ['user', 'system'][round % 2], content: [{ type: 'text', text: a, [b]: { deep: [c] } }] });
    const [known, other] = [message(), message()];
    memorise(known);
    const found = marksIn(other);
    assert.deepEqual(marksIn(known), found);
    assert.deepEqual(marksIn(known), found, 'the second time');
    if (found.mark !== undefined) marked++;
  }
  assert.ok(marked > 50, `${marked}`);
});

test('entries that are circular, nested too deeply or no original any more are refused', () => {
  const lines = Array.from({ length: 80 }, (_, line) => `line ${line} of a text that has to go`).join('\n');
  const history = ['user', 'assistant', 'user', 'assistant', 'user'].map((role) => ({ role, content: lines }));
  const { messages, originals } = fit(history, { limit: 400 });
  const key = Object.keys(originals).find((name) => originals[name].was !== undefined);
  const circular = { array: [] };
  circular.array.push(circular);
  let deep = 'end';
  for (let level = 0; level < 2000; level++) deep = { array: [deep] };
  let wide = 'end';
  for (let level = 0; level < 200; level++) wide = { array: [wide] };
  const edits = [
    [{ was: [circular] }, /is circular/],
    [{ was: [{ object: [['a', circular]] }] }, /is circular/],
    [{ was: [{ ...circular, more: circular }] }, /is circular/],
    [{ more: circular }, /is circular/],
    [{ was: [{ value: circular }] }, /is circular/],
    [{ was: [deep] }, /nested more than 1000 levels deep/],
    [{ was: ['text'] }, /\.was is not what was stored/],
    [{ was: new Array(2) }, /\.was is not what was stored/],
    [{ was: [{ object: new Array(2) }] }, /\.was is not what was stored/],
    [{ was: [{ object: [[1, 'a']] }] }, /\.was is not what was stored/],
    [{ was: [{ ref: [-1] }] }, /\.was is not what was stored/],
    [{ now: [null] }, /\.now is not what was stored/],
  ];
  for (const [edit, expected] of edits)
    assert.throws(() => restore(messages, { ...originals, [key]: { ...originals[key], ...edit } }), expected, String(Object.keys(edit)));
  assert.doesNotThrow(() => restore(messages, { ...originals, [key]: { ...originals[key], was: [{ object: [['content', wide]] }] } }));
});
