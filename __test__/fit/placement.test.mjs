// What may stand beside what: histories that are placed as their server wants it stay so, however much of them goes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import fc from 'fast-check';
import OpenAI from 'openai';
import { withPalimpsest } from 'palimpsest/openai';
import { createSession, fit, fitRequest, prune, restore, validate } from '../../unbundled/index.js';
import { geminiRefusal } from '../support/providers/gemini.mjs';
import { withProviders } from '../support/providers/server.mjs';
import { cases, someOf } from '../support/seed.mjs';

/** Words that nothing else says. */
const words = (seed, count) => Array.from({ length: count }, (_, at) => `w${seed}x${(seed * 7919 + at * 104729) % 9973}`).join(' ');

/** A history: what the user says, with or without instructions behind it, the steps of the answer, and what the model says in the end. */
const exchange = fc.record({
  says: fc.integer({ min: 1, max: 60 }),
  steps: fc.array(fc.record({ size: fc.integer({ min: 1, max: 120 }), isTold: fc.boolean(), isSilent: fc.boolean() }), { maxLength: 4 }),
  isTold: fc.boolean(),
  ends: fc.integer({ min: 1, max: 80 }),
});
const history = fc.record({
  exchanges: fc.array(exchange, { minLength: 2, maxLength: 10 }),
  share: fc.double({ min: 0.02, max: 0.95, noNaN: true }),
  isOpen: fc.boolean(),
  keepsUser: fc.boolean(),
});

/** The same histories in each format that a rule is for: the user, the system, a call with its result, and the end of an answer. */
const writers = {
  anthropic: {
    lead: [],
    user: (text) => ({ role: 'user', content: text }),
    told: (text) => ({ role: 'system', content: text }),
    step: (id, text, said) => [
      {
        role: 'assistant',
        content: [...(said ? [{ type: 'text', text: said }] : []), { type: 'tool_use', id, name: 'read', input: { path: `${id}.ts` } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] },
    ],
    end: (text) => ({ role: 'assistant', content: text }),
  },
  'openai-chat': {
    lead: [{ role: 'system', content: 'You are an agent.' }],
    user: (text, at) => ({
      role: 'user',
      content: at % 3 === 1 ? [{ type: 'text', text }] : text,
      ...(at % 4 === 3 && { name: `user${at}` }),
    }),
    step: (id, text, said) => [
      {
        role: 'assistant',
        content: said ?? null,
        tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: `{"path":"${id}.ts"}` } }],
      },
      { role: 'tool', tool_call_id: id, content: text },
    ],
    end: (text, at) => ({ role: 'assistant', content: text, ...(at % 4 === 2 && { reasoning_content: 'Hm.' }) }),
  },
  'ai-sdk-model': {
    lead: [{ role: 'system', content: 'You are an agent.' }],
    user: (text, at) => ({ role: 'user', content: at % 2 ? [{ type: 'text', text }] : text }),
    step: (toolCallId, text, said) => [
      {
        role: 'assistant',
        content: [
          ...(said ? [{ type: 'text', text: said }] : []),
          { type: 'tool-call', toolCallId, toolName: 'read', input: { path: `${toolCallId}.ts` } },
        ],
      },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: 'read', output: { type: 'text', value: text } }] },
    ],
    end: (text) => ({ role: 'assistant', content: [{ type: 'text', text }] }),
  },
  langchain: {
    lead: [new SystemMessage('You are an agent.')],
    user: (text) => new HumanMessage(text),
    step: (id, text, said) => [
      new AIMessage({ content: said ?? '', tool_calls: [{ type: 'tool_call', id, name: 'read', args: { path: `${id}.ts` } }] }),
      new ToolMessage({ tool_call_id: id, content: text }),
    ],
    end: (text) => new AIMessage(text),
  },
  gemini: {
    lead: [],
    user: (text) => ({ role: 'user', parts: [{ text }] }),
    step: (id, output, said) => [
      { role: 'model', parts: [...(said ? [{ text: said }] : []), { functionCall: { id, name: 'read', args: { path: `${id}.ts` } } }] },
      { role: 'user', parts: [{ functionResponse: { id, name: 'read', response: { output } } }] },
    ],
    end: (text) => ({ role: 'model', parts: [{ text }] }),
  },
};

