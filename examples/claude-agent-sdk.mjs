// An agent that sees outputs shortened, and can recall them: node examples/claude-agent-sdk.mjs
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { shortenToolOutput } from 'palimpsest/claude-agent-sdk';
import { z } from 'zod';
import { startProvider } from '../__test__/support/agents/index.mjs';

const outputs = new Map();
const shorten = shortenToolOutput({
  limit: 300,
  onShortened: ({ toolUseId, output, tokens }) => {
    outputs.set(toolUseId, output);
    console.log(`${toolUseId}: ${tokens.before} → ${tokens.after} tokens`);
  },
  note: ({ toolUseId }) => `Cut to save tokens. recall has all of it, as ${toolUseId}.`,
});
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const log = Array.from({ length: 500 }, (_, line) => `12:00:${line % 60} worker-${line % 7} wrote ${line * 31} rows`).join('\n');
const tools = [
  tool('log', 'The log', {}, async () => text(log)),
  tool('recall', 'The whole output of an earlier call', { id: z.string() }, async ({ id }) => text(outputs.get(id)?.[0].text ?? 'None')),
];

// In place of Claude. Leave `env` out to ask the real one.
const provider = await startProvider(({ step }) =>
  step === 0 ? { thinking: 'Look.', calls: [{ name: 'mcp__work__log', input: {} }] } : { text: 'Done.' },
);
const env = {
  ...process.env,
  HOME: '/tmp',
  ANTHROPIC_BASE_URL: provider.url,
  ANTHROPIC_API_KEY: 'test',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
};
const mcpServers = { work: createSdkMcpServer({ name: 'work', tools }) };
const hooks = { PostToolUse: [{ matcher: 'mcp__work__log', hooks: [shorten] }] };
const options = { tools: [], allowedTools: ['mcp__work'], settingSources: [], persistSession: false, mcpServers, hooks, env };
for await (const message of query({ prompt: 'Which worker is slow?', options })) {
  if (message.type === 'result') console.log(message.result);
}
await provider.close();
