// OpenAI's `prompt_cache_breakpoint` where it pays. The judges: caches written after the documentation, one for each way to read what it leaves open, and
// the API's objections.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'palimpsest';
import { Random } from '../support/random.mjs';
import { cases, IS_WHOLE, SEED, someOf } from '../support/seed.mjs';
import { readBreakpoints } from '../support/providers/openai-breakpoints.mjs';
import { deepFreeze } from './life.mjs';
import { OpenAICache, tokensOf } from './openai-cache.mjs';
import { refused, requestsOf, working } from './working.mjs';

const MODEL = 'gpt-5.6';
const MINUTE = 60_000;
const APIS = { 'openai-chat': 'chat', 'openai-responses': 'responses' };
const TAKING = ['gpt-5.6', 'gpt-5.6-sol', 'gpt-5.6-2026-07-01', 'gpt-6-astra', 'gpt-6.2-astra', 'gpt-6-luna'];
const OTHERS = ['gpt-5.5', 'gpt-5.5-pro', 'gpt-4o', 'o3', 'openai/gpt-5.6', 'claude-opus-5', 'gemini-3.5-flash'];

const marks = (value) => JSON.stringify(value).match(/prompt_cache_breakpoint/g)?.length ?? 0;
const instructions = (words) => ({ role: 'system', content: 'You look after the pumps of block seven. '.repeat(words) });
const withoutMarks = (messages) =>
  messages.map((message) => {
    const [key, type] = message.output === undefined ? ['content', 'text'] : ['output', 'input_text'];
    const blocks = Array.isArray(message[key])
      ? message[key].map(({ prompt_cache_breakpoint: _, ...block }) => block)
      : typeof message[key] === 'string'
        ? [{ type: message.type === 'message' || message.type?.endsWith('_output') ? 'input_text' : type, text: message[key] }]
        : message[key];
    return { ...message, [key]: blocks?.length === 1 && /^(input_)?text$/.test(blocks[0].type) ? blocks[0].text : blocks };
  });

/** A conversation of somebody who appends, undoes and waits: each request, with the time. */
function lifeOf(format, random, lead) {
  const requests = [];
  let history = lead;
  let now = 1_760_000_000_000;
  for (let part = 1; part <= 30; part++) {
    const own = working(format, part, part, random.integer(3, 40));
    for (const given of requestsOf(own)) {
      now += random.chance(0.03) ? 40 * MINUTE : random.integer(1, 3 * MINUTE);
      requests.push({ given: [...history, ...given], now });
    }
    history = [...history, ...own];
    if (random.chance(0.1) && history.length > 12) {
      const starts = history.flatMap(({ role }, index) => (role === 'user' && index > lead.length + 3 ? [index] : []));
      history = history.slice(0, random.pick(starts.slice(-4)));
    }
  }
  return deepFreeze(requests);
}

