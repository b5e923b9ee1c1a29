// Messages of types of their own, as agents and databases have them: each shape is written from OpenAI's messages, and what is left of it is
// read back into them, by functions that know nothing of the format that is defined here.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compress, countTokens, createSession, defineFormat, fit, prune, recall, restore, validate } from '../../unbundled/index.js';
import { transcript } from '../support/transcripts.mjs';

const textOf = (content) => (typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('\n'));
const callOf = ({ id, function: called, custom }) => ({ id, name: (called ?? custom).name, json: called?.arguments ?? '{}' });

/** Like the messages of the agent pi: blocks, calls among them, and results in messages of a role. */
const blocks = {
  format: defineFormat({
    name: 'blocks',
    parts: ({ entry: { role, toolCallId, isError, content } }) =>
      content.map(({ type, id, name }, index) => {
        const at = ['entry', 'content', index];
        if (type === 'toolCall') return { kind: 'call', path: [...at, 'arguments'], id, name };
        if (role === 'toolResult') return { kind: 'result', path: [...at, 'text'], id: toolCallId, isError };
        return { kind: 'text', path: [...at, 'text'], role };
      }),
  }),
  write: ({ role, content, tool_calls: calls = [], tool_call_id: toolCallId }) => {
    const texts = content === null || content === undefined ? [] : [{ type: 'text', text: textOf(content) }];
    const made = calls.map(callOf).map(({ id, name, json }) => ({ type: 'toolCall', id, name, arguments: JSON.parse(json) }));
    const own = role === 'tool' ? { role: 'toolResult', toolCallId, isError: false } : { role };
    return { entry: { ...own, content: [...texts, ...made] } };
  },
  read: ({ entry: { role, toolCallId, content } }) => {
    const texts = content.filter(({ type }) => type === 'text').map(({ text }) => text);
    if (role === 'toolResult') return { role: 'tool', tool_call_id: toolCallId, content: texts.join('\n') };
    const calls = content
      .filter(({ type }) => type === 'toolCall')
      .map(({ id, name, arguments: input }) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }));
    return { role, content: texts.length > 0 ? texts.join('\n') : null, ...(calls.length > 0 && { tool_calls: calls }) };
  },
};

const SENDERS = { system: 'setup', user: 'human', assistant: 'bot', tool: 'machine' };
const ROLES = { setup: 'system', human: 'user', bot: 'assistant', machine: 'tool' };
/** Rows of a database: a text, and the calls of a message as a list of JSON. */
const rows = {
  format: defineFormat({
    name: 'rows',
    provider: 'openai',
    parts: ({ sender, body, calls, answers }) => {
      const text =
        sender === 'machine' ? { kind: 'result', path: ['body'], id: answers } : { kind: 'text', path: ['body'], role: ROLES[sender] };
      return [
        ...(body === '' && calls.length > 0 ? [] : [text]),
        ...calls.map(({ id, tool }, index) => ({ kind: 'call', path: ['calls', index, 'json'], id, name: tool })),
      ];
    },
  }),
  write: ({ role, content, tool_calls: calls = [], tool_call_id: answers }) => ({
    sender: SENDERS[role],
    body: textOf(content),
    calls: calls.map(callOf).map(({ id, name, json }) => ({ id, tool: name, json })),
    ...(answers !== undefined && { answers }),
  }),
  read: ({ sender, body, calls, answers }) => ({
    role: ROLES[sender],
    content: body === '' && calls.length > 0 ? null : body,
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, tool, json }) => ({ id, type: 'function', function: { name: tool, arguments: json } })),
    }),
    ...(answers !== undefined && { tool_call_id: answers }),
  }),
};

/** Conversations that each of the shapes can say: calls of functions, with arguments that are JSON. */
const isPlain = (message) =>
  ['system', 'user', 'assistant', 'tool'].includes(message.role) &&
  (message.tool_calls ?? []).every(({ type, id }) => type === 'function' && typeof id === 'string') &&
  message.function_call === undefined &&
  [message.content ?? []].flat().every((part) => typeof part === 'string' || part.type === 'text');