writers.message = writers['openai-chat'];
const withIds = (messages) => messages.map((message, index) => ({ id: `m${index}`, index, ...message }));

function written({ exchanges, isOpen }, { lead, user, told, step, end }) {
  let seed = 0;
  const messages = [...lead];
  const tell = (isTold) => isTold && told && messages.push(told(`From now on, rule ${++seed} holds: ${words(seed, 8)}.`));
  exchanges.forEach(({ says, steps, isTold, ends }, at) => {
    messages.push(user(words(++seed, says), at));
    const isLast = at === exchanges.length - 1;
    tell(isTold);
    if (isLast && isOpen) return;
    for (const { size, isTold: isToldHere, isSilent } of steps) {
      messages.push(...step(`call_${++seed}`, words(seed, size), isSilent ? undefined : words(seed, 5)));
      tell(isToldHere);
    }
    // An agent's request ends with what the user said, or with a result.
    if (isLast && steps.length > 0) return;
    messages.push(end(words(++seed, ends), at));
    if (isLast) messages.push(user(words(++seed, 5), 0));
  });
  return messages;
}

const roleOf = (message) =>
  message.getType
    ? ({ human: 'user', ai: 'assistant' }[message.getType()] ?? message.getType())
    : message.role === 'model'
      ? 'assistant'
      : message.role;

/** What is wrong with the places of messages, by the rule as the documents have it. */
const judges = {
  /** "A system message must follow a user message, and precede an assistant message or end the request." */
  anthropic: (messages) => {
    const roles = messages.map(roleOf);
    return roles.every((role, at) => role !== 'system' || (roles[at - 1] === 'user' && [undefined, 'assistant'].includes(roles[at + 1])));
  },
  /** As Mistral's chat template checks it: without instructions, calls and results, the roles are user, assistant, user … */
  alternate: (messages) => {
    const roles = messages.map(roleOf);
    const isCalling = (message) =>
      message.tool_calls?.length > 0 || (Array.isArray(message.content) && message.content.some(({ type }) => type === 'tool-call'));
    const turns = messages
      .filter((message) => roleOf(message) === 'user' || (roleOf(message) === 'assistant' && !isCalling(message)))
      .map(roleOf);
    return (
      turns.every((role, at) => role === (at % 2 === 0 ? 'user' : 'assistant')) &&
      roles.every((role, at) => role !== 'assistant' || ['user', 'tool'].includes(roles[at - 1])) &&
      roles.every((role, at) => role !== 'user' || roles[at - 1] !== 'tool')
    );
  },
  /** No content has responses and words. Roles alternate, but for the user's words behind responses. */
  gemini: (messages) =>
    messages.every(
      ({ role }, at) =>
        role !== (messages[at - 1]?.role ?? 'model') ||
        ('functionResponse' in messages[at - 1].parts[0] && 'text' in messages[at].parts[0]),
    ) && messages.every(({ parts }) => new Set(parts.map((part) => 'functionResponse' in part)).size === 1),
};

const shown = (messages) => messages.map((message) => roleOf(message)[0]).join('');

const RULES = [
  ['anthropic', 'anthropic', {}],
  ['gemini', 'gemini', {}],
  ['openai-chat', 'alternate', { roles: 'alternate' }],
  ['message', 'alternate', { roles: 'alternate' }],
  ['ai-sdk-model', 'alternate', { roles: 'alternate' }],
  ['langchain', 'alternate', { roles: 'alternate' }],
];

