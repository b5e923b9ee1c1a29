// Histories that were edited after the cut: removed content is restored exactly, or its key is in `missing`.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import fc from 'fast-check';

import { compress, countTokens, fit, prune, restore } from 'palimpsest';
import { cases } from '../support/seed.mjs';
import { explains } from './explains.mjs';
import { sorted, viaJson } from './stores.mjs';

// ---- Conversations that repeat themselves --------------------------------------------------------------------------

const file = (name) => Array.from({ length: 12 }, (_, line) => `export const ${name}${line} = ${line};`).join('\n');
const talk = (topic) =>
  `Well, ${topic} is a nice thing to talk about. We like it a lot, and so it goes on and on. It is good that we have it here. `.repeat(2);

/** Messages of which many read alike, as they were written and once they are cut. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom({ user: 'Go on.' }, { assistant: 'ok' }, { user: 'ok' }) },
  { weight: 3, arbitrary: fc.constantFrom('music', 'sport', 'art').map((topic) => ({ user: talk(topic) })) },
  { weight: 2, arbitrary: fc.constantFrom('music', 'sport').map((topic) => ({ assistant: talk(topic) })) },
  {
    weight: 3,
    arbitrary: fc.record({ tool: fc.constant('Read'), path: fc.constantFrom('a.ts', 'b.ts'), output: fc.constantFrom('a', 'b').map(file) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      tool: fc.constant('Write'),
      path: fc.constantFrom('a.ts', 'b.ts'),
      content: fc.constantFrom('a', 'b').map(file),
      output: fc.constant('ok'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      tool: fc.constant('Bash'),
      command: fc.constantFrom('npm test', 'ls'),
      output: fc.constantFrom('1 failed', file('x')),
    }),
  },
);
const steps = fc.array(step, { minLength: 3, maxLength: 14 }).map((list) => [{ user: 'Start.' }, ...list, { user: 'Go on.' }]);

const SPEAK = {
  'openai-chat': ({ user, assistant, tool, output, ...input }, id) => {
    if (user) return [{ role: 'user', content: user }];
    if (assistant) return [{ role: 'assistant', content: assistant }];
    const call = { id, type: 'function', function: { name: tool, arguments: JSON.stringify(input) } };
    return [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content: output },
    ];
  },
  anthropic: ({ user, assistant, tool, output, ...input }, id) => {
    if (user) return [{ role: 'user', content: user }];
    if (assistant) return [{ role: 'assistant', content: [{ type: 'text', text: assistant }] }];
    const result = { type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text: output }] };
    return [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: tool, input }] },
      { role: 'user', content: [result] },
    ];
  },
  gemini: ({ user, assistant, tool, output, ...args }) => {
    if (user) return [{ role: 'user', parts: [{ text: user }] }];
    if (assistant) return [{ role: 'model', parts: [{ text: assistant }] }];
    const response = { functionResponse: { name: tool, response: { lines: output.split('\n'), code: 0 } } };
    return [
      { role: 'model', parts: [{ functionCall: { name: tool, args } }] },
      { role: 'user', parts: [response] },
    ];
  },
  'openai-responses': ({ user, assistant, tool, output, ...input }, id) => {
    if (user) return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: user }] }];
    if (assistant) return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: assistant }] }];
    return [
      { type: 'function_call', call_id: id, name: tool, arguments: JSON.stringify(input) },
      { type: 'function_call_output', call_id: id, output },
    ];
  },
};
SPEAK['openai-agents'] = (one, id) =>
  SPEAK['openai-responses'](one, id).map(({ call_id: callId, ...item }) => {
    if (item.type === 'function_call') return { ...item, callId };
    if (item.type === 'message') return { ...item, providerData: {} };
    return { ...item, type: 'function_call_result', callId, name: 'tool', status: 'completed' };
  });
const say = (format, list) => list.flatMap((one, index) => SPEAK[format](one, `call_${index}`));
/** A message of the user that nobody cut. */
const userSays = (format, text) => SPEAK[format]({ user: text })[0];

// ---- Cuts ----------------------------------------------------------------------------------------------------------

const keep = { recent: 0 };
const CUTS = {
  'prune, stubs': (messages, format) => prune(messages, { format, keep }),
  'prune, removing': (messages, format) => prune(messages, { format, keep, mode: 'remove' }),
  'fit to a half': (messages, format) => fit(messages, { format, limit: Math.floor(countTokens(messages, { format }) * 0.5) }),
  'fit to nothing': (messages, format) => fit(messages, { format, limit: 1 }),
  compress: (messages, format) => {
    const { messages: compressed, verbatim } = compress(messages, { format, recencyWindow: 1, relevanceThreshold: 3 });
    return { messages: compressed, originals: verbatim };
  },
};

// ---- How people edit -----------------------------------------------------------------------------------------------

