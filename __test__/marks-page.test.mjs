// docs/reference/marks.md lists every mark and stub that the engine writes, and every field of the reports; `marksNote` covers the marks.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { countTokens, fit, marksNote, prune } from 'palimpsest';
import { closed, lines, sentence, Talk } from './fit/talk.mjs';
import { documentedForms, formOf, tabled } from './support/marks.mjs';

const types = readFileSync(new URL('../index.d.ts', import.meta.url), 'utf8');

/** Returns the fields of an interface. Fields of an object in it follow the object's name and a dot. */
function fieldsOf(body) {
  const code = body.replace(/\/\*[\s\S]*?\*\//g, '');
  const path = [];
  const fields = [];
  for (const [token, name, brace] of code.matchAll(/(\w+)\??:\s*(\{)?|\}/g)) {
    if (token === '}') path.pop();
    else if (brace) path.push(name);
    else fields.push([...path, name].join('.'));
  }
  return fields;
}
const interfaces = new Map(
  [...types.matchAll(/^export interface (\w+)(?:<[^{]*>)?(?: extends (?:Omit<)?(\w+)[^{]*)? \{\n([\s\S]*?)^\}/gm)].map(
    ([, name, base, body]) => [name, { base, fields: fieldsOf(body) }],
  ),
);

test('every field of a result, report and trace has its line', () => {
  const reports = [...interfaces].filter(([name]) => /^(?:Fit|Prune|Restore|Session)\w*(?:Result|Report|Trace|Step|Epoch)$/.test(name));
  assert.ok(reports.length >= 11, `${reports.length}`);
  for (const [name, { base, fields }] of reports) {
    const told = tabled(`### \`${name}\``);
    assert.deepEqual(
      fields.filter((field) => !told.includes(field)),
      [],
      `docs/reference/marks.md lacks fields of ${name}`,
    );
    const known = new Set([...fields, ...(interfaces.get(base)?.fields ?? [])]);
    assert.deepEqual(
      told.filter((field) => !known.has(field)),
      [],
      `docs/reference/marks.md has fields that ${name} lacks`,
    );
    assert.equal(new Set(told).size, told.length, name);
  }
});

// ---- Marks --------------------------------------------------------------------------------------------------------

/** Returns all strings in a value and its names of members, including those of JSON in strings. */
function* stringsOf(value) {
  if (typeof value === 'string') {
    let inner;
    try {
      inner = JSON.parse(value);
    } catch {
      // A text.
    }
    if (inner !== null && typeof inner === 'object') yield* stringsOf(inner);
    else yield value;
  } else if (value !== null && typeof value === 'object') {
    for (const [key, one] of Object.entries(value)) {
      if (!Array.isArray(value)) yield key;
      yield* stringsOf(one);
    }
  }
}
const marksIn = (messages) => [...stringsOf(messages)].flatMap((text) => text.match(/\[palimpsest:[^\]]*\]|\[…[^\]\n]*\]/g) ?? []);
const SHARES = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1];

/** Conversations in which `fit` cuts in every way. */
const FITTED = [
  new Talk()
    .user('Run it.')
    .call('Bash', { command: 'npm test' }, `begin\n${lines(40, (n) => `waiting for the lock, ${n}`)}\n${lines(60)}`),
  new Talk().user('Wait for it.').call('Bash', { command: 'npm test' }, `${'waiting for the lock\n'.repeat(40)}${lines(60)}`),
  new Talk()
    .user('Fetch it.')
    .call('Bash', { command: 'make' }, `${Array.from({ length: 40 }, (_, n) => `Downloading ${n * 2}%`).join('\r')}\n${lines(60)}`),
  new Talk().user('Show it.').call('Read', { file_path: 'a.ts', offset: 40 }, lines(80)),
  new Talk().user('Write it.').call('Write', { file_path: 'a.ts', content: lines(60) }, 'done'),
  new Talk().user('Write it.').call('Write', { file_path: 'a.ts', content: 'so'.repeat(1000) }, lines(20)),
  new Talk().user('Ask it.').call('ask', { about: lines(40).replaceAll('\n', ' ') }, 'done'),
  new Talk().user('List it.').call(
    'list_users',
    {},
    JSON.stringify({
      rows: Array.from({ length: 60 }, (_, n) => ({ n, is: sentence(n) })),
      table: Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`key_${n}`, n % 3 ? n : sentence(n + 100)])),
    }),
  ),
  new Talk()
    .user('Show it.')
    .call(
      'show',
      {},
      JSON.stringify(
        Object.fromEntries(
          Array.from({ length: 40 }, (_, n) => [
            `${'so '.repeat(n)}it is`,
            n % 3 ? 'and so on and on, as it was. '.repeat(3) : sentence(n),
          ]),
        ),
      ),
    ),
  Array.from({ length: 40 }).reduce((talk, _, n) => (n % 2 ? talk.user('Go on.') : talk.assistant(sentence(n))), new Talk().user('Begin.')),
  ...[lines(60), lines(60).replaceAll('\n', ' ')].map((text) =>
    new Talk()
      .user('Look at it.')
      .call('Read', { file_path: 'a.ts' }, text)
      .call('Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }, 'done'),
  ),
  Array.from({ length: 30 }).reduce(
    (talk, _, n) => (n % 6 ? talk.call('Bash', { command: `cat ${n}` }, sentence(n)) : talk.assistant(sentence(n))),
    new Talk().user('Begin.'),
  ),
];
const numbered = (from, count) => Array.from({ length: count }, (_, n) => `${from + n}\t${sentence(from + n)}`).join('\n');
const data = (name) => `${name}iVBORw0KGgo`.repeat(60);
const image = (name) => [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: data(name) } }];