let marks = 0;
for (const [format, rule, options] of someOf(RULES)) {
  const isRight = judges[rule];
  const messagesOf = (given) => (format === 'message' ? withIds : (list) => list)(written(given, writers[format]));

  test(`${format}: whatever the limit, messages stay placed as they were, and come back`, async () => {
    await withProviders((providers) =>
      fc.assert(
        fc.asyncProperty(history, async ({ share, keepsUser, ...given }) => {
          const messages = messagesOf(given);
          assert.ok(isRight(messages), `as given: ${shown(messages)}`);
          const { tokens } = fit(messages, { format, limit: 1e9 });
          const limit = Math.ceil(tokens.before * share);
          const result = fit(messages, { format, limit, keep: { user: keepsUser }, trace: true, ...options });
          assert.ok(isRight(result.messages), `${shown(messages)} within ${limit}: ${shown(result.messages)}`);
          marks += result.messages.filter(({ content, parts }) => (content ?? parts?.[0].text) === '[…]').length;
          const { missing, messages: back } = restore(result.messages, result.originals);
          assert.deepEqual([missing, back], [[], messages]);
          assert.deepEqual(fit(result.messages, { format, limit: 1e9, ...options }).tokens.before, result.tokens.after);
          const { trace, messages: counts } = result.report;
          for (const { action, why, tokens: own } of trace) {
            assert.equal(action === 'remove', why === 'limit');
            assert.ok(action !== 'remove' || own.after === 0);
          }
          assert.equal(trace.filter(({ action }) => action === 'remove').length, counts.removed);
          const left = trace.reduce((sum, { tokens: own }) => sum + own.after, fit([], { format, limit: 1e9 }).tokens.before);
          assert.ok(Math.abs(left - result.tokens.after) < 1e-6, `${left}, not ${result.tokens.after}`);
          const refusal = format === 'gemini' ? geminiRefusal(result.messages) : ((await providers[format]?.(result.messages)) ?? null);
          assert.equal(refusal, null);
          assert.deepEqual(validate(result.messages, { format }), []);
        }),
        { numRuns: cases(120), includeErrorInReport: true },
      ),
    );
  });

  test(`${format}: all requests of a session are placed right, also those of one that was saved`, () => {
    fc.assert(
      fc.property(history, ({ share, keepsUser, ...given }) => {
        const messages = messagesOf(given);
        const { tokens } = fit(messages, { format, limit: 1e9 });
        const settings = { format, limit: Math.ceil(tokens.before * share) + 1, keep: { user: keepsUser }, warn: false, ...options };
        let session = createSession(settings);
        for (let end = 1; end <= messages.length; end++) {
          const part = messages.slice(0, end);
          // Requests are sent where it is the model's turn.
          if (!['user', 'tool'].includes(roleOf(part.at(-1))) && roleOf(part.at(-1)) !== 'system') continue;
          if (roleOf(part.at(-1)) === 'system' && end <= writers[format].lead.length) continue;
          const step = session.next(part);
          assert.ok(isRight(step.messages), `${shown(part)}: ${shown(step.messages)}`);
          // The user may go back, say something else, and come back.
          const asked = part.findLastIndex((message, at) => roleOf(message) === 'user' && at > 0 && roleOf(part[at - 1]) === 'assistant');
          if (end % 4 === 0 && asked > 0 && format !== 'message') {
            const other = [...part.slice(0, asked), writers[format].user('Something else.', 0)];
            assert.ok(isRight(session.next(other).messages), `${shown(other)}, after ${shown(part)}`);
          }
          if (end % 3 === 0) session = createSession(settings, JSON.parse(JSON.stringify(session)));
        }
      }),
      { numRuns: cases(60), includeErrorInReport: true },
    );
  });

  test(`${format}: what was not placed right as it came is not changed for that`, () => {
    const { user, end } = writers[format];
    const messages = [user('a', 0), user('b', 0), end('c', 0), end('d', 0), user('e', 0)];
    const { messages: same } = fit(messages, { format, limit: 1e6, ...options });
    assert.deepEqual(same, messages);
  });
}

