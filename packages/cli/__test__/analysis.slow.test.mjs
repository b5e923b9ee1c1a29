// The data of the report: sums are conserved, and every figure equals one that is computed in another way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calcPrice } from '@pydantic/genai-prices';
import fc from 'fast-check';
import { countTokens, createSession } from 'palimpsest';
import { character } from '../../../__test__/support/characters.mjs';
import { CONVERSATIONS } from '../../../__test__/corpus/index.mjs';
import { cases, someOf } from '../../../__test__/support/seed.mjs';
import { variantsOf } from '../../../__test__/support/shorter.mjs';
import { dialogue, FORMATS, sayIn } from '../../../__test__/support/transcripts.mjs';
import { PRICES } from '../../../benches/quality/sessions/bills.mjs';
import { session as sessionPolicy } from '../../../benches/quality/sessions/policies.mjs';
import { createReader } from '../../../benches/quality/sessions/reading.mjs';
import { replay } from '../../../benches/quality/sessions/replay.mjs';
import { Shown } from '../dist/analysis/bounds.mjs';
import { judgesOf, stepsOf, Words } from '../dist/analysis/facts.mjs';
import { analyse } from '../dist/analysis/index.mjs';
import { readMessages } from '../dist/analysis/parts.mjs';
import { createPrices } from '../dist/analysis/prices.mjs';
import { wordsIn } from '../dist/analysis/words.mjs';
import { page } from '../dist/report/page.mjs';
import { requestsOf } from '../dist/transcripts/messages.mjs';
import { sessionCalls } from './support/session-calls.mjs';

const NOW = Date.parse('2026-11-20T00:00:00Z');
const IN_JSON = FORMATS.filter((format) => format !== 'langchain');
const LONG = CONVERSATIONS.filter(({ id }) => id.endsWith('-long'));

/** A transcript of messages. */
const transcriptOf = (format, messages, more = {}) => ({
  agent: 'messages',
  id: 'one',
  file: '/one.json',
  format,
  messages,
  requests: requestsOf(messages),
  skipped: 0,
  notes: [],
  ...more,
});
const longIn = (format, index = 0) => JSON.parse(JSON.stringify(sayIn(format, LONG[index].spoken)));
const sum = (list, of = (one) => one) => list.reduce((total, one) => total + of(one), 0);
const inputOf = ({ input, cacheRead, cacheWrite }) => input + cacheRead + cacheWrite;
const close = (one, other, what) =>
  assert.ok(Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other)), `${what}: ${one}, not ${other}`);

/** What holds for every report. */
function check(report, transcripts) {
  const { totals, sessions, where } = report;
  assert.equal(totals.sessions, transcripts.length);
  for (const name of ['tokens', 'sent', 'content'])
    assert.equal(
      totals[name],
      sum(sessions, (one) => one[name]),
      name,
    );
  assert.equal(
    totals.requests,
    sum(transcripts, ({ requests }) => requests.length),
  );
  assert.equal(
    totals.messages,
    sum(transcripts, ({ messages }) => messages.length),
  );
  for (const { by, rows } of where) {
    assert.equal(
      sum(rows, ({ tokens }) => tokens),
      totals.content,
      `the rows by ${by}`,
    );
    for (const { messages } of rows)
      for (const [session, message] of messages) assert.ok(sessions[session].messages[message] !== undefined);
  }
  for (const session of sessions) {
    const { requests, messages } = session;
    if (requests.length === session.count.requests) {
      assert.equal(
        sum(requests, ({ tokens }) => tokens),
        session.tokens,
      );
      assert.equal(
        sum(requests, ({ sent }) => sent),
        session.sent,
      );
      assert.equal(requests.filter(({ epoch }) => epoch).length, session.count.epochs);
    }
    for (const { tokens, read, sent, cached } of requests) assert.ok(0 <= read && read <= tokens && 0 <= cached && cached <= sent);
    if (session.kept !== undefined) assert.ok(0 <= session.kept && session.kept <= 1 && session.measured > 0);
    if (messages === undefined) continue;
    assert.equal(messages.length, session.count.messages);
    assert.equal(
      sum(messages, ({ tokens }) => tokens),
      session.content,
    );
    for (const { fate, after } of messages) {
      assert.ok(['kept', 'cut', 'gone'].includes(fate));
      assert.equal(after !== undefined, fate === 'cut');
    }
  }
  // Nothing in it is lost in JSON.
  assert.deepEqual(JSON.parse(JSON.stringify(report)), report);
}

