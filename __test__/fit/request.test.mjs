// `fitRequest`: it takes a provider's request, and returns it with its messages fitted.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { countTokens, fit, fitRequest, fitRequestAsync, restore } from 'palimpsest';
import { cases, someOf } from '../support/seed.mjs';
import { sayIn } from '../support/transcripts.mjs';
import { withProviders } from '../support/providers/server.mjs';
import { expectedCount, strings } from '../tokens/support.mjs';
import { working } from '../prune/working.mjs';

const SYSTEM = 'You are a careful engineer. The repository is lighthouse. Answer in one sentence.';
const DESCRIPTION = 'Runs a command in the shell and returns what it prints.';
const SCHEMA = { type: 'object', properties: { command: { type: 'string', description: 'The command line.' } }, required: ['command'] };

const prompt = (turn) => `Step ${turn}: why does job ${turn * 31} of worker-${turn % 7} wait for the lock of backup-${turn * 3}?`;
const command = (turn) => `grep -n "job ${turn * 31}" var/log/worker-${turn % 7}.log`;
const output = (turn) =>
  Array.from(
    { length: 40 },
    (_, line) => `12:${turn % 60}:${line} worker-${turn % 7} job ${turn * 31 + line} waited ${line * turn} ms`,
  ).join('\n');

/** Requests of an agent's loop as each SDK takes them: the fields beside the messages, and the messages of a step. */
const shapes = {
  anthropic: {
    format: 'anthropic',
    key: 'messages',
    request: {
      model: 'claude-opus-5',
      max_tokens: 1000,
      system: [{ type: 'text', text: SYSTEM, cache_control: { type: 'ephemeral' } }],
      tools: [{ name: 'bash', description: DESCRIPTION, input_schema: SCHEMA }],
      temperature: 0,
    },
    ask: (turn) => [{ role: 'user', content: prompt(turn) }],
    work: (turn) => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${turn}`, name: 'bash', input: { command: command(turn) } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${turn}`, content: output(turn) }] },
    ],
    answer: (turn) => [{ role: 'assistant', content: [{ type: 'text', text: `Job ${turn * 31} waits for the lock.` }] }],
  },
  'OpenAI chat': {
    format: 'openai-chat',
    key: 'messages',
    request: {
      model: 'gpt-5.5',
      max_completion_tokens: 1000,
      tools: [{ type: 'function', function: { name: 'bash', description: DESCRIPTION, parameters: SCHEMA } }],
      parallel_tool_calls: false,
    },
    before: [{ role: 'system', content: SYSTEM }],
    ask: (turn) => [{ role: 'user', content: prompt(turn) }],
    work: (turn) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: `call_${turn}`, type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command: command(turn) }) } },
        ],
      },
      { role: 'tool', tool_call_id: `call_${turn}`, content: output(turn) },
    ],
    answer: (turn) => [{ role: 'assistant', content: `Job ${turn * 31} waits for the lock.` }],
  },
  'OpenAI Responses': {
    format: 'openai-responses',
    key: 'input',
    request: {
      model: 'gpt-5.5',
      max_output_tokens: 1000,
      instructions: SYSTEM,
      tools: [{ type: 'function', name: 'bash', description: DESCRIPTION, parameters: SCHEMA, strict: true }],
      store: false,
    },
    ask: (turn) => [{ role: 'user', content: prompt(turn) }],
    work: (turn) => [
      { type: 'function_call', call_id: `call_${turn}`, name: 'bash', arguments: JSON.stringify({ command: command(turn) }) },
      { type: 'function_call_output', call_id: `call_${turn}`, output: output(turn) },
    ],
    answer: (turn) => [{ role: 'assistant', content: `Job ${turn * 31} waits for the lock.` }],
  },
};
const declaration = { functionDeclarations: [{ name: 'bash', description: DESCRIPTION, parametersJsonSchema: SCHEMA }] };
const geminiSteps = {
  format: 'gemini',
  key: 'contents',
  ask: (turn) => [{ role: 'user', parts: [{ text: prompt(turn) }] }],
  work: (turn) => [
    { role: 'model', parts: [{ functionCall: { name: 'bash', args: { command: command(turn) } }, thoughtSignature: 'c2lnbmF0dXJl' }] },
    { role: 'user', parts: [{ functionResponse: { name: 'bash', response: { output: output(turn) } } }] },
  ],
  answer: (turn) => [{ role: 'model', parts: [{ text: `Job ${turn * 31} waits for the lock.` }] }],
};
shapes['Gemini, the SDK'] = {
  ...geminiSteps,
  request: {
    model: 'gemini-2.5-flash',
    config: { systemInstruction: SYSTEM, tools: [declaration], maxOutputTokens: 1000, temperature: 0 },
  },
};
shapes['Gemini, REST'] = {
  ...geminiSteps,
  request: { systemInstruction: { parts: [{ text: SYSTEM }] }, tools: [declaration], generationConfig: { maxOutputTokens: 1000 } },
};