const conversation = transcript('openai-chat').filter(
  (messages) => messages.every(isPlain) && validate(messages, { format: 'openai-chat' }).length === 0,
);

for (const [name, { format, write, read }] of Object.entries({ blocks, rows })) {
  test(`${name}: what is left is valid, within the limit, and restored`, () => {
    let fitted = 0;
    fc.assert(
      fc.property(conversation, fc.double({ min: 0.2, max: 0.9, noNaN: true }), (spoken, share) => {
        const messages = spoken.map(write);
        const before = structuredClone(messages);
        const limit = Math.ceil(share * countTokens(messages, { format }));
        const result = fit(messages, { format, limit });
        assert.equal(result.format, name);
        if (result.fits) assert.ok(countTokens(result.messages, { format }) <= limit);
        fitted += result.messages.length < messages.length;
        assert.deepEqual(validate(result.messages.map(read), { format: 'openai-chat' }), []);
        assert.deepEqual(restore(result.messages, result.originals).messages, before);
        const pruned = prune(messages, { format });
        assert.deepEqual(restore(pruned.messages, pruned.originals).messages, before);
        assert.deepEqual(messages, before);
      }),
    );
    assert.ok(fitted > 5, `${fitted} conversations were cut`);
  });

  test(`${name}: a session sends what is valid, and goes on from where it was saved`, () => {
    fc.assert(
      fc.property(conversation, (spoken) => {
        const messages = spoken.map(write);
        const options = { format, limit: Math.max(60, Math.ceil(countTokens(messages, { format }) / 2)) };
        let session = createSession(options);
        for (let length = 1; length <= messages.length; length += 2) {
          const step = session.next(messages.slice(0, length));
          const given = validate(spoken.slice(0, length), { format: 'openai-chat' }).map(({ rule }) => rule);
          const sent = validate(step.messages.map(read), { format: 'openai-chat' }).map(({ rule }) => rule);
          assert.deepEqual(sent, given);
          session = createSession(options, JSON.parse(JSON.stringify(session)));
          const again = session.next(messages.slice(0, length));
          assert.deepEqual(again.messages, step.messages);
        }
      }),
    );
  });
}

const LONG = Array.from({ length: 60 }, (_, line) => `line ${line}: the worker took ${(line * 7919) % 1009} ms for its job`).join('\n');

test('messages that hold a call with its result lose both, or neither', () => {
  const format = defineFormat({
    name: 'states',
    parts: ({ info, parts }) =>
      parts.flatMap(({ type, callID, tool }, index) =>
        type === 'text'
          ? [{ kind: 'text', path: ['parts', index, 'text'], role: info.role }]
          : [
              { kind: 'call', path: ['parts', index, 'state', 'input'], id: callID, name: tool },
              { kind: 'result', path: ['parts', index, 'state', 'output'], id: callID },
            ],
      ),
  });
  const ask = (text) => ({ info: { role: 'user' }, parts: [{ type: 'text', text }] });
  const answer = (number) => ({
    info: { role: 'assistant' },
    parts: [
      { type: 'text', text: `I look at worker ${number}.` },
      { type: 'tool', callID: `c${number}`, tool: 'look', state: { input: { number }, output: `${number}\n${LONG}` } },
    ],
  });
  const messages = [ask('Which worker is slow?'), ...Array.from({ length: 12 }, (_, number) => answer(number)), ask('And now?')];
  const { messages: left, originals, fits } = fit(messages, { format, limit: 1500 });
  assert.ok(fits);
  for (const { parts } of left) {
    for (const { type, state } of parts)
      assert.ok(type === 'text' || (typeof state.output === 'string' && typeof state.input === 'object'));
  }
  assert.deepEqual(restore(left, originals).messages, messages);
});

