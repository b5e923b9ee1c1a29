// The real Claude Code, as its SDK starts it for tests: with our tools alone, and without anything of the machine it runs on.
import { createRequire } from 'node:module';
import { createSdkMcpServer } from '@anthropic-ai/claude-agent-sdk';

/** Claude Code is a program of its own, for the platform on which it was installed. */
function isInstalled() {
  try {
    createRequire(import.meta.url).resolve(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/package.json`);
    return true;
  } catch {
    return false;
  }
}
/** Why tests with it are skipped; false if they are not. */
export const withoutClaudeCode = !isInstalled() && 'Claude Code is not installed for this platform';

/**
 * Options of `query`.
 *
 * @param {{ url: string, home: string, mcp: object[], tools?: string[] }} setting `url`: of the provider; `home`: an empty folder; `mcp`: our
 *   tools; `tools`: those of Claude Code that it may use, default none
 */
export const claudeCodeOptions = ({ url, home, mcp, tools = [] }) => ({
  cwd: home,
  model: 'claude-opus-4-5',
  permissionMode: 'bypassPermissions',
  allowDangerouslySkipPermissions: true,
  settingSources: [],
  tools,
  mcpServers: { work: createSdkMcpServer({ name: 'work', version: '1.0.0', tools: mcp }) },
  env: {
    PATH: process.env.PATH,
    HOME: home,
    IS_SANDBOX: '1',
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'test',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  },
});
