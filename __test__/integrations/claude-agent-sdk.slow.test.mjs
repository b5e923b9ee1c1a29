// palimpsest/claude-agent-sdk: the hook in the real Claude Code, which the SDK starts, against the loopback provider.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { query, tool } from '@anthropic-ai/claude-agent-sdk';
import fc from 'fast-check';
import { z } from 'zod';
import { countTokens } from 'palimpsest';
import { shortenToolOutput } from 'palimpsest/claude-agent-sdk';
import { character } from '../support/characters.mjs';
import { agentTools, image, longAgent, startProvider } from '../support/agents/index.mjs';
import { claudeCodeOptions, withoutClaudeCode as skip } from '../support/claude-code.mjs';
import { cases } from '../support/seed.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-claude-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const LIMIT = 400;
const tokensOf = (text) => countTokens([{ role: 'user', content: text }]) - countTokens([{ role: 'user', content: '' }]);

/** Runs an agent to its end. Returns what the provider saw, and what came of each message of the SDK. */
async function run(script, { tools = [], mcp = [], hook }) {
  const provider = await startProvider(script);
  try {
    const options = {
      ...claudeCodeOptions({ url: provider.url, home: scratch, mcp, tools }),
      hooks: hook && { PostToolUse: [{ hooks: [hook] }] },
    };
    const messages = [];
    for await (const message of query({ prompt: 'Find out why the export is slow.', options })) messages.push(message);
    assert.equal(messages.at(-1).subtype, 'success');
    assert.equal(provider.sum().refused, 0);
    const requests = provider.requests.filter(({ status }) => status === 200);
    return { messages, sum: provider.sum(), results: resultsIn(requests.at(-1).body) };
  } finally {
    await provider.close();
  }
}

/** The texts of the results in a request, by the call's id, without what Claude Code adds itself. */
function resultsIn({ messages }) {
  const results = messages.flatMap(({ content }) => (Array.isArray(content) ? content : [])).filter(({ type }) => type === 'tool_result');
  return new Map(
    results.map(({ tool_use_id, content }) => {
      const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
      return [
        tool_use_id,
        blocks
          .filter(({ type }) => type === 'text')
          .map(({ text }) => text.replace(/\s*<system-reminder>[\s\S]*/, ''))
          .filter(Boolean)
          .join('\n'),
      ];
    }),
  );
}

/** The agent's tools as those of an MCP server. */
const mcp = agentTools.map(({ name, description, parameters, run: work }) =>
  tool(name, description, Object.fromEntries(Object.keys(parameters.properties).map((key) => [key, z.string()])), async (input) => ({
    content: [{ type: 'text', text: work(input) }],
  })),
);
const named = { read: 'mcp__work__read', search: 'mcp__work__search', run: 'mcp__work__run', edit: 'mcp__work__edit' };

