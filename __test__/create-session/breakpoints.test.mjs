// Anthropic's `cache_control` at the right places: an independent cache reads the whole previous request in each request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'palimpsest';
import { say } from '../session/speak.mjs';
import { AnthropicCache } from './cache.mjs';
import { deepFreeze, print, withControl } from './life.mjs';
import { refused, requestsOf, working } from './working.mjs';

const format = 'anthropic';
const ephemeral = { type: 'ephemeral' };
const open = (options) => createSession({ limit: 12_000, format, cacheControl: true, now: () => 0, ...options });

/** A turn with this many parallel calls: twice as many blocks. */
const wide = (serial, calls) =>
  say(
    format,
    [
      { who: 'user', text: `Look at all ${calls} of round ${serial}.`, more: [] },
      {
        who: 'assistant',
        reasoning: null,
        text: null,
        odd: false,
        calls: Array.from({ length: calls }, (_, index) => ({
          id: `wide_${serial}_${index}`,
          name: 'Read',
          args: { file_path: `/work/${serial}-${index}.ts` },
          result: {
            blocks: `round ${serial}: file ${index} has ${serial * index} lines, and the ${index % 7}th is the longest of them`,
            json: null,
            failed: false,
          },
          answered: true,
        })),
      },
      { who: 'assistant', reasoning: null, text: `Round ${serial} is done.`, calls: [], odd: false },
    ],
    1000 + serial,
  );

/** Sixty turns. Every few of them have many parallel calls. */
const long = deepFreeze(
  Array.from({ length: 60 }, (_, turn) =>
    turn % 4 === 3 ? wide(turn, 6 + ((turn * 7) % 34)) : working(format, turn + 1, turn + 1, 12),
  ).flat(),
);

function play(session, histories, { system, tools } = {}) {
  const cache = new AnthropicCache();
  let last;
  return histories.map((given) => {
    const step = session.next(given);
    const sent = cache.send({ tools, system, messages: step.messages });
    assert.deepEqual(sent.faults, []);
    const result = { step, sent, given, last };
    last = sent;
    return result;
  });
}

/** Asserts that each request between epochs reads the whole previous one. */
function assertRead(played) {
  let epochs = 0;
  for (const { step, sent, last } of played) {
    assert.equal(sent.written, sent.blocks, 'the end of the request is not written');
    if (step.epoch) epochs++;
    else if (last) assert.equal(sent.read, last.blocks, `of ${sent.blocks} blocks ${sent.read} are read, ${last.blocks} were sent before`);
  }
  assert.ok(epochs >= 2);
}

test('every request between epochs reads the whole previous one, even across more than 20 blocks', async () => {
  const played = play(open(), requestsOf(long));
  assertRead(played);
  assert.ok(played.some(({ step, sent, last }) => last && !step.epoch && sent.blocks - last.blocks > 40));
  for (const { step } of played) assert.equal(await refused(format, step.messages), null);
});

test('several steps at once: far more than 20 blocks are new', () => {
  const histories = requestsOf(long).filter((_, index) => index % 5 === 0);
  assertRead(play(open(), histories));
});

for (const [name, beside] of Object.entries({
  'in the system prompt': { system: [{ type: 'text', text: 'You are an agent. '.repeat(20), cache_control: ephemeral }] },
  'in the tools': {
    tools: [
      { name: 'Read', input_schema: { type: 'object', properties: {} } },
      { name: 'Write', input_schema: { type: 'object', properties: {} }, cache_control: ephemeral },
    ],
  },
  'in both': {
    system: [
      { type: 'text', text: 'You are an agent.' },
      { type: 'text', text: 'Be brief.', cache_control: ephemeral },
    ],
    tools: [{ name: 'Read', input_schema: { type: 'object', properties: {} }, cache_control: ephemeral }],
  },
})) {
  test(`at most four with the caller's own ${name}`, () => {
    assertRead(play(open(beside), requestsOf(long.slice(0, 150)), beside));
  });
}

test('if the caller uses three, the end of the request is the fourth', () => {
  const system = Array.from({ length: 3 }, (_, index) => ({ type: 'text', text: `Rule ${index}.`, cache_control: ephemeral }));
  for (const { sent } of play(open({ system }), requestsOf(long.slice(0, 60)), { system })) assert.equal(sent.written, sent.blocks);
});

