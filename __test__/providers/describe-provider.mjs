// What holds of every provider and dialect, tested with one description of it.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { countTokens, createSession, fit, restore, validate } from '../../unbundled/index.js';
import { breakIt, changes } from '../support/broken.mjs';
import { objectionTo } from '../support/providers/formats.mjs';
import { Random } from '../support/random.mjs';
import { cases, SEED } from '../support/seed.mjs';
import { answered, dialogue, someEdits, wordy } from '../support/transcripts.mjs';
import { testFit, testPrune, testSession } from './histories.mjs';
import { put } from './draw.mjs';
import { Draw, inFormat, kindsOf } from './index.mjs';
import { withMarks } from './marked.mjs';

const require = createRequire(import.meta.url);
const { hintsOf } = require('../../unbundled/providers/hints.js');
const { formatOf } = require('../../unbundled/providers/index.js');
const { rules } = require('../../unbundled/providers/shared/rules.js');

/**
 * @typedef {object} Provider
 * @property {string} name of the format
 * @property {object} [format] what `defineFormat` returned; then there are none of the fields from `recognised` on
 * @property {(dialogue: object) => object[]} say writes a conversation that `dialogue` draws
 * @property {(messages: object[]) => void | Promise<void>} judge throws a `Refusal` where the provider, or the SDK before it, answers with an error
 * @property {RegExp} [newer] of its objections, those to what `validate` takes for newer than itself. Only with it are the two compared
 *   on whatever is broken
 * @property {(messages: object[]) => object[]} [answer] gives calls at the end their results, where these are no messages
 * @property {(text: string) => object} [system] an instruction, if it is a message
 * @property {(draw: Draw) => object} user a message of the user's
 * @property {(draw: Draw) => object[]} plain an exchange of words alone
 * @property {(message: object) => string[]} wordsOf what the user says in a message
 * @property {(draw: Draw) => { messages: object[], close: Function }} open an exchange that waits: `close` adds what for
 * @property {Record<string, Function>} [opens] others that wait
 * @property {Record<string, Record<string, (draw: Draw) => object[]>>} kinds for each kind of content an exchange that has it, from the user's
 *   words to the answer. Lists are named as in `__test__/types/kinds.mts`, which reads their names from the SDKs' declarations; `more` has what no
 *   type names
 * @property {Record<string, string>} [places] where the kinds of a list stand, for the docs
 * @property {(messages: object[]) => object[]} [inFormat] adds what the format has beside the content
 * @property {object[]} recognised messages that only this format has
 * @property {object[]} [tools] of requests, which tell the format beside any messages
 * @property {object[]} [instructions] the same beside the messages
 * @property {[object, string][]} refused messages that can't be read, with the end of the error
 * @property {{ name: string, said: (part: object) => object }} [unknown] the model's message with a part of the type `hologram`, and its name in reports
 * @property {() => object[]} valid a conversation; written from the provider's documentation, like all that follows
 * @property {Record<string, [string, unknown][]>} broken for each rule of `validate` the places that it names, and the value there that breaks
 *   this rule and no other, or an edit that does
 * @property {Record<string, (messages: object[]) => void>} accepted edits that come close to a rule and break none
 */

const viaJson = (value) => JSON.parse(JSON.stringify(value));
/** As a store keeps it. LangChain's instances are no JSON. */
const kept = (name) => (name === 'langchain' ? (value) => value : viaJson);
const choices = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 });
/** The value at a part's path. */
const at = (messages, { message, path }) => path.reduce((value, key) => value[key], messages[message]);
/** Edits whose texts are never empty, as a caller of `write` has to see to. */
const editsOf = (parts, numbers) => someEdits(parts, numbers).map((edit) => (edit.text === '' ? { ...edit, text: 'stub' } : edit));
/** Nothing may differ, apart from key order and -0 in JSON. */
function assertSame(actual, expected) {
  assert.deepEqual(actual, expected);
  assert.equal(JSON.stringify(actual), JSON.stringify(expected));
}

