// A summarizer is asked once for a text, in the background. Whatever it does, nothing waits for it and nothing is lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as soon, setTimeout as later } from 'node:timers/promises';
import { createSession } from 'palimpsest';
import { refused, working } from './working.mjs';

const format = 'openai-chat';
const base = { limit: 6000, format, now: () => 0 };
const TURNS = 40;

/** The history of each turn, up to the user's question: prose and outputs, of which old ones are removed. */
const history = working(format, 1, TURNS + 1);
const turns = Array.from({ length: TURNS }, (_, index) => history.slice(0, 4 * (index + 1) + 1));

/** Plays the turns. `take` may replace the session by a resumed one. */
async function play(options, take = (session) => session) {
  let session = createSession({ ...base, ...options });
  const steps = [];
  for (const [turn, given] of turns.entries()) {
    steps.push(await session.next(given));
    // Background work of an abandoned session would ask in addition to the new one.
    await later(15);
    session = take(session, turn);
  }
  return steps;
}
const sent = (steps) => steps.map(({ messages }) => messages);

/** A summarizer that records its input. */
function asked(answer) {
  const texts = [];
  const summarizer = (text) => {
    texts.push(text);
    return answer(text);
  };
  return { texts, summarizer };
}
const short = (text) => `SUMMARY of ${text.length}`;

for (const [name, answer] of Object.entries({ 'at once': short, soon: async (text) => (await soon(), short(text)) })) {
  test(`a text is submitted once, even by a resumed session: answered ${name}`, async () => {
    const { texts, summarizer } = asked(answer);
    const options = { ...base, summarizer };
    const steps = await play({ summarizer }, (session, turn) =>
      turn % 7 === 6 ? createSession(options, JSON.parse(JSON.stringify(session))) : session,
    );
    assert.ok(texts.length > 0);
    assert.equal(new Set(texts).size, texts.length, 'a text was asked for twice');
    assert.ok(JSON.stringify(sent(steps)).includes('SUMMARY of'), 'no summary was used');
    for (const { messages, fits } of steps) {
      assert.ok(fits);
      assert.equal(await refused(format, messages), null);
    }
  });
}

test('summaries stay known across epochs and through a store', async () => {
  const { summarizer } = asked(short);
  const one = await play({ summarizer });
  let taken = 0;
  const other = await play(
    { summarizer },
    (session) => (taken++, createSession({ ...base, summarizer }, JSON.parse(JSON.stringify(session)))),
  );
  assert.equal(taken, TURNS);
  assert.deepEqual(sent(other), sent(one));
});

const failing = {
  'never answers': () => new Promise(() => {}),
  throws: () => {
    throw new Error('no');
  },
  rejects: async () => {
    throw new Error('no');
  },
  'rejects later': async () => {
    await soon();
    throw new Error('no');
  },
  'gives no text': () => 7,
  'gives an empty text': () => '  ',
  'gives a longer text': (text) => text + text,
};
for (const [name, answer] of Object.entries(failing)) {
  test(`a summarizer that ${name} delays nothing and loses nothing`, { timeout: 600_000 }, async () => {
    const { texts, summarizer } = asked(answer);
    const steps = await play({ summarizer });
    assert.ok(texts.length > 0);
    assert.deepEqual(sent(steps), sent(await play()));
  });
}

test('a slow summarizer is not waited for; its answer is used later', async () => {
  let waiting = 0;
  const answers = [];
  const { texts, summarizer } = asked(async (text) => {
    waiting++;
    await new Promise((resolve) => answers.push(resolve));
    waiting--;
    return short(text);
  });
  const session = createSession({ ...base, summarizer });
  let reachedWhileWaiting = 0;
  const steps = [];
  for (const [turn, given] of turns.entries()) {
    const step = await session.next(given);
    steps.push(step);
    if (waiting > 0 && step.epoch) reachedWhileWaiting++;
    // Answers come every third turn only.
    if (turn % 3 === 2) answers.splice(0).forEach((resolve) => resolve());
    await later(1);
  }
  assert.ok(reachedWhileWaiting > 0, 'no epoch came while an answer was waited for');
  assert.equal(new Set(texts).size, texts.length, 'a text was asked for twice');
  assert.ok(JSON.stringify(sent(steps)).includes('SUMMARY of'), 'no summary was used');
  for (const { fits } of steps) assert.ok(fits);
});

test('no more than `concurrency` summaries are requested at the same time', async () => {
  for (const concurrency of [1, 2]) {
    let running = 0;
    let most = 0;
    await play({
      concurrency,
      summarizer: async (text) => {
        most = Math.max(most, ++running);
        await soon();
        running--;
        return short(text);
      },
    });
    assert.ok(most >= 1 && most <= concurrency, `${most} of ${concurrency}`);
  }
});

test('a summary that arrives between epochs changes nothing that was sent', async () => {
  const steps = await play({ summarizer: async (text) => (await soon(), short(text)) });
  for (const [index, step] of steps.entries()) {
    if (index === 0 || step.epoch) continue;
    steps[index - 1].messages.forEach((message, at) => assert.equal(step.messages[at], message));
  }
});

test('a broken history rejects, and the session goes on', async () => {
  const { summarizer } = asked(short);
  const session = createSession({ ...base, summarizer });
  await session.next(turns[0]);
  await assert.rejects(async () => session.next(null), TypeError);
  await assert.rejects(async () => session.next([...turns[0], null]), TypeError);
  assert.ok((await session.next(turns[1])).fits);
});
