// What was taken out comes back exactly, whatever the format, the way it was stored and the number of rounds.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';

import fc from 'fast-check';

import { restore } from '../index.mjs';
import { FORMATS, dialogue, sayIn, someEdits, transcript } from './support/transcripts.mjs';

const require = createRequire(import.meta.url);
const { formatOf } = require('../lib/formats/index.js');
const { applyEdits } = require('../lib/agent/originals.js');

const viaJson = (value) => JSON.parse(JSON.stringify(value));
/** LangChain's instances are no JSON. */
const stored = (format) => (format === 'langchain' ? (value) => value : viaJson);
const choices = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 });
const say = () => 'stale read of src/a.ts, "120" lines';

function round(messages, name, numbers) {
  const format = formatOf(messages, name);
  return applyEdits(messages, format, someEdits(format.read(messages), numbers), say);
}

/** Key order and -0 aside from JSON, nothing may differ. */
function assertSame(actual, expected) {
  assert.deepEqual(actual, expected);
  assert.equal(JSON.stringify(actual), JSON.stringify(expected));
}

for (const name of FORMATS) {
  describe(name, () => {
    const keep = stored(name);

    test('restores what edits took out, with messages appended, both through JSON; never changes what it is given', () => {
      fc.assert(fc.property(dialogue, dialogue, choices, (spoken, later, numbers) => {
        const given = sayIn(name, spoken);
        const frozen = JSON.stringify(given);
        const more = sayIn(name, later);
        const { messages, originals } = round(given, name, numbers);
        assert.equal(JSON.stringify(given), frozen, 'the input is as it was');
        const made = JSON.stringify([messages, originals]);
        for (const [out, kept] of [[messages, originals], [keep(messages), keep(originals)]]) {
          const back = restore([...out, ...more], kept);
          assertSame(back.messages, out === messages ? [...given, ...more] : [...keep(given), ...more]);
          assert.equal(back.restored, Object.keys(originals).length);
          assert.ok(back.missing.every((key) => !(key in originals)));
        }
        assert.equal(JSON.stringify([messages, originals]), made, 'and so is what restore is given');
      }), { numRuns: 150 });
    });

    test('restores several rounds on a growing conversation, the last one first', () => {
      fc.assert(fc.property(fc.array(fc.tuple(dialogue, choices), { minLength: 2, maxLength: 4 }), (rounds) => {
        let full = [];
        let current = [];
        let originals = {};
        for (const [spoken, numbers] of rounds) {
          const more = sayIn(name, spoken);
          full = [...full, ...more];
          const result = round([...current, ...more], name, numbers);
          current = result.messages;
          originals = { ...originals, ...result.originals };
        }
        assertSame(restore(keep(current), keep(originals)).messages, keep(full));
      }), { numRuns: 100 });
    });

    test('is deterministic', () => {
      fc.assert(fc.property(transcript(name), choices, (messages, numbers) => {
        assert.equal(JSON.stringify(round(messages, name, numbers)), JSON.stringify(round(messages, name, numbers)));
      }), { numRuns: 30 });
    });
  });
}

const corpus = '/work/shared/corpus/native';