/** Fields of messages that are not shown to the model as text. */
const HIDDEN = new Set(['role', 'type', 'id', 'call_id', 'tool_call_id', 'tool_use_id', 'thoughtSignature', 'cache_control']);
const shown = (value) =>
  Array.isArray(value)
    ? value.map(shown)
    : value !== null && typeof value === 'object'
      ? Object.entries(value).flatMap(([key, inner]) => (HIDDEN.has(key) ? [] : [shown(inner)]))
      : value;

/** Returns a lower bound of a request's tokens: every text that the model is shown, counted by OpenAI's own library. */
function leastTokens(request, key) {
  const { system, instructions, systemInstruction, config } = request;
  const texts = [...strings(shown([request[key], system, instructions, systemInstruction, config?.systemInstruction]))];
  return [...texts, DESCRIPTION, SCHEMA.properties.command.description].reduce((sum, text) => sum + expectedCount(text, 'o200k_base'), 0);
}

describe('a loop of 60 turns, whose history grows beyond the window', () => {
  for (const [name, { format, key, request, before = [], ask, work, answer }] of someOf(Object.entries(shapes))) {
    test(name, () =>
      withProviders(async (_, __, whole) => {
        const window = 8000;
        const history = [...before];
        const seen = { cut: 0, steps: 0 };
        const step = async (turn) => {
          const given = { ...request, [key]: history };
          const frozen = JSON.stringify(given);
          const fitted = fitRequest(given, { window });
          assert.equal(JSON.stringify(given), frozen, 'the input is as it was');
          assert.deepEqual(Object.keys(fitted.request), Object.keys(given), 'the same fields');
          for (const field of Object.keys(request)) assert.equal(fitted.request[field], request[field], `${field} stays`);
          assert.equal(fitted.request[key], fitted.messages);
          assert.equal(fitted.tokens.limit, window - 1000);
          assert.ok(fitted.fits, `turn ${turn}: ${JSON.stringify(fitted.tokens)}`);
          assert.ok(leastTokens(fitted.request, key) <= window - 1000, `turn ${turn}`);
          assert.ok(fitted.tokens.after >= leastTokens(fitted.request, key), 'everything is counted');
          if (turn % 10 === 0) assert.equal(await whole[format](fitted.request), null);
          const back = restore(fitted.request[key], fitted.originals);
          assert.deepEqual([back.messages, back.missing], [history, []]);
          seen.steps++;
          if (fitted.tokens.after < fitted.tokens.before) seen.cut++;
        };
        for (let turn = 1; turn <= 60; turn++) {
          history.push(...ask(turn));
          await step(turn);
          history.push(...work(turn));
          await step(turn);
          history.push(...answer(turn));
        }
        assert.equal(seen.steps, 120);
        assert.ok(seen.cut > 60, JSON.stringify(seen));
      }),
    );
  }
});