test('a definition and what it lists are checked, and errors say where', () => {
  const define = (definition) => () => defineFormat(definition);
  const parts = () => [];
  assert.throws(define(), { name: 'TypeError', message: /^defineFormat\(\): definition must be an object, got undefined/ });
  assert.throws(define({ parts }), { message: /^defineFormat\(\): definition\.name must be a name/ });
  assert.throws(define({ name: 'openai-chat', parts }), { message: /definition\.name must be a name of your own, got 'openai-chat'/ });
  assert.throws(define({ name: 'a' }), { message: /definition\.parts must be a function/ });
  assert.throws(define({ name: 'a', parts, provider: 'mistral' }), {
    message: /definition\.provider must be one of 'openai', 'anthropic', 'gemini'/,
  });
  const listing = (listed) => () => fit([{ body: 'a' }], { format: defineFormat({ name: 'own', parts: () => listed }), limit: 10 });
  const at = String.raw`messages\[0\]: parts\(\) of the format 'own'`;
  const throwsAt = (listed, text) => assert.throws(listing(listed), { name: 'TypeError', message: new RegExp(`^fit\\(\\): ${at}${text}`) });
  throwsAt('a', ' must return an array, got string');
  throwsAt([null], String.raw`, \[0\] must be an object, got null`);
  throwsAt(
    [{ kind: 'words', path: ['body'], role: 'user' }],
    String.raw`, \[0\]\.kind must be one of text, call, result, reasoning, media, other`,
  );
  throwsAt([{ kind: 'text', path: 'body', role: 'user' }], String.raw`, \[0\]\.path must be an array of keys and indices`);
  throwsAt(
    [{ kind: 'text', path: ['text'], role: 'user' }],
    String.raw`, \[0\]\.path must lead to a value: there is none at messages\[0\]\.text`,
  );
  throwsAt([{ kind: 'text', path: ['body'], role: 'human' }], String.raw`, \[0\]\.role must be 'system', 'user' or 'assistant'`);
  throwsAt([{ kind: 'call', path: ['body'], name: 'a' }], String.raw`, \[0\]\.id must be a string, got undefined`);
  throwsAt([{ kind: 'call', path: ['body'], id: 'a' }], String.raw`, \[0\]\.name must be a string, got undefined`);
});

test('where only a provider’s format can be, one of one’s own is refused', () => {
  const messages = [rows.write({ role: 'user', content: 'a' })];
  const { format } = rows;
  assert.throws(() => validate(messages, { format }), {
    name: 'TypeError',
    message: /^validate\(\): options\.format must be a provider's/,
  });
  assert.throws(() => compress(messages, { format }), { name: 'TypeError', message: /options\.format must be one of/ });
  assert.throws(() => fit(messages, { format: { ...format }, limit: 10 }), {
    message: /options\.format must be one of .*, or what defineFormat\(\) returned/,
  });
});

test('two formats of the same name do not meet', () => {
  const named = (key) => defineFormat({ name: 'same', parts: () => [{ kind: 'text', path: [key], role: 'user' }] });
  const options = { model: 'gpt-5.5' };
  assert.ok(countTokens([{ a: LONG, b: 'short' }], { format: named('a'), ...options }) > 500);
  assert.ok(countTokens([{ a: LONG, b: 'short' }], { format: named('b'), ...options }) < 20);
});

test('what went is found again', () => {
  const messages = [
    rows.write({ role: 'user', content: 'Keep in mind that the port of the billing service is 4711.' }),
    ...Array.from({ length: 10 }, (_, index) => rows.write({ role: index % 2 ? 'user' : 'assistant', content: `${index}\n${LONG}` })),
    rows.write({ role: 'user', content: 'Go on.' }),
  ];
  const { messages: left } = fit(messages, { format: rows.format, limit: 300 });
  assert.match(recall(messages, left.slice(-1), 'port of the billing service', { format: rows.format }).text, /4711/);
});
