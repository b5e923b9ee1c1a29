// Cache breakpoints that are set and moved after a message was stored: restored messages have them where they were put.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { countTokens, fit, restore } from 'palimpsest';
import { dialogue, sayIn } from '../support/transcripts.mjs';
import { viaJson } from './stores.mjs';

const BREAKPOINT = { type: 'ephemeral' };
const log = (name, count = 80) =>
  Array.from({ length: count }, (_, line) => `12:00:${line} ${name}-${line % 7} wrote ${line * 31} rows`).join('\n');
const use = (id, input) => ({ type: 'tool_use', id, name: 'Bash', input });
const answer = (id, content) => ({ type: 'tool_result', tool_use_id: id, content });
const text = (said) => ({ type: 'text', text: said });

/** Texts alone and in blocks, several results in a message, and blocks in a result. */
const chat = [
  { role: 'user', content: log('user') },
  { role: 'assistant', content: [text(log('lone'))] },
  { role: 'user', content: 'Look at both.' },
  {
    role: 'assistant',
    content: [text(log('intro')), use('a', { command: 'cat a.log' }), use('b', { cache_control: 'is data here', command: 'cat b.log' })],
  },
  { role: 'user', content: [answer('a', log('a')), answer('b', [text(log('b')), text(log('c'))])] },
  { role: 'assistant', content: [text(log('said')), text('That is it.')] },
  { role: 'user', content: 'So why is it slow?' },
];
const isCut = (message, index) => message !== chat[index];
/** Each message is there, and at least four are cut. */
const fitted = [0.8, 0.7, 0.6, 0.5, 0.4, 0.3]
  .map((share) => fit(chat, { limit: Math.floor(countTokens(chat) * share), query: false }))
  .find(({ messages }) => messages.length === chat.length && messages.filter(isCut).length >= 4);

const blocksOf = (message) => (typeof message.content === 'string' ? [text(message.content)] : message.content);
const marked = (message, at, breakpoint = BREAKPOINT) => ({
  ...message,
  content: blocksOf(message).with(at, { ...blocksOf(message)[at], cache_control: breakpoint }),
});

test('a breakpoint on any block of what was fitted stands on that block of what comes back', () => {
  assert.ok(fitted, 'no limit leaves each message and cuts four');
  fitted.messages.forEach((message, index) => {
    blocksOf(message).forEach((_, at) => {
      for (const store of [(value) => value, viaJson]) {
        const stored = fitted.messages.with(index, marked(message, at));
        const back = restore(store(stored), store(fitted.originals));
        assert.deepEqual(back, {
          messages: chat.with(index, marked(chat[index], at)),
          missing: [],
          restored: Object.keys(fitted.originals).length,
        });
        // A later round starts from here.
        const next = fit(store(stored), { limit: 10_000, originals: store(fitted.originals) });
        assert.deepEqual([next.messages, next.originals, next.missing], [back.messages, {}, []]);
      }
    });
  });
});

test('a breakpoint that was there is moved, changed or taken away in what comes back, too', () => {
  for (let index = 0; index < chat.length; index++) {
    for (let at = 0; at < blocksOf(chat[index]).length; at++) {
      const given = chat.with(index, marked(chat[index], at));
      const { messages, originals } = fit(given, { limit: fitted.tokens.limit, query: false });
      assert.deepEqual(restore(viaJson(messages), viaJson(originals)).messages, given, 'as it was');
      const without = messages.map((message) => ({
        ...message,
        content: typeof message.content === 'string' ? message.content : message.content.map(({ cache_control, ...block }) => block),
      }));
      const plain = { ...chat[index], content: blocksOf(chat[index]) };
      assert.deepEqual(restore(without, originals), {
        messages: chat.with(index, plain),
        missing: [],
        restored: Object.keys(originals).length,
      });
      // A store may hold a single text as a string.
      if (blocksOf(plain).length === 1) {
        const back = restore(without.with(index, { ...without[index], content: without[index].content[0].text }), originals);
        assert.deepEqual(back.missing, []);
        assert.deepEqual(back.messages, chat.with(index, { ...plain, content: plain.content[0].text }));
      }
      const other = { type: 'ephemeral', ttl: '1h' };
      const changed = restore(messages.with(index, marked(messages[index], at, other)), originals);
      assert.deepEqual([changed.messages, changed.missing], [chat.with(index, marked(chat[index], at, other)), []]);
    }
  }
});

test('what a tool was called with is no breakpoint: a change there stays, and is named', () => {
  const stored = viaJson(fitted.messages);
  const block = stored[3].content.find(({ id }) => id === 'b');
  assert.equal(block.input.cache_control, 'is data here');
  block.input.cache_control = 'is other data';
  const back = restore(stored, fitted.originals);
  assert.deepEqual(back.messages[3], stored[3]);
  const key = Object.keys(fitted.originals).find((name) => fitted.originals[name].at === 3);
  assert.deepEqual(back.missing, [key, 'messages[3]']);
});

test('where blocks are gone, a breakpoint comes back on its block, or the message is named', () => {
  const counts = { restored: 0, named: 0 };
  for (const [format, mark] of [
    ['anthropic', (message, at) => (Array.isArray(message.content) ? marked(message, at % message.content.length) : marked(message, 0))],
    [
      'ai-sdk-model',
      (message) => ({ ...message, providerOptions: { ...message.providerOptions, anthropic: { cacheControl: BREAKPOINT } } }),
    ],
  ]) {
    fc.assert(
      fc.property(dialogue, fc.constantFrom('leave', 'strip'), fc.nat(20), fc.nat(20), (spoken, thinking, which, at) => {
        const given = sayIn(format, spoken);
        const { messages, originals } = fit(given, { format, thinking, limit: Math.floor(countTokens(given, { format }) / 3) });
        if (messages.length === 0) return;
        const index = which % messages.length;
        // Options of other providers beside it are not a breakpoint.
        if (format === 'ai-sdk-model' && messages[index].providerOptions !== undefined) return;
        const stored = messages.with(index, mark(messages[index], at));
        const print = (message) => JSON.stringify(message);
        // It was there already.
        if (print(stored[index]) === print(messages[index])) return;
        const back = restore(stored, originals);
        if (back.missing.length > 0) {
          counts.named++;
          // The change stays.
          assert.ok(back.messages.includes(stored[index]));
          return;
        }
        counts.restored++;
        assert.equal(back.messages.length, given.length);
        const changed = back.messages.flatMap((message, place) => (print(message) === print(given[place]) ? [] : [place]));
        assert.equal(changed.length, 1);
        const [place] = changed;
        const places =
          format === 'anthropic' ? blocksOf(given[place]).map((_, number) => marked(given[place], number)) : [mark(given[place])];
        const found = places.findIndex((expected) => print(expected) === print(back.messages[place]));
        assert.ok(found >= 0, print(back.messages[place]));
        // The id identifies the block.
        const idOf = (message, number) => blocksOf(message)[number].id ?? blocksOf(message)[number].tool_use_id;
        if (format === 'anthropic') assert.equal(idOf(given[place], found), idOf(stored[index], at % blocksOf(stored[index]).length));
      }),
      { numRuns: 60 },
    );
  }
  assert.ok(counts.restored > 5 * counts.named, JSON.stringify(counts));
});
