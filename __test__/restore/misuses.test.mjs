// Loops that misuse originals: everything is restored, or what isn't is named; and originals grow with the history only.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import fc from 'fast-check';

import { countTokens, fit, restore } from 'palimpsest';
import { cases, IS_WHOLE, someOf } from '../support/seed.mjs';
import { FORMATS, dialogue, sayIn } from '../support/transcripts.mjs';
import { sorted, viaJson } from './stores.mjs';

// ---- What others add to messages ------------------------------------------------------------------------------------

const BREAKPOINT = { type: 'ephemeral' };
const isAdded = (key, value) => key === 'cache_control' || key === 'created_at' || (key === 'id' && /^row-/.test(value));
const isMarking = (key, value) => key === 'providerOptions' && value?.anthropic?.cacheControl !== undefined;

/** Returns a message without the additions of the misuses, with a single text block as its text, and its keys sorted. */
function bare(value) {
  if (Array.isArray(value)) return value.map(bare);
  if (value === null || typeof value !== 'object') return value;
  const keys = Object.keys(value)
    .filter((key) => value[key] !== undefined && !isAdded(key, value[key]) && !isMarking(key, value[key]))
    .sort();
  const copy = keys.map((key) => [key, key === 'content' ? alone(bare(value[key])) : bare(value[key])]);
  return { __proto__: null, members: copy };
}
/** The text of content that is a single text block; a block is a list of members here. */
function alone(content) {
  const members = Array.isArray(content) && content.length === 1 ? (content[0].members ?? []) : [];
  const { type, text, ...others } = Object.fromEntries(members);
  return type === 'text' && typeof text === 'string' && Object.keys(others).length === 0 ? text : content;
}
const printOf = (message) => JSON.stringify(bare(viaJson(message)));
const breakpoints = (messages) => JSON.stringify(messages).match(/"cache_?[cC]ontrol":/g)?.length ?? 0;

const withoutBreakpoints = (message) => {
  const { providerOptions, ...rest } = message;
  const kept = isMarking('providerOptions', providerOptions) || providerOptions === undefined ? rest : message;
  if (!Array.isArray(kept.content)) return kept;
  return { ...kept, content: kept.content.map(({ cache_control, ...block }) => block) };
};
/** Adds a breakpoint as Anthropic's users or those of the AI SDK do; undefined if there is no place for one. */
function withBreakpoint(name, message) {
  if (name === 'ai-sdk-model')
    return { ...message, providerOptions: { ...message.providerOptions, anthropic: { cacheControl: BREAKPOINT } } };
  const content = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
  if (!Array.isArray(content) || content.length === 0) return undefined;
  return { ...message, content: content.with(-1, { ...content.at(-1), cache_control: BREAKPOINT }) };
}
const HAVE_BREAKPOINTS = ['anthropic', 'ai-sdk-model'];

// ---- The loops -------------------------------------------------------------------------------------------------------

/** Changes to the messages and originals between two rounds, by name. */
const STORES = {
  nothing: (loop) => loop,
  json: ({ stored, originals, ...rest }) => ({ ...rest, stored: viaJson(stored), originals: viaJson(originals) }),
  'sorted keys': ({ stored, originals, ...rest }) => ({ ...rest, stored: sorted(viaJson(stored)), originals: sorted(viaJson(originals)) }),
  'undefined properties': ({ stored, ...rest }) => ({ ...rest, stored: stored.map((message) => ({ ...message, nothing: undefined })) }),
  'ids of rows': ({ stored, ...rest }) => ({
    ...rest,
    stored: stored.map((message, index) => (message.id === undefined ? { ...message, id: `row-${index}`, created_at: index } : message)),
  }),
  'a breakpoint': ({ stored, name, ...rest }) => {
    const unmarked = stored.map(withoutBreakpoints);
    const marked = withBreakpoint(name, unmarked.at(-1));
    return { ...rest, name, stored: marked ? unmarked.with(-1, marked) : unmarked };
  },
};
const STORES_OF = (name) =>
  name === 'langchain' ? ['nothing'] : Object.keys(STORES).filter((store) => store !== 'a breakpoint' || HAVE_BREAKPOINTS.includes(name));

