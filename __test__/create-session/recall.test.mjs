// What a session recalls: by itself when the user speaks, when it is asked, and for the model's tool.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createSession, recallTool, validate } from 'palimpsest';
import { cases, IS_WHOLE, someOf } from '../support/seed.mjs';
import { FORMATS } from '../support/transcripts.mjs';
import { deepFreeze } from './life.mjs';
import { asks, refused, requestsOf, says, working } from './working.mjs';

const LIMIT = 3000;
const OPENING = '[recalled from this conversation, not part of this message]';
const open = (options, saved) => createSession({ limit: LIMIT, now: () => 0, recall: 'auto', ...options }, saved);
const copy = (messages) => (messages.some((message) => message.lc_serializable) ? messages.slice() : JSON.parse(JSON.stringify(messages)));
const print = (messages) => JSON.stringify(messages);
/** A line of a part's result, about which the user asks: only that result has it. */
const lineOf = (part, line) =>
  `part${part} line ${line}: the ${['claim', 'ledger', 'queue', 'shard'][line % 4]} of batch ${part * 1000 + line}`;
const question = (part, line) => `Which worker does batch ${part * 1000 + line} of part${part} wait for?`;

/** A session after an agent's work on 12 parts, of which the first ones went. */
function worked(format, options) {
  const history = working(format, 1, 12);
  const session = open({ format, ...options });
  for (const given of requestsOf(history)) session.next(given);
  return { history, session };
}

for (const format of someOf(FORMATS)) {
  test(`${format}: the answer to a question follows it, and what was sent before stays`, async () => {
    const { history, session } = worked(format);
    const before = session.next(history).messages;
    assert.ok(!says(before, lineOf(1, 17)), 'it went');
    const asked = [...history, ...asks(format, question(1, 17))];
    const saved = JSON.parse(JSON.stringify(session));
    const step = session.next(asked);
    if (step.epoch === undefined) assert.deepEqual(step.messages.slice(0, before.length), before);
    // An epoch that begins with the question keeps the answer itself, and nothing repeats it.
    const isKept = step.epoch !== undefined && says(step.messages.slice(0, -1), lineOf(1, 17));
    assert.equal(says(step.messages.slice(-1), lineOf(1, 17)), !isKept, print(step.messages.at(-1)));
    assert.ok(isKept || says(step.messages.slice(-1), OPENING));
    assert.ok(step.fits && step.tokens.after <= LIMIT);
    assert.equal(await refused(format, step.messages), null);
    assert.deepEqual(validate(step.messages, { format }), []);
    // Neither the history nor the caller's message has it.
    assert.ok(!says(asked, OPENING));
    // A resumed session sends the same, from before and from after the question.
    assert.equal(print(open({ format }, saved).next(copy(asked)).messages), print(step.messages));
    const later = JSON.parse(JSON.stringify(session));
    const more = [...asked, ...working(format, 13, 13, 1).slice(1)];
    const next = session.next(more);
    assert.equal(print(open({ format }, later).next(copy(more)).messages), print(next.messages));
    assert.equal(next.epoch, undefined);
    assert.deepEqual(next.messages.slice(0, step.messages.length), step.messages);
    // The state has the place of what was recalled, not its text.
    assert.ok(!print(later).includes(lineOf(1, 17)));
  });
}

