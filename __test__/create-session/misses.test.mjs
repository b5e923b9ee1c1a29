// Why the cache missed. The judges are caches of both kinds, written after the providers' documentation, and a driver who knows what it did between
// two requests: which messages are new, what changed, how long nobody asked, and what the provider dropped.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createSession } from 'palimpsest';
import { diagnosticsIn } from 'palimpsest/internal';
import { CORPORA } from '../support/corpus.mjs';
import { Random } from '../support/random.mjs';
import { cases, IS_WHOLE, SEED, someOf } from '../support/seed.mjs';

const TTL = { automatic: 600_000, breakpoints: 300_000 };
const MINIMUM = 1024;
/** Tokens in which an automatic cache goes. */
const STEP = 128;
const LOOKBACK = 20;
/** Share of what can be read whose loss is no miss. */
const TAIL = 0.1;

const plain = (message) => JSON.stringify(message, (key, value) => (key === 'cache_control' ? undefined : value));
const count = (message) => Math.ceil(plain(message).length / 4);

/** A provider's cache. Entries are prefixes of requests; each read and write keeps those up to it alive. */
class Cache {
  #entries = new Map();
  #kind;

  constructor(kind) {
    this.#kind = kind;
  }

  /** Drops everything, as providers do when they want. */
  drop() {
    this.#entries.clear();
  }

