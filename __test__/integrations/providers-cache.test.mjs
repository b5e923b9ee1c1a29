// The prompt caches of the loopback providers. All sums are worked out by hand: a text of n words is n tokens, and every piece
// (a tool, a block, a message) 4 more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProvider } from '../support/agents/index.mjs';
import { clientsOf } from '../support/agents/loops.mjs';

const words = (n, first = 'word') => [first, ...Array(n - 1).fill('word')].join(' ');
const answer = () => ({ text: 'ok' });
const MINUTE = 60_000;

/** `work` gets the clients, and `wait(ms)`, which moves the clock of the server. */
async function withCache(cache, work) {
  let now = 0;
  const provider = await startProvider(answer, { cache, now: () => now });
  const wait = (ms) => {
    now += ms;
  };
  try {
    return await work({ ...clientsOf(provider), wait }, provider);
  } finally {
    await provider.close();
  }
}

const ephemeral = { type: 'ephemeral' };
const hour = { type: 'ephemeral', ttl: '1h' };
const block = (n, control, first) => ({ type: 'text', text: words(n, first), ...(control && { cache_control: control }) });

/** Sends to Anthropic; gives [uncached, read, written]. */
async function send({ anthropic }, request) {
  const { usage } = await anthropic.messages.create({ model: 'm', max_tokens: 10, ...request });
  return [usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens];
}

test('Anthropic: what ends at a breakpoint is written once, then read', async () => {
  await withCache({ anthropic: { minimum: 100 } }, async (to, provider) => {
    const system = [block(196, ephemeral)]; // 200
    const messages = [{ role: 'user', content: words(46) }]; // 50
    assert.deepEqual(await send(to, { system, messages }), [50, 0, 200]);
    assert.deepEqual(await send(to, { system, messages: [{ role: 'user', content: words(96) }] }), [100, 200, 0]);
    // The same without breakpoints reads nothing.
    assert.deepEqual(await send(to, { system: words(196), messages }), [250, 0, 0]);
    // Other models and other texts have caches of their own.
    assert.deepEqual(await send(to, { system, messages, model: 'n' }), [50, 0, 200]);
    assert.deepEqual(await send(to, { system: [block(196, ephemeral, 'other')], messages }), [50, 0, 200]);
    const { sent, cached, written } = provider.sum();
    assert.deepEqual([sent, cached, written], [250 + 300 + 250 + 250 + 250, 200, 600]);
  });
});

test('Anthropic: a prefix below the minimum is not cached', async () => {
  await withCache({ anthropic: { minimum: 100 } }, async (to) => {
    const messages = [{ role: 'user', content: words(46) }];
    for (const expected of [
      [50 + 99, 0, 0],
      [50 + 99, 0, 0],
    ])
      assert.deepEqual(await send(to, { system: [block(95, ephemeral)], messages }), expected);
    assert.deepEqual(await send(to, { system: [block(96, ephemeral)], messages }), [50, 0, 100]);
  });
});

test('Anthropic: an automatic breakpoint moves with the end', async () => {
  await withCache({ anthropic: { minimum: 100 } }, async (to) => {
    const messages = [{ role: 'user', content: words(146) }]; // 150
    const request = { cache_control: ephemeral, system: words(46), messages }; // + 50
    assert.deepEqual(await send(to, request), [0, 0, 200]);
    messages.push({ role: 'assistant', content: words(16) }, { role: 'user', content: words(26) }); // 20 + 30
    assert.deepEqual(await send(to, request), [0, 200, 50]);
    // A change in the middle leaves what was written before it; a breakpoint ended only behind the first message.
    messages[1] = { role: 'assistant', content: words(6) }; // 10
    assert.deepEqual(await send(to, request), [0, 200, 40]);
    messages[0] = { role: 'user', content: words(145) };
    assert.deepEqual(await send(to, request), [0, 0, 50 + 149 + 10 + 30]);
  });
});

