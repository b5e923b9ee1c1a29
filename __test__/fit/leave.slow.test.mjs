// With `thinking: 'leave'`, content before signed thinking is cut like any other, and the remaining thinking is unchanged.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { countTokens, fit, prune, restore, validate } from '../../unbundled/index.js';
import { working } from '../prune/working.mjs';
import { answerMessages } from '../support/providers/anthropic.mjs';
import { cases, IS_WHOLE } from '../support/seed.mjs';
import { sayIn } from '../support/transcripts.mjs';

const require = createRequire(import.meta.url);
const { formatOf } = require('../../unbundled/providers/index.js');
const { write } = require('../../unbundled/providers/shared/write.js');
const { getIn } = require('../../unbundled/providers/shared/copy.js');

const read = (messages, format) => formatOf(messages, format).read(messages);
const blockOf = (messages, { message, path }) => getIn(messages[message], path);
/** Returns the signed blocks of each message; for a `UIMessage`, of each step. */
function signedIn(messages, format) {
  const groups = [];
  let last;
  for (const part of read(messages, format)) {
    if (part.message !== last || part.locked === 'step') groups.push([]);
    last = part.message;
    if (part.signed) groups.at(-1).push(blockOf(messages, part));
  }
  return groups.filter((group) => group.length > 0);
}
/** Anthropic's reason to refuse messages, or null. */
function refusalOf(messages) {
  try {
    answerMessages({ messages });
    return null;
  } catch (error) {
    return error.message;
  }
}

/** Asserts the properties of a result: its thinking, its validity, and that everything is restored. */
function assertLeft(messages, format, { messages: made, originals }) {
  const [before, after] = [messages, made].map((list) => signedIn(list, format));
  const given = new Set(before.flat());
  const left = after.flat();
  for (const block of left) assert.ok(given.has(block), 'the same block');
  assert.deepEqual(
    before.flat().filter((block) => left.includes(block)),
    left,
    'in the same order',
  );
  for (const group of before) {
    const kept = group.filter((block) => left.includes(block)).length;
    assert.ok(kept === 0 || kept === group.length, `${kept} of ${group.length} blocks of a message`);
  }
  const own = (list) =>
    new Set(
      read(list, format)
        .filter(({ kind }) => kind !== 'reasoning')
        .map(({ message }) => message),
    );
  const [ownBefore, ownAfter] = [messages, made].map(own);
  if (ownBefore.size === messages.length) assert.equal(ownAfter.size, made.length, 'no message of thinking alone');
  const broken = new Set(validate(messages, { format }).map(({ rule }) => rule));
  for (const { rule, message } of validate(made, { format })) assert.ok(broken.has(rule), message);
  if (format === 'anthropic' && refusalOf(messages) === null) {
    assert.equal(refusalOf(made), null);
    // With `drop_block`, a model that checks the prefix ignores the thinking.
    const dropped = read(made, format)
      .filter(({ signed }) => signed)
      .map((part) => ({ part, remove: true }));
    assert.equal(refusalOf(write(formatOf(made, format), made, dropped).messages), null);
  }
  assert.deepEqual(restore(made, originals).messages, messages);
  return left.length;
}

/** Returns whether something before the last signed block has changed. */
function isCutBefore(messages, made, format) {
  const shown = (list) => {
    const parts = read(list, format);
    return parts
      .slice(
        0,
        parts.findLastIndex(({ signed }) => signed),
      )
      .map(({ kind, text }) => `${kind} ${text}`)
      .join('\n');
  };
  return !shown(messages).startsWith(shown(made));
}

