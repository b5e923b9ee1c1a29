// palimpsest/google-adk with ADK itself, against the loopback provider.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { FunctionTool, Gemini, InMemoryRunner, LlmAgent, LogLevel, setLogLevel, StreamingMode } from '@google/adk';
import { palimpsestPlugin } from 'palimpsest/google-adk';
import { agentTools, image, longAgent } from '../support/agents/index.mjs';
import { LIMIT, checkFigures, recording, spying, STEPS, testConversations, testRequests, withProvider } from '../support/clients.mjs';

setLogLevel(LogLevel.ERROR);
const model = 'gemini-3.5-flash';
const userId = 'user';
const newMessage = {
  role: 'user',
  parts: [{ text: 'Find out why the export is slow.' }, { inlineData: { mimeType: image.mediaType, data: image.base64 } }],
};

// ADK's client has no other way to be told.
const before = process.env.GOOGLE_GEMINI_BASE_URL;
after(() => {
  if (before === undefined) delete process.env.GOOGLE_GEMINI_BASE_URL;
  else process.env.GOOGLE_GEMINI_BASE_URL = before;
});
function open({ url }) {
  process.env.GOOGLE_GEMINI_BASE_URL = url;
  return { llm: new Gemini({ model, apiKey: 'test' }), plugins: [] };
}
const wrap = (client, options) => ({ ...client, plugins: [palimpsestPlugin(options)] });

function agentOf({ llm }, conversation, rest = {}) {
  const tools = agentTools.map(
    ({ name, description, parameters, run }) => new FunctionTool({ name, description, parameters, execute: (input) => run(input) }),
  );
  const instruction = `You mend programs. [conversation ${conversation}]`;
  return new LlmAgent({ name: 'mechanic', model: llm, instruction, tools, generateContentConfig: { maxOutputTokens: 2000 }, ...rest });
}

/** Runs one turn of a user, and returns its events. */
async function turn(runner, sessionId, { message = newMessage, ...rest } = {}) {
  const events = [];
  for await (const event of runner.runAsync({ userId, sessionId, newMessage: message, ...rest })) {
    if (event.errorMessage) throw new Error(event.errorMessage);
    events.push(event);
  }
  return events;
}

async function historyOf(runner, sessionId) {
  const { events } = await runner.sessionService.getSession({ appName: runner.appName, userId, sessionId });
  return JSON.parse(JSON.stringify(events.flatMap(({ content }) => content ?? [])));
}

async function opened(client, conversation, rest) {
  const runner = new InMemoryRunner({ agent: agentOf(client, conversation, rest), plugins: client.plugins });
  await runner.sessionService.createSession({ appName: runner.appName, userId, sessionId: conversation });
  return runner;
}

const resultOf = ({ output, result, error }) => output ?? result ?? error;

testConversations('an agent', {
  open,
  wrap,
  async run(client, { conversation, stream }) {
    const runner = await opened(client, conversation);
    const runConfig = { streamingMode: stream ? StreamingMode.SSE : StreamingMode.NONE };
    await turn(runner, conversation, { runConfig });
    return historyOf(runner, conversation);
  },
  resultsOf: (of) =>
    new Map(
      (of.contents ?? of)
        .flatMap(({ parts }) => parts)
        .filter(({ functionResponse }) => functionResponse)
        .map(({ functionResponse: { id, response } }) => [id, resultOf(response)]),
    ),
});

test('signed thoughts stay with their calls', async (t) => {
  await withProvider(longAgent({ steps: STEPS, thinking: true }), async (provider) => {
    const recorder = recording({ limit: LIMIT });
    const thinking = { generateContentConfig: { thinkingConfig: { includeThoughts: true } } };
    const runner = await opened(wrap(open(provider), recorder.options), 'a', thinking);
    await turn(runner, 'a');
    assert.equal(provider.sum().refused, 0);
    assert.ok(JSON.stringify(await historyOf(runner, 'a')).includes('thoughtSignature'));
    checkFigures(t, provider, recorder);
  });
});