test('an agent of 41 steps sees each output shortened from the first time on, and all of them can be recalled', { skip }, async (t) => {
  const kept = new Map();
  const hook = shortenToolOutput({ limit: LIMIT, onShortened: (shortened) => void kept.set(shortened.toolUseId, shortened) });
  const script = longAgent({ steps: 41, tools: named, thinking: true });
  const shortened = await run(script, { mcp, hook });
  const whole = await run(script, { mcp });
  assert.equal(shortened.sum.requests, whole.sum.requests);
  assert.deepEqual([...shortened.results.keys()], [...whole.results.keys()]);
  assert.ok(kept.size >= 30, `${kept.size} outputs`);
  for (const [id, text] of shortened.results) {
    const record = kept.get(id);
    // Results of up to the limit, and errors, are as they were.
    if (record === undefined) {
      assert.equal(text, whole.results.get(id));
      continue;
    }
    assert.ok(record.tokens.after <= LIMIT && record.tokens.after < record.tokens.before);
    assert.ok(tokensOf(text) <= LIMIT + 1, `${tokensOf(text)} tokens`);
    assert.match(text, /\[…/);
    assert.deepEqual(record.output, [
      { type: 'text', text: agentTools.find(({ name }) => named[name] === record.toolName).run(record.toolInput) },
    ]);
    assert.equal(record.output[0].text.trim(), whole.results.get(id).trim());
  }
  // Nothing that was sent changes, so the cache holds what it can.
  assert.ok(shortened.sum.cachedShare > whole.sum.cachedShare - 0.1, `${shortened.sum.cachedShare}, ${whole.sum.cachedShare}`);
  assert.ok(shortened.sum.sent < 0.7 * whole.sum.sent);
  const shareOf = ({ sum }) => `${sum.sent} tokens sent, ${(100 * sum.cachedShare).toFixed(1)}% cached`;
  t.diagnostic(`${shareOf(shortened)}; without the hook ${shareOf(whole)}`);
});

const rows = Array.from({ length: 300 }, (_, row) => `row ${row} has ${row * 37} entries`);

test('the model looks up what a hook cut', { skip }, async () => {
  const hook = shortenToolOutput({ limit: LIMIT });
  const rowsTool = tool('rows', 'Lists rows.', {}, async () => ({ content: [{ type: 'text', text: rows.join('\n') }] }));
  const calls = [
    { name: 'mcp__work__rows', input: {} },
    { name: 'mcp__work__recall', input: { query: '"row 151 has"' } },
    { name: 'mcp__work__recall', input: { query: 'quetzalcoatl' } },
  ];
  const script = ({ step }) => ({ thinking: `Step ${step}.`, ...(step < calls.length ? { calls: [calls[step]] } : { text: 'Done.' }) });
  const { results } = await run(script, { mcp: [rowsTool, hook.recallTool()], hook });
  const [listed, found, nothing] = results.values();
  assert.doesNotMatch(listed, /row 151 has/);
  assert.match(found, /row 151 has 5587 entries/);
  assert.match(nothing, /^Nothing/);
});

test('built-in tools take their shortened outputs, and what the model must see exactly stays', { skip }, async () => {
  writeFileSync(join(scratch, 'rows.txt'), rows.join('\n'));
  writeFileSync(join(scratch, 'rows.sh'), 'cat rows.txt; echo; echo "ERROR: src/claim.ts:48 is broken" >&2');
  const calls = [
    { name: 'Bash', input: { command: 'sh rows.sh', description: 'Shows the rows' } },
    { name: 'Grep', input: { pattern: 'row', path: join(scratch, 'rows.txt'), output_mode: 'content', head_limit: 300 } },
    { name: 'Read', input: { file_path: join(scratch, 'rows.txt') } },
    { name: 'mcp__work__blocks', input: {} },
    { name: 'Bash', input: { command: 'seq 1 20000', description: 'Counts' } },
  ];
  const kept = [];
  const note = ({ toolUseId }) => `Recall the rest with the id ${toolUseId}.`;
  const hook = shortenToolOutput({ limit: LIMIT, onShortened: async (shortened) => void kept.push(shortened), note });
  const blocks = tool('blocks', 'Several blocks.', {}, async () => ({
    content: [
      { type: 'text', text: rows.join('\n') },
      { type: 'image', data: image.base64, mimeType: image.mediaType },
      // An error, so that it stays in any run: the paths that the CLI writes beside it differ, and sway what else stays.
      { type: 'text', text: 'ERROR: src/claim.ts:49 is broken, too' },
    ],
  }));
  const script = ({ step }) => ({ thinking: `Step ${step}.`, ...(step < calls.length ? { calls: [calls[step]] } : { text: 'Done.' }) });
  const { messages, results } = await run(script, { tools: ['Bash', 'Grep', 'Read'], mcp: [blocks], hook });
  const [bash, grep, read, many, long] = [...results.values()];
  assert.deepEqual(
    kept.map(({ toolName }) => toolName),
    ['Bash', 'Grep', 'mcp__work__blocks'],
  );
  for (const text of [bash, grep, many]) assert.ok(/\[… \d+ (?:lines|more like this)\]/.test(text) && tokensOf(text) <= LIMIT + 20, text);
  assert.match(bash, /ERROR: src\/claim\.ts:48 is broken/);
  assert.match(many, /ERROR: src\/claim\.ts:49 is broken, too\s*$/);
  assert.match(read, /^1\trow 0 has 0 entries\n2\trow 1[\s\S]*300\trow 299 has 11063 entries$/);
  assert.match(long, /^<persisted-output>[\s\S]*\n1\n2\n3\n/);
  const outputs = messages.filter(({ type }) => type === 'user').map(({ tool_use_result: output }) => output);
  assert.deepEqual(Object.keys(outputs[0]).sort(), Object.keys(kept[0].output).sort());
  assert.ok(kept[0].output.stdout.startsWith(rows.join('\n')));
  assert.match(many, /\n\[Image: source: .*\]\n/);
  assert.ok(kept[2].updatedToolOutput[1] === kept[2].output[1], 'the image is the same object');
  const sent = JSON.stringify(messages.filter(({ type }) => type === 'user'));
  assert.ok(sent.includes(kept[0].updatedToolOutput.stdout.split('\n')[0]));
});

// ---- The hook, called as the SDK's types say --------------------------------------------------------------------------------------------

const call = (hook, toolName, output, more = {}) => {
  const input = {
    session_id: 's',
    transcript_path: '',
    cwd: '',
    hook_event_name: 'PostToolUse',
    tool_name: toolName,
    tool_input: { command: 'ls' },
    tool_response: output,
    tool_use_id: 'toolu_1',
  };
  return hook({ ...input, ...more }, 'toolu_1', { signal: new AbortController().signal });
};

/** The value with its texts replaced, which may not be equal. */
const shapeOf = (value) => {
  if (typeof value === 'string') return 'text';
  if (Array.isArray(value)) return value.map(shapeOf);
  return value !== null && typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]))
    : value;
};
const textsIn = (value) => {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
};