for (const format of ['anthropic', 'openai-chat', 'ai-sdk-model', 'ai-sdk-ui', 'langchain', 'message']) {
  test(`${format}: fit cuts before signed thinking and leaves the blocks as they are`, () => {
    const seen = { left: 0, before: 0, gone: 0, smaller: 0 };
    fc.assert(
      fc.property(working, fc.constantFrom(0, 0.2, 0.5, 0.8, 0.95), (spoken, share) => {
        const messages = sayIn(format, spoken);
        const signed = signedIn(messages, format).flat().length;
        if (signed === 0) return;
        const budget = Math.floor(countTokens(messages, { format }) * share);
        const fitted = fit(messages, { format, limit: budget, margin: 0, thinking: 'leave' });
        assert.equal(fitted.tokens.after, countTokens(fitted.messages, { format }));
        assert.equal(fitted.fits, fitted.tokens.after <= budget);
        const left = assertLeft(messages, format, fitted);
        assert.ok(!('heldByThinking' in fitted.report) && !('strippedOpenTurn' in fitted.report));
        const kept = fit(messages, { format, limit: budget, margin: 0, thinking: 'keep' });
        assert.ok(fitted.fits || !kept.fits, 'it fits where less may be cut');
        seen.left += left;
        seen.gone += signed - left;
        if (left > 0 && isCutBefore(messages, fitted.messages, format)) seen.before++;
        if (fitted.tokens.after < kept.tokens.after) seen.smaller++;
      }),
      { numRuns: cases(250) },
    );
    // A step of a `UIMessage` never goes completely.
    if (format === 'ai-sdk-ui') delete seen.gone;
    if (IS_WHOLE) for (const [what, count] of Object.entries(seen)) assert.ok(count > 10, `${what}: ${JSON.stringify(seen)}`);
  });

  test(`${format}: prune edits before signed thinking and leaves the blocks as they are`, () => {
    const seen = { left: 0, before: 0 };
    fc.assert(
      fc.property(working, fc.constantFrom('stub', 'remove'), (spoken, mode) => {
        const messages = sayIn(format, spoken);
        const pruned = prune(messages, { format, mode, thinking: 'leave', keep: { recent: 0 } });
        const left = assertLeft(messages, format, pruned);
        if (mode === 'stub') assert.equal(left, signedIn(messages, format).flat().length, 'stubs take no thinking along');
        seen.left += left;
        if (left > 0 && isCutBefore(messages, pruned.messages, format)) seen.before++;
      }),
      { numRuns: cases(250) },
    );
    if (IS_WHOLE) assert.ok(seen.left > 50 && seen.before > 20, JSON.stringify(seen));
  });
}

test('anthropic, with thinking between the calls of a message: all of it stays, or none', () => {
  const seen = { left: 0, gone: 0, interleaved: 0 };
  fc.assert(
    fc.property(working, fc.constantFrom('fit', 'stub', 'remove'), (spoken, how) => {
      let count = 0;
      const think = () => ({ type: 'thinking', thinking: 'And now?', signature: `between ${count++}` });
      const messages = sayIn('anthropic', spoken).map((message) =>
        message.role === 'assistant' && Array.isArray(message.content)
          ? { ...message, content: message.content.flatMap((block) => (block.type === 'tool_use' ? [think(), block] : [block])) }
          : message,
      );
      const options = { format: 'anthropic', thinking: 'leave' };
      const made =
        how === 'fit'
          ? fit(messages, { ...options, limit: Math.floor(countTokens(messages, { format: 'anthropic' }) * 0.6) })
          : prune(messages, { ...options, mode: how, keep: { recent: 0 } });
      const left = assertLeft(messages, 'anthropic', made);
      seen.left += left;
      seen.gone += signedIn(messages, 'anthropic').flat().length - left;
      seen.interleaved += signedIn(made.messages, 'anthropic').filter(({ length }) => length > 1).length;
    }),
    { numRuns: cases(400) },
  );
  if (IS_WHOLE) for (const [what, count] of Object.entries(seen)) assert.ok(count > 50, `${what}: ${JSON.stringify(seen)}`);
});

