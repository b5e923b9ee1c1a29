// An agent of Anthropic's SDK whose history stays within a limit: node examples/anthropic.mjs
//
// The provider is a loopback server, which keeps a prompt cache as Anthropic does.
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { agentTools, longAgent, startProvider } from '../__test__/support/agents/index.mjs';
import { withPalimpsest } from 'palimpsest/anthropic';

const provider = await startProvider(longAgent());
const client = withPalimpsest(new Anthropic({ apiKey: 'test', baseURL: provider.url }), {
  limit: 16_000,
  cacheControl: true,
  onStep: ({ epoch, report }) => epoch && console.log(String(report)),
});

const runner = client.beta.messages.toolRunner({
  model: 'claude-opus-5',
  max_tokens: 2000,
  system: 'You mend programs.',
  messages: [{ role: 'user', content: 'Find out why the export is slow.' }],
  tools: agentTools.map(({ name, description, parameters, run }) =>
    betaTool({ name, description, inputSchema: parameters, run: async (input) => run(input) }),
  ),
  // With a thread the provider would keep the history.
  thread: false,
});
const { content } = await runner;
console.log(content[0].text);

const { sent, cachedShare } = provider.sum();
const count = runner.params.messages.length;
console.log(`${count} messages, all of them whole · ${sent} tokens sent, ${Math.round(100 * cachedShare)}% of them from the cache`);
await provider.close();
