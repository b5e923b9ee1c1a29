// Restored exactly, or named in `missing`; and messages that somebody changed stay as they are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';

import { compress, countTokens, fit, prune, restore, uncompress } from 'palimpsest';

const viaJson = (value) => JSON.parse(JSON.stringify(value));
const user = (content) => ({ role: 'user', content });
const assistant = (content) => ({ role: 'assistant', content });
const call = (id, name, args) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});
const result = (id, content) => ({ role: 'tool', tool_call_id: id, content });
const page = (name, count = 20) => Array.from({ length: count }, (_, line) => `const ${name}${line} = ${line};`).join('\n');
const log = Array.from({ length: 300 }, (_, line) => `12:00:${line % 60} worker-${line % 7} wrote ${line} rows`).join('\n');

// ---- Changed messages stay -----------------------------------------------------------------------------------------

const session = [
  user('Find out why.'),
  call('a', 'bash', { command: 'cat import.log' }),
  result('a', log),
  call('b', 'Read', { file_path: '/a.ts' }),
  result('b', page('a')),
  call('w', 'Write', { file_path: '/a.ts', content: page('b') }),
  result('w', 'ok'),
  assistant('Two workers claim the same event.'),
  user('Then mend it, please.'),
];
const cuts = {
  fit: fit(session, { limit: 400 }),
  prune: prune(session, { keep: { recent: 0 } }),
  compress: (({ messages, verbatim }) => ({ messages, originals: verbatim }))(
    compress([user(`${'We looked at it for a while and found nothing that would explain it. '.repeat(8)}`), ...session], {
      format: 'openai-chat',
      recencyWindow: 1,
    }),
  ),
};

for (const [name, { messages, originals }] of Object.entries(cuts)) {
  test(`${name}: one code unit is another anywhere in what was written: its key is named, and the change stays`, () => {
    const written = messages.flatMap((message, index) => (session.includes(message) || typeof message.content !== 'string' ? [] : [index]));
    assert.ok(written.length > 0);
    for (const index of written) {
      const { content } = messages[index];
      for (let unit = 0; unit < content.length; unit++) {
        const changed = {
          ...messages[index],
          content: content.slice(0, unit) + (content[unit] === '~' ? '-' : '~') + content.slice(unit + 1),
        };
        const back = restore(messages.with(index, changed), originals);
        assert.ok(back.messages.includes(changed), `message ${index}, unit ${unit}: the change is gone`);
        assert.ok(back.missing.length > 0, `message ${index}, unit ${unit}: nothing is named`);
      }
    }
  });
}

