// Messages of types of their own, as agents and databases have them: each shape is written from OpenAI's messages, and what is left of it is
// read back into them, by functions that know nothing of the format that is defined here.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compress, countTokens, createSession, defineFormat, fit, recall, restore, validate } from '../../unbundled/index.js';
import { objectionTo } from '../support/providers/formats.mjs';
import { dialogue } from '../support/transcripts.mjs';
import { describeProvider } from './describe-provider.mjs';
import { openaiChat } from './openai-chat.mjs';

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

/** A description of a shape, which says what chat completions say of calls of functions, with arguments that are JSON. */
function describedBy(name, { format, write, read }) {
  const { chatRoles, chatOfAssistant } = openaiChat.kinds;
  const { user, assistant, tool } = chatRoles;
  const { tool_calls: calls } = chatOfAssistant;
  return {
    name,
    format,
    say: ({ system, turns }) => openaiChat.say({ system, turns: turns.map((turn) => ({ ...turn, more: [], odd: false })) }).map(write),
    judge: (messages) => openaiChat.judge(messages.map(read)),
    answer(messages) {
      const said = messages.map(read);
      const open = said.flatMap((one) => one.tool_calls ?? []).filter(({ id }) => !said.some((one) => one.tool_call_id === id));
      return [...messages, ...open.map(({ id }) => write({ role: 'tool', tool_call_id: id, content: 'x' }))];
    },
    system: (text) => write(openaiChat.system(text)),
    user: (k) => write(openaiChat.user(k)),
    plain: (k) => openaiChat.plain(k).map(write),
    wordsOf: (message) => openaiChat.wordsOf(read(message)),
    open(k) {
      const { messages, close } = openaiChat.open(k);
      return { messages: messages.map(write), close: (list) => close(list.map(read)).map(write) };
    },
    kinds: {
      own: Object.fromEntries(Object.entries({ user, assistant, tool, calls }).map(([kind, make]) => [kind, (k) => make(k).map(write)])),
    },
  };
}

for (const [name, shape] of Object.entries({ blocks, rows })) {
  const provider = describedBy(name, shape);
  describeProvider(provider);

  test(`${name}: a session sends what is valid, and goes on from where it was saved`, async () => {
    await fc.assert(
      fc.asyncProperty(dialogue, async (spoken) => {
        const messages = provider.say(spoken);
        const { format } = shape;
        const options = { format, limit: Math.max(60, Math.ceil(countTokens(messages, { format }) / 2)) };
        let session = createSession(options);
        for (let length = 1; length <= messages.length; length += 2) {
          const step = session.next(messages.slice(0, length));
          assert.equal(step.report.format, name);
          assert.equal(await objectionTo(provider, provider.answer(step.messages)), null);
          session = createSession(options, JSON.parse(JSON.stringify(session)));
          assert.deepEqual(session.next(messages.slice(0, length)).messages, step.messages);
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
