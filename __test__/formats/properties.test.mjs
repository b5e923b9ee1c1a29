// Reading and writing generated conversations of every format: nothing is overlooked, nothing else is touched, and what is
// written is as valid as what was read.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';

import { convertToModelMessages, safeValidateUIMessages } from 'ai';
import fc from 'fast-check';

import { cases } from '../support/seed.mjs';
import { FORMATS, dialogue, sayIn, someEdits, transcript } from '../support/transcripts.mjs';
import { complaintsOf } from '../support/valid.mjs';

const require = createRequire(import.meta.url);
const { formatOf } = require('../../unbundled/providers/index.js');

const choices = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 });
/** The value at a part's path. */
const at = (messages, { message, path }) => path.reduce((value, key) => value[key], messages[message]);
/** Edits whose texts are never empty, as a caller of `write` has to see to. */
const editsOf = (parts, numbers) => someEdits(parts, numbers).map((edit) => (edit.text === '' ? { ...edit, text: 'stub' } : edit));

for (const name of FORMATS) {
  describe(name, () => {
    const runs = { numRuns: cases(200) };

    test('is detected', () => {
      // Messages of users alone fit more than one format, and read the same in each.
      fc.assert(
        fc.property(dialogue, (spoken) => {
          const messages = sayIn(name, spoken);
          if (spoken.turns.some(({ calls }) => calls?.length > 0)) assert.equal(formatOf(messages).name, name);
          else assert.deepEqual(formatOf(messages).read(messages), formatOf(messages, name).read(messages));
        }),
        runs,
      );
    });

    test('all texts, calls and results are read, in order and paired', () => {
      fc.assert(
        fc.property(dialogue, (spoken) => {
          const messages = sayIn(name, spoken);
          const parts = formatOf(messages, name).read(messages);
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
        }),
        runs,
      );
    });

    test('without edits every message is the same object', () => {
      fc.assert(
        fc.property(transcript(name), (messages) => {
          const written = formatOf(messages, name).write(messages, []);
          assert.equal(written.length, messages.length);
          written.forEach((message, index) => assert.equal(message, messages[index]));
        }),
        runs,
      );
    });

    test('a text edit changes that text and copies only its ancestors', () => {
      fc.assert(
        fc.property(transcript(name), choices, (messages, numbers) => {
          const format = formatOf(messages, name);
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
        runs,
      );
    });

    test('valid messages stay valid, whatever is replaced and removed', () => {
      fc.assert(
        fc.property(transcript(name), choices, (messages, numbers) => {
          assert.deepEqual(complaintsOf[name](messages), [], 'the generator');
          const format = formatOf(messages, name);
          const frozen = JSON.stringify(messages);
          const written = format.write(messages, editsOf(format.read(messages), numbers));
          assert.deepEqual(complaintsOf[name](written), []);
          assert.equal(JSON.stringify(messages), frozen, 'the input is as it was');
        }),
        { numRuns: cases(400) },
      );
    });
  });
}

test("the AI SDK's own checks accept written UIMessages, and every call that it converts has its result", async () => {
  await fc.assert(
    fc.asyncProperty(transcript('ai-sdk-ui'), choices, async (messages, numbers) => {
      const format = formatOf(messages, 'ai-sdk-ui');
      const written = format.write(messages, editsOf(format.read(messages), numbers));
      if (written.length === 0) return;
      const { success, error } = await safeValidateUIMessages({ messages: written });
      assert.ok(success, error?.message);
      const before = complaintsOf['ai-sdk-model'](await convertToModelMessages(messages));
      if (before.length === 0) assert.deepEqual(complaintsOf['ai-sdk-model'](await convertToModelMessages(written)), []);
    }),
    { numRuns: cases(60) },
  );
});
