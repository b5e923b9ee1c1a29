// Protects the layer that awaits JavaScript callbacks from Rust (src/node/future), through an addon made for it.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';

const path = buildAddon();
const { mapTexts, mapTextsSettled, sumBelow } = loadAddon(path);

/** Builds `futures/addon.rs` and returns its path. */
function buildAddon() {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1e8 };
  const messages = execFileSync('cargo', ['build', '--quiet', '--example', 'futures_addon', '--message-format=json'], options);
  const artifacts = messages
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return artifacts.find(({ target, filenames }) => target?.name === 'futures_addon' && filenames).filenames[0];
}

function loadAddon(path) {
  const module = { exports: {} };
  process.dlopen(module, path);
  return module.exports;
}

/** Runs `body`, in which the addon's functions are in scope, in a new process. */
function runNode(body, ...flags) {
  const script = `const addon = (${loadAddon})(${JSON.stringify(path)});\n${body}`;
  const env = { ...process.env, NODE_TEST_CONTEXT: '' };
  return spawnSync(process.execPath, [...flags, '-e', script], { encoding: 'utf8', timeout: 60_000, env });
}

const texts = (count) => Array.from({ length: count }, (_, index) => `text ${index}`);
const later = (value, ms = 1) => new Promise((resolve) => setTimeout(resolve, ms, value));
const never = () => new Promise(() => {});
const thrownBy = (promise) =>
  promise.then(
    () => assert.fail('it did not reject'),
    (error) => ({ error }),
  );

/** All ways to answer with a value. */
const answering = {
  'a plain value': (value) => value,
  'a native promise': async (value) => value,
  'a promise that settles later': (value) => later(value),
  'a subclass of Promise': (value) => class extends Promise {}.resolve(value),
  'a subclass with a `then` of its own': (value) =>
    class extends Promise {
      then(resolve) {
        resolve?.(value);
      }
    }.resolve('the wrong one'),
  'a thenable that answers at once': (value) => ({ then: (resolve) => resolve(value) }),
  'a thenable that answers later': (value) => ({ then: (resolve) => setTimeout(resolve, 1, value) }),
  'a thenable that answers twice': (value) => ({ then: (resolve, reject) => (resolve(value), resolve('again'), reject('no')) }),
  'a thenable of a thenable': (value) => ({ then: (resolve) => resolve({ then: (resolve) => resolve(value) }) }),
  'a function with a `then`': (value) => Object.assign(() => {}, { then: (resolve) => resolve(value) }),
  'a promise of another realm': (value) => runInNewContext('Promise').resolve(value),
};

/** All ways to fail. */
const failing = {
  'a throw': (reason) => {
    throw reason;
  },
  'a rejection': async (reason) => {
    throw reason;
  },
  'a later rejection': (reason) => later().then(() => Promise.reject(reason)),
  'a thenable that rejects': (reason) => ({ then: (_, reject) => reject(reason) }),
  'a `then` that throws': (reason) => ({
    then() {
      throw reason;
    },
  }),
  'a `then` getter that throws': (reason) => ({
    get then() {
      throw reason;
    },
  }),
};

for (const [way, answer] of Object.entries(answering)) {
  test(`an answer can be ${way}`, async () => {
    const promise = mapTexts(texts(3), (text, index) => answer(`${text}, ${index}`), 2);
    assert.ok(promise instanceof Promise);
    assert.deepEqual(await promise, ['text 0, 0', 'text 1, 1', 'text 2, 2']);
  });
}

const hostile = {
  get message() {
    return assert.fail('an error must not be looked into');
  },
  toString: () => assert.fail('an error must not be turned into a string'),
};
const cyclic = new Error('cyclic');
cyclic.cause = cyclic;
const reasons = [new RangeError('an error'), cyclic, 'a string', '', undefined, null, 0, Symbol('s'), { code: 1 }, hostile];
for (const [way, fail] of Object.entries(failing)) {
  test(`${way} rejects with the same value, whatever it is`, async () => {
    for (const reason of reasons) {
      const { error } = await thrownBy(mapTexts(texts(1), () => fail(reason), 1));
      assert.ok(Object.is(error, reason));
    }
  });
}

test('an answer of the wrong kind is an error of the engine, with a code', async () => {
  for (const answer of [7, undefined, { then: 'not a function' }, later(7)]) {
    const { error } = await thrownBy(mapTexts(texts(1), () => answer, 1));
    assert.ok(error instanceof Error);
    assert.equal(error.code, 'StringExpected');
  }
});

