// Generated conversations of agents, the same in every format: messages, calls and results are drawn once, and each
// format writes them as its own messages. All are valid by their provider's rules (a call may be open at the end).
import fc from 'fast-check';
import { character } from './characters.mjs';
import { PROVIDERS } from '../providers/index.mjs';

export { FORMATS } from '../providers/index.mjs';

// ---- Contents -----------------------------------------------------------------------------------------------------

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Texts that are never empty, some of them long, some that look like a marker or hold half of a surrogate pair. */
export const someText = fc.oneof(
  { weight: 6, arbitrary: fc.lorem({ maxCount: 12 }) },
  { weight: 2, arbitrary: fc.lorem({ maxCount: 60, mode: 'sentences' }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'ok',
      'continue',
      '[palimpsest:3f9a2c81 stale read]',
      '[palimpsest:]',
      '{"a": 1.0}',
      '\ud83d',
      '灯台守 😀',
      'a\r\n\tb\\"',
    ),
  },
  { weight: 1, arbitrary: fc.string({ minLength: 1, unit: character }) },
);
const someJson = fc.oneof(
  fc.constantFrom(
    1e21,
    0.1,
    -3,
    null,
    true,
    [],
    {},
    [1, [2]],
    { nested: { deep: ['x', { y: null }] } },
    JSON.parse('{"__proto__":{"a":1},"b":2}'),
  ),
  someText,
);
const someArguments = fc.oneof(
  fc.record({ path: fc.constantFrom('src/a.ts', './src/a.ts', '/root/b.py'), content: someText }, { requiredKeys: ['path'] }),
  fc.record({ command: fc.constantFrom('npm test', 'ls -la', 'git status') }),
  fc.dictionary(fc.constantFrom('z', 'a', '10', '2', '__proto__', 'long key'), someJson, { maxKeys: 4 }),
);
const block = fc.oneof({ weight: 4, arbitrary: someText.map((text) => ({ text })) }, { weight: 1, arbitrary: fc.constant({ image: PNG }) });
const someResult = fc.record({
  blocks: fc.oneof({ weight: 3, arbitrary: someText }, { weight: 2, arbitrary: fc.array(block, { minLength: 1, maxLength: 3 }) }),
  json: fc.option(fc.dictionary(fc.constantFrom('rows', 'total', 'error', 'output'), someJson, { minKeys: 1, maxKeys: 3 }), { freq: 4 }),
  failed: fc.boolean(),
});
const someCall = fc.record({
  name: fc.constantFrom('Read', 'Bash', 'Edit', 'get_weather'),
  args: someArguments,
  result: someResult,
});
const assistantTurn = fc.record({
  who: fc.constant('assistant'),
  reasoning: fc.option(fc.record({ text: someText, signed: fc.boolean() }), { freq: 3 }),
  text: fc.option(someText),
  calls: fc.oneof(fc.constant([]), fc.array(someCall, { minLength: 1, maxLength: 3 })),
  odd: fc.boolean(),
});
const userTurn = fc.record({
  who: fc.constant('user'),
  text: someText,
  more: fc.array(block, { maxLength: 2 }),
});

/**
 * Exchanges, with numbered calls: a user's turn, then turns of the assistant. Only the last turn of an exchange
 * has no call.
 */
export const dialogue = fc
  .array(fc.tuple(userTurn, fc.array(assistantTurn, { maxLength: 4 }), someText), { minLength: 1, maxLength: 5 })
  .chain((exchanges) => fc.record({ exchanges: fc.constant(exchanges), system: fc.option(someText), open: fc.boolean() }))
  .map(({ exchanges, system, open }) => {
    let count = 0;
    const turns = [];
    for (const [user, steps, end] of exchanges) {
      turns.push(user);
      for (const step of steps) {
        if (step.calls.length === 0) continue;
        const calls = step.calls.map((call) => ({ ...call, id: `call_${++count}`, answered: true }));
        turns.push({ ...step, calls });
      }
      turns.push({ who: 'assistant', reasoning: null, text: end, calls: [], odd: false });
    }
    const last = turns.at(-2);
    // A conversation that waits for its tools: no call of the last turn has a result.
    if (open && last.calls?.length > 0) {
      turns.pop();
      turns[turns.length - 1] = { ...last, calls: last.calls.map((call) => ({ ...call, answered: false })) };
    }
    return { system, turns };
  });

/** Those whose texts all have more than blanks, as Anthropic wants it. */
export const wordy = dialogue.filter((spoken) => !/:\s*"(?:\s|\\[nrtfv]|\\u00[0-2][\da-f])*"/.test(JSON.stringify(spoken)));

/** Conversations in one format. */
export const transcript = (format) => dialogue.map(PROVIDERS[format].say);

/** Writes the conversation that `dialogue` draws, in a format. */
export const sayIn = (format, spoken) => PROVIDERS[format].say(spoken);

const isResult = ({ role, type }) => role === 'user' || role === 'tool' || type === 'tool' || /_(output|result)$/.test(type);

/** The messages with results for the calls of the conversation's last turn that wait for them. */
export function answered({ answer, say }, messages, { turns }) {
  const { calls, ...turn } = turns.at(-1);
  if (!calls?.some((call) => !call.answered)) return messages;
  if (answer) return answer(messages);
  return [
    ...messages,
    ...say({ system: null, turns: [{ ...turn, calls: calls.map((call) => ({ ...call, answered: true })) }] }).filter(isResult),
  ];
}

/**
 * Edits of a conversation's parts that name calls and results together, as the engine's do: a call and everything in its
 * result go, or their texts are replaced, or nothing happens; `choices` decides, a number from 0 to 1 for each part.
 */
export function someEdits(parts, choices) {
  const edits = [];
  const choice = (index) => choices[index % choices.length];
  const results = new Map();
  parts.forEach((part) => part.call >= 0 && results.set(part.call, [...(results.get(part.call) ?? []), part]));
  parts.forEach((part, index) => {
    const chosen = choice(index);
    if (part.kind === 'call') {
      const group = [part, ...(results.get(index) ?? [])];
      if (chosen < 0.25 && results.has(index) && group.every(({ locked }) => locked === undefined))
        return edits.push(...group.map((one) => ({ part: one, remove: true })));
      for (const one of group.slice(1))
        if (chosen < 0.6 && one.kind === 'result' && !one.locked) edits.push({ part: one, text: chosen < 0.4 ? '' : one.text.slice(0, 9) });
      if (chosen > 0.4 && chosen < 0.6 && !part.locked)
        edits.push({ part, text: chosen < 0.5 ? '{"path":"a","content":"[palimpsest:]"}' : part.text.startsWith('{') ? part.text : '{}' });
    } else if (part.call === undefined && part.kind === 'text' && !part.locked) {
      if (part.role === 'assistant' && chosen < 0.2) edits.push({ part, remove: true });
      else if (chosen < 0.4) edits.push({ part, text: part.text.slice(0, 5).trimEnd() });
    } else if (part.kind === 'reasoning' && chosen < 0.2) edits.push({ part, remove: true });
  });
  return edits;
}
