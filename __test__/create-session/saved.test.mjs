// Saved sessions: they continue as if they had not been saved, contain no text of the history, and detect another history.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { createRequire } from 'node:module';
import { countTokens, createSession } from '../../unbundled/index.js';
import { placesIn, spoil } from '../errors/exports.mjs';
import { CORPORA } from '../support/corpus.mjs';
import { cases, someOf } from '../support/seed.mjs';
import { asks, refused, requestsOf, working } from './working.mjs';

const require = createRequire(import.meta.url);
const { formatNamed } = require('../../unbundled/providers/index.js');
const { fingerprintsOf } = require('../../unbundled/equality/fingerprint.js');

const JSON_FORMATS = [
  'openai-chat',
  'openai-responses',
  'openai-agents',
  'anthropic',
  'ai-sdk-model',
  'ai-sdk-ui',
  'gemini',
  'mastra',
  'ag-ui',
  'message',
];
const PACKAGE = new URL('../../unbundled/index.js', import.meta.url).href;
const copy = (value) => JSON.parse(JSON.stringify(value));
const open = (options, saved) => createSession({ limit: 6000, now: () => 0, ...options }, saved);

/** A session that has seen the history grow, and its number of epochs. */
function lived(history, options) {
  const session = open(options);
  let epochs = 0;
  for (const given of requestsOf(history)) if (session.next(given).epoch) epochs++;
  return { session, epochs };
}

/** The requests of another process for each of these histories. `flags`: of Node.js. */
function elsewhere(options, saved, histories, flags = []) {
  const program = `
    import { createSession } from ${JSON.stringify(PACKAGE)};
    import { readFileSync } from 'node:fs';
    const { options, saved, histories } = JSON.parse(readFileSync(0, 'utf8'));
    const session = createSession({ ...options, now: () => 0 }, saved);
    console.log(JSON.stringify(histories.map((history) => session.next(history))));`;
  const { stdout, stderr, status } = spawnSync(process.execPath, [...flags, '--input-type=module', '-e', program], {
    input: JSON.stringify({ options, saved, histories }),
    maxBuffer: 2 ** 28,
  });
  assert.equal(status, 0, String(stderr));
  return JSON.parse(stdout);
}

test('a session whose counter gives fractions of tokens goes on as if it had not been saved', () => {
  const options = { limit: 300, tokenCounter: ({ content }) => content.length / 7 };
  const history = Array.from({ length: 9 }, (_, turn) => ({
    role: ['user', 'assistant'][turn % 2],
    content: `Turn ${turn}. `.repeat(30 + turn),
  }));
  const { session } = lived(history.slice(0, 7), options);
  const resumed = open(options, copy(session));
  assert.deepEqual(resumed.next(history), session.next(history));
});

test('what is undone at the end is sent anew, and hardly more, as if the session had not been saved', () => {
  const asked = (turn) => ({ role: 'user', content: `Question ${turn}: how many rows did worker-${turn} write in run ${turn * 7}?` });
  const answered = (turn) => ({ role: 'assistant', content: `It wrote ${turn * 17} rows to table_${turn}. `.repeat(1 + (turn % 5)) });
  const grown = (turns, limit) => {
    const session = open({ limit, format: 'openai-chat' });
    const history = [];
    for (let turn = 0; turn < turns; turn++) {
      history.push(asked(turn));
      session.next(history);
      history.push(answered(turn));
    }
    return { session, history };
  };
  for (const limit of [1500, 4000])
    for (const turns of someOf([20, 35, 36, 47, 60]))
      for (let undone = 1; undone <= 8; undone++) {
        const { session, history } = grown(turns, limit);
        const resumed = open({ limit, format: 'openai-chat' }, copy(session));
        const given = [...history.slice(0, -2 * undone), { role: 'user', content: 'Undo that, please.' }];
        const [sent, expected] = [resumed, session].map((one) => one.next(given).report.messages.reused);
        // One message more, where the last of them may have been cut for what followed.
        assert.ok(sent >= expected - 1, `${undone} undone of ${turns}: ${sent}, not ${expected}`);
      }
});

