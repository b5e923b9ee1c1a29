import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { MessageList } from '@mastra/core/agent';
import fc from 'fast-check';
import palimpsest from '../../unbundled/index.js';
import { cases } from '../support/seed.mjs';
import { dialogue, sayIn, someEdits } from '../support/transcripts.mjs';
import { brokenOf, describeProvider, edited } from './describe-provider.mjs';
import { mastra } from './mastra.mjs';

const { formatOf } = createRequire(import.meta.url)('../../unbundled/providers/index.js');
const { countTokens, fit, validate } = palimpsest;

/** The prompt that Mastra makes of stored messages. */
async function promptOf(messages) {
  const list = new MessageList();
  for (const message of messages) list.add(structuredClone(message), 'memory');
  return list.get.all.aiV5.llmPrompt();
}

/** Why Mastra or a provider refuses stored messages, or null. */
async function refusal(messages) {
  try {
    const prompt = await promptOf(messages);
    // Mastra puts a message in front of an answer, as providers want it.
    if (!prompt.some(({ role, content }) => role !== 'system' && content.length > 0 && content[0]?.text !== '.')) return 'nothing is sent';
    return validate(prompt, { format: 'ai-sdk-model' })[0]?.message ?? null;
  } catch (error) {
    return String(error);
  }
}

describeProvider(mastra);

// ---- Against Mastra itself: what its `MessageList` throws for, and the prompt that it makes for a model

test('the examples: Mastra or the provider refuses what is broken and takes what is accepted', async () => {
  assert.equal(await refusal(mastra.valid()), null);
  for (const [rule, place, edit] of brokenOf(mastra))
    if (rule !== 'message-shape') assert.notEqual(await refusal(edited(mastra, edit)), null, `${rule} at ${place}`);
  for (const [what, edit] of Object.entries(mastra.accepted)) assert.equal(await refusal(edited(mastra, edit)), null, what);
});

const choices = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 });

test('generated conversations stay valid prompts, whatever is replaced and removed', async () => {
  await fc.assert(
    fc.asyncProperty(dialogue, choices, async (spoken, numbers) => {
      const messages = sayIn('mastra', spoken);
      const format = formatOf(messages, 'mastra');
      const edits = someEdits(format.read(messages), numbers).map((edit) => (edit.text === '' ? { ...edit, text: 'stub' } : edit));
      for (const list of [messages, format.write(messages, edits)]) {
        if (validate(list, { format: 'mastra' }).some(({ rule }) => rule === 'no-messages')) continue;
        assert.equal(await refusal(list), null);
      }
    }),
    { numRuns: cases(100) },
  );
});

test('what is fitted is what Mastra sends: marks, and no call without its result', async () => {
  const log = Array.from({ length: 200 }, (_, line) => `12:00:${line % 60} wrote ${line * 31} rows`).join('\n');
  const tool = (id, result) => ({
    type: 'tool-invocation',
    toolInvocation: { state: 'result', toolCallId: id, toolName: 'read', args: { path: id }, result },
  });
  const said = (role, ...parts) => ({ id: `${role}-${parts.length}`, role, createdAt: new Date(0), content: { format: 2, parts } });
  const messages = [
    said('user', { type: 'text', text: 'Why do exports fail?' }),
    said(
      'assistant',
      tool('a.log', log),
      { type: 'step-start' },
      tool('b.log', { rows: [log] }),
      { type: 'step-start' },
      { type: 'text', text: 'No idea.' },
    ),
    said('user', { type: 'text', text: 'Look again.' }),
  ];
  const { messages: fitted, tokens } = fit(messages, { limit: 600 });
  assert.ok(tokens.after <= 600);
  assert.equal(countTokens(fitted), tokens.after);
  const prompt = await promptOf(fitted);
  assert.deepEqual(validate(prompt), []);
  assert.match(JSON.stringify(prompt), /\[… \d+ lines|\[palimpsest:/);
  // The format of the prompt counts what is sent; Mastra repeats a call's arguments beside its result, which no provider gets.
  const bare = prompt.map((message) =>
    Array.isArray(message.content)
      ? {
          role: message.role,
          content: message.content.map(({ input, providerOptions, ...part }) => (part.type === 'tool-call' ? { ...part, input } : part)),
        }
      : message,
  );
  assert.ok(Math.abs(countTokens(bare) - tokens.after) <= 30, `${countTokens(bare)} and ${tokens.after}`);
});