describe('what is not recalled', () => {
  const withAddition = (session, history, text) => says(session.next([...history, ...asks('openai-chat', text)]).messages, OPENING);

  test('anything for words that ask for nothing, or for what is not in the history', () => {
    for (const text of ['Go on.', 'Thanks, looks good!', 'Yes, please.', 'quetzalcoatl xylophone zeppelin', '?', '…'])
      assert.equal(withAddition(worked('openai-chat').session, working('openai-chat', 1, 12), text), false, text);
  });

  test('anything without the option, or while nothing went', () => {
    const { history, session } = worked('openai-chat', { recall: undefined });
    assert.equal(withAddition(session, history, question(1, 17)), false);
    const whole = worked('openai-chat', { limit: 1e6 });
    assert.equal(withAddition(whole.session, whole.history, question(1, 17)), false);
  });

  test('anything behind results of tools', () => {
    const { history, session } = worked('openai-chat');
    const asked = [...history, ...asks('openai-chat', question(1, 17))];
    session.next(asked);
    const working13 = working('openai-chat', 13, 13);
    const { messages } = session.next([...asked, ...working13.slice(1, 3)]);
    assert.ok(!says(messages.slice(-1), OPENING));
  });

  test('anything for what a program answers in the place of the user, where the model acts in its texts', () => {
    const stated = 'part1 line 17: batch 1017 timed out and has been killed. worker 24';
    const recalls = (said) => {
      const { history, session } = worked('openai-chat');
      const acts = [2, 3].flatMap((part) => [
        { role: 'user', content: `Look at part${part}.` },
        { role: 'assistant', content: said(part) },
      ]);
      for (const end of [1, 3]) session.next([...history, ...acts.slice(0, end)]);
      return withAddition(session, [...history, ...acts], stated);
    };
    assert.equal(
      recalls((part) => `I look at part${part}.`),
      true,
    );
    assert.equal(
      recalls((part) => `I look at part${part}.\n\`\`\`bash\ncat part${part}.ts\n\`\`\``),
      false,
    );
    assert.equal(
      recalls((part) => `<execute_bash>\ncat part${part}.ts\n</execute_bash>`),
      false,
    );
  });

  test('more than the maximum', () => {
    const count = (step) => step.tokens.after;
    const { history } = worked('openai-chat');
    const sizes = [undefined, 60, 150].map((tokens) => {
      const { session } = worked('openai-chat', { recall: tokens === undefined ? undefined : { limit: tokens } });
      return count(session.next([...history, ...asks('openai-chat', question(1, 17))]));
    });
    assert.ok(sizes[1] - sizes[0] <= 60 && sizes[2] - sizes[0] <= 150, sizes.join());
  });
});

const deed = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('work') }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask'), part: fc.integer({ min: 1, max: 6 }), line: fc.nat(29) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undo'), count: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('save') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reload') }) },
);
for (const format of ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ai-sdk-ui', 'langchain']) {
  test(`${format}: prefix, limit, validity and saving hold whatever happens`, async () => {
    let recalled = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 4, maxLength: 14 }), fc.constantFrom(1200, 3000, 6000), async (deeds, limit) => {
        let history = working(format, 1, 6);
        let next = 7;
        let session = open({ format, limit });
        let last = { given: history, messages: session.next(history).messages };
        for (const { do: does, part, line, count } of deeds) {
          if (does === 'work') history = [...history, ...working(format, next, next++)];
          if (does === 'ask') history = [...history, ...asks(format, question(part, line))];
          if (does === 'undo') history = history.slice(0, Math.max(1, history.length - count));
          if (does === 'save') session = open({ format, limit }, JSON.parse(JSON.stringify(session)));
          if (does === 'reload') history = copy(history);
          if ((await refused(format, history)) !== null) continue;
          const frozen = format === 'langchain' ? history : deepFreeze(copy(history));
          const before = print(history);
          const saved = JSON.parse(JSON.stringify(session));
          const step = session.next(frozen);
          assert.equal(print(history), before, 'the history');
          assert.equal(await refused(format, step.messages), null);
          assert.equal(step.fits, step.tokens.after <= limit);
          const isContinued = print(history.slice(0, last.given.length)) === print(last.given);
          if (step.epoch === undefined && isContinued)
            assert.equal(print(step.messages.slice(0, last.messages.length)), print(last.messages), 'the prefix');
          // The same history is the same request.
          const again = session.next(frozen);
          if (again.epoch === undefined) assert.equal(print(again.messages), print(step.messages), 'again');
          if (isContinued)
            assert.equal(print(open({ format, limit }, saved).next(copy(history)).messages), print(step.messages), 'resumed');
          if (says(step.messages.slice(-1), OPENING)) recalled++;
          last = { given: history, messages: again.messages };
        }
      }),
      { numRuns: cases(12), includeErrorInReport: true },
    );
    if (IS_WHOLE) assert.ok(recalled > cases(3), `${recalled} recalled`);
  });
}

