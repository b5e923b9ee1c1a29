// All figures of a session are in the tokens of its provider, and costs are those that the provider would bill for what is sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSession } from 'palimpsest';
import { CONVERSATIONS } from '../../../__test__/corpus/index.mjs';
import { cases } from '../../../__test__/support/seed.mjs';
import { isSameOrShorter, variantsOf } from '../../../__test__/support/shorter.mjs';
import { sayIn } from '../../../__test__/support/transcripts.mjs';
import { createCounter } from '../dist/analysis/counting.mjs';
import { analyse } from '../dist/analysis/index.mjs';
import { createPrices } from '../dist/analysis/prices.mjs';
import { replay } from '../dist/analysis/replay.mjs';
import { simulate } from '../dist/analysis/simulate.mjs';
import { startProxy } from '../dist/proxy/index.mjs';
import { requestsOf } from '../dist/transcripts/messages.mjs';
import { inputTokens } from '../dist/usage.mjs';
import { JSON_HEADERS, send, startUpstream } from './raw-http.mjs';
import { billing } from './support/billing.mjs';

const NOW = Date.parse('2026-11-20T00:00:00Z');
const LONG = CONVERSATIONS.filter(({ id }) => id.endsWith('-long'));
const MODELS = { anthropic: 'claude-sonnet-5', 'openai-chat': 'gpt-5.5' };
/** How far sums of a provider's counts of JSON are from those of the library's counts of messages, once both are scaled. */
const NEAR = 0.05;
/** The same for one request. A mistaken unit is at least twice as far. */
const NEAR_ONE = 0.2;
/** Number of first requests that are too short to be near. */
const SHORT = 4;

const sum = (list, of) => list.reduce((total, one) => total + of(one), 0);
const near = (one, other, what, most = NEAR) => assert.ok(Math.abs(one - other) <= most * other, `${what}: ${one}, billed are ${other}`);
/** Whether a request has as many tokens as it was billed. */
function nearOne(usage, bill, index, what) {
  if (index >= SHORT) near(inputTokens(usage), inputTokens(bill), `request ${index} ${what}`, NEAR_ONE);
}

/** Conversations, and who counts them. */
const drawn = fc.record({
  format: fc.constantFrom(...Object.keys(MODELS)),
  conversation: fc.nat(LONG.length - 1),
  times: fc.constantFrom(1.4, 2.2),
  instructions: fc.constantFrom(0, 3_000, 9_000),
  limit: fc.integer({ min: 18_000, max: 30_000 }),
});

/**
 * A recorded conversation: everything was sent each time, and billed. `compactedAt`: share of its requests after which the agent replaced what was
 * said by a summary.
 */
function recorded({ format, conversation, times, instructions, limit, compactedAt }, hasUsage = () => true) {
  const messages = JSON.parse(JSON.stringify(sayIn(format, LONG[conversation].spoken)));
  const more = { system: ' word'.repeat(instructions), hasWrites: format === 'anthropic' };
  const bill = billing(times, more);
  let plain = requestsOf(messages);
  if (compactedAt !== undefined) {
    const first = Math.floor(compactedAt * plain.length);
    const from = plain[first].messages;
    messages.splice(from, 0, { role: 'user', content: 'So far we have mended two of the bugs.' });
    plain = plain.map((request, index) => (index < first ? request : { ...request, messages: request.messages + 1, from }));
  }
  const bills = plain.map(({ messages: end, from = 0 }) => bill(messages.slice(from, end)));
  const model = MODELS[format];
  const requests = plain.map((request, index) => ({
    ...request,
    model,
    time: NOW + 5_000 * index,
    ...(hasUsage(index) && { usage: bills[index] }),
  }));
  const transcript = { agent: 'messages', id: 'one', file: '/one.json', format, model, messages, requests, skipped: 0, notes: [] };
  const counter = createCounter(format, model);
  const price = createPrices(NOW)(model);
  const options = { limit: Math.round(times * (instructions + limit)), tokens: messages.map(counter.ofMessage), counter, price };
  // What comes after is billed by a provider that has seen nothing yet.
  return { transcript, bills, options, price, billAnew: billing(times, more) };
}

