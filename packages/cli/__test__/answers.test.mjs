// The first answer of the model tells conversations apart that begin with the same prompt. Which messages are answers is said by palimpsest.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { Fitting } from '../dist/proxy/fitting.js';

const { PROVIDERS } = createRequire(import.meta.url)('../../../unbundled/providers/index.js');

/** The first answer that the proxy sees in messages. */
async function answerIn(format, list, messages) {
  let answer;
  const sessions = {
    choose: (given) => {
      ({ answer } = given);
      throw new Error('it was seen');
    },
  };
  const body = Buffer.from(JSON.stringify({ model: 'm', [list]: messages }));
  await new Fitting({ sessions, limit: 1000, timeout: 1000 }).fit(
    { format, messages: list, stored: [] },
    { 'content-type': 'application/json' },
    body,
  );
  return answer;
}

for (const [format, list] of Object.entries({
  anthropic: 'messages',
  'openai-chat': 'messages',
  'openai-responses': 'input',
  gemini: 'contents',
})) {
  test(`${format}: every message of the model's is an answer, and no other is`, async () => {
    const { roles = [], types = [] } = PROVIDERS.find(({ name }) => name === format).answers;
    const answers = [...roles.map((role) => ({ role, content: 'Yes.' })), ...types.map((type) => ({ type, id: 'a' }))];
    const others = [
      { role: 'user', content: 'Go.' },
      { type: 'function_call_output', call_id: 'a', output: '' },
      { type: 'item_reference', id: 'a' },
    ];
    for (const answer of answers) assert.deepEqual(await answerIn(format, list, [...others, answer]), answer);
    assert.equal(await answerIn(format, list, others), undefined);
  });
}