test('sums are conserved for conversations of every format', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...IN_JSON), dialogue, fc.integer({ min: 200, max: 5_000 }), async (format, spoken, limit) => {
      const messages = JSON.parse(JSON.stringify(sayIn(format, spoken)));
      fc.pre(messages.length > 0);
      const transcripts = [transcriptOf(format, messages), transcriptOf(format, messages, { id: 'two' })];
      const report = await analyse(transcripts, { limit, now: NOW });
      assert.deepEqual(report.skipped, []);
      check(report, transcripts);
    }),
    { numRuns: cases(30) },
  );
});

for (const format of someOf(IN_JSON)) {
  test(`${format}: a long session is counted as the library counts it, and stays within its limit`, async () => {
    const messages = longIn(format);
    const transcript = transcriptOf(format, messages);
    const limit = 20_000;
    const report = await analyse([transcript], { limit, now: NOW });
    check(report, [transcript]);
    const [session] = report.sessions;
    const ofRequest = countTokens([], { format });
    assert.equal(session.content, countTokens(messages, { format }) - ofRequest);
    transcript.requests.forEach(({ messages: end }, index) => {
      assert.equal(session.requests[index].tokens, countTokens(messages.slice(0, end), { format }) - ofRequest);
      assert.ok(session.requests[index].sent <= limit, `request ${index}: ${session.requests[index].sent}`);
    });
    assert.ok(session.count.epochs > 0 && session.sent < session.tokens);
    const fates = new Set(session.messages.map(({ fate }) => fate));
    assert.deepEqual([...fates].sort(), ['cut', 'gone', 'kept']);
  });
}

test('with a limit that nothing reaches, nothing is gone, and results are only written in fewer tokens', async () => {
  // Only results that certainly show no file are written in fewer tokens.
  const made = [
    { role: 'user', content: 'Build it.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_make', name: 'Bash', input: { command: 'make' } }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_make', content: 'waiting for the lock of the database\n'.repeat(99) }],
    },
    { role: 'assistant', content: 'It is built.' },
  ];
  const transcript = transcriptOf('anthropic', [...longIn('anthropic'), ...made, ...longIn('anthropic', 1)], { model: 'claude-sonnet-5' });
  const report = await analyse([transcript], { limit: 1_000_000, now: NOW });
  const [session] = report.sessions;
  for (const { tokens, read, sent, cached } of session.requests) assert.ok(sent <= tokens && cached <= read, `${sent} of ${tokens}`);
  assert.ok(session.costWithSession < session.cost);
  assert.equal(report.totals.saved, session.cost - session.costWithSession);
  assert.equal(session.kept, 1);
  const shorter = session.messages.filter(({ fate }) => fate !== 'kept');
  assert.ok(shorter.length > 0);
  for (const { fate, role, parts, after } of shorter) {
    assert.deepEqual([fate, role], ['cut', 'tool']);
    assert.ok(variantsOf(parts[0].text).slice(1).includes(after), after);
  }
});

/** A transcript whose requests have usage: what the provider counted is `overhead` and the messages. */
function recorded(count, overhead, textOf, more = {}) {
  const messages = [{ role: 'user', content: 'Find the fault in the parser.' }];
  const requests = [];
  for (let index = 0; index < count; index++) {
    const tokens = overhead + 1_000 * (index + 1);
    const usage = { input: 7, cacheRead: tokens - 1_007, cacheWrite: 1_000, output: 321 };
    requests.push({ messages: messages.length, time: NOW + 5_000 * index, model: 'claude-sonnet-5', usage });
    const id = `toolu_${index}`;
    const input = { file_path: `/home/ada/work/packages/${index % 250}/src/${'deep/'.repeat(12)}parser.mjs` };
    messages.push({
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id, name: `Read${index % 250}`, input },
      ],
    });
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: textOf(index) }] });
  }
  return transcriptOf('anthropic', messages, { agent: 'claude-code', requests, model: 'claude-sonnet-5', ...more });
}