for (const mode of ['stub', 'remove']) {
  test(`anthropic: prune that leaves out what is superseded (${mode}) leaves system messages in their places`, () => {
    fc.assert(
      fc.property(history, (given) => {
        // Files are read again, so that earlier reads are stale.
        const messages = written(given, writers.anthropic);
        for (const { content } of messages)
          for (const block of Array.isArray(content) ? content : [])
            if (block.type === 'tool_use') Object.assign(block, { name: 'Read', input: { file_path: `/a${block.id.length % 2}.ts` } });
        const result = prune(messages, { format: 'anthropic', mode, keep: { recent: 0 } });
        assert.ok(judges.anthropic(result.messages), `${shown(messages)}: ${shown(result.messages)}`);
        assert.deepEqual(restore(result.messages, result.originals), {
          messages,
          missing: [],
          restored: Object.keys(result.originals).length,
        });
      }),
      { numRuns: cases(60), includeErrorInReport: true },
    );
  });
}

// The user's words stay, so that what is cut between them brings these side by side.
const chat = [
  ...Array.from({ length: 8 }, (_, at) => [
    { role: 'user', content: words(2 * at, 10) },
    { role: 'assistant', content: words(2 * at + 1, 200) },
  ]).flat(),
  { role: 'user', content: 'And now?' },
];
const doesAlternate = (messages) => messages.every(({ role }, at) => role === (at % 2 === 0 ? 'user' : 'assistant'));

describe("roles alternate where Mistral's models are named, unless the caller says otherwise", () => {
  const keep = { user: true };
  const ways = {
    fit: (options) => fit(chat, { limit: 400, keep, ...options }).messages,
    createSession: (options) => createSession({ limit: 400, keep, ...options }).next(chat).messages,
    fitRequest: ({ model, ...options }) =>
      fitRequest({ model, messages: chat }, { limit: 400, keep, format: 'openai-chat', ...options }).request.messages,
  };
  for (const [name, sentBy] of Object.entries(ways))
    test(name, () => {
      assert.ok(doesAlternate(sentBy({ model: 'mistral-large-2512' })));
      assert.ok(doesAlternate(sentBy({ model: 'gpt-4o', roles: 'alternate' })));
      assert.ok(!doesAlternate(sentBy({ model: 'gpt-4o' })));
      assert.ok(!doesAlternate(sentBy({ model: 'mistral-large-2512', roles: 'any' })));
      assert.throws(() => sentBy({ model: 'gpt-4o', roles: 'turns' }), {
        name: 'TypeError',
        message: /options\.roles must be 'alternate' or 'any'/,
      });
    });

  test('requests of an SDK, whose models need no window', async () => {
    const sent = [];
    const fetch = async (_, { body }) => {
      sent.push(JSON.parse(body).messages);
      return Response.json({
        id: 'c',
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
      });
    };
    const client = (options) =>
      withPalimpsest(new OpenAI({ apiKey: 'none', fetch, maxRetries: 0 }), { limit: 600, keep, explainMarks: false, ...options });
    const names = [
      'devstral-medium-2507',
      'mistralai/Mistral-Small-3.2-24B-Instruct',
      'codestral-latest',
      'mistral.ministral-3-8b-instruct',
      'open-mixtral-8x7b',
    ];
    for (const model of names) await client().chat.completions.create({ model, messages: chat });
    assert.ok(sent.every(doesAlternate));
    for (const model of ['gpt-4o', 'my-mistral', 'nemistral-7b']) await client().chat.completions.create({ model, messages: chat });
    await client({ roles: 'any' }).chat.completions.create({ model: names[0], messages: chat });
    assert.ok(!sent.slice(names.length).some(doesAlternate));
  });
});

test('messages are joined in the shape that they had', () => {
  const image = { type: 'image_url', image_url: { url: 'https://example.org/a.png' } };
  const long = { role: 'assistant', content: words(1, 900) };
  const joined = (first, last) => fit([first, long, last], { limit: 1, roles: 'alternate', keep: { user: true } }).messages[0].content;
  assert.match(joined({ role: 'user', content: 'One.' }, { role: 'user', content: 'Two.' }), /^One\.(?:\n\[… 1 message\])?\n\nTwo\.$/);
  const parts = joined({ role: 'user', content: 'One.' }, { role: 'user', content: [{ type: 'text', text: 'Two.' }, image] });
  assert.deepEqual([parts.length, parts[0].type, parts.at(-1)], [3, 'text', image]);
});

test('the runs needed marks', () => assert.ok(marks > cases(50), `${marks} marks`));