/** Defines the tests of a provider. */
export function describeProvider(/** @type {Provider} */ provider) {
  const { name, format = name } = provider;
  const read = (messages) => formatOf(messages, format);
  const runs = (count) => ({ numRuns: cases(count) });
  describe(`${name}: messages`, () => {
    if (provider.recognised) describeRecognition(provider);
    describeReading(provider, read, runs);
    describeRestoring(provider, read, runs);
  });
  describe(`${name}: every kind of content`, () => describeKinds(provider));
  if (provider.valid) describe(`${name}: validate`, () => describeRules(provider, runs));
  if (provider.unknown) describeUnknown(provider);
}

// ---- Whose messages they are --------------------------------------------------------------------------------------

function describeRecognition({ name, recognised, say, tools = [], instructions = [] }) {
  const beside = [
    ...tools.flatMap((some) => [{ tools: some }, { tools: some, system: 'Be kind.' }]),
    ...instructions.map((system) => ({ system })),
  ];

  test('a single message that only this format has decides', () => {
    for (const message of recognised) assert.equal(formatOf([message]).name, name, JSON.stringify(message));
  });

  test('conversations are recognised, and every prefix of one with what stands beside it', () => {
    fc.assert(
      fc.property(dialogue, (spoken) => {
        const messages = say(spoken);
        // Messages of users alone fit more than one format, and read the same in each.
        if (spoken.turns.some(({ calls }) => calls?.length > 0)) assert.equal(formatOf(messages).name, name);
        else assert.deepEqual(formatOf(messages).read(messages), formatOf(messages, name).read(messages));
        for (const request of beside) {
          const hints = hintsOf(request);
          for (let length = messages.length; length > 0; length--)
            assert.equal(
              formatOf(messages.slice(0, length), 'auto', hints).name,
              name,
              `${length} of ${messages.length}, ${JSON.stringify(request)}`,
            );
        }
      }),
      { numRuns: cases(150) },
    );
  });
}

// ---- Parts --------------------------------------------------------------------------------------------------------

