// The functions around a classifier of tokens: the arguments they refuse, and that their time is linear in their text.
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  compressWithTokenClassifier,
  compressWithTokenClassifierSync,
  createMockTokenClassifier,
  whitespaceTokenize,
} from 'palimpsest/compress';

const keepAll = (text) => whitespaceTokenize(text).map((token) => ({ token, keep: true, confidence: 1 }));

test('an answer that is no classification is a TypeError that says what came', async () => {
  for (const answer of [undefined, null, 'text', 5, {}, [null], ['a'], [{ keep: true, confidence: 1 }], [{ token: 'a', keep: true }]]) {
    assert.throws(() => compressWithTokenClassifierSync('text', () => answer), {
      name: 'TypeError',
      message: /token classifier must return/,
    });
    await assert.rejects(
      compressWithTokenClassifier('text', async () => answer),
      TypeError,
    );
  }
  assert.throws(() => compressWithTokenClassifierSync('text', async () => []), { name: 'Error', message: /promise/ });
  assert.throws(() => compressWithTokenClassifierSync('text', () => ({ then() {} })), TypeError);
  await assert.rejects(
    compressWithTokenClassifier('text', () => Promise.reject(new RangeError('no model'))),
    RangeError,
  );
  assert.throws(() => whitespaceTokenize(5), TypeError);
  assert.throws(() => createMockTokenClassifier('x'), TypeError);
});

test('only white space changes where every token stays', () => {
  for (const text of ['', 'a', '  a \n b ', 'lone \ud800 half', 'emoji 😀 and e\u0301']) {
    const kept = compressWithTokenClassifierSync(text, keepAll);
    assert.equal(kept.replace(/\s/g, ''), text.replace(/\s/g, ''));
  }
});
