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

const COMMENT = /\/\*\*[\s\S]*?\*\/|^ *\/\/.*$/gm;
/** The code of each file, with as many lines. The bundler would leave the comments on members of classes in, and a call would have to skip them. */
export const codes = new Map([...sources].map(([path, text]) => [path, text.replace(COMMENT, (comment) => comment.replace(/[^\n]/g, ''))]));

/** In each bundle that uses them, each with what it uses: they keep nothing, and a call would open another file for them. */
const COPIED = ['checks.js', 'generated/layout.js', 'marks-note.js', 'messages.js', 'promises.js'];
/** Folders of subpaths, whose rooms of lib/ have the same names and are bundles of their own. */
export const SUBPATHS = ['integrations', 'store'];
const NATIVE = ['native.js', 'load-error.js', 'glibc.js', 'installed.js'];
/**
 * Files that few calls use, by the bundle that has them: others get them when they call one of their functions, instead of when they are read.
 */
const LATE_IN = {
  'drop-in': ['compress/callbacks.js', 'compress/compared.js', 'compress/count.js', 'compress/decisions.js'],
  options: ['abort.js', 'options/agent.js', 'options/index.js'],
  prune: ['agent/costly-media.js'],
  errors: ['formats/json-errors.js', 'formats/unknown.js', 'given.js', 'options/unknown.js'],
  reports: ['agent/summary.js', 'agent/thinking-steps.js', 'agent/tools-report.js', 'agent/trace.js', 'fit/reasons.js'],
  request: [
    'formats/beside.js',
    'tokens/image-size.js',
    'tokens/json-schema.js',
    'tokens/media.js',
    'tokens/read-prompts.js',
    'tokens/read-schemas.js',
    'tokens/request.js',
    'tokens/tools.js',
  ],
  tokens: ['tokens/snapshot.js'],
  count: ['tokens/edited.js', 'tokens/index.js', 'tokens/measure.js'],
  restore: [
    'agent/restore.js',
    'agent/carried.js',
    'agent/entries.js',
    'agent/marked.js',
    'agent/merge.js',
    'agent/sampled.js',
    'fit/summaries.js',
    'fit/taken-back.js',
  ],
  session: ['pauses.js'],
};
const LATE = new Set(Object.values(LATE_IN).flat());
/** What the verbs of a bundle read at their first call, beside what these files require when they are read. */
const USED = {
  options: LATE_IN.options,
  compress: ['compress/index.js', 'compress/plain.js'],
  'drop-in': ['analysis.js', 'options/drop-in.js', 'uncompress.js', ...LATE_IN['drop-in']],
  agent: ['formats/hints.js', 'formats/openai-chat.js'],
  tokens: ['tokens/gather.js', 'tokens/recalled.js', ...LATE_IN.tokens],
  count: LATE_IN.count,
  prune: ['agent/prune.js', ...LATE_IN.prune],
  fit: ['fit/index.js'],
  errors: LATE_IN.errors,
  reports: LATE_IN.reports,
  request: ['fit/request.js', 'models.js', ...LATE_IN.request],
  restore: LATE_IN.restore,
  formats: ['anthropic', 'openai-responses', 'openai-agents', 'ai-sdk-model', 'ai-sdk-ui', 'gemini', 'langchain', 'mastra'].map(
    (name) => `formats/${name}.js`,
  ),
  session: ['options/session.js', 'session/index.js', ...LATE_IN.session],
};
/**
 * Files of integrations that require an SDK or what it depends on: bundles of their own, because other bundlers look for all that a file requires,
 * and an app has one SDK.
 */
const WITH_SDKS = new Map(
  [...codes]
    .filter(([file, code]) => file.startsWith('integrations/') && /\b(?:require|import)\('(?!\.|node:)/.test(code))
    .map(([file]) => [file, posix.basename(file, '.js')]),
);
/** The bundle of all other files: few programs need them, and no program all of them. */
const REST = 'more';

/** The bundles whose files are read together, so that their modules can share one scope. */
export const WHOLE = Object.keys(USED);
export const CHUNKS = ['native', ...WHOLE, ...SUBPATHS, ...WITH_SDKS.values(), REST];

/** The file that a `require` in another one means. */
export const resolved = (from, path) => posix.join(posix.dirname(from), path);

const AT_TOP = /^(?:const .* = |\} = | {2}(?:'?[\w-]+'?: |\.\.\.)?)require\('(\.[^']+)'\)/gm;

/** Files and what they require when they are read. */
function closure(entries) {
  const found = new Set();
  const add = (file) => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, path] of codes.get(file).matchAll(AT_TOP)) if (!LATE.has(resolved(file, path))) add(resolved(file, path));
  };
  entries.forEach(add);
  return found;
}

const chunks = new Map([...NATIVE.map((file) => [file, 'native']), ...COPIED.map((file) => [file, 'copied'])]);
const put = (files, chunk) => {
  for (const file of files) if (!chunks.has(file)) chunks.set(file, chunk);
};
put(closure(USED.options), 'options');
// `prune` has its own bundle, and what it shares with `fit` is in that of all agents.
const fit = closure(USED.fit);
put(
  [...closure(USED.prune)].filter((file) => fit.has(file)),
  'agent',
);
for (const [chunk, entries] of Object.entries(USED)) put(closure(entries), chunk);
for (const [file, chunk] of WITH_SDKS) put([file], chunk);
for (const file of sources.keys()) put([file], SUBPATHS.find((room) => file.startsWith(`${room}/`)) ?? REST);

/** Whether a file gets another one when it calls one of its functions. */
export const isLate = (from, file) => LATE.has(file) && chunks.get(from) !== chunks.get(file);

/** The bundle that a file of lib/ is in. */
export const chunkOf = (file) => chunks.get(file);

export const isCopied = (file) => COPIED.includes(file);
/** Whether a file is a part of a bundle. */
export const isPart = (bundle, file) => isCopied(file) || chunkOf(file) === bundle;
