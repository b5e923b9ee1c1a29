// Faults: results that were cut, and that the model asked for again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'palimpsest';

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
