// opencode itself, headless, with the plugin and without it, against a provider on loopback that refuses what the real one refuses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STEPS, startPlay, withoutOpencode } from './support/play.mjs';
import { assertTyped } from '../../../__test__/support/programs.mjs';

const WINDOW = 64_000;
/** Where opencode compacts by itself: it keeps room for an answer. */
const LIMIT = WINDOW - 8000;
const PROMPT = 'Mend what fails, and leave port 8412 as it is.';
const skip = withoutOpencode;

/** What input and answers cost, in tokens of uncached input. */
const costOf = ({ sent, cached, written, output }) => sent - cached - written + 0.1 * cached + 1.25 * written + 5 * output;
const of = ({ provider }) => provider.requests.filter(({ conversation }) => conversation === 'play');

async function played(t, options) {
  const play = await startPlay({ window: WINDOW, ...options });
  t.after(() => play.close());
  const { code, stderr } = await play.say(PROMPT);
  // opencode goes on behind a request that was refused, but says so at its end.
  if (options.plugin !== undefined) assert.equal(code, 0, stderr.slice(-2000));
  return play;
}

/** The messages of a request, without the cache's breakpoints. */
const sentIn = ({ body }) => JSON.parse(JSON.stringify(body.messages, (key, value) => (key === 'cache_control' ? undefined : value)));

for (const sdk of ['@ai-sdk/anthropic', '@ai-sdk/openai-compatible']) {
  test(`75 steps with ${sdk}: within the limit, none refused, and cheaper than opencode's own compaction`, { skip }, async (t) => {
    const theirs = await played(t, { sdk });
    const ours = await played(t, { sdk, plugin: {} });
    const [mine, its] = [ours, theirs].map(({ provider }) => provider.sum());
    t.diagnostic(
      `${sdk}: ${mine.sent} tokens sent, ${its.sent} by opencode; cost ${Math.round(costOf(mine))}, ${Math.round(costOf(its))} by opencode`,
    );
    assert.deepEqual([of(ours).length, mine.refused], [STEPS, 0]);
    for (const { tokens, step } of of(ours)) assert.ok(tokens <= LIMIT, `step ${step}: ${tokens} tokens`);
    assert.ok(of(theirs).length > STEPS || its.refused > 0, 'opencode compacted');
    assert.ok(mine.sent <= its.sent && costOf(mine) <= costOf(its), `${costOf(mine)} and ${costOf(its)}`);
    assert.ok(
      of(ours).some(({ body }) => JSON.stringify(body).includes('[… ')),
      'something was cut',
    );
    assert.ok(!ours.provider.requests.some(({ headers }) => 'x-palimpsest-conversation' in headers));

    // The history is whole, and another process goes on with what the last one sent.
    const [{ id, text }, ...others] = ours.states();
    assert.deepEqual(others, []);
    const history = await ours.history(id);
    const outputs = history.flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool').map(({ state }) => state.output));
    assert.deepEqual(outputs, ours.results);
    assert.ok(text.length <= 0.05 * JSON.stringify(history).length + 6000, `${text.length} of ${JSON.stringify(history).length}`);
    const last = of(ours).at(-1);
    const { code, stderr } = await ours.say('What did you do?', '--continue');
    assert.equal(code, 0, stderr.slice(-2000));
    const next = of(ours).at(-1);
    assert.equal(next.status, 200);
    const [before, after] = [last, next].map(sentIn);
    assert.deepEqual(after.slice(0, before.length - 1), before.slice(0, -1));
  });
}

test('with a limit of its own', { skip }, async (t) => {
  const small = await played(t, { sdk: '@ai-sdk/openai', plugin: { limit: 30_000 } });
  assert.equal(small.provider.sum().refused, 0);
  for (const { tokens } of of(small)) assert.ok(tokens <= 30_000, `${tokens} tokens`);
});

test('an option that is wrong is said when opencode starts', { skip }, async (t) => {
  const play = await startPlay({ sdk: '@ai-sdk/anthropic', window: WINDOW, plugin: { limt: 30_000 }, steps: 2 });
  t.after(() => play.close());
  const { stderr } = await play.say(PROMPT);
  assert.match(stderr, /limt/);
});

test("the plugin is one by opencode's own declarations", { skip }, () => {
  assertTyped(new URL('types.mts', import.meta.url));
});