  /**
   * @param pieces of the request in their order: text, tokens, and whether there is a breakpoint behind it
   * @returns tokens that were read and written
   */
  send(pieces, now) {
    let hash = '';
    let tokens = 0;
    const ends = pieces.map((piece) => {
      hash = createHash('sha256').update(hash).update(piece.text).digest('hex');
      tokens += piece.tokens;
      return { hash, tokens, isMarked: piece.isMarked };
    });
    const isThere = ({ hash: key }) => this.#entries.has(key) && now - this.#entries.get(key) <= TTL[this.#kind];
    const isFound = (index) => {
      if (this.#kind === 'automatic') return isThere(ends[index]);
      const within = ends.slice(index, index + LOOKBACK);
      return isThere(ends[index]) && within.some(({ isMarked }) => isMarked);
    };
    const last = ends.findLastIndex((end, index) => end.tokens >= MINIMUM && isFound(index));
    const found = ends[last]?.tokens ?? 0;
    const read = this.#kind === 'automatic' ? found - (found % STEP) : found;
    const written = ends.filter(({ isMarked }) => isMarked).at(-1)?.tokens ?? 0;
    ends.forEach((end, index) => {
      const isWritten = this.#kind === 'automatic' || end.isMarked;
      if (end.tokens >= MINIMUM && (isWritten || (index <= last && this.#entries.has(end.hash)))) this.#entries.set(end.hash, now);
    });
    return { read, written: Math.max(0, written - read), tokens };
  }
}

const FORMATS = {
  automatic: {
    format: 'openai-chat',
    cache: 'openai',
    tool: (name) => ({ type: 'function', function: { name, description: `Does ${name}. `.repeat(40), parameters: { type: 'object' } } }),
    call: (id, text) => [
      { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: id, content: text },
    ],
    piecesOf: (messages) => messages.map((message) => ({ text: plain(message), tokens: count(message), isMarked: false })),
    usage: ({ input, read }) => ({ prompt_tokens: input, completion_tokens: 9, prompt_tokens_details: { cached_tokens: read } }),
  },
  breakpoints: {
    format: 'anthropic',
    cache: 'anthropic',
    tool: (name) => ({ name, description: `Does ${name}. `.repeat(40), input_schema: { type: 'object' } }),
    call: (id, text) => [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] },
    ],
    // Of a message with several blocks the last one has the tokens that the others leave; a mark stands at its end.
    piecesOf: (messages) =>
      messages.map((message) => ({
        text: plain({ ...message, content: textOf(message.content) }),
        tokens: count({ ...message, content: textOf(message.content) }),
        isMarked: JSON.stringify(message).includes('cache_control'),
      })),
    usage: ({ input, read, written }) => ({
      input_tokens: input - read - written,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written,
    }),
  },
};

/** A lone text block is the text, for whoever puts a breakpoint on it. */
const textOf = (content) => (Array.isArray(content) && content.length === 1 && content[0].type === 'text' ? content[0].text : content);

const WORDS = 'the pump of block seven ran hot again so we read its log and found that valve nine had been shut since Monday'.split(' ');

/** A conversation of somebody who appends, edits, undoes, waits and changes tools. */
class Driver {
  now = 1_760_000_000_000;
  history = [];
  tools = [];
  /** Numbers of the messages that came since the last request. */
  fresh = new Set();
  #serial = 0;
  #random;
  #own;

  constructor(random, own) {
    this.#random = random;
    this.#own = own;
    this.tools.push(own.tool('look'));
    if (own.format === 'openai-chat') this.#push({ role: 'system', content: this.#text(60) });
    this.append();
  }

  /** Its number stands at both ends, so that whatever a cut leaves says whose it is. */
  #text(words) {
    const id = this.#serial++;
    this.fresh.add(id);
    const text = Array.from({ length: words }, () => this.#random.pick(WORDS)).join(' ');
    return `#${id}# ${text}. #${id}#`;
  }

  #push(...messages) {
    this.history.push(...messages);
  }

  append() {
    const words = () => this.#random.pick([20, 60, 200, 500]);
    if (this.history.length > 1) this.#push({ role: 'assistant', content: this.#text(words()) });
    this.#push({ role: 'user', content: this.#text(words()) });
    for (let calls = this.#random.integer(0, 3); calls > 0; calls--)
      this.#push(...this.#own.call(`call_${this.#serial}`, this.#text(words())));
  }

  edit() {
    const places = this.history.flatMap(({ content }, index) =>
      typeof content === 'string' && index < this.history.length - 6 ? [index] : [],
    );
    if (places.length === 0) return false;
    const at = this.#random.pick(places);
    const { content, ...rest } = this.history[at];
    this.history = this.history.with(at, { ...rest, content: content.replace(' ', ` edit ${this.#serial++} `) });
    return true;
  }

  undo() {
    const starts = this.history.flatMap(({ role, content }, index) => (role === 'user' && typeof content === 'string' ? [index] : []));
    if (starts.length < 3) return false;
    // The user says something else from there on.
    this.history = this.history.slice(0, this.#random.pick(starts.slice(1)));
    if (this.history.at(-1).role === 'assistant') this.history.pop();
    return true;
  }

  switchTools() {
    if (this.tools.length > 1) this.tools.pop();
    else this.tools.push(this.#own.tool('search'));
  }
}

const numbersIn = (message) => [...plain(message).matchAll(/#(\d+)#|call_(\d+)/g)].map(([, text, call]) => Number(text ?? call));
const sum = (list, of) => list.reduce((total, one) => total + of(one), 0);

/** Plays a random session; `look` sees each request with what the driver knows of it. */
function play(kind, seed, look, { factor = 1, options = {}, calm = 0.55 } = {}) {
  const random = new Random(seed);
  const own = FORMATS[kind];
  const driver = new Driver(random, own);
  const cache = new Cache(kind);
  const session = createSession({
    limit: random.pick([6_000, 12_000, 1_000_000]),
    format: own.format,
    cache: own.cache,
    cacheControl: kind === 'breakpoints',
    tools: driver.tools,
    now: () => driver.now,
    warn: false,
    shorten: false,
    ...(factor === 1 && { tokenCounter: (message) => count({ ...message, content: textOf(message.content) }) }),
    ...options,
  });
  let isCaching = false;
  let hasDropped = false;
  for (let number = 1; number <= 24; number++) {
    const events = new Set();
    if (number > 1) {
      driver.fresh = new Set();
      driver.now += random.integer(1, 60_000);
      if (!random.chance(calm)) {
        const [name, act] = random.pick([
          ['idle', () => (driver.now += TTL[kind] + random.integer(1, 9) * 60_000)],
          ['messages', () => driver.edit()],
          ['messages', () => driver.undo()],
          ['tools', () => driver.switchTools()],
          [isCaching ? 'unknown' : 'never', () => cache.drop()],
        ]);
        if (act() !== false) events.add(name);
        // What was dropped is not written again where only later breakpoints are: who goes back finds nothing.
        hasDropped ||= name === 'unknown' || name === 'never';
        if (hasDropped && name === 'messages') events.add('unknown');
        if (random.chance(0.15)) {
          driver.now += 2 * TTL[kind];
          events.add('idle');
        }
      }
      driver.append();
    }
    const step = session.next(driver.history);
    if (step.epoch) events.add('epoch');
    const sent = own.piecesOf(step.messages);
    const front = factor === 1 ? step.tokens.after - sum(sent, ({ tokens }) => tokens) : sum(driver.tools, count);
    const pieces = [{ text: JSON.stringify(driver.tools), tokens: front, isMarked: false }, ...sent];
    const { read, written, tokens } = cache.send(
      pieces.map((piece) => ({ ...piece, tokens: Math.round(factor * piece.tokens) })),
      driver.now,
    );
    isCaching ||= read > 0 || written > 0;
    const report = session.observe(own.usage({ input: tokens, read, written }));
    const isNew = (message) => numbersIn(message).every((id) => driver.fresh.has(id)) && numbersIn(message).length > 0;
    const tokensOf = (message) => Math.round(factor * count({ ...message, content: textOf(message.content) }));
    const fresh = number === 1 ? tokens : sum(step.messages.filter(isNew), tokensOf);
    // Nothing says whose mark it is where a message is gone.
    const marks = sum(
      step.messages.filter((message) => numbersIn(message).length === 0),
      tokensOf,
    );
    look({ number, events, step, report, read, input: tokens, fresh, marks: number === 1 ? 0 : marks, session });
  }
  return session;
}

/** The cause that the driver knows, by the order that the types give. */
const ORDER = ['idle', 'tools', 'epoch', 'messages', 'unknown', 'never'];

for (const kind of ['automatic', 'breakpoints']) {
  test(`${kind}: the parts add up in each request, and the cause that is known is the one that is named`, () => {
    const seen = new Map();
    for (let round = 0; round < cases(30); round++) {
      let before = 0;
      play(kind, SEED * 1000 + round, ({ number, events, step, report, read, input, fresh, marks, session }) => {
        const at = `seed ${SEED * 1000 + round}, request ${number}, ${[...events]}: ${JSON.stringify(report)}, ${fresh} new`;
        for (const one of [report, step.report.cache]) {
          assert.equal(one.request, number, at);
          assert.equal(one.read + one.new + one.tail + sum(one.missed, ({ tokens }) => tokens), one.input, at);
          for (const part of [one.read, one.new, one.tail, ...one.missed.map(({ tokens }) => tokens)])
            assert.ok(Number.isInteger(part) && part >= 0, at);
        }
        assert.deepEqual([report.input, report.read], [input, read], at);
        assert.equal(step.report.cache.input, step.tokens.after, at);
        // What could have been read is all that is not new.
        assert.ok(report.new >= Math.min(fresh, input - read) && report.new <= fresh + marks, at);
        assert.ok(report.tail <= Math.max(MINIMUM, TAIL * (input - report.new)), at);
        for (const { cause } of report.missed) seen.set(cause, (seen.get(cause) ?? 0) + 1);
        const causes = report.missed.map(({ cause }) => cause);
        if (number === 1) assert.deepEqual(causes, [], at);
        // Nothing else happened: then it is nothing else.
        assert.ok(
          causes.every((cause) => events.has(cause)),
          at,
        );
        if (events.size > 1 && causes.length > 0)
          assert.equal(causes.sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))[0], causes[0], at);
        if (events.has('idle') && causes.includes('idle')) assert.deepEqual(causes, ['idle'], at);
        for (const miss of report.missed) {
          const { write, rate } = kind === 'automatic' ? { write: 1, rate: 0.1 } : { write: 1.25, rate: 0.1 };
          assert.ok(Math.abs(miss.cost - miss.tokens * (write - rate)) < 1e-6, at);
        }
        // The totals are the sums.
        const { cache } = session.report;
        assert.deepEqual(cache.last, report);
        assert.equal(cache.requests, number);
        assert.equal(cache.read + cache.new + cache.tail + sum(Object.values(cache.missed), ({ tokens }) => tokens), cache.input);
        assert.equal(cache.input, before + input);
        before = cache.input;
      });
    }
    if (IS_WHOLE)
      for (const cause of ['idle', 'tools', 'epoch', 'messages', 'unknown'])
        assert.ok((seen.get(cause) ?? 0) >= 5, `${cause}: ${JSON.stringify([...seen])}`);
  });
}

for (const kind of ['automatic', 'breakpoints']) {
  test(`${kind}: a provider that counts otherwise: the parts add up all the same, and near what they are`, () => {
    for (let round = 0; round < cases(20); round++) {
      const seed = SEED * 1000 + round;
      const random = new Random(seed);
      const factor = 0.7 + 2 * random.next();
      play(
        kind,
        seed,
        ({ number, events, report, input, fresh, marks }) => {
          const at = `seed ${seed}, factor ${factor}, request ${number}, ${[...events]}: ${JSON.stringify(report)}, ${fresh} new`;
          assert.equal(report.read + report.new + report.tail + sum(report.missed, ({ tokens }) => tokens), input, at);
          assert.ok(
            // What is near the minimum may be above it here, and below it there.
            report.missed.every(
              ({ cause, tokens }) => events.has(cause) || (['unknown', 'never'].includes(cause) && tokens < 1.5 * MINIMUM),
            ),
            at,
          );
          // Requests that only append are counted by the provider up to where they do.
          const isAppended = events.size === 0 || (events.size === 1 && (events.has('idle') || events.has('unknown')));
          const most = number === 1 || (number > 2 && isAppended) ? 1 : 0.5 * input;
          assert.ok(report.new >= Math.min(fresh, input - report.read) - most - 1 && report.new <= fresh + marks + most, at);
        },
        { factor },
      );
    }
  });
}

for (const { corpus, skip, native } of CORPORA) {
  test(`${corpus}: the parts add up in each request, and only cuts and pauses miss`, { skip }, () => {
    let requests = 0;
    const seen = new Set();
    for (const [index, { id, format, messages }] of someOf(native()).entries()) {
      const kind = format === 'anthropic' ? 'breakpoints' : format === 'openai-chat' ? 'automatic' : undefined;
      if (kind === undefined) continue;
      const random = new Random(SEED * 1000 + index);
      const { cache: prices, piecesOf, usage } = FORMATS[kind];
      const cache = new Cache(kind);
      let now = 0;
      const limit = random.pick([8_000, 40_000, 400_000]);
      const session = createSession({
        ...{ limit: requests === 0 ? 8_000 : limit, format, cache: prices, cacheControl: kind === 'breakpoints' },
        ...{ now: () => now, warn: false },
      });
      const known = new WeakMap();
      const pieceOf = (message) => {
        if (!known.has(message)) known.set(message, piecesOf([message])[0]);
        return known.get(message);
      };
      const ends = messages.flatMap(({ role }, at) => (role === 'assistant' && at > 0 ? [at] : []));
      const every = Math.ceil(ends.length / 40);
      for (const end of ends.filter((_, place) => place % every === 0)) {
        const isIdle = random.chance(0.1);
        now += isIdle ? 2 * TTL[kind] : 1000;
        const step = session.next(messages.slice(0, end));
        const { read, written, tokens } = cache.send(step.messages.map(pieceOf), now);
        const report = session.observe(usage({ input: tokens, read, written }));
        const at = `${id}, ${end} messages, ${step.epoch?.reason ?? ''}: ${JSON.stringify(report)}`;
        for (const one of [report, step.report.cache])
          assert.equal(one.read + one.new + one.tail + sum(one.missed, (miss) => miss.tokens), one.input, at);
        for (const { cause } of report.missed) {
          seen.add(cause);
          assert.ok(cause === 'idle' ? isIdle : cause === 'epoch' && step.epoch !== undefined, at);
        }
        requests++;
      }
    }
    if (IS_WHOLE) assert.ok(requests > 100 && seen.size === 2, `${requests} requests, ${[...seen]}`);
  });
}

/** Two requests, between which a tool comes: the second one misses. */
function twice(options = {}) {
  const { tool, usage } = FORMATS.automatic;
  const tools = [tool('look')];
  const session = createSession({ limit: 100_000, format: 'openai-chat', tools, now: () => 0, warn: false, ...options });
  const history = [{ role: 'user', content: 'Why did pump seven stop? '.repeat(400) }];
  session.next(history);
  session.observe(usage({ input: 3000, read: 1500 }));
  history.push({ role: 'assistant', content: 'It ran hot.' }, { role: 'user', content: 'Since when?' });
  const observed = (read, diagnostics) => session.observe(usage({ input: 3100, read }), diagnostics);
  return { session, history, tools, tool, observed };
}

test('the part that changed is named, with what the provider says', () => {
  const { session, history, tools, tool, observed } = twice();
  tools.push(tool('search'));
  const { report } = session.next(history);
  const change = { at: 'tools', index: 1, change: 'added' };
  assert.deepEqual(
    report.cache.missed.map(({ cause, change: changed }) => [cause, changed]),
    [['tools', change]],
  );
  const { missed } = observed(0, { cache_miss_reason: { type: 'tools_changed', cache_missed_input_tokens: 2990 } });
  assert.deepEqual(
    missed.map(({ cause, change: changed, said }) => [cause, changed, said]),
    [['tools', change, 'tools_changed']],
  );
});

for (const [name, diagnostics, cause, said] of [
  ['Anthropic: the model', { cache_miss_reason: { type: 'model_changed', cache_missed_input_tokens: 9 } }, 'model', 'model_changed'],
  [
    'Anthropic: the system prompt',
    { cache_miss_reason: { type: 'system_changed', cache_missed_input_tokens: 9 } },
    'system',
    'system_changed',
  ],
  [
    'Anthropic: messages',
    { cache_miss_reason: { type: 'messages_changed', cache_missed_input_tokens: 9 } },
    'messages',
    'messages_changed',
  ],
  ['Anthropic: it does not know', { cache_miss_reason: { type: 'unavailable' } }, 'unknown', 'unavailable'],
  ['Anthropic: it is not done', { cache_miss_reason: null }, 'unknown', undefined],
  ['OpenAI: the tools', { type: 'cache_miss', reason: 'tools_changed', cache_missed_tokens: 9 }, 'tools', 'tools_changed'],
  ['OpenAI: the input', { type: 'cache_miss', reason: 'input_changed', cache_missed_tokens: 9 }, 'messages', 'input_changed'],
  ['OpenAI: a compaction', { type: 'cache_miss', reason: 'context_compacted', cache_missed_tokens: 9 }, 'compaction', 'context_compacted'],
  [
    'OpenAI: the key',
    { type: 'cache_miss', reason: 'prompt_cache_key_changed', cache_missed_tokens: 9 },
    'provider',
    'prompt_cache_key_changed',
  ],
  ['OpenAI: a word to come', { type: 'cache_miss', reason: 'moved_house', cache_missed_tokens: 9 }, 'provider', 'moved_house'],
  ['OpenAI: no word', { type: 'cache_miss', reason: 'See https://example.com, Jo!', cache_missed_tokens: 9 }, 'unknown', undefined],
  ['OpenAI: a hit', { type: 'cache_hit' }, 'unknown', undefined],
  ['none', undefined, 'unknown', undefined],
]) {
  test(`the provider's word where the session knows of nothing: ${name}`, () => {
    const { session, history, observed } = twice();
    session.next(history);
    const [miss, ...others] = observed(0, diagnostics).missed;
    assert.deepEqual([miss.cause, miss.said, miss.tokens, others], [cause, said, 3000, []]);
  });
}

test('diagnostics are found in answers and in the events of streams, and nothing else is taken for them', () => {
  const anthropic = { cache_miss_reason: { type: 'tools_changed', cache_missed_input_tokens: 9 } };
  const openai = { type: 'cache_hit' };
  const found = [
    { id: 'msg_1', diagnostics: anthropic },
    { type: 'message_start', message: { id: 'msg_1', diagnostics: anthropic } },
    { id: 'resp_1', prompt_cache_diagnostics: openai },
    { type: 'response.completed', response: { id: 'resp_1', prompt_cache_diagnostics: openai } },
  ];
  assert.deepEqual(found.map(diagnosticsIn), [anthropic, anthropic, openai, openai]);
  for (const other of [
    null,
    undefined,
    7,
    'x',
    {},
    { diagnostics: null },
    { diagnostics: { level: 'warn' } },
    { message: 'x' },
    { response: null },
  ])
    assert.equal(diagnosticsIn(other), undefined);
});

test('diagnostics that no provider gives are refused before anything is taken', () => {
  const { session, history, observed } = twice();
  session.next(history);
  for (const wrong of ['tools_changed', {}, [], { type: 7 }, { type: 'message', usage: {}, content: [] }])
    assert.throws(() => observed(0, wrong), { name: 'TypeError', message: /^observe\(\): diagnostics must be those of an answer/ });
  assert.equal(session.report.cache.requests, 1);
});

test('usage without cached tokens says nothing of the cache, until it has given a number: then it means none; a request is told once', () => {
  const silent = createSession({ limit: 100_000, format: 'gemini', now: () => 0 });
  const contents = [{ role: 'user', parts: [{ text: 'Why did pump seven stop? '.repeat(2000) }] }];
  const ask = (usage) => {
    silent.next(contents);
    const report = silent.observe({ promptTokenCount: 10_000 + contents.length, ...usage });
    contents.push({ role: 'model', parts: [{ text: 'It ran hot.' }] }, { role: 'user', parts: [{ text: 'Since when?' }] });
    return report?.read;
  };
  assert.deepEqual([ask(), ask(), ask({ cachedContentTokenCount: 9000 }), ask()], [undefined, undefined, 9000, 0]);
  const { session, history, observed } = twice();
  session.next(history);
  assert.equal(session.observe(null), undefined);
  assert.equal(observed(3000).read, 3000);
  assert.equal(observed(0), undefined);
  assert.equal(session.report.cache.requests, 2);
});

test('a cache that is off is not called a miss for no known cause, until the provider reads or writes', () => {
  const history = [];
  const session = createSession({ limit: 100_000, format: 'anthropic', now: () => 0 });
  const ask = (usage) => {
    history.push({ role: 'user', content: 'Why did pump seven stop? '.repeat(400) });
    session.next(history);
    history.push({ role: 'assistant', content: 'It ran hot.' });
    return session
      .observe({ input_tokens: 3000 * history.length, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, ...usage })
      .missed.map(({ cause }) => cause);
  };
  assert.deepEqual([ask(), ask(), ask()], [[], ['never'], ['never']]);
  assert.deepEqual(ask({ cache_creation_input_tokens: 20_000 }), ['unknown']);
  assert.deepEqual(ask(), ['unknown']);
  assert.match(String(session.report), /cache missed 4 times: 2 nothing cached so far, 2 for no known cause$/);
});

test('the totals are saved in few bytes, and states without them are taken up', () => {
  const sessions = [1, 2].map(() => play('breakpoints', SEED, () => {}));
  const [session] = sessions;
  const state = JSON.parse(JSON.stringify(session));
  const size = JSON.stringify(state.ledger.cache).length;
  assert.ok(size < 500, String(size));
  const options = { limit: 12_000, format: 'anthropic', now: () => 0, warn: false };
  const { last, ...totals } = session.report.cache;
  assert.deepEqual(createSession(options, state).report.cache, totals);
  const { cache, ...ledger } = state.ledger;
  const older = createSession(options, { ...state, ledger });
  assert.equal(older.report.cache, undefined);
  assert.equal(older.report.requests, session.report.requests);
  for (const wrong of [
    null,
    7,
    {},
    { sums: [1], missed: [] },
    { sums: cache.sums, missed: [['idle', -1, 0, 0]] },
    { sums: cache.sums, missed: [7] },
  ])
    assert.throws(() => createSession(options, { ...state, ledger: { ...ledger, cache: wrong } }), /saved\.ledger/);
  // A cause of a later version is one that nobody knows here.
  const { missed } = createSession(options, { ...state, ledger: { ...ledger, cache: { sums: cache.sums, missed: [['moon', 2, 9, 1.5]] } } })
    .report.cache;
  assert.deepEqual(missed, { unknown: { requests: 2, tokens: 9, cost: 1.5 } });
});
