// Originals in a store: they come back, each part is written once, and secrets stay out.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import fc from 'fast-check';
import { compress, fit, loadOriginals, prune, redactSecrets, restore, saveOriginals, uncompress } from '../../unbundled/index.js';
import { classifyMessage } from '../../unbundled/drop-in.js';
import { working } from '../create-session/working.mjs';
import { cases } from '../support/seed.mjs';

const require = createRequire(import.meta.url);
const { memoryStore } = require('../../unbundled/store/memory.js');
const { read, written } = require('../../unbundled/store/lines.js');
const copy = (value) => JSON.parse(JSON.stringify(value));

/** A store that counts the bytes of what is put. */
function counted() {
  const store = memoryStore();
  const seen = { bytes: 0, entries: 0, texts: [] };
  const put = async (id, entries) => {
    for (const entry of entries) {
      seen.entries++;
      seen.bytes += Buffer.byteLength(entry[0]) + Buffer.byteLength(entry[1]);
      seen.texts.push(entry.join(' '));
    }
    return store.put(id, entries);
  };
  return { store: { ...store, put }, seen };
}

test('what fit, prune and compress took out comes back from a store, in every format', async () => {
  for (const format of ['openai-chat', 'openai-responses', 'anthropic', 'ai-sdk-model', 'ai-sdk-ui', 'gemini', 'mastra', 'message']) {
    const history = copy(working(format, 1, 12));
    for (const mode of [(given) => fit(given, { limit: 2500, format }), (given) => prune(given, { format, keep: { recent: 2 } })]) {
      const { store } = counted();
      const first = mode(history);
      const key = await saveOriginals(store, 'id', first.originals ?? first.verbatim);
      assert.equal(await saveOriginals(store, 'id', first.originals ?? first.verbatim), key);
      assert.equal(JSON.stringify(await loadOriginals(store, 'id')), JSON.stringify(first.originals), 'byte for byte, keys as well');
      const back = restore(first.messages, await loadOriginals(store, 'id'));
      assert.deepEqual(back.messages, history, format);
      assert.deepEqual(back.missing, []);
      assert.equal(back.redacted, undefined);
      // Later rounds are kept beside the first.
      const second = fit(first.messages, { limit: 1000, format, originals: first.originals });
      await saveOriginals(store, 'id', { ...first.originals, ...second.originals });
      assert.deepEqual(restore(second.messages, await loadOriginals(store, 'id')).messages, history);
      assert.deepEqual(restore(first.messages, await loadOriginals(store, 'id', key)).messages, history);
    }
  }
  const long = 'The worker waited for the batch, and nobody knew what the reason for it was at the time. '.repeat(12);
  const messages = Array.from({ length: 20 }, (_, index) => ({ id: `m${index}`, index, role: 'user', content: `${index}: ${long}` }));
  const result = compress(messages);
  assert.ok(Object.keys(result.verbatim).length > 0);
  const { store } = counted();
  await saveOriginals(store, 'id', result.verbatim);
  assert.deepEqual(await loadOriginals(store, 'id'), copy(result.verbatim));
  assert.deepEqual(uncompress(result.messages, await loadOriginals(store, 'id')).messages, messages);
});

test('any object of JSON comes back, and what changes a little is written a little', async () => {
  const { store } = counted();
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.dictionary(fc.string(), fc.jsonValue())), async (given) => {
      const key = await saveOriginals(store, 'id', given);
      assert.deepEqual(await loadOriginals(store, 'id', key), copy(given));
    }),
    { numRuns: cases(60) },
  );
});

