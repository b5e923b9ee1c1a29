// A session keeps what a request may hold beside tokens, and its prefix between epochs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'palimpsest';
import { png } from '../support/files.mjs';
import { objectionTo } from '../support/providers/formats.mjs';
import { filesIn, LIMITS, limitObjection } from '../support/providers/limits.mjs';
import { Random } from '../support/random.mjs';
import { SEED, someOf } from '../support/seed.mjs';
import { FORMATS } from '../providers/index.mjs';
import { historyOf } from './histories.mjs';

const json = (value) => JSON.stringify(value);
const screenshot = (number) => png(2560, 1600, number, 2000);

/** The steps of a loop that looks at a screen: a call and its screenshot. */
const STEPS = {
  anthropic: (n) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${n}`, name: 'computer', input: { action: 'screenshot' } }] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: `t${n}`,
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: screenshot(n) } }],
        },
      ],
    },
  ],
  'openai-responses': (n) => [
    {
      type: 'computer_call',
      id: `cu_${n}`,
      call_id: `c${n}`,
      action: { type: 'screenshot' },
      pending_safety_checks: [],
      status: 'completed',
    },
    {
      type: 'computer_call_output',
      call_id: `c${n}`,
      output: { type: 'computer_screenshot', image_url: `data:image/png;base64,${screenshot(n)}` },
    },
  ],
  gemini: (n) => [
    { role: 'model', parts: [{ functionCall: { name: 'look', args: { n } }, thoughtSignature: 'AAEC' }] },
    {
      role: 'user',
      parts: [
        {
          functionResponse: {
            name: 'look',
            response: { url: `https://example.org/${n}` },
            parts: [{ inlineData: { mimeType: 'image/png', data: screenshot(n) } }],
          },
        },
      ],
    },
  ],
  'ai-sdk-model': (n) => [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: `t${n}`, toolName: 'computer', input: { action: 'screenshot' } }] },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: `t${n}`,
          toolName: 'computer',
          output: { type: 'content', value: [{ type: 'media', mediaType: 'image/png', data: screenshot(n) }] },
        },
      ],
    },
  ],
};
const TASK = {
  gemini: { role: 'user', parts: [{ text: 'Book the room.' }] },
};
const taskOf = (format) => TASK[format] ?? { role: 'user', content: 'Book the room.' };

/** Plays a loop, and checks each request. Returns the steps. */
async function play(format, session, limits, count, stepOf = STEPS[format]) {
  const history = [taskOf(format)];
  const steps = [];
  let last = [];
  for (let n = 0; n < count; n++) {
    history.push(...stepOf(n));
    const step = session.next(history.slice());
    const where = `${format}, step ${n}: ${step.report}`;
    assert.ok(step.fits, where);
    assert.equal(limitObjection(step.messages, limits), null, where);
    assert.equal(await objectionTo(format, step.messages), null, where);
    // Between epochs nothing of what was sent changes.
    if (step.epoch === undefined) assert.equal(json(step.messages.slice(0, last.length)), json(last), where);
    // The newest is there, and what was taken out stays out.
    const shown = filesIn(step.messages).map(({ data }) => data);
    assert.equal(shown.at(-1), screenshot(n), where);
    const before = new Set(filesIn(last).map(({ data }) => data));
    for (const data of shown.slice(0, -1)) assert.ok(before.has(data), where);
    last = step.messages;
    steps.push(step);
  }
  return steps;
}

test('60 screenshots of 2560 × 1600: never more than 20 of them, and 15 after an epoch', async () => {
  const steps = await play('anthropic', createSession({ limit: 400_000, format: 'anthropic' }), LIMITS.anthropic, 60);
  const counts = steps.map(({ messages }) => filesIn(messages).length);
  assert.equal(Math.max(...counts), 20);
  const epochs = steps.flatMap(({ epoch }, index) => (epoch ? [index] : []));
  assert.deepEqual(epochs, [20, 26, 32, 38, 44, 50, 56]);
  for (const index of epochs) {
    assert.equal(counts[index], 15);
    assert.equal(steps[index].epoch.reason, 'limit');
    assert.deepEqual(Object.keys(steps[index].report.requestLimits), ['manyImagePixels']);
  }
  assert.match(String(steps[20].report), /21 → 0 images of many above 2,000 pixels/);
  assert.equal(steps[19].report.requestLimits, undefined);
});