test('it is fit of the messages, with what stands beside them', () => {
  const seen = { cut: 0, runs: 0 };
  fc.assert(
    fc.property(
      working,
      fc.constantFrom(...Object.values(shapes)),
      fc.constantFrom(0.2, 0.5, 0.9, 2),
      (spoken, { format, key, request }, share) => {
        const messages = sayIn(format, spoken);
        const beside = {
          format,
          model: request.model,
          tools: request.tools ?? request.config.tools,
          system: request.system ?? request.instructions ?? request.systemInstruction ?? request.config?.systemInstruction,
        };
        const budget = Math.floor(countTokens(messages, beside) * share);
        const options = { limit: budget, thinking: 'strip', keep: { recent: 1 }, trace: true };
        const { request: out, ...fitted } = fitRequest({ ...request, [key]: messages }, options);
        assert.deepEqual(fitted, fit(messages, { ...options, ...beside }));
        assert.deepEqual(out, { ...request, [key]: fitted.messages });
        assert.equal(String(fitted.report), fitted.report.summary);
        seen.runs++;
        if (fitted.tokens.after < fitted.tokens.before) seen.cut++;
      },
    ),
    { numRuns: cases(100) },
  );
  assert.ok(seen.cut > seen.runs / 4, JSON.stringify(seen));
});

describe('whose request it is', () => {
  const messages = [{ role: 'user', content: 'Hi' }];
  const inMessages = {
    "Anthropic's instructions": [{ system: SYSTEM }, 'anthropic'],
    "Anthropic's tools": [{ tools: [{ name: 'bash', input_schema: SCHEMA }] }, 'anthropic'],
    "Anthropic's own tools": [{ tools: [{ type: 'bash_20250124', name: 'bash' }] }, 'anthropic'],
    "Anthropic's options": [{ stop_sequences: ['x'], model: 'proxy' }, 'anthropic'],
    Claude: [{ model: 'claude-opus-5', max_tokens: 100 }, 'anthropic'],
    'Claude at Bedrock': [{ model: 'us.anthropic.claude-opus-5-v1:0', max_tokens: 100 }, 'anthropic'],
    'Claude by its name at AWS': [
      { model: 'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-5', max_tokens: 100 },
      'anthropic',
    ],
    'Claude at a gateway': [{ model: 'anthropic/claude-opus-5', max_tokens: 100 }, 'openai-chat'],
    "Claude with OpenAI's options": [{ model: 'claude-opus-5', max_completion_tokens: 100 }, 'openai-chat'],
    "Claude with OpenAI's tools": [{ model: 'claude-opus-5', tools: [{ type: 'function', function: { name: 'bash' } }] }, 'openai-chat'],
    "blocks of Anthropic's": [
      { messages: [...messages, { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'bash', input: {} }] }] },
      'anthropic',
    ],
    "a call of OpenAI's": [
      {
        model: 'claude-opus-5',
        messages: [
          ...messages,
          { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'b', arguments: '{}' } }] },
        ],
      },
      'openai-chat',
    ],
    'a developer': [{ model: 'claude-opus-5', messages: [{ role: 'developer', content: SYSTEM }, ...messages] }, 'openai-chat'],
    nothing: [{}, 'openai-chat'],
    'a choice of tools by name': [{ tool_choice: 'auto', model: 'claude-opus-5' }, 'openai-chat'],
  };
  for (const [name, [request, format]] of Object.entries(inMessages)) {
    test(`${name}: ${format}`, () => {
      const given = { messages, ...request };
      const { system, tools } = given;
      const { tokens } = fitRequest(given, { limit: 1000 });
      assert.equal(tokens.before, countTokens(given.messages, { format, system, tools }));
      const other = format === 'anthropic' ? 'openai-chat' : 'anthropic';
      assert.notEqual(tokens.before, countTokens(messages, { format: other, system, tools }));
    });
  }

  test('the format can be given', () => {
    const before = (format) => fitRequest({ messages }, { limit: 1000, format }).tokens.before;
    assert.equal(before('anthropic'), countTokens(messages, { format: 'anthropic' }));
    assert.equal(before('auto'), countTokens(messages, { format: 'openai-chat' }));
  });

  test('functions are tools', () => {
    const [given] = shapes['OpenAI chat'].request.tools;
    const before = (request) => fitRequest({ messages, ...request }, { limit: 1000 }).tokens.before;
    assert.equal(before({ functions: [given.function] }), before({ tools: [given] }));
    assert.ok(before({ functions: [given.function] }) > before({}));
  });
});

