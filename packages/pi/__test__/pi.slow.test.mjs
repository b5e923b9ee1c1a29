// pi itself, headless, with the extension and without it, against a provider on loopback that refuses what the real one refuses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentTools } from '../../../__test__/support/agents/index.mjs';
import { APIS, PROMPTS, STEPS, startPlay, TOOLS, withoutPi } from './support/play.mjs';
import { assertTyped } from '../../../__test__/support/programs.mjs';

const WINDOW = 64_000;
/** Where pi compacts by itself: it keeps 16,384 tokens of the window free. */
const THRESHOLD = WINDOW - 16_384;
const skip = withoutPi;

/** What input and answers cost, in tokens of uncached input. */
const costOf = ({ sent, cached, written, output }) => sent - cached - written + 0.1 * cached + 1.25 * written + 5 * output;

const messagesOf = (entries) => entries.filter(({ type }) => type === 'message').map(({ message }) => message);

/** Checks that a session's file has all that was said, and each result as the tool gave it. */
async function checkWhole(entries) {
  const messages = messagesOf(entries);
  const said = (wanted) => messages.filter(({ role }) => role === wanted);
  assert.deepEqual(
    said('user').map(({ content }) =>
      [content]
        .flat()
        .map((part) => part.text ?? part)
        .join(''),
    ),
    PROMPTS,
  );
  assert.equal(said('assistant').length, STEPS);
  const calls = said('assistant').flatMap(({ content }) => content.filter(({ type }) => type === 'toolCall'));
  const results = said('toolResult');
  assert.equal(results.length, calls.length);
  for (const { id, name, arguments: input } of calls) {
    const { run } = agentTools.find((tool) => TOOLS[tool.name] === name);
    const expected = await Promise.resolve()
      .then(() => run(input))
      .catch((error) => error.message);
    const [{ content }] = results.filter(({ toolCallId }) => toolCallId === id);
    assert.deepEqual(content, [{ type: 'text', text: expected }]);
  }
}

const states = (entries) => entries.filter(({ type, customType }) => type === 'custom' && customType === 'palimpsest');
const compactions = (entries) => entries.filter(({ type }) => type === 'compaction');
const ask = (request, text) => JSON.stringify(request.body).includes(text);

async function played(t, options, ...flags) {
  const play = await startPlay({ window: WINDOW, ...options });
  t.after(() => play.close());
  const { code, stderr } = await play.say(PROMPTS, ...flags);
  assert.equal(code, 0, stderr);
  return { ...play, stderr, entries: play.entries() };
}

for (const api of Object.keys(APIS)) {
  test(`75 steps over ${api}: within the limit, none refused, and cheaper than pi's own compaction`, { skip }, async (t) => {
    const theirs = await played(t, { api, isOurs: false });
    const ours = await played(t, { api, isOurs: true }, '--palimpsest-limit', String(THRESHOLD));
    const [mine, its] = [ours, theirs].map(({ provider }) => provider.sum());
    t.diagnostic(`${api}: ${mine.sent} tokens sent, ${its.sent} by pi; cost ${Math.round(costOf(mine))}, ${Math.round(costOf(its))} by pi`);
    assert.equal(ours.stderr, '');
    assert.deepEqual([mine.requests, mine.refused], [STEPS, 0]);
    for (const { tokens, step } of ours.provider.requests) assert.ok(tokens <= THRESHOLD, `step ${step}: ${tokens} tokens`);
    assert.ok(its.requests > STEPS && compactions(theirs.entries).length > 0, 'pi compacted');
    assert.ok(mine.sent <= its.sent && costOf(mine) <= costOf(its), `${costOf(mine)} and ${costOf(its)}`);
    await checkWhole(ours.entries);
    assert.ok(states(ours.entries).length >= 3);
    assert.ok(
      ours.provider.requests.some((request) => ask(request, '[… ')),
      'something was cut',
    );
  });
}

