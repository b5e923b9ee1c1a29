// Sessions while the provider compacts by itself: a server that does so at its threshold, and reports usage as its API does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTokens, createSession } from 'palimpsest';
import { objectionTo } from '../support/providers/formats.mjs';
import { someOf } from '../support/seed.mjs';

const WORDS = ['queue', 'worker', 'lock', 'retry', 'shard', 'replica', 'cursor', 'tenant'];
const text = (turn, length) => Array.from({ length }, (_, at) => `${WORDS[(at * 7 + turn) % 8]}-${(at * turn) % 97}`).join(' ');
const json = (value) => JSON.stringify(value);

/** A provider with `threshold`: what it reads of a request, the compaction that it makes, and the usage that it reports. */
const PROVIDERS = {
  anthropic: {
    read(messages) {
      const newest = messages.findLastIndex(({ content }) => Array.isArray(content) && content.some(({ type }) => type === 'compaction'));
      if (newest < 0) return messages;
      const { content } = messages[newest];
      return [
        { role: 'assistant', content: content.slice(content.findLastIndex(({ type }) => type === 'compaction')) },
        ...messages.slice(newest + 1),
      ];
    },
    compaction: (turn) => ({ type: 'compaction', content: `Summary up to turn ${turn}: ${text(turn, 60)}.` }),
    usage(input, compacted) {
      const of = (tokens) => ({ input_tokens: tokens, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 9 });
      if (compacted === undefined) return { ...of(input), iterations: [{ type: 'message', ...of(input) }] };
      // Tokens of a compaction are in no sum, and say nothing of the context's size.
      return {
        ...of(compacted),
        iterations: [
          { type: 'compaction', ...of(700) },
          { type: 'message', ...of(compacted) },
        ],
      };
    },
    says: (blocks) => [{ role: 'assistant', content: blocks }],
    calls: (id, said) => [{ role: 'assistant', content: [...said, { type: 'tool_use', id, name: 'read', input: { path: id } }] }],
    results: (id, content) => [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] }],
    said: (words) => ({ type: 'text', text: words }),
  },
  'openai-responses': {
    // What is before the item may be left out; nothing says that it isn't read.
    read: (messages) => messages,
    compaction: (turn) => ({ type: 'compaction', id: `cmp_${turn}`, encrypted_content: Buffer.from(text(turn, 60)).toString('base64') }),
    usage: (input) => ({ input_tokens: input, input_tokens_details: { cached_tokens: 0 }, output_tokens: 9 }),
    says: (items) => items,
    calls: (id, said) => [...said, { type: 'function_call', call_id: id, name: 'read', arguments: json({ path: id }) }],
    results: (id, output) => [{ type: 'function_call_output', call_id: id, output }],
    said: (words) => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: words, annotations: [] }] }),
  },
};
const LIMIT = 16_000;
const THRESHOLD = 9_000;
const HOUR = 3_600_000;

/** Runs 40 turns, most with a call; each tenth comes after an hour. */
async function run(format, options, { turns = 40, onStep = () => {}, resume = (session) => session } = {}) {
  const provider = PROVIDERS[format];
  let time = 0;
  let session = createSession({ limit: LIMIT, format, now: () => time, ...options });
  const history = [];
  const steps = [];
  const ask = async (turn, answer) => {
    session = resume(session, () => time);
    const step = session.next(history);
    assert.equal(await objectionTo(format, step.messages), null);
    const input = countTokens(provider.read(step.messages), { format });
    assert.ok(step.fits && input <= LIMIT, `${input} tokens in turn ${turn}`);
    const isCompacted = input >= THRESHOLD;
    const said = isCompacted ? [provider.compaction(turn)] : [];
    onStep(step, history.slice());
    steps.push({ ...step, input, isCompacted });
    session.observe(provider.usage(input, isCompacted ? countTokens(provider.says(said), { format }) : undefined));
    history.push(...answer(said));
  };
  for (let turn = 0; turn < turns; turn++) {
    if (turn % 10 === 9) time += HOUR;
    history.push({ role: 'user', content: `Why does step ${turn} fail?` });
    if (turn % 4 !== 0) {
      await ask(turn, (said) => provider.calls(`call_${turn}`, said));
      history.push(...provider.results(`call_${turn}`, text(turn, 300)));
    }
    await ask(turn, (said) => provider.says([...said, provider.said(text(turn + 3, 80))]));
  }
  return { session, steps, history };
}

for (const format of someOf(Object.keys(PROVIDERS))) {
  test(`${format}: a session does not cut where the provider is about to, and goes on from its compaction`, async () => {
    const isOfUser = ({ role }) => role === 'user';
    const onStep = ({ messages, tokens, epoch }, history) => {
      assert.equal(epoch, undefined);
      const newest = history.findLastIndex((message) => json(message).includes('"type":"compaction"'));
      // OpenAI keeps the user's words before its item.
      const words = format === 'anthropic' ? [] : history.slice(0, Math.max(0, newest)).filter(isOfUser);
      assert.deepEqual(messages, [...words, ...history.slice(Math.max(0, newest))]);
      assert.equal(tokens.after, countTokens(messages, { format }));
    };
    const { session, steps } = await run(format, { compactThreshold: THRESHOLD }, { onStep });
    assert.ok(steps.filter(({ isCompacted }) => isCompacted).length >= 3);
    assert.equal(steps.length, 70);
    assert.deepEqual(session.report.epochs, { limit: 0, turn: 0, early: 0, cold: 0 });
    // Without it, the session cuts when the cache has expired.
    const { session: other } = await run(format, {});
    assert.ok(other.report.epochs.cold > 0);
  });

  test(`${format}: a resumed session goes on from the compaction as well`, async () => {
    const options = { compactThreshold: THRESHOLD };
    const resume = (session, now) => createSession({ limit: LIMIT, format, now, ...options }, JSON.parse(json(session)));
    const [one, other] = [await run(format, options), await run(format, options, { resume })];
    assert.deepEqual(
      other.steps.map(({ messages, tokens }) => [messages, tokens]),
      one.steps.map(({ messages, tokens }) => [messages, tokens]),
    );
  });
}