for (const format of someOf(JSON_FORMATS)) {
  test(`${format}: another process sends the same, byte for byte`, () => {
    const history = working(format, 1, 40);
    const { session, epochs } = lived(history, { format });
    assert.ok(epochs >= 2);
    const saved = JSON.stringify(session);
    const histories = [history, [...history, ...working(format, 41, 41)], working(format, 1, 60)];
    const there = elsewhere({ limit: 6000, format }, JSON.parse(saved), histories);
    histories.forEach((given, index) => {
      const here = session.next(given);
      assert.equal(JSON.stringify(there[index].messages), JSON.stringify(here.messages));
      assert.deepEqual(there[index].tokens, here.tokens);
      assert.deepEqual(there[index].epoch, copy({ epoch: here.epoch }).epoch);
      assert.equal(there[index].report.messages.reused, here.report.messages.reused);
    });
  });
}

test('saving changes nothing, and says its version', () => {
  const history = working('anthropic', 1, 40);
  const [one, other] = [open({ format: 'anthropic' }), open({ format: 'anthropic' })];
  for (const given of requestsOf(history)) {
    const saved = copy(one);
    assert.equal(saved.version, 1);
    assert.deepEqual(copy(one), saved);
    assert.deepEqual(copy(open({ format: 'anthropic' }, saved)), saved);
    assert.deepEqual(one.next(given), other.next(given));
  }
});

test('a session that is taken up between any two requests goes on as it would have', () => {
  const history = working('openai-chat', 1, 30);
  const options = { format: 'openai-chat' };
  const whole = open(options);
  let session = open(options);
  for (const given of requestsOf(history)) {
    session = open(options, copy(session));
    assert.deepEqual(copy(session.next(copy(given))), copy(whole.next(given)));
  }
  assert.deepEqual(copy(session.report), copy(whole.report));
});

// ---- Size and contents --------------------------------------------------------------------------------------------

const bytes = (value) => Buffer.byteLength(JSON.stringify(value));

/** Substrings of this length would be text of the history. A mark may name a path. */
const LONG = 24;
const MARK = /\[…[^\]]*\]|\[palimpsest:[^\]]*\]/g;
function assertNoText(saved, history) {
  const texts = JSON.stringify(saved).replace(MARK, '\n');
  const windows = new Set();
  for (let at = 0; at + LONG <= texts.length; at++) windows.add(texts.slice(at, at + LONG));
  const walk = (value) => {
    if (typeof value === 'string')
      for (let at = 0; at + LONG <= value.length; at++)
        assert.ok(!windows.has(value.slice(at, at + LONG)), `holds ${value.slice(at, at + LONG)}`);
    else if (value !== null && typeof value === 'object') Object.values(value).forEach(walk);
  };
  walk(history);
}

function assertSmall(session, history) {
  const { log, ...saved } = copy(session);
  assert.ok(bytes(saved) <= 0.05 * bytes(history) + 2048, `${bytes(saved)} bytes for ${bytes(history)}`);
  // What was sent before.
  assert.ok(bytes(log) <= 0.02 * bytes(history) + 4096, `${bytes(log)} bytes for ${bytes(history)}`);
  assertNoText(log, history);
  assertNoText(saved, history);
}

const tiny = (count) =>
  Array.from({ length: count }, (_, index) =>
    index % 2 === 0 ? { role: 'user', content: `ok ${index}` } : { role: 'assistant', content: `and ${index}` },
  );
const histories = {
  'many tiny messages': { history: tiny(6000), every: 400, limit: 8000 },
  'tiny messages that are the same': {
    history: Array.from({ length: 4000 }, (_, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: 'ok' })),
    every: 400,
    limit: 8000,
  },
  'a few giant ones': { history: working('openai-chat', 1, 6, 3000), every: 1, limit: 40_000 },
  'a small conversation': { history: working('openai-chat', 1, 3), every: 1, limit: 1000 },
  'an agent at work': { history: working('openai-chat', 1, 120), every: 1, limit: 12_000 },
};
for (const [name, { history, every, limit }] of Object.entries(histories)) {
  test(`a saved state is small and holds no text: ${name}`, () => {
    const session = open({ format: 'openai-chat', limit });
    let epochs = 0;
    for (const [index, given] of requestsOf(history).entries()) {
      if (index % every > 0 && given.length < history.length) continue;
      if (session.next(given).epoch) epochs++;
      if (index % (20 * every) === 0) assertSmall(session, given);
    }
    assert.ok(epochs > 0);
    assertSmall(session, history);
  });
}

