// An empty folder, a fresh home and the pages word for word lead to a working agent with each SDK. The model is on this machine, calls the tool
// of the program again and again, and refuses what is longer than its window.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { encode } from 'gpt-tokenizer';
import { ofIntegrations, ofReadme } from './newcomer/pages.mjs';
import { welcome } from './newcomer/newcomer.mjs';
import { withoutNode22 as skip } from './support/node22.mjs';
import { startProvider } from './support/agents/index.mjs';

const PARTS = 14;
const WINDOW = 200_000;
/** What the tool reads: parts of 15,000 tokens, which do not fit into the window together. */
const files = Object.fromEntries(
  Array.from({ length: PARTS }, (_, part) => [
    `part${part}.txt`,
    Array.from(
      { length: 800 },
      (_, line) => `12:${part}:${line % 60} worker-${(line * 7 + part) % 13} wrote ${line * 31 + part} rows of batch ${line * part}`,
    ).join('\n'),
  ]),
);
const reads = ({ step }) =>
  step < PARTS ? { calls: [{ name: 'read', input: { path: `part${step}.txt` } }] } : { text: 'All parts are read.' };

test('the parts do not fit into the window: what is not cut is refused', () => {
  assert.ok(Object.values(files).reduce((sum, text) => sum + encode(text).length, 0) > WINDOW);
});

let newcomer;
before(async () => {
  if (!skip) newcomer = await welcome();
});
after(() => newcomer?.remove());

