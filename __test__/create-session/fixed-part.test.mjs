// What is in every request, whatever is cut, has no part in the choice: a session with more in front, and a limit that is larger by as much, sends
// as much of the messages, as often.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTokens, createSession } from 'palimpsest';
import { Random } from '../support/random.mjs';
import { SEED } from '../support/seed.mjs';

const read = { type: 'function', function: { name: 'read', description: 'Reads a file.', parameters: { type: 'object', properties: {} } } };

/** Exchanges of an agent: a question, some reads and an answer. */
function exchanges(random, count) {
  const list = [];
  for (let index = 0; index < count; index++) {
    list.push([{ role: 'user', content: `Why does module ${index} fail? It has ${random.integer(1, 99)} lines.` }]);
    for (let step = 0; step < random.integer(1, 3); step++) {
      const id = `c${index}_${step}`;
      const call = { id, type: 'function', function: { name: 'read', arguments: JSON.stringify({ path: `src/${index}/${step}.ts` }) } };
      const line = () => `const value_${random.integer(1, 9999)} = ${random.integer(1, 9999)};`;
      list.push([
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: id, content: Array.from({ length: random.integer(5, 60) }, line).join('\n') },
      ]);
    }
    list.push([{ role: 'assistant', content: `Since module ${index} has the wrong value.` }]);
  }
  return list;
}

/** What a session sends of the messages behind `front`: tokens of each request, and how many begin an epoch. */
function play(steps, options, front) {
  let time = 0;
  const session = createSession({ format: 'openai-chat', cache: 'anthropic', now: () => time, ...options });
  const history = [...front];
  const pauses = new Random(SEED);
  let [tokens, epochs] = [0, 0];
  for (const messages of steps) {
    history.push(...messages);
    time += pauses.chance(0.1) ? 400_000 : 5000;
    const step = session.next(history);
    assert.ok(step.fits, step.report.summary);
    tokens += countTokens(step.messages.slice(front.length), { format: 'openai-chat' });
    if (step.epoch !== undefined) epochs++;
  }
  return { tokens: tokens / steps.length, epochs };
}

test('more in front, and a limit that is larger by as much, change next to nothing', () => {
  const random = new Random(SEED);
  for (const preset of ['careful', 'balanced', 'thrifty']) {
    const steps = exchanges(random, 40);
    const limit = random.integer(3000, 6000);
    const rules = 'Answer in one sentence. '.repeat(random.integer(100, 2000));
    const plain = play(steps, { preset, limit }, []);
    assert.ok(plain.epochs > 5, `${plain.epochs} epochs`);
    const first = { role: 'system', content: rules };
    const ends = [{ role: 'user', content: 'a' }];
    const cases = [
      [{ tools: [read] }, []],
      [{ system: rules }, []],
      [{}, [first]],
      [{ system: 'Be brief.', tools: [read] }, [first, { role: 'developer', content: 'Use the tools.' }]],
    ];
    for (const [beside, front] of cases) {
      const more = countTokens([...front, ...ends], { format: 'openai-chat', ...beside }) - countTokens(ends, { format: 'openai-chat' });
      const other = play(steps, { preset, limit: limit + more, ...beside }, front);
      const said = JSON.stringify({ preset, limit, more, plain, other, SEED });
      assert.ok(Math.abs(other.tokens - plain.tokens) < 0.08 * plain.tokens, said);
      assert.ok(Math.abs(other.epochs - plain.epochs) <= 1 + 0.15 * plain.epochs, said);
    }
  }
});
