// Streams of the loopback providers, requests that fail on demand, and conversations side by side.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import OpenAI from 'openai';
import { agentTools, image, longAgent, startProvider } from '../support/agents/index.mjs';
import { clientsOf, loops } from '../support/agents/loops.mjs';

async function withProvider(script, options, work) {
  const provider = await startProvider(script, options);
  try {
    return await work(provider, clientsOf(provider));
  } finally {
    await provider.close();
  }
}

const TEXT = 'Grüße, 世界 🙂: a text that is longer than a few of the parts that a stream is split into. '.repeat(5).trim();
const tools = agentTools.map(({ name, description, parameters }) => ({ name, description, parameters }));
const user = (content) => [{ role: 'user', content }];

/** A stream of each provider: the texts of its events, in order; `end(answer)` ends it after the first text. */
const streams = {
  async *anthropic({ anthropic }, signal) {
    const body = { model: 'm', max_tokens: 100, messages: user('Hi.'), stream: true };
    for await (const { type, delta } of await anthropic.messages.create(body, { signal }))
      if (type === 'content_block_delta') yield delta.text;
  },
  async *'openai-chat'({ openai }, signal) {
    for await (const { choices } of await openai.chat.completions.create({ model: 'm', messages: user('Hi.'), stream: true }, { signal }))
      if (choices[0]?.delta.content) yield choices[0].delta.content;
  },
  async *'openai-responses'({ openai }, signal) {
    for await (const { type, delta } of await openai.responses.create({ model: 'm', input: 'Hi.', stream: true }, { signal }))
      if (type === 'response.output_text.delta') yield delta;
  },
  async *gemini({ gemini }, abortSignal) {
    for await (const chunk of await gemini.models.generateContentStream({ model: 'm', contents: 'Hi.', config: { abortSignal } }))
      yield chunk.text;
  },
};

for (const [name, stream] of Object.entries(streams)) {
  test(`${name}: a stream that comes in odd pieces is whole`, async () => {
    await withProvider([{ text: TEXT }], {}, async (_, clients) => {
      const parts = [];
      for await (const part of stream(clients)) parts.push(part);
      assert.ok(parts.length > 10);
      assert.equal(parts.join(''), TEXT);
    });
  });

  test(`${name}: a client that aborts in the middle is recorded, and the step comes again`, async () => {
    await withProvider([{ text: TEXT }, { text: 'next' }], { pause: 2 }, async (provider, clients) => {
      const controller = new AbortController();
      let parts = 0;
      await assert.rejects(
        async () => {
          for await (const _ of stream(clients, controller.signal)) if (++parts === 3) controller.abort();
          if (controller.signal.aborted) throw controller.signal.reason; // some clients just end the stream
        },
        (error) => /abort/i.test(`${error.name} ${error.message}`),
      );
      assert.equal(parts, 3);
      while (!provider.requests[0].aborted) await new Promise((done) => setTimeout(done, 2));
      const again = [];
      for await (const part of stream(clients)) again.push(part);
      assert.equal(again.join(''), TEXT);
      assert.deepEqual(
        provider.requests.map(({ step, aborted }) => [step, aborted]),
        [
          [0, true],
          [0, false],
        ],
      );
    });
  });

  test(`${name}: a connection that is cut in the middle is an error`, async () => {
    const faults = (_, n) => (n === 0 ? { cut: 700 } : undefined);
    await withProvider([{ text: TEXT }], { faults }, async (provider, clients) => {
      await assert.rejects(async () => {
        for await (const _ of stream(clients));
      });
      assert.deepEqual([provider.requests[0].step, provider.requests[0].aborted], [0, true]);
      for await (const _ of stream(clients));
      assert.deepEqual([provider.requests[1].step, provider.requests[1].aborted], [0, false]);
    });
  });
}

