// The texts that are hashed to fingerprints (lib/agent/fingerprint.js), against a plain recursive reference. Stored originals hold fingerprints, so
// that no later version may write another text.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { Random } from '../support/random.mjs';

const require = createRequire(import.meta.url);
const { canonical, messageText } = require('../../lib/agent/fingerprint.js');

const BREAKPOINTS = ['cache_control', 'cacheControl', 'cachePoint'];
const DATA = ['input', 'args', 'arguments', 'output', 'result', 'response'];
const isJson = (value) => !['undefined', 'function', 'symbol'].includes(typeof value);
const isObject = (value) => value !== null && typeof value === 'object';
const onlySets = (options) =>
  isObject(options) && Object.values(options).every((own) => isObject(own) && Object.keys(own).every((key) => BREAKPOINTS.includes(key)));
const isBreakpoint = (key, value) => BREAKPOINTS.includes(key) || (key === 'providerOptions' && onlySets(value));

/** The only text of content that is a single text block. */
function loneText(content) {
  const isLone = Array.isArray(content) && content.length === 1 && content[0]?.type === 'text' && typeof content[0].text === 'string';
  return isLone && Object.keys(content[0]).every((key) => ['type', 'text', ...BREAKPOINTS].includes(key)) ? content[0].text : undefined;
}

function textOf(value, isMessage) {
  if (typeof value === 'string') return `${value.length}"${value}`;
  if (typeof value === 'number' && !Number.isFinite(value)) return 'null;';
  if (!isObject(value)) return `${value};`;
  if (typeof value.toJSON === 'function') return textOf(value.toJSON(), isMessage);
  if (Array.isArray(value)) return `${value.length}[${value.map((item) => textOf(isJson(item) ? item : null, isMessage)).join('')}`;
  const keys = Object.keys(value).filter((key) => isJson(value[key]) && !(isMessage && isBreakpoint(key, value[key])));
  const memberOf = (key) => {
    const lone = isMessage && key === 'content' ? loneText(value[key]) : undefined;
    return textOf(lone ?? value[key], isMessage && !(isObject(value[key]) && DATA.includes(key)));
  };
  return `${keys.length}{${keys
    .sort()
    .map((key) => textOf(key, false) + memberOf(key))
    .join('')}`;
}

const KEYS = ['role', 'content', 'text', 'type', 'providerOptions', 'tool_calls', '', 'é', '10', '9', 'name', 'z', ...BREAKPOINTS, ...DATA];
const TEXTS = ['', 'a', 'user', '[…]', 'ä\u{1f600}', '\ud800', 'x'.repeat(100)];

/** A value of up to `levels` levels. */
function randomValue(random, levels) {
  const pick = (list) => random.pick(list);
  const many = (most) => random.integer(0, most);
  const scalars = [
    () => pick(TEXTS),
    () => pick([0, -1.5, Number.NaN, 1e21]),
    () => pick([null, true, false]),
    () => pick([undefined, textOf]),
  ];
  const inner = () => randomValue(random, levels - 1);
  const object = () => Object.fromEntries(Array.from({ length: many(5) }, () => [pick(KEYS), inner()]));
  const nests = [
    object,
    () => Array.from({ length: many(3) }, inner),
    () => ({ content: [{ type: 'text', text: pick(TEXTS), ...(random.chance(0.5) ? { cache_control: {} } : {}) }] }),
    () => ({ providerOptions: { anthropic: { cacheControl: {} } }, text: pick(TEXTS) }),
    () => {
      const json = object();
      return { toJSON: () => json };
    },
    () => Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${(7 * index) % 20}`, inner()])),
  ];
  return pick(levels > 0 && random.chance(0.7) ? nests : scalars)();
}

test('texts of fingerprints are those of a plain reference', () => {
  const random = new Random(11);
  for (let round = 0; round < 5_000; round++) {
    const value = randomValue(random, 4);
    if (!isJson(value)) continue;
    assert.equal(canonical(value), textOf(value, false));
    assert.equal(messageText(value), textOf(value, true));
  }
});