function describeReading(provider, formatFor, runs) {
  const { name, say, refused = [] } = provider;

  test('all texts, calls and results are read, in order and paired', () => {
    fc.assert(
      fc.property(dialogue, (spoken) => {
        const messages = say(spoken);
        const parts = formatFor(messages).read(messages);
        const calls = spoken.turns.flatMap((turn) => turn.calls ?? []);
        // Those that the provider ran are none of the dialogue's.
        const read = parts.filter(({ kind, locked }) => kind === 'call' && locked !== 'run by the provider');
        assert.deepEqual(
          read.map((part) => part.name),
          calls.map((call) => call.name),
        );
        const answers = parts.filter((part) => part.call !== undefined);
        assert.ok(
          answers.every(({ call }) => parts[call]?.kind === 'call'),
          'every result has its call',
        );
        assert.deepEqual(
          new Set(answers.map(({ call }) => read.indexOf(parts[call])).filter((index) => index >= 0)),
          new Set([...calls.keys()].filter((index) => calls[index].answered)),
        );
        const said = spoken.turns.flatMap(({ who, text }) => (who === 'user' ? [text] : []));
        const users = parts.filter(({ role, kind }) => role === 'user' && kind === 'text').map(({ text }) => text);
        let next = 0;
        for (const text of users) if (text === said[next]) next++;
        assert.equal(next, said.length, 'every text of the user, in order');
        assert.deepEqual(new Set(parts.map(({ message }) => message)), new Set(messages.keys()), 'every message has a part');
        for (const part of parts) {
          const value = at(messages, part);
          if (part.text !== '' && typeof value === 'string') assert.equal(value, part.text);
        }
        // Without edits every message is the same object.
        const written = formatFor(messages).write(messages, []);
        assert.equal(written.length, messages.length);
        written.forEach((message, index) => assert.equal(message, messages[index]));
      }),
      runs(200),
    );
  });

  test('a text edit changes that text and copies only its ancestors', () => {
    fc.assert(
      fc.property(dialogue.map(say), choices, (messages, numbers) => {
        const format = formatFor(messages);
        const parts = format.read(messages);
        const edits = editsOf(parts, numbers).filter(({ remove }) => !remove);
        const frozen = JSON.stringify(messages);
        const written = format.write(messages, edits);
        assert.equal(JSON.stringify(messages), frozen, 'the input is as it was');
        const edited = new Map(edits.map(({ part, text }) => [part, text]));
        const again = format.read(written);
        assert.equal(again.length, parts.length);
        parts.forEach((part, index) => {
          const text = edited.get(part);
          const now = again[index];
          if (text === undefined) assert.equal(now.text, part.text);
          // An object that had to stay one holds the text.
          else if (part.kind === 'call')
            assert.deepEqual(
              part.text.startsWith('{') ? JSON.parse(now.text) : now.text,
              part.text.startsWith('{') ? JSON.parse(text) : text,
            );
          else if (now.text !== text)
            assert.ok([`{"output":${JSON.stringify(text)}}`, `{"error":${JSON.stringify(text)}}`].includes(now.text));
        });
        const touched = new Set(edits.map(({ part }) => part.message));
        written.forEach((message, index) => {
          if (!touched.has(index)) return assert.equal(message, messages[index]);
          assert.equal(Object.getPrototypeOf(message), Object.getPrototypeOf(messages[index]));
          assert.deepEqual(Object.keys(message), Object.keys(messages[index]), 'keys keep their order');
        });
        // Siblings of what was edited are the same objects.
        for (const part of parts) {
          if (!touched.has(part.message) || edited.has(part) || part.path.length < 2) continue;
          const top = { message: part.message, path: part.path.slice(0, 2) };
          const inside = edits.some(
            (edit) => edit.part.message === part.message && edit.part.path[0] === part.path[0] && edit.part.path[1] === part.path[1],
          );
          const mirrored = name === 'langchain';
          if (!inside && !mirrored) assert.equal(at(written, top), at(messages, top));
        }
      }),
      runs(200),
    );
  });

  test('valid messages stay valid, whatever is replaced and removed', async () => {
    await fc.assert(
      fc.asyncProperty(wordy, choices, async (spoken, numbers) => {
        const messages = say(spoken);
        assert.equal(await objectionTo(provider, answered(provider, messages, spoken)), null, 'the generator');
        const format = formatFor(messages);
        const frozen = JSON.stringify(messages);
        const written = format.write(messages, editsOf(format.read(messages), numbers));
        assert.equal(await objectionTo(provider, answered(provider, written, spoken)), null);
        assert.equal(JSON.stringify(messages), frozen, 'the input is as it was');
      }),
      runs(400),
    );
  });

  if (refused.length === 0) return;
  test('a message that can’t be read is named by its path, with the value there', () => {
    for (const [message, complaint] of [...refused, [null, ' must be an object, got null']]) {
      const separator = /^[[ ]/.test(complaint) ? '' : '.';
      assert.throws(() => formatFor([]).read([message]), { name: 'TypeError', message: `messages[0]${separator}${complaint}` }, complaint);
    }
  });
}

// ---- What was taken out, and comes back ---------------------------------------------------------------------------

function describeRestoring({ name, say }, formatFor, runs) {
  const keep = kept(name);
  const round = (messages, numbers) => {
    const format = formatFor(messages);
    return withMarks(messages, format, someEdits(format.read(messages), numbers));
  };

  test('restores what edits took out, with messages appended, both through JSON; never changes what it is given', () => {
    fc.assert(
      fc.property(dialogue, dialogue, choices, (spoken, later, numbers) => {
        const given = say(spoken);
        const frozen = JSON.stringify(given);
        const more = say(later);
        const { messages, originals } = round(given, numbers);
        assert.equal(JSON.stringify(given), frozen, 'the input is as it was');
        const made = JSON.stringify([messages, originals]);
        const again = round(given, numbers);
        assert.equal(JSON.stringify([again.messages, again.originals]), made, 'it is deterministic');
        for (const [out, stored] of [
          [messages, originals],
          [keep(messages), keep(originals)],
        ]) {
          const back = restore([...out, ...more], stored);
          assertSame(back.messages, out === messages ? [...given, ...more] : [...keep(given), ...more]);
          assert.equal(back.restored, Object.keys(originals).length);
          assert.ok(back.missing.every((key) => !(key in originals)));
        }
        assert.equal(JSON.stringify([messages, originals]), made, 'and so is what restore is given');
      }),
      runs(150),
    );
  });

  test('restores several rounds on a growing conversation, the last one first', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(dialogue, choices), { minLength: 2, maxLength: 4 }), (rounds) => {
        let full = [];
        let current = [];
        let originals = {};
        for (const [spoken, numbers] of rounds) {
          const more = say(spoken);
          full = [...full, ...more];
          const result = round([...current, ...more], numbers);
          current = result.messages;
          originals = { ...originals, ...result.originals };
        }
        assertSame(restore(keep(current), keep(originals)).messages, keep(full));
      }),
      runs(100),
    );
  });
}

