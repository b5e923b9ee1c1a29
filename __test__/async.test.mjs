// Calls with a summarizer or a classifier: what the callbacks may return, how they may fail, and how a call is aborted.
import assert from 'node:assert/strict';
import test, { describe } from 'node:test';

import { compress, uncompress } from 'palimpsest';

const SENTENCES =
  'The lighthouse keeper repaired the lantern before dusk and wrote a careful entry in the harbour ledger. ' +
  'Nothing else of interest happened on the island that evening. A ferry passed by slowly in the distance.';
const messages = Array.from({ length: 12 }, (_, index) => ({
  id: `m${index}`,
  index,
  role: index % 2 ? 'user' : 'assistant',
  content: `Part ${index} of the story. ${SENTENCES}`,
}));
const options = { recencyWindow: 0 };
const plain = compress(messages, options);

const tick = () => new Promise((resolve) => setImmediate(resolve));
const thenable = (value) => ({ then: (resolve) => void setImmediate(resolve, value) });

describe('a summarizer may answer', () => {
  const answers = { 'with a string': (text) => text.slice(0, 40), 'with a promise': async (text) => text.slice(0, 40) };
  answers['with a foreign thenable'] = (text) => thenable(text.slice(0, 40));
  for (const [how, summarizer] of Object.entries(answers)) {
    test(how, async () => {
      const promise = compress(messages, { ...options, summarizer });
      assert.ok(promise instanceof Promise);
      const result = await promise;
      assert.ok(result.messages.every(({ content }, index) => content.startsWith(`[summary: Part ${index} `)));
      assert.deepEqual(uncompress(result.messages, result.verbatim).messages, messages);
    });
  }
});

describe('a summarizer may fail, and the engine writes the summary', () => {
  const failures = {
    'throws an error': () => {
      throw new Error('down');
    },
    'throws nothing': () => {
      throw undefined;
    },
    rejects: async () => {
      throw 'down';
    },
    'has a throwing then': () => ({
      get then() {
        throw new Error('no');
      },
    }),
    'answers with a number': () => 7,
    'answers with an empty text': () => '',
    'answers with the text': (text) => text,
    'answers with null': () => null,
  };
  for (const [how, summarizer] of Object.entries(failures)) {
    test(how, async () => assert.deepEqual(await compress(messages, { ...options, summarizer }), plain));
  }
});

describe('an error that is not the summarizer’s rejects with the same value', () => {
  for (const reason of [new RangeError('mine'), 'a string', undefined, null, { code: 7 }]) {
    const fail = () => {
      throw reason;
    };
    const callbacks = {
      classifier: { classifier: fail },
      'asynchronous classifier': { classifier: async () => fail() },
      tokenCounter: { tokenCounter: fail, summarizer: () => '' },
      pattern: { preservePatterns: [{ re: { test: fail }, label: 'x' }], summarizer: () => '' },
    };
    for (const [what, more] of Object.entries(callbacks)) {
      test(`${what}: ${String(reason?.message ?? reason)}`, async () => {
        const outcome = await compress(messages, { ...options, ...more }).then(assert.fail, (error) => ({ error }));
        assert.equal(outcome.error, reason);
      });
    }
    test(`synchronously: ${String(reason?.message ?? reason)}`, () => {
      const caught = (more) => {
        try {
          compress(messages, { ...options, ...more });
        } catch (error) {
          return { error };
        }
      };
      assert.deepEqual(caught({ tokenCounter: fail }), { error: reason });
      assert.deepEqual(caught({ preservePatterns: [{ re: { test: fail }, label: 'x' }] }), { error: reason });
    });
  }

  test('a classifier without a verdict is named in the error', async () => {
    for (const verdict of [null, undefined]) {
      await assert.rejects(compress(messages, { ...options, classifier: () => verdict }), {
        name: 'TypeError',
        message: `compress(): options.classifier must return a verdict, got ${verdict}`,
      });
    }
  });

  test('no classifier call is started after the first rejection', async () => {
    let calls = 0;
    const classifier = async () => {
      if (++calls === 3) throw new Error('stop');
      await tick();
      return { decision: 'compress', confidence: 1, reason: '' };
    };
    await assert.rejects(compress(messages, { ...options, classifier, concurrency: 1 }), /stop/);
    await tick();
    assert.equal(calls, 3);
  });

  test('a token counter that returns no number is named in the error', () => {
    assert.throws(() => compress(messages, { ...options, tokenCounter: () => '7' }), {
      name: 'TypeError',
      message: 'compress(): options.tokenCounter must return a number, got string',
    });
  });
});

describe('an aborted call', () => {
  /** Counts the listeners that are left on a signal. */
  function watched(controller) {
    const { signal } = controller;
    const state = { listeners: 0 };
    for (const [name, by] of [
      ['addEventListener', 1],
      ['removeEventListener', -1],
    ]) {
      const original = signal[name].bind(signal);
      signal[name] = (...args) => {
        state.listeners += by;
        return original(...args);
      };
    }
    return state;
  }

  const reason = new Error('enough');

  test('before it begins calls nothing', async () => {
    const controller = new AbortController();
    controller.abort(reason);
    for (const more of [{}, { compressionThreshold: 1e9 }]) {
      const promise = compress(messages, { ...options, ...more, signal: controller.signal, summarizer: assert.fail });
      assert.equal(await promise.then(assert.fail, (error) => error), reason);
    }
  });

  test('while it waits rejects at once, and starts no further callback', async () => {
    const controller = new AbortController();
    const state = watched(controller);
    let calls = 0;
    const releases = [];
    const summarizer = () => {
      calls++;
      return new Promise((resolve) => releases.push(resolve));
    };
    const promise = compress(messages, { ...options, signal: controller.signal, summarizer });
    await tick();
    assert.equal(calls, 4);
    controller.abort(reason);
    assert.equal(await promise.then(assert.fail, (error) => error), reason);
    releases.forEach((release) => release('late'));
    await tick();
    assert.equal(calls, 4);
    assert.equal(state.listeners, 0);
  });

  test('aborted by its own callback starts no other', async () => {
    const controller = new AbortController();
    let calls = 0;
    const summarizer = (text) => {
      if (++calls === 2) controller.abort();
      return text.slice(0, 40);
    };
    const promise = compress(messages, { ...options, signal: controller.signal, summarizer, concurrency: 1 });
    assert.equal((await promise.then(assert.fail, (error) => error)).name, 'AbortError');
    assert.equal(calls, 2);
  });

  test('that has finished leaves no listener, and a late abort changes nothing', async () => {
    const controller = new AbortController();
    const state = watched(controller);
    const result = await compress(messages, { ...options, signal: controller.signal, summarizer: async () => '' });
    assert.equal(state.listeners, 0);
    controller.abort();
    assert.deepEqual(result, plain);
  });
});

test('bad messages and bad options throw at once, with callbacks too', () => {
  assert.throws(() => compress(null, { summarizer: () => '' }), { message: 'compress(): messages must be an array' });
  assert.throws(() => compress([], { summarizer: 'gpt' }), { message: 'compress(): options.summarizer must be a function, got string' });
});

test('long conversations are processed on another thread: the event loop turns meanwhile', async () => {
  const long = Array.from({ length: 4000 }, (_, index) => ({
    ...messages[index % 12],
    id: `m${index}`,
    index,
    content: `${index} ${SENTENCES.repeat(8)}`,
  }));
  let turns = 0;
  let isDone = false;
  const promise = compress(long, { ...options, summarizer: () => '' }).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    turns++;
    await tick();
  }
  assert.deepEqual(await promise, compress(long, options));
  assert.ok(turns > 10, `${turns} turns`);
});
