// The provider's usage of a request. From then on the session counts as the provider does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Usage } from '@openai/agents';
import { countTokens, createSession } from 'palimpsest';
import { Random } from '../support/random.mjs';
import { cases, IS_WHOLE, SEED, someOf } from '../support/seed.mjs';
import { requestsOf, working } from './working.mjs';

/** Usage of `total` tokens, of which `cached` were read from the cache and `written` written to it, in each provider's shape. */
const SHAPES = {
  'OpenAI chat': ({ total, cached }) => ({
    prompt_tokens: total,
    completion_tokens: 50,
    total_tokens: total + 50,
    prompt_tokens_details: { cached_tokens: cached },
  }),
  'OpenAI Responses': ({ total, cached }) => ({
    input_tokens: total,
    output_tokens: 50,
    total_tokens: total + 50,
    input_tokens_details: { cached_tokens: cached },
    output_tokens_details: { reasoning_tokens: 0 },
  }),
  Anthropic: ({ total, cached, written }) => ({
    input_tokens: total - cached - written,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written,
    output_tokens: 50,
  }),
  Gemini: ({ total, cached }) => ({
    promptTokenCount: total,
    cachedContentTokenCount: cached,
    candidatesTokenCount: 50,
    totalTokenCount: total + 50,
  }),
  'AI SDK': ({ total, cached, written }) => ({
    inputTokens: total,
    inputTokenDetails: { noCacheTokens: total - cached - written, cacheReadTokens: cached, cacheWriteTokens: written },
    outputTokens: 50,
    totalTokens: total + 50,
  }),
  'AI SDK 5': ({ total, cached }) => ({ inputTokens: total, outputTokens: 50, totalTokens: total + 50, cachedInputTokens: cached }),
  "OpenAI's Agents SDK": ({ total, cached }) =>
    new Usage({ inputTokens: total, outputTokens: 50, inputTokensDetails: { cached_tokens: cached } }),
  "OpenAI's Agents SDK, at the end of a stream": ({ total, cached }) => ({
    inputTokens: total,
    outputTokens: 50,
    totalTokens: total + 50,
    inputTokensDetails: { cached_tokens: cached },
  }),
  "OpenAI's Agents SDK, of a run so far": ({ total, cached }) => {
    const run = new Usage({ inputTokens: 1_000_000, outputTokens: 50, inputTokensDetails: { cached_tokens: 0 } });
    run.add(new Usage({ inputTokens: total, outputTokens: 50, inputTokensDetails: { cached_tokens: cached } }));
    return run;
  },
  LangChain: ({ total, cached, written }) => ({
    input_tokens: total,
    output_tokens: 50,
    total_tokens: total + 50,
    input_token_details: { cache_read: cached, cache_creation: written },
  }),
};
const LIMIT = 9000;

/** Plays a loop against a provider that counts `factor` times our tokens. Returns the requests and their true tokens. */
function play(format, factor, shape, options = {}) {
  const session = createSession({ limit: LIMIT, format, now: () => 0, ...options });
  let before = 0;
  return requestsOf(working(format, 1, 60)).map((given) => {
    const step = session.next(given);
    const total = Math.ceil(factor * countTokens(step.messages, { format }));
    const cached = step.epoch ? 0 : Math.min(before, total);
    if (shape) session.observe(shape({ total, cached, written: total - cached > 100 ? total - cached - 20 : 0 }));
    before = total;
    return { step, total };
  });
}

const sent = (played) => JSON.stringify(played.map(({ step }) => step.messages));
const epochs = (played) => played.filter(({ step }) => step.epoch).length;

for (const [name, shape] of someOf(Object.entries(SHAPES))) {
  for (const format of ['anthropic', 'openai-chat']) {
    test(`${name}, ${format}: counts that are 1.3 times ours lead to earlier epochs`, () => {
      const played = play(format, 1.3, shape);
      const over = played.filter(({ total }) => total > LIMIT);
      assert.equal(over.length, 0, `${over.map(({ total }) => total)} of ${LIMIT}`);
      assert.ok(epochs(played) > epochs(play(format, 1.0, shape)));
      // Epochs don't come earlier than necessary: the limit is used.
      assert.ok(Math.max(...played.map(({ total }) => total)) > 0.8 * LIMIT);
    });
  }
}

test('all shapes have the same effect', () => {
  const [first, ...others] = Object.values(SHAPES).map((shape) => sent(play('anthropic', 1.3, shape)));
  for (const [index, other] of others.entries()) assert.equal(other, first, Object.keys(SHAPES)[index + 1]);
});

test('usage is optional; formats without a public tokenizer are counted exactly once it was observed', () => {
  const silent = play('anthropic', 1, undefined);
  const known = play('anthropic', 1.3, SHAPES.Anthropic);
  for (const { step } of [...silent, ...known]) assert.ok(step.fits);
  assert.ok(silent.every(({ step }) => !step.report.exact));
  assert.equal(known[0].step.report.exact, false);
  assert.ok(known.slice(1).every(({ step }) => step.report.exact));
  assert.ok(play('openai-chat', 1, undefined).every(({ step }) => step.report.exact));
});