for (const [format, api] of someOf(Object.entries(APIS))) {
  const system = 'You look after pumps. '.repeat(400);
  const open = (options) =>
    createSession({ limit: 9_000, format, model: MODEL, warn: false, tokenCounter: tokensOf, shorten: false, ...options });

  const block = (text, more) => ({ type: api === 'chat' ? 'text' : 'input_text', text, ...more });
  /** A message with a breakpoint of the caller's. */
  const withOwn = ({ content, ...rest }) => ({
    ...rest,
    content: [
      block(typeof content === 'string' ? content : content[0].text, { prompt_cache_breakpoint: { mode: 'explicit', ttl: '30m' } }),
    ],
  });

  for (const [name, undocumented] of Object.entries({
    'found at any earlier end': { isMarkedOnly: false, isLiteral: false },
    'found at its own breakpoints alone': { isMarkedOnly: true, isLiteral: false },
    'found at any earlier end, a text is no block': { isMarkedOnly: false, isLiteral: true },
    'found at its own breakpoints alone, a text is no block': { isMarkedOnly: true, isLiteral: true },
  })) {
    test(`${format}, entries ${name}: a request reads at least as much as without, and the whole front after each cut`, () => {
      let [more, cuts] = [0, 0];
      for (let round = 0; round < cases(6); round++) {
        const random = new Random(SEED * 1000 + round);
        const isInside = random.chance(0.5);
        const lead = isInside ? [instructions(200)] : [];
        let now;
        const beside = isInside ? {} : { system };
        const sessions = [true, false].map((cacheControl) => open({ cacheControl, now: () => now, ...beside }));
        const caches = sessions.map(() => new OpenAICache(api, undocumented));
        let before;
        for (const [index, { given, now: time }] of lifeOf(format, random, lead).entries()) {
          const at = `seed ${SEED * 1000 + round}, request ${index}`;
          const isIdle = now !== undefined && time - now > 30 * MINUTE;
          now = time;
          const [step, plain] = sessions.map((session) => session.next(given));
          const front = {
            text: isInside ? '' : system,
            tokens: step.tokens.after - step.messages.reduce((sum, one) => sum + tokensOf(one), 0),
          };
          const [marked, unmarked] = [step, plain].map(({ messages }, which) => caches[which].send(front, messages, now, MODEL));
          assert.deepEqual(withoutMarks(step.messages), withoutMarks(plain.messages), at);
          assert.deepEqual(step.tokens, plain.tokens, at);
          assert.equal(marks(plain.messages), 0, at);
          assert.ok(marked.explicit.length >= 1 && marked.explicit.length <= 2, at);
          if (!undocumented.isLiteral) assert.ok(marked.read >= unmarked.read, `${at}: ${marked.read} of ${unmarked.read}`);
          const isFrontSame = before !== undefined && JSON.stringify(before[0]) === JSON.stringify(step.messages[0]);
          const least = front.tokens + tokensOf(step.messages[0]);
          if (isFrontSame && !isIdle && least >= 1024) assert.ok(marked.read >= least, `${at}: ${marked.read} of ${least}`);
          if (step.epoch) cuts++;
          more += marked.read - unmarked.read;
          before = step.messages;
        }
      }
      // Where any earlier end is found, that of the first request has the front, as long as it is not idle and the first message stays.
      if (IS_WHOLE) assert.ok(cuts >= 4 && more >= (undocumented.isMarkedOnly ? 50_000 : 0), `${cuts} cuts, ${more} tokens more`);
    });
  }

  test(`${format}: what the session forecasts of the cache is what it reads, after cuts too`, () => {
    let cuts = 0;
    for (let round = 0; round < cases(6); round++) {
      const random = new Random(SEED * 1000 + round);
      const isInside = random.chance(0.5);
      let now;
      const session = open({ cacheControl: true, now: () => now, ...(isInside ? {} : { system }) });
      const cache = new OpenAICache(api, { isMarkedOnly: false, isLiteral: false });
      const history = [...(isInside ? [instructions(300)] : []), ...working(format, 1, 25, 20)];
      now = 0;
      for (const [index, given] of requestsOf(history, isInside ? 2 : 1).entries()) {
        now += random.chance(0.05) ? 40 * MINUTE : MINUTE;
        const step = session.next(given);
        const front = { text: 'front', tokens: step.tokens.after - step.messages.reduce((sum, one) => sum + tokensOf(one), 0) };
        const { read } = cache.send(front, step.messages, now, MODEL);
        const at = `seed ${SEED * 1000 + round}, request ${index}, ${step.epoch?.reason}`;
        const forecast = step.report.cache.read;
        // A message that a cut took out and another one brought back may be there still, which nobody counts on.
        assert.ok(step.epoch ? forecast <= read && forecast >= 0.9 * read : forecast === read, `${at}: ${forecast} of ${read}`);
        if (step.epoch && read > 0) cuts++;
      }
      assert.equal(
        JSON.stringify(createSession({ limit: 9_000, format, model: MODEL }, JSON.parse(JSON.stringify(session))).report.tokens),
        JSON.stringify(session.report.tokens),
      );
    }
    if (IS_WHOLE) assert.ok(cuts >= 2, String(cuts));
  });

  test(`${format}: no breakpoint moves between cuts, and the API takes all of them`, async () => {
    const session = open({ cacheControl: true, now: () => 0 });
    const plain = open({ now: () => 0 });
    let before;
    for (const given of requestsOf([instructions(20), ...working(format, 1, 90, 20)])) {
      const step = session.next(given);
      assert.equal(await refused(format, step.messages), null);
      plain.next(given);
      if (before && !step.epoch)
        assert.equal(JSON.stringify(step.messages.slice(0, before.length)), JSON.stringify(before), 'what was sent stays as it was');
      before = step.messages;
    }
    assert.ok(Object.values(session.report.epochs).reduce((sum, count) => sum + count) > 2);
    assert.equal(session.report.prefix, undefined);
    assert.equal(session.report.mistakes, undefined);
  });

  test(`${format}: with the caller's own there are never more than three, and these stay as they are`, () => {
    for (let round = 0; round < cases(10); round++) {
      const random = new Random(SEED * 1000 + round);
      const own = random.integer(1, 6);
      const history = structuredClone([instructions(20), ...working(format, 1, 20, 12)]);
      const takes = history.flatMap((message, index) =>
        typeof message.content === 'string' && ['system', 'user'].includes(message.role) ? [index] : [],
      );
      for (let left = own; left > 0; left--) {
        const index = random.pick(takes);

        if (typeof history[index].content === 'string') history[index] = withOwn(history[index]);
      }
      const session = open({ cacheControl: true, limit: 100_000, now: () => 0 });
      const { messages } = session.next(deepFreeze(history));
      const added = marks(messages) - marks(history);
      assert.ok(added >= 0 && (added === 0 || marks(messages) <= 3), `${marks(history)} of the caller's, ${added} more`);
      readBreakpoints(api, messages, MODEL);
      for (const [index, message] of history.entries()) if (marks(message) > 0) assert.equal(messages[index], message);
    }
  });

  test(`${format}: breakpoints are no edits, and \`at\` tells the request with those that it had`, () => {
    const session = open({ cacheControl: true, now: () => 0 });
    const { role, content } = instructions(20);
    const histories = requestsOf([{ role, content: [block(content)] }, ...working(format, 1, 40, 20)]);
    for (const [index, given] of histories.entries()) {
      // The caller sets and removes one, too.
      const moved = index % 2 === 0 ? given : given.with(0, withOwn(given[0]));
      const { messages } = session.next(moved);
      assert.deepEqual(session.at(index + 1, moved).messages, messages);
    }
    assert.ok(Object.values(session.report.epochs).some((count) => count > 0));
    assert.deepEqual([session.report.prefix, session.report.mistakes], [undefined, undefined]);
  });

  test(`${format}: only models that are certain to take them get any; all else is left alone`, () => {
    const given = deepFreeze([instructions(20), ...working(format, 1, 3, 5)]);
    for (const model of [...TAKING, ...OTHERS, undefined]) {
      const limit = { limit: 50_000, ...(model && { model }) };
      const { messages } = createSession({ ...limit, format, cacheControl: true, warn: false }).next(given);
      assert.equal(marks(messages) > 0, TAKING.includes(model), model);
      if (!TAKING.includes(model)) for (const [index, message] of messages.entries()) assert.equal(message, given[index]);
      else readBreakpoints(api, messages, model);
    }
    const off = createSession({ limit: 50_000, model: MODEL, format, cacheControl: true, enabled: false, warn: false }).next(given);
    assert.equal(marks(off.messages), 0);
  });

  test(`${format}: a resumed session sets the same breakpoints`, () => {
    const options = { cacheControl: true, now: () => 0 };
    let session = open(options);
    const whole = open(options);
    for (const given of requestsOf([instructions(20), ...working(format, 1, 20, 20)])) {
      session = createSession(
        { limit: 9_000, format, model: MODEL, warn: false, tokenCounter: tokensOf, shorten: false, ...options },
        JSON.parse(JSON.stringify(session)),
      );
      assert.equal(JSON.stringify(session.next(given).messages), JSON.stringify(whole.next(given).messages));
    }
  });
}

