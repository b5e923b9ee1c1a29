// The programs of docs/frameworks.md, with the frameworks themselves, against a provider that refuses what the real one refuses: 75 steps stay within the
// limit, none is refused, and they cost no more than with the framework's own compaction.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createOpenAI } from '@ai-sdk/openai';
import { ChatAnthropic } from '@langchain/anthropic';
import { ChatOpenAI } from '@langchain/openai';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { TokenLimiterProcessor } from '@mastra/core/processors';
import { createTool } from '@mastra/core/tools';
import { anthropicPromptCachingMiddleware, createAgent, summarizationMiddleware, tool } from 'langchain';
import { z } from 'zod';
import { agentTools, longAgent, startProvider } from './support/agents/index.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(join(root, 'docs/frameworks.md'), 'utf8');
const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-frameworks-'));
symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'), 'junction');
after(() => rmSync(scratch, { recursive: true, force: true }));

/** What the program of a section exports. */
async function program(section) {
  const [, code] = page.split(`\n## ${section}\n`)[1].match(/```js\n([\s\S]*?)```/);
  const file = join(scratch, `${section}.mjs`);
  writeFileSync(file, code);
  return import(pathToFileURL(file).href);
}

const STEPS = 75;
/** Of a sub-agent. */
const PART = 40;
const WINDOW = 64_000;
/** Where the frameworks compact. */
const THRESHOLD = 34_000;
/** Three quarters of a window of 40,000 tokens, as the default limit of a session is of one of 200,000. */
const LIMIT = 30_000;
const SYSTEM = 'You repair programs.';
const ASKED = 'Repair it, and leave port 8412 as it is.';

/** What input and answers cost, in tokens of uncached input. */
const costOf = ({ sent, cached, written, output }) => sent - cached - written + 0.1 * cached + 1.25 * written + 5 * output;

/** Runs `work` with a provider whose model works on, and returns the provider. `delegates`: it has a part done by a sub-agent. */
async function played(t, work, { names = {}, delegates = false } = {}) {
  const agents = { main: longAgent({ steps: STEPS, tools: names }), part: longAgent({ steps: PART, tools: names }) };
  const delegating = { text: '', calls: [{ name: 'task', input: { description: 'Do the other part.', subagent_type: 'part' } }] };
  const script = (turn) => {
    // What the framework asks for a summary has another system prompt.
    if (agents[turn.conversation] === undefined) return { text: 'The part before was read, searched, run and edited. '.repeat(20) };
    return delegates && turn.conversation === 'main' && turn.step === 3 ? delegating : agents[turn.conversation](turn);
  };
  const provider = await startProvider(script, { window: WINDOW });
  t.after(() => provider.close());
  await work(provider);
  return provider;
}

/** Checks what came of a run with palimpsest, and that it cost no more than one with the framework's own compaction, if it has one. */
function check(t, ours, theirs, { steps = STEPS } = {}) {
  const [mine, its] = [ours.sum(), theirs?.sum()];
  const most = Math.max(...ours.requests.map(({ tokens }) => tokens));
  t.diagnostic(`${mine.sent} tokens sent in ${mine.requests} requests of up to ${most}, cost ${Math.round(costOf(mine))}`);
  if (its) t.diagnostic(`without: ${its.sent} in ${its.requests}, cost ${Math.round(costOf(its))}`);
  assert.deepEqual(
    ours.requests.filter(({ status }) => status !== 200).map(({ error }) => error),
    [],
  );
  assert.equal(mine.requests, steps, 'nothing was asked beside the steps');
  assert.ok(most <= LIMIT, `${most} tokens`);
  if (its) assert.ok(costOf(mine) <= costOf(its), `${costOf(mine)} and ${costOf(its)}`);
  assert.ok(
    ours.requests.some(({ body }) => JSON.stringify(body).includes('[… ')),
    'something was cut',
  );
}

/** A tool that throws ends a run of these frameworks. */
const failing = (run) => async (input) => {
  try {
    return await run(input);
  } catch (error) {
    return error.message;
  }
};

const CHATS = {
  anthropic: (url) => new ChatAnthropic({ model: 'claude-opus-5', apiKey: 'test', anthropicApiUrl: url, maxRetries: 0, maxTokens: 1000 }),
  openai: (url) => new ChatOpenAI({ model: 'gpt-5.5', apiKey: 'test', configuration: { baseURL: `${url}/v1` }, maxRetries: 0 }),
};
const langchainTools = (names = {}) =>
  agentTools.map(({ name, description, parameters, run }) =>
    tool(failing(run), { name: names[name] ?? name, description, schema: parameters }),
  );
const asked = { messages: [{ role: 'user', content: ASKED }] };

