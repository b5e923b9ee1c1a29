// The pass over tool results: it removes only what it may, and all of it can be restored.
import assert from 'node:assert/strict';
import test from 'node:test';
import { compress, uncompress } from 'palimpsest';
import { computeEntityRetention } from 'palimpsest/compress';

const tool = (content, more) => ({ id: 't', index: 0, role: 'tool', content, ...more });
const run = (messages, options) => compress(messages, { agentToolPrepass: true, recencyWindow: 100, ...options });
const restored = ({ messages, verbatim }) => uncompress(messages, verbatim, { recursive: true }).messages;
const lines = (count, line) => Array.from({ length: count }, (_, number) => line(number)).join('\n');
const tree = lines(6, (number) => `├── node_modules/lib${number}`);
const file = `/srv/app/src/router.ts\n${'const a = 1;\n'.repeat(170)}`;

test('the untouched message is in verbatim, and the ratios count what was trimmed', () => {
  const messages = [tool(`Listing:\n${tree}`, { tool_call_id: 'c1', name: 'ls' })];
  const result = run(messages);
  const [trimmed] = result.messages;
  assert.equal(trimmed.content, 'Listing:\n[... 6 directory entries omitted ...]');
  assert.equal(trimmed.tool_call_id, 'c1');
  assert.deepEqual(trimmed.metadata._cce_original.ids, ['t']);
  assert.equal(result.verbatim.t, messages[0]);
  assert.equal(restored(result)[0], messages[0]);
  const removed = messages[0].content.length - trimmed.content.length;
  assert.equal(result.compression.messages_tool_prepass_trimmed, 1);
  assert.equal(result.compression.chars_tool_prepass_removed, removed);
  assert.equal(result.compression.ratio, messages[0].content.length / trimmed.content.length);
  const tokens = (text) => Math.ceil(text.length / 3.5);
  assert.equal(result.compression.token_ratio, tokens(messages[0].content) / tokens(trimmed.content));
});

test('quality and counts are about the conversation as it was given', () => {
  const messages = [
    tool(`See parseHeader.\n${lines(5, (number) => `├── node_modules/unusual${['Alpha', 'Bravo', 'Gamma', 'Delta', 'Omega'][number]}`)}`),
  ];
  const { messages: output, compression } = run(messages);
  assert.equal(compression.entity_retention, Math.round(1000 * computeEntityRetention(messages, output)) / 1000);
  assert.ok(compression.entity_retention < 0.5);
  assert.deepEqual([compression.messages_compressed, compression.messages_preserved], [1, 0]);
  const { decisions } = run(messages, { trace: true }).compression;
  assert.deepEqual(decisions, [
    {
      messageId: 't',
      messageIndex: 0,
      action: 'compressed',
      reason: 'tool_prepass',
      inputChars: messages[0].content.length,
      outputChars: output[0].content.length,
    },
  ]);
});

test('it comes back from every way out: within the budget at once, compressed further, compressed again', () => {
  const messages = [
    tool(`Listing:\n${tree}\n\n${'The listing was long and nobody read it to its end. '.repeat(12)}`),
    { id: 'u', index: 1, role: 'user', content: 'ok' },
  ];
  for (const options of [
    { tokenBudget: 1e6 },
    { recencyWindow: 0 },
    { tokenBudget: 60, forceConverge: true },
    { trace: true },
    { tokenizer: 'o200k_base', tokenBudget: 1e6 },
  ]) {
    const result = run(messages, options);
    assert.ok(result.messages[0].content.length < messages[0].content.length, JSON.stringify(options));
    assert.deepEqual(restored(result), messages);
  }
  const first = run(messages);
  const second = run(first.messages, { recencyWindow: 0 });
  assert.deepEqual(restored({ messages: second.messages, verbatim: { ...first.verbatim, ...second.verbatim } }), messages);
});

test('a fast path that returns the input does not trim, and says nothing about it', () => {
  const messages = [tool(tree)];
  const { messages: output, compression } = run(messages, { compressionThreshold: 1e6 });
  assert.equal(output, messages);
  assert.ok(!('messages_tool_prepass_trimmed' in compression));
});

