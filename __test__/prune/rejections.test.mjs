// The user's words on rejecting, interrupting or approving a call, which are in the call's result, are never changed.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compress, prune, restore } from '../../unbundled/index.js';
import { cases, IS_WHOLE, someOf } from '../support/seed.mjs';
import { FORMATS, sayIn } from '../support/transcripts.mjs';
import { working } from './working.mjs';

const { formatOf } = createRequire(import.meta.url)('../../unbundled/providers/index.js');

// ---- The forms, as the agents write them --------------------------------------------------------------------------

const claude =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";
const FORMS = {
  'Claude Code': (said) => `${claude} To tell you how to proceed, the user said:\n${said}`,
  'Claude Code, a reason': (said) => `${claude} The user provided the following reason for the rejection:  ${said}`,
  'Claude Code, a note behind': (said) =>
    `${claude} To tell you how to proceed, the user said:\n${said}\n\nNote: The user's next message may contain a correction or preference.`,
  'Cline, denied': (said) => `The user denied this operation and provided the following feedback:\n<feedback>\n${said}\n</feedback>`,
  'Cline, running': (said) =>
    `Command is still running in the user's terminal.\nHere's the output so far:\nDownloading 10%\nDownloading 20%\n\nThe user provided the following feedback:\n<feedback>\n${said}\n</feedback>`,
  'Roo, approved': (said) => `The user approved this operation and provided the following context:\n<feedback>\n${said}\n</feedback>`,
  Codex: (said) => `exec command rejected by user: ${said}`,
  'Gemini CLI': (said) => `[Operation Cancelled] Reason: User said: ${said}`,
  opencode: (said) => `The user rejected permission to use this specific tool call with the following feedback: ${said}`,
  OpenHands: (said) => `Action rejected: ${said}`,
  'OpenHands, at the end': (said) => `OBSERVATION:\n${said}\n[Last action has been rejected by the user]`,
  LangGraph: (said) => `User rejected the tool call for \`Bash\` with id call_1. Reason: ${said}`,
  'a question': (said) => `User has answered your questions: ${said}`,
};
const BARE = [
  `${claude} STOP what you are doing and wait for the user to tell you how to proceed.`,
  '[Request interrupted by user for tool use]',
  'exec command rejected by user',
  'aborted by user after 3.2s',
  'Tool execution was not approved.',
  '[Operation Cancelled] Reason: User did not allow tool call',
  'User rejected the tool call for `Bash` with id call_1',
];

// ---- Generated conversations --------------------------------------------------------------------------------------

const tree = Array.from({ length: 8 }, (_, i) => `├── node_modules/lib${i}`).join('\n');
const long = Array.from({ length: 700 }, (_, i) => `Then do step ${i} of the plan, and say what came of it.`).join('\n');
const said = fc
  .oneof(
    fc.lorem({ maxCount: 40, mode: 'sentences' }),
    fc.constantFrom(
      'First move build/keep to /tmp.\nThen remove only build/out.\nNever touch build/cache, we need it.',
      'Exit code 0\nerror: no, run it in src/a.ts:3 instead',
      `Remove these:\n${tree}\nand nothing else.`,
      'Use pnpm.\n\nDownloading 10%\nDownloading 20%\n✓ test one\n✓ test two\nnpm WARN deprecated x@1.0.0: y\n',
      '灯台守に聞いて 😀\r\nそれから続けて',
      `like ${'iVBORw0KGgo'.repeat(80)} this`,
      long,
    ),
  )
  .filter((text) => text.trim() !== '');
/** A rejection, or none, for each call of a conversation. */
const answers = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.record({ said, form: fc.constantFrom(...Object.keys(FORMS)), failed: fc.boolean() }) },
  ),
  { minLength: 1, maxLength: 12 },
);

