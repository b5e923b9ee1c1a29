import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import uncompressing from '../unbundled/drop-in/uncompress.js';
import { cases } from './support/seed.mjs';

const { uncompress } = uncompressing;

const message = (id, content = `original ${id}`) => ({ id, index: 0, role: 'user', content });
const summary = (id, ids, more = {}) => ({
  ...message(id, '[summary: s]'),
  ...more,
  metadata: { source: 'test', _cce_original: { ids, summary_id: 'cce_sum_q', version: 3 } },
});
const storeOf = (...messages) => Object.fromEntries(messages.map((one) => [one.id, one]));
const idsOf = (one) => one.metadata?._cce_original?.ids ?? [];

test('originals come back by reference and nothing is changed', () => {
  const a = Object.freeze(message('a'));
  const plain = Object.freeze(message('p'));
  const input = Object.freeze([Object.freeze(summary('a', Object.freeze(['a']))), plain]);
  const { messages } = uncompress(input, Object.freeze({ a }));
  assert.equal(messages[0], a);
  assert.equal(messages[1], plain);
  assert.notEqual(messages, input);
});

test('D3: own properties of a store are found, inherited ones are not', () => {
  for (const id of ['toString', 'constructor', '__proto__', 'hasOwnProperty']) {
    const kept = summary('s', [id]);
    const missed = uncompress([kept], {});
    assert.equal(missed.messages[0], kept);
    assert.deepEqual(missed.missing_ids, [id]);

    const original = message(id);
    const store = Object.defineProperty({}, id, { value: original, enumerable: true });
    assert.equal(uncompress([kept], store).messages[0], original);
    const bare = Object.create(null);
    bare[id] = original;
    assert.equal(uncompress([kept], bare).messages[0], original);
  }
  const inherited = Object.create({ a: message('a') });
  assert.deepEqual(uncompress([summary('s', ['a'])], inherited).missing_ids, ['a']);
});

test('D6: a partly found summary stays behind its originals and stands for the missing ones', () => {
  const input = summary('a', ['a', 'gone', 'c', 'lost'], { tool_calls: [], extra: 1 });
  const [a, c] = [message('a'), message('c')];
  const result = uncompress([message('x'), input, message('z')], storeOf(a, c));

  assert.deepEqual(result, {
    messages: [
      message('x'),
      a,
      c,
      {
        ...input,
        metadata: { source: 'test', _cce_original: { ids: ['gone', 'lost'], summary_id: 'cce_sum_q', version: 3 } },
      },
      message('z'),
    ],
    messages_expanded: 1,
    messages_passthrough: 2,
    missing_ids: ['gone', 'lost'],
  });
  assert.deepEqual(Object.keys(result.messages[3]), Object.keys(input));
  assert.deepEqual(idsOf(input), ['a', 'gone', 'c', 'lost']);
});

test('D6: a second call with the complete store restores every original once', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => message(id));
  const first = uncompress([summary('a', ['a', 'b', 'c'])], storeOf(a, c));
  const second = uncompress(first.messages, storeOf(a, b, c));
  assert.deepEqual(second.messages, [a, c, b]);
  assert.deepEqual(second.missing_ids, []);
});

test('D6 with recursive: the copy is not looked up again, and the counts are those of the contract', () => {
  const mid = summary('mid', ['a', 'gone']);
  const a = message('a');
  assert.deepEqual(uncompress([summary('top', ['mid'])], storeOf(mid, a), { recursive: true }), {
    messages: [a, summary('mid', ['gone'])],
    messages_expanded: 2,
    messages_passthrough: 0,
    missing_ids: ['gone'],
  });
});

test('recursive ends even if provenance multiplies with every pass', () => {
  const many = (id) => Array.from({ length: 50 }, () => id);
  const bomb = { loop: summary('loop', many('loop')) };
  const { messages } = uncompress([summary('top', ['loop'])], bomb, { recursive: true });
  assert.ok(messages.length < 2_000_000, `${messages.length} messages`);
  assert.ok(messages.every((one) => one === bomb.loop));

  const tower = {};
  for (let level = 0; level < 12; level++) tower[`l${level}`] = summary(`l${level}`, many(`l${level + 1}`));
  assert.ok(uncompress([tower.l0], tower, { recursive: true }).messages.length < 2_000_000);
});

test('a message of a million ids is restored like any other', () => {
  const ids = Array.from({ length: 1_000_000 }, (_, i) => `m${i}`);
  const original = message('m');
  const whole = uncompress([summary('s', ids)], () => original);
  assert.equal(whole.messages.length, ids.length);
  assert.equal(uncompress([summary('s', ids)], () => undefined, { recursive: true }).missing_ids.length, 2 * ids.length);
});

