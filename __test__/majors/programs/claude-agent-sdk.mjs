import { shortenToolOutput } from 'palimpsest/claude-agent-sdk';
import { contentOf, LIMIT, pathOf, READS } from './common.mjs';

export const ways = {
  // The hook as the SDK calls it: starting Claude Code is what the tests of the newest version do.
  hook: async ({ url, name }) => {
    const outputs = [];
    const hook = shortenToolOutput({ limit: LIMIT, onShortened: ({ output }) => void outputs.push(output) });
    const stdout = Array.from({ length: READS }, (_, step) => contentOf(pathOf(step))).join('\n');
    const input = {
      hook_event_name: 'PostToolUse',
      session_id: name,
      transcript_path: '',
      cwd: '/',
      tool_name: 'Bash',
      tool_use_id: 'one',
    };
    const signal = new AbortController().signal;
    const output = { stdout, stderr: '', interrupted: false };
    const { hookSpecificOutput } = await hook({ ...input, tool_input: { command: 'cat *' }, tool_response: output }, 'one', { signal });
    // Sent as a request, so that it is counted as others are.
    const messages = [{ role: 'user', content: `[conversation ${name}] ${hookSpecificOutput.updatedToolOutput.stdout}` }];
    const headers = { 'content-type': 'application/json' };
    await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify({ model: 'gpt-5.5', messages }) });
    return outputs;
  },
};
