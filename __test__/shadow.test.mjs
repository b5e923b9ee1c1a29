// Shadow requests: how answers are compared, what they may spend, and that nothing of ours fails a request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createShadow } from 'palimpsest';

const OPTIONS = { share: 1, maxTokens: 1_000_000 };
const USAGE = { input_tokens: 90, cache_read_input_tokens: 10, output_tokens: 5 };

/** An answer of Anthropic's: a text, or calls. */
const said = (text) => ({ type: 'message', content: [{ type: 'text', text }], stop_reason: 'end_turn', usage: USAGE });
const called = (...calls) => ({
  type: 'message',
  content: calls.map(([name, input], index) => ({ type: 'tool_use', id: `toolu_${index}`, name, input })),
  stop_reason: 'tool_use',
  usage: USAGE,
});

const READ = {
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'a', content: '     1→const a = 1;\n     2→  const b = 2;\n' }],
};
const REQUEST = { messages: [READ] };

/** Compares the answer to a cut request with two to the whole one. */
async function compare(shadow, cut, answers, request = REQUEST, more = {}) {
  const trial = shadow.sample({ format: 'anthropic', whole: () => request, tokens: 100, ...more });
  if (trial === undefined) return { trial };
  trial.see(cut);
  const rest = [...answers];
  const result = await trial.run(async (see) => see(rest.shift()));
  return { trial, result, asked: answers.length - rest.length };
}

const bash = (command) => called(['Bash', { command, description: `Runs ${command.length}` }]);
const edit = (old_string) => called(['Edit', { file_path: '/a.ts', old_string, new_string: 'x' }]);
const patch = (line) => called(['apply_patch', { input: `*** Begin Patch\n*** Update File: a.ts\n@@\n-${line}\n+x\n*** End Patch` }]);

const CASES = [
  ['the same command, written otherwise', bash('npm  test\n'), bash('npm test'), undefined],
  ['another command', bash('npm test'), bash('npm run lint'), 'argument'],
  ['another tool', bash('ls'), called(['Read', { file_path: '/a.ts' }]), 'tool'],
  ['one call more', bash('ls'), called(['Bash', { command: 'ls' }], ['Bash', { command: 'pwd' }]), 'tool'],
  ['the same calls in another order', called(['A', { x: 1 }], ['B', { y: 2 }]), called(['B', { y: 2 }], ['A', { x: 1 }]), undefined],
  ['an unknown tool with its members in another order', called(['A', { x: 1, y: [2] }]), called(['A', { y: [2], x: 1 }]), undefined],
  ['an unknown tool with another value', called(['A', { x: 1 }]), called(['A', { x: 2 }]), 'argument'],
  ['the same pattern in another folder', called(['Grep', { pattern: 'a', path: 'b' }]), called(['Grep', { pattern: 'a' }]), undefined],
  ['a path that begins in this folder', called(['Read', { path: './a.ts' }]), called(['Read', { path: 'a.ts' }]), undefined],
  ['edits that apply', edit('const a = 1;'), edit('const a = 1;\n  const b = 2;'), undefined],
  ['an edit of what was never read', edit('const c = 3;'), edit('const a = 1;'), 'edit'],
  ['patches that apply', patch('const a = 1;'), patch('  const b = 2;'), undefined],
  ['a patch of what was never read', patch('const c = 3;'), patch('const a = 1;'), 'edit'],
  ['an answer in place of a call', said('All is done.'), bash('ls'), 'tool'],
  ['answers with the same facts', said('The port is 8377, set in src/proxy.ts.'), said('src/proxy.ts sets port 8377.'), undefined],
  ['answers with other facts', said('The port is 8377, set in src/proxy.ts.'), said('It is 9000, from config/server.json.'), 'answer'],
  ['answers without facts', said('Yes.'), said('No.'), undefined],
];

for (const [name, cut, whole, expected] of CASES) {
  test(`${name}: ${expected ?? 'the same'}`, async () => {
    const shadow = createShadow(OPTIONS);
    const { result } = await compare(shadow, cut, [whole, whole]);
    assert.deepEqual(result, expected === undefined ? {} : { changed: expected });
    assert.deepEqual((await compare(shadow, whole, [whole, cut])).result, expected === undefined ? {} : { noise: expected });
    const { compared, changed, noise } = shadow.report;
    const count = expected === undefined ? 0 : 1;
    assert.deepEqual([compared, changed.count, noise.count], [2, count, count]);
  });
}