/** Calls of which `prune` removes content in every way. */
const PRUNED = [
  [
    ['Read', { file_path: 'a.ts' }, lines(20)],
    ['Write', { file_path: 'a.ts', content: lines(30) }, 'done'],
    ['Write', { file_path: 'a.ts', content: lines(40) }, 'done'],
  ],
  [
    ['Edit', { file_path: 'a.ts', old_string: lines(20), new_string: lines(30) }, 'done'],
    ['Write', { file_path: 'a.ts', content: 'x' }, 'done'],
  ],
  [
    ['Read', { file_path: 'a.ts', offset: 1, limit: 30 }, numbered(1, 30)],
    ['Read', { file_path: 'a.ts', offset: 10, limit: 15 }, numbered(10, 15)],
  ],
  ...['Bash', 'Grep', 'other'].map((name) => [
    [name, name === 'Bash' ? { command: 'npm test' } : { pattern: 'y' }, `${lines(10)} ${name}`],
    [name, name === 'Bash' ? { command: 'npm test' } : { pattern: 'y' }, 'z'],
  ]),
  [['Bash', { command: 'npm test' }, `Exit code 1\n${lines(5)}`]],
  [
    ['one', {}, lines(20)],
    ['fetch', {}, lines(20)],
  ],
  [['Bash', { command: 'npm test' }, lines(400)]],
  [['Bash', { command: 'npm test' }, sentence(1).repeat(400)]],
  [
    ['one', {}, image('a')],
    ['two', {}, image('a')],
  ],
  [
    ['one', {}, `some: ${data('b')}`],
    ['two', {}, `other: ${data('b')}`],
  ],
];
const saying = (calls) => [
  { role: 'user', content: 'Go.' },
  ...calls.flatMap(([name, input, content], index) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `c${index}`, name, input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${index}`, content }] },
  ]),
];

const fitted = FITTED.flatMap((talk) => {
  const { messages, tokens } = closed(talk);
  return SHARES.flatMap((share) => marksIn(fit(messages, { limit: Math.floor(tokens * share), prune: { keep: { recent: 0 } } }).messages));
});
const shown = ['image', 'document'].map((type) => [
  {
    role: 'user',
    content: [
      { type, source: { type: 'url', url: 'https://example.org/a' } },
      { type: 'text', text: 'What is it?' },
    ],
  },
  { role: 'assistant', content: 'A lighthouse.' },
]);
const sounding = [
  { role: 'user', content: [{ type: 'input_audio', input_audio: { format: 'wav', data: data('c') } }] },
  { role: 'assistant', content: 'A horn.' },
  { role: 'user', content: 'And now?' },
];
const limited = [
  ...marksIn(fit([...shown, ...shown].flat(), { format: 'anthropic', limit: 1e6, requestLimits: { images: 1, documents: 1 } }).messages),
  ...marksIn(fit(sounding, { format: 'openai-chat', limit: 1e6, requestLimits: { bytes: 400 } }).messages),
];
const pruned = PRUNED.flatMap((calls) => marksIn(prune(saying(calls), { format: 'anthropic', keep: { recent: 0 } }).messages));

test('the table of marks has those that the engine writes, and no others', () => {
  const written = new Set([...fitted, ...limited, ...pruned].map(formOf));
  assert.deepEqual([...written].sort(), [...documentedForms()].sort());
});

test('the table of stubs has the reasons that the engine gives, and no others', () => {
  const reasons = pruned.flatMap(
    (mark) => mark.match(/^\[palimpsest:\w{10} (.*?)(?:, \d+ lines?|, \d+ of \d+ (?:lines|characters) cut)?\]$/)?.[1] ?? [],
  );
  assert.deepEqual([...new Set(reasons)].sort(), tabled('## Stubs').sort());
});

/** The kind of a mark: its form without what stands behind a colon, with one word for all media. */
const kindOf = (mark) =>
  formOf(mark)
    .replace(/(?:: …| \(N\))\]$/, ']')
    .replace(/\b(?:document|file)\]$/, 'image]');

test('marksNote names every kind of mark and no other, and is the same wherever it is imported', () => {
  const named = [...marksNote.matchAll(/`(\[[^`]*\])`/g)].map(([, mark]) => kindOf(mark.replace('palimpsest:…', 'palimpsest:k3f9a2c81x')));
  const written = [...fitted, ...limited, ...pruned].map(kindOf);
  assert.deepEqual(named.toSorted(), [...new Set(written)].sort());
  assert.match(marksNote, /^Parts of this conversation may be left out/, 'it stands before the first cut, too');
  for (const text of ['lines', 'messages', 'read the file', 'argument', 'never copy']) assert.ok(marksNote.includes(text), text);
  const tokens = countTokens(marksNote);
  const [, said] = /of some (\d+) tokens: what the marks mean/.exec(types);
  assert.ok(Math.abs(tokens - said) <= 5, `index.d.ts says some ${said} tokens: ${tokens}`);
  assert.equal(createRequire(import.meta.url)('palimpsest').marksNote, marksNote);
});