describe('asked', () => {
  test('a session finds what its last request lacks, and only that', () => {
    const { history, session } = worked('openai-chat', { recall: undefined });
    const { passages, text, tokens } = session.recall(question(1, 17));
    assert.ok(text.includes(lineOf(1, 17)) && tokens <= 500);
    for (const passage of passages) assert.ok(JSON.stringify(history[passage.message]).includes(JSON.stringify(passage.text).slice(1, -1)));
    const { messages } = session.next(history);
    const last = session.recall(question(12, 17)).passages.filter((passage) => says(messages, JSON.stringify(passage.text).slice(1, -1)));
    assert.deepEqual(last, []);
    assert.ok(session.recall(question(1, 17), { limit: 60 }).tokens <= 60);
  });

  test('messages by their numbers, as they were', () => {
    const { history, session } = worked('openai-chat');
    const [asked, , { content }] = history;
    const { passages } = session.recall('', { from: 0, to: 2, limit: 2000 });
    assert.deepEqual([passages[0].text, passages.at(-1).text], [asked.content, content]);
    const cut = session.recall('', { from: 2, limit: 100 });
    assert.ok(cut.tokens <= 100 && cut.passages.length === 1 && content.startsWith(cut.passages[0].text));
    assert.deepEqual(session.recall('', { from: 900 }).passages, []);
  });

  test('of a message whose first line is longer than the limit, its beginning', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 2000, maxLength: 4000 }), fc.integer({ min: 20, max: 300 }), (long, limit) => {
        const content = long.replace(/\s/g, 'x');
        const session = open({ format: 'openai-chat' });
        session.next([
          { role: 'user', content },
          { role: 'assistant', content: 'Yes.' },
          { role: 'user', content: 'Go on.' },
        ]);
        const { passages, tokens } = session.recall('', { from: 0, limit });
        assert.ok(tokens <= limit && passages.length === 1 && content.startsWith(passages[0].text));
        assert.ok(passages[0].text.isWellFormed());
        // A character takes up to ten tokens.
        assert.ok(passages[0].text === content || tokens > limit - 20, `${tokens} of ${limit}`);
      }),
    );
    const session = open({ format: 'openai-chat' });
    const tool = recallTool(session);
    const written = {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'call_1',
          type: 'function',
          function: { name: 'Write', arguments: JSON.stringify({ file_path: 'a.ts', content: lineOf(1, 1).repeat(900) }) },
        },
      ],
    };
    session.next([{ role: 'user', content: 'Write it.' }, written, { role: 'tool', tool_call_id: 'call_1', content: 'Written.' }]);
    assert.ok(tool.execute({ from: 1, to: 2 }).startsWith('[message 1, call of Write]\n{"file_path":"a.ts"'));
  });

  test('before the first request there is nothing, and wrong arguments are named', () => {
    const session = open({ format: 'openai-chat' });
    assert.deepEqual(session.recall('anything'), { passages: [], tokens: 0, text: '' });
    assert.throws(() => session.recall(7), new TypeError('recall(): query must be a string, got number'));
    assert.throws(() => session.recall('x', { limit: 0 }), RangeError);
    assert.throws(
      () => session.recall('x', { from: -1 }),
      new RangeError('recall(): options.from must be the index of a message, from 0, got -1'),
    );
    assert.throws(() => open({ recall: true }), new TypeError("createSession(): options.recall must be 'auto' or an object, got boolean"));
    assert.throws(() => open({ recall: { limit: -1 } }), RangeError);
  });

  test('after a change of the history it knows the new one', () => {
    const { history, session } = worked('openai-chat');
    assert.match(session.recall('"batch 2017 "').text, /part2 line 17/);
    const changed = [...working('openai-chat', 1, 1), ...working('openai-chat', 21, 30)];
    for (const given of requestsOf(changed)) session.next(given);
    assert.equal(session.recall('"batch 2017 "').text, '');
    assert.match(session.recall('"batch 21017 "').text, /part21 line 17/);
    assert.ok(history.length > 0);
  });
});