for (const { corpus, native, skip } of CORPORA)
  test(`the saved states of ${corpus} are small and hold no text`, { skip }, () => {
    for (const { format, messages } of someOf(native())) {
      for (const limit of [4000, 32_000]) {
        const session = open({ format, limit });
        for (const given of requestsOf(messages)) session.next(given);
        assertSmall(session, messages);
      }
    }
  });

// ---- States of other histories ------------------------------------------------------------------------------------

test('a state of another history is noticed, and the session starts anew', () => {
  for (const format of someOf(JSON_FORMATS)) {
    const { session } = lived(working(format, 101, 140), { format });
    const history = working(format, 1, 40);
    const [taken, anew] = [open({ format }, copy(session)), open({ format })];
    const [step, fresh] = [taken.next(history), anew.next(history)];
    assert.equal(step.report.foreign, true);
    assert.deepEqual(step.messages, fresh.messages);
    assert.deepEqual(step.tokens, fresh.tokens);
    const longer = working(format, 1, 41);
    assert.equal(taken.next(longer).report.foreign, undefined);
  }
});

test('a message that was changed in place after its request is no message of the saved state', () => {
  const history = Array.from({ length: 7 }, (_, index) => ({
    role: index % 2 ? 'assistant' : 'user',
    content: `Message ${index} of the conversation. `.repeat(40),
  }));
  const session = open({ limit: 100_000 });
  session.next(history);
  history.at(-1).content += ' And tell me the reason, with all that you know of it.';
  const again = open({ limit: 100_000 }, copy(session));
  assert.equal(again.next(history).tokens.after, open({ limit: 100_000 }).next(copy(history)).tokens.after);
});

test('bytes of a buffer are compared', () => {
  const message = (byte) => ({ role: 'user', content: [{ type: 'image', image: new Uint8Array([1, 2, byte]).buffer }] });
  const session = open({ format: 'ai-sdk-model', limit: 100_000 });
  const first = message(3);
  session.next([first]);
  assert.equal(session.next([message(3)]).messages[0], first);
  const other = message(4);
  assert.equal(session.next([other]).messages[0], other);
  const saved = copy(session);
  for (const [byte, isForeign] of [
    [4, undefined],
    [5, true],
  ])
    assert.equal(open({ format: 'ai-sdk-model', limit: 100_000 }, saved).next([message(byte)]).report.foreign, isForeign);
});

test('a state of this history is not foreign, be it longer, shorter or changed at its end', () => {
  const history = working('openai-chat', 1, 40);
  const { session } = lived(history, { format: 'openai-chat' });
  const saved = copy(session);
  for (const given of [
    history,
    working('openai-chat', 1, 44),
    history.slice(0, -8),
    [...history.slice(0, -2), ...asks('openai-chat', 'Go on.')],
    copy(history),
  ]) {
    const step = open({ format: 'openai-chat' }, copy(saved)).next(given);
    assert.equal(step.report.foreign, undefined);
  }
});

test('a value that is no state is refused, and named', () => {
  for (const saved of [7, 'x', true, [], () => 1])
    assert.throws(
      () => open({}, saved),
      (error) => error instanceof TypeError && /^createSession\(\): saved/.test(error.message),
      String(saved),
    );
  for (const saved of [{}, { version: 2 }, { version: '1' }, { ...copy(open({})), version: 99 }])
    assert.throws(
      () => open({}, saved),
      (error) => /^createSession\(\): saved/.test(error.message),
      JSON.stringify(saved),
    );
  for (const saved of [undefined, null]) open({}, saved);
});

