// No content of messages is in errors, warnings or telemetry: secrets, generated, are put wherever a text can be, right and wrong.
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import fc from 'fast-check';
import { compress, createSession, fit, prune, restore, saveOriginals, validate } from 'palimpsest';
import { cases } from '../support/seed.mjs';

const { memoryStore } = createRequire(import.meta.url)('palimpsest/store/memory');

const secrets = fc.stringMatching(/^[A-Za-z0-9]{24}$/).map((text) => `sk-live-${text}`);
/** Messages of which some are no messages, with the secret in any place. */
const messagesWith = (secret) =>
  fc.array(
    fc.oneof(
      fc.record({
        role: fc.constantFrom('user', 'assistant', 'tool', secret),
        content: fc.constantFrom(secret, `It is ${secret}.`, 7, null),
      }),
      fc.record({ role: fc.constant('assistant'), content: fc.constant([{ type: secret, text: secret }]) }),
      fc.record({ role: fc.constant('tool'), tool_call_id: fc.constant(secret), content: fc.constant({ [secret]: secret }) }),
      fc.record({ id: fc.constant(secret), index: fc.constant(0), role: fc.constant('user'), content: fc.constant([secret]) }),
      fc.constant({ role: 'user', content: `${secret} `.repeat(300) }),
      fc.constant(secret),
    ),
    { minLength: 1, maxLength: 6 },
  );

/** What an error and its causes say. */
const textOf = (error) => (error === undefined ? '' : `${error.name} ${error.message} ${error.code} ${textOf(error.cause)}`);

test('errors, warnings and telemetry have no content of messages', async () => {
  const said = [];
  const hear = (event) => said.push(JSON.stringify(event));
  const warned = (warning) => said.push(textOf(warning));
  subscribe('palimpsest:session', hear);
  process.on('warning', warned);
  const fails = (store) => ({ ...store, save: async (_, state) => Promise.reject(new Error(state)) });
  let errors = 0;
  const calls = [
    (given) => compress(given, { recencyWindow: 0 }),
    (given) => fit(given, { limit: 100 }),
    (given) => fit(given, { limit: 100, format: 'anthropic' }),
    (given) => prune(given, {}),
    (given) => validate(given, { format: 'openai-chat' }),
    (given) => restore(given, { key: given[0] }),
    (given) => createSession({ limit: 200 }).next(given),
    (given) => createSession({ limit: 200, store: fails(memoryStore()), id: 'id' }).next(given),
    (given) => saveOriginals(fails(memoryStore()), 'id', given),
    (given) => memoryStore({ maxValueBytes: 100 }).put('id', [['key', JSON.stringify(given).repeat(20)]]),
    (given) => memoryStore().get(given, given),
  ];
  const property = fc.asyncProperty(
    secrets.chain((secret) => fc.tuple(fc.constant(secret), messagesWith(secret))),
    async ([secret, given]) => {
      for (const call of calls) {
        try {
          await call(given);
        } catch (error) {
          errors++;
          said.push(textOf(error));
        }
      }
      await new Promise(setImmediate);
      // A role or type that nobody knows is named, up to 40 characters: it is no content.
      for (const text of said.splice(0)) assert.ok(!text.replaceAll(/(role|type)\b[^.]*/g, '').includes(secret), text);
    },
  );
  try {
    await fc.assert(property, { numRuns: cases(60) });
  } finally {
    process.removeListener('warning', warned);
    unsubscribe('palimpsest:session', hear);
  }
  assert.ok(errors > cases(60));
});
