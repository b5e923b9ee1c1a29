// The server as a program of its own, asked by the SDK's client over stdio.
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export const BIN = fileURLToPath(new URL('../../bin/palimpsest-mcp.mjs', import.meta.url));

/**
 * Starts a server, and lets `work` ask it.
 *
 * @param {string[]} argv
 * @param {{ cwd: string, home?: string, name?: string }} where `home`: the user's folder; `name`: that the client gives itself
 * @param {(ask: (tool: string, input?: object) => Promise<{ text: string, isError: boolean }>, client: Client) => Promise<void>} work
 */
export async function asking(argv, { cwd, home = cwd, name = 'test' }, work) {
  const client = new Client({ name, version: '1.0.0' });
  const env = {
    ...process.env,
    HOME: home,
    USERPROFILE: home,
    XDG_DATA_HOME: '',
    XDG_CONFIG_HOME: '',
    CLAUDE_CONFIG_DIR: '',
    CODEX_HOME: '',
  };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [BIN, ...argv], cwd, env, stderr: 'ignore' }));
  try {
    const ask = async (tool, input = {}) => {
      const { content, isError } = await client.callTool({ name: tool, arguments: input });
      return { text: content.map(({ text }) => text).join('\n'), isError: isError === true };
    };
    await work(ask, client);
  } finally {
    await client.close();
  }
}