test('what rounds of any conversation took out comes back as it was, and so do entries that no round makes', async () => {
  const { store } = counted();
  const texts = fc.array(fc.constantFrom('claim', 'ledger é', 'a\nb', '{"x": [1, 2]}', '😀', 'waits for worker 7 in src/a.ts'), {
    maxLength: 30,
  });
  const message = fc.record({ role: fc.constantFrom('user', 'assistant'), content: texts.map((list) => list.join(' ')) });
  // An entry of a round with one of its members changed, or gone.
  const change = fc.record({
    at: fc.nat(50),
    name: fc.constantFrom('round', 'step', 'length', 'hash', 'at', 'of', 'was', 'now', 'before', 'prints', 'places', 'stale'),
    value: fc.oneof(fc.constant(undefined), fc.jsonValue(), fc.constantFrom(2 ** 32, 2 ** 53 + 2, 1e300)),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { minLength: 2, maxLength: 40 }),
      fc.integer({ min: 1, max: 400 }),
      fc.array(change),
      async (...given) => {
        const [history, budget, changes] = given;
        const first = fit(history, { limit: budget, format: 'openai-chat', tokenizer: 'estimate' });
        const second = fit(first.messages, { limit: budget / 2, format: 'openai-chat', tokenizer: 'estimate' });
        const originals = copy({ ...first.originals, ...second.originals });
        const entries = Object.entries(originals);
        for (const { at, name, value } of entries.length > 0 ? changes : []) {
          const [key, entry] = entries[at % entries.length];
          originals[key] = { ...entry, [name]: value };
        }
        const key = await saveOriginals(store, 'id', originals);
        assert.deepEqual(await loadOriginals(store, 'id', key), copy(originals));
        assert.deepEqual(Object.keys(await loadOriginals(store, 'id', key)), Object.keys(originals));
      },
    ),
    { numRuns: cases(100) },
  );
});

test('1,000 turns of a growing conversation write in proportion to what is new', async () => {
  const { store, seen } = counted();
  const history = [];
  let messages = [];
  let originals = {};
  const written = [];
  for (let turn = 0; turn < 1000; turn++) {
    const fresh = [
      { role: 'user', content: `Why does part ${turn} wait for worker ${(turn * 7) % 89}?` },
      {
        role: 'assistant',
        content: `Part ${turn} waits as worker ${turn} holds the ${['claim', 'ledger', 'shard'][turn % 3]} ${turn * 31}. `.repeat(5),
      },
    ];
    history.push(...fresh);
    messages.push(...fresh);
    if (turn % 10 === 9) {
      const fitted = fit(messages, { limit: 2000, format: 'openai-chat', tokenizer: 'estimate' });
      messages = fitted.messages;
      originals = { ...originals, ...fitted.originals };
      await saveOriginals(store, 'id', originals);
    }
    if (turn % 250 === 249) written.push(seen.bytes);
  }
  const loaded = await loadOriginals(store, 'id');
  assert.deepEqual(restore(messages, loaded), restore(messages, originals));
  const whole = Buffer.byteLength(JSON.stringify(originals));
  assert.ok(seen.bytes < 2 * whole, `${seen.bytes} bytes were written, and the originals have ${whole}`);
  // Each quarter of the turns writes as much as the one before; whole copies would write five times as much in the last as in the second.
  const quarters = written.map((bytes, index) => bytes - (written[index - 1] ?? 0));
  assert.ok(quarters[3] < 1.5 * quarters[1], quarters.join());
});

const sentence = (turn, index) =>
  `Part ${turn} waits as worker ${(turn * 31 + index * 7) % 997} holds the ${['claim', 'ledger', 'shard'][(turn + index) % 3]} ${turn * 31 + index}. `;
const READ = 13;
/** A turn: the user asks, the agent reads one of a few files again and answers. */
const turnOf = (turn) => [
  { role: 'user', content: `Why does part ${turn} wait for worker ${(turn * 7) % 89}?` },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      {
        id: `call_${turn}`,
        type: 'function',
        function: { name: 'Read', arguments: JSON.stringify({ file_path: `/work/${turn % READ}.ts` }) },
      },
    ],
  },
  { role: 'tool', tool_call_id: `call_${turn}`, content: Array.from({ length: 4 }, (_, index) => sentence(turn % READ, index)).join('\n') },
  { role: 'assistant', content: sentence(turn, 0) + sentence(turn, 1) },
];

/** What a whole conversation took out, as it grows: with every turn an entry more. */
const grown = (all, count) => Object.fromEntries(all.slice(0, count));
const asMessages = (history) => history.map((message, index) => ({ ...message, content: message.content ?? '', id: `m${index}`, index }));