/** A conversation, and the user's words in its results. */
const rejected = fc.tuple(working, answers).map(([spoken, drawn]) => {
  let count = 0;
  const words = [];
  const turns = spoken.turns.map((turn) =>
    turn.calls
      ? {
          ...turn,
          calls: turn.calls.map((call) => {
            const answer = drawn[count++ % drawn.length];
            if (answer === null || !call.answered) return call;
            words.push(answer.said.trim());
            return { ...call, result: { blocks: FORMS[answer.form](answer.said.trim()), json: null, failed: answer.failed } };
          }),
        }
      : turn,
  );
  return { spoken: { ...spoken, turns }, words };
});

const options = fc.record({
  mode: fc.constantFrom('stub', 'remove'),
  edits: fc.constantFrom('safe', 'last'),
  failures: fc.constantFrom('status', 'words'),
  keep: fc.record({ recent: fc.constantFrom(0, 0, 4) }),
});

/** Counts each of the user's texts in the results of a conversation. */
function heard(messages, format, words) {
  const results = formatOf(messages, format)
    .read(messages)
    .filter(({ kind }) => kind === 'result')
    .map(({ text }) => text);
  return Object.fromEntries([...new Set(words)].map((text) => [text, results.filter((result) => result.includes(text)).length]));
}

for (const format of someOf(FORMATS)) {
  describe(format, () => {
    test("the user's answer to a call stays, whatever is pruned", () => {
      const seen = { words: 0, edits: 0 };
      fc.assert(
        fc.property(rejected, options, ({ spoken, words }, how) => {
          const messages = sayIn(format, spoken);
          const pruned = prune(messages, { format, ...how });
          assert.deepEqual(heard(pruned.messages, format, words), heard(messages, format, words));
          assert.deepEqual(restore(pruned.messages, pruned.originals).messages, messages);
          seen.words += words.length;
          seen.edits += Object.keys(pruned.originals).length;
        }),
        { numRuns: cases(150) },
      );
      if (IS_WHOLE) assert.ok(seen.words > cases(60) && seen.edits > cases(10), `${seen.words} answers, ${seen.edits} edits`);
    });

    test('agentToolPrepass leaves it alone', () => {
      let count = 0;
      fc.assert(
        fc.property(rejected, ({ spoken, words }) => {
          const messages = sayIn(format, spoken);
          const result = compress(messages, { format, agentToolPrepass: true, recencyWindow: 10_000 });
          assert.deepEqual(heard(result.messages, format, words), heard(messages, format, words));
          count += words.length;
        }),
        { numRuns: cases(60) },
      );
      if (IS_WHOLE) assert.ok(count > cases(30), `${count} answers`);
    });
  });
}

// ---- Case by case -------------------------------------------------------------------------------------------------

