// An agent works on files of its own, in each format. Between its steps the conversation is pruned, fitted, compressed, stored,
// restored, undone and edited. Servers, counts, a complete history and the files judge the results.
//
// `node __test__/session/soak.mjs --minutes 10 --seed 1` plays for longer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as palimpsest from 'palimpsest';
import { SEED } from '../support/seed.mjs';
import { FORMATS } from '../support/transcripts.mjs';
import { playOut, sessionOf } from './play.mjs';
import { play } from './watch.mjs';

/** Enough rounds for some twenty seconds. */
const SESSIONS = 180;

const told = ({ seed, format, message, log }) =>
  `seed ${seed}, ${format}: ${message}\n${log.map((step) => JSON.stringify(step)).join('\n')}`;

test('sessions at random: nothing breaks, nothing is lost', async () => {
  const { faults, reached } = await play({ seed: SEED, count: SESSIONS, shrink: true });
  assert.equal(faults.length, 0, faults.slice(0, 3).map(told).join('\n\n'));
  const steps = [
    'work',
    'prune',
    'fit',
    'compress',
    'restore',
    'store',
    'jsonb',
    'undo',
    'undo more',
    'branch',
    'back',
    'hand letter',
    'hand delete',
    'hand insert',
    'hand quote',
  ];
  const rounds = [
    'pruned stub',
    'pruned remove',
    'fitted',
    'fitted with originals',
    'does not fit',
    'compressed',
    'put back',
    'named as missing',
  ];
  const judges = [
    'valid',
    'open',
    'counts',
    'fits',
    'minimum',
    'as it is',
    'proportion',
    'once',
    'keep',
    'user',
    'system',
    'texts',
    'shape',
    'files told',
    'files',
    'licence',
    'rejection',
    'restore',
    'missing',
    'twice',
    'uncompress',
    'put',
    'order',
    'stays',
    'all',
  ];
  for (const what of [...steps.map((step) => `step ${step}`), ...rounds, ...judges])
    assert.ok(reached[what] > 0, `${what}: ${reached[what]}`);
  // The exception is for a few cases only.
  assert.ok(
    (reached['named after sorting'] ?? 0) <= reached['step jsonb'] / 20,
    `${reached['named after sorting']} of ${reached['step jsonb']}`,
  );
});

// ---- The judges can find something --------------------------------------------------------------------------------

/** The options of `fit` and `prune` that tokens are counted by. */
const countTokens = (messages, { format, tokenizer, tokenCounter, system, tools }) =>
  palimpsest.countTokens(messages, { format, tokenizer, tokenCounter, system, tools });
const after =
  (change) =>
  (call) =>
  (...args) =>
    change(call(...args), ...args);
/** Changes a pruned or fitted conversation so that the report still agrees. */
const messagesOf = (change) =>
  after((result, given, options) => {
    const messages = change(result.messages, given, options);
    if (result.report.tokens)
      Object.defineProperty(result.report, 'tokens', {
        value: { before: result.report.tokens.before, after: countTokens(messages, options) },
      });
    const tokens = result.tokens && { ...result.tokens, after: countTokens(messages, options) };
    return { ...result, messages, ...(tokens && { tokens, fits: tokens.after <= options.limit }) };
  });
const free = (options) => options.keep?.recent === 0;
const each = (role, change) => (messages, _, options) =>
  free(options) ? messages.map((message) => (message.role === role ? change(message) : message)) : messages;
const withArguments = (change) => (message) =>
  message.tool_calls
    ? {
        ...message,
        tool_calls: message.tool_calls.map((call) => ({
          ...call,
          function: { ...call.function, arguments: JSON.stringify(change(JSON.parse(call.function.arguments))) },
        })),
      }
    : message;
/** The restored messages when nothing was missing. */
const remembering = (use) => (restore) => {
  let whole;
  return (...args) => {
    const result = restore(...args);
    if (result.missing.length === 0) whole = result.messages;
    return result.missing.length > 0 && whole !== undefined ? use(result, whole) : result;
  };
};

