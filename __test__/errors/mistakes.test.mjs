// Mistakes that people make, each with the error or warning that says what to do instead. None shows content of
// messages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HumanMessage } from '@langchain/core/messages';
import OpenAI from 'openai';
import {
  compress,
  countTokens,
  createSession,
  createSummarizer,
  fit,
  fitRequest,
  mergeOriginals,
  prune,
  recall,
  restore,
  uncompress,
  validate,
} from 'palimpsest';
import { palimpsestMiddleware } from 'palimpsest/ai-sdk';
import { withPalimpsest } from 'palimpsest/openai';

/** A text in every message, id and argument below. */
const SECRET = 'azure-walrus-4711';
const line = `The ${SECRET} crosses the harbour at noon. `;

const chat = () => [
  { role: 'system', content: `Never mention ${SECRET}.` },
  { role: 'user', content: line.repeat(20) },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: SECRET, type: 'function', function: { name: 'look', arguments: `{"at":"${SECRET}"}` } }],
  },
  { role: 'tool', tool_call_id: SECRET, content: line.repeat(20) },
];
const claude = () => [
  { role: 'user', content: line.repeat(20) },
  { role: 'assistant', content: line },
  { role: 'user', content: 'And now?' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: line },
      { type: 'tool_use', id: SECRET, name: 'look', input: { at: SECRET } },
    ],
  },
];
const withInput = (input) => {
  const messages = claude();
  messages[3].content[1].input = input;
  return messages;
};
const withIds = () => chat().map(({ role, content }, index) => ({ id: `${SECRET}-${index}`, index, role, content: content ?? '' }));
const fitted = () => fit([...chat(), { role: 'user', content: 'Thanks. Next?' }], { limit: 60 });
const compressed = () => compress(withIds(), { recencyWindow: 0 });
const budget = 100;
const circular = { at: SECRET };
circular.self = circular;
const throwing = (name, object = { note: SECRET }) =>
  Object.defineProperty(object, name, {
    enumerable: true,
    get() {
      throw new Error(SECRET);
    },
  });
const client = () => new OpenAI({ apiKey: 'none' });
const session = (options) => createSession({ limit: 1000, ...options });