describe('the budget', () => {
  const messages = [{ role: 'user', content: 'Hi' }];
  const budgetOf = (request, options) => fitRequest({ messages, ...request }, options).tokens.limit;

  test('follows from the model of the request and its answer', () => {
    assert.equal(budgetOf({ model: 'gpt-4o', max_completion_tokens: 1000 }), 127_000);
    assert.equal(budgetOf({ model: 'gpt-4o', max_tokens: 2000 }), 126_000);
    assert.equal(budgetOf({ model: 'gpt-4o', max_completion_tokens: 1000, max_tokens: 2000 }), 127_000);
    assert.equal(budgetOf({ model: 'gpt-4o', max_tokens: null }), 128_000 - 16_384, 'the largest answer');
    assert.equal(budgetOf({ model: 'claude-opus-5', max_tokens: 4000 }), 996_000);
    const input = fitRequest({ model: 'gpt-5', input: 'Hi', max_output_tokens: 300_000 });
    assert.equal(input.tokens.limit, 100_000);
    const contents = fitRequest({ model: 'models/gemini-2.5-flash', contents: 'Hi', config: { maxOutputTokens: 76 } });
    assert.equal(contents.tokens.limit, 1_048_500);
  });

  test('options win', () => {
    assert.equal(budgetOf({ model: 'gpt-4o', max_tokens: 1000 }, { limit: 50 }), 50);
    assert.equal(budgetOf({ model: 'gpt-4o', max_tokens: 1000 }, { window: 5000 }), 4000);
    assert.equal(budgetOf({ model: 'gpt-4o', max_tokens: 1000 }, { maxOutputTokens: 8000 }), 120_000);
    assert.equal(budgetOf({ model: 'gpt-4o', max_tokens: 1000 }, { model: 'gpt-4' }), 7192);
    assert.equal(budgetOf({ model: 'my-deployment', max_tokens: 1000 }, { model: 'gpt-4' }), 7192);
    assert.equal(budgetOf({ model: 'my-deployment', max_tokens: 1000 }, { window: 5000 }), 4000);
    assert.equal(budgetOf({ model: 'my-deployment' }, { limit: 50 }), 50);
  });

  test('the tokenizer is that of the model', () => {
    const talk = [{ role: 'user', content: 'A text of which the vocabularies make different tokens: fähig, 灯台.' }];
    const before = (model, options) => fitRequest({ model, messages: talk }, { limit: 1000, ...options }).tokens.before;
    assert.equal(before('gpt-4'), countTokens(talk, { tokenizer: 'cl100k_base' }));
    assert.equal(before('gpt-5.5'), countTokens(talk, { tokenizer: 'o200k_base' }));
    assert.equal(before('gpt-4', { tokenizer: 'estimate' }), countTokens(talk, { tokenizer: 'estimate' }));
    assert.equal(before('gpt-4', { tokenCounter: () => 7 }), 7);
  });
});

