// Conversations of `dialogue` in which an agent's work gives `prune` something to remove.
import fc from 'fast-check';
import { dialogue } from '../support/transcripts.mjs';

const lines = (seed) =>
  Array.from({ length: 12 + (seed % 30) }, (_, line) => `${line + 1}\tline ${line} of text ${seed % 5}, which says nothing new`).join('\n');
const paths = ['src/a.ts', './src/a.ts', 'b.py'];

/** The work of an agent: files that are read, changed and read again, commands that are run again. */
function atWork(call, seed) {
  const file_path = paths[seed % 3];
  const [name, args] = [
    ['Read', { file_path }],
    ['Edit', { file_path, old_string: `old ${seed}`, new_string: lines(seed) }],
    ['Write', { file_path, content: lines(seed) }],
    ['Bash', { command: seed % 2 ? 'npm test' : 'ls -la' }],
    [call.name, call.args],
  ][(seed >> 3) % 5];
  const { blocks } = call.result;
  const long = typeof blocks === 'string' ? lines(seed) : [{ text: lines(seed) }, ...blocks];
  return { ...call, name, args, result: seed % 7 === 0 ? call.result : { ...call.result, json: null, blocks: long } };
}

export const working = fc.tuple(dialogue, fc.array(fc.nat(2000), { minLength: 1, maxLength: 20 })).map(([spoken, seeds]) => {
  let count = 0;
  const turns = spoken.turns.map((turn) =>
    turn.calls ? { ...turn, calls: turn.calls.map((call) => atWork(call, seeds[count++ % seeds.length])) } : turn,
  );
  return { ...spoken, turns };
});
