// An MCP server over stdio with which any client looks up what was said in saved conversations. It reads them at each call, so that it finds
// what another process has added meanwhile.
//   node examples/mcp-recall/server.mjs HISTORY.json      a file with the messages of one conversation, in any format
//   node examples/mcp-recall/server.mjs STORE.sqlite      conversations that `history.mjs` saved (Node.js 22.13 or newer)
import { readFile } from 'node:fs/promises';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { countTokens, recall } from 'palimpsest';
import { z } from 'zod';
import { loadHistory } from './history.mjs';

/** Maximum tokens of an answer. */
const TOKENS = 500;
const MESSAGE_TOKENS = 1000;

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node server.mjs HISTORY.json | STORE.sqlite');
  process.exit(2);
}
const isFile = file.endsWith('.json');
const store = isFile ? undefined : (await import('palimpsest/store/sqlite')).sqliteStore(file);

/** Returns the messages of a conversation. */
async function historyOf(conversation) {
  if (store === undefined) return JSON.parse(await readFile(file, 'utf8'));
  if (conversation === undefined) throw new Error('conversation is missing');
  return loadHistory(store, conversation);
}

/** Returns messages by their numbers, as JSON, as far as the tokens reach. */
function shown(history, from, to) {
  const lines = [];
  let left = MESSAGE_TOKENS;
  for (const [index, message] of history.slice(from, to + 1).entries()) {
    const line = `[message ${from + index}] ${JSON.stringify(message)}`;
    left -= countTokens(line);
    if (left < 0) return [...lines, `[… from message ${from + index} on]`].join('\n');
    lines.push(line);
  }
  return lines.join('\n');
}

const number = z.number().int().min(0);
const inputSchema = z.object({
  ...(isFile ? {} : { conversation: z.string().describe('Id of the conversation') }),
  query: z.string().optional().describe('Words to look for; what stands in double quotes has to occur as it is'),
  from: number.optional().describe('Number of the first message to show'),
  to: number.optional().describe('Number of the last message to show; default: from'),
});
const description = 'Looks up passages of a conversation by words (`query`), or messages by their numbers (`from`, `to`).';

function createServer() {
  const server = new McpServer({ name: 'palimpsest-recall', version: '1.0.0' });
  server.registerTool('recall', { description, inputSchema, annotations: { readOnlyHint: true } }, async (input) => {
    const { conversation, query, from = input.to, to = from } = input;
    const history = await historyOf(conversation);
    if (from === undefined && !query) return { isError: true, content: [{ type: 'text', text: 'Give a query, or from and to.' }] };
    const text = from === undefined ? recall(history, [], query, { limit: TOKENS }).text : shown(history, from, to);
    return { content: [{ type: 'text', text: text || 'Nothing matches.' }] };
  });
  return server;
}

serveStdio(createServer);
