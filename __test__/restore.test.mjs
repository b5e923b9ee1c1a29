// Removed content is restored exactly, in every format, after any way of storing, and after any number of rounds.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

import { restore } from '../unbundled/index.js';
import { SAYS, withMarks } from './providers/marked.mjs';
import { CORPORA } from './support/corpus.mjs';
import { someEdits } from './support/transcripts.mjs';
import { someOf } from './support/seed.mjs';

const require = createRequire(import.meta.url);
const { formatOf } = require('../unbundled/providers/index.js');
const { applyEdits } = require('../unbundled/agent/edits.js');
const { outlining, rebuild } = require('../unbundled/agent/structure.js');
const { inOneGo } = require('../unbundled/steps.js');

const viaJson = (value) => JSON.parse(JSON.stringify(value));

function round(messages, name, numbers) {
  const format = formatOf(messages, name);
  return withMarks(messages, format, someEdits(format.read(messages), numbers));
}

// ---- Changes to a history between two calls -----------------------------------------------------------------------

const call = (id, name, args) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});
const result = (id, content) => ({ role: 'tool', tool_call_id: id, content });
const chat = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Read it, then fix it.' },
  call('a', 'Read', { path: 'src/a.ts' }),
  result('a', 'line one\nline two'),
  call('b', 'Bash', { command: 'npm test' }),
  result('b', '1 failed'),
  { role: 'assistant', content: 'Fixed.' },
];
const format = formatOf(chat);
const parts = format.read(chat);
const resultOf = (id) => parts.find(({ kind, callId }) => kind === 'result' && callId === id);
const everythingOf = (id) => parts.filter(({ callId }) => callId === id).map((part) => ({ part, remove: true }));
const stub = () => withMarks(chat, format, [{ part: resultOf('a'), text: '' }]);
const cut = () => withMarks(chat, format, everythingOf('b'));

test('a stub says what it stands for, and names its original', () => {
  const { messages, originals } = stub();
  const [key] = Object.keys(originals);
  assert.equal(messages[3].content, `[palimpsest:${key} ${SAYS}]`);
  assert.equal(originals[key].places[0].value, chat[3].content);
  messages.forEach((message, index) => index === 3 || assert.equal(message, chat[index]));
});

test('the key goes in where the edit wants it, in arguments too', () => {
  const [, , call] = parts;
  const [head, tail] = ['{"path":"src/a.ts","content":"[palimpsest:', ' cut]"}'];
  const { messages } = applyEdits(chat, format, [{ part: call, head, tail }]);
  assert.match(JSON.parse(messages[2].tool_calls[0].function.arguments).content, /^\[palimpsest:[a-z][a-z0-9]{9} cut\]$/);
});

test('the same history gets the same stubs when it has grown', () => {
  const grown = [...chat, { role: 'user', content: 'And now?' }];
  const again = withMarks(grown, format, [{ part: resultOf('a'), text: '' }]);
  assert.deepEqual(again.messages.slice(0, -1), stub().messages);
});

test('originals that are missing are named, and their stubs stay', () => {
  const { messages, originals } = stub();
  const back = restore(messages, {});
  assert.deepEqual(back, { messages, missing: Object.keys(originals), restored: 0 });
  assert.equal(back.messages[3], messages[3]);
});

test('a text that looks like a marker is left alone', () => {
  const quote = { role: 'user', content: 'What does [palimpsest:3f9a2c81 stale read] mean, or [palimpsest:abcdefghij x]?' };
  assert.deepEqual(restore([quote], {}), { messages: [quote], missing: [], restored: 0 });
});

test('a text that quotes a stub is left alone, word for word or among other words', () => {
  const { messages, originals } = stub();
  const quotes = [
    { role: 'user', content: messages[3].content },
    { role: 'user', content: `Why ${messages[3].content}?` },
  ];
  assert.deepEqual(restore([...messages, ...quotes], originals), { messages: [...chat, ...quotes], missing: [], restored: 1 });
});

test('a stub whose text was changed stays, and is named', () => {
  const { messages, originals } = stub();
  const changed = messages.with(3, { ...messages[3], content: `${messages[3].content} (really)` });
  assert.deepEqual(restore(changed, originals), { messages: changed, missing: Object.keys(originals), restored: 0 });
});

test('a call and its result come back where they stood, after messages came or went before and behind', () => {
  const { messages, originals } = cut();
  assert.equal(messages.length, chat.length - 2);
  const [system, user, ...rest] = chat;
  const extra = { role: 'user', content: 'by the way' };
  assert.deepEqual(restore([{ role: 'system', content: 'New.' }, ...messages, extra], originals).messages, [
    { role: 'system', content: 'New.' },
    ...chat,
    extra,
  ]);
  assert.deepEqual(restore(messages.slice(1), originals).messages, [user, ...rest]);
  assert.deepEqual(restore([system, extra, ...messages.slice(1)], originals).messages, [system, extra, user, ...rest]);
});

test('a cut without its neighbours is named, never guessed', () => {
  const { messages, originals } = cut();
  const without = messages.filter(({ content }) => content !== 'Fixed.');
  assert.deepEqual(restore(without, originals), { messages: without, missing: Object.keys(originals), restored: 0 });
});