describe('messages that are no list', () => {
  const text = `${output(3)}\nWhy does worker-3 wait?`;
  const options = { limit: 200 };

  test("a text for OpenAI's Responses", () => {
    const { request, originals, fits } = fitRequest({ input: text, model: 'gpt-5.5' }, options);
    assert.ok(fits && request.input.length < text.length && request.input.includes('Why does worker-3 wait?'));
    assert.equal(restore([{ role: 'user', content: request.input }], originals).messages[0].content, text);
    assert.equal(fitRequest({ input: 'Hi' }, options).request.input, 'Hi');
  });

  test('for Gemini a text, a part, parts or one content', () => {
    const part = { text };
    const content = { role: 'user', parts: [part] };
    const image = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };
    const textIn = {
      text: [text, ({ contents }) => contents],
      part: [part, ({ contents }) => contents.text],
      'a content': [content, ({ contents }) => contents.parts[0].text],
      contents: [[content], ({ contents }) => contents[0].parts[0].text],
      texts: [['Look:', text], ({ contents }) => (contents[0] === 'Look:' ? contents[1].text : undefined)],
      'parts and texts': [['Look:', part, image], ({ contents }) => (contents[2] === image ? contents[1].text : undefined)],
    };
    for (const [name, [contents, read]] of Object.entries(textIn)) {
      const budget = name === 'parts and texts' ? 600 : 200;
      const { request, messages, originals, fits } = fitRequest({ contents }, { limit: budget });
      assert.ok(fits, name);
      const cut = read(request);
      assert.ok(cut.length < text.length && cut.includes('Why does worker-3 wait?'), name);
      assert.equal(restore(messages, originals).messages[0].parts.find((one) => one.text?.length > 100).text, text, name);
      assert.deepEqual(fitRequest({ contents }, { limit: 10_000 }).request, { contents }, `${name}, as it is`);
    }
  });
});

describe('with a summarizer', () => {
  const { request, ask, work, answer } = shapes.anthropic;
  const messages = [1, 2, 3, 4, 5, 6].flatMap((turn) => [...ask(turn), ...work(turn), ...answer(turn)]).concat(ask(7));

  test('it is a promise of the same, whatever becomes of the request meanwhile', async () => {
    const given = { ...request, messages: [...messages] };
    const later = fitRequestAsync(given, { limit: 3000, summarizer: async (text) => `About ${text.length} characters.` });
    given.messages.length = 1;
    given.model = 'x';
    const { request: out, originals, fits } = await later;
    assert.ok(fits);
    assert.deepEqual({ ...out, messages }, { ...request, messages });
    assert.deepEqual(restore(out.messages, originals).messages, messages);
  });

  test('it can be aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const options = { limit: 500, signal: controller.signal, summarizer: () => new Promise(() => controller.abort(reason)) };
    controller.abort(reason);
    await assert.rejects(fitRequestAsync({ ...request, messages }, options), reason);
  });
});