describe('an agent that thinks before each call', () => {
  const log = Array.from({ length: 200 }, (_, line) => `line ${line} value ${(line * 7919) % 1000}`).join('\n');
  const think = (step) => ({ type: 'thinking', thinking: 'Let me look at the log once more.', signature: `signed ${step}` });
  const use = (id) => ({ type: 'tool_use', id, name: 'Bash', input: { command: `cat ${id}` } });
  const answer = (...ids) => ({ role: 'user', content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: log })) });
  const steps = Array.from({ length: 6 }, (_, step) => [
    { role: 'assistant', content: [think(step), use(`t${step}`)] },
    answer(`t${step}`),
  ]).flat();
  const messages = [{ role: 'user', content: 'Find out why.' }, ...steps];
  const total = countTokens(messages);

  test('the budget is met with the thinking in place, although keep can cut nothing', () => {
    const { fits, tokens, messages: fitted } = fit(messages, { limit: total / 2, margin: 0, thinking: 'leave' });
    assert.ok(fits && tokens.after > 0.95 * (total / 2), `${tokens.after} of ${total / 2}`);
    assert.ok(
      fitted.some(({ content }) => content.includes?.(messages.at(-2).content[0])),
      'that of the open turn',
    );
    assert.equal(fit(messages, { limit: total / 2, margin: 0, thinking: 'keep' }).fits, false);
  });

  test('rounds with originals choose from everything, and strip nothing', () => {
    const first = fit(messages, { limit: total / 3, margin: 0, thinking: 'leave' });
    const grown = [
      ...first.messages,
      { role: 'assistant', content: [think('new'), { type: 'text', text: 'It is the lock.' }] },
      { role: 'user', content: 'Go on.' },
    ];
    const all = [...messages, ...grown.slice(-2)];
    const whole = fit(grown, { limit: Infinity, thinking: 'leave', originals: first.originals });
    assert.deepEqual(whole.messages, all);
    assert.deepEqual(whole.originals, {});
    const again = fit(grown, { limit: total / 2, margin: 0, thinking: 'leave', originals: first.originals });
    assert.deepEqual(again.messages, fit(all, { limit: total / 2, margin: 0, thinking: 'leave' }).messages);
    assert.deepEqual(restore(again.messages, again.originals).messages, all);
  });

  test('if a removed call takes some of its message’s thinking, the rest goes too', () => {
    const write = (id, text) => ({ type: 'tool_use', id, name: 'Write', input: { file_path: '/a.ts', content: text.repeat(60) } });
    const talk = [
      { role: 'user', content: 'Change it.' },
      { role: 'assistant', content: [think('one'), use('a'), think('two'), write('b', 'x = 1;\n')] },
      { role: 'user', content: ['a', 'b'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'done' })) },
      { role: 'assistant', content: [think('three'), write('c', 'y = 2;\n')] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'done' }] },
    ];
    const pruned = prune(talk, { mode: 'remove', thinking: 'leave', keep: { recent: 0 } });
    assert.deepEqual(pruned.messages[1].content, [use('a')]);
    assert.equal(pruned.messages[3], talk[3]);
    assert.equal(pruned.report.strippedThinking, 1);
    assert.deepEqual(restore(pruned.messages, pruned.originals).messages, talk);
  });

  describe('the report about thinking', () => {
    const ofMessages = (list) => countTokens(list) - countTokens([], { format: 'anthropic' });

    test('with keep: tokens before the last signed thinking and of its outcome', () => {
      const { report, fits } = fit(messages, { limit: 1000, thinking: 'keep' });
      assert.equal(fits, false);
      assert.equal(report.heldByThinking, ofMessages(messages.slice(0, -1)));
      assert.match(`${report}`, new RegExp(` · ${report.heldByThinking.toLocaleString('en-US')} tokens are held by signed thinking$`));
      const fitting = fit(messages, { margin: 0, limit: total - 1, thinking: 'keep' });
      assert.equal(fitting.fits, true);
      assert.doesNotMatch(`${fitting.report}`, /thinking/);
    });

    test('instructions and later messages are not held, and nothing is with the other choices', () => {
      const system = { role: 'system', content: 'Be brief, and say which line it was.' };
      const talk = [
        messages[0],
        system,
        ...messages.slice(1),
        { role: 'assistant', content: 'It is the lock.' },
        { role: 'user', content: log },
      ];
      assert.equal(
        fit(talk, { limit: 1000, format: 'anthropic', thinking: 'keep' }).report.heldByThinking,
        ofMessages(messages.slice(0, -1)),
      );
      for (const thinking of ['strip', 'leave', undefined])
        assert.equal('heldByThinking' in fit(talk, { limit: 1000, format: 'anthropic', thinking }).report, false);
      const unsigned = talk.slice(-2);
      assert.equal('heldByThinking' in fit(unsigned, { limit: 100, format: 'anthropic', thinking: 'keep' }).report, false);
    });

    test("with the caller's counter: its counts", () => {
      const { report } = fit(messages, { limit: 10, thinking: 'keep', tokenCounter: () => 7 });
      assert.equal(report.heldByThinking, 7 * (messages.length - 1));
    });

    test('of a UIMessage only the steps up to the last thought are held', () => {
      const step = (id, signed) => [
        { type: 'step-start' },
        ...(signed ? [{ type: 'reasoning', text: 'Hm.', providerMetadata: { anthropic: { signature: id } } }] : []),
        { type: 'tool-bash', toolCallId: id, state: 'output-available', input: { command: id }, output: log },
      ];
      const ui = (...parts) => [
        { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
        { id: 'a', role: 'assistant', parts },
      ];
      const count = (list) => countTokens(list, { format: 'ai-sdk-ui' }) - countTokens([], { format: 'ai-sdk-ui' });
      const { report } = fit(ui(...step('a', true), ...step('b', true), ...step('c', false)), {
        limit: 1000,
        format: 'ai-sdk-ui',
        thinking: 'keep',
      });
      // The call of the last thought is held, its result isn't.
      const upTo = count(ui(...step('a', true), ...step('b', true))) - countTokens(log);
      assert.ok(Math.abs(report.heldByThinking - upTo) <= 5, `${report.heldByThinking}, ${upTo} counted`);
    });

    test('the default of fit is strip, that of prune keep', () => {
      const budget = Math.floor(total / 2);
      const [none, nothing, strip] = [undefined, null, 'strip'].map((thinking) => fit(messages, { margin: 0, limit: budget, thinking }));
      assert.deepEqual([none.messages, nothing.messages], [strip.messages, strip.messages]);
      assert.ok(none.fits && none.tokens.after > 0.9 * budget);
      assert.equal(signedIn(none.messages, 'anthropic').length, 0);
      const again = [...steps.slice(0, 2), ...messages.slice(1)].toSpliced(0, 0, messages[0]);
      const [unset, kept] = [undefined, 'keep'].map((thinking) => prune(again, { thinking, keep: { recent: 0 } }));
      assert.deepEqual(unset.messages, kept.messages);
    });

    test('a result that does not fit says why at the end of its line', () => {
      const lastOf = (options) => `${fit(messages, options).report}`.split(' · ').at(-1);
      const system = 'Be brief. '.repeat(200);
      const tools = [{ name: 'Bash', input_schema: { type: 'object', properties: { command: { type: 'string' } } } }];
      const request = countTokens([], { format: 'anthropic', system, tools });
      const said = lastOf({ limit: 300, system, tools });
      assert.ok(said.startsWith(`these tokens have to stay: ${request.toLocaleString('en-US')} of instructions and tools, `), said);
      const recent = lastOf({ limit: 300, keep: { recent: 4 } });
      const [, kept] = /, ([\d,]+) that `keep` names/.exec(recent) ?? assert.fail(recent);
      const most = countTokens(messages.slice(-4)) - countTokens([], { format: 'anthropic' });
      assert.ok(Number(kept.replace(',', '')) <= most && Number(kept.replace(',', '')) > 0.9 * most, recent);
      assert.match(
        lastOf({ limit: 10 }),
        /^these tokens have to stay: \d+ of instructions and tools, \d+ that a valid conversation needs$/,
      );
      assert.match(lastOf({ limit: 10, thinking: 'keep' }), / tokens are held by signed thinking$/);
      assert.doesNotMatch(lastOf({ limit: total }), /have to stay/);
    });

    test('prune with strip: whether the turn whose calls are being answered lost its thinking', () => {
      const write = (id) => ({ type: 'tool_use', id, name: 'Write', input: { file_path: '/a.ts', content: log } });
      const turn = (id) => [
        { role: 'assistant', content: [think(id), write(id)] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] },
      ];
      const open = [{ role: 'user', content: 'Change it.' }, ...turn('a'), ...turn('b'), ...turn('c')];
      const strippedBy = (list, thinking) => prune(list, { thinking, keep: { recent: 0 } }).report.strippedOpenTurn;
      assert.equal(strippedBy(open, 'strip'), true);
      for (const thinking of ['keep', 'leave', undefined]) assert.equal(strippedBy(open, thinking), undefined);
      assert.equal(strippedBy([...open, { role: 'assistant', content: 'Done.' }, { role: 'user', content: 'Go on.' }], 'strip'), undefined);
    });

    const strippedIn = (list, options) =>
      fit(list, { limit: countTokens(list, options) - 1, thinking: 'strip', ...options }).report.strippedOpenTurn;
    const done = [
      { role: 'assistant', content: 'It is the lock.' },
      { role: 'user', content: 'Go on.' },
    ];
    const splitUp = messages.flatMap(({ role, content }) =>
      role === 'assistant' ? content.map((block) => ({ role, content: [block] })) : [{ role, content }],
    );
    const parallel = [
      messages[0],
      { role: 'assistant', content: [think('p'), use('a'), { type: 'text', text: 'And the other.' }, use('b')] },
    ];

    test('with strip: whether the turn whose calls are being answered lost its thinking', () => {
      for (const open of [messages, splitUp, messages.slice(0, -1), [...parallel, answer('a', 'b')], [...parallel, answer('b', 'a')]])
        assert.equal(strippedIn(open), true);
      const closed = [
        [...messages, ...done],
        [...messages.slice(0, -1), { role: 'user', content: [...messages.at(-1).content, { type: 'text', text: 'Stop.' }] }],
        [...messages, { role: 'assistant', content: [use('next')] }, answer('next')],
      ];
      for (const list of closed) {
        const report = fit(list, { limit: 1500, thinking: 'strip' }).report;
        assert.equal('strippedOpenTurn' in report, false);
      }
    });

    test('not if its thinking stays, nothing is cut, or nothing is stripped', () => {
      assert.equal('strippedOpenTurn' in fit(messages, { margin: 0, limit: total, thinking: 'strip' }).report, false);
      for (const thinking of ['keep', 'leave']) assert.equal('strippedOpenTurn' in fit(messages, { limit: 2000, thinking }).report, false);
      assert.equal(
        'strippedOpenTurn' in
          fit([...messages.slice(0, -2), { role: 'assistant', content: [use('x')] }, answer('x')], { limit: 2000, thinking: 'strip' })
            .report,
        false,
      );
    });

    test('in the formats that pass signed thinking on', () => {
      const chat = [
        { role: 'user', content: 'Go.' },
        {
          role: 'assistant',
          content: null,
          thinking_blocks: [think('s')],
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'Bash', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: log },
      ];
      assert.equal(strippedIn(chat, { format: 'openai-chat' }), true);
      assert.equal(strippedIn([...chat, ...done], { format: 'openai-chat' }), undefined);
      const step = (id) => [
        { type: 'step-start' },
        { type: 'reasoning', text: 'Hm.', providerMetadata: { anthropic: { signature: id } } },
        ...['x', 'y'].map((call) => ({ type: 'tool-bash', toolCallId: id + call, state: 'output-available', input: {}, output: log })),
      ];
      const ui = (...parts) => [
        { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
        { id: 'a', role: 'assistant', parts },
      ];
      assert.equal(strippedIn(ui(...step('a'), ...step('b')), { format: 'ai-sdk-ui' }), true);
      assert.equal(
        strippedIn(ui(...step('a'), { type: 'step-start' }, { type: 'text', text: 'Done.' }), { format: 'ai-sdk-ui' }),
        undefined,
      );
    });
  });
});
