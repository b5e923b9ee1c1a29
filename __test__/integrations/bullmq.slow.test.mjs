// Summaries made by jobs of BullMQ, on Redis and on Postgres: the next epoch of whatever server finds them, and each text is submitted once.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, describe, test } from 'node:test';
import { connect } from '../../examples/fleet/connect.mjs';
import { createSession } from '../../index.mjs';
import { compactionJob, enqueueCompaction } from '../../integrations/bullmq.mjs';
import { memoryStore } from '../../store/memory.mjs';
import { startPostgres, withoutPostgres } from '../support/servers/postgres.mjs';
import { startRedis, withoutRedis } from '../support/servers/redis.mjs';

const TURNS = 34;
const options = { limit: 6000, format: 'openai-chat', now: () => 0 };

/** A conversation whose answers are prose. Everything that is said names the conversation. */
const talk = (name) =>
  Array.from({ length: TURNS }, (_, turn) => [
    { role: 'user', content: `Why does batch ${turn * 13} of ${name} wait for worker ${turn * 7}? ${'It was fast before. '.repeat(5)}` },
    {
      role: 'assistant',
      content: Array.from(
        { length: 12 },
        (_, line) =>
          `Ledger ${turn * 100 + line} of ${name} held the lock of shard ${(turn * 31 + line * 7) % 97}, because worker ${line} retried ${turn + line} times.`,
      ).join(' '),
    },
  ]).flat();

/** One server of several: knows nothing but the store. */
const serve = (store, id, history) => createSession({ ...options, store, id, summarizer: 'store' }).next(history);

/** Plays turns until `isEnd` is true of a step, from turn `turn` on. */
async function until(store, id, isEnd, turn = 0) {
  const history = talk(id);
  for (; turn < TURNS; turn++) {
    const step = await serve(store, id, history.slice(0, 2 * turn + 1));
    if (isEnd(step)) return { step, turn };
  }
  throw new Error('it never came');
}
const isWanting = ({ compaction }) => compaction !== undefined;
const isEpoch = ({ epoch }) => epoch !== undefined;

/** A summarizer that records what it is asked, and answers with `answer`. */
function recorder(answer = ({ key }) => `SUMMARY ${key}`) {
  const calls = [];
  const summarizer = (text, context) => {
    calls.push({ text, ...context });
    return answer(context, calls.length - 1);
  };
  return { calls, summarizer };
}
/** A store that records what is written. */
function recorded() {
  const store = memoryStore();
  const written = [];
  const put = (id, entries, version) => {
    written.push(...entries);
    return store.put(id, entries, version);
  };
  return { written, store: { ...store, put } };
}
const summariesIn = ({ messages }) => [...JSON.stringify(messages).matchAll(/SUMMARY (.{11})/g)].map(([, key]) => key);
const noQueue = { rateLimit: async () => assert.fail('the queue was paused') };