test('a look-up function gets the id and nothing else', () => {
  const calls = [];
  uncompress([summary('s', ['a', 'b'])], (...args) => void calls.push(args));
  assert.deepEqual(calls, [['a'], ['b']]);
});

test('wrong arguments', () => {
  const typeError = (message) => ({ name: 'TypeError', message });
  assert.throws(() => uncompress([null], {}), typeError('uncompress(): messages[0] must be an object, got null'));
  assert.throws(() => uncompress([message('a'), undefined], {}), typeError('uncompress(): messages[1] must be an object, got undefined'));
  assert.throws(() => uncompress([], {}, true), typeError('uncompress(): options must be an object, got boolean'));
  assert.throws(() => uncompress([summary('s', ['a'])], async () => message('a')), {
    name: 'TypeError',
    message: 'uncompress(): store must return the original or undefined, got promise: load the originals first',
  });
  const failure = new Error('disk');
  assert.throws(
    () =>
      uncompress([summary('s', ['a'])], () => {
        throw failure;
      }),
    (error) => error === failure,
  );
  assert.deepEqual(uncompress([], {}, null).messages, []);
});

/** Section 6 of the contract word for word, without the partly found summary. */
function contractUncompress(messages, store, recursive) {
  const find = (id) => (Object.hasOwn(store, id) ? store[id] : undefined);
  const onePass = (input) => {
    const result = { messages: [], expanded: 0, passthrough: 0, missing: [] };
    for (const one of input) {
      const found = idsOf(one).map(find).filter(Boolean);
      result.missing.push(...idsOf(one).filter((id) => !find(id)));
      if (found.length > 0) result.expanded++;
      else result.passthrough++;
      result.messages.push(...(found.length > 0 ? found : [one]));
    }
    return result;
  };
  let pass = onePass(messages);
  let { expanded } = pass;
  const missing = [...pass.missing];
  for (let extra = 0; recursive && extra < 10 && pass.messages.some((one) => idsOf(one).length > 0); extra++) {
    pass = onePass(pass.messages);
    expanded += pass.expanded;
    missing.push(...pass.missing);
    if (pass.expanded === 0) break;
  }
  return { messages: pass.messages, messages_expanded: expanded, messages_passthrough: pass.passthrough, missing_ids: missing };
}

const anyId = fc.constantFrom('a', 'b', 'c', 'd', 'e', '__proto__', 'toString', '1', '');
const anyMessage = fc.oneof(
  anyId.map((id) => message(id)),
  fc.tuple(anyId, fc.array(anyId, { maxLength: 3 })).map(([id, ids]) => summary(id, ids)),
);
const anyStore = fc.array(fc.tuple(anyId, anyMessage)).map((entries) => {
  const store = {};
  for (const [key, value] of entries) {
    Object.defineProperty(store, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return store;
});

test('any messages and any store: results follow the contract, except for summaries that stay', () => {
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 4 }), anyStore, fc.boolean(), (messages, store, recursive) => {
      const before = JSON.stringify([messages, store]);
      const ours = uncompress(messages, store, { recursive });
      assert.equal(JSON.stringify([messages, store]), before);

      const given = new Set([...messages, ...Object.values(store)]);
      const kept = ours.messages.filter((one) => !given.has(one));
      assert.ok(kept.every((one) => idsOf(one).length > 0));
      assert.ok(kept.every((one) => idsOf(one).every((id) => !Object.hasOwn(store, id))));
      assert.deepEqual(
        { ...ours, messages: ours.messages.filter((one) => given.has(one)) },
        contractUncompress(messages, store, recursive),
      );
    }),
    { numRuns: cases(500) },
  );
});

test('originals split over two stores are each restored once', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }), { maxLength: 5 }), (groups) => {
      const early = {};
      const all = {};
      const messages = groups.map((group, g) => {
        const ids = group.map((known, k) => {
          const original = message(`${g}.${k}`);
          all[original.id] = original;
          if (known) early[original.id] = original;
          return original.id;
        });
        return summary(ids[0], ids);
      });
      const restored = uncompress(uncompress(messages, early).messages, all);
      assert.deepEqual(restored.missing_ids, []);
      assert.equal(restored.messages.length, Object.keys(all).length);
      assert.deepEqual(new Set(restored.messages), new Set(Object.values(all)));
    }),
  );
});