test('what exceeds the limit is cut at once, and so is all where the provider compacts above the limit', () => {
  const format = 'anthropic';
  const history = Array.from({ length: 40 }, (_, turn) => [
    { role: 'user', content: `Why does step ${turn} fail?` },
    { role: 'assistant', content: text(turn, 150) },
  ]).flat();
  history.push({ role: 'user', content: 'And now?' });
  const whole = countTokens(history, { format });
  const reasonOf = (options) => createSession({ format, now: () => 0, ...options }).next(history).epoch?.reason;
  assert.equal(reasonOf({ limit: whole - 1, compactThreshold: whole / 2 }), 'limit');
  assert.equal(reasonOf({ limit: whole + 500, compactThreshold: whole }), undefined);
  assert.equal(reasonOf({ limit: whole + 500, compactThreshold: 0 }), undefined);
  assert.equal(reasonOf({ limit: whole + 500, compactThreshold: whole + 501 }), 'turn');
  assert.equal(reasonOf({ limit: whole + 500 }), 'turn');
});

test('a session reads nothing from the cache once the provider has compacted, and cuts it later as any other history', () => {
  const format = 'anthropic';
  const session = createSession({ limit: 3000, format, now: () => 0, compactThreshold: 2000 });
  const system = [
    { role: 'user', content: 'Look at the queue.' },
    { role: 'assistant', content: text(1, 300) },
  ];
  const first = [...system, { role: 'user', content: 'And now?' }];
  session.next(first);
  const compacted = {
    role: 'assistant',
    content: [
      { type: 'compaction', content: 'All is well.' },
      { type: 'text', text: text(2, 300) },
    ],
  };
  const second = [...first, compacted, { role: 'user', content: 'And the lock?' }];
  const step = session.next(second);
  assert.deepEqual(step.messages, second.slice(3));
  assert.equal(session.report.tokens.cached, 0);
  // Undone, what was before it counts again.
  const undone = session.next([...first, { role: 'assistant', content: 'No.' }, { role: 'user', content: 'Why?' }]);
  assert.deepEqual(undone.messages.slice(0, 3), first);
  const again = session.next([
    ...second,
    ...Array.from({ length: 12 }, (_, at) => [
      { role: 'assistant', content: text(at, 200) },
      { role: 'user', content: `Step ${at}?` },
    ]).flat(),
  ]);
  assert.equal(again.epoch.reason, 'limit');
  assert.equal(json(again.messages[0].content[0]), json(compacted.content[0]));
  assert.ok(again.fits);
});

test('of usage that adds up a compaction, as the AI SDK does, the first iteration counts', () => {
  const format = 'ai-sdk-model';
  const session = createSession({ limit: 9000, format });
  const history = [{ role: 'user', content: text(1, 300) }];
  const counted = session.next(history).tokens.after;
  const one = { input_tokens: counted, output_tokens: 9, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const raw = {
    ...one,
    input_tokens: 2 * counted,
    iterations: [
      { type: 'message', ...one },
      { type: 'compaction', ...one },
      { type: 'message', ...one },
    ],
  };
  session.observe({ inputTokens: 3 * counted, outputTokens: 27, raw });
  const next = [...history, { role: 'assistant', content: 'Done.' }, { role: 'user', content: 'Why?' }];
  assert.equal(session.next(next).tokens.after, countTokens(next, { format }));
});

test('a conversation that its agent compacted goes on as one that began so', () => {
  const format = 'openai-chat';
  const turn = (index) => [
    { role: 'user', content: `Why does ${index} fail? ${text(index, 40)}` },
    { role: 'assistant', content: text(index + 3, 120) },
  ];
  const turns = (from, to) => Array.from({ length: to - from }, (_, index) => turn(from + index)).flat();
  const rules = { role: 'system', content: 'Answer in one sentence.' };
  const options = { limit: 12_000, format, cache: { read: 0.5, ttl: 300_000 }, now: () => 0 };
  const [before, anew] = [createSession(options), createSession(options)];
  const ask = { role: 'user', content: 'Go on.' };
  let surplus = 0;
  for (let count = 1; surplus < 4; count++) if (before.next([rules, ...turns(0, count), ask]).tokens.after > 7000) surplus++;
  assert.deepEqual(before.report.epochs, { limit: 0, turn: 0, early: 0, cold: 0 });
  const summary = { role: 'user', content: 'So far we have mended two of the bugs.' };
  let epochs = 0;
  for (let count = 13; count < 50; count++) {
    const history = [rules, summary, ...turns(12, count), ask];
    const [one, other] = [before, anew].map((session) => session.next(history));
    assert.deepEqual([one.messages, one.epoch], [other.messages, other.epoch], `after ${count} turns`);
    if (one.epoch) epochs++;
  }
  assert.ok(epochs > 1, `${epochs} epochs`);
  assert.equal(before.report.mistakes, undefined);
});