for (const chat of Object.keys(CHATS)) {
  test(`LangChain, ${chat}: in place of summarizationMiddleware`, async (t) => {
    const { agentOf } = await program('LangChain');
    const middleware = chat === 'anthropic' ? [anthropicPromptCachingMiddleware({ minMessagesToCache: 0 })] : [];
    const optionsOf = ({ url }) => ({
      model: CHATS[chat](url),
      tools: langchainTools(),
      systemPrompt: `${SYSTEM} [conversation main]`,
      middleware,
    });
    const run = (agent) => agent.invoke(asked, { recursionLimit: 500 });
    const ours = await played(t, (provider) => run(agentOf(optionsOf(provider), LIMIT)));
    const theirs = await played(t, (provider) => {
      const options = optionsOf(provider);
      const summarising = summarizationMiddleware({ model: options.model, trigger: { tokens: THRESHOLD }, keep: { messages: 20 } });
      return run(createAgent({ ...options, middleware: [summarising, ...middleware] }));
    });
    check(t, ours, theirs);
  });
}

const without = (name) => !existsSync(join(root, 'node_modules', name)) && `${name} is not installed`;

for (const chat of Object.keys(CHATS)) {
  test(`deepagents, ${chat}: the agent and its sub-agents`, { skip: without('deepagents') }, async (t) => {
    const { agentOf } = await program('deepagents');
    const { createDeepAgent } = await import('deepagents');
    const names = { read: 'read_it', search: 'search_it', run: 'run_it', edit: 'edit_it' };
    const optionsOf = ({ url }) => {
      const tools = langchainTools(names);
      const model = CHATS[chat](url);
      // deepagents compacts at 85 % of that.
      Object.defineProperty(model, 'profile', { value: { maxInputTokens: 40_000 } });
      const part = { name: 'part', description: 'Does parts.', systemPrompt: `${SYSTEM} [conversation part]`, tools };
      return { model, tools, systemPrompt: `${SYSTEM} [conversation main]`, subagents: [part] };
    };
    const settings = { names, delegates: true };
    // First, because what the program registers holds for the process.
    const theirs = await played(t, (provider) => createDeepAgent(optionsOf(provider)).invoke(asked), settings);
    const ours = await played(t, (provider) => agentOf(chat, optionsOf(provider), LIMIT).invoke(asked), settings);
    check(t, ours, theirs, { steps: STEPS + PART });
    assert.ok(Math.max(...theirs.requests.map(({ tokens }) => tokens)) > THRESHOLD);
  });
}

test('Mastra: in place of its TokenLimiterProcessor', async (t) => {
  const { agentOf } = await program('Mastra');
  const inputSchema = ({ properties }) =>
    z.object(Object.fromEntries(Object.entries(properties).map(([key, { description }]) => [key, z.string().describe(description)])));
  const tools = Object.fromEntries(
    agentTools.map(({ name, description, parameters, run }) => [
      name,
      createTool({ id: name, description, inputSchema: inputSchema(parameters), execute: failing(run) }),
    ]),
  );
  const optionsOf = ({ url }) => ({
    id: 'main',
    name: 'main',
    instructions: `${SYSTEM} [conversation main]`,
    // With Anthropic's models, what the limiter leaves may begin with the model's words, which is refused.
    model: createOpenAI({ apiKey: 'test', baseURL: `${url}/v1` }).chat('gpt-5.5'),
    tools,
  });
  const run = (agent) => agent.generate(ASKED, { maxSteps: STEPS + 5, modelSettings: { maxRetries: 0, maxOutputTokens: 1000 } });
  const ours = await played(t, (provider) => run(agentOf(optionsOf(provider), LIMIT)));
  const theirs = await played(t, (provider) =>
    run(new MastraAgent({ ...optionsOf(provider), inputProcessors: [new TokenLimiterProcessor(THRESHOLD)] })),
  );
  check(t, ours, theirs);
});

test('Cline: its type of message, by defineFormat', { skip: without('@cline/agents') }, async (t) => {
  const { agentOf } = await program('Cline');
  const { Agent } = await import('@cline/agents');
  const tools = agentTools.map(({ name, description, parameters, run }) => ({
    name,
    description,
    inputSchema: parameters,
    execute: failing(run),
  }));
  const optionsOf = ({ url }) => ({
    providerId: 'anthropic',
    modelId: 'claude-sonnet-4-5',
    apiKey: 'test',
    baseUrl: `${url}/v1`,
    systemPrompt: `${SYSTEM} [conversation main]`,
    tools,
    maxIterations: 200,
  });
  let run;
  const ours = await played(t, async (provider) => {
    run = await agentOf(optionsOf(provider), LIMIT).run(ASKED);
  });
  // Alone, @cline/agents compacts nothing: requests grow beyond the window.
  const theirs = await played(t, (provider) => new Agent(optionsOf(provider)).run(ASKED));
  assert.equal(run.status, 'completed');
  assert.equal(run.messages.filter(({ role }) => role === 'assistant').length, STEPS, 'the history is whole');
  assert.ok(
    theirs.requests.some(({ status }) => status !== 200),
    'it needs something',
  );
  check(t, ours);
});