/** Starts a model for one program, with the settings by which SDKs find it. */
async function startModel(t, script) {
  const provider = await startProvider(script, { window: WINDOW });
  t.after(() => provider.close());
  return {
    provider,
    env: {
      OPENAI_API_KEY: 'test',
      OPENAI_BASE_URL: `${provider.url}/v1`,
      OPENAI_AGENTS_DISABLE_TRACING: '1',
      ANTHROPIC_API_KEY: 'test',
      ANTHROPIC_BASE_URL: provider.url,
      GEMINI_API_KEY: 'test',
      GOOGLE_GENAI_API_KEY: 'test',
      GOOGLE_GEMINI_BASE_URL: provider.url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  };
}

/** Fails unless all requests were answered, the largest nearly filled what a session leaves to it, and the last one had the answers before. */
function assertWithin(provider, count) {
  assert.deepEqual([...new Set(provider.requests.map(({ status, error }) => error ?? status))], [200]);
  assert.equal(provider.requests.length, count);
  const largest = Math.max(...provider.requests.map(({ tokens }) => tokens));
  assert.ok(largest > 60_000 && largest < WINDOW, `${largest} tokens`);
}

const AGENTS = {
  'the agent in README.md': ofReadme['an agent'],
  'the loop in README.md': ofReadme['a loop'],
  ...Object.fromEntries(
    ['ai-sdk', 'openai', 'anthropic', 'gemini', 'langchain', 'openai-agents', 'mastra', 'google-adk'].map((subpath) => [
      `palimpsest/${subpath}`,
      ofIntegrations[subpath],
    ]),
  ),
};
for (const [name, program] of Object.entries(AGENTS)) {
  test(`${name}: an agent that reads more than its window takes`, { skip }, async (t) => {
    const { provider, env } = await startModel(t, reads);
    const { run, took } = await newcomer.begin(program, files);
    t.diagnostic(`npm install ${program.install.join(' ')}: ${Math.round(took / 1000)} s`);
    assert.match(await run(program.file, env), /All parts are read\./);
    assertWithin(provider, PARTS + 1);
  });
}

const isOld = Number(process.versions.node.split('.')[0]) < 22;
test('the agent in README.md on Node.js 20, where npm takes the major of the SDK before', {
  skip: skip || (!isOld && 'this is a newer Node.js'),
}, async (t) => {
  const { dependencies } = JSON.parse(readFileSync(new URL('./majors/between/package.json', import.meta.url), 'utf8'));
  const { provider, env } = await startModel(t, reads);
  const program = ofReadme['an agent'];
  const { run } = await newcomer.begin(program, files, dependencies);
  assert.match(await run(program.file, env, process.execPath), /All parts are read\./);
  assertWithin(provider, PARTS + 1);
});

/** A chat of many turns, as clients send it: more than the window takes. */
const chat = (message) =>
  Array.from({ length: 2 * PARTS + 1 }, (_, index) =>
    message(
      index % 2 ? 'assistant' : 'user',
      index % 2 ? files[`part${(index - 1) / 2}.txt`] : `What did the workers write in hour ${index}?`,
      index,
    ),
  );
const post = (body) => `{ method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify(body))} }`;
const SERVERS = {
  'the route in README.md': {
    program: ofReadme['a route'],
    client: `import { POST } from './agent.mjs';
const body = ${post({ id: 'chat', messages: chat((role, text, id) => ({ id: `${id}`, role, parts: [{ type: 'text', text }] })) })};
console.log(await (await POST(new Request('http://localhost/api/chat', body))).text());`,
  },
  'palimpsest/web': {
    program: ofIntegrations.web,
    client: `import { POST } from './agent.mts';
const body = ${post({ messages: chat((role, content) => ({ role, content })) })};
console.log(await (await POST(new Request('http://localhost/api/chat', body))).text());`,
  },
  'palimpsest/express': {
    program: ofIntegrations.express,
    client: `import { app } from './agent.mts';
const server = app.listen(0, '127.0.0.1', async () => {
  const body = ${post({ messages: chat((role, content) => ({ role, content })) })};
  console.log(await (await fetch('http://127.0.0.1:' + server.address().port + '/chat', body)).text());
  server.close();
});`,
  },
};
for (const [name, { program, client }] of Object.entries(SERVERS)) {
  test(`${name}: a server whose client sends more than the window takes`, { skip }, async (t) => {
    const { provider, env } = await startModel(t, () => ({ text: 'They wrote rows.' }));
    const { run, took } = await newcomer.begin(program, { 'client.mjs': client });
    t.diagnostic(`npm install ${program.install.join(' ')}: ${Math.round(took / 1000)} s`);
    assert.match(await run('client.mjs', env), /They wrote rows\./);
    assertWithin(provider, 1);
  });
}

test('palimpsest/claude-agent-sdk: what a tool returns is short before the model sees it', { skip }, async (t) => {
  const { provider, env } = await startModel(t, ({ step, tools }) =>
    step === 0 && tools.includes('Bash')
      ? { calls: [{ name: 'Bash', input: { command: 'head -400 part1.txt' } }] }
      : { text: 'It wrote rows.' },
  );
  const program = ofIntegrations['claude-agent-sdk'];
  const client = `import { ask } from './agent.mts';
for await (const message of ask('What did the workers write?')) if (message.type === 'result') console.log(message.result);`;
  const { run, took } = await newcomer.begin(program, { ...files, 'client.mjs': client });
  t.diagnostic(`npm install ${program.install.join(' ')}: ${Math.round(took / 1000)} s`);
  assert.match(await run('client.mjs', env), /It wrote rows\./);
  const { messages, tools } = provider.requests.at(-1).body;
  const result = messages.flatMap(({ content }) => content).find(({ type }) => type === 'tool_result');
  assert.match(JSON.stringify(result), /\[… \d+ (?:lines|more like this)/);
  assert.ok(JSON.stringify([tools, messages]).includes('mcp__outputs__recall'), 'the model can look up the rest');
});

test('palimpsest/bullmq: a server and a worker load', { skip }, async () => {
  const { run } = await newcomer.begin(ofIntegrations.bullmq, {
    'client.mjs': "import { messagesFor, startWorker } from './agent.mts';\nconsole.log(typeof messagesFor, typeof startWorker);",
  });
  assert.equal(await run('client.mjs', {}), 'function function\n');
});
