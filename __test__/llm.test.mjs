import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import llm from '../unbundled/drop-in/llm/index.js';
import verdicts from '../unbundled/drop-in/llm/verdict.js';

const { createSummarizer, createEscalatingSummarizer, createClassifier, createEscalatingClassifier } = llm;
const { parseVerdict } = verdicts;
const factories = Object.entries(llm);

/** Returns the prompts that a helper sends for `text`. `answer` is the last answer. */
async function promptsOf(create, options, text, answer = '') {
  const prompts = [];
  const helper = create((...args) => {
    assert.equal(args.length, 1);
    prompts.push(args[0]);
    return answer;
  }, options);
  await helper(text);
  return prompts;
}

const unparseable = { decision: 'compress', confidence: 0, reason: 'unparseable' };

test('normal prompt: what section 10.1 asks for', async () => {
  const builtIn = [
    'code references',
    'file paths',
    'function and variable names',
    'URLs',
    'API keys',
    'error messages',
    'numbers',
    'technical decisions',
  ];
  const [prompt] = await promptsOf(createSummarizer, { preserveTerms: ['ticket ids', 'URLs', 'people'] }, 'the text');
  for (const needle of [...builtIn, 'concise', '300 tokens', 'filler', 'pleasantries', 'technical register', 'summary only']) {
    assert.ok(prompt.includes(needle), needle);
  }
  assert.equal(prompt.split('URLs').length, 2, 'a built-in term is not repeated');
  assert.ok(prompt.includes(`${builtIn.at(-1)}, ticket ids, people`), 'new terms follow the built-in ones in order');
  assert.ok(prompt.endsWith('the text'));
});

test('aggressive prompt: bullet points, half of the tokens, at least one', async () => {
  for (const [maxResponseTokens, tokens] of [
    [undefined, 150],
    [null, 150],
    [77, 38],
    [2, 1],
    [1, 1],
  ]) {
    const [prompt] = await promptsOf(createSummarizer, { mode: 'aggressive', maxResponseTokens }, 'the text');
    assert.match(prompt, new RegExp(`\\b${tokens} tokens`));
    assert.match(prompt, /terse bullet points/);
  }
});

test('structured prompt: three sections, opaque tokens cut, preserveTerms without effect', async () => {
  const [prompt] = await promptsOf(createSummarizer, { mode: 'structured', preserveTerms: ['ticket ids'] }, 'the text');
  for (const needle of ['REASONING', 'VARS', 'GUARDRAILS', 'name, value and purpose', '12 characters', '300 tokens']) {
    assert.ok(prompt.includes(needle), needle);
  }
  assert.ok(!prompt.includes('ticket ids'));
});

test('an empty system prompt is none, and options are read once', async () => {
  const [none] = await promptsOf(createSummarizer, {}, 'x');
  assert.deepEqual(await promptsOf(createSummarizer, { systemPrompt: '' }, 'x'), [none]);
  assert.deepEqual(await promptsOf(createSummarizer, null, 'x'), [none]);

  const preserveTerms = ['one'];
  const sent = [];
  const summarize = createSummarizer((prompt) => sent.push(prompt), { preserveTerms });
  preserveTerms.push('two');
  summarize('x');
  assert.ok(sent[0].includes('one') && !sent[0].includes('two'));
});

test('createSummarizer hands on whatever comes back', () => {
  const failure = new Error('down');
  for (const answer of ['', 'longer than the text', 42, null, undefined, Promise.resolve('p')]) {
    assert.equal(createSummarizer(() => answer)('t'), answer);
  }
  assert.throws(
    () =>
      createSummarizer(() => {
        throw failure;
      })('t'),
    (error) => error === failure,
  );
});

test('createEscalatingSummarizer: the first answer counts only when it is a shorter, non-empty string', async () => {
  const second = 'second answer, longer than the text';
  const down = async () => {
    throw new Error('down');
  };
  for (const first of ['', 'same size', 'longer than it', 42, null, undefined, down]) {
    const answers = [first, second];
    const prompts = [];
    const summarize = createEscalatingSummarizer(
      (prompt) => {
        prompts.push(prompt);
        const answer = answers.shift();
        return answer === down ? down() : answer;
      },
      { mode: 'structured' },
    );
    assert.equal(await summarize('text of 9'), second);
    assert.match(prompts[0], /300 tokens/);
    assert.match(prompts[1], /150 tokens/);
  }
  assert.equal(await createEscalatingSummarizer(() => ({ then: (done) => done('short') }))('a text'), 'short');
});

