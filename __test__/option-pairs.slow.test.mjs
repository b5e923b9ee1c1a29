// Options that a call refuses together are an error of tsc, and those that it takes compile: each option, and each two of different options, beside
// each way to give a limit; as a literal, and in a variable of the exported type with `exactOptionalPropertyTypes`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as palimpsest from 'palimpsest';
import { memoryStore } from 'palimpsest/store/memory';
import { createChatParser } from 'palimpsest/web';

const require = createRequire(import.meta.url);
const { VERBS } = require('../unbundled/options/table.js');
const { integration } = require('../unbundled/options/integrations.js');
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');

/** What stands for each option, in both languages: right by itself, with each value that others depend on. */
const VALUES = {
  limit: ['50_000'],
  window: ['60_000'],
  maxOutputTokens: ['500'],
  model: ["'gpt-5.5'"],
  margin: ['0.1'],
  calibration: ['{ counted: 10, actual: 12 }'],
  tokenizer: ["'estimate'"],
  tokenCounter: ['() => 1'],
  format: ["'openai-chat'", "'anthropic'", "'auto'"],
  system: ["'Be brief.'"],
  tools: ["[{ name: 'read' }]"],
  keep: ['{ recent: 2 }'],
  query: ["'the port'"],
  prune: ['false'],
  shorten: ['false'],
  requestLimits: ['{ images: 20 }', 'false'],
  roles: ["'alternate'"],
  thinking: ["'leave'"],
  originals: ['{}'],
  trace: ['true'],
  summarizer: ["() => 'short'", "'store'", 'null'],
  concurrency: ['2'],
  signal: ['signal'],
  preset: ["'thrifty'"],
  low: ['0.4'],
  coldLow: ['0.3'],
  cache: ["'none'"],
  compactThreshold: ['500'],
  cacheControl: ['true', 'false'],
  recall: ["'auto'"],
  volatile: ["() => 'It is Monday.'"],
  enabled: ['true', 'false', '() => true'],
  warn: ['false'],
  now: ['Date.now'],
  store: ['store', 'null'],
  id: ["'a'"],
  storeTimeout: ['100'],
  redact: ['[/secret/]'],
  tags: ["{ user: 'u-17' }"],
  prices: ['{ input: 5, output: 25 }'],
  maxCost: ['2'],
  onCost: ['() => {}'],
  mode: ["'remove'"],
  edits: ["'last'"],
  failures: ["'words'"],
  toolMap: ["{ load: { kind: 'read', path: 'file' } }"],
  session: ['() => null'],
  conversations: ['5'],
  onStep: ['() => {}'],
  onError: ['() => {}'],
};

/** Options of what waits, which what answers at once refuses. */
const waiting = ['summarizer', 'concurrency', 'signal'];
const limits = [[], ['limit'], ['window'], ['model']];
const names = (verb) => Object.keys(VERBS[verb].options());

/** Each function: how it is called, the type of its options, the options, and what pairs of them are added to. */
const FUNCTIONS = [
  { call: 'fit(messages, $)', type: 'FitOptions', options: [...names('fit'), ...waiting], bases: limits },
  { call: 'fitAsync(messages, $)', type: 'FitAsyncOptions', options: names('fitAsync'), bases: limits },
  { call: 'fitRequest(request, $)', type: 'FitRequestOptions', options: [...names('fitRequest'), ...waiting], bases: limits },
  { call: 'fitRequestAsync(request, $)', type: 'FitRequestAsyncOptions', options: names('fitRequestAsync'), bases: limits },
  { call: 'createSession($)', type: 'SessionOptions', options: names('createSession'), bases: [...limits, ['limit', 'store', 'id']] },
  { call: 'prune(messages, $)', type: 'PruneOptions', options: names('prune'), bases: [[]] },
  { call: "recall(messages, messages, 'the port', $)", type: 'RecallOptions', options: names('recall'), bases: [[]] },
  { call: 'countTokens(messages, $)', type: 'CountTokensOptions', options: names('countTokens'), bases: [[]] },
  { call: 'validate(messages, $)', type: 'ValidateOptions', options: names('validate'), bases: [[]] },
  { call: 'createChatParser($)', type: 'EndpointOptions<Request>', options: Object.keys(integration).filter(isOfEndpoints), bases: limits },
];

function isOfEndpoints(name) {
  return name !== 'explainMarks';
}

/** The options objects to try, as texts by name: those of `bases`, with each value, and with each two values of different options. */
function* objects(options, bases) {
  const given = options.flatMap((name) => {
    assert.ok(VALUES[name], `a value for ${name}`);
    return VALUES[name].map((value) => [name, value]);
  });
  for (const base of bases) {
    const start = base.map((name) => [name, VALUES[name][0]]);
    const rest = given.filter(([name]) => !base.includes(name));
    const more = [
      [],
      ...rest.map((one) => [one]),
      ...rest.flatMap((one, index) => rest.slice(index + 1).flatMap((other) => (one[0] === other[0] ? [] : [[one, other]]))),
    ];
    for (const added of more) yield { object: Object.fromEntries([...start, ...added]), isPair: added.length === 2 };
  }
}