test('a plain answer costs no microtask', async () => {
  let calls = 0;
  const promise = mapTexts(texts(1000), (text) => (calls++, text), 3);
  assert.equal(calls, 1000);
  assert.deepEqual(await promise, texts(1000));
});

test('callbacks start in order and at most `limit` at once, and answers keep their places', async () => {
  for (const limit of [1, 3, 1000]) {
    const started = [];
    let running = 0;
    let most = 0;
    const callback = async (text, index) => {
      started.push(index);
      most = Math.max(most, ++running);
      await later(undefined, (index * 7) % 5);
      running--;
      return text;
    };
    assert.deepEqual(await mapTexts(texts(50), callback, limit), texts(50));
    assert.deepEqual(started, [...Array(50).keys()]);
    assert.equal(most, Math.min(limit, 50));
  }
});

test('a slow callback does not block later ones', async () => {
  let started = 0;
  const callback = (text, index) => (started++, index === 0 ? never() : later(text));
  mapTexts(texts(20), callback, 2);
  while (started < 20) await later();
});

test('after an error no callback starts, and later rejections are ignored', async () => {
  let started = 0;
  const callback = async (_, index) => {
    started++;
    await later(undefined, index === 2 ? 1 : 10);
    throw index;
  };
  assert.deepEqual(await thrownBy(mapTexts(texts(100), callback, 5)), { error: 2 });
  await later(undefined, 30);
  assert.equal(started, 5);

  const throwing = (text, index) => {
    started++;
    if (index === 1) throw text;
    return never();
  };
  started = 0;
  assert.deepEqual(await thrownBy(mapTexts(texts(100), throwing, 5)), { error: 'text 1' });
  assert.equal(started, 2);
});

test('errors can be handled', async () => {
  const callback = async (text, index) => {
    if (index % 2) throw new Error(text);
    return text;
  };
  assert.deepEqual(await mapTextsSettled(texts(4), callback, 2), ['text 0', 'error: text 1', 'text 2', 'error: text 3']);
});

test('a synchronous check can stop the work', async () => {
  let started = 0;
  const callback = (text) => (started++, later(text));
  const { error } = await thrownBy(mapTexts(texts(100), callback, 2, () => started === 10));
  assert.equal(error.code, 'Cancelled');
  assert.equal(started, 10);
});

test('a callback can call back into Rust', async () => {
  const callback = async (text) => {
    const plain = mapTexts(['inner'], (inner) => `${inner} of ${text}`, 1);
    return (await plain)[0] + (await mapTexts(['!'], later, 1));
  };
  assert.deepEqual(await mapTexts(texts(2), callback, 2), ['inner of text 0!', 'inner of text 1!']);
});

test('a patched Promise.prototype.then that calls back at once cannot confuse the executor', () => {
  const { stdout, status } = runNode(`
    const native = Promise.prototype.then;
    const promise = addon.mapTexts(['a', 'b', 'c'], (text) => {
      Promise.prototype.then = function (resolve, reject) {
        Promise.prototype.then = native;
        resolve('now');
        return this.then(() => {}, () => {});
      };
      return Promise.resolve(text);
    }, 2);
    Promise.prototype.then = native;
    promise.then((answers) => console.log(answers.join()));
  `);
  assert.deepEqual({ stdout, status }, { stdout: 'now,now,now\n', status: 0 });
});

test('an answer during another call is not missed', () => {
  // Nothing happens afterwards that would poll the future again.
  const { stdout, status } = runNode(`
    const native = Promise.prototype.then;
    const calls = [];
    let answerFirst;
    addon.mapTexts(['first', 'second', 'third'], (text) => {
      calls.push(text);
      if (text === 'first') {
        Promise.prototype.then = function (resolve) {
          Promise.prototype.then = native;
          answerFirst ??= resolve;
          return new Promise(() => {});
        };
      }
      if (text === 'second') answerFirst('answer');
      return new Promise(() => {});
    }, 2);
    console.log(calls.join());
  `);
  assert.deepEqual({ stdout, status }, { stdout: 'first,second,third\n', status: 0 });
});

test('20,000 callbacks are all answered, at any limit', async () => {
  const onNextTurn = (text) => new Promise((resolve) => setImmediate(resolve, text));
  for (const callback of [(text) => text, async (text) => text, onNextTurn]) {
    for (const limit of [1, 1000, 20_000]) assert.deepEqual(await mapTexts(texts(20_000), callback, limit), texts(20_000));
  }
});