test('createEscalatingSummarizer: the second failure is passed on', async () => {
  const failures = [new Error('first'), new Error('second')];
  await assert.rejects(
    createEscalatingSummarizer(() => {
      throw failures.shift();
    })('t'),
    { message: 'second' },
  );
});

test('classifier prompt: both lists, the limit, the answer that is wanted', async () => {
  const options = { alwaysPreserve: ['legal clauses', 'figures'], alwaysCompress: ['greetings'] };
  const [prompt] = await promptsOf(createClassifier, options, 'the text', '{}');
  const [preserving, compressing] = prompt.split('"compress": a summary');
  assert.ok(preserving.includes('\n- legal clauses\n- figures\n'));
  assert.ok(compressing.includes('\n- greetings\n'));
  assert.match(prompt, /JSON[\s\S]*100 tokens[\s\S]*"decision"[\s\S]*"confidence"[\s\S]*0 to 1[\s\S]*"reason"[\s\S]*one sentence/);
  assert.ok(prompt.endsWith('the text'));
});

test('a verdict is a promise exactly when the answer is one', async () => {
  const answer = '{"decision":"preserve","confidence":0.5,"reason":"r"}';
  const verdict = { decision: 'preserve', confidence: 0.5, reason: 'r' };
  assert.deepEqual(createClassifier(() => answer)('t'), verdict);
  for (const promised of [Promise.resolve(answer), { then: (done) => done(answer) }]) {
    const result = createClassifier(() => promised)('t');
    assert.ok(result instanceof Promise);
    assert.deepEqual(await result, verdict);
  }
});

test('an answer that is no string is a TypeError, at once or as a rejection', async () => {
  for (const [answer, kind] of [
    [undefined, 'undefined'],
    [null, 'null'],
    [42, 'number'],
    [{ decision: 'preserve' }, 'object'],
  ]) {
    const expected = { name: 'TypeError', message: `callLlm must return a string or a promise of one, got ${kind}` };
    assert.throws(() => createClassifier(() => answer)('t'), expected);
    await assert.rejects(createClassifier(async () => answer)('t'), expected);
  }
});

test('parsing: where a verdict is looked for, and in which order', () => {
  const verdict = (decision, reason = 'r') => JSON.stringify({ decision, confidence: 0.5, reason });
  const decisionOf = (answer) => {
    const { decision, reason } = parseVerdict(answer);
    return reason === 'unparseable' ? reason : decision;
  };
  const cases = [
    // 1: the whole answer, white space of JSON around it allowed
    [` \n${verdict('preserve')}\t`, 'preserve'],
    // 2: from the first { to the first }, whatever is between
    [`a ${verdict('preserve')} b ${verdict('compress')}`, 'preserve'],
    [`[${verdict('preserve')}]`, 'preserve'],
    [`{ not JSON { ${verdict('preserve')}`, 'unparseable'],
    [`{"answer": ${verdict('preserve')}}`, 'unparseable'],
    [`} ${verdict('preserve')}`, 'preserve'],
    // 3: the first two fences, the word json and white space skipped
    ['{x} ```json\n' + verdict('preserve') + '\n```', 'preserve'],
    ['{x} ```' + verdict('preserve', 'a } b') + '```', 'preserve'],
    ['{x} ```json' + verdict('preserve', 'a } b') + '```', 'preserve'],
    ['{x} ```\u00a0\n' + verdict('preserve', 'a } b') + '\u2028```', 'preserve'],
    ['{x} ```JSON\n' + verdict('preserve') + '\n```', 'unparseable'],
    ['{x} ```js\n' + verdict('preserve') + '\n```', 'unparseable'],
    ['{x} ```json\n' + verdict('preserve', 'a } b'), 'unparseable'],
    ['{x} ``` ``` ```json\n' + verdict('preserve') + '\n```', 'unparseable'],
    // 2 before 3
    ['```json\n' + verdict('preserve') + '\n```', 'preserve'],
    [`${verdict('compress')} \`\`\`${verdict('preserve')}\`\`\``, 'compress'],
    // nothing
    ['', 'unparseable'],
    ['null', 'unparseable'],
    ['"preserve"', 'unparseable'],
    ['```', 'unparseable'],
    ['{', 'unparseable'],
    ['}{', 'unparseable'],
  ];
  for (const [answer, expected] of cases) assert.equal(decisionOf(answer), expected, answer);
});

