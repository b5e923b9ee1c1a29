// Originals of several rounds in one object: nothing is overwritten, and a collision of keys is an error.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fit, mergeOriginals, prune, restore } from 'palimpsest';
import { cases, someOf } from '../support/seed.mjs';
import { FORMATS } from '../support/transcripts.mjs';
import { playRounds } from './rounds.mjs';

const viaJson = (value) => JSON.parse(JSON.stringify(value));
const page = Array.from({ length: 60 }, (_, line) => `export const value${line} = ${line * 7};`).join('\n');
const say = (role, text) => ({ role, parts: [{ text }] });
const call = { role: 'model', parts: [{ functionCall: { name: 'read_file', args: { path: 'a.ts' } } }] };
const result = (output) => ({ role: 'user', parts: [{ functionResponse: { name: 'read_file', response: { output } } }] });
const reads = () => structuredClone([call, result(page), call, result(`${page}\n// changed`)]);
const start = [
  say('user', 'Hi.'),
  say('model', 'Hello.'),
  say('user', 'Look at a.ts.'),
  ...reads(),
  say('model', 'Done.'),
  say('user', 'Again.'),
];
const options = { format: 'gemini', keep: { recent: 0 } };

for (const format of someOf(FORMATS)) {
  test(`whatever is said again and cut again, everything comes back: ${format}`, () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { fault, log } = playRounds(seed, format);
        assert.equal(fault, undefined, `${log.join('\n')}\n${fault}`);
      }),
      { numRuns: cases(60) },
    );
  });
}

test('a stub that went, and whose content comes again in the same place, comes back twice', () => {
  const one = prune(start, options);
  const two = fit(one.messages, { limit: 1, format: 'gemini' });
  const three = prune([...two.messages, ...reads()], options);
  for (const originals of [
    mergeOriginals(one.originals, two.originals, three.originals),
    mergeOriginals(three.originals, viaJson(one.originals), two.originals),
    { ...one.originals, ...two.originals, ...three.originals },
  ]) {
    const back = restore(three.messages, originals);
    assert.deepEqual([back.messages, back.missing], [[...start, ...reads()], []]);
  }
});

test('the same cut has the same key and entry in each round of a conversation that grows', () => {
  const [first, later] = [start, [...start, ...reads(), say('user', 'And?')]].map((messages) => prune(messages, options).originals);
  assert.ok(Object.keys(first).length > 0);
  for (const key of Object.keys(first)) assert.deepEqual(later[key], first[key]);
});

test('originals that were stored, sorted, selected or redacted merge with those that were not', () => {
  const { originals } = fit(start, { limit: 60, format: 'gemini' });
  const { originals: stubs } = prune(start, options);
  const all = { ...originals, ...stubs };
  const entries = (object) => Object.fromEntries(Object.entries(object).map(([key, { order, ...entry }]) => [key, entry]));
  const merged = mergeOriginals(originals, stubs);
  assert.deepEqual(entries(merged), all);
  assert.deepEqual(mergeOriginals(all, viaJson(all), all), merged);
  assert.deepEqual(mergeOriginals(merged, viaJson(merged)), merged);
  assert.deepEqual(mergeOriginals(), {});
  for (const [key, entry] of Object.entries(all)) {
    const redacted = { ...entry, redacted: true };
    assert.equal(mergeOriginals({ [key]: redacted }, { [key]: entry })[key].redacted, undefined);
    assert.equal(mergeOriginals({ [key]: entry }, { [key]: redacted })[key].redacted, undefined);
    // The first entry of a round holds the fingerprints of all.
    const { prints, ...rest } = entry;
    if (prints !== undefined) assert.equal(mergeOriginals({ [key]: entry }, { [key]: rest })[key].prints, prints);
  }
  const spoilt = viaJson(all);
  assert.equal(JSON.stringify(entries(mergeOriginals(all, {}))), JSON.stringify(all));
  assert.deepEqual(all, spoilt, 'what is given is not changed');
});