const LONG_MARK = /\[…( \d+ |: | lines )/;
/** Returns the indices of messages with marks, including short messages if another mark shows a gap. */
function markedIn(messages, isCut) {
  const has = (mark) => (message) => !['system', 'developer'].includes(message.role ?? message.type) && mark.test(JSON.stringify(message));
  if (!isCut && !messages.some(has(LONG_MARK))) return [];
  return messages.flatMap((message, index) => (has(/\[…\]/)(message) || has(LONG_MARK)(message) ? [index] : []));
}

/** Returns the messages that are named by their places. */
const placesIn = (missing) => missing.flatMap((name) => name.match(/^messages\[(\d+)\]$/)?.[1] ?? []).map(Number);

/** Asserts that everything is as it was, or is named; `ever`: everything that was stored at any time. */
function judge({ messages, missing }, truth, ever) {
  const [is, was] = [messages, truth].map((list) => list.map(printOf));
  const places = placesIn(missing);
  const keys = missing.length - places.length;
  for (const index of markedIn(messages, keys > 0)) {
    const isNamed = places.includes(index) || missing.some((key) => JSON.stringify(messages[index]).includes(`[palimpsest:${key} `));
    assert.ok(isNamed, `messages[${index}] holds a mark and is not named`);
  }
  if (keys === 0 && is.length === was.length && is.every((print, index) => print === was[index])) return true;
  // All restored messages were written or stored, are in order, and none is at a place where it never was.
  const known = new Map(was.map((print, index) => [print, index]));
  const others = is.flatMap((print, index) => (known.has(print) ? [] : [index]));
  for (const index of others) assert.ok(ever.has(is[index]), `messages[${index}] was never said: ${is[index]}`);
  assert.ok(others.length <= keys + places.filter((index) => others.includes(index)).length, 'more differs than is named');
  assert.ok(keys > 0, `lost without a word: ${JSON.stringify({ is, was, missing })}`);
  return false;
}

const round = (name) =>
  fc.record({
    spoken: dialogue,
    share: fc.constantFrom(0.1, 0.3, 0.6, 0.9),
    thinking: fc.constantFrom('keep', 'strip', 'leave'),
    store: fc.constantFrom(...STORES_OF(name)),
    hold: fc.constantFrom('rightly', 'rightly', 'full history', 'merged', 'forgotten'),
  });

/** In real conversations, ids differ from round to round. */
const renumbered = (messages, turn) =>
  messages[0]?.lc_namespace ? messages : JSON.parse(JSON.stringify(messages).replaceAll(/"call_(?=\d)/g, `"call_${turn}_`));

const seen = { exact: 0, named: 0, largest: 0 };

for (const name of someOf(FORMATS)) {
  describe(name, () => {
    test('restored exactly or named, whatever was done between the rounds, with originals that don’t grow', () => {
      fc.assert(
        fc.property(fc.array(round(name), { minLength: 2, maxLength: 5 }), (rounds) => {
          let [truth, stored, originals, size] = [[], [], {}, 0];
          /** Everything that was stored. */
          const ever = new Set();
          for (const [turn, { spoken, share, thinking, store, hold }] of rounds.entries()) {
            const more = renumbered(sayIn(name, { ...spoken, system: turn === 0 ? spoken.system : null }), turn);
            truth = [...truth, ...more];
            const given = hold === 'full history' ? truth : [...stored, ...more];
            const options = { format: name, thinking, limit: Math.floor(countTokens(given, { format: name }) * share) };
            const fitted = fit(given, hold === 'forgotten' ? options : { ...options, originals });
            if (hold === 'forgotten') {
              // The messages that are cut already are named, and are the history from now on.
              assert.deepEqual(placesIn(fitted.missing), markedIn(given, false));
              truth = given;
            }
            size += JSON.stringify(more).length + 300 * more.length;
            const carried = JSON.stringify(fitted.originals).length;
            seen.largest = Math.max(seen.largest, carried / size);
            assert.ok(carried <= 3 * size, `${carried} characters of originals for ${size}`);
            const kept = hold === 'merged' ? { ...originals, ...fitted.originals } : fitted.originals;
            ({ stored, originals } = STORES[store]({ name, stored: fitted.messages, originals: kept }));
            const back = restore(stored, originals);
            for (const message of stored) ever.add(printOf(message));
            const isExact = judge(back, truth, ever);
            // Breakpoints of removed messages come back with them.
            if (isExact) assert.ok(breakpoints(back.messages) >= breakpoints(stored), 'a breakpoint is gone');
            seen[isExact ? 'exact' : 'named']++;
          }
        }),
        { numRuns: cases(15) },
      );
    });
  });
}
test('both outcomes were reached', { skip: !IS_WHOLE && 'not all cases are tried' }, () => {
  assert.ok(seen.exact > cases(50) && seen.named > cases(2) && seen.largest > 0.5, JSON.stringify(seen));
});

test('excerpts with an ellipsis in brackets are nobody’s marks', () => {
  const chat = [
    { role: 'user', content: 'What do they write?' },
    { role: 'assistant', content: `They write: The harbour was closed […]\n${'It was a long day for all of them. '.repeat(40)}` },
    { role: 'user', content: 'And then?' },
  ];
  assert.deepEqual(fit(chat, { limit: 1000 }).missing, []);
  const { messages, originals } = fit(chat, { limit: 100 });
  assert.deepEqual(restore(messages, originals), { messages: chat, missing: [], restored: Object.keys(originals).length });
  // With originals that nothing needs,
  assert.deepEqual(fit([chat[1], chat[0], chat[2]], { limit: 1000, originals }).missing, []);
  // beside another mark.
  const cut = { role: 'assistant', content: 'one\n[… 42 lines]\n' };
  assert.deepEqual(fit([...chat, cut], { limit: 1000 }).missing, ['messages[1]', 'messages[3]']);
  assert.deepEqual(restore([...chat, cut], {}).missing, ['messages[1]', 'messages[3]']);
});

// ---- Growth ----------------------------------------------------------------------------------------------------------

const TURNS = 60;
const lines = (turn) =>
  Array.from({ length: 60 }, (_, line) => `12:${turn}:${line} worker-${(line * turn) % 7} wrote ${line * 31 + turn} rows`).join('\n');
const turnOf = (turn) => [
  { role: 'user', content: [{ type: 'text', text: `Please do job ${turn}, which is about topic ${turn * 7}.` }] },
  { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${turn}`, name: 'Bash', input: { command: `cat ${turn}.log` } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${turn}`, content: lines(turn) }] },
  { role: 'assistant', content: [{ type: 'text', text: `Job ${turn} is done, with ${turn * 31} rows, and it took a while to do.` }] },
];
const moveBreakpoint = (messages) => {
  const unmarked = messages.map(withoutBreakpoints);
  return unmarked.with(-1, withBreakpoint('anthropic', unmarked.at(-1)));
};

/** Messages that each turn fits, and originals that it passes, by name: a function of the loop's state and the turn's messages. */
const LOOPS = {
  'a full history, with originals': ({ all, originals }) => ({ given: all, passed: originals }),
  'a full history whose breakpoint moves': ({ all, originals }) => ({ given: moveBreakpoint(all), passed: originals }),
  'a full history, with merged originals': ({ all, merged }) => ({ given: all, passed: merged }),
  'a full history in which messages are deleted': ({ all, originals }, turn) => ({
    given: all.filter((_, index) => index % 16 !== 5 || index > 4 * turn - 8),
    passed: originals,
  }),
  'a window over a full history': ({ all, originals }) => ({ given: all.slice(-80), passed: originals }),
  'what was sent': ({ sent, originals }, _, more) => ({ given: [...sent, ...more], passed: originals }),
  'what was sent, whose breakpoint moves': ({ sent, originals }, _, more) => ({
    given: moveBreakpoint([...sent, ...more]),
    passed: originals,
  }),
  'what was sent, with merged originals': ({ sent, merged }, _, more) => ({ given: [...sent, ...more], passed: merged }),
  'what was sent, of which the start is dropped': ({ sent, originals }, _, more) => ({
    given: [...sent.slice(2), ...more],
    passed: originals,
  }),
};

for (const [name, loop] of someOf(Object.entries(LOOPS))) {
  test(`originals stay linear in the history: ${name}`, () => {
    const state = { all: [], sent: [], originals: {}, merged: {} };
    for (let turn = 0; turn < TURNS; turn++) {
      const more = turnOf(turn);
      state.all = [...state.all, ...more];
      const { given, passed } = loop(state, turn, more);
      const fitted = fit(given, { limit: 3000, originals: passed });
      state.sent = fitted.messages;
      state.originals = fitted.originals;
      state.merged = { ...state.merged, ...fitted.originals };
      const size = JSON.stringify(fitted.originals).length;
      const said = JSON.stringify(state.all).length;
      // If they grew with the square of the history, they would be thirty times as large.
      assert.ok(size <= 2.5 * said + 2000, `turn ${turn}: ${size} characters of originals for ${said}`);
      const back = restore(fitted.messages, fitted.originals);
      assert.deepEqual(back.missing.slice().sort(), fitted.missing.slice().sort(), 'fit names what restore names');
      // Dropped messages are named, and their originals are carried.
      if (/window|dropped/.test(name)) assert.ok(fitted.missing.every((key) => Object.hasOwn(fitted.originals, key)));
      else assert.deepEqual(fitted.missing, []);
      if (!name.includes('dropped'))
        assert.deepEqual(back.messages.map(printOf), (name.startsWith('what') ? state.all : given).map(printOf));
    }
  });
}
