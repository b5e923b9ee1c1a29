// Where a message goes between the results of calls and what the user says, a turn still starts with the words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fit, prune, restore, validate } from 'palimpsest';

const call = { functionCall: { name: 'read', args: { file_path: 'src/a.ts' } } };
const answer = { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: 'ok' } } }] };
const user = (text) => ({ role: 'user', parts: [{ text }] });
const model = (text) => ({ role: 'model', parts: [{ text }] });
/** One model signed its calls, the next did not: since the user spoke, nobody asks for a signature. */
const historyWith = (said) => [
  user('Go.'),
  { role: 'model', parts: [{ ...call, thoughtSignature: 'c2ln' }] },
  answer,
  model('Done.'),
  user('Once more.'),
  { role: 'model', parts: [call] },
  answer,
  model(said),
  user('And now?'),
];

test('gemini: calls before the user spoke need no signatures', () => {
  const empty = historyWith('\t');
  assert.deepEqual(validate(empty, { format: 'gemini' }), []);
  const pruned = prune(empty, { format: 'gemini', keep: { recent: 0 } });
  // The empty message went: responses and words stay contents of their own.
  assert.deepEqual(pruned.messages.slice(-2), [answer, empty.at(-1)]);
  assert.deepEqual(validate(pruned.messages, { format: 'gemini' }), []);
  assert.deepEqual(restore(pruned.messages, pruned.originals).messages, empty);
  const long = historyWith('Word after word was said about it. '.repeat(200));
  const fitted = fit(long, { format: 'gemini', limit: 120, tokenizer: 'estimate' });
  assert.deepEqual(validate(fitted.messages, { format: 'gemini' }), []);
  assert.deepEqual(restore(fitted.messages, fitted.originals).messages, long);
});
