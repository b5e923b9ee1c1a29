// Shapes in which others store conversations: each is fitted as one of our formats, or refused by its name. None is taken for another format.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '@langchain/core/load';
import {
  AIMessage,
  coerceMessageLikeToMessage,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  ToolMessage,
} from '@langchain/core/messages';
import { countTokens, createSession, fit, fitAsync, prune, validate } from 'palimpsest';
import { createChatParser } from 'palimpsest/web';
import { objectionTo } from '../support/providers/formats.mjs';
import { Random } from '../support/random.mjs';
import { cases, SEED } from '../support/seed.mjs';

/** Exchanges with a call each: `[what the user says, what the tool gives]`. */
function exchanges(random) {
  const words = (most) =>
    Array.from(
      { length: random.integer(1, most) },
      () => `${random.pick(['queue', 'worker', 'lock', 'retry'])}${random.integer(0, 99)}`,
    ).join(' ');
  return Array.from({ length: random.integer(2, 12) }, (_, at) => [`Read file ${at}.`, words(120)]);
}
const call = (at) => ({ id: `c${at}`, name: 'read', args: { path: `${at}.ts` } });
const chatCall = (at) => ({ id: `c${at}`, type: 'function', function: { name: 'read', arguments: `{"path":"${at}.ts"}` } });

const langchain = (said) =>
  said.flatMap(([words, result], at) => [
    new HumanMessage(words),
    new AIMessage({ content: '', tool_calls: [call(at)] }),
    new ToolMessage({ content: result, tool_call_id: `c${at}` }),
  ]);
const json = (value) => JSON.parse(JSON.stringify(value));
const row = (type, content, at) => ({ type, message: { role: type, content }, uuid: `${type}${at}`, sessionId: 's', cwd: '/' });

/** Each with the error's text, and what its remedy makes of it. */
const REFUSED = {
  'rows of Claude Code': {
    make: (said) =>
      said.flatMap(([words, result], at) => [
        row('user', words, at),
        row('assistant', [{ type: 'tool_use', id: `c${at}`, name: 'read', input: {} }], at),
        row('user', [{ type: 'tool_result', tool_use_id: `c${at}`, content: result }], `r${at}`),
      ]),
    error: /messages\[0\] is a row of a Claude Code transcript, .*: pass the `message` of each row/,
    remedy: (rows) => rows.map(({ message }) => message),
  },
  'rows of Claude Code, with a summary': {
    make: (said) => [{ type: 'summary', summary: 'Reading', leafUuid: 'x' }, ...REFUSED['rows of Claude Code'].make(said)],
    error: /messages\[0\] is a row of a Claude Code transcript/,
    remedy: (rows) => rows.flatMap(({ message }) => message ?? []),
  },
  'stored LangChain': {
    make: (said) => mapChatMessagesToStoredMessages(langchain(said)),
    error: /messages\[0\] is a stored LangChain message: .*mapStoredMessagesToChatMessages/,
    remedy: mapStoredMessagesToChatMessages,
  },
  'serialised LangChain': {
    make: (said) => json(langchain(said)),
    error: /messages\[0\] is a serialised LangChain message: .*load/,
    remedy: (messages) => load(JSON.stringify(messages)),
  },
  'LangChain as JSON': {
    make: (said) => langchain(said).map(({ type, content, tool_calls, tool_call_id }) => json({ type, content, tool_calls, tool_call_id })),
    error: /messages\[0\] is a LangChain message as JSON: .*coerceMessageLikeToMessage/,
    remedy: (messages) => messages.map(coerceMessageLikeToMessage),
  },
};

/** Each with the format that reads it. */
const READ = {
  'AG-UI': [
    'ag-ui',
    (said) =>
      said.flatMap(([words, result], at) => [
        { id: `u${at}`, role: 'user', content: words },
        { id: `r${at}`, role: 'reasoning', content: 'Hm.' },
        { id: `a${at}`, role: 'assistant', content: '', toolCalls: [chatCall(at)] },
        { id: `p${at}`, role: 'activity', activityType: 'progress', content: {} },
        { id: `t${at}`, role: 'tool', toolCallId: `c${at}`, content: result },
      ]),
  ],
  'thinking of Mistral': [
    'openai-chat',
    (said) =>
      said.flatMap(([words, result], at) => [
        { role: 'user', content: words },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: result }] },
            { type: 'text', text: 'I look.' },
          ],
          tool_calls: [chatCall(at)],
        },
        { role: 'tool', tool_call_id: `c${at}`, content: result },
      ]),
  ],
  'cachePoint in LangChain': [
    'langchain',
    (said) =>
      langchain(said).map((message) => {
        const point = { cachePoint: { type: 'default' } };
        if (message instanceof HumanMessage) return new HumanMessage({ content: [{ type: 'text', text: message.content }, point] });
        if (message instanceof ToolMessage)
          return new ToolMessage({ ...message.lc_kwargs, content: [{ type: 'text', text: message.content }, point] });
        return new AIMessage({ content: [{ type: 'text', text: 'I look.' }, point], tool_calls: message.tool_calls });
      }),
  ],
};