for (const [way, originalsOf] of Object.entries({
  pruned: (history) => prune(history, { format: 'openai-chat' }).originals,
  compressed: (history) => compress(asMessages(history)).verbatim,
})) {
  test(`${way} with every turn, 1,000 turns write in proportion to what is new`, async () => {
    const { store, seen } = counted();
    const history = Array.from({ length: 1500 }, (_, turn) => turnOf(turn)).flat();
    const all = Object.entries(originalsOf(history)).slice(0, 1000);
    // A history that is shorter has the same ones up to there.
    const early = Object.entries(originalsOf(history.slice(0, 400)));
    assert.deepEqual(all.slice(0, early.length), early);
    const written = [];
    for (let turn = 1; turn <= 1000; turn++) {
      await saveOriginals(store, 'id', grown(all, turn));
      if (turn % 250 === 0) written.push({ bytes: seen.bytes, entries: seen.entries });
    }
    assert.equal(all.length, 1000);
    assert.deepEqual(await loadOriginals(store, 'id'), copy(grown(all, 1000)));
    const whole = Buffer.byteLength(JSON.stringify(Object.fromEntries(all)));
    assert.ok(seen.bytes < 1.2 * whole + 2000 * 1000, `${seen.bytes} bytes for originals of ${whole}`);
    assert.ok(seen.entries < 8 * 1000, `${seen.entries} entries`);
    for (const what of ['bytes', 'entries']) {
      const [, second, , fourth] = written.map((sum, index) => sum[what] - (written[index - 1]?.[what] ?? 0));
      assert.ok(fourth < 1.5 * second, `${what}: ${written.map((sum) => sum[what])}`);
    }
    await store.delete('id');
    assert.equal(await loadOriginals(store, 'id'), undefined);
  });
}

test('fitted anew with every turn, a conversation writes what has changed', async () => {
  const { store, seen } = counted();
  const history = working('openai-chat', 1, 60, 12);
  let copies = 0;
  let last;
  for (let end = 40; end <= history.length; end += 4) {
    last = fit(history.slice(0, end), { limit: 3000, format: 'openai-chat' });
    await saveOriginals(store, 'id', last.originals);
    copies += Buffer.byteLength(JSON.stringify(last.originals));
  }
  assert.deepEqual(restore(last.messages, await loadOriginals(store, 'id')).messages, history);
  assert.ok(seen.bytes < copies / 4, `${seen.bytes} of ${copies} bytes`);
});

test('a process that begins later writes no part again, and two that save at once both have theirs', async () => {
  const history = working('openai-chat', 1, 30);
  const cut = (end) => fit(history.slice(0, end), { limit: 3000, format: 'openai-chat' });
  const { store, seen } = counted();
  await saveOriginals(store, 'id', cut(100).originals);
  const whole = seen.bytes;
  // Another object is another process: nothing is remembered of it.
  const other = { ...store };
  await saveOriginals(other, 'id', cut(104).originals);
  assert.ok(seen.bytes < 1.6 * whole, `${seen.bytes - whole} of ${whole}`);

  const results = [92, 96, 108, 112].map(cut);
  const keys = await Promise.all(results.map(({ originals }) => saveOriginals({ ...store }, 'id', originals)));
  for (const [index, { messages, originals }] of results.entries()) {
    const back = restore(messages, await loadOriginals(store, 'id', keys[index]));
    assert.deepEqual(back, restore(messages, originals));
  }
  assert.ok(keys.includes(await saveOriginals(store, 'id', results[0].originals)));
});

test('a key loads what was saved, also if another process deleted the conversation meanwhile and began it again', async () => {
  const entry = (name, units) => ({ [name]: { id: name, text: `${name} waits for the worker. `.repeat(units / 24) } });
  const first = { ...entry('a', 3000), ...entry('b', 3000) };
  // So much that it takes more than one call.
  const more = { ...first, ...entry('c', 1_500_000), ...entry('d', 3000) };
  for (const { knows, begins } of [false, true].flatMap((knows) => [false, true].map((begins) => ({ knows, begins })))) {
    for (let after = 0, isDone = false; !isDone; after++) {
      const store = memoryStore();
      const other = { ...store };
      let calls = 0;
      const before =
        (method) =>
        async (...given) => {
          if (calls++ === after) {
            await store.delete('id');
            if (begins) await saveOriginals(other, 'id', first);
          }
          return store[method](...given);
        };
      const watched = { ...store, get: before('get'), put: before('put') };
      await saveOriginals(knows ? watched : other, 'id', first);
      const key = await saveOriginals(watched, 'id', more);
      isDone = calls <= after;
      assert.deepEqual(await loadOriginals(store, 'id', key), more, `deleted before call ${after}`);
      assert.ok(after < 50);
    }
  }
});

