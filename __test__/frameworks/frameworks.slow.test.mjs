// The programs of docs/frameworks.md, with the frameworks whose packages only this folder has:
//   npm ci --ignore-scripts --prefix __test__/frameworks && npm test -- frameworks
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { agentTools } from '../support/agents/index.mjs';
import {
  ADDRESS,
  ASKED,
  blocksOf,
  check,
  failing,
  LIMIT,
  played,
  program,
  proxyBefore,
  STEPS,
  SYSTEM,
  withoutFrameworks,
} from '../support/frameworks.mjs';

const skip = withoutFrameworks;
const systemPrompt = `${SYSTEM} [conversation main]`;
// Programs write into the user's folder. In production VoltAgent says nothing of what goes well, and asks nobody for new models.
const home = mkdtempSync(join(tmpdir(), 'palimpsest-home-'));
Object.assign(process.env, { HOME: home, NODE_ENV: 'production' });
// It also leaves timers that would keep the process.
const { setInterval } = globalThis;
globalThis.setInterval = (...of) => setInterval(...of).unref();
after(() => rmSync(home, { recursive: true, force: true }));

/** Providers of Cline: a model. */
const MODELS = { anthropic: 'claude-sonnet-4-5', 'openai-native': 'gpt-5.5' };
const clineOf = ({ url }, providerId) => ({
  providerId,
  modelId: MODELS[providerId],
  apiKey: 'test',
  baseUrl: `${url}/v1`,
  systemPrompt,
});
const clineTools = agentTools.map(({ name, description, parameters, run }) => ({
  name,
  description,
  inputSchema: parameters,
  execute: failing(run),
}));

for (const providerId of Object.keys(MODELS)) {
  test(`Cline, ${providerId}: in place of its compaction`, { skip }, async (t) => {
    const { configOf } = await program('Cline');
    const { ClineCore } = await import('@cline/core');
    let history;
    const run = async (provider, withPalimpsest) => {
      const cline = await ClineCore.create({ backendMode: 'local' });
      const modelId = MODELS[providerId];
      // Cline compacts at three quarters of that.
      const window = { contextWindow: 40_000, maxInputTokens: 40_000, maxTokens: 4000 };
      const config = {
        ...clineOf(provider, providerId),
        cwd: home,
        mode: 'yolo',
        enableTools: false,
        enableSpawnAgent: false,
        enableAgentTeams: false,
        extraTools: clineTools,
        knownModels: { [modelId]: { id: modelId, ...window, capabilities: ['tools', 'prompt-cache', 'streaming'] } },
        compaction: { enabled: true },
      };
      const { sessionId, result } = await cline.start({
        prompt: ASKED,
        interactive: false,
        config: withPalimpsest ? configOf(config, LIMIT) : config,
      });
      assert.equal(result.finishReason, 'completed');
      history = await cline.readMessages(sessionId);
      await cline.dispose();
    };
    const theirs = await played(t, (provider) => run(provider, false));
    assert.ok(theirs.sum().requests > STEPS, 'it asked for summaries');
    const ours = await played(t, (provider) => run(provider, true));
    assert.equal(history.filter(({ role }) => role === 'assistant').length, STEPS, 'the history is whole');
    assert.ok(!JSON.stringify(history).includes('[… '));
    check(t, ours, theirs);
  });
}

test('Cline: an Agent of @cline/agents', { skip }, async (t) => {
  const { configOf } = await program('Cline');
  const { Agent } = await import('@cline/agents');
  const optionsOf = (provider) => ({ ...clineOf(provider, 'anthropic'), tools: clineTools, maxIterations: 200 });
  let run;
  const ours = await played(t, async (provider) => {
    run = await new Agent(configOf(optionsOf(provider), LIMIT)).run(ASKED);
  });
  assert.equal(run.status, 'completed');
  assert.equal(run.messages.filter(({ role }) => role === 'assistant').length, STEPS, 'the history is whole');
  check(t, ours);
  // Alone, it compacts nothing.
  const theirs = await played(t, (provider) => new Agent(optionsOf(provider)).run(ASKED));
  assert.ok(theirs.requests.some(({ status }) => status !== 200));
});

/** Of VoltAgent: a question takes so many steps, because its summaries are made before a question only. */
const PAUSE = 5;
/** In tokens of texts: VoltAgent doesn't count calls and their results. So many come with about 26,000 tokens. */
const TRIGGER = 100;

for (const name of ['anthropic', 'openai']) {
  test(`VoltAgent, ${name}: in place of summarization`, { skip }, async (t) => {
    const { agentOf } = await program('VoltAgent');
    const { Agent, createTool, InMemoryStorageAdapter, Memory } = await import('@voltagent/core');
    const [{ createAnthropic }, { createOpenAI }, { z }] = await Promise.all([
      import('@ai-sdk/anthropic'),
      import('@ai-sdk/openai'),
      import('zod'),
    ]);
    const tools = agentTools.map(({ name: tool, description, parameters: { properties }, run }) =>
      createTool({
        name: tool,
        description,
        parameters: z.object(
          Object.fromEntries(Object.entries(properties).map(([key, about]) => [key, z.string().describe(about.description)])),
        ),
        execute: failing(run),
      }),
    );
    const run = async ({ url }, agentWith) => {
      const client = { apiKey: 'test', baseURL: `${url}/v1` };
      const model = name === 'anthropic' ? createAnthropic(client)('claude-sonnet-4-5') : createOpenAI(client).chat('gpt-5.5');
      const memory = new Memory({ storage: new InMemoryStorageAdapter() });
      const agent = agentWith({ name: 'main', instructions: systemPrompt, model, tools, memory });
      const options = {
        userId: 'someone',
        conversationId: 'main',
        contextLimit: 1000,
        maxSteps: PAUSE,
        maxRetries: 0,
        maxOutputTokens: 1000,
      };
      for (let asked = 0; asked < STEPS / PAUSE; asked++) {
        const { fullStream } = await agent.streamText(asked === 0 ? ASKED : 'Go on.', options);
        await Array.fromAsync(fullStream);
      }
    };
    const ours = await played(t, (provider) => run(provider, (options) => agentOf(options, LIMIT)), { pause: PAUSE });
    // With Anthropic's models, VoltAgent's summaries leave all messages there, and the window overflows.
    const summarization = { triggerTokens: TRIGGER, keepMessages: 8 };
    const theirs =
      name === 'anthropic'
        ? undefined
        : await played(t, (provider) => run(provider, (options) => new Agent({ ...options, summarization })), { pause: PAUSE });
    if (theirs) assert.ok(theirs.sum().requests > STEPS, 'it asked for summaries');
    check(t, ours, theirs);
  });
}

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));

