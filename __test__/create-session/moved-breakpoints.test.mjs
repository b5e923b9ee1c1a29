// Callers move their breakpoints from request to request, in place or in copies. What is sent has them where the history has them, also in results that
// are written in fewer tokens, and where several sessions go on with the same objects.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'palimpsest';
import { deepFreeze } from './life.mjs';
import { Random } from '../support/random.mjs';
import { cases, SEED } from '../support/seed.mjs';

const random = new Random(SEED);

/** A call and its result, which is written in fewer tokens without the blanks of its JSON. */
function exchange(id) {
  const rows = Array.from({ length: random.integer(3, 11) }, (_, row) => ({ row, name: `item ${id} ${row}`, tags: ['a', 'b'] }));
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id: `call_${id}`, name: 'list_items', input: { page: id } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `call_${id}`, content: JSON.stringify(rows, null, 4) }] },
  ];
}

const blocksOf = (messages) => messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
/** The breakpoint of each block. */
const breakpoints = (messages) => blocksOf(messages).map(({ cache_control }) => cache_control?.ttl ?? cache_control?.type);

/** Moves the breakpoints of a history: in place, or in copies of the messages where those can't change. */
function moved(history) {
  const blocks = blocksOf(history);
  if (blocks.length === 0) return history;
  const marked = new Set([random.integer(0, blocks.length - 1), random.integer(0, blocks.length - 1)]);
  const marker = random.pick([{ type: 'ephemeral' }, { type: 'ephemeral', ttl: '1h' }]);
  let at = 0;
  return history.map((message) => {
    if (!Array.isArray(message.content)) return message;
    const wanted = message.content.map(() => (marked.has(at++) ? marker : undefined));
    if (message.content.every(({ cache_control }, index) => cache_control?.ttl === wanted[index]?.ttl && !cache_control === !wanted[index]))
      return message;
    const changed = Object.isFrozen(message) || random.chance(0.3) ? structuredClone(message) : message;
    changed.content.forEach((block, index) => {
      delete block.cache_control;
      if (wanted[index] !== undefined) block.cache_control = { ...wanted[index] };
    });
    return changed;
  });
}

test('breakpoints are sent where the history has them', () => {
  let [shorter, marked] = [0, 0];
  for (let run = 0; run < cases(40); run++) {
    const sessions = Array.from({ length: 2 }, () => createSession({ limit: 1e6, format: 'anthropic', now: () => 0, warn: false }));
    let history = [{ role: 'user', content: 'List all items.' }];
    for (let step = 0; step < 12; step++) {
      if (random.chance(0.6)) history.push(...exchange(`${run}_${step}`));
      if (random.chance(0.2)) history = history.map((message) => (random.chance(0.3) ? deepFreeze(message) : message));
      if (random.chance(0.7)) history = moved(history);
      for (const session of sessions) {
        if (random.chance(0.2)) continue;
        const { messages } = session.next(history);
        assert.deepEqual(breakpoints(messages), breakpoints(history), `run ${run}, step ${step}`);
        blocksOf(messages).forEach(({ content, cache_control }, index) => {
          const isShorter = content !== blocksOf(history)[index].content;
          shorter += isShorter;
          marked += isShorter && cache_control !== undefined;
        });
        // A client may set one of its own in what it sends, and does not take it back.
        const free = blocksOf(messages).filter((block) => !Object.isFrozen(block));
        if (free.length > 0 && random.chance(0.3)) random.pick(free).cache_control = { type: 'ephemeral' };
      }
    }
  }
  assert.ok(shorter > cases(100) && marked > cases(10), `${shorter} results in fewer tokens, ${marked} of them with a breakpoint`);
});
