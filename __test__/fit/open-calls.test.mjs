// Calls that wait for their results stay unchanged, in every format: a tool is running.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertToModelMessages } from 'ai';
import fc from 'fast-check';
import { compress, countTokens, fit, prune } from '../../unbundled/index.js';
import { cases, someOf } from '../support/seed.mjs';
import { FORMATS, sayIn } from '../support/transcripts.mjs';
import { createRequire } from 'node:module';
import { lines } from './talk.mjs';

const { formatOf } = createRequire(import.meta.url)('../../unbundled/providers/index.js');

const content = (n) => lines(20, (line) => `export const value_${n}_${line} = ${line};`);
const call = fc.record({
  name: fc.constantFrom('Write', 'Bash', 'Read'),
  seed: fc.nat(999),
  isAnswered: fc.boolean(),
});
const step = fc.array(call, { minLength: 1, maxLength: 4 });
const drawn = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  isLast: fc.boolean(),
  reasoning: fc.boolean(),
});

/** An agent's conversation with unanswered calls at its end or, unless `isLast`, in the middle too. */
function turnsOf({ steps, isLast, reasoning }) {
  let count = 0;
  const turns = [
    { who: 'user', text: 'Compare the files in the folder docs, and tell me what changed between all of them, please.', more: [] },
  ];
  steps.forEach((calls, index) => {
    const mayWait = !isLast || index === steps.length - 1;
    const args = ({ name, seed }) =>
      name === 'Write'
        ? { file_path: `src/a${seed}.ts`, content: content(seed) }
        : name === 'Bash'
          ? { command: `run ${seed}` }
          : { file_path: `src/a${seed % 3}.ts` };
    turns.push({
      who: 'assistant',
      reasoning: reasoning ? { text: 'Let me see.', signed: false } : null,
      text: index % 2 ? 'Next.' : null,
      odd: false,
      // Gemini's calls have no ids here: responses are told apart by names, in order.
      calls: calls.map((one) => ({
        id: `call_${++count}`,
        name: one.name,
        args: args(one),
        answered: one.isAnswered || !mayWait,
        result: { blocks: content(count), json: null, failed: false },
      })),
    });
    if (!isLast && index % 2) turns.push({ who: 'user', text: `And number ${index}?`, more: [] });
  });
  return turns;
}

/** Returns the calls without a result: name, id, arguments. */
function waiting(messages, format) {
  const parts = formatOf(messages, format).read(messages);
  const answered = new Set(parts.map(({ call: answers }) => answers));
  return parts
    .filter(({ kind }, index) => kind === 'call' && !answered.has(index))
    .map(({ name, callId, text }) => ({ name, callId, text }));
}

for (const format of someOf(FORMATS.filter((name) => name !== 'message'))) {
  test(`${format}: open calls stay, with id, name and arguments`, () => {
    let seen = 0;
    fc.assert(
      fc.property(drawn, (spoken) => {
        const messages = sayIn(format, { system: null, turns: turnsOf(spoken) });
        const open = waiting(messages, format);
        if (open.length === 0) return;
        seen++;
        const total = countTokens(messages, { format });
        const results = [0, 0.1, 0.3, 0.6, 0.9].map((share) => fit(messages, { format, limit: Math.floor(total * share) }));
        results.push(fit(messages, { format, limit: total - 8 }));
        for (const mode of ['stub', 'remove']) results.push(prune(messages, { format, mode, keep: { recent: 0 } }));
        results.push(compress(messages, { format, recencyWindow: 0 }), compress(messages, { format, recencyWindow: 1, tokenBudget: 50 }));
        for (const result of results) assert.deepEqual(waiting(result.messages, format), open);
      }),
      { numRuns: cases(120) },
    );
    assert.ok(seen > cases(60), `${seen}`);
  });
}

test('two open calls in Responses items both stay', () => {
  const items = [
    { type: 'message', role: 'user', content: 'Compare a.txt and b.txt in the folder docs, and tell me what changed between the two.' },
    { type: 'function_call', call_id: 'a', name: 'read', arguments: '{"path":"docs/a.txt"}' },
    { type: 'function_call', call_id: 'b', name: 'read', arguments: '{"path":"docs/b.txt"}' },
  ];
  for (let less = 1; less < countTokens(items); less++)
    assert.deepEqual(fit(items, { limit: countTokens(items) - less }).messages.slice(-2), items.slice(1), `${less}`);
});

// `convertToModelMessages` sends nothing of a call of which only the beginning came, wherever it stands.
test('a call of the AI SDK that was interrupted goes with its message, and stays at the end', async () => {
  const part = { type: 'tool-Write', toolCallId: 't', state: 'input-streaming', input: { file_path: 'a.ts', content: content(1) } };
  const messages = [
    { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
    { id: 'a', role: 'assistant', parts: [{ type: 'text', text: content(3) }, part] },
    { id: 'v', role: 'user', parts: [{ type: 'text', text: 'And?' }] },
    { id: 'c', role: 'assistant', parts: [{ type: 'text', text: 'Yes.' }] },
    { id: 'w', role: 'user', parts: [{ type: 'text', text: 'So?' }] },
    {
      id: 'b',
      role: 'assistant',
      parts: [
        { type: 'text', text: 'Wait.' },
        { ...part, toolCallId: 'u' },
      ],
    },
  ];
  const sent = JSON.stringify(await convertToModelMessages(messages));
  assert.ok(!sent.includes('tool-call') && sent.includes('value_3_0'));
  const without = messages.map((message) => ({ ...message, parts: message.parts.filter(({ type }) => type === 'text') }));
  assert.equal(countTokens(messages), countTokens(without));
  const { messages: left } = fit(messages, { limit: 1 });
  assert.ok(!left.some(({ id }) => id === 'a'));
  assert.deepEqual(left.at(-1), messages.at(-1));
});

test("the AI SDK's states of a call that is not done stay", () => {
  const input = { file_path: 'a.ts', content: content(1) };
  const tool = (state, more) => ({ type: 'tool-Write', toolCallId: `t-${state}`, state, input, ...more });
  const states = [
    tool('input-available'),
    tool('approval-requested', { approval: { id: 'p' } }),
    tool('approval-responded', { approval: { id: 'q', approved: true } }),
    tool('output-available', { preliminary: true, output: { progress: content(2) } }),
  ];
  for (const part of states) {
    const messages = [
      { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
      { id: 'a', role: 'assistant', parts: [{ type: 'text', text: content(3) }, part] },
      { id: 'v', role: 'user', parts: [{ type: 'text', text: 'And?' }] },
      { id: 'b', role: 'assistant', parts: [{ type: 'text', text: 'Wait.' }] },
      { id: 'w', role: 'user', parts: [{ type: 'text', text: content(4) }] },
    ];
    for (const budget of [0, 100, 300, 500, 800]) {
      for (const result of [fit(messages, { limit: budget }), prune(messages, { keep: { recent: 0 }, mode: 'remove' })]) {
        const shown = result.messages.find(({ id }) => id === 'a');
        assert.ok(shown?.parts.includes(part), `${part.state} at ${budget}`);
      }
    }
  }
});