test('what is damaged in the store is not saved over, and the one who saves hears of it', async () => {
  const store = memoryStore();
  const originals = { a: { id: 'a', text: 'x'.repeat(5000) } };
  const spoilt = {
    ...store,
    put: (id, entries) =>
      store.put(
        id,
        entries.map(([key, value]) => [key, value.replace(/^n./, 'n-')]),
      ),
  };
  await saveOriginals(spoilt, 'id', originals);
  await assert.rejects(saveOriginals({ ...store }, 'id', originals), {
    code: 'ERR_PALIMPSEST_PARTS',
    message: 'saveOriginals(): the store has damaged parts of these originals',
  });
  const forgets = { ...store, put: async () => true };
  await assert.rejects(saveOriginals(forgets, 'other', originals), {
    message: 'saveOriginals(): the store does not have what was put there',
  });
});

test('what is not there is told from what is damaged', async () => {
  const { store } = counted();
  assert.equal(await loadOriginals(store, 'id'), undefined);
  const key = await saveOriginals(store, 'id', { a: { id: 'a', text: 'x'.repeat(5000) } });
  const lossy = {
    ...store,
    get: async (id, keys) => (await store.get(id, keys)).map((value) => (value?.startsWith('l') ? undefined : value)),
  };
  await assert.rejects(loadOriginals(lossy, 'id', key), { code: 'ERR_PALIMPSEST_PARTS' });
  const changed = { ...store, get: async (id, keys) => (await store.get(id, keys)).map((value) => value?.replace('x', 'y')) };
  await assert.rejects(loadOriginals(changed, 'id', key), { code: 'ERR_PALIMPSEST_PARTS' });
  await assert.rejects(saveOriginals({}, 'id', {}), {
    name: 'TypeError',
    message: 'saveOriginals(): store must be a store, such as palimpsest/store/sqlite makes, got object',
  });
  await assert.rejects(saveOriginals(store, 'id', []), { message: 'saveOriginals(): originals must be an object, got array' });
  await assert.rejects(loadOriginals(store, 'id', 5), { message: 'loadOriginals(): key must be a string, got number' });
  await store.delete('id');
  await saveOriginals(store, 'id', { a: { id: 'a', text: 'x'.repeat(5000) } });
  assert.equal((await loadOriginals(store, 'id')).a.text.length, 5000, 'saved again after it was deleted');
});

test('a stored text that is not what was written is refused at once, or says no more than it holds', () => {
  const message = 'loadOriginals(): what the store has is not what was saved, or was saved by a newer version';
  const again = (count) => JSON.stringify({ again: count });
  for (const rows of [
    ['1', again(1e12)],
    ['1', again(1), again(1)],
    ['1', again(-1e12), again(1e12)],
    ['1e12'],
    ['null'],
    ['[0,1e12,2,{}]'],
    ['{'],
  ])
    assert.throws(() => read(['["a",{}]', '', ...rows].join('\n')), { message }, rows.join());

  const { originals } = fit(working('openai-chat', 1, 12), { limit: 2500 });
  const text = written(originals, undefined);
  assert.deepEqual(read(text), originals);
  const numbers = [...text.slice(text.indexOf('\n\n')).matchAll(/\d+/g)].length;
  const number = fc.constantFrom('-1', '1e9', '-1e12', '"1"', 'null', '[]', '{}', '4294967296', '0.5');
  fc.assert(
    fc.property(fc.nat(numbers - 1), number, fc.nat(1), (place, other, isCut) => {
      let count = 0;
      const start = text.indexOf('\n\n');
      const rows = text.slice(start).replace(/\d+/g, (known) => (count++ === place ? other : known));
      const spoilt = isCut ? rows.slice(0, (rows.length * place) / numbers) : rows;
      try {
        assert.ok(JSON.stringify(read(text.slice(0, start) + spoilt)).length < 4 * JSON.stringify(originals).length);
      } catch (error) {
        assert.equal(error.message, message);
      }
    }),
  );
});