test('Anthropic: a breakpoint looks back over 20 blocks, its own included', async () => {
  await withCache({ anthropic: { minimum: 100 } }, async (to) => {
    const start = block(196, ephemeral); // 200
    const more = (n) => [{ role: 'user', content: [block(196), ...Array.from({ length: n - 1 }, () => block(6)), block(6, ephemeral)] }];
    assert.deepEqual(await send(to, { messages: [{ role: 'user', content: [start] }] }), [0, 0, 200]);
    assert.deepEqual(await send(to, { messages: more(20) }), [0, 0, 400]);
    assert.deepEqual(await send(to, { messages: more(19) }), [0, 200, 190]);
    // 20 blocks wrote an entry, too, and it is the longest that is near enough.
    assert.deepEqual(await send(to, { messages: more(21) }), [0, 400, 10]);
  });
});

test('Anthropic: entries live for 5 minutes or an hour after they were last used', async () => {
  await withCache({ anthropic: { minimum: 100 } }, async (to) => {
    const messages = [{ role: 'user', content: words(46) }];
    const short = { system: [block(196, ephemeral)], messages };
    const long = { system: [block(196, hour, 'long')], messages };
    assert.deepEqual(await send(to, short), [50, 0, 200]);
    assert.deepEqual(await send(to, long), [50, 0, 200]);
    to.wait(5 * MINUTE);
    assert.deepEqual(await send(to, short), [50, 200, 0]);
    to.wait(5 * MINUTE);
    assert.deepEqual(await send(to, short), [50, 200, 0]); // the last read renewed it
    to.wait(5 * MINUTE + 1);
    assert.deepEqual(await send(to, short), [50, 0, 200]);
    to.wait(45 * MINUTE - 1); // 60 minutes after it was written
    assert.deepEqual(await send(to, long), [50, 200, 0]);
    to.wait(60 * MINUTE + 1);
    assert.deepEqual(await send(to, long), [50, 0, 200]);
  });
});

test('Anthropic: tools, system, messages; and which time each write has', async () => {
  await withCache({ anthropic: { minimum: 100 } }, async (to) => {
    const tool = (n, control) => ({
      name: 'read',
      description: words(n),
      input_schema: { type: 'object' },
      ...(control && { cache_control: control }),
    });
    const request = {
      model: 'm',
      max_tokens: 10,
      tools: [tool(100, hour)],
      system: [block(96, hour)],
      messages: [{ role: 'user', content: [block(46, ephemeral)] }],
    };
    const first = (await to.anthropic.messages.create(request)).usage;
    const toolTokens = first.cache_creation_input_tokens - 150;
    assert.ok(toolTokens > 100 && toolTokens < 150, `${toolTokens}`); // its JSON
    assert.deepEqual(first.cache_creation, { ephemeral_1h_input_tokens: toolTokens + 100, ephemeral_5m_input_tokens: 50 });
    assert.equal(first.input_tokens, 0);
    // Another choice of tools: other messages, but the same tools and system.
    assert.deepEqual(await send(to, { ...request, tool_choice: { type: 'any' } }), [0, toolTokens + 100, 50]);
    assert.deepEqual(await send(to, { ...request, system: [block(95, hour)] }), [0, toolTokens, 99 + 50]);
    const other = await to.anthropic.messages.create({ ...request, tools: [tool(101, hour)] });
    assert.equal(other.usage.cache_read_input_tokens, 0);
  });
});

test('Anthropic: cache_control within a result ends behind the result', async () => {
  await withCache({ anthropic: { minimum: 100 } }, async (to) => {
    const tools = [{ name: 'read', input_schema: { type: 'object' } }];
    const result = (control) => ({ type: 'tool_result', tool_use_id: 't1', content: [block(196, control)] });
    const messages = (control) => [
      { role: 'user', content: words(46) },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'read', input: {} }] },
      { role: 'user', content: [result(control)] },
    ];
    const [uncached, read, written] = await send(to, { tools, messages: messages(ephemeral) });
    assert.deepEqual([uncached, read], [0, 0]);
    assert.deepEqual(
      await send(to, { tools, messages: [...messages(ephemeral).slice(0, 2), { role: 'user', content: [result(ephemeral), block(6)] }] }),
      [10, written, 0],
    );
  });
});

