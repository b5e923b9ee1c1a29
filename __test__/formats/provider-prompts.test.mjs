// What the AI SDK hands to providers and middleware, LanguageModelV2Prompt to V4Prompt, is of the format `ai-sdk-model`. The SDK makes them
// here, of one conversation with all that a prompt may hold.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { generateText } from 'ai';
import { compress, countTokens, fit, prune, restore, uncompress, validate } from 'palimpsest';

const log = Array.from({ length: 80 }, (_, line) => `12:00:${line} worker-${line % 7} wrote ${line * 31} rows to events_${line % 5}`).join(
  '\n',
);
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64');
const call = (toolCallId, toolName, input, ...before) => ({
  role: 'assistant',
  content: [...before, { type: 'tool-call', toolCallId, toolName, input }],
});
const result = (toolCallId, toolName, output) => ({ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] });

const messages = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Why is worker-3 late? Here is a picture.' },
      { type: 'file', data: new Uint8Array(png), mediaType: 'image/png' },
      { type: 'file', data: 'JVBERi0xLjQK', mediaType: 'application/pdf', filename: 'plan.pdf' },
    ],
  },
  call(
    'call_1',
    'Read',
    { file_path: 'worker.log' },
    { type: 'reasoning', text: 'The log may tell.' },
    { type: 'text', text: 'I will look.' },
  ),
  result('call_1', 'Read', { type: 'text', value: log }),
  call('call_2', 'query', { sql: 'select 1' }),
  result('call_2', 'query', { type: 'json', value: { rows: log.split('\n').map((line, id) => ({ id, line })) } }),
  call('call_3', 'screenshot', {}),
  result('call_3', 'screenshot', {
    type: 'content',
    value: [
      { type: 'text', text: log },
      { type: 'media', data: png.toString('base64'), mediaType: 'image/png' },
    ],
  }),
  call('call_4', 'query', { sql: 'select 2' }),
  result('call_4', 'query', { type: 'error-text', value: 'syntax error' }),
  call('call_5', 'Read', { file_path: 'worker.log' }),
  result('call_5', 'Read', { type: 'text', value: `${log}\nworker-3 waits for the lock of backup-9` }),
  {
    role: 'assistant',
    content: [{ type: 'text', text: `It waits for a lock. ${'The backup holds it for as long as it runs. '.repeat(20)}` }],
  },
  { role: 'user', content: 'Since when?' },
];

/** The prompt that a model of this version of the interface gets. */
async function promptOf(specificationVersion) {
  let given;
  const usage = specificationVersion === 'v2' ? { inputTokens: 1, outputTokens: 1, totalTokens: 2 } : { inputTokens: {}, outputTokens: {} };
  const doGenerate = async ({ prompt }) => {
    given = prompt;
    const finishReason = specificationVersion === 'v2' ? 'stop' : { unified: 'stop' };
    return { content: [{ type: 'text', text: 'Since noon.' }], finishReason, usage, warnings: [] };
  };
  const model = { specificationVersion, provider: 'test', modelId: 'test', supportedUrls: {}, doGenerate };
  await generateText({ model, instructions: 'You are careful.', messages: structuredClone(messages) });
  return given;
}

for (const version of ['v2', 'v3', 'v4']) {
  describe(`LanguageModel${version.toUpperCase()}Prompt`, () => {
    const options = { format: 'ai-sdk-model' };

    test('is recognised, counted as its texts, and valid', async () => {
      const prompt = await promptOf(version);
      assert.deepEqual(
        prompt.map(({ role }) => role),
        ['system', ...messages.map(({ role }) => role)],
      );
      assert.equal(countTokens(prompt), countTokens(prompt, options));
      // The conversation that it was made of takes the same, but for its instructions.
      const instructions = countTokens([prompt[0], ...messages], options) - countTokens(messages, options);
      assert.equal(countTokens(prompt) - instructions, countTokens(messages, options));
      assert.deepEqual(validate(prompt), []);
    });

    test('is pruned, fitted, compressed and restored', async () => {
      const prompt = await promptOf(version);
      const before = structuredClone(prompt);
      const pruned = prune(prompt, { keep: { recent: 2 } });
      assert.equal(pruned.report.staleReads, 1);
      const fitted = fit(prompt, { limit: Math.floor(countTokens(prompt) / 3) });
      assert.ok(fitted.fits && fitted.tokens.after < fitted.tokens.before / 2);
      const shorter = compress(prompt, { ...options, recencyWindow: 1 });
      assert.ok(countTokens(shorter.messages) < countTokens(prompt));
      for (const { messages: written } of [pruned, fitted, shorter]) {
        assert.deepEqual(validate(written), []);
        assert.deepEqual(written[0], before[0]);
        assert.deepEqual(written.at(-1), before.at(-1));
      }
      assert.deepEqual(restore(pruned.messages, pruned.originals).messages, before);
      assert.deepEqual(restore(fitted.messages, fitted.originals).messages, before);
      assert.deepEqual(uncompress(shorter.messages, shorter.verbatim).messages, before);
      assert.deepEqual(prompt, before, 'the prompt is not changed');
    });
  });
}

test('files of every kind that a V4 prompt may hold are counted as what they are', async () => {
  const prompt = await promptOf('v4');
  const data = prompt[1].content[1].data;
  assert.equal(data.type, 'data');
  const counted = (part) => countTokens([{ role: 'user', content: [{ type: 'text', text: 'Look.' }, part] }], { format: 'ai-sdk-model' });
  const image = (value) => ({ type: 'file', mediaType: 'image/png', data: value });
  assert.equal(counted(image(data)), counted(image(new Uint8Array(png))));
  assert.equal(counted(image({ type: 'data', data: png.toString('base64') })), counted(image(new Uint8Array(png))));
  for (const other of [
    { type: 'url', url: new URL('https://example.com/a.png') },
    { type: 'reference', reference: { test: 'file_1' } },
  ]) {
    assert.ok(counted(image(other)) > counted({ type: 'text', text: '' }), other.type);
  }
  const text = { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: log } };
  assert.ok(counted(text) > countTokens(log) && counted(text) < countTokens(log) + counted({ type: 'text', text: '' }) + 20);
});