test('where instructions and tools alone take the limit, no session is asked, and the report says so', async () => {
  const limit = 20_000;
  const over = recorded(30, limit + 1, (index) => `line ${index}\n`.repeat(40));
  let session;
  const analysing = async (transcript) => {
    [session] = (await analyse([transcript], { limit, now: NOW })).sessions;
  };
  // The report compares half the limit, the limit, 1.5 and 2 times it: only the last two leave room.
  assert.equal(await sessionCalls(() => analysing(over)), 2 * 30);
  assert.deepEqual([session.sent, session.costWithSession, session.count.epochs], [session.tokens, session.cost, 0]);
  assert.deepEqual([session.kept, session.measured], [undefined, 0]);
  assert.match(session.notes.join('\n'), /^no request fits the limit: instructions and tools alone take 20,\d{3} tokens/);
  const under = recorded(30, 15_000, (index) => `line ${index}\n`.repeat(40));
  assert.equal(await sessionCalls(() => analysing(under)), 3 * 30);
  assert.doesNotMatch(session.notes.join('\n'), /no request fits/);
});

test('without recorded usage, a request reads what the one before sent, unless the cache has expired', async () => {
  const messages = longIn('anthropic');
  const requests = requestsOf(messages).map((request, index) => ({ ...request, time: NOW + index * 60_000 + (index >= 20 ? 600_000 : 0) }));
  const [session] = (await analyse([transcriptOf('anthropic', messages, { requests })], { limit: 1e6, now: NOW })).sessions;
  session.requests.forEach(({ read }, index) => {
    const before = session.requests[index - 1]?.tokens ?? 0;
    assert.equal(read, index === 20 || before < 1024 ? 0 : before, `request ${index}`);
  });
});

test('costs are those of the price list, for what was recorded', async () => {
  // Within the window of each of these models.
  const count = fc.nat(340_000);
  const usage = fc.record(
    { input: fc.integer({ min: 1, max: 340_000 }), cacheRead: count, cacheWrite: count, output: count },
    { noNullPrototype: true },
  );
  const messages = longIn('anthropic').slice(0, 30);
  const plain = requestsOf(messages);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('claude-sonnet-5', 'anthropic/claude-opus-5', 'gpt-6-astra', 'gpt-5.5', 'gemini-3.8-flash'),
      fc.array(usage, { minLength: plain.length, maxLength: plain.length }),
      async (model, uses) => {
        const requests = plain.map((request, index) => ({ ...request, model, usage: uses[index] }));
        const report = await analyse([transcriptOf('anthropic', messages, { model, requests })], { limit: 8_000, now: NOW });
        const [session] = report.sessions;
        assert.equal(session.counted, 'recorded');
        assert.equal(session.tokens, sum(uses, inputOf));
        const priced = (one) => {
          const tokens = {
            input_tokens: inputOf(one),
            cache_read_tokens: one.cacheRead,
            cache_write_tokens: one.cacheWrite,
            output_tokens: one.output,
          };
          return calcPrice(tokens, model.split('/').at(-1), { timestamp: new Date(NOW) }).total_price;
        };
        close(session.cost, sum(uses, priced), model);
        close(report.totals.saved, session.cost - session.costWithSession, 'saved');
      },
    ),
    { numRuns: cases(10) },
  );
});