test('OpenAI counts as we do: nothing changes', () => {
  assert.equal(sent(play('openai-chat', 1, SHAPES['OpenAI chat'])), sent(play('openai-chat', 1, undefined)));
});

test('the learned factor is saved', () => {
  const [format, options] = ['anthropic', { limit: LIMIT, format: 'anthropic', now: () => 0 }];
  let session = createSession(options);
  const whole = createSession(options);
  for (const given of requestsOf(working(format, 1, 60))) {
    session = createSession(options, JSON.parse(JSON.stringify(session)));
    const [step, other] = [session.next(given), whole.next(given)];
    assert.deepEqual(step.messages, other.messages);
    const total = Math.ceil(1.3 * countTokens(step.messages, { format }));
    for (const one of [session, whole]) one.observe(SHAPES.Anthropic({ total, cached: 0, written: 0 }));
  }
});

test('usage as SDKs report it: null in place of a number, and other fields', () => {
  const session = createSession({ limit: LIMIT, format: 'anthropic', now: () => 0 });
  session.next(working('anthropic', 1, 2));
  session.observe({
    input_tokens: 900,
    output_tokens: 5,
    cache_creation_input_tokens: null,
    cache_read_input_tokens: null,
    service_tier: 'standard',
    server_tool_use: null,
  });
  session.observe({
    inputTokens: 900,
    outputTokens: undefined,
    totalTokens: undefined,
    inputTokenDetails: { noCacheTokens: undefined, cacheReadTokens: undefined, cacheWriteTokens: undefined },
    raw: {},
  });
  session.observe({ prompt_tokens: 900, completion_tokens: 5, total_tokens: 905, prompt_tokens_details: null });
  session.observe({ inputTokens: undefined, outputTokens: undefined, totalTokens: undefined });
  session.observe({ inputTokens: { total: undefined, cacheRead: undefined }, outputTokens: { total: undefined } });
  assert.ok(session.next(working('anthropic', 1, 3)).fits);
});

test('usage before the first request, or twice for one request, does no harm', () => {
  const session = createSession({ limit: LIMIT, format: 'openai-chat', now: () => 0 });
  session.observe(SHAPES['OpenAI chat']({ total: 50_000, cached: 0 }));
  const history = working('openai-chat', 1, 2);
  assert.deepEqual(session.next(history).messages, history);
  const usage = SHAPES['OpenAI chat']({ total: countTokens(history), cached: 0 });
  session.observe(usage);
  session.observe(usage);
  assert.deepEqual(session.next(working('openai-chat', 1, 3)).messages, working('openai-chat', 1, 3));
});

test('a usage that is far off corrects, whatever the ratio; no tokens are none', () => {
  for (const format of ['openai-chat', 'anthropic']) {
    for (const factor of [0.02, 0.2, 4.5, 9, 60]) {
      const history = working(format, 1, 3);
      const session = createSession({ limit: 1e6, format, now: () => 0 });
      const total = Math.ceil(factor * session.next(history).tokens.after);
      for (const nonsense of [{ prompt_tokens: 0 }, { input_tokens: 0 }]) session.observe(nonsense);
      session.observe(SHAPES['OpenAI chat']({ total, cached: 0 }));
      assert.equal(session.next(history).tokens.after, total);
      for (const nonsense of [{ prompt_tokens: 0 }, { input_tokens: 0 }]) session.observe(nonsense);
      assert.throws(() => session.observe({ prompt_tokens: Number.NaN }), /^TypeError: observe\(\)/);
      assert.equal(session.next(history).tokens.after, total);
      const again = createSession({ limit: 1e6, format, now: () => 0 }, JSON.parse(JSON.stringify(session)));
      assert.equal(again.next(history).tokens.after, total);
    }
  }
});

test('tokens that the session was not told of, as of tools, are counted as they are, and not in proportion to the messages', () => {
  for (const format of ['openai-chat', 'anthropic']) {
    for (const [beside, limit, isTight] of [
      [30_000, 100_000, false],
      [30_000, 36_000, true],
      [300_000, 306_000, true],
    ]) {
      let session = createSession({ limit, format, now: () => 0 });
      let epochs = 0;
      for (const [index, given] of [...requestsOf(working(format, 1, 40))].entries()) {
        const { messages, tokens, epoch } = session.next(given);
        const total = beside + countTokens(messages, { format });
        epochs += epoch !== undefined;
        const of = `${format}, request ${index}: ${tokens.after}, ${total} of ${limit}`;
        // Nearer than a factor of 4, usage is taken for that of another tokenizer, which counts new texts too high here.
        if (index > 0) assert.ok(total <= limit && tokens.after >= 0.98 * total && tokens.after <= 1.1 * total, of);
        session.observe(SHAPES['OpenAI chat']({ total, cached: 0 }));
        if (index % 5 === 0) session = createSession({ limit, format, now: () => 0 }, JSON.parse(JSON.stringify(session)));
      }
      assert.equal(epochs > 0, isTight, `${epochs} epochs at ${limit}`);
    }
  }
});

