// What stands before the model's first answer, the rules and the task, stays byte for byte where an epoch can read it from the cache. The judge
// compares the bytes of two requests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'palimpsest';
import { Random } from '../support/random.mjs';
import { cases, SEED, someOf } from '../support/seed.mjs';
import { FORMATS, sayIn } from '../support/transcripts.mjs';

const WORDS = 'valve pump block gauge relay rotor shaft panel sensor filter drain motor clutch bearing piston'.split(' ');
/** Stands at the end of the task. */
const END = 'and stop at the blue door.';
const MINUTE = 60_000;

const sentence = (random, words) => Array.from({ length: words }, () => random.pick(WORDS)).join(' ');

/** Rules among prose, more than an epoch leaves, and a task. */
function instructions(random) {
  const lines = Array.from({ length: random.integer(500, 700) }, (_, line) =>
    random.chance(0.2)
      ? `- Never open the ${sentence(random, 6)} before step ${line}.`
      : `The crew of this plant looks after it well, as crews of plants do.`,
  );
  return `# AGENTS.md instructions for /plant\n\n<INSTRUCTIONS>\n${lines.join('\n')}\n</INSTRUCTIONS>`;
}

function* turns(format, random) {
  const task = `Find out why the ${sentence(random, 5)} runs hot, ${END}`;
  // Roles alternate here.
  if (format === 'anthropic') yield { who: 'user', text: instructions(random), more: [{ text: task }] };
  else yield* [instructions(random), task].map((text) => ({ who: 'user', text, more: [] }));
  for (let step = 0; ; step++) {
    const call = { name: 'Bash', args: { command: `look ${step}` }, id: `call_${step}`, answered: true };
    const text = Array.from({ length: random.integer(5, 90) }, (_, line) => `${line} ${sentence(random, 12)}`).join('\n');
    const calls = random.chance(0.85) ? [{ ...call, result: { blocks: text, json: null, failed: false } }] : [];
    yield { who: 'assistant', reasoning: null, text: sentence(random, random.integer(3, 30)), calls, odd: false };
    if (calls.length === 0) yield { who: 'user', text: `Go on with the ${sentence(random, 3)}.`, more: [] };
  }
}

/** The bytes at the start of two texts that are the same. */
function commonStart(one, other) {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

const plain = (messages) => JSON.stringify(messages, (key, value) => (key === 'cache_control' ? undefined : value));

/** Plays a conversation, and calls `look` at each epoch with the request before it and its own. */
function play(format, random, look, options = {}) {
  let now = 1_760_000_000_000;
  const session = createSession({ limit: 40_000, format, warn: false, now: () => now, ...options });
  const spoken = [];
  let before;
  for (const turn of turns(format, random)) {
    spoken.push(turn);
    if (spoken.length > 160) break;
    if (turn.who === 'assistant' && turn.calls.length === 0) continue;
    now += MINUTE;
    const step = session.next(sayIn(format, { system: null, turns: spoken }));
    if (step.epoch) look({ step, before, session });
    before = step.messages;
  }
}

/** A head that leaves too little for the newest results is chosen anew. */
const isLong = (before, { epoch }) => plain(before).indexOf(END) / 4 > 0.45 * epoch.target;

for (const format of someOf(FORMATS))
  test(`${format}: a cut leaves rules and task byte for byte`, () => {
    let [again, cut] = [0, 0];
    for (let round = 0; round < Math.max(4, cases(4)); round++)
      play(format, new Random(SEED * 100 + round), ({ step, before }) => {
        if (step.epoch.number === 1) return;
        // What has to stay may leave no room for the head.
        if (step.tokens.after > step.epoch.target) return;
        const at = `seed ${SEED * 100 + round}, epoch ${step.epoch.number}, ${step.epoch.reason}`;
        const [last, now] = [before, step.messages].map(plain);
        const end = last.indexOf(END) + END.length;
        assert.ok(end > END.length, at);
        if (isLong(before, step)) return;
        again++;
        cut += Number(last.slice(0, end).includes('[…'));
        assert.ok(
          commonStart(last, now) >= end,
          `${at}: ${commonStart(last, now)} of ${end}: ${now.slice(commonStart(last, now) - 50, commonStart(last, now) + 100)}`,
        );
      });
    assert.ok(again >= 5 && cut >= 2, `${again} epochs, ${cut} with cut rules`);
  });

test('a breakpoint stands where the next cut can read the rules', () => {
  let read = 0;
  for (let round = 0; round < Math.max(4, cases(4)); round++)
    play(
      'anthropic',
      new Random(SEED * 100 + round),
      ({ step, before }) => {
        if (step.epoch.number === 1 || step.tokens.after > step.epoch.target || isLong(before, step)) return;
        const place = before[0].content.findIndex((block) => block.cache_control);
        assert.ok(
          place >= 0 && place < before[0].content.length - 1,
          JSON.stringify(before[0].content.map(({ cache_control }) => cache_control)),
        );
        assert.equal(plain(step.messages[0].content.slice(0, place + 1)), plain(before[0].content.slice(0, place + 1)));
        read++;
      },
      { cacheControl: true },
    );
  assert.ok(read >= 5, `${read}`);
});
