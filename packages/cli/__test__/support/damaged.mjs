// A program that damages the sessions of agents at random, and reads them. It ends with an error where a reader or a command does anything but
// read what is left, or refuse the file in one line.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { cases } from '../../../../__test__/support/seed.mjs';
import { read, Unreadable } from '../../dist/transcripts/index.mjs';
import { palimpsest } from '../run.mjs';
import { write } from './recorded.mjs';
import { SESSIONS } from './sessions.mjs';

/** Values that may stand anywhere in a file that was damaged, or that another version wrote. */
const anyValue = fc.constantFrom(null, 0, -1, 1e308, '', 'x', true, [], {}, [null], { type: 'text' }, [{ type: 'tool_use' }], {
  role: 'user',
});

/** Puts another value in the place of one inside, or takes it away. */
function damaged(value, path, other) {
  if (typeof value !== 'object' || value === null || path.length === 0) return other;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  const keys = Object.keys(copy);
  if (keys.length === 0) return other;
  const key = keys[path[0] % keys.length];
  copy[key] = damaged(copy[key], path.slice(1), other);
  return copy;
}

const folder = await mkdtemp(join(tmpdir(), 'damaged-'));
const change = fc.tuple(fc.nat(), fc.array(fc.nat(), { minLength: 1, maxLength: 6 }), anyValue);
const seen = { files: 0 };

/** Writes a session with some values changed. */
async function writeDamaged({ text, file }, changes) {
  const values = text.endsWith('\n')
    ? text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [JSON.parse(text)];
  for (const [place, path, other] of changes) values[place % values.length] = damaged(values[place % values.length], path, other);
  return write(join(folder, String(++seen.files % 50), basename(file)), values.map((value) => JSON.stringify(value)).join('\n'));
}

const someDamage = [fc.constantFrom(...SESSIONS), fc.array(change, { minLength: 1, maxLength: 4 })];
try {
  await fc.assert(
    fc.asyncProperty(...someDamage, async (session, changes) => {
      const file = await writeDamaged(session, changes);
      try {
        for await (const { messages, requests, from = 0, beside = [] } of read(file)) {
          // Of a session whose first words are lost, answers may be left that were paid.
          assert.ok(messages.length > 0 || beside.length > 0);
          assert.ok(messages.every((message) => typeof message === 'object' && message !== null));
          assert.ok(from <= messages.length);
          for (const request of requests) assert.ok(request.messages <= messages.length && (request.from ?? 0) <= request.messages);
        }
      } catch (error) {
        assert.ok(error instanceof Unreadable, error.stack);
      }
    }),
    { numRuns: cases(400) },
  );
  await fc.assert(
    fc.asyncProperty(...someDamage, async (session, changes) => {
      const file = await writeDamaged(session, changes);
      for (const command of [['count'], ['validate'], ['fit', '--limit', '50'], ['prune'], ['report', '--json'], ['watch', '--once']]) {
        const { code, stderr } = await palimpsest([...command, file, '-q']);
        assert.ok([0, 1, 2].includes(code));
        assert.doesNotMatch(stderr, /internal error|\n {4}at /, `${command[0]}: ${stderr}`);
      }
    }),
    { numRuns: cases(30) },
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
