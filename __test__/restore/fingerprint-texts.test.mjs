// The texts that are hashed to fingerprints (lib/equality/canonical.ts), against a plain recursive reference. Stored originals hold fingerprints, so
// that no later version may write another text.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { fit } from 'palimpsest';
import { Random } from '../support/random.mjs';

const require = createRequire(import.meta.url);
const { canonicalTexts } = require('../../unbundled/equality/canonical.js');
const { CANONICAL_PIECE } = require('../../unbundled/generated/layout.js');
const native = require('../../unbundled/native.js').default;

const { MAX_SHORT } = CANONICAL_PIECE;

/** What the engine makes of pieces. */
const printsOf = ({ pieces, short, strings }) => native.fingerprints(pieces, short, strings);
/** A text that is hashed as it is. */
function whole(texts) {
  const pieces = texts.flatMap((text) => [(text.length << CANONICAL_PIECE.KIND_BITS) | CANONICAL_PIECE.RAW, CANONICAL_PIECE.END]);
  const isShort = (text) => text.length <= MAX_SHORT;
  return {
    pieces: Uint32Array.from(pieces),
    short: texts.filter(isShort).join(''),
    strings: texts.filter((text) => !isShort(text)),
  };
}

const BREAKPOINTS = ['cache_control', 'cacheControl', 'cachePoint', 'prompt_cache_breakpoint', 'promptCacheBreakpoint'];
/** Members of a message that no format sends. */
const UNSENT = ['createdAt', 'created_at', 'updatedAt', 'updated_at', 'timestamp', 'metadata', 'usage'];
const PLAIN_PARTS = ['text', 'input_text', 'tool_use'];
const DATA = ['input', 'args', 'arguments', 'output', 'result', 'response'];
const isJson = (value) => !['undefined', 'function', 'symbol'].includes(typeof value);
const isObject = (value) => value !== null && typeof value === 'object';
const areBreakpoints = (own) => isObject(own) && Object.keys(own).every((key) => BREAKPOINTS.includes(key));
const isBreakpoint = (key, value) =>
  BREAKPOINTS.includes(key) ||
  (key === 'providerOptions' && isObject(value) && Object.values(value).every(areBreakpoints)) ||
  (key === 'metadata' && areBreakpoints(value) && Object.keys(value).length > 0);
const isCachePoint = (block) => isObject(block) && block.cachePoint !== undefined && Object.keys(block).length === 1;
/** Whether a member is nothing that a provider gets; `at` is where it stands: in a message, in a part of its content, or elsewhere. */
function isIgnored(key, value, owner, at) {
  if (at === undefined) return false;
  if (isBreakpoint(key, value)) return true;
  if (at === 'message' && key === 'id')
    return typeof owner.role === 'string' && owner.type === undefined && !(Array.isArray(owner.content) && owner.content.some(isOfItem));
  if (at === 'message') return UNSENT.includes(key);
  return at === 'part' && (key === 'createdAt' || (key === 'metadata' && PLAIN_PARTS.includes(owner.type)));
}
const isOfItem = (part) => part?.type === 'input_text';

/** The only text of content that is a single text block. */
function loneText(content, at) {
  const isLone = Array.isArray(content) && content[0]?.type === 'text' && typeof content[0].text === 'string';
  return isLone &&
    content.slice(1).every(isCachePoint) &&
    Object.keys(content[0]).every((key) => key === 'type' || key === 'text' || isIgnored(key, content[0][key], content[0], at))
    ? content[0].text
    : undefined;
}

