// Faults: results that were cut, and that the model asked for again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'palimpsest';
import { Random } from '../support/random.mjs';
import { SEED } from '../support/seed.mjs';

const fileOf = (name, more = 0) =>
  Array.from({ length: 40 }, (_, index) => `export const ${name}_${index} = ${index * 7 + (index < more ? 1 : 0)};`).join('\n');

/** Plays an agent that makes calls, each with its result. Returns the faults after each of them. */
function play(calls, options = {}) {
  const session = createSession({ limit: 4000, format: 'openai-chat', ...options });
  const history = [{ role: 'user', content: 'Look for the fault.' }];
  return calls.map(({ name = 'read', arguments: given, result }, index) => {
    const call = { id: `c${index}`, type: 'function', function: { name, arguments: JSON.stringify(given) } };
    history.push({ role: 'assistant', content: null, tool_calls: [call] }, { role: 'tool', tool_call_id: `c${index}`, content: result });
    session.next(history);
    return session.report.faults.count;
  });
}

const read = (path, more) => ({ arguments: { path }, result: fileOf(path, more) });
const others = Array.from({ length: 20 }, (_, index) => read(`other${index}`));

test('a file that was cut and is read again is a fault; one that is still there, or says something else now, is none', () => {
  const list = [read('first'), ...others];
  const repeated = play([
    ...list,
    read('first'),
    read('first'),
    { arguments: { path: 'first', offset: 10 }, result: fileOf('first').slice(300) },
  ]);
  assert.equal(repeated[list.length - 1], 0);
  assert.deepEqual(repeated.slice(-3), [1, 1, 1]);
  assert.equal(play([...list, { arguments: { path: 'first' }, result: fileOf('changed') }]).at(-1), 0);
  assert.equal(play([...list, { name: 'grep', arguments: { path: 'first' }, result: fileOf('first') }]).at(-1), 0);
  assert.equal(play([...list, read('first')], { limit: 100_000 }).at(-1), 0);
});

test('a few changed lines leave it the same file, and the report has them for 100 requests', () => {
  const session = createSession({ limit: 4000, format: 'openai-chat' });
  assert.deepEqual(session.report.faults, { count: 0, per100: 0 });
  assert.equal(play([read('first'), ...others, read('first', 5)]).at(-1), 1);
});

const NAMES = ['size', 'index', 'total', 'first', 'width', 'store', 'retry', 'limit'];

/** How many lines of an answer an epoch behind it leaves. A question before, `earlier`, had the same answer, or another one. */
function linesLeft(random, earlier, isSame) {
  const line = () => `${random.pick(NAMES)} ${random.pick(NAMES)}${random.integer(1, 999)} took ${random.integer(1, 99999)}`;
  const lines = (count) => Array.from({ length: count }, line).join('\n');
  const text = lines(40);
  const asked = [
    { query: earlier, result: isSame ? text : lines(40) },
    ...Array.from({ length: 6 }, (_, index) => ({ query: `then ${index}`, result: lines(30) })),
    { query: 'what is slow', result: text },
    ...Array.from({ length: 30 }, (_, index) => ({ query: `later ${index}`, result: lines(30) })),
  ];
  const session = createSession({ limit: 8000, low: 0.25, format: 'openai-chat', prune: false });
  const history = [{ role: 'user', content: 'Look for the fault.' }];
  for (const [index, { query, result }] of asked.entries()) {
    const call = { id: `c${index}`, type: 'function', function: { name: 'ask', arguments: JSON.stringify({ query }) } };
    history.push({ role: 'assistant', content: null, tool_calls: [call] }, { role: 'tool', tool_call_id: `c${index}`, content: result });
    const { messages, epoch } = session.next(history);
    if (epoch === undefined || index < 9) continue;
    const left = messages.find(({ tool_call_id: id }) => id === 'c7')?.content ?? '';
    return text.split('\n').filter((one) => left.includes(one)).length;
  }
  assert.fail('no epoch');
}

test('an epoch leaves more of a result that was asked for again than of one with the same text that was not', () => {
  const total = (earlier, isSame) => {
    const random = new Random(SEED);
    return Array.from({ length: 20 }, () => linesLeft(random, earlier, isSame)).reduce((sum, count) => sum + count);
  };
  const counts = { again: total('what is slow', true), once: total('what is fast', true), changed: total('what is slow', false) };
  assert.ok(counts.again > 2 * counts.once && counts.again > 2 * counts.changed, JSON.stringify({ SEED, ...counts }));
});
