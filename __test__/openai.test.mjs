// The LLM helpers with a real client over HTTP: whatever the server does, every call settles and nothing is lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';
import { compress, uncompress, createSummarizer, createClassifier } from 'palimpsest';
import { createEscalatingSummarizer, createEscalatingClassifier } from 'palimpsest/compress';
import { failures, messageIn, say, withChatServer } from './support/chat-server.mjs';

/** Prose that only an LLM or the sentence rules can shorten: no rule of the classifier keeps it. */
const prose = (topic) =>
  `We talked about the ${topic} and what the team expects of it. The ${topic} has to keep working while the old one is ` +
  `still running, so both are tested every night. Nobody has seen a problem with the ${topic} since the change went in, ` +
  `and the people who use it every day are happy with it so far. If that changes we will look at the ${topic} again and ` +
  'write down what we find. Until then there is nothing to do but to wait and to read the mail that comes in.';

const topics = [
  'scheduler',
  'parser',
  'invoice page',
  'search box',
  'mail queue',
  'login form',
  'report builder',
  'backup job',
  'price list',
  'photo album',
  'garden plan',
  'music player',
];
const conversation = [
  { id: 's', index: 0, role: 'system', content: 'You are a careful assistant.' },
  ...topics.map((topic, i) => ({ id: `m${i}`, index: i + 1, role: i % 2 ? 'assistant' : 'user', content: prose(topic) })),
  { id: 'c', index: 13, role: 'assistant', content: `${prose('example')}\n\n\`\`\`js\nconst a = 1;\n\`\`\`\n` },
  { id: 't', index: 14, role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function' }] },
  { id: 'r', index: 15, role: 'tool', tool_call_id: 'call_1', content: prose('tool result') },
];
const options = { recencyWindow: 0 };
const prosePrompts = topics.length + 2; // the topics, the example's prose and the tool result
const frozen = structuredClone(conversation);

const summaryOf = (prompt) => `The gist: ${messageIn(prompt).slice(0, 40)}`;
const summarise = (prompt) => say(summaryOf(prompt));
const preserve = () => say('{"decision":"preserve","confidence":0.9,"reason":"matters"}');

/** Asserts the properties of every result of `compress` on `conversation`. */
function assertNothingLost(result) {
  assert.deepEqual(conversation, frozen, 'the input is as it was');
  const restored = uncompress(result.messages, result.verbatim);
  assert.deepEqual(restored.missing_ids, []);
  assert.equal(restored.messages.length, conversation.length);
  restored.messages.forEach((message, i) => assert.equal(message, conversation[i]));
  const characters = (messages) => messages.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
  assert.ok(characters(result.messages) <= characters(conversation));
}

/** A result without the statistics that only runs with a classifier have. */
function withoutClassifierStatistics({ compression: { messages_llm_classified, ...compression }, ...result }) {
  return { ...result, compression };
}

test('createSummarizer: the client sends the prompt, compress uses the answer', async () => {
  await withChatServer(summarise, async ({ seen, callLlm }) => {
    const result = await compress(conversation, { ...options, summarizer: createSummarizer(callLlm) });
    assertNothingLost(result);
    assert.equal(seen.prompts.length, prosePrompts);
    for (const topic of topics) {
      assert.ok(
        seen.prompts.some((prompt) => prompt.endsWith(prose(topic))),
        topic,
      );
      const expected = `[summary: The gist: ${prose(topic).slice(0, 40)}`;
      assert.ok(
        result.messages.some(({ content }) => content?.startsWith(expected)),
        topic,
      );
    }
  });
});

for (const [name, fail] of Object.entries(failures)) {
  test(`createSummarizer and ${name}: compress summarises without the LLM`, async () => {
    await withChatServer(fail, async ({ seen, callLlm }) => {
      const result = await compress(conversation, { ...options, summarizer: createSummarizer(callLlm) });
      assertNothingLost(result);
      assert.deepEqual(result, compress(conversation, options));
      assert.equal(seen.prompts.length, prosePrompts);
    });
  });

  test(`createEscalatingSummarizer and ${name}: asks twice, then compress summarises without the LLM`, async () => {
    await withChatServer(fail, async ({ seen, callLlm }) => {
      const result = await compress(conversation, { ...options, summarizer: createEscalatingSummarizer(callLlm) });
      assertNothingLost(result);
      assert.deepEqual(result, compress(conversation, options));
      assert.equal(seen.prompts.length, 2 * prosePrompts);
    });
  });

  test(`createEscalatingClassifier and ${name}: the rules decide`, async () => {
    await withChatServer(fail, async ({ callLlm }) => {
      const result = await compress(conversation, { ...options, classifier: createEscalatingClassifier(callLlm) });
      assertNothingLost(result);
      assert.deepEqual(withoutClassifierStatistics(result), compress(conversation, options));
    });
  });

  test(`createClassifier and ${name}: compress rejects with the client's error or goes by the rules`, async () => {
    await withChatServer(fail, async ({ callLlm }) => {
      const call = compress(conversation, { ...options, classifier: createClassifier(callLlm) });
      const expected = {
        serverError: OpenAI.InternalServerError,
        rateLimit: OpenAI.RateLimitError,
        notJson: TypeError, // the client gives the page as a string, which has no choices
        cutOff: Error,
        emptyChoices: TypeError,
        noContent: TypeError,
        hangUp: OpenAI.APIConnectionError,
      }[name];
      if (expected) await assert.rejects(call, expected);
      else assert.deepEqual(withoutClassifierStatistics(await call), compress(conversation, options));
      assert.deepEqual(conversation, frozen);
    });
  });
}

test('createEscalatingSummarizer: a first answer that is too long is followed by a terse one', async () => {
  const respond = (prompt) => (/terse/.test(prompt) ? summarise(prompt) : say(`${messageIn(prompt)} And more.`));
  await withChatServer(respond, async ({ seen, callLlm }) => {
    const result = await compress(conversation, { ...options, summarizer: createEscalatingSummarizer(callLlm) });
    assertNothingLost(result);
    assert.equal(seen.prompts.length, 2 * prosePrompts);
    assert.ok(result.messages.some(({ content }) => content?.startsWith('[summary: The gist:')));
  });
});

test('createClassifier: what the model preserves stays by reference', async () => {
  const respond = (prompt) =>
    prompt.includes('parser') ? preserve() : say('```json\n{"decision":"compress","confidence":1,"reason":"chat"}\n```');
  await withChatServer(respond, async ({ callLlm }) => {
    const result = await compress(conversation, { ...options, classifier: createClassifier(callLlm) });
    assertNothingLost(result);
    const parser = conversation.find(({ content }) => content === prose('parser'));
    assert.ok(result.messages.includes(parser));
    assert.equal(result.compression.messages_llm_preserved, 1);
  });
});

for (const garbage of ['I would keep it.', '{"decision":"maybe"}', '{}', '```json\n```', '[]', '{{{{']) {
  test(`createClassifier: an answer such as ${JSON.stringify(garbage)} leaves it to the rules`, async () => {
    await withChatServer(
      () => say(garbage),
      async ({ callLlm }) => {
        const result = await compress(conversation, { ...options, classifier: createClassifier(callLlm) });
        assertNothingLost(result);
        assert.deepEqual(withoutClassifierStatistics(result), compress(conversation, options));
      },
    );
  });
}

test('rate limits: the client tries again, and every answer arrives', async () => {
  const refused = new Set();
  const respond = (prompt) => {
    if (refused.has(prompt)) return summarise(prompt);
    refused.add(prompt);
    return failures.rateLimit();
  };
  await withChatServer(
    respond,
    async ({ seen, callLlm }) => {
      const result = await compress(conversation, { ...options, summarizer: createSummarizer(callLlm) });
      assertNothingLost(result);
      assert.equal(seen.prompts.length, 2 * prosePrompts);
      assert.equal(result.messages.filter(({ content }) => content?.startsWith('[summary: The gist:')).length, prosePrompts);
    },
    { maxRetries: 2 },
  );
});

test('as many calls at the same time as concurrency allows', async () => {
  for (const [concurrency, most] of [
    [undefined, 4],
    [1, 1],
    [7, 7],
    [Infinity, prosePrompts],
  ]) {
    await withChatServer(summarise, async ({ callLlm }) => {
      let [open, mostOpen] = [0, 0];
      const counted = async (prompt) => {
        mostOpen = Math.max(mostOpen, ++open);
        try {
          return await callLlm(prompt);
        } finally {
          open--;
        }
      };
      const result = await compress(conversation, { ...options, concurrency, summarizer: createSummarizer(counted) });
      assertNothingLost(result);
      assert.equal(mostOpen, most);
    });
  }
});

test('answers slower than the client waits: compress summarises without the LLM', async () => {
  const slow = new Set();
  let calls = 0;
  const respond = (prompt) => ({ ...summarise(prompt), never: slow.has(prompt) });
  await withChatServer(respond, async ({ callLlm }) => {
    // Only what is never answered has a timeout, so that a busy machine makes nothing else late.
    const impatient = (prompt) => {
      if (calls++ % 2) return callLlm(prompt);
      slow.add(prompt);
      return callLlm(prompt, { timeout: 50 });
    };
    const result = await compress(conversation, { ...options, summarizer: createSummarizer(impatient) });
    assertNothingLost(result);
    assert.ok(result.messages.some(({ content }) => content?.startsWith('[summary: The gist:')));
  });
});

test('with a token budget no text is sent twice', async () => {
  await withChatServer(summarise, async ({ seen, callLlm }) => {
    const total = compress(conversation, { compressionThreshold: Infinity }).messages.reduce(
      (sum, { content }) => sum + Math.ceil((content?.length ?? 0) / 3.5),
      0,
    );
    const result = await compress(conversation, { tokenBudget: Math.floor(total / 2), summarizer: createSummarizer(callLlm) });
    assertNothingLost(result);
    assert.equal(result.fits, true);
    assert.equal(new Set(seen.prompts).size, seen.prompts.length);
  });
});

test('an aborted call rejects with the reason and sends nothing more', async () => {
  for (const helper of ['summarizer', 'classifier']) {
    const controller = new AbortController();
    const reason = new Error('the user left');
    const respond = (prompt, n) => {
      if (n === 1) controller.abort(reason);
      return { ...summarise(prompt), never: true };
    };
    await withChatServer(respond, async ({ seen, callLlm }) => {
      const create = helper === 'summarizer' ? createSummarizer : createEscalatingClassifier;
      const call = compress(conversation, { ...options, concurrency: 2, signal: controller.signal, [helper]: create(callLlm) });
      await assert.rejects(call, (error) => error === reason);
      await new Promise((done) => setTimeout(done, 150));
      assert.equal(seen.prompts.length, 2);
      assert.deepEqual(conversation, frozen);
    });
  }
});

test('many calls at the same time against a server that does everything wrong: all settle, nothing is lost', async () => {
  const kinds = [...Object.values(failures), summarise, preserve, (prompt) => ({ ...summarise(prompt), delay: 20 }), () => say('garbage')];
  // Every kind follows every other at some point: 7 has no factor in common with the number of kinds.
  assert.equal(kinds.length % 7 === 0, false);
  await withChatServer(
    (prompt, n) => kinds[(n * 7 + Math.floor(n / kinds.length)) % kinds.length](prompt),
    async ({ callLlm }) => {
      const calls = Array.from({ length: 20 }, (_, i) =>
        compress(conversation, {
          ...options,
          concurrency: 1 + (i % 5),
          ...(i % 4 === 0 && { summarizer: createSummarizer(callLlm) }),
          ...(i % 4 === 1 && { summarizer: createEscalatingSummarizer(callLlm), tokenBudget: 500 }),
          ...(i % 4 === 2 && { classifier: createEscalatingClassifier(callLlm), summarizer: createSummarizer(callLlm) }),
          ...(i % 4 === 3 && { classifier: createClassifier(callLlm) }),
        }),
      );
      const settled = await Promise.allSettled(calls);
      settled.forEach(({ status, value, reason }, i) => {
        if (status === 'fulfilled') assertNothingLost(value);
        else assert.ok(i % 4 === 3 && reason instanceof Error, `call ${i}: ${reason}`);
      });
    },
    { maxRetries: 1, timeout: 1000 },
  );
});