/** [the call, the class of the error, its message, what that doesn't say] */
const mistakes = [
  // Names of options.
  [
    () => fit(chat(), { limit: budget, keepRecent: 4 }),
    TypeError,
    'fit(): options.keepRecent is not an option: did you mean options.keep.recent?',
  ],
  [() => fit(chat(), { limit: budget, recencyWindow: 4 }), TypeError, 'did you mean options.keep.recent?'],
  [() => fit(chat(), { limit: budget, keepLastMessages: 4 }), TypeError, 'did you mean options.keep.recent?'],
  [() => fit(chat(), { limit: budget, keep_recent: 4 }), TypeError, 'did you mean options.keep.recent?'],
  [
    () => fit(chat(), { limit: budget, keep: { recents: 4 } }),
    TypeError,
    'fit(): options.keep.recents is not an option: did you mean options.keep.recent?',
  ],
  [() => fit(chat(), { limit: budget, keep: { last: 4 } }), TypeError, 'did you mean options.keep.recent?'],
  [() => fit(chat(), { limit: budget, keep: { users: true } }), TypeError, 'did you mean options.keep.user?'],
  [() => fit(chat(), { limit: budget, keep: { pattern: [/x/] } }), TypeError, 'did you mean options.keep.patterns?'],
  [() => fit(chat(), { limit: budget, keep: { toolNames: ['look'] } }), TypeError, 'did you mean options.keep.tools?'],
  [
    () => fit(chat(), { limit: budget, keep: { budget } }),
    TypeError,
    'fit(): options.keep.budget is not an option: did you mean options.limit?',
  ],
  [() => fit(chat(), { limit: budget, preservePatterns: [] }), TypeError, 'did you mean options.keep.patterns?'],
  [() => fit(chat(), { limit: budget, preserve: ['system'] }), TypeError, 'did you mean options.keep?'],
  [
    () => fit(chat(), { maxTokens: 100 }),
    TypeError,
    'fit(): options.maxTokens is not an option: did you mean options.maxOutputTokens for the answer, or limit for the request?',
  ],
  [
    () => fit(chat(), { model: 'gpt-5.5', max_tokens: 100 }),
    TypeError,
    'did you mean options.maxOutputTokens for the answer, or limit for the request?',
  ],
  [
    () => recall(chat(), chat(), 'noon', { maxTokens: 100 }),
    TypeError,
    'recall(): options.maxTokens is not an option: did you mean options.limit?',
  ],
  [
    () => withPalimpsest(client(), { maxTokens: 100 }),
    TypeError,
    'withPalimpsest(): options.maxTokens is not an option: did you mean options.maxOutputTokens for the answer, or limit for the request?',
  ],
  [() => withPalimpsest(client(), { shadow: { share: 1, max_tokens: 100 } }), TypeError, 'did you mean options.shadow.maxTokens?'],
  [
    () => palimpsestMiddleware({ maxTokens: 100 }),
    TypeError,
    'palimpsestMiddleware(): options.maxTokens is not an option: did you mean options.maxOutputTokens for the answer, or limit for the request?',
  ],
  [() => fit(chat(), { budget: 100 }), TypeError, 'did you mean options.limit?'],
  [() => fit(chat(), { tokenBudget: 100 }), TypeError, 'did you mean options.limit?'],
  [() => fit(chat(), { limti: 100 }), TypeError, 'did you mean options.limit?'],
  [() => fit(chat(), { Budget: 100 }), TypeError, 'did you mean options.limit?'],
  [() => fit(chat(), { contextWindow: 100 }), TypeError, 'did you mean options.window?'],
  [() => fit(chat(), { window: 1000, maxCompletionTokens: 10 }), TypeError, 'did you mean options.maxOutputTokens?'],
  [() => fit(chat(), { limit: budget, encoding: 'o200k_base' }), TypeError, 'did you mean options.tokenizer?'],
  [() => fit(chat(), { limit: budget, modelName: 'gpt-5.5' }), TypeError, 'did you mean options.model?'],
  [() => fit(chat(), { limit: budget, countTokens: () => 1 }), TypeError, 'did you mean options.tokenCounter?'],
  [() => fit(chat(), { limit: budget, provider: 'openai' }), TypeError, 'did you mean options.format?'],
  [() => fit(chat(), { limit: budget, instructions: 'Be brief.' }), TypeError, 'did you mean options.system?'],
  [() => fit(chat(), { limit: budget, functions: [] }), TypeError, 'did you mean options.tools?'],
  [() => session({ sumarizer: () => '' }), TypeError, 'did you mean options.summarizer?'],
  [() => fit(chat(), { limit: budget, question: 'Where?' }), TypeError, 'did you mean options.query?'],
  [() => fit(chat(), { limit: budget, verbatim: {} }), TypeError, 'did you mean options.originals?'],
  [() => fit(chat(), { limit: budget, debug: true }), TypeError, 'did you mean options.trace?'],
  [() => fit(chat(), { limit: budget, mode: 'remove' }), TypeError, 'did you mean options.prune.mode?'],
  [() => fit(chat(), { limit: budget, dedup: true }), TypeError, 'fit(): options.dedup is not an option: it is an option of compress'],
  [() => fit(chat(), { limit: budget, colour: 'red' }), TypeError, 'fit(): options.colour is not an option: the options are limit, '],
  [() => fit(chat(), { limit: budget, prune: { keep: { lastMessages: 2 } } }), TypeError, 'did you mean options.prune.keep.recent?'],
  [() => prune(chat(), { toolKinds: {} }), TypeError, 'prune(): options.toolKinds is not an option: did you mean options.toolMap?'],
  [
    () => prune(chat(), { toolMap: { look: { kind: 'read', file: 'at' } } }),
    TypeError,
    'options.toolMap.look.file is not an option: did you mean options.toolMap.look.path?',
  ],
  [() => prune(chat(), { tools: {} }), TypeError, 'prune(): options.tools is not an option: did you mean options.keep.tools?'],
  [() => prune(chat(), { recent: 3 }), TypeError, 'did you mean options.keep.recent?'],
  [() => prune(chat(), { limit: budget }), TypeError, 'prune(): options.limit is not an option: it is an option of fit'],
  [
    () => createSession({ model: 'gpt-5.5', maxTokens: 1000 }),
    TypeError,
    'createSession(): options.maxTokens is not an option: did you mean options.maxOutputTokens for the answer, or limit for the request?',
  ],
  [() => createSession({ budget: 1000 }), TypeError, 'createSession(): options.budget is not an option: did you mean options.limit?'],
  [() => session({ cache: { read: 0.1, ttl: 1000, writes: 1 } }), TypeError, 'did you mean options.cache.write?'],
  [() => session({ cacheControll: true }), TypeError, 'did you mean options.cacheControl?'],
  [
    () => createSession({ limit: 1000, saved: session().toJSON() }),
    TypeError,
    'createSession(): options.saved is not an option: pass the saved session as the second argument',
  ],
  [() => session({ messages: chat() }), TypeError, 'createSession(): options.messages is not an option: pass the history to next()'],
  [() => session({ originals: {} }), TypeError, 'createSession(): options.originals is not an option: it is an option of fit'],
  [
    () => countTokens(chat(), { encoding: 'cl100k_base' }),
    TypeError,
    'countTokens(): options.encoding is not an option: did you mean options.tokenizer?',
  ],
  [() => countTokens(chat(), { systemPrompt: SECRET }), TypeError, 'did you mean options.system?'],
  [
    () => validate(chat(), { provider: 'openai' }),
    TypeError,
    'validate(): options.provider is not an option: did you mean options.format?',
  ],
  [() => validate(chat(), { trace: true }), TypeError, 'validate(): options.trace is not an option: it is an option of '],

  // Values of options.
  [
    () => fit(chat(), { limit: budget, tokenizer: 'gpt-4' }),
    TypeError,
    "fit(): options.tokenizer must be one of 'o200k_base', 'cl100k_base', 'estimate', got 'gpt-4'",
  ],
  [() => fit(chat(), { limit: budget, format: 'openai' }), TypeError, "fit(): options.format must be one of 'openai-chat', "],
  [
    () => session({ model: 'gpt5.5' }),
    TypeError,
    "got 'gpt5.5': did you mean gpt-5.5? If not, give tokenizer and limit or window in its place",
  ],
  [() => fit(chat(), { model: 'openai/gpt4o' }), TypeError, 'did you mean openai/gpt-4o?'],
  [() => countTokens(chat(), { model: 'claude-sonet-5' }), TypeError, 'did you mean claude-sonnet-5? If not, give tokenizer in its place'],
  [() => fit(chat(), { model: 'gpt-5.9' }), TypeError, "got 'gpt-5.9': give tokenizer and limit or window in its place"],
  [() => fit(chat(), { limit: budget, format: line.repeat(9) }), TypeError, 'got a string of '],
  [() => fit(chat(), { limit: budget, tokenizer: { name: SECRET } }), TypeError, 'got object'],
  [() => fit(chat(), { limit: budget, tokenCounter: 4 }), TypeError, 'fit(): options.tokenCounter must be a function, got number'],
  [
    () => fit(chat(), { limit: budget, tokenCounter: async () => 4 }),
    TypeError,
    'fit(): options.tokenCounter must return a number of tokens from 0, got promise',
  ],
  [() => fit(chat(), { limit: '4000' }), TypeError, 'fit(): options.limit must be a number of tokens, got string'],
  [() => fit(chat(), { limit: NaN }), RangeError, 'fit(): options.limit must be a number of tokens from 0, got NaN'],
  [() => fit(chat(), 4000), TypeError, 'fit(): options must be an object with limit, window or model, got number: pass { limit: 4000 }'],
  [
    () => createSession('gpt-5.5'),
    TypeError,
    "createSession(): options must be an object with limit, window or model, got string: pass { model: 'gpt-5.5' }",
  ],
  [() => validate(chat(), 'openai-chat'), TypeError, "validate(): options must be an object, got string: pass { format: 'openai-chat' }"],
  [() => countTokens(chat(), 'gpt-5.5'), TypeError, "countTokens(): options must be an object, got string: pass { model: 'gpt-5.5' }"],
  [
    () => countTokens(line, 'cl100k_base'),
    TypeError,
    "countTokens(): options must be an object, got string: pass { tokenizer: 'cl100k_base' }",
  ],
  [
    () => palimpsestMiddleware('gpt-5.5'),
    TypeError,
    "palimpsestMiddleware(): options must be an object, got string: pass { model: 'gpt-5.5' }",
  ],
  [() => countTokens(chat(), SECRET), TypeError, 'countTokens(): options must be an object, got string'],
  [() => fit(chat()), TypeError, 'fit(): options must be an object with limit, window or model, got undefined'],
  [
    () => fit(chat(), Promise.resolve({ limit: budget })),
    TypeError,
    'fit(): options must be an object with limit, window or model, got promise',
  ],
  [
    () => fit(chat(), { limit: budget, tools: Promise.resolve([]) }),
    TypeError,
    'fit(): options.tools must be an array, or an object of tools by name, got promise',
  ],
  [
    () => fit(chat(), { limit: budget, tools: [{ type: 'function', function: { name: 'f', parameters: circular } }] }),
    TypeError,
    'fit(): options.tools[0].function.parameters is circular',
  ],
  [
    () => fit(chat(), { limit: budget, tools: [{ name: 'f', input_schema: { type: Object.assign(new Uint8Array(1), { circular }) } }] }),
    TypeError,
    'fit(): options.tools[0].input_schema is circular',
  ],
  [
    () => fit(chat(), { limit: budget, system: { role: 'user', content: SECRET } }),
    TypeError,
    "fit(): options.system.role must be 'system' or 'developer', got 'user'",
  ],
  [() => fit(chat(), throwing('limit', {})), TypeError, "fit(): options.limit can't be read: its getter threw"],
  [() => countTokens(chat(), [{ name: SECRET }]), TypeError, 'countTokens(): options must be an object, got array'],
  [() => countTokens(SECRET, { tools: [] }), TypeError, 'countTokens(): options.tools needs messages, got string'],
  [() => compress(withIds(), { tokenBudget: NaN }), RangeError, 'compress(): options.tokenBudget must be a number of tokens, got NaN'],
  [() => compress(withIds(), { recencyWindow: '4' }), TypeError, 'compress(): options.recencyWindow must be a number, got string'],
  [
    () => createSummarizer(() => '', { mode: 'short' }),
    TypeError,
    "createSummarizer(): options.mode must be 'normal', 'aggressive' or 'structured', got 'short'",
  ],
  [
    () => createSession({ limit: 1000 }, JSON.stringify(session())),
    TypeError,
    'createSession(): saved must be an object, got string: parse it with JSON.parse',
  ],

  // Something other than messages.
  [() => fit(Promise.resolve(chat()), { limit: budget }), TypeError, 'fit(): messages must be an array, got promise: await it'],
  [
    () => fit({ model: 'gpt-5.5', messages: chat() }, { limit: budget }),
    TypeError,
    'fit(): messages must be an array, got a request: pass its messages, or call fitRequest',
  ],
  [() => fit({ model: 'gpt-5.5', input: chat() }, { limit: budget }), TypeError, 'got a request: pass its input, or call fitRequest'],
  [
    () => fit({ contents: [{ parts: [{ text: SECRET }] }] }, { limit: budget }),
    TypeError,
    'got a request: pass its contents, or call fitRequest',
  ],
  [() => fit(fitted(), { limit: budget }), TypeError, 'fit(): messages must be an array, got a result of fit: pass its messages'],
  [() => fit(compressed(), { limit: budget }), TypeError, 'got a result of compress: pass its messages'],
  [() => fit(chat()[1], { limit: budget }), TypeError, 'got a message: put it into an array'],
  [() => fit(new HumanMessage(line), { limit: budget }), TypeError, 'got a message: put it into an array'],
  [() => fit(JSON.stringify(chat()), { limit: budget }), TypeError, 'got string: parse it with JSON.parse'],
  [() => fit(new Set(chat()), { limit: budget }), TypeError, 'got an iterable: spread it into an array'],
  [() => fit(fitted().originals, { limit: budget }), TypeError, 'got originals: pass the messages, too'],
  [() => fit(compressed().verbatim, { limit: budget }), TypeError, 'got a verbatim: pass the messages, too'],
  [() => fit([chat()], { limit: budget }), TypeError, 'messages[0] must be an object, got array: give all messages in one flat array'],
  [
    () =>
      fit(
        chat().map(async (message) => message),
        { limit: budget },
      ),
    TypeError,
    'messages[0] must be an object, got promise: await it',
  ],
  [() => fit([fitted()], { limit: budget }), TypeError, 'messages[0] must be a message, got a result of fit: pass its messages, not it'],
  [() => prune({ messages: chat() }), TypeError, 'prune(): messages must be an array, got a request: pass its messages'],
  [() => prune(prune(chat())), TypeError, 'got a result of prune: pass its messages'],
  [() => countTokens({ messages: chat() }), TypeError, 'countTokens(): input must be a string or an array of messages, got a request'],
  [() => countTokens(chat()[1]), TypeError, 'got a message: put it into an array'],
  [() => validate(Promise.resolve(chat())), TypeError, 'validate(): messages must be an array, got promise: await it'],
  [
    () => session().next(session().next(chat())),
    TypeError,
    'history must be an array of messages, got a step of a session: pass its messages',
  ],
  [
    () => session().observe({ choices: [{ text: SECRET }], usage: { prompt_tokens: 3 } }),
    TypeError,
    "observe(): usage must be a provider's usage with its input tokens, got an answer: pass its usage",
  ],
  [
    () => compress(chat()),
    TypeError,
    'compress(): messages[0] is missing required field "id"\nFor messages of a provider, which have no ids, pass options.format: \'auto\'.',
  ],
  [() => compress(claude()), TypeError, "pass options.format: 'auto'"],
  [
    () => compress([new HumanMessage(line)].map((message) => Object.assign(message, { id: undefined }))),
    TypeError,
    "pass options.format: 'auto'",
  ],
  [() => compress(Promise.resolve(withIds())), TypeError, 'compress(): messages must be an array\nGot promise: await it.'],
  [() => compress(compressed()), TypeError, 'compress(): messages must be an array\nGot a result of compress: pass its messages.'],
  [
    () => compress({ messages: chat() }, { format: 'auto' }),
    TypeError,
    'compress(): messages must be an array, got a request: pass its messages',
  ],

  [
    () =>
      fit(
        chat().map(async (message) => message),
        { limit: budget, format: 'openai-chat' },
      ),
    TypeError,
    'fit(): messages[0] must be an object, got promise: await it',
  ],
  [
    () => fit(chat(), { limit: budget, format: 'langchain' }),
    TypeError,
    'fit(): messages[0] must be an instance of a LangChain message; the messages look like openai-chat',
  ],
  [
    () => session({ format: 'gemini' }).next(chat()),
    TypeError,
    'next(): messages[0].parts must be an array, got undefined; the messages look like openai-chat',
  ],
  [
    () => fit(chat(), { limit: budget, format: 'anthropic' }),
    TypeError,
    'fit(): messages[2].content must be a string or an array of blocks, got null; the messages look like openai-chat',
  ],
  [
    () => countTokens(claude(), { format: 'gemini' }),
    TypeError,
    'countTokens(): messages[0].parts must be an array, got undefined; the messages look like anthropic',
  ],
  // Their format is the right one, and it is not told to be another.
  [
    () => prune([{ role: 'user', content: line, note: circular }], { format: 'anthropic' }),
    TypeError,
    'messages[0].note is circular',
    'look like',
  ],
  [
    () => fit([...claude().slice(0, 2), { role: 'user', content: null }], { limit: budget, format: 'anthropic' }),
    TypeError,
    'messages[2].content must be a string or an array of blocks, got null',
    'look like',
  ],
  // Nor are those of no format, or of several.
  [() => countTokens([...chat(), ...claude()], { format: 'gemini' }), TypeError, 'parts must be an array, got undefined', 'look like'],
  [
    () => fitRequest(chat(), { limit: budget }),
    TypeError,
    "fitRequest(): request must be a provider's request with messages, input or contents, got array",
  ],
  [() => fitRequest({ model: 'gpt-5.5', messages: [chat()] }), TypeError, 'messages[0]'],
  [
    () => fitRequest({ model: 'gpt-5.5', messages: chat() }, { maxTokens: 10 }),
    TypeError,
    'fitRequest(): options.maxTokens is not an option: did you mean options.maxOutputTokens for the answer, or limit for the request?',
  ],

  // Something other than originals.
  [
    () => restore(fitted().messages, fitted()),
    TypeError,
    'restore(): originals must be an object, got a result of fit: pass its originals',
  ],
  [() => restore(fitted(), fitted().originals), TypeError, 'restore(): messages must be an array, got a result of fit: pass its messages'],
  [() => restore(fitted().originals, fitted().messages), TypeError, 'restore(): messages must be an array, got originals'],
  [() => restore(compressed().messages, compressed()), TypeError, 'got a result of compress: pass its verbatim'],
  [() => restore(compressed().messages, compressed().verbatim), TypeError, 'got the verbatim of messages with ids: call uncompress'],
  [
    () => mergeOriginals([fitted().originals, fitted().originals]),
    TypeError,
    'mergeOriginals(): originals[0] must be an object, got array: spread it in mergeOriginals(...list)',
  ],
  [
    () => restore(chat(), [fitted().originals]),
    TypeError,
    'restore(): originals must be an object, got array: spread it in mergeOriginals(...list)',
  ],
  [() => restore(chat(), new Map(Object.entries(fitted().originals))), TypeError, 'got a Map: pass an object'],
  [() => restore(chat(), JSON.stringify(fitted().originals)), TypeError, 'got string: parse it with JSON.parse'],
  [
    () => fit(chat(), { limit: budget, originals: fitted() }),
    TypeError,
    'fit(): options.originals must be an object, got a result of fit: pass its originals',
  ],
  [
    () => fit(chat(), { limit: budget, originals: compressed().verbatim }),
    TypeError,
    'fit(): options.originals must be an object, got the verbatim of messages with ids: call uncompress',
  ],
  [
    () => fit(chat(), { limit: budget, originals: Promise.resolve({}) }),
    TypeError,
    'fit(): options.originals must be an object, got promise: await it',
  ],
  [
    () => uncompress(compressed(), compressed().verbatim),
    TypeError,
    'uncompress(): messages must be an array\nGot a result of compress: pass its messages.',
  ],
  [
    () => uncompress(compressed().messages, compressed()),
    TypeError,
    'uncompress(): store must be a VerbatimMap or lookup function\nGot a result of compress: pass its verbatim.',
  ],
  [() => uncompress(compressed().messages, Promise.resolve(compressed().verbatim)), TypeError, 'Got promise: await it.'],
  [
    () => uncompress(compressed().messages, async () => undefined),
    TypeError,
    'uncompress(): store must return the original or undefined, got promise: load the originals first',
  ],

  // Values that can't be read.
  [() => fit(withInput({ at: circular }), { limit: budget }), TypeError, 'messages[3].content[1].input.at is circular'],
  [() => prune(withInput({ n: 12n })), TypeError, 'messages[3].content[1].input.n must be a value that JSON has, got bigint'],
  [
    () => fit(withInput({ n: 12n }), { limit: budget }),
    TypeError,
    'messages[3].content[1].input.n must be a value that JSON has, got bigint',
  ],
  [() => countTokens(withInput(throwing('at'))), TypeError, "messages[3].content[1].input.at can't be read: its getter threw"],
  [() => fit([throwing('role')], { limit: budget }), TypeError, "messages[0].role can't be read: its getter threw"],
  [
    () => validate([...claude(), throwing('role')], { format: 'anthropic' }),
    TypeError,
    "validate(): messages[4].role can't be read: its getter threw",
  ],
  [() => compress([...withIds(), throwing('id')]), TypeError, "compress(): messages[4].id can't be read: its getter threw"],
  [
    () => compress([...withIds(), Object.assign(throwing('content'), { id: 'x' })]),
    TypeError,
    "compress(): messages[4].content can't be read: its getter threw",
  ],
  [
    () => fit([...chat(), { speaker: SECRET, [SECRET.repeat(9)]: 1 }], { limit: budget }),
    TypeError,
    'messages[4] is of no known format: { speaker: string, ',
  ],
  [
    () => fit([...chat(), { role: 'user', content: [{ type: 'text', text: 5, note: SECRET }] }], { limit: budget, format: 'openai-chat' }),
    TypeError,
    'messages[4].content[0].text must be a string, got number',
  ],
  [() => prune([...chat(), claude()[3]]), TypeError, 'messages[4] is anthropic, but the messages before it are openai-chat: { role: '],
];

test('each mistake has an error that names it and says what is right', () => {
  assert.ok(mistakes.length > 100);
  for (const [call, kind, text, unsaid = SECRET] of mistakes) {
    assert.throws(call, (error) => {
      assert.equal(error.constructor, kind, `${call}: ${error.stack}`);
      assert.ok(error.message.includes(text), `${call}: ${error.message}`);
      assert.match(error.message, /^\w+\(\): (messages|request|input|history|options|originals|store|usage|saved)\b/, String(call));
      for (const word of [SECRET, unsaid]) assert.ok(!error.message.includes(word), `${call}: ${error.message}`);
      return true;
    });
  }
});