test('equal neighbours are told apart by where they stood', () => {
  const ok = { role: 'user', content: 'ok' };
  const yes = { role: 'assistant', content: 'yes' };
  const same = Array.from({ length: 40 }, (_, index) => (index % 2 ? yes : ok));
  for (const gone of [0, 7, 20, 39]) {
    const all = same.map((message, index) => (index === gone ? { role: message.role, content: 'another' } : { ...message }));
    const { messages, originals } = withMarks(all, format, [{ part: format.read(all)[gone], remove: true }]);
    assert.deepEqual(restore(viaJson([...messages, ok]), viaJson(originals)).messages, [...all, ok]);
  }
});

test('a place needs both of its neighbours', () => {
  const [one, two, gone, same] = ['one', 'two', 'gone', 'same'].map((content) => ({ role: 'user', content }));
  const all = [one, two, gone, same, { ...same }];
  const { messages, originals } = withMarks(all, format, [{ part: format.read(all)[2], remove: true }]);
  assert.deepEqual(restore(messages.slice(1), originals).messages, all.slice(1));
});

test('one place that was found says where the next one is to be looked for', () => {
  const [first, gone, second, same] = ['first', 'gone', 'second', 'same'].map((content) => ({ role: 'user', content }));
  const all = [first, gone, second, same, same, same, { role: 'user', content: 'gone too' }, same, same, same];
  const read = format.read(all);
  const { messages, originals } = withMarks(
    all,
    format,
    [1, 6].map((index) => ({ part: read[index], remove: true })),
  );
  assert.deepEqual(restore([chat[0], ...messages], originals).messages, [chat[0], ...all]);
});

test('the same text at the same place in a later round has a key of its own', () => {
  const [other, question, answer] = ['other', 'question', 'a longer answer'].map((content) => ({ role: 'user', content }));
  const steps = [
    { more: [other, question, answer], edit: (parts) => [{ part: parts[2], text: '' }] },
    { more: [question, answer], edit: (parts) => [0, 1].map((index) => ({ part: parts[index], remove: true })) },
    // Now the second answer is in the place of the first, after the same question.
    { more: [], edit: (parts) => [{ part: parts[2], text: '' }] },
  ];
  let [current, originals] = [[], {}];
  for (const { more, edit } of steps) {
    const input = [...current, ...more];
    const made = withMarks(input, format, edit(format.read(input)));
    current = made.messages;
    originals = { ...originals, ...made.originals };
  }
  assert.equal(new Set(current.map(({ content }) => content)).size, 3, 'two stubs, two keys');
  assert.deepEqual(restore(current, originals).messages, [other, question, answer, question, answer]);
});

test('neighbours are known again after JSON, dates and instances included', () => {
  const at = (id, text) => ({ id, role: 'user', createdAt: new Date(0), parts: [{ type: 'text', text }] });
  const all = [at('a', 'one'), at('b', 'two'), at('c', 'three')];
  const ui = formatOf(all);
  const { messages, originals } = withMarks(all, ui, [{ part: ui.read(all)[1], remove: true }]);
  assert.deepEqual(restore(viaJson(messages), viaJson(originals)).messages, viaJson(all));
});

test('an instance gets its own keys back, in their order', () => {
  class Note {
    constructor(fields) {
      Object.assign(this, fields);
    }
  }
  const list = [{ long: 'list' }];
  const [original, present] = [new Note({ b: list, a: 1 }), new Note({ a: 2, b: list, c: 3 })];
  const [back] = rebuild(inOneGo(outlining([original], [present])), [present]);
  assert.ok(back instanceof Note);
  assert.equal(JSON.stringify(back), JSON.stringify(original));
  assert.equal(back.b, list);
});

test('wrong arguments are refused by name', () => {
  const refuses = (args, message) => assert.throws(() => restore(...args), { name: 'TypeError', message });
  refuses(['text', {}], 'restore(): messages must be an array, got string');
  refuses([[null], {}], 'restore(): messages[0] must be an object, got null');
  refuses([[], null], 'restore(): originals must be an object, got null');
  refuses([[], { key: 'text' }], 'restore(): originals["key"] is no original');
});

test('a history of 20,000 messages that were shifted is restored', () => {
  const long = Array.from({ length: 10_000 }, (_, index) => [
    call(`c${index}`, 'Read', { path: 'a' }),
    result(`c${index}`, 'same text'),
  ]).flat();
  const all = format.read(long);
  const edits = all.flatMap((part, index) =>
    index % 4 < 2 ? [{ part, remove: true }] : part.kind === 'result' ? [{ part, text: '' }] : [],
  );
  const { messages, originals } = withMarks(long, format, edits);
  // Shifted, so that every message has another place.
  assert.deepEqual(restore([{ role: 'system', content: 'New.' }, ...messages], originals).messages.slice(1), long);
});

// ---- Real conversations -------------------------------------------------------------------------------------------

for (const { corpus, native, skip } of CORPORA)
  test(`${corpus}: all come back byte for byte`, { skip }, () => {
    for (const { id, messages } of someOf(native())) {
      for (const seed of [1, 2, 3]) {
        const numbers = Array.from({ length: 97 }, (_, index) => ((index * 37 * seed) % 101) / 101);
        const before = JSON.stringify(messages);
        const made = round(messages, 'auto', numbers);
        const back = restore(viaJson(made.messages), viaJson(made.originals));
        assert.equal(JSON.stringify(back.messages), before, id);
        assert.equal(JSON.stringify(messages), before);
      }
    }
  });