test('what a simulated session costs is what the provider would bill for its messages', async () => {
  let cut = 0;
  await fc.assert(
    fc.asyncProperty(drawn, async (one) => {
      const { transcript, bills, options, price, billAnew } = recorded(one);
      const played = [...simulate(transcript, options)];
      const billed = played.map(({ sent }) => billAnew(sent));
      near(
        sum(played, ({ withSession }) => price.costOf(withSession)),
        sum(billed, price.costOf),
        'cost',
      );
      played.forEach(({ withSession, epoch }, index) => {
        if (epoch) cut++;
        nearOne(withSession, billed[index], index, 'with a session');
        const before = index === 0 ? 0 : inputTokens(played[index - 1].withSession);
        assert.ok(withSession.cacheRead <= before, `request ${index} reads ${withSession.cacheRead} of ${before}`);
      });
      const { totals } = await analyse([transcript], { limit: options.limit, now: NOW });
      near(totals.cost, sum(bills, price.costOf), 'cost without a session');
      near(totals.costWithSession, sum(billed, price.costOf), 'cost with a session');
    }),
    { numRuns: cases(8), endOnFailure: true },
  );
  assert.ok(cut > 0);
});

test('where the agent compacted, a session goes on with what is left, and never costs more', async () => {
  let cut = 0;
  const compacted = fc.tuple(drawn, fc.double({ min: 0.4, max: 0.8, noNaN: true })).map(([one, compactedAt]) => ({ ...one, compactedAt }));
  await fc.assert(
    fc.asyncProperty(compacted, async (one) => {
      const { transcript, bills, options, price, billAnew } = recorded(one);
      const { messages, requests } = transcript;
      for (const { usage, withSession, sent, messages: end, from } of simulate(transcript, { ...options, limit: 10_000_000 })) {
        assert.ok(isSameOrShorter(sent, messages.slice(from, end), (text) => variantsOf(text).length > 1));
        assert.ok(inputTokens(withSession) <= (1 + NEAR) * inputTokens(usage), `${inputTokens(withSession)} of ${inputTokens(usage)}`);
      }
      const played = [...simulate(transcript, options)];
      near(
        sum(played, ({ withSession }) => price.costOf(withSession)),
        sum(played, ({ sent }) => price.costOf(billAnew(sent))),
        'cost',
      );
      for (const [index, { withSession, usage, epoch, sent }] of played.entries()) {
        if (epoch) cut++;
        assert.ok(inputTokens(withSession) <= (1 + NEAR) * inputTokens(usage), `request ${index} has more tokens than the agent sent`);
        const gone = messages.slice(0, requests[index].from ?? 0);
        assert.ok(!sent.some((message) => gone.includes(message)), `request ${index} has what the agent compacted`);
      }
      const { totals, sessions } = await analyse([transcript], { limit: 10_000_000, now: NOW });
      const cost = sum(bills, price.costOf);
      assert.ok(totals.costWithSession <= (1 + NEAR) * cost, `${totals.costWithSession} of ${cost} with a limit that nothing reaches`);
      // What the agent itself lost is not missed.
      assert.ok(sessions[0].kept === undefined || sessions[0].kept === 1, `kept ${sessions[0].kept}`);
    }),
    { numRuns: cases(6), endOnFailure: true },
  );
  assert.ok(cut > 0);
});

test('the first requests may tell no usage: they are in the tokens of the provider, too', () => {
  fc.assert(
    fc.property(drawn, fc.integer({ min: 1, max: 4 }), (one, first) => {
      const { transcript, bills, options } = recorded(one, (index) => index >= first);
      for (const [index, { usage, withSession }] of [...simulate(transcript, options)].slice(0, first).entries()) {
        assert.ok(inputTokens(withSession) <= inputTokens(usage), `request ${index}`);
        // What the first usage says of the messages can't be told from what it says of instructions.
        const [least, most] = [(1 - NEAR_ONE) * inputTokens(bills[index]), (1 + NEAR) * inputTokens(bills[first])];
        assert.ok(
          least <= inputTokens(usage) && inputTokens(usage) <= most,
          `request ${index}: ${inputTokens(usage)}, not ${least}–${most}`,
        );
      }
    }),
    { numRuns: cases(8), endOnFailure: true },
  );
});

/** Which of some hundred requests tell their usage: not the first ones, and of the others some. */
const masks = fc.record({ first: fc.integer({ min: SHORT, max: 12 }), others: fc.array(fc.boolean(), { minLength: 200, maxLength: 200 }) });
const isIn = ({ first, others }, index) => index === first || (index > first && others[index]);

