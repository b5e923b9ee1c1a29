// Items of OpenAI's built-in tools, which hold most of what a coding or a computer-using agent sees.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTokens, fit, restore, validate } from 'palimpsest';
import { asResponses } from '../support/agents-items.mjs';
import { answerResponses } from '../support/providers/openai-responses.mjs';

const DIALECTS = [
  ['openai-responses', 'call_id', 'exit_code', 'computer_call_output', 'image_url'],
  ['openai-agents', 'callId', 'exitCode', 'computer_call_result', 'data'],
];
const output = (n) => Array.from({ length: 80 }, (_, line) => `line ${line} of ${n}: shard ${line * n * 31} was written`).join('\n');

for (const [format, id, exit, screenshot, key] of DIALECTS) {
  test(`${format}: what a shell wrote is cut, a call goes with its output or stays as it is, and all of it comes back`, () => {
    const items = [{ type: 'message', role: 'user', content: 'Why does the export fail?' }];
    for (let n = 1; n <= 20; n++) {
      const outcome = { type: 'exit', [exit]: n % 7 === 0 ? 1 : 0 };
      items.push(
        { type: 'shell_call', [id]: `s${n}`, status: 'completed', action: { commands: [`cat part${n}.log`, 'true'] } },
        {
          type: 'shell_call_output',
          [id]: `s${n}`,
          output: [
            { stdout: output(n), stderr: '', outcome },
            { stdout: '', stderr: '', outcome },
          ],
        },
      );
    }
    const before = structuredClone(items);
    const { messages, fits, tokens, originals } = fit(items, { limit: 6_000 });
    assert.ok(fits && tokens.before > 20_000, JSON.stringify(tokens));
    assert.deepEqual(items, before);
    const calls = (list) => list.filter(({ type }) => type === 'shell_call');
    assert.ok(calls(messages).every((call) => items.includes(call)));
    assert.equal(messages.filter(({ type }) => type === 'shell_call_output').length, calls(messages).length);
    assert.deepEqual(validate(messages), []);
    assert.deepEqual(restore(messages, originals).messages, items);
  });

  test(`${format}: a screenshot takes the tokens of an image, however long its data are`, () => {
    const tokensOf = (length) => {
      const shown = { type: 'computer_screenshot', [key]: `data:image/jpeg;base64,${'A'.repeat(length)}` };
      return countTokens([{ type: screenshot, [id]: 'c', output: shown }], { format });
    };
    assert.equal(tokensOf(1_000_000), tokensOf(100));
    assert.ok(tokensOf(100) < 1_000);
  });
}

test('openai-agents: cut items are still what the SDK and the API take', () => {
  const call = (n) => ({ type: 'function_call', callId: `c${n}`, name: 'read', arguments: `{"path":"${n}.log"}`, status: 'completed' });
  const outputs = [(text) => text, (text) => ({ type: 'text', text }), (text) => [{ type: 'input_text', text }]];
  const items = [{ type: 'message', role: 'user', content: 'Why does the export fail?' }];
  for (let n = 1; n <= 21; n++) {
    items.push(call(n), {
      type: 'function_call_result',
      callId: `c${n}`,
      name: 'read',
      status: 'completed',
      output: outputs[n % 3](output(n)),
    });
  }
  const { messages, originals, fits } = fit(items, { limit: 6_000 });
  assert.ok(fits);
  answerResponses({ input: asResponses(messages) });
  assert.deepEqual(restore(messages, originals).messages, items);
});