describe('in one process', () => {
  test('a job asks once for each text that the next epoch drops, and that epoch has the answers', async () => {
    const store = memoryStore();
    const { calls, summarizer } = recorder();
    const job = compactionJob({ store, queue: noQueue, summarizer });
    let used = [];
    for (let turn = 0; turn < TURNS; ) {
      const found = await until(store, 'chat', (step) => isWanting(step) || isEpoch(step), turn).catch(() => undefined);
      if (found === undefined) break;
      if (isEpoch(found.step)) used = used.concat(summariesIn(found.step));
      if (isWanting(found.step)) await job({ data: found.step.compaction });
      turn = found.turn + 1;
    }
    assert.ok(calls.length >= 2, `${calls.length} calls`);
    assert.equal(new Set(calls.map(({ text }) => text)).size, calls.length, 'a text was submitted twice');
    const said = talk('chat').map(({ content }) => content);
    for (const { text } of calls) assert.ok(text.split('\n\n').every((part) => said.some((one) => one.includes(part))));
    assert.ok(used.length >= 2, 'no epoch used a summary');
    assert.ok(used.every((key) => calls.some((call) => call.key === key)));
  });

  test('the texts in the store grow with what is new', async () => {
    const { store, written } = recorded();
    for (let turn = 0; turn < TURNS; turn++) await serve(store, 'chat', talk('chat').slice(0, 2 * turn + 1));
    const size = written.map(([, value]) => value).join('').length;
    assert.ok(size > 0);
    assert.ok(size < JSON.stringify(talk('chat')).length, 'more was written than the conversation has');
    assert.equal(new Set(written.map(([key]) => key)).size, written.length, 'a text was written twice');
  });

  test('running twice, one after the other or at once, does no harm', async () => {
    const store = memoryStore();
    const { step } = await until(store, 'chat', isWanting);
    const { calls, summarizer } = recorder(({ key }, index) => `SUMMARY ${key} ${index}`);
    const job = compactionJob({ store, queue: noQueue, summarizer });
    const results = await Promise.all([job({ data: step.compaction }), job({ data: step.compaction })]);
    const names = calls.map(({ key }) => `summary:${key}`);
    const values = await store.get('chat', names);
    values.forEach((value, index) => assert.ok(value?.startsWith(`SUMMARY ${calls[index].key} `)));
    assert.ok(results.every(({ wanted }) => wanted > 0));
    assert.deepEqual(await job({ data: step.compaction }), { wanted: 0, asked: 0, kept: 0 });
    assert.deepEqual(await store.get('chat', names), values);
  });

  test('an answer that comes after another request of the conversation is kept', async () => {
    const store = memoryStore();
    const { step, turn } = await until(store, 'chat', isWanting);
    const { calls, summarizer } = recorder(async ({ key }) => {
      await serve(store, 'chat', talk('chat').slice(0, 2 * turn + 3));
      return `SUMMARY ${key}`;
    });
    const { kept } = await compactionJob({ store, queue: noQueue, summarizer })({ data: step.compaction });
    assert.equal(kept, calls.length);
    assert.ok((await store.load('chat')).version > step.compaction.version);
  });

  test('after the conversation was deleted, or another one took its id, nothing is put and nothing more is asked', async () => {
    for (const other of [undefined, 'other']) {
      const store = memoryStore();
      const { step } = await until(store, 'chat', isWanting);
      const { calls, summarizer } = recorder(async ({ key }) => {
        await store.delete('chat');
        if (other !== undefined) await serve(store, 'chat', talk(other).slice(0, 3));
        return `SUMMARY ${key}`;
      });
      const { kept } = await compactionJob({ store, queue: noQueue, summarizer, concurrency: 1 })({ data: step.compaction });
      assert.equal(kept, 0);
      assert.equal(calls.length, 1);
      assert.equal(calls[0].signal.aborted, other === undefined);
      assert.deepEqual(await store.get('chat', [`summary:${calls[0].key}`, `text:${calls[0].key}`]), [undefined, undefined]);
    }
    const { calls, summarizer } = recorder();
    await compactionJob({ store: memoryStore(), queue: noQueue, summarizer })({ data: { id: 'never', version: 1 } });
    assert.equal(calls.length, 0);
  });

  test('a failure fails the job without saying what the text says, and the next attempt asks for what is missing', async () => {
    const store = memoryStore();
    const { step, turn } = await until(store, 'chat', isEpoch);
    const { step: wanting } = await until(store, 'chat', ({ compaction }) => compaction !== undefined, turn + 1);
    const compaction = wanting.compaction ?? step.compaction;
    let isDown = true;
    const { calls, summarizer } = recorder(({ key }, index) => {
      if (isDown && index === 0) throw Object.assign(new Error(`no answer to ${calls[0].text}`), { status: 503 });
      return `SUMMARY ${key}`;
    });
    const job = compactionJob({ store, queue: noQueue, summarizer });
    await assert.rejects(job({ data: compaction }), ({ message, cause }) => {
      assert.match(message, /^1 of \d+ summaries failed: 503$/);
      return cause.status === 503;
    });
    isDown = false;
    const asked = calls.length;
    const { kept } = await job({ data: compaction });
    assert.equal(kept, 1);
    assert.deepEqual(
      calls.slice(asked).map(({ key }) => key),
      [calls[0].key],
    );
  });

  test('the message of a failure names statuses, known codes and classes of errors, and nothing that an error may quote', async () => {
    const secret = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
    const aborted = new DOMException('x', 'AbortError');
    for (const [error, named] of [
      [{ status: 503 }, '503'],
      [{ statusCode: 529, code: secret }, '529'],
      [{ response: { status: 400 } }, '400'],
      [{ status: secret }, 'Error'],
      [{ status: { toString: () => secret } }, 'Error'],
      [{ status: 1e21 }, 'Error'],
      [{ code: 'ECONNRESET' }, 'ECONNRESET'],
      [{ code: 'ENOTFOUND' }, 'ENOTFOUND'],
      [{ code: 'UND_ERR_SOCKET' }, 'UND_ERR_SOCKET'],
      [{ code: secret }, 'Error'],
      [{ code: `no route to ${secret}`, name: 'APIConnectionError' }, 'APIConnectionError'],
      [{ name: 'AI_APICallError' }, 'AI_APICallError'],
      [{ name: `${secret} Error` }, 'an error'],
      [{ name: secret }, 'an error'],
    ].map(([given, named]) => [Object.assign(new Error('x'), given), named])) {
      const store = memoryStore();
      const { step } = await until(store, 'chat', isWanting);
      const { summarizer } = recorder(() => Promise.reject(error));
      const job = compactionJob({ store, queue: noQueue, summarizer });
      await assert.rejects(job({ data: step.compaction }), ({ message, stack }) => {
        assert.match(message, new RegExp(`^\\d+ of \\d+ summaries failed: ${named}$`));
        return !stack.includes(secret);
      });
    }
    for (const [thrown, named] of [
      [secret, 'an error'],
      [undefined, 'an error'],
      [aborted, 'AbortError'],
    ]) {
      const store = memoryStore();
      const { step } = await until(store, 'chat', isWanting);
      const job = compactionJob({ store, queue: noQueue, summarizer: () => Promise.reject(thrown) });
      await assert.rejects(job({ data: step.compaction }), { message: new RegExp(`failed: ${named}$`) });
    }
  });

  for (const [name, error, pause] of [
    ['retry-after-ms', { status: 429, headers: new Headers({ 'retry-after-ms': '250' }) }, 250],
    ['retry-after in seconds', { statusCode: 429, responseHeaders: { 'retry-after': '7' } }, 7000],
    ['retry-after 0', { status: 429, headers: { 'retry-after': '0' } }, 10_000],
    ['no header', { status: 429 }, 10_000],
  ]) {
    test(`a 429 pauses the queue: ${name}`, async () => {
      const store = memoryStore();
      const { step } = await until(store, 'chat', isWanting);
      const pauses = [];
      const { calls, summarizer } = recorder(() => Promise.reject(Object.assign(new Error('busy'), error)));
      const queue = { rateLimit: async (ms) => void pauses.push(ms) };
      const job = compactionJob({ store, queue, summarizer, concurrency: 1 });
      await assert.rejects(job({ data: step.compaction }), { name: 'RateLimitError' });
      assert.deepEqual(pauses, [pause]);
      assert.equal(calls.length, 1);
    });
  }

  test('a state that no session wrote is refused without quoting it', async () => {
    const store = memoryStore();
    await store.save('chat', 'a secret', 0);
    const job = compactionJob({ store, queue: noQueue, summarizer: () => '' });
    const message = 'compactionJob(): the state in the store is not that of a session';
    await assert.rejects(job({ data: { id: 'chat', version: 1 } }), { message });
  });

  test('wrong arguments are named', async () => {
    const [store, queue, summarizer] = [memoryStore(), noQueue, () => ''];
    for (const [given, message] of [
      [{ queue, summarizer }, /^compactionJob\(\): options\.store must be an object with get\(\), put\(\), load\(\), got undefined$/],
      [{ store, summarizer }, /^compactionJob\(\): options\.queue must be an object with rateLimit\(\), got undefined$/],
      [{ store, queue }, /^compactionJob\(\): options\.summarizer must be a function, got undefined$/],
      [{ store, queue, summarizer, limit: 5 }, /^compactionJob\(\): options\.limit /],
    ])
      assert.throws(() => compactionJob(given), { name: 'TypeError', message });
    for (const [data, message] of [
      [undefined, /^enqueueCompaction\(\): data must be /],
      [{ version: 1 }, /^enqueueCompaction\(\): data\.id must be a string, got undefined$/],
      [{ id: 'chat', version: 0 }, /^enqueueCompaction\(\): data\.version must be a whole number from 1, got 0$/],
    ])
      await assert.rejects(enqueueCompaction({ add: () => assert.fail() }, data), { name: 'TypeError', message });
  });
});