/** A copy of a message in which one code unit of one text is another. */
function spoilt(message, at) {
  const texts = [];
  const collect = (value, path) => {
    if (typeof value === 'string') texts.push({ value, path });
    else if (value !== null && typeof value === 'object') for (const key of Object.keys(value)) collect(value[key], [...path, key]);
  };
  collect(message, []);
  const long = texts.filter(
    ({ value, path }) =>
      value.length > 0 && !['role', 'type', 'tool_use_id', 'call_id', 'tool_call_id', 'id', 'name'].includes(path.at(-1)),
  );
  if (long.length === 0) return message;
  const { value, path } = long[Math.floor(at * long.length)];
  const unit = Math.floor(((at * 7919) % 1) * value.length);
  const copy = viaJson(message);
  const parent = path.slice(0, -1).reduce((inner, key) => inner[key], copy);
  parent[path.at(-1)] = value.slice(0, unit) + (value[unit] === 'x' ? 'y' : 'x') + value.slice(unit + 1);
  return copy;
}

const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const edit = fc.oneof(
  fc.record({ what: fc.constantFrom('delete', 'spoil', 'copy', 'quote', 'insert', 'repeat'), place, to: place }),
  fc.record({ what: fc.constantFrom('first', 'last', 'append'), place, to: place }),
);

/**
 * The messages after an edit: each is a message that the cut left, with its number, or the user's own.
 *
 * @returns {{ message: object, of?: number }[]}
 */
function edited(list, format, { what, place: where, to }) {
  const at = Math.floor(where * list.length);
  const into = Math.floor(to * (list.length + 1));
  const own = (message) => ({ message });
  if (list.length === 0) return [own(userSays(format, 'New.'))];
  switch (what) {
    case 'delete':
      return list.toSpliced(at, 1 + Math.floor(to * 2));
    case 'spoil':
      return list.with(at, own(spoilt(list[at].message, to)));
    case 'copy':
      return list.toSpliced(into, 0, own(viaJson(list[at].message)));
    case 'quote':
      return list.toSpliced(into, 0, own(userSays(format, firstText(list[at].message))));
    case 'insert':
      return list.toSpliced(into, 0, own(userSays(format, 'By the way.')));
    case 'repeat':
      return list.toSpliced(into, 0, own(userSays(format, 'Go on.')));
    case 'first':
      return list.slice(at);
    case 'last':
      return list.slice(0, at);
    default:
      return [...list, own(SPEAK[format]({ assistant: 'ok' })[0]), own(userSays(format, 'Go on.'))];
  }
}

function firstText(value) {
  if (typeof value === 'string') return value;
  const { role, type, ...rest } = value;
  return Object.values(rest)
    .map((inner) => (inner === null ? undefined : typeof inner === 'object' || typeof inner === 'string' ? firstText(inner) : undefined))
    .find(Boolean);
}

const reads = (one, two) => JSON.stringify(one.message) === JSON.stringify(two.message);

/** Treats a copy at the place of its message as that message, because nothing distinguishes them. */
function withoutDoubles(list, left) {
  const found = [];
  for (const [index, item] of list.entries()) {
    const before = found.findLast(({ of }) => of !== undefined)?.of ?? -1;
    const behind = list.slice(index).find(({ of }) => of !== undefined)?.of ?? left.length;
    const isSame = (message, at) => at > before && at < behind && reads({ message }, item);
    const of = item.of ?? left.findIndex(isSame);
    found.push(of < 0 ? item : { ...item, of });
  }
  return found;
}

/** The same list where of neighbours that read the same those that the cut left come first: nothing distinguishes these, either. */
function leftFirst(list) {
  const found = [];
  for (const item of list) {
    let end = found.length;
    if (item.of !== undefined) while (end > 0 && found[end - 1].of === undefined && reads(found[end - 1], item)) end--;
    found.splice(end, 0, item);
  }
  return found;
}

const seen = { exact: 0, missing: 0, edits: 0 };

for (const format of Object.keys(SPEAK)) {
  describe(format, () => {
    for (const [name, cut] of Object.entries(CUTS)) {
      test(`${name}: exact, or named`, () => {
        fc.assert(
          fc.property(
            steps,
            fc.array(edit, { maxLength: 3 }),
            fc.constantFrom((x) => x, viaJson, sorted),
            (said, edits, store) => {
              const given = say(format, said);
              const { messages, originals } = cut(given, format);
              let list = messages.map((message, of) => ({ message, of }));
              for (const one of edits) list = withoutDoubles(edited(list, format, one), messages);
              const history = list.map(({ message }) => message);
              const kept = store(originals);
              const back = restore(history, kept);
              const isExplained = (outcome) =>
                [list, leftFirst(list)].some((one) => explains({ given, left: messages, list: one, back: outcome, originals }));
              assert.ok(isExplained(back), JSON.stringify({ given, left: messages, history, back }, null, 1));
              if (edits.length === 0) assert.deepEqual(back.missing, []);
              seen[back.missing.length > 0 ? 'missing' : 'exact']++;
              if (edits.length > 0) seen.edits++;
              // A second restore finds, at most, what the first could not tell apart.
              const again = restore(back.messages, kept);
              assert.ok(
                isExplained({ ...again, missing: back.missing }),
                JSON.stringify({ given, left: messages, history, back, again }, null, 1),
              );
              if (back.missing.length === 0) assert.deepEqual(again.messages, back.messages, 'restored twice is restored once');
            },
          ),
          { numRuns: cases(60) },
        );
      });
    }
  });
}

test('both outcomes were reached', () => {
  assert.ok(seen.exact > seen.edits / 4 && seen.missing > cases(20), JSON.stringify(seen));
});
