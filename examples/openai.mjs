// An agent of OpenAI's SDK whose history stays within a limit: node examples/openai.mjs
// The provider is a loopback server, which keeps a prompt cache as OpenAI does.
import OpenAI from 'openai';
import { agentTools, longAgent, startProvider } from '../__test__/support/agents/index.mjs';
import { withPalimpsest } from 'palimpsest/openai';

const provider = await startProvider(longAgent());
const client = withPalimpsest(new OpenAI({ apiKey: 'test', baseURL: `${provider.url}/v1` }), {
  limit: 16_000,
  onStep: ({ epoch, report }) => epoch && console.log(String(report)),
});

const runner = client.chat.completions.runTools(
  {
    model: 'gpt-5.5',
    messages: [
      { role: 'system', content: 'You mend programs.' },
      { role: 'user', content: 'Find out why the export is slow.' },
    ],
    tools: agentTools.map(({ name, description, parameters, run }) => ({
      type: 'function',
      function: { name, description, parameters, parse: JSON.parse, function: (input) => attempt(run, input) },
    })),
  },
  { maxChatCompletions: 60 },
);
console.log(await runner.finalContent());

const { sent, cachedShare } = provider.sum();
const cached = `${Math.round(100 * cachedShare)}% of them from the cache`;
console.log(`${runner.messages.length} messages, all of them whole · ${sent} tokens sent, ${cached}`);
await provider.close();

function attempt(run, input) {
  try {
    return run(input);
  } catch (error) {
    return `Error: ${error.message}`;
  }
}