test('the prices of a request are those of the list, at each of its tiers', () => {
  const priceOf = createPrices(NOW);
  const count = fc.integer({ min: 0, max: 300_000 });
  fc.assert(
    fc.property(
      fc.constantFrom('claude-fable-5-1', 'claude-haiku-4-5', 'gpt-6-sol', 'gpt-5.3-codex', 'gemini-2.5-pro', 'grok-4.6'),
      fc.record({ input: count, cacheRead: count, cacheWrite: count, output: count }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (model, usage, share) => {
        const cacheWriteHour = model.startsWith('claude') ? Math.floor(share * usage.cacheWrite) : 0;
        const { input, cacheRead, cacheWrite, output } = usage;
        const list = calcPrice(
          {
            input_tokens: input + cacheRead + cacheWrite,
            cache_read_tokens: cacheRead,
            cache_write_tokens: cacheWrite,
            cache_write_1h_tokens: cacheWriteHour,
            output_tokens: output,
          },
          model,
          { timestamp: new Date(NOW) },
        );
        close(priceOf(model).costOf({ ...usage, cacheWriteHour }), list.total_price, model);
      },
    ),
  );
});

test('a model without a price is named, and costs nothing', async () => {
  const messages = longIn('openai-chat', 1);
  const transcripts = [
    transcriptOf('openai-chat', messages, { model: 'gpt-99-nova' }),
    transcriptOf('openai-chat', messages),
    transcriptOf('openai-chat', messages, { model: 'gpt-5.5' }),
  ];
  const { totals, sessions } = await analyse(transcripts, { limit: 20_000, now: NOW });
  assert.deepEqual(totals.unpriced, ['gpt-99-nova', 'unknown']);
  assert.deepEqual(
    sessions.map(({ cost }) => cost !== undefined),
    [false, false, true],
  );
  assert.equal(totals.cost, sessions[2].cost);
  assert.deepEqual(
    sessions.map(({ counted }) => counted),
    ['estimate', 'estimate', 'exact'],
  );
});

test('recorded usage scales the counts: a session keeps its limit in the tokens of the provider', async () => {
  const messages = longIn('anthropic');
  const [ratio, overhead, limit] = [1.3, 12_000, 40_000];
  const ends = requestsOf(messages);
  const counted = (end) => countTokens(messages.slice(0, end), { format: 'anthropic' }) - 1;
  const first = counted(ends[0].messages);
  const requests = ends.map((request) => {
    const input = Math.round(ratio * (overhead + counted(request.messages) - first) + first);
    return { ...request, model: 'claude-sonnet-5', usage: { input: 3, cacheRead: 0, cacheWrite: input - 3, output: 100 } };
  });
  const [session] = (await analyse([transcriptOf('anthropic', messages, { requests, model: 'claude-sonnet-5' })], { limit, now: NOW }))
    .sessions;
  assert.ok(session.count.epochs > 0);
  for (const { tokens, sent, cached, usage } of session.requests) {
    assert.equal(tokens, inputOf(usage));
    assert.ok(sent <= Math.max(limit * 1.02, overhead), `${sent} of ${tokens}`);
    // The recorded requests read nothing from the cache, so neither does the session's.
    assert.equal(cached, 0);
  }
});

test('what a session keeps is what the benchmark measures', async () => {
  for (const index of [0, 2]) {
    const messages = longIn('anthropic', index).map(({ role, content }) => ({
      role,
      content: typeof content === 'string' ? content : content.filter(({ type }) => type !== 'thinking'),
    }));
    const limit = 16_000;
    const read = createReader();
    const readings = messages.map(read);
    messages.forEach((message, at) =>
      assert.deepEqual(
        wordsIn(
          readMessages([message], 'anthropic')[0]
            .parts.map(({ text, tool, label }) => (label === 'call' ? `${tool} ${text}` : text))
            .join('\n'),
        ),
        readings[at].words,
      ),
    );
    const judges = judgesOf(new Words(readings), () => false, 20, stepsOf(messages));
    const track = { messages, times: messages.map(() => NOW) };
    const decide = { ...PRICES.anthropic, minimum: 1024 };
    const theirs = replay(track, sessionPolicy(), { limit, read, judges, decide });
    const [session] = (await analyse([transcriptOf('anthropic', messages)], { limit, now: NOW })).sessions;
    close(session.kept, theirs.grounded, 'kept');
    assert.ok(session.kept > 0.3 && session.kept < 1);
  }
});

test('the fate of a message is what the last request of such a session says', async () => {
  for (const format of ['anthropic', 'openai-chat', 'openai-responses', 'gemini']) {
    // Each text has a word of its own on each of its lines.
    const messages = longIn(format, 1);
    const limit = 15_000;
    const [data] = (await analyse([transcriptOf(format, messages)], { limit, now: NOW })).sessions;
    const session = createSession({
      limit,
      format,
      now: () => 0,
      cache: format === 'gemini' ? 'gemini' : format === 'anthropic' ? 'anthropic' : 'openai',
    });
    let last = [];
    const ends = requestsOf(messages).map((request) => request.messages);
    for (const end of ends) last = session.next(messages.slice(0, end)).messages;
    const sent = new Set(last);
    const text = last.map((message) => JSON.stringify(message)).join('\n');
    messages.slice(0, ends.at(-1)).forEach((message, index) => {
      const { fate, after, parts } = data.messages[index];
      assert.equal(fate === 'kept', sent.has(message), `${format} ${index}`);
      if (fate === 'cut') assert.ok(after.length > 0);
      if (fate !== 'gone') return;
      const calls = readMessages([message], format)[0].parts.flatMap(({ callId, label }) => (callId && label === 'call' ? [callId] : []));
      for (const id of calls) assert.ok(!text.includes(`"${id}"`), `${format} ${index}: ${id} is still there`);
      assert.ok(parts.length > 0);
    });
  }
});

test('kinds: what prune would cut, and why', async () => {
  const call = (id, name, input) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name, input }] });
  const result = (id, content, is_error) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content, ...(is_error && { is_error }) }],
  });
  const lines = (word, count) => Array.from({ length: count }, (_, index) => `${index + 1}\t${word} ${index}`).join('\n');
  const messages = [
    { role: 'user', content: 'Mend the parser.' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Where is it? In the parser, I suppose.', signature: 'c2ln' },
        { type: 'text', text: 'I look.' },
      ],
    },
    { role: 'user', content: 'Yes.' },
    call('a', 'Read', { file_path: 'parser.ts' }),
    result('a', lines('old', 60)),
    call('b', 'Bash', { command: 'npm test' }),
    result('b', `Exit code 1\n${lines('failing', 60)}`, true),
    call('c', 'Write', { file_path: 'parser.ts', content: lines('new', 60) }),
    result('c', 'Written.'),
    call('d', 'Bash', { command: 'git log' }),
    result('d', lines('commit', 1_500)),
    call('e', 'Bash', { command: 'ls -R' }),
    result('e', lines('folder', 80)),
    call('f', 'Bash', { command: 'ls -R' }),
    result('f', lines('folder', 81)),
    { role: 'assistant', content: 'Done.' },
  ];
  const [{ messages: data }] = (await analyse([transcriptOf('anthropic', messages)], { limit: 1e6, now: NOW })).sessions;
  const kindOf = (index) => data[index].kind;
  assert.deepEqual([0, 1, 2, 3, 4, 6, 7, 8, 10, 12, 14, 15].map(kindOf), [
    'user',
    'thinking',
    'user',
    'model',
    'stale reads',
    'failed commands',
    'model',
    'other results',
    'large outputs',
    'repeated commands',
    'other results',
    'model',
  ]);
  assert.deepEqual([data[4].tool, data[4].file, data[6].tool], ['Read', 'parser.ts', 'Bash']);
});