test('of usage that adds up iterations, the first one is that of the request', () => {
  const history = working('anthropic', 1, 3);
  const open = () => createSession({ limit: 1e6, format: 'anthropic', now: () => 0 });
  const iteration = (type, input_tokens, read = 0, written = 0) => ({
    type,
    input_tokens,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    output_tokens: 9,
  });
  for (const [iterations, expected] of [
    [[iteration('message', 4000, 500, 100)], 4600],
    [[iteration('message', 100, 4000, 500), iteration('message', 6000), iteration('fallback_message', 9000)], 4600],
    [[iteration('advisor_message', 70), iteration('message', 4600), iteration('compaction', 5000), iteration('message', 800)], 4600],
    // Nothing tells the size of a request that was compacted before it was read.
    [[iteration('compaction', 900), iteration('message', 800)], undefined],
    [[], 30_000],
    [null, 30_000],
  ]) {
    const session = open();
    const before = session.next(history).tokens.after;
    session.observe({ ...iteration(undefined, 30_000), iterations });
    assert.equal(session.next(history).tokens.after, expected ?? before, JSON.stringify(iterations));
  }
});

test('what was counted for too much makes no room once it is gone', () => {
  const random = new Random(SEED);
  const format = 'anthropic';
  const icon = { type: 'image', source: { type: 'url', url: 'https://example.org/icon.png' } };
  // The provider's count: an icon takes 10 tokens, of which we only know that images are at most 1,600.
  const isIcon = (block) => block.type === 'image';
  const icons = (messages) => messages.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isIcon) : [])).length;
  const actual = (messages) => countTokens(messages, { format }) - 1590 * icons(messages);
  const saying = () => Array.from({ length: random.integer(5, 300) }, () => `row ${random.integer(1, 9999)}`).join('\n');
  let [gone, epochs] = [0, 0];
  for (let round = 0; round < cases(30); round++) {
    const options = { limit: random.integer(6_000, 20_000), format, warn: false };
    let session = createSession(options);
    const history = [];
    for (let turn = 0; turn < 20; turn++) {
      if (history.length > 2 && random.chance(0.2)) history.length = 2 * random.integer(0, history.length / 2 - 1);
      const pictures = random.chance(0.3) ? Array.from({ length: random.integer(1, 3) }, () => icon) : [];
      history.push({ role: 'user', content: [...pictures, { type: 'text', text: saying() }] });
      const step = session.next(history);
      const where = JSON.stringify({ SEED, round, turn, tokens: step.tokens, report: step.report.summary });
      const input = actual(step.messages);
      if (step.fits) assert.ok(input <= options.limit, `${where}: ${input}`);
      assert.ok(step.tokens.after >= input - 1 && step.report.reusedTokens >= 0, `${where}: ${input}`);
      if (step.epoch) epochs++;
      if (icons(step.messages) < icons(history)) gone++;
      // Between a quarter and all of it, it could as well be another tokenizer.
      if (icons(step.messages) === 0 || input < countTokens(step.messages, { format }) / 4.2)
        session.observe({ input_tokens: input, cache_read_input_tokens: 0, output_tokens: 5 });
      if (random.chance(0.2)) session = createSession(options, JSON.parse(JSON.stringify(session)));
      history.push({ role: 'assistant', content: saying() });
    }
  }
  if (IS_WHOLE) assert.ok(gone > 5 && epochs > 20, `${gone} with fewer icons, ${epochs} epochs`);
});

test('numbers that are none are one clear error, whatever they are, and what was observed before can be saved', () => {
  const odd = [5n, '12', -5, NaN, Infinity, 2 ** 53, 1e308, {}, true];
  const usages = odd.flatMap((number) => [
    { input_tokens: 10, cache_read_input_tokens: number },
    { input_tokens: 10, cache_creation_input_tokens: number },
    { promptTokenCount: 10, toolUsePromptTokenCount: number },
    { prompt_tokens: number },
    { input_tokens: number, output_tokens: 1 },
  ]);
  const history = [{ role: 'user', content: 'Which port?' }];
  for (const usage of usages) {
    const session = createSession({ limit: 2_000, warn: false });
    for (let turn = 0; turn < 3; turn++) {
      session.next(history);
      assert.throws(
        () => session.observe(usage),
        ({ name, message }) => name === 'TypeError' && message.startsWith('observe(): usage must '),
      );
      session.observe({ input_tokens: Number.MAX_SAFE_INTEGER, cache_read_input_tokens: 0 });
    }
    createSession({ limit: 2_000, warn: false }, JSON.parse(JSON.stringify(session))).next(history);
  }
});
