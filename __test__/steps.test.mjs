// Work in steps: in one go (lib/steps.ts), and with pauses (lib/pauses.ts).
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const require = createRequire(import.meta.url);
const { withPauses } = require('../unbundled/pauses.js');
const { inOneGo, pace } = require('../unbundled/steps.js');

/** Blocks the thread for this time (ms), so that the code after it pauses if it may. */
function work(ms = 2) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
const never = () => assert.fail('the other way was asked for');

test('steps give the same result in one go and with `later`', async () => {
  function* steps(way) {
    yield;
    const first = yield way(2);
    yield;
    return first * (yield way(21));
  }
  assert.equal(inOneGo(steps((value) => ({ now: () => value, later: never }))), 42);
  assert.equal(await withPauses(steps((value) => ({ now: never, later: async () => value }))), 42);
});

test('steps know whether they may pause, whatever runs inside them', async () => {
  const seen = [];
  function* inner() {
    seen.push(pace.mayPause);
    yield;
    seen.push(pace.mayPause);
  }
  function* outer() {
    seen.push(pace.mayPause);
    inOneGo(inner());
    yield;
    const aside = withPauses(inner());
    seen.push(pace.mayPause);
    assert.throws(() => inOneGo({ next: () => assert.fail('a step failed') }));
    seen.push(pace.mayPause);
    yield { now: () => aside, later: () => aside };
    seen.push(pace.mayPause);
  }
  await withPauses(outer());
  assert.deepEqual(seen, [true, false, false, true, true, true, true, true]);
  seen.length = 0;
  await inOneGo(outer());
  assert.deepEqual(seen.slice(0, 6), [false, false, false, true, false, false]);
  assert.equal(pace.mayPause, false);
});

test('failures are thrown at the step that requested the work', async () => {
  const failure = new Error('no');
  const seen = [];
  function* steps(way, isCaught) {
    try {
      yield way;
    } catch (error) {
      seen.push(error);
      if (!isCaught) throw error;
      yield;
      return 'caught';
    } finally {
      seen.push('left');
    }
  }
  const fail = () => {
    throw failure;
  };
  const ways = [
    { now: never, later: fail },
    { now: never, later: async () => fail() },
  ];
  assert.equal(inOneGo(steps({ now: fail, later: never }, true)), 'caught');
  assert.throws(() => inOneGo(steps({ now: fail, later: never }, false)), failure);
  for (const way of ways) {
    assert.equal(await withPauses(steps(way, true)), 'caught');
    await assert.rejects(withPauses(steps(way, false)), failure);
  }
  assert.deepEqual(seen, Array(6).fill([failure, 'left']).flat());
});

test('the event loop turns between long steps, however many run', async () => {
  const seen = [];
  let isOver = false;
  const tick = () => {
    seen.push('turn');
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await new Promise(setImmediate);
  function* steps() {
    yield;
    for (let step = 0; step < 4; step++) {
      seen.push('step');
      work();
      yield;
    }
  }
  await Promise.all([1, 2, 3].map(() => withPauses(steps())));
  isOver = true;
  assert.equal(seen.filter((what) => what === 'step').length, 12);
  assert.ok(
    seen.every((what, index) => what === 'turn' || seen[index - 1] === 'turn'),
    seen.join(' '),
  );
});

test('the caller is blocked for the first step only', async () => {
  let done = 0;
  function* steps() {
    done++;
    yield;
    done++;
  }
  const promise = withPauses(steps());
  assert.equal(done, 1);
  await promise;
  assert.equal(done, 2);
});