test('faults are the errors of the clients, and are tried again where a client does so', async () => {
  const faults = (_, n) => [{ status: 429 }, { status: 529, message: 'Overloaded' }, { status: 500 }][n];
  await withProvider([{ text: 'ok' }], { faults }, async (provider, { anthropic, openai, gemini }) => {
    const ask = { model: 'm', max_tokens: 10, messages: user('Hi.') };
    await assert.rejects(anthropic.messages.create(ask), Anthropic.RateLimitError);
    await assert.rejects(anthropic.messages.create(ask), (error) => error.status === 529 && error.error.error.type === 'overloaded_error');
    await assert.rejects(openai.chat.completions.create({ model: 'm', messages: user('Hi.') }), OpenAI.InternalServerError);
    assert.equal((await gemini.models.generateContent({ model: 'm', contents: 'Hi.' })).text, 'ok');
    assert.deepEqual(
      provider.requests.map(({ status }) => status),
      [429, 529, 500, 200],
    );
  });
  await withProvider([{ text: 'ok' }], { faults }, async (provider) => {
    const patient = new Anthropic({ apiKey: 'test', baseURL: provider.url, maxRetries: 3 });
    const { content } = await patient.messages.create({ model: 'm', max_tokens: 10, messages: user('Hi.') });
    assert.equal(content[0].text, 'ok');
    assert.equal(provider.requests.length, 4);
  });
});

test('conversations run side by side, named by a marker, a header or the test', async () => {
  await withProvider(longAgent({ steps: 8 }), {}, async (provider, clients) => {
    const [first, second] = await Promise.all(
      ['one', 'two'].map((name) => loops.anthropic(clients, { system: `You mend programs. [conversation ${name}]` })),
    );
    const named = await loops['openai-chat'](clientsOf(provider, { 'x-conversation': 'three' }));
    assert.deepEqual([first.length, second.length], [16, 16]);
    assert.equal(named.filter(({ role }) => role === 'assistant').length, 8);
    for (const conversation of ['one', 'two', 'three']) assert.equal(provider.sum({ conversation }).requests, 8);
    assert.equal(provider.sum().requests, 24);
  });
  const conversationOf = ({ request, headers, provider }) => `${provider} ${request.messages[0].content} ${headers['x-extra']}`;
  await withProvider(longAgent({ steps: 3 }), { conversationOf }, async (provider) => {
    await loops.anthropic(clientsOf(provider, { 'x-extra': 'yes' }), { task: 'Go on.' });
    assert.equal(provider.sum({ conversation: 'anthropic Go on. yes' }).requests, 3);
  });
});

test('histories may be cut: the step is counted by the server', async () => {
  await withProvider([{ text: 'one' }, { text: 'two' }, { text: 'three' }], {}, async (_, { anthropic }) => {
    for (const expected of ['one', 'two', 'three']) {
      const { content } = await anthropic.messages.create({ model: 'm', max_tokens: 10, messages: user('Again.') });
      assert.equal(content[0].text, expected);
    }
  });
});

test('Anthropic: message threads, as the tool runner sends them', async () => {
  let now = 0;
  await withProvider(longAgent({ steps: 8 }), { now: () => now }, async (provider, { anthropic }) => {
    const run = (of) =>
      anthropic.beta.messages.toolRunner({
        model: 'm',
        max_tokens: 1000,
        system: 'You mend programs.',
        messages: user('Go on.'),
        tools: tools.map(({ name, description, parameters }) =>
          betaTool({
            name,
            description,
            inputSchema: parameters,
            run: (input) => agentTools.find((tool) => tool.name === name).run(input),
          }),
        ),
        ...of,
      });
    const message = await run().runUntilDone();
    assert.equal(message.content[0].text, 'All 8 steps are done.');
    const [create, ...more] = provider.requests.map(({ body }) => body);
    assert.deepEqual(create.thread, { type: 'create' });
    for (const { thread, messages, system } of more) assert.deepEqual([thread.type, messages.length, system], ['continue', 1, undefined]);
    // What the server holds is sent to the model, and counted.
    const held = provider.requests.map(({ tokens }) => tokens);
    assert.deepEqual(
      held,
      held.toSorted((a, b) => a - b),
    );

    provider.reset();
    await run({ thread: false }).runUntilDone();
    assert.deepEqual(
      provider.requests.map(({ tokens }) => tokens),
      held,
    );

    // A thread ends 5 minutes after its last request; the runner starts another with the whole history.
    provider.reset();
    for await (const _ of run()) now += provider.requests.length === 4 ? 300_001 : 1;
    assert.deepEqual(
      provider.requests.map(({ status, body }) => [status, body.thread.type, body.messages.length]),
      [
        [200, 'create', 1],
        [200, 'continue', 1],
        [200, 'continue', 1],
        [200, 'continue', 1],
        [404, 'continue', 1],
        [200, 'create', 9],
        [200, 'continue', 1],
        [200, 'continue', 1],
        [200, 'continue', 1],
      ],
    );
  });
});

