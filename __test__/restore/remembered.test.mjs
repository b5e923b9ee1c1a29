// Fingerprints are remembered with the tokens of a message, as long as it is unchanged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTokens, fit, restore } from 'palimpsest';

const lines = (name) => Array.from({ length: 60 }, (_, line) => `${name} has a line ${line} of its own`).join('\n');
const conversation = () => [
  { role: 'user', content: lines('first') },
  { role: 'assistant', content: [{ type: 'text', text: lines('second') }] },
  { role: 'user', content: lines('third') },
  { role: 'assistant', content: 'Done.' },
  { role: 'user', content: 'Thanks. What next?' },
];

test('a history that was counted is restored as one that never was, whatever was changed in it since', () => {
  const changes = [
    () => {},
    (messages) => (messages.at(-1).content += '!'),
    (messages) => (messages[0].content = 'other'),
    (messages) => (messages[0].name = 'me'),
    (messages) => messages.splice(0, 1),
    (messages) => (messages.at(-2).content = [{ type: 'text', text: 'Done.' }]),
    (messages) => (messages.at(-2).content = { toJSON: () => 'Done.' }),
  ];
  for (const change of changes) {
    const { messages, originals } = fit(conversation(), { limit: 400 });
    countTokens(messages);
    assert.deepEqual(restore(messages, originals).messages, conversation());
    change(messages);
    assert.deepEqual(
      restore(messages, originals),
      restore(
        messages.map((message) => ({ ...message })),
        originals,
      ),
      String(change),
    );
  }
});

test('the keys of originals do not depend on what was counted before', () => {
  const counted = conversation();
  countTokens(counted);
  const keysOf = (messages) => Object.keys(fit(messages, { limit: 400 }).originals);
  assert.deepEqual(keysOf(counted), keysOf(conversation()));
  assert.deepEqual(keysOf(counted), keysOf(conversation()), 'fitted before');
  counted[0].content += ' and more';
  assert.deepEqual(keysOf(counted), keysOf(structuredClone(counted)), 'changed');
});

test('what was known of a message that can not be remembered any more is forgotten', () => {
  // A function could give another answer each time, so that the message is never compared with what was known of it.
  const changed = conversation();
  fit(changed, { limit: 400 });
  const now = { content: lines('other'), more: () => {} };
  Object.assign(changed[0], now);
  const unknown = conversation();
  Object.assign(unknown[0], now);
  const originals = (messages) => fit(messages, { limit: 400 }).originals;
  assert.deepEqual(originals(changed), originals(unknown));
});