const long = { role: 'user', parts: [{ text: 'Worker 7 waited for backup 9 and moved it to the other side. '.repeat(400) }] };

testRequests('google-adk', {
  open,
  wrap,
  structured: [
    async (client) => {
      const properties = { cause: { type: 'STRING' }, sure: { type: 'BOOLEAN' } };
      const outputSchema = { type: 'OBJECT', properties, required: ['cause', 'sure'] };
      const [{ content }] = await turn(await opened(client, 'a', { tools: [], outputSchema }), 'a', { message: long });
      return JSON.parse(content.parts[0].text);
    },
  ],
});

test("sessions may be named by ADK's own, and go on over turns", async () => {
  await withProvider(longAgent({ steps: 12 }), async (provider) => {
    const asked = [];
    const { spy, seen, session } = spying({ limit: LIMIT });
    const options = {
      session: ({ callbackContext, llmRequest }) => {
        asked.push([callbackContext.sessionId, callbackContext.agentName, llmRequest.model]);
        return spy;
      },
    };
    const runner = await opened(wrap(open(provider), options), 'a');
    await turn(runner, 'a');
    await turn(runner, 'a', { message: { role: 'user', parts: [{ text: 'And now?' }] } });
    assert.deepEqual(asked[0], ['a', 'mechanic', model]);
    assert.equal(asked.length, 13);
    assert.equal(session.report.requests, 13);
    // Each answer's usage, once.
    assert.equal(seen.length, 13);
  });
});

test('an aborted stream is the end of its request alone, and an error of the provider is as ADK gives it', async () => {
  await withProvider(
    () => ({ text: 'word '.repeat(400) }),
    async (provider) => {
      const { spy, seen } = spying({ limit: 3000 });
      const runner = await opened(wrap(open(provider), spy), 'a', { tools: [] });
      const controller = new AbortController();
      const runConfig = { streamingMode: StreamingMode.SSE };
      for await (const event of runner.runAsync({ userId, sessionId: 'a', newMessage: long, runConfig, abortSignal: controller.signal }))
        if (event.partial) controller.abort();
      assert.deepEqual(seen, []);
      await turn(runner, 'a');
      assert.equal(seen.length, 1);
      await assert.rejects(turn(runner, 'a', { message: { role: 'user', parts: [{ text: 'FAIL' }] } }), /slow down/);
      assert.equal(seen.length, 1);
      for (const { tokens } of provider.requests) assert.ok(tokens <= 3000);
    },
    { pause: 1, faults: ({ request }) => (JSON.stringify(request).includes('FAIL') ? { status: 400, message: 'slow down' } : undefined) },
  );
});

test('requests whose history is at the provider go through, and so does every callback', async () => {
  const plugin = palimpsestPlugin({
    limit: 100,
    onStep: () => assert.fail('it was chosen'),
    onError: (error) => {
      throw error;
    },
  });
  const llmRequest = { model, contents: [long], previousInteractionId: 'interaction-1', toolsDict: {}, liveConnectConfig: {} };
  const callbackContext = { eventActions: {} };
  assert.equal(await plugin.beforeModelCallback({ callbackContext, llmRequest }), undefined);
  assert.deepEqual(llmRequest.contents, [long]);
  assert.equal(await plugin.afterModelCallback({ callbackContext, llmResponse: { usageMetadata: { promptTokenCount: 1 } } }), undefined);
  for (const name of ['beforeRunCallback', 'onToolErrorCallback', 'afterContextCompaction', 'beforeToolSelection', 'onLaterCallback'])
    assert.equal(await plugin[name]({}), undefined);
  assert.equal(plugin.name, 'palimpsest');
  assert.equal(await plugin, plugin);
});

test('wrong options are errors', () => {
  assert.throws(() => palimpsestPlugin({ limits: 1000 }), {
    name: 'TypeError',
    message: /palimpsestPlugin\(\): options\.limits is not an option/,
  });
  assert.throws(() => palimpsestPlugin({ limit: 0 }), { name: 'RangeError', message: /options\.limit/ });
});
