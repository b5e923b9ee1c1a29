// Messages of providers: `prune`, `compress` with a format, `restore`.
import { prune } from 'palimpsest';
import { cases } from './family.mjs';

const call = (id, name, input) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
});
const result = (id, content) => ({ role: 'tool', tool_call_id: id, content });

/** Reads of ranges of a few files, which edits make stale. */
const partialReads = (count) =>
  Array.from({ length: count }, (_, index) => {
    const file_path = `/r/${index % 7}.ts`;
    const offset = 1 + ((index * 37) % 5000);
    const shown = Array.from({ length: 9 }, (_, line) => `${offset + line}\tlet name_${index}_${line} = 1;`).join('\n');
    const read = [call(`r${index}`, 'Read', { file_path, offset, limit: 9 }), result(`r${index}`, shown)];
    if (index % 3 !== 0) return read;
    const edit = { file_path, old_string: 'x', new_string: `let name_${index}_3 = 1;` };
    return [...read, call(`e${index}`, 'Edit', edit), result(`e${index}`, 'done')];
  }).flat();

/** Results of nothing but the lines in which harnesses tell what came of a call, over and over. */
const toldBy = (count) => {
  const lines = [
    'Exit code 1',
    '<shell_metadata>',
    '</shell_metadata>',
    "[execute_command for 'x'] Result:",
    'Directory: x',
    'Output: x',
    'Command "x" failed with exit code 1.',
    '…1 tokens truncated…',
    '[Command finished with exit code 1]',
    'Shell cwd was reset to /x',
    '<returncode>1</returncode>',
  ];
  const text = Array.from({ length: count }, (_, index) => lines[(index * 7) % lines.length]).join('\n');
  const calls = {
    Bash: 'command',
    exec_command: 'cmd',
    run_shell_command: 'command',
    bash: 'command',
    execute_command: 'command',
    terminal: 'command',
  };
  const starts = ['', 'Command: ', "[execute_command for '", 'Command "', 'Output: ', '[{"query":"', '{"output":"', '```\n'];
  return Object.entries(calls).flatMap(([name, command]) =>
    starts.flatMap((start, index) => [call(`${name}${index}`, name, { [command]: `x ${index}` }), result(`${name}${index}`, start + text)]),
  );
};

const prose =
  'The worker reads the queue and writes to the table. It was slow, and nobody knew why for a week or two. We looked at the logs again. ';
const manyBlocks = (count) => [
  { role: 'assistant', content: Array.from({ length: count }, (_, index) => ({ type: 'text', text: `${index} ${prose.repeat(2)}` })) },
  { role: 'user', content: 'ok' },
];

/** A history in which every second message was replaced, after an additional first message. */
function pruned(count) {
  const read = (index) => [call(`c${index}`, 'Read', { path: 'a' }), result(`c${index}`, `the same text\n${prose.repeat(3)}`)];
  const { messages, originals } = prune(Array.from({ length: count / 2 }, (_, index) => read(index)).flat(), { keep: { recent: 0 } });
  return { messages: [{ role: 'system', content: 'New.' }, ...messages], originals };
}

export const agent = [
  ...cases('prune', 8000, { 'reads of ranges': partialReads }, ({ prune }, messages) => prune(messages, { keep: { recent: 0 } })),
  ...cases('prune, outcomes', 4000, { 'lines of harnesses': toldBy }, ({ prune }, messages) => prune(messages, { keep: { recent: 0 } })),
  ...cases('compress, anthropic, and restore', 8000, { 'blocks of a message': manyBlocks }, ({ compress, restore }, messages) => {
    const { messages: out, verbatim } = compress(messages, { format: 'anthropic', recencyWindow: 1, tokenizer: 'estimate' });
    restore(out, verbatim);
  }),
  ...cases('restore', 20_000, { 'half of the messages': pruned }, ({ restore }, { messages, originals }) => restore(messages, originals)),
];