test('if the caller uses all four, none is added', () => {
  const system = Array.from({ length: 4 }, (_, index) => ({ type: 'text', text: `Rule ${index}.`, cache_control: ephemeral }));
  const session = open({ system });
  for (const given of requestsOf(long.slice(0, 60))) assert.ok(!JSON.stringify(session.next(given).messages).includes('cache_control'));
});

test("the caller's own in messages count, wherever they stand", () => {
  const pinned = long.with(0, withControl([{ role: 'user', content: [{ type: 'text', text: 'Remember this.' }] }])[0]);
  assertRead(play(open(), requestsOf(pinned)));
  const session = open();
  const cache = new AnthropicCache();
  for (const given of requestsOf(long)) assert.deepEqual(cache.send(session.next(deepFreeze(withControl(given)))).faults, []);
});

test("in a tool's result the caller's own count as well", () => {
  const history = structuredClone(long.slice(0, 40));
  const results = history.filter(({ content }) => content[0].type === 'tool_result').slice(0, 3);
  for (const { content } of results) content[0].content = [{ type: 'text', text: content[0].content, cache_control: ephemeral }];
  const session = open();
  for (const given of requestsOf(history)) assert.ok(JSON.stringify(session.next(given).messages).match(/cache_control/g).length <= 4);
});

test("the caller's objects are not changed, and the contents are the same as without", () => {
  const [session, plain] = [open(), open({ cacheControl: false })];
  const before = JSON.stringify(long);
  for (const given of requestsOf(long)) {
    const [step, other] = [session.next(given), plain.next(given)];
    assert.equal(JSON.stringify(other.messages).includes('cache_control'), false);
    const asBlocks = ({ role, content }) =>
      print({ role, content: typeof content === 'string' ? [{ type: 'text', text: content }] : content });
    assert.deepEqual(step.messages.map(asBlocks), other.messages.map(asBlocks));
    assert.deepEqual(step.tokens, other.tokens);
    const own = new Set(given);
    for (const message of step.messages) if (own.has(message)) assert.ok(!JSON.stringify(message).includes('cache_control'));
  }
  assert.equal(JSON.stringify(long), before);
});

test('thinking carries no breakpoint', () => {
  const history = [];
  for (let turn = 0; turn < 12; turn++) {
    history.push(
      { role: 'user', content: `Turn ${turn}: ${'why? '.repeat(40)}` },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm. '.repeat(30), signature: `s${turn}` },
          { type: 'text', text: `Because of ${turn}.` },
        ],
      },
    );
  }
  play(open({ limit: 900 }), requestsOf(deepFreeze(history)));
  // A request that ends with the assistant's words is continued.
  play(
    open({ limit: 900 }),
    Array.from({ length: 10 }, (_, index) => history.slice(0, 2 * index + 2)),
  );
});

test('a branch reads the prefix that it shares with the other one from the cache', () => {
  const session = open();
  const cache = new AnthropicCache();
  const histories = requestsOf(long);
  const epoch = histories.findIndex((given) => {
    const step = session.next(given);
    cache.send({ messages: step.messages });
    return step.epoch;
  });
  const at = histories[epoch];
  const shared = session.next(at);
  const { blocks } = cache.send({ messages: shared.messages });
  for (const given of histories.slice(epoch + 1, epoch + 6)) {
    const step = session.next(given);
    assert.equal(step.epoch, undefined);
    cache.send({ messages: step.messages });
  }
  const back = session.next([...at, { role: 'assistant', content: 'Another way.' }, { role: 'user', content: 'Yes?' }]);
  assert.equal(cache.send({ messages: back.messages }).read, blocks);
});

test('a resumed session sets the same breakpoints', () => {
  let session = open();
  const whole = open();
  for (const given of requestsOf(long.slice(0, 120))) {
    session = createSession({ limit: 12_000, format, cacheControl: true, now: () => 0 }, JSON.parse(JSON.stringify(session)));
    assert.equal(JSON.stringify(session.next(given).messages), JSON.stringify(whole.next(given).messages));
  }
});
