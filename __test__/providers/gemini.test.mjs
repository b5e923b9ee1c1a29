import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countTokens, createSession, fit, fitRequest, prune, restore, validate } from '../../unbundled/index.js';
import { Random } from '../support/random.mjs';
import { geminiRefusal } from '../support/providers/gemini.mjs';
import { transcript } from '../support/transcripts.mjs';
import { describeProvider } from './describe-provider.mjs';
import { gemini } from './gemini.mjs';
import { historyOf } from './histories.mjs';

describeProvider(gemini);

test('a call without a signature is a problem where the model that is named signs its calls', () => {
  const call = { role: 'model', parts: [{ functionCall: { name: 'read', args: {} } }] };
  const response = { role: 'user', parts: [{ functionResponse: { name: 'read', response: {} } }] };
  const asked = { role: 'user', parts: [{ text: 'What is in a?' }] };
  const histories = [
    [asked, call, response],
    [asked, call, response, call, response],
    // Only the current turn counts.
    [asked, call, response, { role: 'model', parts: [{ text: 'A.' }] }, asked],
  ];
  for (const model of ['gemini-3-pro', 'gemini-3.6-flash', 'gemini-2.5-pro', undefined])
    for (const messages of histories) {
      const found = validate(messages, { format: 'gemini', model }).map(({ rule }) => rule);
      assert.equal(found.length > 0, geminiRefusal(messages, model) !== null, `${model}: ${found}`);
      assert.ok(found.every((rule) => rule === 'thought-signature'));
    }
  const named = (model) => validate(histories[1], { format: 'gemini', model }).map(({ path }) => path);
  assert.deepEqual(named('models/gemini-3.1-pro'), ['messages[1].parts[0]', 'messages[3].parts[0]']);
  assert.deepEqual(named('google/gemini-3.8-flash'), ['messages[1].parts[0]', 'messages[3].parts[0]']);
});

// ---- The REST API takes its members in snake case as well as in camel case: whatever is done with one spelling is done with the other

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Members whose content is the user's own, and none of the API's. */
const OWN = new Set(['args', 'response', 'partMetadata']);

/** A value with all of the API's members in snake case. */
function snaked(value) {
  if (Array.isArray(value)) return value.map(snaked);
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [snake(name), OWN.has(name) ? inner : snaked(inner)]));
}
/** A place of a problem with its members in snake case. */
const placed = (problems) => problems.map(({ rule, path }) => ({ rule, path: snake(path) }));

const options = { format: 'gemini' };
const plain = (messages) => JSON.parse(JSON.stringify(messages));

function assertSame(camel, share) {
  const messages = snaked(camel);
  const tokens = countTokens(camel, options);
  assert.equal(countTokens(messages, options), tokens);
  assert.deepEqual(placed(validate(messages, options)), placed(validate(camel, options)));
  const limit = Math.ceil(share * tokens);
  for (const cut of [(list) => fit(list, { ...options, limit }), (list) => prune(list, { ...options, keep: { recent: 0 } })]) {
    const [one, other] = [cut(camel), cut(messages)];
    assert.deepEqual(plain(other.messages).map(withoutKeys), plain(snaked(one.messages)).map(withoutKeys));
    assert.deepEqual(restore(other.messages, other.originals).messages, messages);
  }
}

/** Keys in marks depend on what went, which is spelled in another way. */
const withoutKeys = (message) => JSON.parse(JSON.stringify(message).replace(/\[palimpsest:\w+/g, '[palimpsest:'));

test('conversations in snake case are counted, checked, cut and restored as those in camel case', () => {
  fc.assert(fc.property(transcript('gemini'), fc.double({ min: 0.2, max: 1, noNaN: true }), assertSame));
});

test('all kinds of parts are valid as in camel case, and come back; what is counted by its JSON is longer by a few characters', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 31 - 1), fc.double({ min: 0.3, max: 1, noNaN: true }), (seed, share) => {
      const camel = plain(historyOf(gemini, new Random(seed)).messages);
      const messages = snaked(camel);
      const [one, other] = [camel, messages].map((list) => countTokens(list, options));
      assert.ok(other >= one && other <= 1.02 * one + 3, `${other} instead of ${one}`);
      assert.deepEqual(placed(validate(messages, options)), placed(validate(camel, options)));
      const { messages: left, originals } = fit(messages, { ...options, limit: Math.ceil(share * other) });
      assert.deepEqual(validate(left, options), validate(messages, options));
      assert.deepEqual(restore(left, originals).messages, messages);
    }),
  );
});

test('a whole body of the REST API is read: instructions, tools, the largest answer, and what the provider keeps', () => {
  const text = 'The worker waits for the backup. '.repeat(40);
  const contents = Array.from({ length: 12 }, (_, index) => ({
    role: index % 2 ? 'model' : 'user',
    parts: [{ text: `${index}: ${text}` }],
  }));
  contents.push({ role: 'user', parts: [{ text: 'And now?' }] });
  const camel = {
    contents,
    systemInstruction: { parts: [{ text: `Be brief. ${text}` }] },
    tools: [{ functionDeclarations: [{ name: 'look', description: text, parametersJsonSchema: { type: 'object' } }] }],
    generationConfig: { maxOutputTokens: 2000 },
  };
  const body = {
    contents,
    system_instruction: camel.systemInstruction,
    tools: [{ function_declarations: [{ name: 'look', description: text, parameters_json_schema: { type: 'object' } }] }],
    generation_config: { max_output_tokens: 2000 },
  };
  const [one, other] = [camel, body].map((request) => fitRequest(request, { window: 4000 }));
  assert.deepEqual(other.request.contents, one.request.contents);
  assert.deepEqual(other.tokens, one.tokens);
  assert.equal(other.tokens.limit, one.tokens.limit);
  assert.ok(other.messages.length < contents.length || JSON.stringify(other.messages).length < JSON.stringify(contents).length);
  assert.throws(() => fitRequest({ ...body, cached_content: 'caches/a' }, { window: 4000 }), {
    message: /request\.cached_content stands for content/,
  });
});

test('a session takes them, step by step', () => {
  const session = createSession({ ...options, limit: 400 });
  const messages = [];
  for (let step = 0; step < 20; step++) {
    messages.push(
      { role: 'user', parts: [{ text: `Read file ${step}.` }] },
      { role: 'model', parts: [{ function_call: { name: 'read', args: { path: `f${step}` } } }] },
      { role: 'user', parts: [{ function_response: { name: 'read', response: { output: `line of file ${step}\n`.repeat(12) } } }] },
      { role: 'model', parts: [{ text: 'It is read.' }] },
    );
    const { messages: sent, fits } = session.next([...messages, { role: 'user', parts: [{ text: 'Go on.' }] }]);
    assert.ok(fits);
    assert.deepEqual(validate(sent, options), []);
  }
});