test('a hundred sessions take less than 3 MB, and the longest keep their messages', async () => {
  const line = '<div class="x">灯台守 & "quotes"</div>\n';
  const sessions = Array.from({ length: 100 }, (_, index) => {
    const count = index % 10 === 0 ? 60 : 12;
    const text = (at) => line.repeat(1 + ((at * 7 + index) % 20)) + (at === 6 ? line.repeat(200) : '');
    const messages = Array.from({ length: count }, (__, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: text(at) }));
    return transcriptOf('anthropic', messages, { id: `s${index}`, file: `/home/ada/s${index}.json` });
  });
  const report = await analyse(sessions, { limit: 20_000, now: NOW });
  check(report, sessions);
  const json = JSON.stringify(report).replaceAll('<', '\\u003c');
  assert.ok(Buffer.byteLength(json) < 2_600_000, `${Buffer.byteLength(json)} bytes`);
  const whole = report.sessions.findIndex(({ messages }) => messages === undefined);
  assert.ok(whole > 2, 'the first sessions have their messages');
  const [{ parts }] = report.sessions[0].messages.filter((message) => message.parts[0].chars !== undefined);
  assert.ok(parts[0].text.includes('\n…\n') && parts[0].text.length < parts[0].chars);
});

test('the page of a hundred sessions with two hundred requests each, usage and long texts takes less than 3 MB', async () => {
  const line = '<p>灯台守 & "quotes" \u2028</p>\n';
  const sessions = Array.from({ length: 100 }, (_, index) =>
    recorded(200, 4_000, (at) => line.repeat(at % 40 === 0 ? 150 : 3), { id: `s${index}`, title: 'A title of some length '.repeat(5) }),
  );
  const report = await analyse(sessions, { limit: 60_000, now: NOW });
  assert.equal(report.totals.requests, 20_000);
  assert.ok(report.sessions.every(({ requests }) => requests.every(({ usage }) => usage !== undefined)));
  const bytes = Buffer.byteLength(page(report));
  assert.ok(bytes < 3_000_000, `${bytes} bytes`);
  // Room that could be used is used.
  assert.ok(bytes > 1_500_000, `${bytes} bytes`);
});