/** Sends to OpenAI; gives [input, cached]. */
async function chat({ openai }, messages, more) {
  const { usage } = await openai.chat.completions.create({ model: 'm', messages, ...more });
  return [usage.prompt_tokens, usage.prompt_tokens_details.cached_tokens];
}

test('OpenAI: any prefix of 1024 tokens or more, in steps of 128', async () => {
  await withCache({}, async (to) => {
    const system = { role: 'system', content: words(1196) }; // 1200
    const user = { role: 'user', content: words(96) }; // 100
    assert.deepEqual(await chat(to, [system, user]), [1300, 0]);
    assert.deepEqual(await chat(to, [system, user, { role: 'assistant', content: words(16) }, user]), [1420, 1280]); // 1300 are shared
    // 1200 + 4 + 60 are shared: the first 60 words of the next message.
    assert.deepEqual(await chat(to, [system, { role: 'user', content: `${words(60)} end` }]), [1265, 1152]);
    // The same words by another role are another message: 1200 are shared.
    assert.deepEqual(await chat(to, [system, { role: 'assistant', content: words(96) }]), [1300, 1152]);
    assert.deepEqual(await chat(to, [system, user], { prompt_cache_key: 'other' }), [1300, 0]);
    assert.deepEqual(await chat(to, [system, user], { model: 'n' }), [1300, 0]);
    to.wait(10 * MINUTE);
    assert.deepEqual(await chat(to, [system, user]), [1300, 1280]);
    to.wait(10 * MINUTE + 1);
    assert.deepEqual(await chat(to, [system, user]), [1300, 0]);
  });
});

test('OpenAI: 1023 shared tokens are none', async () => {
  await withCache({}, async (to) => {
    const shared = { role: 'system', content: words(1019) };
    assert.deepEqual(await chat(to, [shared, { role: 'user', content: words(96) }]), [1123, 0]);
    assert.deepEqual(await chat(to, [shared, { role: 'assistant', content: words(96) }]), [1123, 0]);
  });
});

test('OpenAI Responses: instructions and input are one prefix, and what is kept there counts', async () => {
  await withCache({}, async ({ openai }) => {
    const of = async (request) => {
      const { id, usage } = await openai.responses.create({ model: 'm', instructions: words(1196), ...request });
      return [id, usage.input_tokens, usage.input_tokens_details.cached_tokens];
    };
    const [id, ...first] = await of({ input: words(96) });
    assert.deepEqual(first, [1300, 0]);
    // The answer "ok" is 1 + 4, the next message 96 + 4.
    assert.deepEqual((await of({ previous_response_id: id, input: words(96) })).slice(1), [1405, 1280]);
    assert.deepEqual((await of({ input: words(96), instructions: words(1196, 'other') })).slice(1), [1300, 0]);
  });
});

test('Gemini: any prefix of 4096 tokens or more', async () => {
  await withCache({}, async ({ gemini }) => {
    const of = async (n, text) => {
      const { usageMetadata } = await gemini.models.generateContent({
        model: 'm',
        contents: text,
        config: { systemInstruction: words(n) },
      });
      return [usageMetadata.promptTokenCount, usageMetadata.cachedContentTokenCount];
    };
    assert.deepEqual(await of(4096, words(96)), [4200, undefined]);
    assert.deepEqual(await of(4096, words(50)), [4154, 4154]);
    assert.deepEqual(await of(4096, words(50, 'other')), [4154, 4104]);
    assert.deepEqual(await of(4080, words(50)), [4138, undefined]);
  });
});