test('a state that is spoilt is refused or noticed, and never sends what is no part of the history', async () => {
  const history = working('anthropic', 1, 40);
  const { session } = lived(history, { format: 'anthropic' });
  const state = copy(session);
  const places = placesIn([state]).filter((place) => place.length > 1);
  assert.ok(places.length > 5);
  const values = [null, 0, -1, 1.5, 1e308, 2 ** 31, '', 'text', 'AAAA', true, [], {}, [null], [[7]], ['x'], { a: 1 }];
  let refusedStates = 0;
  for (const [number, place] of places.entries()) {
    for (const [index, value] of values.entries()) {
      if ((number + index) % Math.ceil(places.length / cases(150)) !== 0) continue;
      const [saved] = spoil([copy(state)], place, value);
      const where = `${place.join('.')} = ${JSON.stringify(value)}`;
      let step;
      try {
        const taken = open({ format: 'anthropic' }, saved);
        step = taken.next(history);
        JSON.stringify(taken);
        String(taken.report);
      } catch (error) {
        refusedStates++;
        assert.ok(error instanceof TypeError || error instanceof RangeError, `${where}: ${error.stack}`);
        assert.match(error.message, /^createSession\(\): saved/, `${where}: ${error.stack}`);
        continue;
      }
      assert.equal(await refused('anthropic', step.messages), null, where);
      assert.equal(step.fits, step.tokens.after <= 6000, where);
    }
  }
  assert.ok(refusedStates > 0);
});

/** Whole numbers as a saved state has them: seven bits a byte, the lowest first, in Base64. */
function packed(numbers) {
  const bytes = numbers.flatMap((number) => {
    const digits = [];
    for (let rest = BigInt(number); rest > 0n || digits.length === 0; rest >>= 7n)
      digits.push(Number(rest & 0x7fn) + (rest > 0x7fn ? 0x80 : 0));
    return digits;
  });
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}

test('a state whose edits break what they edit is that of another history, and the session goes on', () => {
  for (const format of JSON_FORMATS) {
    const history = working(format, 1, 3);
    const parts = formatNamed(format).read(history);
    const state = copy(lived(history, { format }).session);
    for (const [part, { text, kind }] of parts.entries()) {
      if (kind !== 'call') continue;
      const values = fingerprintsOf([text]).join('');
      // A mark in place of all of it; its beginning; the beginning of a value.
      for (const [numbers, marks] of [
        [[part, 2, 1], ['x']],
        [[part, 2, 0, 3], []],
        [[part, 3, 1, 2, 1], ['{"a":']],
      ]) {
        const session = open({ format }, { ...state, covered: history.length, edits: packed(numbers), marks, values });
        const step = session.next(history);
        assert.equal(step.report.foreign, true);
        assert.deepEqual(step.messages, history);
        const more = [...history, ...asks(format, 'Go on.')];
        assert.equal(session.next(more).report.foreign, undefined);
        assert.equal(open({ format }, copy(session)).next(more).report.foreign, undefined);
      }
    }
  }
});

test('an error of the history or of a callback is none of the saved state, which is taken up afterwards', () => {
  const history = working('anthropic', 1, 40);
  const options = { format: 'anthropic' };
  const { session } = lived(history, options);
  const taken = open(options, copy(session));
  assert.throws(() => taken.next([...history, null]), /^TypeError: next\(\): messages\[\d+\]/);
  const step = taken.next(history);
  assert.equal(step.report.foreign, undefined);
  assert.deepEqual(step.messages, session.next(history).messages);
});

test('a state that was saved before a message showed its format is not foreign, and goes on as the session would have', () => {
  const lines = Array.from({ length: 400 }, (_, index) => `row ${index} was written by worker-${index % 7}`).join('\n');
  for (const [format, count] of [
    ['anthropic', 400],
    ['anthropic', 3],
    ['ai-sdk-model', 400],
    ['openai-agents', 3],
    ['langchain', 3],
  ]) {
    const asked = [{ role: 'user', content: [{ type: 'text', text: lines.split('\n').slice(0, count).join('\n') }] }];
    if (/agents/.test(format)) asked[0].content[0].type = 'input_text';
    const more = [...asked, ...working(format === 'langchain' ? 'openai-chat' : format, 1, 1).slice(1)];
    for (const later of [{}, format === 'langchain' ? {} : { format }]) {
      const session = open({ limit: 1500 });
      session.next(asked);
      const taken = open({ limit: 1500, ...later }, copy(session));
      const [step, other] = [taken.next(copy(more)), session.next(more)];
      assert.equal(step.report.foreign, undefined, format);
      assert.equal(step.report.format, other.report.format);
      assert.deepEqual(copy([step.messages, step.tokens, step.epoch ?? null]), copy([other.messages, other.tokens, other.epoch ?? null]));
      assert.equal(taken.report.requests, 2);
    }
  }
});