test('of a session that fitted requests on their way all figures are in the tokens of the provider, with usage or without', () => {
  let cut = 0;
  fc.assert(
    fc.property(drawn, fc.option(masks, { nil: undefined }), (one, mask) => {
      const { transcript, bills, options, price, billAnew } = recorded({ ...one, instructions: 0 });
      const { format } = transcript;
      const session = createSession({ limit: options.limit, format, now: () => 0 });
      const sentBills = [];
      const requests = transcript.requests.map(({ usage: _, ...request }, index) => {
        const { messages, tokens, report, fits, epoch } = session.next(transcript.messages.slice(0, request.messages));
        const usage = billAnew(messages);
        sentBills.push(usage);
        const isTold = mask === undefined || isIn(mask, index);
        if (isTold)
          session.observe({
            input_tokens: usage.input,
            cache_read_input_tokens: usage.cacheRead,
            cache_creation_input_tokens: usage.cacheWrite,
          });
        const fitted = {
          number: index + 1,
          before: tokens.before,
          after: tokens.after,
          reused: report.reusedTokens,
          fits,
          messages: () => messages,
        };
        if (epoch) cut++;
        return { ...request, ...(isTold && { usage }), fitted: { ...fitted, ...(epoch && { epoch: epoch.reason }) } };
      });
      const played = [...replay({ ...transcript, requests }, options)];
      for (const [index, { usage, withSession }] of played.entries()) {
        nearOne(usage, bills[index], index, 'as it came');
        nearOne(withSession, sentBills[index], index, 'as it was sent');
      }
      near(
        sum(played, ({ withSession }) => price.costOf(withSession)),
        sum(sentBills, price.costOf),
        'cost as it was sent',
        mask === undefined ? NEAR : NEAR_ONE,
      );
      near(
        sum(played, ({ usage }) => price.costOf(usage)),
        sum(bills, price.costOf),
        'cost as it came',
        mask === undefined ? NEAR : NEAR_ONE,
      );
    }),
    { numRuns: cases(8), endOnFailure: true },
  );
  assert.ok(cut > 0);
});

for (const times of [1.4, 2.2]) {
  test(`through the proxy to a provider that counts ${times} times as much: what is shown as repeated was sent, and costs are its bill`, async () => {
    const { transcript, bills, options, price } = recorded({
      format: 'openai-chat',
      conversation: 0,
      times,
      instructions: 0,
      limit: 20_000,
    });
    const bill = billing(times);
    const billed = [];
    const upstream = await startUpstream((_request, response, { body }) => {
      const usage = bill(JSON.parse(body).messages);
      billed.push(usage);
      const told = {
        prompt_tokens: inputTokens(usage),
        completion_tokens: usage.output,
        prompt_tokens_details: { cached_tokens: usage.cacheRead },
      };
      response.writeHead(200, JSON_HEADERS).end(JSON.stringify({ usage: told }));
    });
    const proxy = await startProxy({ limit: options.limit, port: 0, upstream: upstream.url });
    try {
      for (const { messages: end } of transcript.requests) {
        const body = JSON.stringify({ model: 'gpt-5.5', messages: transcript.messages.slice(0, end) });
        await send(proxy.url, { path: '/v1/chat/completions', headers: JSON_HEADERS, body });
      }
      const { text } = await send(proxy.url, { method: 'GET', path: '/' });
      const { totals } = JSON.parse(text.match(/<script type="application\/json" id="data">(.*)<\/script>/)[1]);
      assert.equal(totals.sent, sum(billed, inputTokens));
      near(totals.tokens, sum(bills, inputTokens), 'tokens that came');
      near(totals.costWithSession, sum(billed, price.costOf), 'cost as it was sent');
      near(totals.cost, sum(bills, price.costOf), 'cost without');
      const events = await fetch(`${proxy.url}/palimpsest/events`);
      const { value } = await events.body.getReader().read();
      const { records } = JSON.parse(Buffer.from(value).toString().slice('data:'.length));
      assert.equal(records.length, billed.length);
      assert.ok(records.some(({ epoch }) => epoch !== undefined));
      records.forEach(({ after, reused, epoch }, index) => {
        const last = index === 0 ? 0 : inputTokens(billed[index - 1]);
        assert.ok(reused <= after && reused <= last, `request ${index}: ${reused} of ${after}, after one of ${last}`);
        if (epoch === undefined) assert.equal(reused, last, `request ${index} only adds to the one before`);
      });
    } finally {
      await proxy.close(0);
      await upstream.close();
    }
  });
}