const thinkers = [
  { thinking: 'Hm.', text: 'One.' },
  { thinking: 'Well.', text: 'Two.' },
  { thinking: 'So.', text: 'Three.' },
];

test('Anthropic: thinking comes back as it was signed', async () => {
  await withProvider(thinkers, {}, async (_, { anthropic }) => {
    const send = (messages) => anthropic.messages.create({ model: 'm', max_tokens: 2000, thinking: { type: 'adaptive' }, messages });
    const { content } = await send(user('Hi.'));
    const after = (blocks) => [...user('Hello.'), { role: 'assistant', content: blocks }, ...user('And?')];
    await assert.rejects(send(after([{ ...content[0], thinking: 'Ha.' }, content[1]])), /Invalid `signature`/);
    assert.equal((await send(after(content))).content[0].thinking, 'Well.'); // another message before it is no matter
    assert.equal((await send(after(content.slice(1)))).content[0].thinking, 'So.');
  });
});

test('Anthropic: with `preserved`, thinking is good only behind what it was written for', async () => {
  await withProvider(thinkers, { preserved: true }, async (provider, { anthropic }) => {
    const thinking = { type: 'adaptive' };
    const send = (messages, more) => anthropic.messages.create({ model: 'm', max_tokens: 2000, thinking, messages, ...more });
    const { content } = await send(user('Hi.'));
    const rest = [{ role: 'assistant', content }, ...user('And?')];
    await assert.rejects(send([...user('Hello.'), ...rest]), /bound to a different conversation/);
    await assert.rejects(send([...user('Hi.'), ...rest], { system: 'Be brief.' }), /bound to a different conversation/);
    await send([...user('Hi.'), ...rest]);
    await send([...user('Hello.'), ...rest], { thinking: { ...thinking, block_binding: { prefix_mismatch_behavior: 'drop_block' } } });
    assert.deepEqual(
      provider.requests.map(({ dropped }) => dropped),
      [0, 0, 0, 0, 1],
    );
  });
});

test('Anthropic: with a fixed budget, the open turn begins with its thinking', async () => {
  await withProvider(longAgent({ thinking: true }), {}, async (_, { anthropic }) => {
    const ask = {
      model: 'm',
      max_tokens: 2000,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      tools: tools.map(({ name, parameters }) => ({ name, input_schema: parameters })),
    };
    const { content } = await anthropic.messages.create({ ...ask, messages: user('Hi.') });
    const { id } = content.find(({ type }) => type === 'tool_use');
    const turn = (blocks) => [
      ...user('Hi.'),
      { role: 'assistant', content: blocks },
      ...user([{ type: 'tool_result', tool_use_id: id, content: 'x' }]),
    ];
    await assert.rejects(anthropic.messages.create({ ...ask, messages: turn(content.slice(1)) }), /Expected `thinking`/);
    await anthropic.messages.create({ ...ask, thinking: { type: 'adaptive' }, messages: turn(content.slice(1)) });
    await anthropic.messages.create({ ...ask, messages: turn(content) });
  });
});

test('Responses: items and responses that are kept, and reasoning that what follows needs', async () => {
  const script = [{ thinking: 'Hm.', calls: [{ name: 'read', input: { path: 'a' } }] }, { text: 'Two.' }, { text: 'Three.' }];
  await withProvider(script, {}, async (provider, { openai }) => {
    const ask = { model: 'm', reasoning: { effort: 'low' }, tools: tools.map((tool) => ({ type: 'function', strict: false, ...tool })) };
    const { id, output } = await openai.responses.create({ ...ask, input: 'Hi.' });
    const [reasoning, call] = output;
    const result = { type: 'function_call_output', call_id: call.call_id, output: 'a file' };
    const hi = { role: 'user', content: 'Hi.' };
    await assert.rejects(openai.responses.create({ ...ask, input: [hi, call, result] }), /without its required 'reasoning' item/);
    const { usage } = await openai.responses.create({ ...ask, previous_response_id: id, input: [result] });
    const reference = (item) => ({ type: 'item_reference', id: item.id });
    const { usage: same } = await openai.responses.create({ ...ask, input: [hi, reference(reasoning), reference(call), result] });
    assert.equal(usage.input_tokens, same.input_tokens);
    assert.equal(provider.sum().refused, 1);
  });
});