test('the report has no text, sums what was billed, and an earlier one goes on', async () => {
  const results = [];
  const shadow = createShadow({ ...OPTIONS, onResult: (result, report) => results.push([result, report]) });
  await compare(shadow, bash('cat secret'), [bash('ls'), bash('ls')]);
  assert.deepEqual(results, [[{ changed: 'argument' }, shadow.report]]);
  assert.equal(shadow.report.tokens, 210);
  const saved = JSON.stringify(shadow);
  assert.ok(!saved.includes('secret') && !saved.includes('Bash'));
  const later = createShadow(OPTIONS, JSON.parse(saved));
  assert.deepEqual(later.report, shadow.report);
  await compare(later, bash('ls'), [bash('ls'), bash('ls')]);
  const { requests, compared, changed, tokens } = later.report;
  assert.deepEqual([requests, compared, changed.count, changed.of, tokens], [2, 2, 1, 2, 420]);
});

test('a pair that might exceed the maximum is not sent, and none after it', async () => {
  for (const [maxOutputTokens, pairs] of [
    [5, 2],
    [100, 1],
    [undefined, 2],
    [1000, 0],
  ]) {
    const shadow = createShadow({ ...OPTIONS, maxTokens: 500 });
    let asked = 0;
    for (let n = 0; n < 5; n++)
      asked += (await compare(shadow, bash('ls'), [bash('ls'), bash('ls')], REQUEST, { maxOutputTokens })).asked ?? 0;
    assert.equal(asked, 2 * pairs, `${maxOutputTokens}`);
    assert.ok(shadow.report.tokens <= 500 && shadow.report.isSpent);
  }
});

test('what takes more than was thought ends the pair', async () => {
  const shadow = createShadow({ ...OPTIONS, maxTokens: 300 });
  const large = { ...bash('ls'), usage: { input_tokens: 290, output_tokens: 5 } };
  const { result, asked } = await compare(shadow, bash('ls'), [large, bash('ls')]);
  assert.deepEqual([result, asked], [undefined, 1]);
  assert.deepEqual([shadow.report.tokens, shadow.report.failed], [295, 1]);
});

test('after a failure none is sent for a minute; one that was refused costs nothing, one that broke off its estimate', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
  for (const [ask, tokens] of [
    [async () => false, 0],
    [async () => Promise.reject(new Error('reset')), 105],
    [async (see) => see({ type: 'message_start', message: { usage: { input_tokens: 80, output_tokens: 1 } } }), 81],
    [async (see) => see(null), 105],
  ]) {
    const shadow = createShadow(OPTIONS);
    const trial = shadow.sample({ format: 'anthropic', whole: () => REQUEST, tokens: 100 });
    trial.see(bash('ls'));
    assert.equal(await trial.run(ask), undefined);
    assert.deepEqual([shadow.report.failed, shadow.report.compared, shadow.report.tokens], [1, 0, tokens]);
    assert.equal((await compare(shadow, bash('ls'), [])).trial, undefined);
    t.mock.timers.setTime(Date.now() + 60_001);
    assert.deepEqual((await compare(shadow, bash('ls'), [bash('ls'), bash('ls')])).result, {});
  }
});

