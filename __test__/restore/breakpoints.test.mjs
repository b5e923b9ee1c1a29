// Cache breakpoints that are set and moved after a message was stored: restored messages have them where they were put.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { countTokens, fit, prune, restore } from 'palimpsest';
import { cases } from '../support/seed.mjs';
import { dialogue, sayIn } from '../support/transcripts.mjs';
import { sorted, viaJson } from './stores.mjs';

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

const control = (name) => ({ cache_control: { type: 'ephemeral', name } });
/** A breakpoint with a name in each format that has any, as members of a block or a message. */
const CONTROLS = {
  anthropic: control,
  'openai-chat': control,
  langchain: control,
  'ai-sdk-model': (name, { providerOptions } = {}) =>
    providerOptions === undefined && name.endsWith('1')
      ? { providerOptions: { bedrock: { cachePoint: { type: 'default', name } } } }
      : {
          providerOptions: { ...providerOptions, anthropic: { ...providerOptions?.anthropic, cacheControl: { type: 'ephemeral', name } } },
        },
};
const THINKING = ['thinking', 'redacted_thinking', 'reasoning'];

/** Copies of a message, each with a breakpoint somewhere: on a block, on one in a result, on a text, on a message of the AI SDK. */
function waysToMark(format, message) {
  const mark = (value, name) => Object.assign(Object.create(Object.getPrototypeOf(value)), value, CONTROLS[format](name, value));
  const inContent = (content) => {
    if (typeof content === 'string') return content === '' ? [] : [(name) => [mark(text(content), name)]];
    return (content ?? []).flatMap((block, at) => [
      ...(THINKING.includes(block.type) ? [] : [(name) => content.with(at, mark(block, name))]),
      ...(block.type === 'tool_result' ? inOwn(block).map((way) => (name) => content.with(at, way(name))) : []),
    ]);
  };
  const inOwn = (holder) =>
    inContent(holder.content).map(
      (way) => (name) => Object.assign(Object.create(Object.getPrototypeOf(holder)), holder, { content: way(name) }),
    );
  if (format !== 'ai-sdk-model') return inOwn(message);
  // The content of instructions is a text.
  return [(name) => mark(message, name), ...(message.role === 'system' ? [] : inOwn(message))];
}

/** The same without breakpoints, and with texts that are alone in their content as such. */
function bare(value) {
  if (Array.isArray(value)) return value.map(bare);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    if (['cache_control', 'cacheControl', 'cachePoint'].includes(key)) return [];
    const simple = bare(inner);
    if (key === 'providerOptions' && Object.values(simple).every((own) => Object.keys(own).length === 0)) return [];
    const isLone = key === 'content' && simple?.length === 1 && simple[0].type === 'text' && Object.keys(simple[0]).length === 2;
    return [[key, isLone ? simple[0].text : simple]];
  });
  return Object.fromEntries(entries);
}

/** What has each breakpoint with a name, in the order in which they stand, and the number of blocks in its message. */
function markedIn(messages) {
  const found = [];
  for (const message of viaJson(messages)) {
    const { content } = message.kwargs ?? message;
    const look = (value) => {
      if (value === null || typeof value !== 'object') return;
      const { anthropic, bedrock } = value.providerOptions ?? {};
      const name = (value.cache_control ?? anthropic?.cacheControl ?? bedrock?.cachePoint)?.name;
      if (name !== undefined) found.push({ name, block: bare(value), blocks: content.length });
      Object.values(value).forEach(look);
    };
    look(message);
  }
  return found;
}

/** An object and all objects in it. */
const blocksWithin = (value) => (value === null || typeof value !== 'object' ? [] : [value, ...Object.values(value).flatMap(blocksWithin)]);
const print = (value) => JSON.stringify(value);
const idOf = (block) => block.id ?? block.tool_use_id ?? block.toolCallId;

test('breakpoints that are added, moved and removed after messages were cut come back where they are now', () => {
  const counts = Object.fromEntries(Object.keys(CONTROLS).map((format) => [format, { cut: 0, fewer: 0 }]));
  const some = fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 5 });
  const howToCut = fc.record({
    by: fc.constantFrom('fit', 'fit', 'prune'),
    thinking: fc.constantFrom('strip', 'leave'),
    mode: fc.constantFrom('stub', 'remove'),
    share: fc.constantFrom(0.1, 0.3, 0.5, 0.7),
  });
  for (const format of Object.keys(CONTROLS)) {
    const put = (messages, places, prefix) =>
      places.reduce((list, [which, where], number) => {
        const at = which % Math.max(list.length, 1);
        const ways = list.length === 0 ? [] : waysToMark(format, list[at]);
        return ways.length === 0 ? list : list.with(at, ways[where % ways.length](`${prefix}${number}`));
      }, messages);
    const stores = format === 'langchain' ? [(value) => value] : [(value) => value, viaJson, sorted];
    fc.assert(
      fc.property(dialogue, howToCut, some, some, fc.boolean(), (spoken, { by, thinking, mode, share }, before, after, isKept) => {
        const given = put(sayIn(format, spoken), before, 'before-');
        const { messages, originals } =
          by === 'fit'
            ? fit(given, { format, thinking, limit: Math.floor(countTokens(given, { format }) * share) })
            : prune(given, { format, thinking, mode, keep: { recent: 0 } });
        // bare() leaves an instance an instance's JSON.
        const left = isKept || format === 'langchain' ? messages : bare(messages);
        const now = put(left, after, 'after-');
        const whole = new Set(
          bare(viaJson(given))
            .flatMap(blocksWithin)
            .map((block) => print(sorted(block))),
        );
        for (const store of stores) {
          const back = restore(store(now), store(originals));
          assert.deepEqual(back.missing, []);
          // What was not cut has the order of the store.
          const shown = (list) => print(bare(store === sorted ? sorted(list) : viaJson(list)));
          assert.equal(shown(back.messages), shown(given));
          const stood = markedIn(now);
          const names = stood.map(({ name }) => name);
          // What was taken out may have others.
          const stand = markedIn(back.messages).filter(({ name }) => names.includes(name));
          assert.deepEqual(
            stand.map(({ name }) => name),
            names,
          );
          stood.forEach(({ block, blocks }, index) => {
            const here = stand[index];
            assert.equal(idOf(here.block), idOf(block));
            if (whole.has(print(sorted(block)))) assert.deepEqual(sorted(here.block), sorted(block));
            else counts[format].cut++;
            if (here.blocks !== blocks) counts[format].fewer++;
          });
        }
        const next = fit(now, { format, thinking, limit: 1e6, originals });
        assert.deepEqual(next.missing, []);
        assert.equal(print(bare(viaJson(restore(next.messages, next.originals).messages))), print(bare(viaJson(given))));
      }),
      { numRuns: cases(80) },
    );
    assert.ok(counts[format].cut >= cases(20), print(counts));
    // The others have as many blocks as before.
    if (format === 'anthropic' || format === 'ai-sdk-model') assert.ok(counts[format].fewer >= cases(5), print(counts));
  }
});
