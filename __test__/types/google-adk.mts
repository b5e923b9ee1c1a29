// Compiled, never run: the plugin goes into ADK's runner.
import { InMemoryRunner, LlmAgent } from '@google/adk';
import { createSession } from 'palimpsest';
import { palimpsestPlugin } from 'palimpsest/google-adk';

const agent = new LlmAgent({ name: 'mechanic', model: 'gemini-3.5-flash', instruction: 'You mend programs.' });
const sessions = new Map([['a', createSession({ limit: 1000 })]]);
const plugin = palimpsestPlugin({
  limit: 50_000,
  session: ({ callbackContext }) => sessions.get(callbackContext.sessionId),
  onStep: ({ tokens }, { params }) => console.log(tokens.after, params.llmRequest.model),
});
const clerk = new LlmAgent({ name: 'clerk', model: 'gemini-3.5-flash', tools: [plugin.recallTool()], subAgents: [agent] });
export const runner = new InMemoryRunner({ agent: clerk, plugins: [plugin, palimpsestPlugin()] });

// @ts-expect-error -- no such option
palimpsestPlugin({ limits: 1000 });