/** @param at as above; undefined in data, and where nothing is ignored */
function textOf(value, at) {
  if (typeof value === 'string') return `${value.length}"${value}`;
  if (typeof value === 'number' && !Number.isFinite(value)) return 'null;';
  if (!isObject(value)) return `${value};`;
  if (typeof value.toJSON === 'function') return textOf(value.toJSON(), at);
  if (Array.isArray(value)) {
    const items = at !== undefined ? value.filter((item) => !isCachePoint(item)) : value;
    return `${items.length}[${items.map((item) => textOf(isJson(item) ? item : null, at)).join('')}`;
  }
  const keys = Object.keys(value).filter((key) => isJson(value[key]) && !isIgnored(key, value[key], value, at));
  const memberOf = (key) => {
    const inner = at === 'elsewhere' || key !== 'content' ? 'elsewhere' : 'part';
    const lone = at !== undefined && key === 'content' ? loneText(value[key], inner) : undefined;
    return textOf(lone ?? value[key], at === undefined || DATA.includes(key) ? undefined : inner);
  };
  return `${keys.length}{${keys
    .sort()
    .map((key) => textOf(key) + memberOf(key))
    .join('')}`;
}

const NAMES = ['role', 'id', 'content', 'text', 'type', 'providerOptions', 'tool_calls', '', 'é', '10', '9', 'name', 'z', 'created'];
const KEYS = [...NAMES, ...BREAKPOINTS, ...UNSENT, ...DATA];
const TEXTS = [
  '',
  'a',
  'user',
  ...PLAIN_PARTS,
  '[…]',
  'ä\u{1f600}',
  '\ud800',
  ...[100, MAX_SHORT, MAX_SHORT + 1].map((length) => 'x'.repeat(length)),
];

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
    () => ({
      content: [
        {
          type: 'text',
          text: pick(TEXTS),
          ...pick([
            {},
            { cache_control: {} },
            { metadata: { seen: true } },
            { providerOptions: { anthropic: { cacheControl: {} } } },
            { providerOptions: { openai: {} } },
          ]),
        },
      ],
    }),
    () => [{ type: 'text', text: pick(TEXTS) }, { cachePoint: {} }],
    () => ({ content: [{ type: pick(TEXTS), text: '', metadata: inner() }, { cachePoint: {} }] }),
    () => ({ role: 'user', id: inner(), content: [{ type: pick(TEXTS) }], [pick(UNSENT)]: inner() }),
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
  const values = Array.from({ length: 5_000 }, () => randomValue(random, 4)).filter(isJson);
  // All at once: what stood in the texts before is not handed over again.
  for (const [given, isMessage] of [values, ...values.map((value) => [value])].flatMap((list) => [
    [list, false],
    [list, true],
  ])) {
    const texts = given.map((value) => textOf(value, isMessage ? 'message' : undefined));
    assert.equal(printsOf(canonicalTexts(given, isMessage)), printsOf(whole(texts)), texts[0]);
  }
});

test('more texts and scalars than get numbers are hashed too', () => {
  const value = Array.from({ length: 70_000 }, (_, index) => [index, `${index}`]);
  assert.equal(printsOf(canonicalTexts([value, value], false)), printsOf(whole([textOf(value), textOf(value)])));
});

test('pieces that name what is not there are errors', () => {
  const { KNOWN, TEXT, END, KIND_BITS } = CANONICAL_PIECE;
  const textOfLength = (length) => Uint32Array.of((length << KIND_BITS) | TEXT, END);
  assert.throws(() => native.fingerprints(Uint32Array.of(KNOWN, END), '', []), /a piece has no such number/);
  assert.throws(() => native.fingerprints(textOfLength(3), 'ab', []), /a short text is missing/);
  assert.throws(() => native.fingerprints(textOfLength(MAX_SHORT + 1), '', []), /expected a string/);
  assert.throws(() => native.fingerprints(textOfLength(MAX_SHORT + 1), '', ['ab']), /not as long as it is said to be/);
});

test('a circle that the toJSON of an SDK follows without end is named', () => {
  const calls = [];
  calls.push(calls);
  calls.toJSON = () => [];
  const message = new AIMessage({ content: 'It waited for the lock of the backup. '.repeat(60), additional_kwargs: {} });
  message.additional_kwargs.tool_calls = calls;
  const history = [new HumanMessage('Why did it wait? '.repeat(40)), message, new HumanMessage('And now?')];
  assert.throws(() => fit(history, { limit: 30 }), { name: 'TypeError', message: /messages must not be circular$/ });
});