test('what was cut before a message showed the format stays cut, and a format that was taken up stays until a message shows another', () => {
  const asked = [
    { role: 'user', content: Array.from({ length: 400 }, (_, index) => `row ${index} came from worker-${index % 7}`).join('\n') },
  ];
  for (const format of ['anthropic', 'ai-sdk-model', 'langchain']) {
    const options = { limit: 1500 };
    const session = open(options);
    const first = session.next(asked);
    assert.ok(first.tokens.after < first.tokens.before, 'nothing was cut');
    const more = [...asked, ...working(format === 'langchain' ? 'openai-chat' : format, 1, 1).slice(1)];
    const second = session.next(more);
    assert.deepEqual(copy(second.messages[0]), copy(first.messages[0]), format);
    assert.equal(second.report.messages.reused, 1);
    // Back to where nothing shows a format, saved twice.
    const taken = open(options, copy(session));
    const [one, other] = [taken, session].map((at) => at.next(asked).report.format);
    assert.equal(one, other);
    assert.equal(open(options, copy(taken)).next(asked).report.format, one);
    assert.equal(taken.next(asked).report.format, one);
  }
});

test('tools and instructions that change after the session was made are counted', () => {
  const say = (text) => Array.from({ length: 60 }, (_, index) => `${text} ${index}`).join(', ');
  const tool = (format, name, description) =>
    format === 'gemini'
      ? { name, description, parameters: { type: 'object' } }
      : format === 'anthropic'
        ? { name, description, input_schema: { type: 'object' } }
        : { type: 'function', function: { name, description, parameters: { type: 'object' } } };
  for (const format of ['openai-chat', 'anthropic', 'gemini']) {
    const declared = [tool(format, 'read', 'Reads.')];
    const tools = format === 'gemini' ? [{ functionDeclarations: declared }] : declared;
    const system = [{ type: 'text', text: 'Be brief.' }];
    const options = { format, tools, ...(format === 'anthropic' && { system }) };
    const session = open(options);
    const history = working(format, 1, 2);
    const isCounted = (step) => assert.equal(step.tokens.after, countTokens(step.messages, options), format);
    isCounted(session.next(history));
    for (const change of [
      () => declared.push(tool(format, 'write', say('Writes'))),
      () => Object.assign(declared[0].function ?? declared[0], { description: say('Reads') }),
      () => (system[0].text = say('Be brief')),
      () => declared.splice(0, 1),
      () => declared.push(...Array.from({ length: 40 }, (_, index) => tool(format, `tool_${index}`, say(`Does ${index}`)))),
    ]) {
      change();
      const step = session.next(history);
      isCounted(step);
      assert.equal(step.fits, step.tokens.after <= 6000);
      assert.equal(session.next(history).report.reusedTokens, step.tokens.after);
    }
    // The tools alone are too much.
    assert.equal(session.next(history).fits, false);
  }
});

test('a state that names parts that no history can have takes no memory for them', () => {
  const history = working('openai-chat', 1, 40);
  const options = { limit: 6000, format: 'openai-chat' };
  const state = copy(lived(history, options).session);
  // Nothing goes at first, then a run of parts that would fill the memory of the process many times.
  for (const run of [2 ** 24 - 1, 2 ** 40]) {
    const saved = { ...state, edits: packed([0, 0, run]), marks: [] };
    const [{ report, messages }] = elsewhere(options, saved, [history], ['--max-old-space-size=64']);
    assert.equal(report.foreign, true, String(run));
    assert.deepEqual(messages, copy(open(options).next(history).messages));
  }
});

test('stale messages are named once each, in order; the window of trimming begins at a message', () => {
  const state = copy(lived(working('anthropic', 1, 40), { format: 'anthropic' }).session);
  open({ format: 'anthropic' }, { ...state, stale: packed([0, 2, 2, 1, 7, 3]) });
  for (const start of [1.5, -1])
    assert.throws(
      () => open({}, { ...state, ledger: { ...state.ledger, window: { start, tokens: 1 } } }),
      /^TypeError: createSession\(\): saved\.ledger/,
    );
  for (const ranges of [
    [0, 9, 0, 9],
    [3, 2, 4, 1],
    [5, 1, 0, 1],
  ])
    assert.throws(() => open({ format: 'anthropic' }, { ...state, stale: packed(ranges) }), /^TypeError: createSession\(\): saved\.stale/);
});
