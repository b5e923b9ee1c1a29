// Recorded runs with outcomes, as messages of OpenAI's chat completions.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { clean } from './strategies/messages.mjs';
import { FORMAT } from './strategies/palimpsest.mjs';

const { countTokens } = createRequire(import.meta.url)('palimpsest');

export const KINDS = ['swe', 'tau2'];
const COMMAND = /```bash\s*\n([\s\S]*?)\n```/g;
/** What the count of a request adds to that of its messages. */
const REQUEST_TOKENS = 3;

/**
 * Writes a run of an agent that talks in texts as most agents send it: a command is a call, and what comes back is its result. Otherwise strategies that
 * clear results would find none.
 */
export function withCalls(messages) {
  const written = [];
  let open;
  for (const [index, { role, content }] of messages.entries()) {
    const commands = [...content.matchAll(COMMAND)];
    if (role === 'user' && open !== undefined) written.push({ role: 'tool', content, tool_call_id: open });
    else if (role === 'assistant' && commands.length === 1 && messages[index + 1]?.role === 'user') {
      const [[block, command]] = commands;
      const call = { id: `call_${index}`, type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command }) } };
      written.push({ role, content: content.replace(block, () => '').trim(), tool_calls: [call] });
      open = call.id;
      continue;
    } else written.push({ role, content });
    open = undefined;
  }
  return written;
}

/** @returns {{ kind: 'swe' | 'tau2', id: string, isResolved: boolean, messages: object[] }[]} */
export function readRuns(folder) {
  return KINDS.flatMap((kind) => {
    const runs = JSON.parse(gunzipSync(readFileSync(new URL(`runs/${kind}.json.gz`, folder))));
    return runs.map(({ id, outcome, messages }) => {
      const plain = messages.map(clean);
      return { kind, id, isResolved: outcome === 1, messages: kind === 'swe' ? withCalls(plain) : plain };
    });
  });
}

/** Counts the tokens of messages; each is counted once. */
export function counter() {
  const byMessage = new WeakMap();
  const byJson = new Map();
  return (message) => {
    let tokens = byMessage.get(message);
    if (tokens !== undefined) return tokens;
    const json = JSON.stringify(message);
    tokens = byJson.get(json) ?? countTokens([message], { format: FORMAT }) - REQUEST_TOKENS;
    byJson.set(json, tokens);
    byMessage.set(message, tokens);
    return tokens;
  };
}