/** Faults of a library: the format to play, the judge that must see it, and what is wrong with it. */
const broken = {
  'a call loses its result': [
    'openai-chat',
    'valid',
    {
      prune: messagesOf((messages) =>
        messages.toSpliced(
          messages.findLastIndex(({ role }) => role === 'tool'),
          1,
        ),
      ),
    },
  ],
  'a call that waits goes': [
    'openai-chat',
    'open',
    { fit: messagesOf((messages) => (messages.at(-1).tool_calls ? messages.slice(0, -1) : messages)) },
  ],
  'a message does not come back': [
    'anthropic',
    'restore',
    { restore: after((result) => (result.restored > 0 ? { ...result, messages: result.messages.toSpliced(1, 1) } : result)) },
  ],
  'a key is named for nothing': ['gemini', 'missing', { restore: after((result) => ({ ...result, missing: ['key'] })) }],
  'what is back is put back again': [
    'ai-sdk-model',
    'twice',
    {
      restore: after((result, _, originals) =>
        result.restored === 0 && Object.keys(originals).length > 0
          ? { ...result, messages: [...result.messages, result.messages[0]] }
          : result,
      ),
    },
  ],
  'a change by hand is overwritten': [
    'openai-chat',
    'put',
    { restore: remembering((result, whole) => ({ ...result, messages: whole, missing: [] })) },
  ],
  'a change by hand is in the place of another': [
    'openai-chat',
    'order',
    { restore: remembering((result) => ({ ...result, messages: result.messages.toReversed() })) },
  ],
  'what was cut stays so in silence': [
    'openai-chat',
    'all',
    {
      restore: after((result, given) =>
        result.missing.length > 0
          ? { ...result, messages: given.filter((message) => !/palimpsest:|\[…/.test(JSON.stringify(message))), missing: [] }
          : result,
      ),
    },
  ],
  'a message of nobody comes back': [
    'openai-chat',
    'true',
    {
      restore: remembering((result) => ({
        ...result,
        messages: result.messages.map((message, index) => (index === 1 ? { ...message, content: 'Who said that?' } : message)),
      })),
    },
  ],
  'a message that stays is taken away': [
    'openai-chat',
    'stays',
    { restore: remembering((result) => ({ ...result, messages: result.messages.slice(0, -1) })) },
  ],
  'a number is not counted': [
    'openai-responses',
    'counts',
    { fit: after((result) => ({ ...result, tokens: { ...result.tokens, after: result.tokens.after - 1 } })) },
  ],
  'what is over the budget is said to fit': ['message', 'fits', { fit: after((result) => ({ ...result, fits: true })) }],
  'what fits is touched': [
    'openai-chat',
    'as it is',
    { fit: messagesOf((messages) => messages.with(0, { ...messages[0], content: '[…]' })) },
  ],
  'much more goes than has to': [
    'openai-chat',
    'proportion',
    {
      fit: (fit) => (messages, options) => {
        const result = fit(messages, options);
        if (!result.fits || options.limit >= result.tokens.before) return result;
        const less = fit(messages, { ...options, limit: options.limit / 9 });
        return { ...less, fits: true, tokens: { ...less.tokens, limit: options.limit } };
      },
    },
  ],
  'a text of the user is cut': ['openai-chat', 'user', { prune: messagesOf(each('user', (message) => ({ ...message, content: 'Go' }))) }],
  'a line is made up': [
    'openai-chat',
    'texts',
    { prune: messagesOf(each('tool', (message) => ({ ...message, content: `${message.content}\nand one more` }))) },
  ],
  'arguments get a new name': [
    'openai-chat',
    'shape',
    {
      prune: messagesOf(
        each(
          'assistant',
          withArguments((args) => ({ ...args, more: 1 })),
        ),
      ),
    },
  ],
  'the last write goes': [
    'openai-chat',
    'files',
    {
      prune: messagesOf(
        each(
          'assistant',
          withArguments((args) => ({ ...args, ...(args.content && { content: '[…]' }), ...(args.file_text && { file_text: '[…]' }) })),
        ),
      ),
    },
  ],
  'a result goes that nothing supersedes': [
    'openai-chat',
    'licence',
    { prune: messagesOf(each('tool', (message) => ({ ...message, content: '[…]' }))) },
  ],
  'what the user said to a rejected call goes': [
    'openai-chat',
    'rejection',
    { prune: messagesOf(each('tool', (message) => (/user said:/.test(message.content) ? { ...message, content: '[…]' } : message))) },
  ],
  'one of the last messages is copied': [
    'openai-chat',
    'keep',
    { prune: after((result) => ({ ...result, messages: result.messages.map((message) => ({ ...message })) })) },
  ],
  'the second pruning finds more': [
    'openai-chat',
    'once',
    {
      prune: (prune) => {
        let calls = 0;
        return (messages, options) =>
          ++calls % 2 === 0 ? { ...prune(messages, options), messages: messages.slice(1) } : prune(messages, options);
      },
    },
  ],
  'uncompress gives less back': [
    'langchain',
    'uncompress',
    { uncompress: after((result) => ({ ...result, messages: result.messages.slice(1) })) },
  ],
  'the input is changed': [
    'openai-chat',
    'input',
    {
      fit: after((result, given) => {
        given.pop();
        return result;
      }),
    },
  ],
};
for (const [name, [format, judge, faults]] of Object.entries(broken)) {
  test(`a broken library is detected: ${name}`, async () => {
    const library = { ...palimpsest };
    for (const [key, wrap] of Object.entries(faults)) library[key] = wrap(palimpsest[key]);
    const judges = [];
    for (let seed = SEED; seed < SEED + 150 && !judges.includes(judge); seed++) {
      const fault = await playOut(sessionOf(seed, format), undefined, library);
      if (fault) judges.push(fault.judge);
    }
    assert.ok(judges.includes(judge), `found ${[...new Set(judges)]}`);
  });
}

test('a step that does not end is detected, and the rest is played', async () => {
  const program = ['-e', `console.log('{"seed":1,"format":"x"}\\n{"does":"fit"}'); for (;;);`];
  const { faults } = await play({ seed: 1, count: 1, program, patience: 500 });
  assert.deepEqual(faults, [{ seed: 1, format: 'x', log: [{ what: 'fit' }], judge: 'hang', message: 'the last step does not end' }]);
});

test('each format is played', () => {
  const played = new Set(Array.from({ length: SESSIONS }, (_, index) => sessionOf(SEED + index).config.format));
  assert.deepEqual([...played].sort(), FORMATS.toSorted());
});