const SERVERS = { Redis: [startRedis, withoutRedis], Postgres: [startPostgres, withoutPostgres] };
for (const [name, [start, skip]] of Object.entries(SERVERS)) {
  describe(`on ${name}`, { skip }, () => {
    let server;
    let shared;
    const connected = async () => {
      server ??= await start();
      shared ??= await connect(server.url);
      return shared;
    };
    after(async () => {
      await shared?.close();
      await server?.stop();
    });

    /** Runs `act` with a worker, whose jobs call `summarizer`. */
    async function withWorker(summarizer, act, more = {}) {
      const { store, queue, work } = await connected();
      const worker = work(compactionJob({ store, queue, summarizer }), { concurrency: 4, ...more });
      worker.on('error', () => {});
      try {
        await worker.waitUntilReady();
        return await act({ store, queue, worker });
      } finally {
        await worker.close();
      }
    }

    test('a job of one server serves the epoch of another', async () => {
      const { calls, summarizer } = recorder();
      await withWorker(summarizer, async ({ store, queue, worker }) => {
        const { step, turn } = await until(store, 'chat-1', isWanting);
        const done = once(worker, 'completed');
        await enqueueCompaction(queue, step.compaction);
        const [, result] = await done;
        assert.equal(result.kept, result.wanted);
        assert.equal(calls.length, result.asked);
        const { step: epoch } = await until(store, 'chat-1', isEpoch, turn + 1);
        assert.ok(summariesIn(epoch).length > 0);
      });
    });

    test('added five times while the first runs: two runs, one after the other, and each text is submitted once', async () => {
      let running = 0;
      const release = deferred();
      const { calls, summarizer } = recorder(async ({ key }) => {
        assert.equal(++running, 1, 'two runs at once');
        await release.promise;
        running--;
        return `SUMMARY ${key}`;
      });
      await withWorker(summarizer, async ({ store, queue, worker }) => {
        const { step } = await until(store, 'chat-2', isWanting);
        const active = once(worker, 'active');
        await enqueueCompaction(queue, step.compaction);
        await active;
        for (let more = 1; more < 5; more++)
          await enqueueCompaction(queue, { ...step.compaction, version: step.compaction.version + more });
        const results = [];
        const both = new Promise((resolve) => {
          worker.on('completed', (job, result) => {
            results.push({ version: job.data.version, ...result });
            if (results.length === 2) resolve();
          });
        });
        release.resolve();
        await both;
        assert.deepEqual(
          results.map(({ version }) => version - step.compaction.version),
          [0, 4],
        );
        assert.equal(results[1].wanted, 0);
        assert.equal(new Set(calls.map(({ key }) => key)).size, calls.length);
      });
    });

    test('a 429 and a failure are tried again, until all is there', async () => {
      const { calls, summarizer } = recorder(({ key }, index) => {
        if (index === 0) throw Object.assign(new Error('busy'), { status: 429, headers: { 'retry-after-ms': '20' } });
        if (index === 1) throw Object.assign(new Error('down'), { status: 500 });
        return `SUMMARY ${key}`;
      });
      await withWorker(summarizer, async ({ store, queue, worker }) => {
        const { step } = await until(store, 'chat-3', isWanting);
        const failed = once(worker, 'failed');
        const done = once(worker, 'completed');
        await enqueueCompaction(queue, step.compaction);
        const [job, error] = await failed;
        assert.match(error.message, /summaries failed: 500$/);
        assert.equal(job.failedReason, error.message);
        const [, result] = await done;
        assert.equal(result.kept, result.wanted);
        const keys = calls.slice(2).map(({ key }) => key);
        assert.equal(new Set(keys).size, keys.length);
        const kept = await store.get(
          'chat-3',
          keys.map((key) => `summary:${key}`),
        );
        assert.ok(kept.every((value) => value?.startsWith('SUMMARY')));
      });
    });

    test('a cancelled job aborts its calls', async () => {
      const begun = deferred();
      const { summarizer } = recorder(async ({ signal }) => {
        begun.resolve(signal);
        await once(signal, 'abort');
        throw signal.reason;
      });
      await withWorker(summarizer, async ({ store, queue, worker }) => {
        const { step } = await until(store, 'chat-4', isWanting);
        const job = await enqueueCompaction(queue, step.compaction);
        const signal = await begun.promise;
        const failed = once(worker, 'failed');
        assert.equal(signal.aborted, false);
        worker.cancelJob(job.id);
        await failed;
        assert.equal(signal.aborted, true);
        await store.delete('chat-4');
      });
    });
  });
}

function deferred() {
  const own = {};
  own.promise = new Promise((resolve) => {
    own.resolve = resolve;
  });
  return own;
}