test('where nothing takes a breakpoint, none is set', () => {
  const open = (format) => createSession({ limit: 50_000, model: MODEL, format, cacheControl: true, warn: false });
  const chat = [
    { role: 'user', content: '   ' },
    { role: 'assistant', content: 'Yes?' },
    { role: 'user', content: 'Go on.' },
  ];
  assert.equal(marks(open('openai-chat').next(chat).messages), 0);
  const items = [
    {
      type: 'message',
      role: 'assistant',
      id: 'msg_1',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hello.', annotations: [] }],
    },
    { role: 'user', content: 'Go on.' },
  ];
  assert.equal(marks(open('openai-responses').next(items).messages), 0);
  const image = {
    role: 'user',
    content: [
      { type: 'input_text', text: 'See:' },
      { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'auto' },
    ],
  };
  const [sent] = open('openai-responses').next([image]).messages;
  assert.deepEqual(sent.content[1].prompt_cache_breakpoint, { mode: 'explicit' });
  assert.equal(marks(sent), 1);
});

test('messages that do not show their format are those of the model', () => {
  const given = [{ role: 'user', content: 'Why did pump 7 stop?' }];
  assert.equal(marks(createSession({ model: MODEL, cacheControl: true }).next(given).messages), 1);
  assert.match(JSON.stringify(createSession({ model: 'claude-opus-5', cacheControl: true }).next(given).messages), /cache_control/);
  assert.throws(() => createSession({ limit: 9, format: 'gemini', cacheControl: true }), {
    name: 'TypeError',
    message: "createSession(): options.cacheControl is for messages of format 'anthropic', 'openai-chat' or 'openai-responses', got gemini",
  });
});