/** What an endpoint makes of a body with messages. */
async function parsed(messages, format) {
  const parseChat = createChatParser({ limit: 2000, format, conversations: 0 });
  const chat = await parseChat(
    new Request('http://localhost/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ messages }),
    }),
  );
  if (!(chat instanceof Response)) return chat.request.messages;
  const { error } = await chat.json();
  throw new TypeError(error.message);
}

const USES = {
  fit: (messages, format) => fit(messages, { limit: 500, format }).messages,
  fitAsync: async (messages, format) => (await fitAsync(messages, { limit: 500, format })).messages,
  prune: (messages, format) => prune(messages, { format }).messages,
  countTokens: (messages, format) => (countTokens(messages, { format }), messages),
  // No instance comes with a request.
  endpoint: (messages, format) => (messages.some(({ lc_kwargs: instance }) => instance) ? messages : parsed(messages, format)),
  session: (messages, format) => createSession({ limit: 500, format }).next(messages).messages,
};

for (const [name, { make, error, remedy }] of Object.entries(REFUSED)) {
  test(`${name}: every function refuses it by name, whatever format is said, and what the error says helps`, async () => {
    const random = new Random(SEED);
    const messages = make(exchanges(random));
    for (const format of ['auto', 'openai-chat', 'openai-responses', 'openai-agents', 'ag-ui']) {
      for (const [of, use] of Object.entries(USES)) {
        // An endpoint that names its format says which of its rules is broken.
        const message = of === 'endpoint' && format !== 'auto' ? /./ : error;
        await assert.rejects(async () => use(messages, format), { name: 'TypeError', message }, `${of}, ${format}`);
      }
    }
    assert.throws(() => validate(messages), { name: 'TypeError', message: error });
    const made = await remedy(messages);
    const { format } = fit(made, { limit: 1e9 });
    assert.equal(await objectionTo(format, [...made]), null);
  });
}

for (const [name, [format, make]] of Object.entries(READ)) {
  test(`${name}: it is ${format}, and whatever comes out is valid and within the limit`, async () => {
    const random = new Random(SEED);
    for (let run = 0; run < cases(20); run++) {
      const messages = make(exchanges(random));
      const whole = countTokens(messages);
      const { minimum } = fit(messages, { limit: 1 }).tokens;
      for (const share of [0, 0.2, 0.5, 0.9]) {
        const limit = Math.round(minimum + (whole - minimum) * share);
        const result = fit(messages, { limit });
        assert.equal(result.format, format);
        assert.ok(result.fits && countTokens(result.messages, { format }) <= limit, `${limit}`);
        assert.equal(await objectionTo(format, result.messages), null);
      }
      for (const [of, use] of Object.entries(USES)) assert.equal(await objectionTo(format, await use(messages, 'auto')), null, of);
    }
  });
}

test('AG-UI that is said to be chat completions is an error that names it', () => {
  const messages = READ['AG-UI'][1]([['Read.', 'x']]).filter(({ role }) => ['user', 'assistant', 'tool'].includes(role));
  for (const format of ['openai-chat', 'message'])
    assert.throws(() => fit(messages, { format, limit: 500 }), {
      name: 'TypeError',
      message: /messages\[1\] has toolCalls or toolCallId, .*ag-ui$/,
    });
});

test('a cachePoint costs nothing, and goes with the block before it', () => {
  const said = [
    ['Read.', 'It is there. '.repeat(200)],
    ['And?', 'Nothing.'],
  ];
  const [make, without] = [READ['cachePoint in LangChain'][1](said), READ['cachePoint in LangChain'][1](said)];
  for (const message of without) message.content = message.content.filter(({ type }) => type !== undefined);
  assert.equal(countTokens(make), countTokens(without));
  const { messages } = fit(make, { limit: countTokens(make) - 300 });
  for (const { content } of messages) if (Array.isArray(content)) assert.equal(content[0].type, 'text');
});
