// JSON that is read as it comes, in parts of any length.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Problem } from '../dist/errors.mjs';
import { ValueReader } from '../dist/values.mjs';

/** The text in parts that end at these shares of it. */
function partsOf(text, shares) {
  const ends = [...shares.map((share) => Math.floor(share * text.length)), text.length].sort((a, b) => a - b);
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

function read(parts) {
  const reader = new ValueReader('file');
  const values = parts.flatMap((part) => [...reader.push(part)]);
  reader.end();
  return values;
}

const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })).map((value) => JSON.parse(JSON.stringify(value))));
const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
const indent = fc.constantFrom(undefined, 1, '\t');

test('an array gives its elements, and JSONL its lines, wherever the parts end', () => {
  fc.assert(
    fc.property(objects, shares, indent, (values, ends, space) => {
      assert.deepEqual(read(partsOf(JSON.stringify(values, null, space), ends)), values);
      const lines = values.map((value) => `${JSON.stringify(value, null, space)}\n`).join('');
      if (values.length > 0) assert.deepEqual(read(partsOf(`\uFEFF${lines}`, ends)), values);
    }),
  );
});

test('a text that JSON.parse refuses is refused, and a cut one has its place', () => {
  fc.assert(
    fc.property(objects, shares, fc.nat(), (values, ends, at) => {
      const text = JSON.stringify(values);
      const cut = text.slice(0, at % text.length);
      assert.throws(() => read(partsOf(cut, ends)), Problem);
    }),
  );
  fc.assert(
    fc.property(objects, fc.nat(), fc.constantFrom('', ',', ']', '}', '[', '{', '"', 'x', '\\'), (values, at, mark) => {
      const text = JSON.stringify(values);
      const place = at % (text.length + 1);
      const changed = `${text.slice(0, place)}${mark}${text.slice(place + 1)}`;
      let expected;
      try {
        expected = JSON.parse(changed);
      } catch {
        assert.throws(() => read([changed]), Problem);
        return;
      }
      // What JSON.parse takes may still be no array of objects.
      if (Array.isArray(expected) && expected.every((value) => typeof value === 'object' && value))
        assert.deepEqual(read([changed]), expected);
    }),
  );
});

const refused = [
  ['', 'file: is empty'],
  [' \n', 'file: is empty'],
  ['hello', 'file: is not JSON with objects (line 1)'],
  ['[{}\n,\n{"a": 1', 'file: was cut off in message 2 (line 3)'],
  ['[{}', 'file: was cut off after message 1 (line 1)'],
  ['[{},]', 'file: is not JSON with objects in message 2 (line 1)'],
  ['[{} {}]', 'file: is not JSON with objects in message 2 (line 1)'],
  ['{}\n{]\n', 'file: is not JSON in message 2 (line 2)'],
  ['[1]', 'file: is not JSON with objects in message 1 (line 1)'],
  ['[] []', 'file: there is more behind the end of the array (line 1)'],
  [`[${'['.repeat(100_000)}`, 'file: is nested more than 1000 deep in message 1 (line 1)'],
];
for (const [text, message] of refused) {
  test(`refused: ${text.slice(0, 20)}`, () => {
    assert.throws(
      () => read([text]),
      (error) => {
        assert.ok(error instanceof Problem);
        assert.equal(error.message, message);
        return true;
      },
    );
  });
}
