// `prune` on parts: the columns that JavaScript passes to the engine, the use of its answer, the report and the errors.
// The rules themselves are tested in Rust: tests/prune.rs and tests/prune_properties.rs.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { character } from './support/characters.mjs';
import { countTokens, prune as pruneMessages } from '../unbundled/index.js';
import { prose, Talk } from './prune/parts.mjs';
import { cases } from './support/seed.mjs';

const require = createRequire(import.meta.url);
const { formatOf } = require('../unbundled/providers/index.js');
const { planPrune } = require('../unbundled/agent/prune.js');
const { createReport, RULES } = require('../unbundled/agent/report.js');

const all = { keep: { recent: 0 } };
const plan = (talk, options = all) => planPrune(talk.messages, talk.parts, options, 'openai').edits;
const prune = (talk, options = all) => pruneMessages(talk.messages, options);

/** A read that an edit made stale. */
function stale() {
  const talk = new Talk();
  talk.call('Read', { file_path: '/r/a.ts' }, prose('a'));
  talk.call('Edit', { file_path: '/r/a.ts', old_string: 'x', new_string: 'y' }, 'done');
  return talk;
}

test('a stale read is replaced by a stub that waits for its key', () => {
  const talk = stale();
  const [edit, ...others] = plan(talk);
  assert.deepEqual(others, []);
  assert.equal(edit.part, talk.parts[1]);
  assert.deepEqual([edit.head, edit.tail], ['[palimpsest:', ' stale read of /r/a.ts, 3 lines]']);
  assert.equal(edit.rule, 'staleRead');
  assert.equal(edit.supersededBy, talk.parts[2]);
});

test('keys of existing markers are not reused', () => {
  const talk = stale();
  assert.deepEqual(planPrune(talk.messages, talk.parts, all, 'openai').taken, new Set());
  const { messages, originals } = prune(talk);
  const { edits, taken } = planPrune(messages, formatOf(messages).read(messages), all, 'openai');
  assert.deepEqual(edits, []);
  assert.deepEqual(taken, new Set(Object.keys(originals)));
});

test('mode remove removes the call and its result', () => {
  const talk = stale();
  const edits = plan(talk, { ...all, mode: 'remove' });
  assert.deepEqual(
    edits.map(({ part, remove }) => [part, remove]),
    [
      [talk.parts[0], true],
      [talk.parts[1], true],
    ],
  );
});

test("kept lines equal the original's, whatever code units they contain", () => {
  const odd = '名前 = "\u{1F600} \uD800 é"';
  const talk = new Talk();
  const common = 'the line of the file, word for word\n'.repeat(60);
  talk.call('Read', { file_path: '/r/a.ts' }, `${common}let ${odd}\n${common}`);
  talk.call('Edit', { file_path: '/r/a.ts', old_string: 'x', new_string: common }, 'done');
  const [{ tail }] = plan(talk);
  assert.ok(tail.includes(`\nlet ${odd}\n`), tail);
  assert.ok(tail.length < 200);
});

test("the format's status decides, and words do if requested", () => {
  const output = `${prose('build')}\nerror: it broke\n`;
  const edited = (more, options = all) => {
    const talk = new Talk();
    talk.call('Bash', { command: 'make' }, output, more);
    return plan(talk, options).map(({ rule }) => rule);
  };
  assert.deepEqual(edited({ status: 'error' }), ['failedCommand']);
  assert.deepEqual(edited({ status: 'ok' }, { ...all, failures: 'words' }), []);
  assert.deepEqual(edited({}), []);
  assert.deepEqual(edited({}, { ...all, failures: 'words' }), ['failedCommand']);
});

test('locked parts, recent messages, kept tools and paths are not touched', () => {
  const locked = stale();
  locked.parts[1].locked = 'signature';
  assert.deepEqual(plan(locked), []);
  assert.equal(plan(stale(), { keep: { recent: 2 } }).length, 1);
  for (const keep of [undefined, { recent: 4 }, { recent: Infinity }, { recent: 0, tools: ['Read'] }, { recent: 0, paths: ['*.ts'] }]) {
    assert.deepEqual(plan(stale(), { keep }), [], JSON.stringify(keep));
  }
});

test('timestamps count if every part has one', () => {
  const talk = stale();
  talk.parts.forEach((part, index) => {
    part.time = index < 2 ? 2000 : 1000;
  });
  assert.deepEqual(plan(talk), [], 'the edit came first');
  delete talk.parts[3].time;
  assert.equal(plan(talk).length, 1);
});

test("the caller's own tools", () => {
  const talk = new Talk();
  talk.call('myRead', { file: '/r/a.ts', from: 1, to: 9 }, prose('a'));
  talk.call('myWrite', { target: '/r/a.ts' }, 'done');
  const toolMap = { myRead: { kind: 'read', path: 'file', start: 'from', end: 'to' }, myWrite: { kind: 'write', path: 'target' } };
  assert.deepEqual(plan(talk), []);
  assert.deepEqual(
    plan(talk, { ...all, toolMap }).map(({ rule }) => rule),
    ['staleRead'],
  );
});