// ---- Kinds of content ---------------------------------------------------------------------------------------------

/** An id that an exchange gave, as {@link Draw.id} makes it. */
const ID = /^[a-z]+_7_\d+$/;
const idsIn = (value, found = new Set()) => {
  if (typeof value === 'string' && ID.test(value)) found.add(value);
  if (value !== null && typeof value === 'object') for (const inner of Object.values(value)) idsIn(inner, found);
  return found;
};
/** A message without one of its parts; undefined if it has no others. */
const withoutPart = (message, index) => {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(message)), message);
  const parts = (message.parts ?? message.content).toSpliced(index, 1);
  if (parts.length === 0) return undefined;
  copy[message.parts === undefined ? 'content' : 'parts'] = parts;
  return copy;
};

function describeKinds(provider) {
  const each = (run) => async () => {
    const random = new Random(SEED);
    for (let count = 0; count < 6; count++) await run(random.integer(0, 2 ** 31));
  };
  test(
    'histories of any kinds fit every limit from the minimum on, are valid and come back',
    each((seed) => testFit(provider, seed, 8)),
  );
  test(
    'pruned histories of any kinds are valid and come back',
    each((seed) => testPrune(provider, seed)),
  );
  test('each request of a session with any kinds is valid and within the limit', () => testSession(provider, SEED));

  test('the judge refuses an exchange without one of two things that belong together', async () => {
    let refused = 0;
    for (const [list, kind, make] of kindsOf(provider)) {
      const messages = [...make(new Draw(new Random(1), 7)), provider.user(new Draw(new Random(1), 8))];
      const removals = [];
      messages.forEach((message, index) => {
        removals.push({ ids: idsIn(message), left: messages.toSpliced(index, 1) });
        const parts = message.parts ?? message.content;
        if (!Array.isArray(parts) || parts.length < 2) return;
        parts.forEach((part, place) => {
          // LangChain has its calls twice in a message, and the AI SDK an approved call of the provider's in two.
          const others =
            provider.name === 'langchain'
              ? message.tool_calls
              : messages.flatMap(({ content }) => content ?? []).filter((one) => one !== part && one.type === part.type);
          const again = part.type?.startsWith('tool') ? idsIn(others) : new Set();
          const ids = new Set([...idsIn(part)].filter((id) => !again.has(id)));
          removals.push({ ids, left: messages.with(index, withoutPart(message, place)) });
        });
      });
      for (const { ids, left } of removals) {
        const stays = idsIn(left);
        if (![...ids].some((id) => stays.has(id))) continue;
        refused++;
        assert.notEqual(await objectionTo(provider, inFormat(provider, left)), null, `${list}: ${kind}: ${JSON.stringify(left)}`);
      }
    }
    // A UI message holds a call and its result in one part.
    assert.ok(refused > 2 || ['ai-sdk-ui', 'mastra'].includes(provider.name), String(refused));
  });
}

// ---- Rules --------------------------------------------------------------------------------------------------------

/** The examples that break a rule, as `[rule, place, edit]`. */
export const brokenOf = ({ broken }) =>
  Object.entries(broken).flatMap(([rule, examples]) =>
    examples.map(([place, edit]) => [rule, place, typeof edit === 'function' ? edit : put(place, edit)]),
  );

/** The valid conversation after an edit. */
export function edited({ valid }, edit) {
  const messages = valid();
  edit(messages);
  return messages;
}