test('parsing: what makes a verdict', () => {
  const parse = (fields) => parseVerdict(JSON.stringify({ decision: 'preserve', confidence: 0.5, reason: 'r', ...fields }));
  assert.deepEqual(Object.entries(parse({ extra: 1, reason: '' })), [
    ['decision', 'preserve'],
    ['confidence', 0.5],
    ['reason', ''],
  ]);
  assert.equal(parse({ confidence: 1.01 }).confidence, 1);
  assert.equal(parse({ confidence: -0.01 }).confidence, 0);
  assert.equal(parseVerdict('{"decision":"preserve","confidence":1e999,"reason":"r"}').confidence, 1);
  const wrong = [
    { decision: 'Preserve' },
    { decision: ['preserve'] },
    { confidence: '1' },
    { confidence: null },
    { reason: 1 },
    { reason: null },
  ];
  for (const fields of wrong) assert.deepEqual(parse(fields), unparseable);
});

test('parsing: any string gives a verdict, in linear time', () => {
  const pieces = fc.constantFrom('{', '}', '```', '`', 'json', ' ', '\n', '"', '{"decision":"preserve","confidence":2,"reason":"r"}');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces).map((parts) => parts.join('')),
      ),
      (answer) => {
        const { decision, confidence, reason } = parseVerdict(answer);
        assert.ok(decision === 'preserve' || decision === 'compress');
        assert.ok(confidence >= 0 && confidence <= 1);
        assert.equal(typeof reason, 'string');
      },
    ),
  );
});

test('createEscalatingClassifier: an answer with confidence stands, also that of a thenable', async () => {
  const answer = '{"decision":"compress","confidence":0.01,"reason":"r"}';
  for (const given of [answer, Promise.resolve(answer), { then: (done) => done(answer) }]) {
    assert.deepEqual(await createEscalatingClassifier(() => given)('GROUP BY'), {
      decision: 'compress',
      confidence: 0.01,
      reason: 'r',
    });
  }
});

test('createEscalatingClassifier: the rules answer for every kind of failure', async () => {
  // Section 4.1: `group by` is strong SQL and the only reason in this text, so 0.7 + 0.05.
  const expected = { decision: 'preserve', confidence: 0.75, reason: 'heuristic_t0' };
  const failures = [
    () => {
      throw new Error('down');
    },
    async () => {
      throw new Error('down');
    },
    () => 'garbage',
    () => undefined,
    async () => 42,
    () => '{"decision":"preserve","confidence":0,"reason":"r"}',
  ];
  for (const callLlm of failures) assert.deepEqual(await createEscalatingClassifier(callLlm)('GROUP BY stuff'), expected);
});

test('wrong arguments are named when the helper is made', () => {
  for (const [name, create] of factories) {
    const refuses = (options, message, kind = 'TypeError') => {
      assert.throws(() => create(() => '', options), { name: kind, message });
    };
    assert.throws(() => create(), { name: 'TypeError', message: `${name}(): callLlm must be a function, got undefined` });
    refuses(5, `${name}(): options must be an object, got number`);
    refuses({ maxResponseTokens: '5' }, `${name}(): options.maxResponseTokens must be a number, got string`);
    for (const value of [0, -1, NaN, Infinity]) {
      refuses(
        { maxResponseTokens: value },
        `${name}(): options.maxResponseTokens must be a positive number of tokens, got ${value}`,
        'RangeError',
      );
    }
    refuses({ systemPrompt: 5 }, `${name}(): options.systemPrompt must be a string, got number`);
    const lists = name.endsWith('Summarizer') ? ['preserveTerms'] : ['alwaysPreserve', 'alwaysCompress'];
    for (const list of lists) {
      refuses({ [list]: 'URLs' }, `${name}(): options.${list} must be an array of strings, got string`);
      refuses({ [list]: ['URLs', 1] }, `${name}(): options.${list} must be an array of strings, got number`);
    }
    create(() => '', {
      maxResponseTokens: null,
      systemPrompt: null,
      preserveTerms: null,
      alwaysPreserve: null,
      alwaysCompress: null,
      mode: null,
    });
  }
  assert.throws(() => createSummarizer(() => '', { mode: 'short' }), {
    name: 'TypeError',
    message: "createSummarizer(): options.mode must be 'normal', 'aggressive' or 'structured', got 'short'",
  });
});
