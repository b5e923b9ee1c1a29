// Ways to break a conversation.
import fc from 'fast-check';

/** Values of the formats in wrong places, and values that are no part of them. */
const strange = fc.constantFrom(
  null,
  '',
  ' ',
  '\n\n',
  0,
  true,
  [],
  {},
  'x',
  'call_1',
  'call_2',
  'srvtoolu_0',
  '{',
  '[]',
  '{"a":1}',
  'user',
  'assistant',
  'system',
  'tool',
  'developer',
  'wizard',
  { role: 'user', content: 'Go on.' },
  { role: 'assistant', content: 'I will.' },
  [{ type: 'text', text: 'x' }],
);

/** A change at one place of the conversation, which `at` picks. */
const change = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('drop', 'drop', 'repeat', 'repeat', 'swap', 'swap', 'copy', 'empty', 'replace', 'replace'),
  value: strange,
  depth: fc.integer({ min: 1, max: 7 }),
});
export const changes = fc.array(change, { minLength: 1, maxLength: 2 });

/** Returns all places in a value down to a depth: `[holder, key]`. */
function* places(holder, depth) {
  for (const key of Object.keys(holder)) {
    yield [holder, Array.isArray(holder) ? Number(key) : key];
    const value = holder[key];
    if (depth > 1 && typeof value === 'object' && value !== null) yield* places(value, depth - 1);
  }
}

const kind = (value) => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);
const empties = { array: [], object: {}, string: '' };

/**
 * Types of parts stay or are exchanged: the strict server refuses types that it doesn't know, as a provider would, but
 * `validate` takes them for newer than itself.
 */
export function breakIt(messages, all) {
  const broken = structuredClone(messages);
  for (const { at, how, value, depth } of all) {
    const candidates = [...places(broken, depth)].filter(
      ([holder, key]) => key !== 'type' && !(kind(holder) === 'object' && 'url' in holder),
    );
    if (candidates.length === 0) continue;
    const [holder, key] = candidates[at % candidates.length];
    const isList = Array.isArray(holder);
    if (how === 'drop') isList ? holder.splice(key, 1) : delete holder[key];
    else if (how === 'repeat' && isList) holder.splice(key, 0, structuredClone(holder[key]));
    else if (how === 'swap' && isList && key + 1 < holder.length) [holder[key], holder[key + 1]] = [holder[key + 1], holder[key]];
    else if (how === 'copy') {
      // Another value of the same key: an id for an id, a text, a role, the content of another message.
      const others = [...places(broken, 7)].filter(([, other]) => other === key);
      const [from, other] = others[(at * 7 + 3) % others.length];
      holder[key] = structuredClone(from[other]);
    } else if (how === 'empty' && kind(holder[key]) in empties) holder[key] = structuredClone(empties[kind(holder[key])]);
    else if (how === 'replace') holder[key] = structuredClone(value);
  }
  return broken;
}