test('Responses: with `preserved`, reasoning behind something else is dropped without a word', async () => {
  await withProvider(thinkers, { preserved: true }, async (provider, { openai }) => {
    const include = ['reasoning.encrypted_content'];
    const send = (input) => openai.responses.create({ model: 'm', reasoning: { effort: 'low' }, store: false, include, input });
    const { output } = await send(user('Hi.'));
    await send([...user('Hi.'), ...output, ...user('And?')]);
    await send([...user('Yo.'), ...output, ...user('And?')]);
    const [, kept, changed] = provider.requests;
    assert.deepEqual([kept.dropped, changed.dropped], [0, 1]);
    assert.equal(changed.tokens, kept.tokens - (4 + 2)); // "Hm." is 2 tokens
  });
});

test('structured answers, reasons to stop, images, and counting', async () => {
  const json = { done: true };
  await withProvider(
    () => ({ json }),
    {},
    async (_, { anthropic, openai, gemini }) => {
      const ask = { model: 'm', max_tokens: 100, messages: user('Hi.') };
      const forced = { tools: [{ name: 'report', input_schema: { type: 'object' } }], tool_choice: { type: 'tool', name: 'report' } };
      assert.deepEqual((await anthropic.messages.create({ ...ask, ...forced })).content[0].input, json);
      assert.deepEqual(JSON.parse((await anthropic.messages.create(ask)).content[0].text), json);
      assert.deepEqual(JSON.parse((await openai.responses.create({ model: 'm', input: 'Hi.' })).output_text), json);
      assert.deepEqual(JSON.parse((await gemini.models.generateContent({ model: 'm', contents: 'Hi.' })).text), json);
    },
  );
  await withProvider(
    () => ({ text: 'Half an ans', stop: 'max_tokens' }),
    {},
    async (_, { anthropic, openai, gemini }) => {
      const ask = { model: 'm', messages: user('Hi.') };
      assert.equal((await anthropic.messages.create({ ...ask, max_tokens: 10 })).stop_reason, 'max_tokens');
      assert.equal((await openai.chat.completions.create(ask)).choices[0].finish_reason, 'length');
      assert.equal((await openai.responses.create({ model: 'm', input: 'Hi.' })).status, 'incomplete');
      assert.equal((await gemini.models.generateContent({ model: 'm', contents: 'Hi.' })).candidates[0].finishReason, 'MAX_TOKENS');
    },
  );
  await withProvider(
    () => ({ text: 'ok' }),
    {},
    async (provider, { anthropic, openai, gemini }) => {
      const source = { type: 'base64', media_type: image.mediaType, data: image.base64 };
      const messages = user([{ type: 'image', source }]);
      const count = await anthropic.messages.countTokens({ model: 'm', messages });
      await anthropic.messages.create({ model: 'm', max_tokens: 10, messages });
      await openai.chat.completions.create({ model: 'm', messages: user([{ type: 'image_url', image_url: { url: image.dataUrl } }]) });
      const seen = { type: 'input_image', detail: 'auto', image_url: image.dataUrl };
      await openai.responses.create({ model: 'm', input: user([seen]) });
      const inlineData = { mimeType: image.mediaType, data: image.base64 };
      await gemini.models.generateContent({ model: 'm', contents: [{ role: 'user', parts: [{ inlineData }] }] });
      assert.equal(count.input_tokens, 104); // 100 for an image, 4 for the piece
      assert.deepEqual(
        provider.requests.map(({ tokens }) => tokens),
        [104, 104, 104, 104, 104],
      );
      assert.equal(provider.sum().sent, 416); // counting isn't sending
    },
  );
});