test('nothing is sent for answers that broke off or look something up, nor where the provider runs tools', async () => {
  const shadow = createShadow(OPTIONS);
  const broken = { ...bash('ls'), stop_reason: null };
  assert.equal((await compare(shadow, broken, [bash('ls')])).asked, 0);
  assert.equal((await compare(shadow, called(['recall', { query: 'port' }]), [bash('ls')])).asked, 0);
  assert.deepEqual([shadow.report.requests, shadow.report.skipped], [2, 2]);
  const hosted = [
    ['anthropic', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    ['anthropic', { mcp_servers: [{ url: 'https://example.com' }] }],
    ['openai-chat', { web_search_options: {} }],
    ['openai-responses', { tools: [{ type: 'mcp', server_url: 'https://example.com' }] }],
    ['openai-responses', { background: true }],
    [
      'openai-responses',
      {
        tools: [
          { type: 'function', name: 'shell' },
          { type: 'web_search', external_web_access: false },
        ],
      },
    ],
    // Of gateways: OpenRouter, xAI, DashScope, Cohere.
    ['openai-chat', { plugins: [{ id: 'web' }] }],
    ['openai-chat', { model: 'openai/gpt-5.5:online' }],
    ['openai-chat', { search_parameters: { mode: 'auto' } }],
    ['openai-chat', { enable_search: true }],
    ['openai-chat', { connectors: [{ id: 'web-search' }] }],
    ['anthropic', { plugins: [{ id: 'web' }] }],
    ['gemini', { tools: [{ googleSearch: {} }] }],
    ['gemini', { config: { tools: [{ codeExecution: {} }] } }],
  ];
  const whole = {
    anthropic: bash('ls'),
    'openai-chat': { choices: [{ message: { content: 'Yes.' }, finish_reason: 'stop' }] },
    'openai-responses': { object: 'response', status: 'completed', output: [] },
    gemini: { candidates: [{ content: { parts: [{ text: 'Yes.' }] }, finishReason: 'STOP' }] },
  };
  const switchedOff = { plugins: [], search_parameters: { mode: 'off' }, enable_search: false, model: 'openai/gpt-5.5' };
  for (const [format, request] of hosted) {
    for (const [isHosted, sent] of [
      [true, request],
      [false, {}],
      [false, switchedOff],
    ]) {
      const trial = createShadow(OPTIONS).sample({ format, whole: () => sent, tokens: 1 });
      trial.see(whole[format]);
      let asked = 0;
      await trial.run(async () => void asked++);
      assert.equal(asked === 0, isHosted, `${format}: ${JSON.stringify(sent)}`);
    }
  }
});

test('a share is drawn at random, and every cut request is counted', () => {
  const shadow = createShadow({ share: 0.25, maxTokens: 1 });
  const count = 4000;
  const sampled = Array.from({ length: count }, () => shadow.sample({ format: 'gemini', whole: () => ({}), tokens: 1 })).filter(Boolean);
  assert.equal(shadow.report.requests, count);
  // Seven standard deviations.
  assert.ok(Math.abs(sampled.length - count / 4) < 7 * Math.sqrt((count * 3) / 16), `${sampled.length}`);
});

test('at most four are compared at a time, and errors of onResult go nowhere', async () => {
  const shadow = createShadow({
    ...OPTIONS,
    onResult: () => {
      throw new Error('the caller’s own');
    },
  });
  let open = () => {};
  const gate = new Promise((resolve) => (open = resolve));
  const runs = Array.from({ length: 6 }, () => {
    const trial = shadow.sample({ format: 'anthropic', whole: () => REQUEST, tokens: 100 });
    trial.see(bash('ls'));
    return trial.run(async (see) => {
      await gate;
      see(bash('ls'));
    });
  });
  open();
  assert.deepEqual((await Promise.all(runs)).filter(Boolean).length, 4);
  assert.equal(shadow.report.skipped, 2);
});

test('wrong arguments are named', () => {
  const at = (call, expected) => assert.throws(call, ({ message }) => message === expected || assert.equal(message, expected));
  at(() => createShadow(), 'createShadow(): options must be an object with share and maxTokens, got undefined');
  at(() => createShadow({ maxTokens: 1 }), 'createShadow(): options.share must be a number, got undefined');
  at(() => createShadow({ share: 2, maxTokens: 1 }), 'createShadow(): options.share must be a share above 0, at most 1, got 2');
  at(() => createShadow({ share: 1 }), 'createShadow(): options.maxTokens must be a number, got undefined');
  at(() => createShadow(OPTIONS, { compared: 1 }), 'createShadow(): saved is not the report of a shadow');
  const shadow = createShadow(OPTIONS);
  const formats = "'openai-chat', 'openai-responses', 'anthropic', 'gemini'";
  at(() => shadow.sample(), `sample(): request.format must be one of ${formats}, got undefined`);
  at(() => shadow.sample({ format: 'gemini', tokens: 1 }), 'sample(): request.whole must be a function, got undefined');
  at(() => shadow.sample({ format: 'gemini', whole: () => ({}) }), 'sample(): request.tokens must be a number from 0, got undefined');
});