/** Secrets of every kind, from the forms that services document. */
const letters = (length) => fc.stringMatching(new RegExp(`^[A-Za-z0-9]{${length}}$`));
const secrets = fc.oneof(
  letters(36).map((text) => `ghp_${text}`),
  letters(40).map((text) => `sk-proj-${text}`),
  fc.stringMatching(/^[A-Z0-9]{16}$/).map((text) => `AKIA${text}`),
  letters(24).map((text) => `sk_live_${text}`),
  letters(24).map((text) => `xoxb-${text}`),
  letters(20).map((text) => `glpat-${text}`),
  letters(36).map((text) => `npm_${text}`),
  letters(35).map((text) => `AIza${text}`),
  fc.tuple(letters(22), letters(43)).map(([a, b]) => `SG.${a}.${b}`),
  fc.tuple(letters(20), letters(40), letters(43)).map(([a, b, c]) => `eyJ${a}.eyJ${b}.${c}`),
  letters(64).map((text) => `-----BEGIN RSA PRIVATE KEY-----\n${text}\n${text}==\n-----END RSA PRIVATE KEY-----`),
);

test('redactSecrets: no secret is left, the words around it are, and the classifier finds no key any more', () => {
  fc.assert(
    fc.property(fc.array(secrets, { minLength: 1, maxLength: 4 }), (list) => {
      const text = `Use this.\n${list.map((secret, index) => `Key ${index} is ${secret}, and it works.`).join('\n')}\nThat is all.`;
      const left = redactSecrets(text);
      for (const secret of list) assert.ok(!left.includes(secret.slice(-12)) || secret.startsWith('-----'), left);
      for (const [, secret] of text.matchAll(/-----\n([A-Za-z0-9]{64})/g)) assert.ok(!left.includes(secret));
      assert.equal(left, `Use this.\n${list.map((_, index) => `Key ${index} is [redacted], and it works.`).join('\n')}\nThat is all.`);
      assert.ok(!classifyMessage(left).reasons?.includes('api_key'));
      assert.equal(redactSecrets(left), left);
    }),
    { numRuns: cases(100) },
  );
  assert.equal(
    redactSecrets('postgres://user:hunter2@db/x Authorization: Bearer abcdefghijklmnop1234'),
    'postgres://user:[redacted]@db/x Authorization: Bearer [redacted]',
  );
  const prose = 'A well-known state-of-the-art method: src/session/policy-for-early-epochs.ts, 3f2a9c, 2026-11-22, call_0123456789abcdef.';
  assert.equal(redactSecrets(prose), prose);
  assert.throws(() => redactSecrets(7), { name: 'TypeError' });
});

test('redactSecrets: time is linear in the text, whatever it is made of', () => {
  const pieces = ['eyJ', '-', 'SG.', 'a', '-----BEGIN PRIVATE KEY-----', 'x://', ':', '@', 'sk-', 'ab_', 'Bearer ', '1'];
  for (const piece of pieces.flatMap((one) => pieces.map((other) => one + other))) redactSecrets(piece.repeat(200_000 / piece.length));
});

test('redacted originals are stored without secrets, and restoring says that they are not exact', async () => {
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
  for (const format of ['openai-chat', 'anthropic', 'ai-sdk-ui']) {
    const history = JSON.parse(JSON.stringify(working(format, 1, 12)).replaceAll('batch 3001', `batch ${secret}`));
    const { messages, originals } = fit(history, { limit: 1500, format });
    for (const redact of [redactSecrets, [/ghp_\w+/]]) {
      const { store, seen } = counted();
      await saveOriginals(store, 'id', originals, { redact });
      assert.ok(!seen.texts.join('\n').includes(secret));
      const back = restore(messages, await loadOriginals(store, 'id'));
      assert.ok(back.redacted.length > 0);
      assert.deepEqual(back.missing, []);
      assert.equal(JSON.stringify(back.messages), JSON.stringify(history).replaceAll(secret, '[redacted]'), format);
    }
    const { store } = counted();
    await saveOriginals(store, 'id', originals, { redact: [/no such text/] });
    assert.deepEqual(restore(messages, await loadOriginals(store, 'id')).messages, history);
  }
  const verbatim = { m1: { id: 'm1', role: 'user', content: `Use ${secret}.` }, m2: { id: 'm2', role: 'user', content: 'Hello.' } };
  const { store } = counted();
  await saveOriginals(store, 'id', verbatim, { redact: redactSecrets });
  const loaded = await loadOriginals(store, 'id');
  assert.deepEqual(loaded, { m1: { id: 'm1', role: 'user', content: 'Use [redacted].', redacted: true }, m2: verbatim.m2 });
});