const textOf = (object) =>
  `{ ${Object.entries(object)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')} }`;

const scope = {
  ...palimpsest,
  createChatParser,
  store: memoryStore(),
  signal: new AbortController().signal,
  messages: [{ role: 'user', content: 'Which port?' }],
  request: { model: 'gpt-5.5', messages: [{ role: 'user', content: 'Which port?' }] },
};

/** Returns what a call returns; undefined if it refuses its options. Other errors are thrown on. */
async function outcome(call) {
  try {
    const result = new Function(...Object.keys(scope), `return ${call}`)(...Object.values(scope));
    // A session is asked for a request, and whether it waits.
    return result?.nextAsync ? result : await result;
  } catch (error) {
    if (error instanceof TypeError && error.message.includes('options')) return undefined;
    throw error;
  }
}

/** Tries all objects of options. Returns those that tell something: an option that never makes a difference is in no pair of them. */
async function tried({ call, type, options, bases }) {
  const all = new Map();
  for (const { object, isPair } of objects(options, bases)) {
    const text = textOf(object);
    const result = await outcome(call.replace('$', text));
    const isAsync = type === 'SessionOptions' && [object.store, object.summarizer].some((value) => value !== undefined && value !== 'null');
    if (type === 'SessionOptions' && result) assert.equal(result.next(scope.messages) instanceof Promise, isAsync, text);
    all.set(text, { object, text, isPair, isRefused: result === undefined, isAsync });
  }
  const telling = new Set();
  for (const { object, isRefused } of all.values())
    for (const name of Object.keys(object)) {
      const { [name]: _, ...others } = object;
      if ((all.get(textOf(others))?.isRefused ?? isRefused) !== isRefused) telling.add(name);
    }
  return [...all.values()].filter(({ object, isPair }) => !isPair || Object.keys(object).every((name) => telling.has(name)));
}

/** Returns the lines of two programs: calls with a literal, and with a variable. Those that are refused expect an error. */
function linesOf({ call, type }, { text, isRefused, isAsync }) {
  const use = type === 'SessionOptions' ? `.next(messages).${isAsync ? 'then' : 'messages'}` : '';
  const before = isRefused ? ['// @ts-expect-error'] : [];
  const typed = isAsync ? 'AsyncSessionOptions' : type;
  return {
    literals: [...before, `${call.replace('$', text)}${use};`],
    variables: [...before, `{ const options: ${typed} = ${text}; ${call.replace('$', 'options')}${use}; }`],
  };
}

const HEAD = `import * as palimpsest from 'palimpsest';
import type { AsyncSessionOptions, ${FUNCTIONS.map(({ type }) => type)
  .filter((type) => !type.startsWith('Endpoint'))
  .join(', ')}, Store } from 'palimpsest';
import { createChatParser } from 'palimpsest/web';
import type { EndpointOptions } from 'palimpsest/web';
const { ${FUNCTIONS.map(({ call }) => call.slice(0, call.indexOf('(')))
  .filter((name) => name !== 'createChatParser')
  .join(', ')} } = palimpsest;
declare const store: Store;
declare const signal: AbortSignal;
declare const messages: { role: 'user'; content: string }[];
declare const request: { model: string; messages: { role: 'user'; content: string }[] };
`;

test('options that a call refuses together are an error of tsc, and those that it takes are none', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-pairs-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(fileURLToPath(new URL('..', import.meta.url)), join(folder, 'node_modules/palimpsest'), 'junction');
  const programs = { literals: [], variables: [] };
  for (const one of FUNCTIONS) {
    const objects = await tried(one);
    const refused = objects.filter(({ isRefused }) => isRefused).length;
    t.diagnostic(`${one.call}: ${objects.length - refused} taken, ${refused} refused`);
    assert.equal(refused > 0, one.bases.length > 1, one.call);
    for (const object of objects) for (const [name, lines] of Object.entries(linesOf(one, object))) programs[name].push(...lines);
  }
  const plain = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--lib',
    'es2022,dom',
    '--types',
    '',
  ];
  for (const [name, options] of [
    ['literals', plain],
    ['variables', [...plain, '--exactOptionalPropertyTypes']],
  ]) {
    const lines = [...HEAD.split('\n'), ...programs[name]];
    writeFileSync(join(folder, `${name}.mts`), lines.join('\n'));
    const { stdout } = spawnSync(process.execPath, [tsc, '--ignoreConfig', ...options, `${name}.mts`], { cwd: folder, encoding: 'utf8' });
    const wrong = [...stdout.matchAll(/^\w+\.mts\((\d+),\d+\): (.*)/gm)].map(([, line, text]) => {
      const at = Number(line) - 1;
      return `${lines[at].startsWith('//') ? `tsc takes: ${lines[at + 1]}` : `tsc refuses: ${lines[at]}`} (${text})`;
    });
    assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} lines`);
    assert.equal(stdout, '');
  }
});