function describeRules(provider, runs) {
  const { name: format, say, broken, accepted, valid, newer } = provider;

  test('each rule has an example, and each example is of a rule', () => {
    const claimed = Object.entries(rules).flatMap(([rule, { formats }]) => (formats.includes(format) ? [rule] : []));
    assert.deepEqual(Object.keys(broken).sort(), claimed.sort());
  });

  test('the valid example has no problem, also for the judge', async () => {
    assert.deepEqual(validate(valid(), { format }), []);
    if (newer) assert.equal(await objectionTo(format, viaJson(valid())), null);
  });

  for (const [rule, place, edit] of brokenOf(provider)) {
    test(`${rule} at messages${place}, and nothing else`, async () => {
      const messages = edited(provider, edit);
      const problems = validate(messages, { format });
      assert.deepEqual(
        problems.map((problem) => ({ rule: problem.rule, path: problem.path })),
        [{ rule, path: `messages${place}` }],
      );
      assert.ok(problems[0].message.endsWith(rules[rule].why));
      if (newer) assert.notEqual(await objectionTo(format, viaJson(messages)), null);
    });
  }

  for (const [what, edit] of Object.entries(accepted)) {
    test(`no problem with ${what}`, async () => {
      const messages = edited(provider, edit);
      assert.deepEqual(validate(messages, { format }), []);
      if (!newer) return;
      const objection = await objectionTo(format, viaJson(messages));
      if (objection !== null) assert.match(objection, newer);
    });
  }

  if (!newer) return;
  test('a broken conversation has a problem exactly where the judge refuses it, and one that is not broken has none', async () => {
    const seen = { refused: 0, accepted: 0 };
    const { numRuns } = runs(400);
    await fc.assert(
      fc.asyncProperty(wordy, changes, async (spoken, all) => {
        const whole = viaJson(say(spoken));
        const problems = validate(answered(provider, whole, spoken), { format });
        assert.deepEqual(problems, []);
        const messages = breakIt(whole, all);
        const objection = await objectionTo(format, viaJson(messages));
        const found = validate(messages, { format });
        seen[objection === null ? 'accepted' : 'refused']++;
        if (objection === null) assert.deepEqual(found, []);
        else assert.ok(found.length > 0 || newer.test(objection), `the judge says: ${objection}`);
      }),
      { numRuns, includeErrorInReport: true },
    );
    // Changes that never broke anything, or always did, would show nothing.
    assert.ok(seen.refused > numRuns / 10 && seen.accepted > numRuns / 20, JSON.stringify(seen));
  });
}

// ---- What it does not know ----------------------------------------------------------------------------------------

function describeUnknown({ name: format, user, unknown: { name, said } }) {
  test(`${format}: an unknown kind is named once, counted by its size and goes with its turn`, () => {
    const random = new Random(SEED);
    const count = random.integer(1, 5);
    const asked = (number) => user(new Draw(random, number));
    const data = (index) => `${index} ${'light '.repeat(random.integer(100, 400))}`;
    const turns = Array.from({ length: count }, (_, index) => [asked(index), said({ type: 'hologram', data: data(index) })]);
    const last = asked(count);
    const history = [...turns.flat(), last];
    const whole = fit(history, { format, limit: 1e6 });
    assert.deepEqual(whole.report.unknownKinds, { [name]: count });
    const small = countTokens([last], { format });
    assert.ok(whole.tokens.before > small + 80 * count, `${whole.tokens.before}`);
    assert.equal(whole.exact, false);
    const { messages, fits } = fit(history, { format, limit: Math.ceil(whole.tokens.before / 2) });
    const left = JSON.stringify(messages);
    if (count > 2) assert.ok(fits);
    // What is left of it is as it was.
    for (const turn of turns.slice(0, -1)) {
      const part = JSON.stringify(turn[1]).match(/"\d (?:light )+"/)[0];
      assert.ok(left.includes(part) || !left.includes(part.slice(0, 12)), part.slice(0, 12));
    }
    const session = createSession({ format, limit: 1e6 });
    assert.deepEqual(session.next(history.slice(0, 2)).report.unknownKinds, { [name]: 1 });
    assert.equal(session.next(history).report.unknownKinds, undefined);
    // A resumed session has told, too, whatever is changed in front of it.
    const saved = viaJson(session);
    const changed = [asked(count + 1), ...history];
    for (const one of [session, createSession({ format, limit: 1e6 }, saved)]) {
      one.next(history);
      assert.equal(one.next(changed).report.unknownKinds, undefined);
    }
  });
}
