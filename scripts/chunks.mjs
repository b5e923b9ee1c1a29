// Which bundle each file of lib/ is in. The first call of a verb has to parse its bundles, so each has what verbs use together.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const lib = join(dirname(fileURLToPath(import.meta.url)), '..', 'lib');

/** The text of each file of lib/. */
export const sources = new Map(
  readdirSync(lib, { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.js'))
    .map((path) => [path, readFileSync(join(lib, path), 'utf8')]),
);

/** In each bundle that uses it, since no import of the package should open another file for it. */
export const COPIED = 'marks-note.js';
/** Folders of subpaths, whose rooms of lib/ have the same names and are bundles of their own. */
export const SUBPATHS = ['integrations', 'store'];
const NATIVE = ['native.js', 'load-error.js', 'glibc.js'];
/**
 * Files that few calls use, by the bundle that has them: others get them when they call one of their functions, instead of when they are read.
 */
const LATE_IN = {
  prune: ['agent/costly-media.js', 'agent/thinking-steps.js', 'agent/tools-report.js'],
  errors: ['formats/json-errors.js', 'formats/unknown.js'],
  request: [
    'tokens/image-size.js',
    'tokens/json-schema.js',
    'tokens/media.js',
    'tokens/read-prompts.js',
    'tokens/read-schemas.js',
    'tokens/request.js',
  ],
  restore: ['agent/restore.js', 'agent/carried.js', 'agent/entries.js', 'agent/sampled.js', 'fit/summaries.js'],
};
const LATE = new Set(Object.values(LATE_IN).flat());
/** What the verbs of a bundle read at their first call, beside what these files require when they are read. */
const USED = {
  'drop-in': ['compress/index.js', 'compress/plain.js', 'options/drop-in.js', 'options/kinds.js', 'uncompress.js'],
  agent: ['formats/hints.js', 'formats/openai-chat.js', 'options/agent.js', 'options/kinds.js', 'tokens/index.js', 'tokens/memory.js'],
  prune: ['agent/prune.js', ...LATE_IN.prune],
  fit: ['fit/index.js'],
  errors: LATE_IN.errors,
  request: ['fit/request.js', 'models.js', ...LATE_IN.request],
  restore: LATE_IN.restore,
  formats: ['anthropic', 'openai-responses', 'openai-agents', 'ai-sdk-model', 'ai-sdk-ui', 'gemini', 'langchain', 'mastra'].map(
    (name) => `formats/${name}.js`,
  ),
  session: ['options/session.js', 'session/index.js'],
};
/** The bundle of all other files: few programs need them, and no program all of them. */
const REST = 'more';

/** The bundles whose files are read together, so that their modules can share one scope. */
export const WHOLE = ['shared', ...Object.keys(USED)];
export const CHUNKS = ['native', ...WHOLE, ...SUBPATHS, REST];

/** The file that a `require` in another one means. */
export const resolved = (from, path) => posix.join(posix.dirname(from), path);

const AT_TOP = /^(?:const .* = |\} = | {2}(?:'?[\w-]+'?: |\.\.\.)?)require\('(\.[^']+)'\)/gm;

/** Files and what they require when they are read. */
function closure(entries) {
  const found = new Set();
  const add = (file) => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, path] of sources.get(file).matchAll(AT_TOP)) if (!LATE.has(resolved(file, path))) add(resolved(file, path));
  };
  entries.forEach(add);
  return found;
}

const chunks = new Map(NATIVE.map((file) => [file, 'native']));
const put = (files, chunk) => {
  for (const file of files) if (!chunks.has(file)) chunks.set(file, chunk);
};
const { 'drop-in': first, ...others } = USED;
const dropIn = closure(first);
put(
  [...closure(Object.values(others).flat())].filter((file) => dropIn.has(file)),
  'shared',
);
// `prune` has its own bundle, and what it shares with `fit` is in that of all agents.
const fit = closure(USED.fit);
put(
  [...closure(USED.prune)].filter((file) => fit.has(file)),
  'agent',
);
for (const [chunk, entries] of Object.entries(USED)) put(closure(entries), chunk);
for (const file of sources.keys()) put([file], SUBPATHS.find((room) => file.startsWith(`${room}/`)) ?? REST);

/** Whether a file gets another one when it calls one of its functions. */
export const isLate = (from, file) => LATE.has(file) && chunks.get(from) !== chunks.get(file);

/** The bundle that a file of lib/ is in. */
export const chunkOf = (file) => chunks.get(file);