test('an added key, a changed number and a deep change are changes too', () => {
  const deep = (leaf) => Array.from({ length: 40 }).reduce((inner) => ({ inner }), leaf);
  const wide = (value) => Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key${index}`, index === 77 ? value : index]));
  const given = [user(log), assistant('ok'), user('And?')];
  const { messages, originals } = fit(
    given.map((message, index) => (index === 0 ? { ...message, deep: deep(1), wide: wide(1) } : message)),
    { limit: 200, format: 'openai-chat' },
  );
  assert.ok(messages[0].content.length < log.length);
  for (const change of [{ deep: deep(2) }, { wide: wide(2) }, { extra: null }]) {
    const changed = [{ ...messages[0], ...change }, ...messages.slice(1)];
    const back = restore(changed, originals);
    assert.deepEqual([back.messages, back.restored, back.missing], [changed, 0, [...Object.keys(originals), 'messages[0]']]);
  }
});

// ---- No message is mistaken for another ----------------------------------------------------------------------------

const talk = (topic) =>
  `Well, ${topic} is a nice thing to talk about. We like it a lot, and so it goes on and on. It is good that we have it here. `.repeat(3);

test('of two messages that read alike when cut, none comes back as the other', () => {
  const chat = [user(talk('music')), assistant('ok'), user(talk('sport')), assistant('ok'), user('Now?')];
  const { messages, verbatim } = compress(chat, { format: 'openai-chat', recencyWindow: 1, relevanceThreshold: 3 });
  assert.deepEqual(messages[0], messages[2], 'both read alike');
  assert.deepEqual(uncompress(messages, verbatim).messages, chat);
  for (let count = 1; count < messages.length; count++) {
    const { messages: back, missing_ids: missing } = uncompress(messages.slice(count), verbatim);
    back.forEach((message, index) =>
      assert.ok(
        [chat, messages].some((list) => JSON.stringify(list[count + index]) === JSON.stringify(message)),
        `without the first ${count}`,
      ),
    );
    assert.ok(missing.length > 0);
  }
});

test('of many like messages one is taken away: what stood between them comes back in its place, or is named', () => {
  const chat = [
    user('Start.'),
    assistant('ok'),
    user('Go on.'),
    assistant('ok'),
    user('Go on.'),
    call('v', 'Write', { file_path: '/a.ts', content: page('a') }),
    result('v', 'ok'),
    assistant('ok'),
    user('Go on.'),
    call('w', 'Write', { file_path: '/a.ts', content: page('b') }),
    result('w', 'ok'),
  ];
  const pruned = prune(chat, { mode: 'remove', keep: { recent: 0 } });
  assert.ok(pruned.messages.length < chat.length);
  pruned.messages.forEach((message, index) => {
    const back = restore(pruned.messages.toSpliced(index, 1), pruned.originals);
    const exact = JSON.stringify(back.messages) === JSON.stringify(chat.toSpliced(chat.indexOf(message), 1));
    assert.ok(exact || back.missing.length > 0, `without message ${index}`);
  });
});

test("a stub that the user quotes is the user's, in front of its message as well as behind it", () => {
  const chat = [
    user('Go.'),
    call('b', 'Read', { file_path: '/a.ts' }),
    result('b', page('a')),
    call('w', 'Write', { file_path: '/a.ts', content: page('b') }),
    result('w', 'ok'),
    assistant('Done.'),
  ];
  const pruned = prune(chat, { keep: { recent: 0 } });
  const quote = user(pruned.messages[2].content);
  assert.deepEqual(restore([quote, ...pruned.messages], pruned.originals), { messages: [quote, ...chat], missing: [], restored: 1 });
  assert.deepEqual(restore([...pruned.messages, quote], pruned.originals).messages, [...chat, quote]);
  const alone = restore([quote], pruned.originals);
  assert.deepEqual([alone.messages, alone.restored], [[quote], 0]);
});

test("of two copies of a message with a stub it can't be told which is meant", () => {
  const { messages, originals } = cuts.prune;
  const at = messages.findIndex(({ content }) => content?.startsWith('[palimpsest:'));
  const doubled = messages.toSpliced(at, 0, messages[at]);
  const back = restore(doubled, originals);
  assert.equal(back.messages[at], messages[at]);
  assert.ok(back.missing.length > 0);
});

// ---- Restoring once is enough --------------------------------------------------------------------------------------

test('restoring again changes nothing, also with messages behind', () => {
  const repeated = [
    user('x'),
    assistant('ok'),
    user('Go on.'),
    assistant('ok'),
    user('Go on.'),
    call('a', 'Read', { file_path: '/a.ts' }),
    result('a', page('a')),
    assistant('ok'),
    user('Go on.'),
    assistant('ok'),
    user('Go on.'),
    call('w', 'Write', { file_path: '/a.ts', content: page('b') }),
    result('w', 'ok'),
    assistant('ok'),
    user('Go on.'),
  ];
  const endless = [...repeated.slice(0, -2), call('z', 'Read', { file_path: '/a.ts' }), result('z', page('b'))];
  for (const given of [repeated, endless, session]) {
    for (const { messages, originals } of [
      prune(given, { mode: 'remove', keep: { recent: 0 } }),
      fit(given, { limit: Math.floor(countTokens(given) / 3) }),
    ]) {
      const once = restore(messages, originals);
      assert.deepEqual(once.messages, given);
      assert.deepEqual(restore(once.messages, originals), { messages: given, missing: [], restored: 0 });
      const more = [...given, assistant('ok'), user('Go on.')];
      assert.deepEqual(restore(more, originals).messages, more);
    }
  }
});

test('a message that was put back is not put back again where the one in front of it is taken away', () => {
  const twoReads = {
    ...call('a', 'Read', { file_path: '/a.ts' }),
    tool_calls: ['a', 'b'].flatMap((id) => call(id, 'Read', { file_path: `/${id}.ts` }).tool_calls),
  };
  const chat = [
    user('Go.'),
    twoReads,
    result('a', page('a')),
    result('b', page('c')),
    call('w', 'Write', { file_path: '/a.ts', content: page('b') }),
    result('w', 'ok'),
  ];
  const { messages, originals } = prune(chat, { mode: 'remove', keep: { recent: 0 } });
  assert.equal(messages.length, chat.length - 1);
  for (let at = 0; at < chat.length; at++) {
    const without = chat.toSpliced(at, 1);
    const back = restore(without, originals);
    assert.deepEqual([back.messages, back.missing], [without, Object.keys(originals)], `without message ${at}`);
  }
});

// ---- Stores ---------------------------------------------------------------------------------------------------------

/** Sorts keys as `jsonb` does: the shorter first. */
const sorted = (value) => {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const keys = Object.keys(value).sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
};

test('a store that sorts keys loses nothing, not even their order', () => {
  const messages = [user('Go.')];
  for (let index = 0; index < 8; index++) {
    messages.push({
      role: 'assistant',
      content: [
        { type: 'text', text: `Let me look at number ${index} of them, for it may be the one that we look for. Or not.` },
        {
          type: 'tool_use',
          id: `t${index}`,
          name: 'Bash',
          input: { command: `cat ${index}`, cwd: '/', at: { z: 1, a: [{ y: 2, b: 3 }] } },
        },
      ],
    });
    messages.push({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `t${index}`, content: [{ type: 'text', text: `${index} ${log}` }] }],
    });
  }
  messages.push(assistant('Done.'), user('Thanks.'));
  for (const share of [0.05, 0.1, 0.2, 0.3, 0.5, 0.8]) {
    const fitted = fit(messages, { limit: Math.floor(countTokens(messages) * share) });
    const back = restore(fitted.messages, sorted(viaJson(fitted.originals)));
    assert.deepEqual(back.missing, []);
    assert.equal(JSON.stringify(back.messages), JSON.stringify(messages), `at ${share}`);
  }
});

for (const [store, kept] of [
  ['keeps', (originals) => originals],
  ['sorts', sorted],
]) {
  test(`of two branches each is put back with the originals of both, in a store that ${store} keys`, () => {
    const topics = ['music', 'sport', 'art', 'war', 'tea', 'cats'];
    for (const [index, topic] of topics.entries()) {
      const before = [user('Go.'), user(talk(topic)), assistant('ok'), call('a', 'Read', { file_path: '/a.ts' }), result('a', page('a'))];
      const whole = [...before, assistant(talk(topics[(index + 1) % 6])), user(`And ${talk(topics[(index + 2) % 6])}`)];
      const cut = (messages, recencyWindow) => compress(messages, { format: 'openai-chat', recencyWindow, relevanceThreshold: 0 });
      const fitted = fit(before, { limit: countTokens(before) - 1, query: false });
      const start = [...fitted.messages, ...whole.slice(before.length)];
      const more = [assistant('ok'), user('Go on.')];
      const first = cut([...start, ...more], 4);
      const there = cut(first.messages, 1);
      const here = cut(start, 0);
      const again = fit([...start, ...more], { limit: 100, query: false, originals: fitted.originals });
      const originals = kept({ ...fitted.originals, ...first.verbatim, ...there.verbatim, ...here.verbatim, ...again.originals });
      for (const [messages, said] of [
        [start, whole],
        [here.messages, whole],
        [there.messages, [...whole, ...more]],
        [again.messages, [...whole, ...more]],
      ]) {
        const back = restore(messages, originals);
        assert.deepEqual(back.messages, said, topic);
      }
      // All of this branch is restored, so none of it is named.
      const { missing } = restore(here.messages, originals);
      assert.deepEqual(
        missing.filter((key) => Object.hasOwn(fitted.originals, key) || Object.hasOwn(here.verbatim, key)),
        [],
        topic,
      );
    }
  });
}

for (const [store, kept] of [
  ['keeps', (originals) => originals],
  ['sorts', sorted],
]) {
  test(`a stub that is written again is the last round, with a key of its own where the message is another, in a store that ${store} keys`, () => {
    const trace = `Error: it fails\n${Array.from({ length: 40 }, (_, line) => `    at step${line} (/work/app/src/a.ts:${line}:16)`).join('\n')}`;
    const chat = [
      user('Go.'),
      assistant([{ type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'npm test' } }]),
      user([
        { type: 'tool_result', tool_use_id: 'a', content: trace, is_error: true },
        { type: 'text', text: talk('music') },
      ]),
      assistant('So it is.'),
    ];
    const pruned = (messages) => prune(messages, { format: 'anthropic', keep: { recent: 0 } });
    const first = pruned(chat);
    // All is back, and the originals stay. What compress leaves of the message has the same result in it.
    const { messages, verbatim } = compress(restore(first.messages, first.originals).messages, {
      format: 'anthropic',
      recencyWindow: 0,
      relevanceThreshold: 0,
    });
    const again = pruned(messages);
    assert.notDeepEqual(Object.keys(again.originals), Object.keys(first.originals));
    const originals = kept({ ...first.originals, ...verbatim, ...again.originals });
    assert.deepEqual(restore(again.messages, originals), { messages: chat, missing: [], restored: 2 });
    assert.deepEqual(restore([...again.messages, user('And now?')], originals).messages, [...chat, user('And now?')]);
  });
}

test('with some originals of a round lost, the others come back or are named', () => {
  const { messages, originals } = cuts.fit;
  for (const key of Object.keys(originals)) {
    const { [key]: lost, ...rest } = originals;
    const back = restore(messages, rest);
    back.messages.forEach((message) =>
      assert.ok([...session, ...messages].some((known) => JSON.stringify(known) === JSON.stringify(message))),
    );
    const places = back.missing.filter((name) => !Object.hasOwn(rest, name));
    assert.equal(back.restored + back.missing.length - places.length, Object.keys(rest).length);
    const cut = back.messages.flatMap((message, index) => (JSON.stringify(message).includes('[…') ? [`messages[${index}]`] : []));
    assert.deepEqual(places, cut, 'messages whose original is lost');
    assert.equal(lost.now.length === 0 || places.length > 0, true);
  }
});

test('a branch is told from one that was made less small', () => {
  const use = (id, name, input) => ({ type: 'tool_use', id, name, input });
  const answered = (id, content) => user([{ type: 'tool_result', tool_use_id: id, content }]);
  const thought = { type: 'thinking', thinking: talk('art'), signature: 'c2lnbmVk' };
  const said = [
    user('Which?'),
    assistant([use('a', 'Read', { file_path: '/a.ts' })]),
    answered('a', page('a')),
    assistant([thought, use('b', 'Bash', { command: 'npm test' })]),
  ];
  const whole = [...said, answered('b', 'ok')];
  const options = { format: 'anthropic', query: false, thinking: 'strip', keep: { user: true } };
  const small = fit(said, { ...options, limit: 40 });
  const start = [...small.messages, ...whole.slice(said.length)];
  for (const share of [0.4, 0.6, 0.8]) {
    const larger = fit(start, { ...options, limit: Math.floor(countTokens(whole) * share), originals: small.originals });
    assert.deepEqual(restore(start, { ...small.originals, ...larger.originals }).messages, whole, `at ${share}`);
  }
});

test('messages appended to an edited history do not change what comes back', () => {
  const more = [assistant('Is that so?'), user('Tell me more.')];
  for (const { messages, originals } of [
    cuts.fit,
    cuts.compress,
    fit(session, { limit: 60 }),
    fit(session.slice(0, 1), { limit: 1, query: false }),
  ]) {
    for (let at = 0; at <= messages.length; at++) {
      for (const history of [messages.toSpliced(at, 0, user('By the way.')), messages.toSpliced(at, 1)]) {
        const [before, behind] = [history, [...history, ...more]].map((list) => restore(list, originals));
        assert.deepEqual(behind, { ...before, messages: [...before.messages, ...more] }, `${at} of ${messages.length}`);
      }
    }
  }
});

test('a branch that is taken up again is not filled from the other one', () => {
  const reads = (id) => [call(id, 'Read', { file_path: `/${id}.ts` }), result(id, page(id)), assistant(`That was ${id}.`)];
  const first = [user(`${talk('music')}`), ...reads('a'), user('Go on.')];
  const one = fit(first, { limit: 1, query: false });
  const second = [...first, ...reads('b'), user(talk('sport'))];
  const other = fit(second, { limit: 100, query: false });
  const originals = { ...one.originals, ...other.originals };
  // Back to the first branch, with the originals of both.
  const back = restore(one.messages, originals);
  back.messages.forEach((message) =>
    assert.ok(
      [...first, ...one.messages].some((known) => JSON.stringify(known) === JSON.stringify(message)),
      JSON.stringify(message),
    ),
  );
  // A third branch has only a message that reads alike.
  const cut = other.messages.find(({ content }) => content.startsWith('[…]'));
  assert.ok(cut);
  assert.equal(restore([user('By the way.'), cut, user('And now?')], other.originals).messages[1], cut);
});

test('an instance that is the same as JSON, but holds something else where nobody sees it', () => {
  const lines = Array.from({ length: 30 }, (_, line) => `  const value${line} = compute(${line * 7}, "the shard of batch ${line}");`).join(
    '\n',
  );
  const args = { path: 'src/pool.ts', old_string: lines, new_string: lines.toUpperCase() };
  const messages = [
    new HumanMessage('Why does it fail?'),
    new AIMessage({ content: 'I change it.', tool_calls: [{ id: 'call_1', name: 'file_edit', args, type: 'tool_call' }] }),
    new ToolMessage({ content: 'ok', tool_call_id: 'call_1', name: 'file_edit' }),
  ];
  const options = { limit: 1, format: 'langchain' };
  const first = fit(messages, options);
  // A copy as a store would return it, made of its visible content.
  const taken = first.messages.map((message) => new message.constructor(JSON.parse(JSON.stringify(message)).kwargs));
  assert.deepEqual(JSON.parse(JSON.stringify(taken)), JSON.parse(JSON.stringify(first.messages)));
  const second = fit(first.messages, { ...options, originals: first.originals });
  for (const originals of [first.originals, second.originals, { ...first.originals, ...second.originals }]) {
    const { messages: back, missing } = restore(taken, originals);
    assert.deepEqual(missing, []);
    assert.deepEqual(JSON.parse(JSON.stringify(back)), JSON.parse(JSON.stringify(messages)));
  }
});