test('requests take a bounded part of the report, however many sessions there are, and each keeps its first and last', () => {
  const usage = { input: 48_211, cacheRead: 148_211, cacheWrite: 48_211, output: 4_821 };
  const request = (index) => ({
    index,
    time: NOW + index,
    tokens: 248_211,
    read: 148_211,
    sent: 98_211,
    cached: 88_211,
    epoch: 'limit',
    usage,
  });
  for (const [count, length] of [
    [100, 100],
    [100, 5_000],
    [1_000, 100],
    [1, 5_000],
  ]) {
    const requests = Array.from({ length }, (_, index) => request(index));
    const sessions = new Shown().apply(Array.from({ length: count }, () => ({ requests })));
    const bytes = Buffer.byteLength(JSON.stringify(sessions));
    assert.ok(bytes < 900_000, `${count} sessions of ${length} requests: ${bytes} bytes`);
    for (const { requests: kept } of sessions) {
      assert.deepEqual([kept[0].index, kept.at(-1).index], [0, length - 1]);
      assert.ok(kept.every(({ index }, at) => at === 0 || index > kept[at - 1].index));
    }
  }
});

test('a transcript with messages of another format is skipped with a reason', async () => {
  const good = transcriptOf('anthropic', longIn('anthropic'));
  const bad = transcriptOf('anthropic', [
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 7, content: { secret: 8443 } }] },
    { role: 'assistant', content: 5 },
  ]);
  const report = await analyse([bad, good], { limit: 20_000, now: NOW });
  assert.equal(report.totals.sessions, 1);
  assert.equal(report.skipped.length, 1);
  assert.equal(report.skipped[0].file, '/one.json');
  assert.doesNotMatch(report.skipped[0].reason, /8443|\n/);
});

test('words are those of the expression that they are told by', () => {
  const expression = /[\p{L}\p{N}_$@#][\p{L}\p{N}_$@#./:-]*[\p{L}\p{N}_]|[\p{L}\p{N}]/gu;
  const text = fc.oneof(fc.string({ unit: fc.constantFrom(...'ab_1$#@./:- é😀"') }), fc.string({ unit: character }));
  fc.assert(
    fc.property(text, (one) => {
      fc.pre(!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(one));
      assert.deepEqual(
        wordsIn(one),
        (one.match(expression) ?? []).map((word) => word.replace(/^[$@#]+/, '')),
      );
    }),
    { numRuns: cases(2_000) },
  );
  // Takes hours where a run of such characters is searched from each of them.
  assert.deepEqual(wordsIn(`${'#'.repeat(2_000_000)} end`), ['end']);
});