const text = fc.oneof(
  fc.lorem({ maxCount: 200, mode: 'sentences' }),
  fc.array(fc.lorem({ maxCount: 8 }), { maxLength: 80 }).map((lines) => lines.join('\n')),
  fc.array(fc.record({ id: fc.nat(), name: fc.lorem() }), { maxLength: 60 }).map((list) => JSON.stringify(list)),
  fc.string({ unit: character, maxLength: 400 }),
);
const blocks = fc.array(
  fc.oneof(
    text.map((one) => ({ type: 'text', text: one })),
    fc.constant({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: image.base64 } }),
    text.map((one) => ({ type: 'resource', resource: { uri: 'file:///a', text: one } })),
  ),
  { maxLength: 4 },
);
const outputs = fc.oneof(
  fc.tuple(
    fc.constant('mcp__a__b'),
    fc.oneof(
      text,
      blocks,
      blocks.map((content) => ({ content, structuredContent: { a: 1 } })),
    ),
  ),
  fc.tuple(fc.constantFrom('Bash', 'PowerShell'), fc.record({ stdout: text, stderr: text, interrupted: fc.boolean() })),
  fc.tuple(fc.constant('Grep'), fc.record({ mode: fc.constant('content'), numFiles: fc.nat(), filenames: fc.array(text), content: text })),
  fc.tuple(fc.constant('WebFetch'), fc.record({ bytes: fc.nat(), url: fc.webUrl(), result: text })),
  fc.tuple(fc.constant('Agent'), fc.record({ status: fc.constant('completed'), prompt: text, content: blocks })),
);