describe('the tool', () => {
  test('marks name messages by their numbers, by which the tool gives them; without it marks are as they were', () => {
    const history = working('openai-chat', 1, 12);
    const [plain, offered] = [open({ format: 'openai-chat' }), open({ format: 'openai-chat' })];
    const tool = recallTool(offered);
    for (const given of requestsOf(history)) for (const session of [plain, offered]) session.next(given);
    const [without, withNumbers] = [plain, offered].map((session) => print(session.next(history).messages));
    assert.doesNotMatch(without, /\[… messages? \d/);
    const [, from, to] = /\[… messages (\d+)–(\d+)/.exec(withNumbers);
    const text = tool.execute({ from: Number(from), to: Number(to) });
    assert.ok(text.startsWith(`[message ${from}, `), text);
    assert.equal(tool.execute({ from: Number(from) }), tool.execute({ to: Number(from), query: null }));
    assert.ok(tool.execute({ query: question(1, 17) }).includes(lineOf(1, 17)));
    assert.deepEqual(Object.keys(tool.parameters.properties), ['query', 'from', 'to']);
  });

  test('the model is told what is wrong, and where nothing is found', () => {
    const { session } = worked('openai-chat');
    const tool = recallTool(session);
    assert.match(tool.execute({ query: 'quetzalcoatl' }), /^Nothing/);
    for (const input of [undefined, null, 'x', {}, { query: '' }, { from: -1 }, { from: 'a' }, { from: 5, to: 2 }, { query: 7 }])
      assert.match(tool.execute(input), /^(Give|Arguments)/, JSON.stringify(input));
    assert.throws(() => recallTool({}), new TypeError('recallTool(): session must be a session, got object'));
  });

  test('it answers whatever the arguments are, and whatever became of the messages', () => {
    const throws = () => {
      throw new Error('no');
    };
    const anything = fc.oneof(
      fc.anything(),
      fc.record({ query: fc.anything(), from: fc.anything(), to: fc.anything() }, { requiredKeys: [] }),
      fc.record({ from: fc.double(), to: fc.double() }, { requiredKeys: [] }),
    );
    const broken = fc.constantFrom(
      null,
      7,
      {},
      { role: 'user', content: 7 },
      { role: 'tool', content: throws },
      { role: 'assistant', tool_calls: 1 },
    );
    const said = (tool, input) => assert.ok(typeof tool.execute(input) === 'string' && tool.execute(input) !== '');
    const { session } = worked('openai-chat');
    fc.assert(fc.property(anything, (input) => said(recallTool(session), input)));
    for (const input of [new Proxy({}, { get: throws }), Object.defineProperty({}, 'query', { get: throws })])
      said(recallTool(session), input);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(30), broken), { minLength: 1 }), (changes) => {
        const history = working('openai-chat', 1, 4);
        const changed = open({ format: 'openai-chat', recall: undefined });
        changed.next(history);
        // The tool is the first that reads all of it.
        for (const [at, message] of changes) history[at % history.length] = message;
        for (const input of [{ query: lineOf(1, 17) }, { from: 0, to: 40 }]) said(recallTool(changed), input);
        for (const message of history) if (message?.content) message.content = 7;
        for (const input of [{ query: lineOf(1, 17) }, { from: 0, to: 40 }]) said(recallTool(changed), input);
      }),
      { numRuns: cases(30) },
    );
  });

  test('what was recalled is cut again like any result, and is not found twice', () => {
    const format = 'openai-chat';
    const { history, session } = worked(format, { recall: undefined });
    const found = session.recall('"batch 1017 "').text;
    const call = { id: 'recall_1', type: 'function', function: { name: 'recall', arguments: '{"query":"\\"batch 1017 \\""}' } };
    const asked = [
      ...history,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'recall_1', content: found },
      ...working(format, 13, 30),
    ];
    for (const given of requestsOf(asked, history.length)) session.next(given);
    assert.ok(!says(session.next(asked).messages, lineOf(1, 17)), 'it went again');
    const { passages } = session.recall('"batch 1017 "');
    assert.deepEqual(
      passages.map(({ message }) => message),
      [2],
    );
  });
});