test("a tool's image that a later one repeats gets a stub", () => {
  const talk = new Talk();
  for (const data of ['AAAA', 'BBBB', 'AAAA']) {
    const message = talk.messages.push({ image: { source: { data } } }) - 1;
    talk.parts.push({ message, path: ['image'], role: 'tool', kind: 'media', text: '' });
  }
  const [edit, ...others] = plan(talk);
  assert.deepEqual(others, []);
  assert.equal(edit.part, talk.parts[0]);
  assert.equal(edit.supersededBy, talk.parts[2]);
  // The user's images are never removed.
  talk.parts.forEach((part) => {
    part.role = 'user';
  });
  assert.deepEqual(plan(talk), []);
});

test('the result: messages, originals, report', () => {
  const talk = stale();
  const { messages, originals, report } = prune(talk);
  assert.equal(messages[0], talk.messages[0], 'what is not edited is the same object');
  assert.equal(messages[1].content, `[palimpsest:${Object.keys(originals)} stale read of /r/a.ts, 3 lines]`);
  assert.deepEqual([report.staleReads, report.staleEdits, report.staleCommands, report.failedCommands], [1, 0, 0, 0]);
  assert.deepEqual(report.messages, { before: 4, after: 4 });
  assert.deepEqual(report.tokens, { before: countTokens(talk.messages), after: countTokens(messages) });
  assert.deepEqual(JSON.parse(JSON.stringify(report)), { ...report }, 'plain data');
  assert.equal('trace' in report, false);
});

test('with trace each edit has its reason and the superseding operation', () => {
  const talk = stale();
  const { messages, report } = prune(talk, { ...all, trace: true });
  assert.deepEqual(report.trace[0], {
    message: 1,
    path: ['content'],
    callId: 'call_0',
    reason: 'staleRead',
    action: 'replace',
    charsBefore: talk.parts[1].text.length,
    charsAfter: messages[1].content.length,
    evidence: 'message 2, Edit changed /r/a.ts',
    supersededBy: { message: 2, path: ['tool_calls', 0, 'function', 'arguments'], name: 'Edit', callId: 'call_2' },
  });
});

test('a report is one line as a string', () => {
  const counts = Object.assign(new Array(RULES.length).fill(0), [6, 27]);
  const report = createReport({
    counts,
    messages: { before: 215, after: 149 },
    countTokens: () => ({ before: 28945, after: 25087 }),
    toolsOf: () => ({}),
  });
  // The form of the line, with a count of each kind.
  const line =
    '215 → 149 messages (-66, 30.7%) · 28,945 → 25,087 tokens (-13.3%) · 6 stale reads, 27 stale edits, 0 stale commands, 0 failed';
  assert.equal(String(report), line);
  assert.equal(report.summary, line);
  const empty = createReport({
    counts: new Array(RULES.length).fill(0),
    messages: { before: 0, after: 0 },
    countTokens: () => ({ before: 0, after: 0 }),
    toolsOf: () => ({}),
  });
  assert.match(String(empty), /^0 → 0 messages \(-0, 0\.0%\) · 0 → 0 tokens \(-0\.0%\)/);
});

test('tokens are counted once, on first access, on the messages of that time', () => {
  const nothing = { counts: new Array(RULES.length).fill(0), messages: { before: 1, after: 1 } };
  let [counted, asked] = [0, 0];
  const toolsOf = () => ({ unknownTools: { Odd: ++asked }, guessedTools: {}, warnings: [] });
  const make = () => createReport({ ...nothing, countTokens: () => ({ before: 2 + counted++, after: 1 }), toolsOf });
  const report = make();
  assert.equal(report.staleReads, 0);
  assert.equal('tokens' in report && counted, 0);
  assert.deepEqual([report.tokens, String(report), report.tokens].at(-1), { before: 2, after: 1 });
  assert.equal(counted, 1);
  assert.equal(asked, 0);
  assert.deepEqual([report.unknownTools, report.warnings, report.unknownTools, asked], [{ Odd: 1 }, [], { Odd: 1 }, 1]);
  report.warnings = ['mine'];
  assert.deepEqual(report.warnings, ['mine']);
  for (const read of [JSON.stringify, String, inspect, structuredClone, (other) => ({ ...other })]) {
    counted = 0;
    read(make());
    assert.equal(counted, 1, read.name);
  }
  assert.doesNotMatch(inspect(make()), /Getter/);

  const talk = stale();
  const expected = prune(talk).report.tokens;
  const grown = prune(talk);
  talk.messages.push({ role: 'user', content: 'Go on.' });
  grown.messages.push({ role: 'user', content: 'Go on.' });
  assert.deepEqual(grown.report.tokens, expected);
});