test('outputs keep their shape, get no longer, and lose nothing but what marks stand for', async () => {
  await fc.assert(
    fc.asyncProperty(outputs, fc.constantFrom(1, 20, 100, 400), async ([toolName, given], limit) => {
      // As it comes from Claude Code.
      const output = JSON.parse(JSON.stringify(given));
      const before = structuredClone(output);
      const kept = [];
      const hook = shortenToolOutput({ limit, onShortened: (shortened) => void kept.push(shortened) });
      const { hookSpecificOutput } = await call(hook, toolName, output);
      assert.deepEqual(output, before, 'the output itself is not changed');
      if (hookSpecificOutput === undefined) return assert.deepEqual(kept, []);
      const [record] = kept;
      const { updatedToolOutput } = hookSpecificOutput;
      assert.equal(updatedToolOutput, record.updatedToolOutput);
      assert.equal(record.output, output);
      assert.deepEqual(shapeOf(updatedToolOutput), shapeOf(output));
      assert.ok(record.tokens.before > limit && record.tokens.after <= record.tokens.before);
      const [whole, made] = [textsIn(output), textsIn(updatedToolOutput)];
      assert.ok(whole.some((one, index) => one !== made[index]));
      for (const [index, one] of made.entries())
        assert.ok(one === whole[index] || one.includes('[…') || one.includes('more like this]'), one);
    }),
    { numRuns: cases(150) },
  );
});

test('what is not understood, and other events, stay as they are', async () => {
  const long = rows.join('\n');
  const hook = shortenToolOutput({ limit: 10 });
  const cases = [
    ['Read', { type: 'text', file: { filePath: 'a', content: long, numLines: 300, startLine: 1, totalLines: 300 } }],
    ['Edit', { filePath: 'a', oldString: long, newString: long, originalFile: long, structuredPatch: [] }],
    ['Bash', { stdout: image.base64.repeat(9), stderr: '', interrupted: false, isImage: true }],
    ['Bash', { stdout: long, stderr: '', interrupted: false, persistedOutputPath: '/tmp/a' }],
    ['Bash', null],
    ['constructor', { content: long }],
    ['__proto__', { content: long }],
    ['mcp__a__b', undefined],
    ['mcp__a__b', [null, 5, { type: 'text' }, { type: 'resource' }]],
    ['Glob', { filenames: rows, numFiles: 300 }],
  ];
  for (const [name, output] of cases) assert.deepEqual(await call(hook, name, output), {}, name);
  assert.deepEqual(await call(hook, 'Bash', { stdout: long, stderr: '' }, { hook_event_name: 'PostToolUseFailure' }), {});
  assert.ok((await call(hook, 'mcp__a__b', long, { tool_input: null })).hookSpecificOutput.updatedToolOutput.length < 200);
});

test('an output that could not be kept stays whole', async () => {
  const errors = [];
  const onShortened = () => Promise.reject(new Error('The store is down.'));
  const onError = (error, { params }) => void errors.push([error.message, params.tool_name]);
  const output = rows.join('\n');
  assert.deepEqual(await call(shortenToolOutput({ limit: 50, onShortened, onError }), 'mcp__a__b', output), {});
  assert.deepEqual(errors, [['The store is down.', 'mcp__a__b']]);
  const thrown = (error) => {
    throw error;
  };
  await assert.rejects(call(shortenToolOutput({ limit: 50, onShortened, onError: thrown }), 'mcp__a__b', output), /The store is down/);
});

test('the note follows the output', async () => {
  const noted = shortenToolOutput({ limit: 50, note: async ({ toolUseId, tokens }) => `${toolUseId}: ${tokens.before > 50}` });
  assert.equal((await call(noted, 'mcp__a__b', rows.join('\n'))).hookSpecificOutput.additionalContext, 'toolu_1: true');
  const silent = shortenToolOutput({ limit: 50, note: () => undefined });
  assert.ok(!('additionalContext' in (await call(silent, 'mcp__a__b', rows.join('\n'))).hookSpecificOutput));
});

test('options are checked', () => {
  assert.throws(() => shortenToolOutput(), { name: 'TypeError', message: /^shortenToolOutput\(\): options\.limit must be a number/ });
  assert.throws(() => shortenToolOutput({ limit: 0 }), {
    name: 'RangeError',
    message: /options\.limit must be a number of tokens above 0, got 0/,
  });
  assert.throws(() => shortenToolOutput({ limit: 5, onShorten: () => {} }), /did you mean options\.onShortened\?/);
  assert.throws(() => shortenToolOutput({ limit: 5, note: 'x' }), /options\.note must be a function, got string/);
});
