// An agent's loop that stays within its window: node examples/agent-loop.mjs
//
// The model, the tools and the user are stubs that replay examples/agent-session.json.
import { readFileSync } from 'node:fs';
import { countTokens, createSession } from 'palimpsest';

const recorded = JSON.parse(readFileSync(new URL('agent-session.json', import.meta.url), 'utf8')).map(
  ({ id, index, ...message }) => message,
);

/** Stub of a provider's client. */
const client = {
  async create({ messages }) {
    return { message: recorded.shift(), usage: { prompt_tokens: countTokens(messages) } };
  },
};

const session = createSession({ limit: 12_000, format: 'openai-chat' });
const history = [];
while (recorded.length > 0) {
  // Messages of the user and results of tools.
  while (recorded.length > 0 && recorded[0].role !== 'assistant') history.push(recorded.shift());
  if (recorded.length === 0) break;

  const { messages, epoch, report } = session.next(history);
  const { message, usage } = await client.create({ model: 'gpt-5.5', messages });
  session.observe(usage);
  history.push(message);
  if (epoch) console.log(String(report));
}
console.log(String(session.report));