const text = (name) => Array.from({ length: 30 }, (_, i) => `line ${i} of ${name}, which is as it was`).join('\n');
/** Calls of Claude Code's tools with their results, in OpenAI's chat: its results have no status. */
const session = (...calls) =>
  calls.flatMap(([name, input, content], index) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${index}`, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
    },
    { role: 'tool', tool_call_id: `c${index}`, content },
  ]);
const everything = [
  { keep: { recent: 0 } },
  { keep: { recent: 0 }, mode: 'remove' },
  { keep: { recent: 0 }, mode: 'remove', edits: 'last', failures: 'words' },
];
const refusals = [
  ...BARE,
  ...Object.entries(FORMS)
    .filter(([name]) => !/running|approved|question/.test(name))
    .map(([, form]) => form('Not now.')),
];

test('a call that the user refused supersedes nothing', () => {
  const read = ['Read', { file_path: '/r/a.ts' }, text('a')];
  const write = ['Write', { file_path: '/r/a.ts', content: text('a') }, 'done'];
  const edit = (content) => ['Edit', { file_path: '/r/a.ts', old_string: 'x', new_string: text('b') }, content];
  const run = (content) => ['Bash', { command: 'npm test' }, content];
  for (const refusal of refusals) {
    for (const calls of [
      [read, edit(refusal)],
      [read, ['Write', { file_path: '/r/a.ts', content: text('b') }, refusal]],
      [read, ['Read', { file_path: '/r/a.ts' }, refusal]],
      [write, ['Write', { file_path: '/r/a.ts', content: text('b') }, refusal]],
      [edit('done'), ['Write', { file_path: '/r/a.ts', content: text('b') }, refusal]],
      [run(text('tests')), run(refusal)],
    ]) {
      const messages = session(...calls);
      for (const how of everything) assert.deepEqual(prune(messages, how).messages, messages, `${refusal}: ${JSON.stringify(calls[1])}`);
      const done = session(calls[0], [...calls[1].slice(0, 2), text('what else there is')]);
      assert.notDeepEqual(prune(done, everything[2]).messages, done, 'it does where the user let it run');
    }
  }
});

test('a refusal stays, even if other calls were refused in the same words', () => {
  for (const refusal of refusals) {
    const messages = session(...['rm -rf a', 'rm -rf b', 'rm -rf a'].map((command) => ['Bash', { command }, refusal]));
    for (const how of everything) assert.deepEqual(prune(messages, how).messages, messages);
  }
});

test('a remark of the user refuses nothing', () => {
  for (const name of ['Roo, approved', 'a question']) {
    const messages = session(
      ['Read', { file_path: '/r/a.ts' }, text('a')],
      ['Edit', { file_path: '/r/a.ts', old_string: 'x', new_string: 'y' }, FORMS[name]('Fine, and now the tests.')],
    );
    const pruned = prune(messages, { keep: { recent: 0 } });
    assert.match(pruned.messages[1].content, /stale read/);
    assert.equal(pruned.messages[3], messages[3]);
  }
});

test('a file that quotes a rejection is a file', () => {
  const quoted = Array.from({ length: 30 }, (_, i) => `${i + 1}\t${FORMS['Claude Code'](`text ${i}`).replace('\n', ' ')}`).join('\n');
  const messages = session(['Read', { file_path: '/r/a.ts' }, quoted], ['Write', { file_path: '/r/a.ts', content: text('b') }, 'done']);
  assert.match(prune(messages, { keep: { recent: 0 } }).messages[1].content, /stale read/);
});

test('the reason of a denial in the AI SDK stays', () => {
  const call = (id, toolName, input) => ({ role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName, input }] });
  const result = (id, toolName, output) => ({ role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName, output }] });
  const denied = { type: 'execution-denied', reason: 'Not before the backup has run.' };
  const messages = [
    { role: 'user', content: 'Go.' },
    call('a', 'Bash', { command: 'rm -rf build' }),
    result('a', 'Bash', denied),
    call('b', 'Bash', { command: 'rm -rf build' }),
    result('b', 'Bash', denied),
    call('c', 'Bash', { command: 'rm -rf build' }),
    result('c', 'Bash', { type: 'text', value: text('c') }),
    { role: 'assistant', content: 'Done.' },
  ];
  for (const how of everything) assert.deepEqual(prune(messages, how).messages, messages);
});

test('agentToolPrepass ignores refused writes', () => {
  const file = `/srv/app/src/router.ts\n${Array.from({ length: 170 }, (_, i) => `const a${i} = ${i};`).join('\n')}`;
  const path = '/srv/app/src/router.ts';
  for (const refusal of refusals) {
    const calls = session(['Read', { file_path: path }, file], ['Write', { file_path: path, content: 'x' }, refusal]);
    const messages = calls.map((message, index) => ({ id: `m${index}`, index, ...message }));
    const trim = (list) => compress(list, { agentToolPrepass: true, recencyWindow: 100 }).messages[1].content;
    assert.equal(trim(messages), file, refusal);
    messages[3] = { ...messages[3], content: 'done' };
    assert.match(trim(messages), /superseded by a later write/);
  }
});