test('an async run trims too', async () => {
  const { messages, compression } = await run([tool(tree)], { summarizer: (text) => text.slice(0, 20) });
  assert.equal(messages[0].content, '[... 6 directory entries omitted ...]');
  assert.equal(compression.messages_tool_prepass_trimmed, 1);
});

test('kept: diffs, stack frames, edited files, preserved roles, calls, summaries', () => {
  const pluses = lines(12, (number) => `+ const v${number} = 1;`);
  const frames = lines(8, (number) => `    at fn${number} (/srv/node_modules/p/i.js:1:1)`);
  const context = lines(8, (number) => ` import 'dist/x${number}';`);
  const stays = [
    [tool(pluses)],
    [tool(`diff --git a/x b/x\n${pluses}`)],
    [tool(`--- a/x\n+++ b/x\n@@ -1,8 +1,8 @@\n${context}`)],
    [tool(`TypeError: boom\n${frames}`)],
    [tool(file), { id: 'b', index: 1, role: 'user', content: 'Dana says /srv/app/src/router.ts was last modified in June.' }],
    [tool(file), { id: 'b', index: 1, role: 'assistant', content: 'I have written /srv/app/src/router.ts anew.' }],
    [tool(file), { id: 'b', index: 1, role: 'tool', content: 'The file /srv/app/src/router.ts has been updated. 1 replacement made.' }],
    [tool(file), { id: 'b', index: 1, role: 'tool', content: '/srv/app/src/router.ts could not be saved' }],
    [tool(file), { id: 'b', index: 1, role: 'tool', content: '/srv/app/test/src/router.ts saved' }],
    [tool(tree, { tool_calls: [{ id: 'c' }] })],
    [tool(tree, { metadata: { _cce_original: { ids: ['x'], summary_id: 's', version: 0 } } })],
    [{ ...tool(tree), role: 'user' }],
  ];
  for (const messages of stays) {
    const result = run(messages);
    assert.deepEqual(result.messages, messages, JSON.stringify(messages).slice(0, 200));
    assert.deepEqual(result.verbatim, {});
    assert.equal(result.compression.messages_tool_prepass_trimmed, 0);
    assert.equal(result.compression.chars_tool_prepass_removed, 0);
  }
  assert.deepEqual(run([tool(tree)], { preserve: ['tool'] }).messages, [tool(tree)]);
});

const call = (id, name, args) => ({
  id: `call-${id}`,
  index: 0,
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});
const answer = (id, content) => ({ id: `answer-${id}`, index: 0, role: 'tool', tool_call_id: id, content });

test('a read expires when a later call writes its file as a whole, and not when that fails or writes another', () => {
  const text = 'const a = 1;\n'.repeat(200);
  const read = [call('r', 'Read', { file_path: 'src/app.ts' }), answer('r', text)];
  const write = (path, said) => [...read, call('w', 'Write', { file_path: path, content: 'x' }), answer('w', said)];
  const stub = `[file content omitted — superseded by a later write (${text.length} chars original)]`;
  const shown = (messages) => run(messages).messages[1].content;
  assert.equal(shown(write('src/app.ts', 'File written.')), stub);
  assert.equal(shown(write('./src/app.ts', 'File written.')), stub);
  assert.equal(shown(write('src/other.ts', 'File written.')), text);
  assert.equal(shown(write('src/app.ts', '<tool_use_error>File has not been read yet.</tool_use_error>')), text);
  assert.equal(shown([...read, call('w', 'Write', { file_path: 'src/app.ts', content: 'x' })]), text, 'not answered');
  assert.equal(shown([...read, call('e', 'Edit', { file_path: 'src/app.ts', old_string: 'a', new_string: 'b' }), answer('e', 'ok')]), text);
  // The output of another call is not a file that was read, whatever it names.
  const grep = [call('g', 'Grep', { pattern: 'a', path: '/srv/app/src/router.ts' }), answer('g', file)];
  assert.equal(run([...grep, call('w', 'Write', { file_path: '/srv/app/src/router.ts' }), answer('w', 'ok')]).messages[1].content, file);
});

test('a result never becomes blank or longer', () => {
  const noise = lines(5, () => 'npm warn x');
  assert.equal(run([tool(noise)]).messages[0].content, noise);
  const short = lines(5, () => '|.git/');
  assert.equal(run([tool(short)]).messages[0].content, short);
});
