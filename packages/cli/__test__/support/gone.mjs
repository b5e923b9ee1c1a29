// Judges what a page says of a message that is missing: by the requests themselves, whoever sent them.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

/** A message as it is compared: breakpoints of the cache move. */
export const plain = (message) => JSON.parse(JSON.stringify(message, (key, value) => (key === 'cache_control' ? undefined : value)));

/** The strings in a value, but for what a model thought, which is told apart. */
function textsIn(value) {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object' || isThought(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => (/^(?:reasoning|thoughtSignature)/.test(key) ? [] : textsIn(inner)));
}
const isThought = ({ type, thought }) => thought === true || ['thinking', 'redacted_thinking', 'reasoning'].includes(type);

/** What names the calls that a message answers. Their results may be written in fewer tokens. */
const answeredIn = (message) =>
  [message, ...(Array.isArray(message.content) ? message.content : [])].flatMap(({ tool_call_id, tool_use_id, call_id, type }) =>
    type === 'function_call' ? [] : [tool_call_id ?? tool_use_id ?? call_id ?? []].flat(),
  );

export const numbersIn = (ranges) =>
  ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index));

/**
 * Asserts what a session of a report says of its messages that are missing.
 *
 * @param {{ messages: { fate: string, gone?: object }[], known?: number }} session
 * @param {object[]} history
 * @param {{ sent: object[], length: number, epoch?: string, from?: number }[]} requests of the session, in order, with the number of messages of their histories
 * @returns how many messages were judged, by how they went
 */
export function judge({ messages, known }, history, requests) {
  const counts = {};
  const all = history.map(plain);
  const sent = requests.map((request) => request.sent.map(plain));
  const json = sent.map((list) => JSON.stringify(list));
  const numbers = requests.map((_, index) => index + 1);
  /** Whether a request says a text: arguments of calls are JSON in JSON. */
  const says = (number, text) =>
    [text, JSON.stringify(text).slice(1, -1)].some((one) => json[number - 1].includes(JSON.stringify(one).slice(1, -1)));
  for (const [index, { fate, gone }] of messages.entries()) {
    assert.ok(fate !== 'kept' || gone === undefined);
    if (gone === undefined) continue;
    const { how, had, request, epoch, mark, markOf, because, back } = gone;
    counts[how] = (counts[how] ?? 0) + 1;
    if (how === 'compacted') {
      assert.equal(requests[request - 1].from > index, true);
      assert.ok(request === 1 || !(requests[request - 2].from > index));
      continue;
    }
    // Of one that was said again, nobody can tell which one it is.
    if (all.filter((one) => isDeepStrictEqual(one, all[index])).length > 1) continue;
    const own = numbers.filter(
      (number) => number >= known && requests[number - 1].length > index && (requests[number - 1].from ?? 0) <= index,
    );
    const listed = numbersIn(had);
    for (const number of own) {
      const isWhole = sent[number - 1].some((one) => isDeepStrictEqual(one, all[index]));
      assert.ok(!isWhole || listed.includes(number), `message ${index}: request ${number} has it`);
      if (!listed.includes(number)) assert.ok(!isWhole);
      const answered = answeredIn(all[index]);
      for (const text of answered.length > 0 ? answered : textsIn(all[index]))
        if (listed.includes(number)) assert.ok(says(number, text), `message ${index}: request ${number} lacks it: ${text.slice(0, 80)}`);
    }
    assert.ok(listed.every((number) => own.includes(number)));
    if (how === 'whole') {
      assert.deepEqual([listed.at(-1), back], [requests.length, []]);
      continue;
    }
    if (how === 'shortened' || (how === 'thinking' && listed.at(-1) === requests.length)) {
      assert.deepEqual(back, [how === 'thinking' ? how : 'shorten']);
      if (how === 'thinking') assert.ok(Array.isArray(all[index].content) ? all[index].content.some(isThought) : true);
      continue;
    }
    if (how === 'removed' || how === 'cut') for (const by of ['pin', 'limit', 'recall']) assert.ok(back.includes(by));
    assert.notEqual(listed.at(-1), requests.length, `message ${index} is in the last request`);
    if (request === undefined) continue;
    assert.equal(request, listed.length > 0 ? listed.at(-1) + 1 : own[0], `message ${index}`);
    assert.equal(epoch, requests[request - 1].epoch);
    const text = mark ?? (markOf === undefined ? undefined : messages[markOf].gone.mark);
    if (text !== undefined) assert.ok(says(request, text) || text.includes('\n…\n'), text);
    if (because !== undefined) assert.ok(back.includes('prune'));
  }
  return counts;
}
