// What every store keeps to, as tests.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { cases } from '../support/seed.mjs';

const WRITER = fileURLToPath(new URL('writer.mjs', import.meta.url));
const { NODE_TEST_CONTEXT: _, ...env } = process.env;

/** Any UTF-16 code units: lone surrogates, U+0000, and what an encoding could take for its own. */
const units = fc.array(fc.oneof(fc.constantFrom(0x22, 0x5c, 0, 0xd800, 0xdc00, 0xfeff, 0x7b), fc.nat(0xffff)), {
  minLength: 1,
  maxLength: 40,
});
const texts = units.map((list) => String.fromCharCode(...list));

let count = 0;
const newId = () => `conversation ${++count} of ${process.pid}`;

/**
 * @param {string} name
 * @param {() => Promise<{ store: import('../../index.d.ts').Store, close: () => Promise<void>, shared?: object }>} open `shared` is what another
 *   process needs to open it too (writer.mjs); without it two writers of this process do
 * @param {string | false} [skip] why it can't run here
 */
export function contract(name, open, skip = false) {
  const it = (title, work) => test(`${name}: ${title}`, { skip }, work);
  let opened;
  let store;
  before(async () => {
    if (skip) return;
    opened = await open();
    store = opened.store;
  });
  after(() => opened?.close());

  it('values come back by their keys, in the order that was asked for', async () => {
    const id = newId();
    assert.deepEqual(await store.get(id, ['a']), [undefined]);
    await store.put(id, [
      ['a', '1'],
      ['b', ''],
    ]);
    assert.deepEqual(await store.get(id, ['b', 'none', 'a', 'b']), ['', undefined, '1', '']);
    assert.deepEqual(await store.get(newId(), ['a']), [undefined], 'another conversation');
    assert.deepEqual(await store.get(id, []), []);
    await store.put(id, []);
  });

  it('a value that is there stays, whatever is put again', async () => {
    const id = newId();
    await store.put(id, [
      ['a', 'first'],
      ['a', 'second'],
    ]);
    await store.put(id, [
      ['b', 'new'],
      ['a', 'third'],
    ]);
    assert.deepEqual(await store.get(id, ['a', 'b']), ['first', 'new']);
  });

  it('a state is replaced by whoever loaded the latest, and by nobody else', async () => {
    const id = newId();
    assert.equal(await store.load(id), undefined);
    assert.equal(await store.save(id, 'x', 5), 0, 'there is none');
    const first = await store.save(id, 'one', 0);
    assert.ok(Number.isSafeInteger(first) && first > 0);
    assert.deepEqual(await store.load(id), { state: 'one', version: first });
    assert.equal(await store.save(id, 'x', 0), 0, 'there is one');
    const second = await store.save(id, 'two', first);
    assert.ok(second > 0 && second !== first);
    assert.equal(await store.save(id, 'x', first), 0, 'it is older');
    assert.deepEqual(await store.load(id), { state: 'two', version: second });
  });

  it('of many that save at once one wins', async () => {
    const id = newId();
    for (let version = 0, round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => store.save(id, `${round} ${index}`, version)));
      const winners = answers.flatMap((answer, index) => (answer > 0 ? [index] : []));
      assert.equal(winners.length, 1);
      version = answers[winners[0]];
      assert.deepEqual(await store.load(id), { state: `${round} ${winners[0]}`, version });
    }
  });

  it('delete removes values and state, of that conversation alone', async () => {
    const [id, other] = [newId(), newId()];
    for (const one of [id, other]) await store.put(one, [['a', one]]);
    const version = await store.save(id, 'old', 0);
    await store.save(other, 'other', 0);
    await store.delete(id);
    assert.equal(await store.load(id), undefined);
    assert.deepEqual(await store.get(id, ['a']), [undefined]);
    assert.deepEqual(await store.get(other, ['a']), [other]);
    assert.equal((await store.load(other)).state, 'other');
    await store.delete(id);
    // Begun again by another process: who still holds the old version must not overwrite that.
    assert.ok((await store.save(id, 'new', 0)) > 0);
    assert.equal(await store.save(id, 'stale', version), 0);
    assert.equal((await store.load(id)).state, 'new');
  });

  it('with a version, values are inserted only while the state has it', async () => {
    const id = newId();
    assert.equal(await store.put(id, [['a', '1']]), true);
    assert.equal(await store.put(id, [['b', '1']], 5), false, 'there is no state');
    const first = await store.save(id, 'one', 0);
    assert.equal(await store.put(id, [['c', '1']], first), true);
    const second = await store.save(id, 'two', first);
    assert.equal(await store.put(id, [['d', '1']], first), false, 'it is older');
    assert.equal(await store.put(id, [['a', '2']], second), true);
    assert.deepEqual(await store.get(id, ['a', 'b', 'c', 'd']), ['1', undefined, '1', undefined]);
  });

  it('a worker that comes late leaves nothing behind after delete', async () => {
    const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
    for (let round = 0; round < 12; round++) {
      const id = newId();
      const version = await store.save(id, 'state', 0);
      const late = keys.map((key) => store.put(id, [[key, 'late']], version));
      const answers = await Promise.all([...late, store.delete(id)]);
      assert.ok(answers.slice(0, -1).every((answer) => typeof answer === 'boolean'));
      assert.equal(await store.put(id, [['after', 'late']], version), false);
      assert.deepEqual(new Set(await store.get(id, ['after', ...keys])), new Set([undefined]));
    }
  });

  it('any strings come back as they were, and are told from each other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(texts, { minLength: 2, maxLength: 6 }), async (list) => {
        const ids = list.slice(0, 2).map((text) => `${newId()}${text}`);
        for (const id of ids) {
          await store.put(
            id,
            list.map((text) => [text, id + text]),
          );
          assert.deepEqual(
            await store.get(id, list),
            list.map((text) => id + text),
          );
          await store.save(id, list[0], 0);
          assert.equal((await store.load(id)).state, list[0]);
        }
        // An id may be nothing but such characters.
        await store.delete(list[1]);
        await store.put(list[0], [['own', list[0]]]);
        assert.deepEqual(await store.get(list[0], ['own']), [list[0]]);
        assert.deepEqual(await store.get(list[1], ['own']), [undefined]);
        await store.delete(list[0]);
      }),
      { numRuns: cases(25) },
    );
  });

  it('large values and many of them', async () => {
    const id = newId();
    const large = 'Zeile mit Umlauten: äöü, 漢字, 😀.\n'.repeat(100_000);
    await store.put(id, [['large', large]]);
    assert.ok((await store.get(id, ['large']))[0] === large);
    const many = Array.from({ length: 3000 }, (_, index) => [`key ${index}`, `value ${index}`]);
    await store.put(id, many);
    const keys = many.map(([key]) => key).reverse();
    assert.deepEqual(
      await store.get(id, keys),
      keys.map((key) => key.replace('key', 'value')),
    );
    const state = JSON.stringify({ text: large.slice(0, 1_000_000) });
    await store.save(id, state, 0);
    assert.ok((await store.load(id)).state === state);
    await store.delete(id);
  });

  it('arguments of the wrong type or size are refused, by their place and without what they say', async () => {
    const SECRET = 'sk-very-secret';
    const cases = [
      [() => store.get(7, []), TypeError, 'get(): id must be a string, got number'],
      [() => store.get('', []), RangeError, 'get(): id must have 1 to 1000 bytes, got 0'],
      [() => store.get(SECRET.repeat(100), []), RangeError, 'get(): id must have 1 to 1000 bytes, got 1400'],
      [() => store.get('id', 'a'), TypeError, 'get(): keys must be an array, got string'],
      [() => store.get('id', [null]), TypeError, 'get(): keys[0] must be a string, got null'],
      [() => store.get('id', Array(10_001).fill('a')), RangeError, 'get(): keys must be at most 10000, got 10001'],
      [() => store.put('id', [SECRET]), TypeError, 'put(): entries[0] must be an array of a key and a value, got string'],
      [
        () =>
          store.put('id', [
            ['a', 'b'],
            ['a', {}],
          ]),
        TypeError,
        'put(): entries[1][1] must be a string, got object',
      ],
      [() => store.put('id', [['ä'.repeat(501), '']]), RangeError, 'put(): entries[0][0] must have 1 to 1000 bytes, got 1002'],
      [
        () => store.put('id', [['a', SECRET.repeat(2 ** 21)]]),
        RangeError,
        'put(): entries[0][1] must have at most 16777216 bytes (maxValueBytes), got 29360128',
      ],
      [
        () => store.save('id', SECRET.repeat(2 ** 19), 0),
        RangeError,
        'save(): state must have at most 4194304 bytes (maxStateBytes), got 7340032',
      ],
      [() => store.put('id', [['a', '']], 0), TypeError, 'put(): version must be that of load(), got 0'],
      [() => store.save('id', {}, 0), TypeError, 'save(): state must be a string, got object'],
      [() => store.save('id', '', -1), TypeError, 'save(): version must be that of load(), or 0, got -1'],
      [() => store.save('id', ''), TypeError, 'save(): version must be that of load(), or 0, got undefined'],
      [() => store.load(), TypeError, 'load(): id must be a string, got undefined'],
      [() => store.delete(), TypeError, 'delete(): id must be a string, got undefined'],
    ];
    for (const [call, type, message] of cases) await assert.rejects(call, (error) => error instanceof type && error.message === message);
    assert.equal(await store.load('id'), undefined);
    assert.deepEqual(await store.get('id', ['a']), [undefined]);
  });

  it('writers and deleters of one conversation do not hinder each other', async () => {
    const id = newId();
    const keys = Array.from({ length: 60 }, (_, index) => `key ${index}`);
    const rounds = Array.from({ length: 8 });
    const put = (list) =>
      store.put(
        id,
        list.map((key) => [key, key]),
      );
    const save = async () => store.save(id, 'state', (await store.load(id))?.version ?? 0);
    await Promise.all(rounds.flatMap(() => [put(keys), put(keys.toReversed()), store.delete(id), save(), store.delete(id)]));
    const values = await store.get(id, keys);
    values.forEach((value, index) => assert.ok(value === undefined || value === keys[index]));
    await store.delete(id);
    assert.equal(await store.load(id), undefined);
    assert.deepEqual(new Set(await store.get(id, keys)), new Set([undefined]));
  });

  it('two processes that write to one conversation lose nothing', async () => {
    const [id, rounds] = [newId(), 40];
    const write = async (writer) => {
      const { shared } = opened;
      if (shared === undefined) return (await import('./writer.mjs')).write(store, id, writer, rounds);
      const { stdout } = await promisify(execFile)(process.execPath, [WRITER, JSON.stringify({ shared, id, writer, rounds })], { env });
      return JSON.parse(stdout);
    };
    const seen = await Promise.all(['a', 'b'].map(write));
    const { steps } = JSON.parse((await store.load(id)).state);
    for (const writer of ['a', 'b']) {
      const own = steps.filter(([name]) => name === writer).map(([, round]) => round);
      assert.deepEqual(own, [...Array(rounds).keys()], `the steps of ${writer}`);
    }
    assert.equal(steps.length, 2 * rounds);
    assert.deepEqual(seen[0].values, seen[1].values, 'both see the value that came first');
  });
}