test('work on another thread leaves the event loop alone', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const n = 30_000_000;
  // On a loaded machine the work may end before the loop has its turn.
  for (let tries = 0; turns <= 5 && tries < 50; tries++) {
    turns = 0;
    assert.equal(await sumBelow(n, 1), (n * (n - 1)) / 2);
  }
  clearInterval(timer);
  assert.ok(turns > 5, `${turns} turns`);
  assert.equal(await sumBelow(10, 500), 45);
});

test('a panic is a rejection', () => {
  const { stdout, status } = runNode(`
    (async () => {
      for (const place of ['arguments', 'answer', 'continuation', 'offload'])
        for (const callback of [() => 1, async () => 1])
          await addon.panicIn(place, callback).catch((error) => console.log(error instanceof Error, error.message));
    })();
  `);
  assert.equal(status, 0);
  const messages = ['unspeakable', 'bad answer', 'bad continuation 7', 'bad work'];
  assert.equal(stdout, messages.map((message) => `true internal error: ${message}\n`.repeat(2)).join(''));
});

test('a callback that never answers does not keep the process alive', () => {
  const { stdout, status } = runNode(`
    addon.mapTexts(['a', 'b'], () => new Promise(() => {}), 2).then(() => console.log('answered'));
    console.log('called');
  `);
  assert.deepEqual({ stdout, status }, { stdout: 'called\n', status: 0 });
});

test('process.exit() during a callback, with everything pending, exits cleanly', () => {
  for (const when of ['callback', 'later']) {
    const { status, signal } = runNode(`
      addon.sumBelow(1e7, 1);
      addon.mapTexts(['a', 'b'], () => new Promise(() => {}), 2);
      addon.mapTexts(['a', 'b'], () => { if ('${when}' === 'callback') process.exit(3); return new Promise(() => {}); }, 2);
      setTimeout(() => process.exit(3), 5);
    `);
    assert.deepEqual({ status, signal }, { status: 3, signal: null });
  }
});

test('a worker can be terminated while calls are pending', async () => {
  const body = `
    const { parentPort } = require('node:worker_threads');
    const addon = (${loadAddon})(${JSON.stringify(path)});
    const texts = ${JSON.stringify(texts(50))};
    const often = (text) => new Promise((resolve) => setImmediate(resolve, text));
    addon.mapTexts(texts, () => new Promise(() => {}), 10);
    (async () => { for (;;) await addon.mapTexts(texts, often, 5); })();
    (async () => { for (;;) await addon.sumBelow(100_000, 3); })();
    (async () => { for (;;) await addon.mapTexts(texts, async () => { throw new Error(); }, 5).catch(() => often()); })();
    parentPort.postMessage('started');
  `;
  for (let round = 0; round < 12; round++) {
    const worker = new Worker(body, { eval: true });
    await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    await later(undefined, round * 2);
    await worker.terminate();
  }
});

test('memory does not grow if callbacks answer, fail or never answer', () => {
  const { stdout, stderr, status } = runNode(
    `
    const large = 'x'.repeat(200_000);
    const rounds = {
      plain: () => addon.mapTexts(Array(5000).fill('a'), (text) => text, 5),
      async: () => addon.mapTexts(Array(2000).fill('a'), async (text) => text, 5),
      failing: async () => { for (let i = 0; i < 500; i++) await addon.mapTexts(['a'], async () => { throw new Error(); }, 1).catch(() => {}); },
      offload: () => addon.sumBelow(1, 500),
      never: () => { for (let i = 0; i < 50; i++) addon.mapTexts([large, large], () => new Promise(() => {}), 2); },
    };
    const settle = async () => { for (let i = 0; i < 4; i++) { gc(); await new Promise(setImmediate); } };
    (async () => {
      for (const [name, round] of Object.entries(rounds)) {
        for (let i = 0; i < 5; i++) { await round(); await settle(); }
        const before = process.memoryUsage.rss();
        for (let i = 0; i < 15; i++) { await round(); await settle(); }
        console.log(name, Math.round((process.memoryUsage.rss() - before) / 1e6));
      }
    })();
    `,
    '--expose-gc',
  );
  assert.equal(status, 0, stderr);
  const growth = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  assert.equal(growth.length, 5);
  // A leak of one `never` round alone is 20 MB, and 15 of them are measured.
  for (const [name, megabytes] of growth) assert.ok(megabytes < 30, `${name} grew by ${megabytes} MB`);
});
