// Compiled, never run: the hook goes into the options of `query` without a cast.
import { createSdkMcpServer, query, type Options } from '@anthropic-ai/claude-agent-sdk';
import { shortenToolOutput, type ShortenedOutput } from 'palimpsest/claude-agent-sdk';

const outputs = new Map<string, ShortenedOutput>();
const shorten = shortenToolOutput({
  limit: 4000,
  onShortened: (shortened) => void outputs.set(shortened.toolUseId, shortened),
  note: async ({ toolUseId, tokens }) => `${tokens.before - tokens.after} tokens were cut: recall them with the id ${toolUseId}.`,
  onError: (error, { params }) => console.error(params.tool_name, error),
});
const mcpServers = { palimpsest: createSdkMcpServer({ name: 'palimpsest', tools: [shorten.recallTool()] }) };
const options: Options = { mcpServers, hooks: { PostToolUse: [{ matcher: 'Bash|mcp__.*', hooks: [shorten] }] } };
export const stream = query({ prompt: 'Mend the tests.', options });

// @ts-expect-error the limit is required
shortenToolOutput({});
