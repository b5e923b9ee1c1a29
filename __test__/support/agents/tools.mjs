// The agent's tools, and what they find: code, logs and listings made from the input alone.
import { MISSING } from './script.mjs';

/** Numbers from a text, the same in every run (mulberry32 over FNV-1a). */
function randomOf(text) {
  let seed = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) seed = Math.imul(seed ^ text.charCodeAt(i), 0x01000193);
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const VERBS = ['load', 'store', 'merge', 'check', 'encode', 'drain', 'resolve', 'collect', 'render', 'rotate'];
const NOUNS = ['Invoice', 'Batch', 'Token', 'Window', 'Session', 'Record', 'Chunk', 'Lease', 'Cursor', 'Quota'];
const LEVELS = ['INFO', 'INFO', 'INFO', 'DEBUG', 'WARN', 'ERROR'];
const HAPPENED = [
  'accepted after retry',
  'took longer than its budget',
  'was already there, left alone',
  'wrote its checkpoint',
  'was refused: quota exceeded',
  'waits for the lease',
];

function code(random) {
  const verb = VERBS[random(VERBS.length)];
  const noun = NOUNS[random(NOUNS.length)];
  const limit = random(9000);
  return `/** ${noun}: ${HAPPENED[random(HAPPENED.length)]}. */
export async function ${verb}${noun}${random(100)}(input: ${noun}Input, limit = ${limit}): Promise<${noun}> {
  const seen = new Map<string, ${noun}>();
  for (const row of input.rows.slice(${random(5)})) {
    if (row.size > limit) throw new RangeError(\`${verb}: \${row.id} exceeds ${limit}\`);
    seen.set(row.id, { ...row, attempts: row.attempts + ${1 + random(4)}, at: Date.now() });
  }
  return combine([...seen.values()], { order: '${['asc', 'desc'][random(2)]}', retries: ${random(7)} });
}`;
}

function log(random) {
  const time = `2026-11-${10 + random(18)}T${10 + random(13)}:${10 + random(49)}:${10 + random(49)}.${100 + random(899)}Z`;
  const id = random(0xffffff).toString(16).padStart(6, '0');
  return `${time} ${LEVELS[random(LEVELS.length)]} [worker-${random(12)}] ${NOUNS[random(NOUNS.length)].toLowerCase()} ${id} ${HAPPENED[random(HAPPENED.length)]} (${random(4000)} ms)`;
}

function match(random) {
  const file = `src/${NOUNS[random(NOUNS.length)].toLowerCase()}/${VERBS[random(VERBS.length)]}-${random(40)}.ts`;
  return `${file}:${1 + random(400)}:  if (${VERBS[random(VERBS.length)]}${NOUNS[random(NOUNS.length)]}(row, ${random(900)})) return ${random(2) ? 'true' : `fail('${HAPPENED[random(HAPPENED.length)]}')`};`;
}

/** Lines until the text has so many characters. */
function fill(random, one, length, joint) {
  const lines = [];
  for (let sum = 0; sum < length; sum += lines.at(-1).length) lines.push(one(random));
  return lines.join(joint);
}

const results = {
  read: (random, { path }) => `// ${path}\nimport { combine } from '../combine';\n\n${fill(random, code, 4300 + random(1600), '\n\n')}\n`,
  search: (random) => fill(random, match, 2500 + random(2000), '\n'),
  run: (random, { command }) =>
    `> ${command}\n${fill(random, log, 4200 + random(1800), '\n')}\ntests ${20 + random(80)}, failed ${random(3)}`,
  edit: (random, { path }) => `edited ${path}: 1 place\n${fill(random, code, 1200 + random(800), '\n\n')}`,
};

const text = (description) => ({ type: 'string', description });
const schema = (properties) => ({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false });
const tool = (name, description, properties) => ({
  name,
  description,
  parameters: schema(properties),
  run(input) {
    if (input.path === MISSING) throw new Error(`ENOENT: no such file or directory, open '${MISSING}'`);
    return results[name](randomOf(`${name} ${JSON.stringify(input)}`), input);
  },
});

/** The tools of `longAgent`: `parameters` is JSON Schema, `run(input)` gives a text that depends on the input alone, or throws. */
export const agentTools = [
  tool('read', 'Reads a file of the project.', { path: text('Path from the root of the project.') }),
  tool('search', 'Searches the files of a folder for a regular expression.', {
    pattern: text('The regular expression.'),
    path: text('The folder.'),
  }),
  tool('run', 'Runs a command in a shell and gives its output.', { command: text('The command.') }),
  tool('edit', 'Replaces a text in a file, and shows the functions around it.', {
    path: text('Path from the root of the project.'),
    find: text('The text to replace; it stands there once.'),
    replace: text('The text to put there.'),
  }),
];

const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
/** A PNG of one pixel. */
export const image = { mediaType: 'image/png', base64, dataUrl: `data:image/png;base64,${base64}` };