test('merged rounds stay in their order in a store that sorts keys; objects that were merged apart are told from merged ones', () => {
  const sorted = (object) => Object.fromEntries(Object.entries(viaJson(object)).sort(([a], [b]) => (a < b ? -1 : 1)));
  const rounds = [];
  let now = [];
  for (let count = 0; count < 6; count++) {
    const fitted = fit([...now, ...start, say('user', `Number ${count}.`)], { limit: 30 + 20 * count, format: 'gemini' });
    rounds.push(fitted.originals);
    now = fitted.messages;
  }
  const orders = (originals) => [...new Set(Object.values(originals).map(({ order }) => order))];
  const merged = mergeOriginals(...rounds.map(sorted));
  assert.deepEqual(orders(merged), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(sorted(mergeOriginals(sorted(mergeOriginals(...rounds.slice(0, 4))), ...rounds.slice(4))), sorted(merged));
  const whole = restore(now, merged);
  assert.deepEqual(whole.missing, []);
  const apart = { ...mergeOriginals(...rounds.slice(0, 3)), ...mergeOriginals(...rounds.slice(3)) };
  for (const originals of [sorted(merged), apart]) assert.deepEqual(restore(now, originals), whole);
  // Rounds that look alike, in a store that sorts keys.
  assert.equal(playRounds(232222958, 'openai-chat').fault, undefined);
});

test('two entries under one key are an error that names the key, and nothing is overwritten', () => {
  const { originals } = fit(start, { limit: 60, format: 'gemini' });
  const { originals: stubs } = prune(start, options);
  const entries = Object.values({ ...originals, ...stubs });
  assert.ok(entries.length > 1);
  for (const [index, entry] of entries.entries()) {
    const other = entries[(index + 1) % entries.length];
    assert.throws(() => mergeOriginals({ key: entry }, { key: other }), {
      code: 'ERR_PALIMPSEST_COLLISION',
      message: /^mergeOriginals\(\).*"key"/,
    });
    for (const field of ['of', 'left', 'at', 'before', 'now']) {
      if (typeof entry[field] !== 'string' && typeof entry[field] !== 'number') continue;
      const changed = { ...entry, [field]: typeof entry[field] === 'string' ? 'x'.repeat(11) : entry[field] + 1 };
      assert.throws(() => mergeOriginals({ key: entry }, { key: changed }), { code: 'ERR_PALIMPSEST_COLLISION' }, field);
    }
  }
});

test('wrong arguments are refused by name', () => {
  for (const [wrong, message] of [
    [undefined, /^mergeOriginals\(\): originals\[1\] must be an object, got undefined/],
    [[], /^mergeOriginals\(\): originals\[1\] must be an object, got array/],
    [{ key: 'text' }, /^mergeOriginals\(\): originals\[1\]\["key"\] is no original/],
    [{ key: { hash: 1, of: '', left: '', places: 1 } }, /^mergeOriginals\(\): originals\[1\]\["key"\]\.places is not what was stored/],
  ])
    assert.throws(() => mergeOriginals({}, wrong), { name: 'TypeError', message });
});

test('what is nested as deep as is taken can be given back', () => {
  for (const levels of [330, 500, 900, 990]) {
    for (const make of [(inner) => [inner], (inner) => ({ inner }), (inner, level) => (level % 2 ? [inner] : { inner })]) {
      let deep = 'x'.repeat(50);
      for (let level = 0; level < levels; level++) deep = make(deep, level);
      const messages = [
        { role: 'user', parts: [{ text: page }], metadata: deep },
        { role: 'model', parts: [{ text: 'ok' }] },
        { role: 'user', parts: [{ text: 'Go on.' }] },
      ];
      const { messages: left, originals } = fit(messages, { format: 'gemini', limit: 30 });
      assert.ok(Object.keys(originals).length > 0);
      for (const kept of [originals, viaJson(originals)]) {
        const back = restore(left, kept);
        assert.deepEqual(back.missing, []);
        assert.equal(JSON.stringify(back.messages), JSON.stringify(messages));
      }
    }
  }
});
