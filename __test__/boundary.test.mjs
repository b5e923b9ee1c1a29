// The native functions by themselves: their behaviour on columns that don't fit the texts, which `lib/` never sends.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const require = createRequire(import.meta.url);
const native = require('../unbundled/native.js').default;
const { CANONICAL_PIECE, MESSAGE_COLUMN, OPTION, STATISTIC } = require('../unbundled/generated/layout.js');
const { gatherMessages, gatherOptions } = require('../unbundled/drop-in/compress/gather.js');

const noRoles = new Set();
const text = 'The worker reads the queue, and nobody knows why it was slow. '.repeat(8);
const messages = ['a', 'b', 'c'].map((id) => ({ id, role: 'user', content: `${id}: ${text}` }));
const options = gatherOptions({ recencyWindow: 0 });

/** A call of `compress` in which the second text is said to be `length` units long. */
function withLength(length) {
  const { texts, ids, columns } = gatherMessages(messages, noRoles);
  columns[MESSAGE_COLUMN.LENGTH * messages.length + 1] = length;
  return () => native.compress(texts, ids, columns, options);
}

test('a text that is longer or shorter than its column says is refused, and no memory is reserved for it', () => {
  const { length } = messages[1].content;
  assert.equal(withLength(length)().numbers[STATISTIC.COMPRESSED], messages.length);
  for (const wrong of [0, length - 1, length + 1, length + 2, 1 << 20, (1 << 20) + 1, 0xffff_ffff]) {
    assert.throws(withLength(wrong), { message: 'a text is not as long as it is said to be' }, String(wrong));
  }
  const copies = new native.CopiedTexts();
  assert.throws(() => copies.push(['abc'], Uint32Array.of(0xffff_ffff)), /not as long/);
});

test('an array with billions of holes is refused at the first', () => {
  const holes = new Array(0xffff_ffff);
  const pieces = Uint32Array.of(((CANONICAL_PIECE.MAX_SHORT + 1) << CANONICAL_PIECE.KIND_BITS) | CANONICAL_PIECE.TEXT);
  for (const call of [
    () => native.countTexts(holes, 'estimate'),
    () => native.fingerprints(pieces, '', holes),
    () => native.computeImportance(holes),
    () => native.listEntities(holes, 1),
  ]) {
    assert.throws(call, /expected a string/, String(call));
  }
});

test('a call does not change its arguments', async () => {
  const given = () => ({ ...gatherMessages(messages, noRoles), options: options.slice() });
  const [now, later] = [given(), given()];
  native.compress(now.texts, now.ids, now.columns, now.options);
  await native.compressAsync(later.texts, later.ids, later.columns, later.options, undefined, undefined, { concurrency: 1 });
  assert.deepEqual(now, given());
  assert.deepEqual(later, given());
});

test('options or columns of another number are refused', () => {
  const { texts, ids, columns } = gatherMessages(messages, noRoles);
  for (const count of [0, OPTION.COUNT - 1, OPTION.COUNT + 1]) {
    assert.throws(() => native.compress(texts, ids, columns, new Float64Array(count)), /options are incomplete/);
  }
  assert.throws(() => native.compress(texts, ids, columns.subarray(1), options), /each message needs/);
});