for (const name of ['openAI', 'anthropic']) {
  test(`LibreChat agents, ${name}: the proxy in place of their compaction`, { skip }, async (t) => {
    const { createTokenCounter, Providers } = await import('@librechat/agents');
    const { HumanMessage } = await import('@librechat/agents/langchain/messages');
    const { tool } = await import('@librechat/agents/langchain/tools');
    const tools = agentTools.map(({ name: called, description, parameters, run }) =>
      tool(failing(run), { name: called, description, schema: parameters }),
    );
    const clientOptions = { apiKey: 'test', streaming: true, maxRetries: 0 };
    const agent =
      name === 'openAI'
        ? { provider: Providers.OPENAI, clientOptions: { ...clientOptions, model: 'gpt-5.5', streamUsage: true } }
        : {
            provider: Providers.ANTHROPIC,
            clientOptions: { ...clientOptions, model: 'claude-sonnet-4-5', maxTokens: 1000, promptCache: true },
          };
    const run = async (start, more) => {
      const running = await start(
        { agentId: 'main', instructions: systemPrompt, tools, ...agent, ...more },
        { runId: 'main', returnContent: true },
      );
      const config = { configurable: { thread_id: 'main' }, streamMode: 'values', version: 'v2', recursionLimit: 500 };
      const content = await running.processStream({ messages: [new HumanMessage(ASKED)] }, config);
      assert.equal(content.at(-1).text, `All ${STEPS} steps are done.`);
    };
    const ours = await played(t, async (provider) => {
      const address = await proxyBefore(t, provider);
      const { runOf } = await program('LibreChat agents', { as: (code) => code.replaceAll(ADDRESS, address) });
      await run(runOf);
    });
    // With Anthropic's models, their summaries end in a request that begins with an answer, which is refused.
    const own = { maxContextTokens: 40_000, ...(name === 'openAI' && { summarizationEnabled: true }) };
    const theirs = await played(t, async ({ url }) => {
      const { runOf } = await program('LibreChat agents', { as: (code) => code.replaceAll(ADDRESS, url) });
      const tokenCounter = await createTokenCounter();
      await run((one, config) => runOf(one, { ...config, tokenCounter, indexTokenCountMap: {} }), own);
    });
    check(t, ours, theirs);
  });
}

/** With it, tiny-agents ends its turn. */
const final = { calls: [{ name: 'task_complete', input: {} }] };
const tinyServer = { type: 'stdio', command: process.execPath, args: [pathOf('tools.mjs')] };

test('tiny-agents: its program, and the proxy', { skip }, async (t) => {
  const folder = join(home, 'tiny');
  mkdirSync(folder);
  const [json] = blocksOf('tiny-agents', 'json');
  writeFileSync(join(folder, 'PROMPT.md'), systemPrompt);
  const play = (address) => async (provider) => {
    const agent = { ...JSON.parse(json.replaceAll(ADDRESS, await address(provider))), servers: [tinyServer] };
    writeFileSync(join(folder, 'agent.json'), JSON.stringify(agent));
    const cli = pathOf('node_modules/@huggingface/tiny-agents/dist/cli.js');
    const child = spawn(process.execPath, [cli, 'run', folder], {
      env: { ...process.env, API_KEY: 'test' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    t.after(() => child.kill());
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
    child.stdin.write(`${ASKED}\n`);
    const isOver = () => child.exitCode !== null || said.includes('Tool[task_complete]');
    while (!isOver()) await sleep(50);
    return child;
  };
  const ours = await played(
    t,
    play((provider) => proxyBefore(t, provider)),
    { final },
  );
  check(t, ours);
  // Alone, it compacts nothing.
  const theirs = await played(
    t,
    play(({ url }) => url),
    { final },
  );
  assert.ok(theirs.sum().refused > 0);
});

test('tiny-agents: its class', { skip }, async (t) => {
  const { PalimpsestAgent } = await program('tiny-agents');
  const { command, args } = tinyServer;
  const ours = await played(
    t,
    async ({ url }) => {
      const agent = new PalimpsestAgent({
        model: 'gpt-5.5',
        endpointUrl: `${url}/v1`,
        apiKey: 'test',
        servers: [{ command, args }],
        prompt: systemPrompt,
        limit: LIMIT,
      });
      await agent.loadTools();
      await Array.fromAsync(agent.run(ASKED));
      assert.equal(agent.messages.filter(({ role }) => role === 'assistant').length, STEPS, 'the history is whole');
      await agent.cleanup();
    },
    { final },
  );
  check(t, ours);
});