describe('what is wrong is named', () => {
  const right = { model: 'gpt-5.5', messages: [{ role: 'user', content: 'Hi' }] };
  const at = 'fitRequest(): request';
  const away = (key, list) =>
    `${at}.${key} stands for content at the provider, which can't be counted or fitted: send all of it in request.${list}, or call fit() with the messages alone`;
  const wrong = [
    [undefined, `${at} must be a provider's request with messages, input or contents, got undefined`],
    [null, `${at} must be a provider's request with messages, input or contents, got null`],
    [Promise.resolve(right), `${at} must be a provider's request with messages, input or contents, got promise`],
    ['Hi', `${at} must be a provider's request with messages, input or contents, got string`],
    [right.messages, `${at} must be a provider's request with messages, input or contents, got array`],
    [{}, `${at} must be a provider's request with messages, input or contents, got an object without them`],
    [
      { ...right, model: { modelId: 'gpt-5.5' } },
      `${at}.model must be a model's name: for other SDKs than the providers' own, call fit() with the messages`,
    ],
    [{ ...right, messages: 'Hi' }, `${at}.messages must be an array, got string`],
    [{ ...right, messages: null }, `${at}.messages must be an array, got null`],
    [{ input: 5 }, `${at}.input must be a string or an array of items, got number`],
    [{ contents: [{ role: 'user', parts: [] }, 'Hi'] }, `${at}.contents[0] must be a string or a part, got object`],
    [{ contents: 5 }, `${at}.contents must be a string or a part, got number`],
    [{ ...right, tools: { bash: {} } }, `${at}.tools must be an array, got object`],
    [{ ...right, tools: [5] }, `${at}.tools[0] must be an object, got number`],
    [
      { contents: 'Hi', config: { tools: [{ functionDeclarations: 5 }] } },
      `${at}.config.tools[0].functionDeclarations must be an array, got number`,
    ],
    [{ ...right, system: 5 }, `${at}.system must be a string, a block with a text or a system message, got number`],
    [{ input: 'Hi', instructions: [5] }, `${at}.instructions[0] must be a string, a block with a text or a system message, got number`],
    [{ input: 'Hi', previous_response_id: 'resp_1' }, away('previous_response_id', 'input')],
    [{ previous_response_id: 'resp_1' }, away('previous_response_id', 'input')],
    [{ input: [], conversation: { id: 'conv_1' } }, away('conversation', 'input')],
    [{ input: [], prompt: { id: 'pmpt_1' } }, away('prompt', 'input')],
    [{ ...right, thread: { id: 'thread_1' } }, away('thread', 'messages')],
    [{ contents: 'Hi', config: { cachedContent: 'cachedContents/1' } }, away('config.cachedContent', 'contents')],
    [{ ...right, max_tokens: '5' }, `${at}.max_tokens must be a number, got string`],
    [{ messages: right.messages }, 'fitRequest(): options must give a limit, a window or a model, because request.model is not given'],
    [
      { ...right, model: 'my-deployment' },
      'fitRequest(): options must give a limit or a window, because request.model is not a model that palimpsest knows (https://github.com/palimpsest-dev/palimpsest/blob/main/docs/reference/models.md)',
    ],
    [
      { ...right, model: 'claude-sonnet-5-5' },
      "fitRequest(): options must give a limit or a window, because the window of 'claude-sonnet-5-5' is not known",
    ],
    [right, 'fitRequest(): options must be an object, got array', []],
    [right, 'fitRequest(): options.originals must be an object, got number', { limit: 500, originals: 5 }],
    [
      right,
      "fitRequest(): options.model must be a model that palimpsest knows (https://github.com/palimpsest-dev/palimpsest/blob/main/docs/reference/models.md), got 'gpt-7': give tokenizer and limit or window in its place",
      { model: 'gpt-7' },
    ],
    [
      right,
      'fitRequest(): options.maxOutputTokens is taken from a window, and fitRequest(): options.limit is given, of which nothing is taken: leave maxOutputTokens out, or give window in the place of limit',
      { limit: 5, maxOutputTokens: 2 },
    ],
    [
      right,
      'fitRequest(): options.limit and fitRequest(): options.window both say what a request may take: give one of them',
      { limit: 5, window: 9 },
    ],
    [
      right,
      "fitRequest(): options.format must be one of 'openai-chat', 'openai-responses', 'anthropic', 'gemini', 'auto', got 'langchain'",
      { format: 'langchain' },
    ],
  ];
  for (const [request, message, options] of wrong) {
    test(message, () => assert.throws(() => fitRequest(request, options), new TypeError(message)));
  }
  test('an answer that leaves nothing', () => {
    const message = (value) => `${at}.max_tokens must be less than the window (8192), got ${value}`;
    assert.throws(() => fitRequest({ ...right, model: 'gpt-4', max_tokens: 8192 }), new RangeError(message(8192)));
    assert.throws(
      () => fitRequest({ ...right, max_tokens: -1 }),
      new RangeError(`${at}.max_tokens must be a number of tokens from 0, got -1`),
    );
    assert.throws(
      () => fitRequest({ ...right, max_tokens: 500 }, { window: 500 }),
      new RangeError(`${at}.max_tokens must be less than the window (500), got 500`),
    );
  });
  test('an answer in the options that leaves nothing', () => {
    const message = 'fitRequest(): options.maxOutputTokens must be less than the window (8192), got 9000';
    assert.throws(() => fitRequest({ ...right, model: 'gpt-4' }, { maxOutputTokens: 9000 }), new RangeError(message));
  });
  test('fields that say nothing are no fault', () => {
    const empty = { previous_response_id: null, conversation: null, prompt: undefined, instructions: null, max_output_tokens: null };
    const request = { model: 'gpt-5.5', input: 'Hi', ...empty };
    assert.deepEqual(fitRequest(request).request, request);
  });
});
