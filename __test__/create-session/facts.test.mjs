// A session keeps what an epoch learnt of the texts. Whatever happens to its history meanwhile, it chooses what a session chooses that
// has kept nothing.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSession } from '../../unbundled/index.js';
import { cases } from '../support/seed.mjs';

const native = createRequire(import.meta.url)('../../unbundled/native.js').default;
const { Fitter } = native;

const WORDS = [
  'parseUrl',
  'src/a.ts',
  'ERROR:',
  'the queue',
  'is full',
  'über',
  '東京',
  '404',
  'retry',
  '\n',
  '\n    ',
  '{',
  '}',
  '```\n',
  ': ',
];
const LINES = [
  'const retry = 404;',
  'ERROR: no such file src/a.ts',
  '{"a": [1, 2, 3], "b": "parseUrl"}',
  '12→fn numbered() {',
  'Why is the queue full?',
];
const text = fc
  .array(fc.constantFrom(...WORDS, ...LINES.map((line) => `${line}\n`)), { minLength: 1, maxLength: 40 })
  .map((words) => words.join(' '));

/** What happens before a request: texts are numbers of a list, so that they occur again. */
const number = fc.nat(1000);
const deed = fc.oneof(
  { weight: 6, arbitrary: fc.record({ name: fc.constant('append'), texts: fc.array(number, { minLength: 1, maxLength: 8 }) }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('edit'), at: number, text: number }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('replace'), at: number, text: number }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('shorten'), at: number }) },
  { weight: 1, arbitrary: fc.constant({ name: 'clone' }) },
);
const options = fc.record(
  {
    limit: fc.integer({ min: 150, max: 600 }),
    tokenizer: fc.constantFrom('o200k_base', 'cl100k_base', 'estimate'),
    keep: fc.constantFrom({ recent: 3 }, { user: true }, { arguments: true }),
    prune: fc.constant(false),
  },
  { requiredKeys: ['limit'] },
);

/** A message of the user, or a call with its result. */
function said(words, serial) {
  if (serial % 3 === 0) return [{ role: 'user', content: words }];
  const id = `call_${serial}`;
  const call = { id, type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command: words.slice(0, 40) }) } };
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: words },
  ];
}

/** Applies a deed to a history, and returns the history that follows. */
function after(history, { name, texts, at, text }, textOf, serial) {
  if (name === 'append') return [...history, ...texts.flatMap((number, index) => said(textOf(number), serial + index))];
  if (name === 'clone') return structuredClone(history);
  const results = history.filter(({ role }) => role !== 'assistant');
  const message = results[at % results.length];
  if (name === 'edit') message.content = textOf(text);
  if (name === 'replace') return history.map((one) => (one === message ? { ...one, content: textOf(text) } : one));
  if (name === 'shorten') return history.slice(0, history.indexOf(message) + 1);
  return history;
}

const chosen = ({ messages, tokens, epoch }) => ({ messages, tokens, epoch });

/** Opens a session whose epochs are told nothing. */
function forgetful(open) {
  const session = open();
  return {
    next(history) {
      native.Fitter = class {
        constructor(parts, options) {
          // biome-ignore lint/correctness/noConstructorReturn: in the place of the engine's class
          return new Fitter(parts, options);
        }
      };
      try {
        return session.next(history);
      } finally {
        native.Fitter = Fitter;
      }
    },
  };
}

let epochs = 0;

test('kept facts change no result', async () => {
  const run = async ({ texts, deeds, options, others, resumed }) => {
    const open = (given, saved) =>
      createSession({ now: () => 0, format: 'openai-chat', ...given }, saved && JSON.parse(JSON.stringify(saved)));
    // Two sessions share messages, with options of their own.
    const sessions = [options, others].map((given) => ({ given, session: open(given), twin: forgetful(() => open(given)) }));
    let history = said(texts[0], 0);
    for (const [index, deed] of deeds.entries()) {
      history = after(history, deed, (number) => texts[number % texts.length], 10 * index + 1);
      for (const one of sessions) {
        const fresh = one.twin.next(history);
        const step = await (index % 3 === 2 ? one.session.nextAsync(history) : one.session.next(history));
        assert.deepEqual(chosen(step), chosen(fresh));
        if (step.epoch?.number > 1) epochs++;
        if (index !== resumed) continue;
        const saved = one.session.toJSON();
        Object.assign(one, { session: open(one.given, saved), twin: forgetful(() => open(one.given, saved)) });
      }
    }
  };
  const life = fc.record({
    texts: fc.array(text, { minLength: 2, maxLength: 12 }),
    deeds: fc.array(deed, { minLength: 4, maxLength: 14 }),
    resumed: fc.nat(14),
    options,
    others: options,
  });
  await fc.assert(fc.asyncProperty(life, run), { numRuns: cases(60) });
  assert.ok(epochs > cases(100), `${epochs} epochs that could use facts`);
});

test('epochs of one session at the same time choose the same', async () => {
  const history = Array.from({ length: 60 }, (_, index) => said(`${LINES.join('\n')} ${index}\n`.repeat(4), index)).flat();
  const open = () => createSession({ limit: 2000, format: 'openai-chat', now: () => 0 });
  const [one, other] = [open(), open()];
  const firsts = await Promise.all([one.nextAsync(history.slice(0, 50)), other.nextAsync(history.slice(0, 50))]);
  const pending = one.nextAsync(history);
  const [second, at] = [other.next(history), one.next(history)];
  assert.deepEqual(chosen(firsts[0]), chosen(firsts[1]));
  assert.deepEqual(chosen(at), chosen(second));
  // It comes after the other request, and says the same again.
  assert.deepEqual((await pending).messages, second.messages);
});