test('another process goes on where the last one stopped, byte for byte, and the state takes little', { skip }, async (t) => {
  const api = 'anthropic-messages';
  const whole = await played(t, { api, isOurs: true }, '--palimpsest-limit', '40k');
  const parts = await startPlay({ api, window: WINDOW, isOurs: true });
  t.after(() => parts.close());
  for (let turn = 0; turn < PROMPTS.length; turn += 4) {
    const { code, stderr } = await parts.say(
      PROMPTS.slice(turn, turn + 4),
      '--palimpsest-limit',
      '40k',
      ...(turn > 0 ? ['--continue'] : []),
    );
    assert.equal(code, 0, stderr);
  }
  const sentBy = ({ provider, home }) =>
    provider.requests.map(({ body: { system, tools, messages } }) => JSON.stringify({ system, tools, messages }).replaceAll(home, '/home'));
  const [one, other] = [sentBy(whole), sentBy(parts)];
  assert.equal(one.length, STEPS);
  for (let step = 0; step < STEPS; step++) assert.equal(other[step], one[step], `step ${step}`);
  const sizes = states(parts.entries()).map(({ data }) => JSON.stringify(data).length);
  const history = JSON.stringify(messagesOf(parts.entries())).length;
  for (const size of sizes) assert.ok(size <= 0.05 * history + 6000, `${size} of ${history}`);
});

test('what the window has room for is not compacted by pi, however near its threshold, and /compact is obeyed', { skip }, async (t) => {
  const api = 'anthropic-messages';
  const play = await played(t, { api, isOurs: true });
  const most = Math.max(...play.provider.requests.map(({ tokens }) => tokens));
  assert.ok(most > THRESHOLD && most < WINDOW - 8000, `${most} tokens`);
  assert.deepEqual(compactions(play.entries), []);

  const before = play.provider.requests.length;
  let heard = '';
  const send = (child, command) => child.stdin.write(`${JSON.stringify(command)}\n`);
  const drive = (child) => {
    child.stdout.on('data', (text) => {
      heard += text;
      if (/"type":"response","command":"compact"/.test(heard) && child.compacted !== true) {
        child.compacted = true;
        send(child, { type: 'prompt', message: 'Go on.' });
      }
      if (child.compacted === true && /"type":"agent_(?:settled|end)"/.test(heard)) child.stdin.end();
    });
    send(child, { type: 'compact' });
  };
  const { code, stderr } = await play.drive(drive, '--continue');
  assert.equal(code, 0, stderr);
  assert.match(heard, /"type":"response","command":"compact","success":true/);
  const after = play.provider.requests.slice(before);
  assert.deepEqual(
    after.filter(({ status }) => status !== 200),
    [],
  );
  // The request for the summary goes out as it is; the next one has the summary.
  assert.ok(after.some(({ conversation }) => conversation !== 'play'));
  assert.ok(
    ask(
      after.findLast(({ conversation }) => conversation === 'play'),
      'Mend the program.',
    ),
  );
});

test('the model looks up what was cut', { skip }, async (t) => {
  // A line that an early request had, and that the one before the call lacks.
  let early = [];
  let line;
  const answer = ({ step, request }) => {
    const lines = JSON.stringify(request).split('\\n');
    if (step === 6) early = lines.filter((one) => one.length > 40 && !one.includes('\\') && !one.includes('"'));
    if (step !== 68) return undefined;
    line = early.find((one) => !lines.includes(one));
    return { text: '', calls: [{ name: 'recall', input: { query: `"${line}"` } }] };
  };
  const play = await played(t, { api: 'openai-responses', isOurs: true, answer }, '--palimpsest-limit', '30k');
  assert.ok(line !== undefined, 'something was cut');
  const [{ message }] = play.entries.filter((entry) => entry.message?.role === 'toolResult' && entry.message.toolName === 'recall');
  assert.ok(message.content[0].text.includes(line), message.content[0].text);
});

test('a limit that is no number is said, and pi works on', { skip }, async (t) => {
  const play = await startPlay({ api: 'anthropic-messages', window: WINDOW, isOurs: true });
  t.after(() => play.close());
  const { code, stderr } = await play.say(PROMPTS.slice(0, 1), '--palimpsest-limit', 'much');
  assert.equal(code, 0);
  assert.match(stderr, /palimpsest\(\): options\.limit must be/);
  assert.equal(play.provider.sum().refused, 0);
});

test("the extension is one by pi's own declarations", { skip }, () => {
  assertTyped(new URL('types.mts', import.meta.url));
});