test('every rule of the engine has a name and a count', async () => {
  const { readFileSync } = await import('node:fs');
  const source = readFileSync(new URL('../crates/agent/src/prune/outcome.rs', import.meta.url), 'utf8');
  const [, list] = source.match(/pub const ALL[^[]*\[[^[]*\[([^\]]*)\]/);
  const names = [...list.matchAll(/Rule::(\w+)/g)].map(([, name]) => name[0].toLowerCase() + name.slice(1));
  assert.deepEqual(names, RULES);
  const { staleReads, staleEdits, staleCommands, failedCommands, others } = createReport({
    counts: RULES.map((_, index) => index + 1),
    messages: { before: 1, after: 1 },
    countTokens: () => assert.fail('nobody asked'),
    toolsOf: () => assert.fail('nobody asked'),
  });
  assert.deepEqual(
    [staleReads, staleEdits, staleCommands, failedCommands, ...Object.values(others)],
    RULES.map((_, index) => index + 1),
  );
});

test('errors name the wrong argument', () => {
  const refuses = (options, error, message) => assert.throws(() => prune(stale(), options), { name: error, message });
  assert.throws(() => pruneMessages('x'), { name: 'TypeError', message: 'prune(): messages must be an array, got string' });
  refuses(null, 'TypeError', 'prune(): options must be an object, got null');
  refuses({ mode: 'drop' }, 'TypeError', "prune(): options.mode must be 'stub' or 'remove', got 'drop'");
  refuses({ edits: 1 }, 'TypeError', "prune(): options.edits must be 'safe' or 'last', got 1");
  refuses({ failures: '' }, 'TypeError', "prune(): options.failures must be 'status' or 'words', got ''");
  refuses({ thinking: 'drop' }, 'TypeError', "prune(): options.thinking must be 'keep', 'strip' or 'leave', got 'drop'");
  refuses({ keep: 6 }, 'TypeError', 'prune(): options.keep must be an object, got number');
  refuses({ keep: { recent: '6' } }, 'TypeError', 'prune(): options.keep.recent must be a number, got string');
  refuses({ keep: { recent: -1 } }, 'RangeError', 'prune(): options.keep.recent must be a whole number from 0, or Infinity, got -1');
  refuses({ keep: { recent: NaN } }, 'RangeError', /got NaN$/);
  refuses({ keep: { tools: 'Read' } }, 'TypeError', 'prune(): options.keep.tools must be an array of strings, got string');
  refuses({ keep: { paths: ['a', 1] } }, 'TypeError', 'prune(): options.keep.paths[1] must be a string, got number');
  refuses({ toolMap: [] }, 'TypeError', 'prune(): options.toolMap must be an object of tools by name, got array');
  refuses({ toolMap: { x: null } }, 'TypeError', 'prune(): options.toolMap.x must be an object with a kind, got null');
  refuses(
    { toolMap: { x: { kind: 'reed', path: 'p' } } },
    'TypeError',
    /^prune\(\): options\.toolMap\.x\.kind must be one of 'read', .*, got 'reed'$/,
  );
  refuses({ toolMap: { x: { kind: 'read' } } }, 'TypeError', "prune(): options.toolMap.x.path must be an argument's name, got undefined");
  refuses(
    { toolMap: { x: { kind: 'command', command: 3 } } },
    'TypeError',
    "prune(): options.toolMap.x.command must be an argument's name, got number",
  );
});

test('null and undefined mean the default', () => {
  const talk = stale();
  const none = { mode: null, edits: undefined, failures: null, thinking: null, keep: null, toolMap: null, trace: null };
  assert.deepEqual(prune(talk, none), prune(talk, {}));
});

test('any texts: edits are shorter, parts are not mutated, and pruning is idempotent', () => {
  const name = fc.constantFrom('Read', 'Edit', 'Write', 'Bash', '__proto__', '', 'lookup');
  const input = fc.oneof(fc.record({ file_path: fc.constantFrom('/a', 'a') }), fc.record({ command: fc.string() }), fc.jsonValue());
  const text = fc.oneof(
    fc.string({ unit: character, maxLength: 60 }),
    fc.string({ unit: character }).map((unit) => unit.repeat(300)),
    fc.constant(prose('x')),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(name, input, text), { maxLength: 12 }), fc.constantFrom('stub', 'remove'), (calls, mode) => {
      const talk = new Talk();
      for (const call of calls) talk.call(...call);
      const before = structuredClone(talk.parts);
      const edits = plan(talk, { ...all, mode });
      assert.deepEqual(talk.parts, before);
      for (const edit of edits) assert.ok(edit.remove || edit.head.length + edit.tail.length < edit.part.text.length);
      assert.deepEqual(plan(talk, { ...all, mode }), edits);
    }),
    { numRuns: cases(200) },
  );
});