for (const format of someOf(Object.keys(STEPS))) {
  test(`${format}: no more than 12 screenshots, the newest, and a prefix that stays`, async () => {
    const steps = await play(format, createSession({ limit: 1e6, format, requestLimits: { images: 12 } }), { images: 12 }, 60);
    const epochs = steps.filter(({ epoch }) => epoch).length;
    assert.ok(epochs >= 9 && epochs <= 14, String(epochs));
  });
}

test('a small screenshot a step: never more than 100 images', async () => {
  const small = (n) => JSON.parse(json(STEPS.anthropic(n)).replaceAll(screenshot(n), png(800, 600, n)));
  const history = [taskOf('anthropic')];
  const session = createSession({ limit: 150_000, format: 'anthropic' });
  let epochs = 0;
  for (let n = 0; n < 180; n++) {
    history.push(...small(n));
    const step = session.next(history.slice());
    assert.equal(limitObjection(step.messages, LIMITS.anthropic), null, String(step.report));
    epochs += step.epoch ? 1 : 0;
  }
  assert.ok(epochs >= 2 && epochs <= 6, String(epochs));
});

test('bytes: a loop whose screenshots are large stays below the limit', async () => {
  const bytes = 60_000;
  const steps = await play('anthropic', createSession({ limit: 1e6, format: 'anthropic', requestLimits: { bytes } }), { bytes }, 60);
  const epochs = steps.filter(({ epoch }) => epoch).length;
  assert.ok(epochs >= 5 && epochs <= 15, String(epochs));
});

test('a limit that can not be kept is told, and does not begin an epoch with every request', () => {
  const session = createSession({ limit: 1e6, format: 'anthropic', requestLimits: { images: 3 }, keep: { user: true } });
  const images = Array.from({ length: 6 }, (_, n) => ({
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: png(10, 10, n) },
  }));
  const history = [{ role: 'user', content: images }];
  let epochs = 0;
  for (let n = 0; n < 12; n++) {
    history.push({ role: 'assistant', content: `Number ${n}.` }, { role: 'user', content: 'And then?' });
    const step = session.next(history.slice());
    assert.equal(step.fits, false);
    assert.deepEqual(step.report.requestLimits, { images: { before: 6, after: 6, limit: 3 } });
    epochs += step.epoch ? 1 : 0;
  }
  assert.equal(epochs, 1);
});

test('a session that is taken up goes on with what it took out', async () => {
  const requestLimits = { images: 12 };
  const whole = createSession({ limit: 1e6, format: 'anthropic', requestLimits });
  const history = [taskOf('anthropic')];
  let session = whole;
  let last = [];
  for (let n = 0; n < 40; n++) {
    history.push(...STEPS.anthropic(n));
    session = createSession({ limit: 1e6, format: 'anthropic', requestLimits }, JSON.parse(json(session)));
    const step = session.next(history.slice());
    assert.equal(limitObjection(step.messages, requestLimits), null);
    if (step.epoch === undefined) assert.equal(json(step.messages.slice(0, last.length)), json(last), String(n));
    last = step.messages;
  }
});

for (const format of someOf(FORMATS)) {
  test(`${format}: a session over any files keeps the limits`, async () => {
    const random = new Random(SEED);
    const requestLimits = { images: random.integer(4, 9), documents: 4, pages: 9, imagePixels: 1899 };
    const history = historyOf(format, random, 30, 20);
    const session = createSession({ format, limit: 30_000, requestLimits });
    for (let length = 1; length <= history.length; length++) {
      const given = history.slice(0, length);
      if ((await objectionTo(format, given)) !== null) continue;
      const step = session.next(given);
      const where = `${format}, ${length}, seed ${SEED}: ${step.report}`;
      assert.equal(await objectionTo(format, step.messages), null, where);
      if (step.fits) assert.equal(limitObjection(step.messages, requestLimits), null, where);
    }
  });
}
