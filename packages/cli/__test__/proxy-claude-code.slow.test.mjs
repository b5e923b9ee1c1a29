// The real Claude Code, which its SDK starts, through the proxy: all that it needs is ANTHROPIC_BASE_URL.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { query, tool } from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';
import { agentTools, longAgent, startProvider } from '../../../__test__/support/agents/index.mjs';
import { claudeCodeOptions, withoutClaudeCode } from '../../../__test__/support/claude-code.mjs';
import { startProxy } from '../dist/proxy/index.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-proxy-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const STEPS = 41;
/** Tokens: less than half of what the agent reads. */
const LIMIT = 24_000;

const mcp = agentTools.map(({ name, description, parameters, run }) =>
  tool(name, description, Object.fromEntries(Object.keys(parameters.properties).map((key) => [key, z.string()])), async (input) => ({
    content: [{ type: 'text', text: run(input) }],
  })),
);
const named = { read: 'mcp__work__read', search: 'mcp__work__search', run: 'mcp__work__run', edit: 'mcp__work__edit' };

test(`Claude Code works for ${STEPS} steps within a limit that it knows nothing of`, { skip: withoutClaudeCode }, async (t) => {
  const provider = await startProvider(longAgent({ steps: STEPS, tools: named, thinking: true }));
  const warnings = [];
  const proxy = await startProxy({ limit: LIMIT, port: 0, upstream: provider.url, onWarning: (text) => warnings.push(text) });
  try {
    const options = claudeCodeOptions({ url: proxy.url, home: scratch, mcp });
    const messages = [];
    for await (const message of query({ prompt: 'Find out why the export is slow.', options })) messages.push(message);
    assert.equal(messages.at(-1).subtype, 'success');
    assert.equal(messages.at(-1).result, `All ${STEPS} steps are done.`);
    assert.deepEqual(warnings, []);
    const { refused, sent, cachedShare } = provider.sum();
    t.diagnostic(`${sent} tokens sent, ${(100 * cachedShare).toFixed(1)} % cached`);
    assert.equal(refused, 0);
    assert.ok(cachedShare > 0.5, `${cachedShare}`);
    const most = Math.max(...provider.requests.map(({ tokens }) => tokens));
    assert.ok(most <= LIMIT * 1.03, `${most} tokens`);
    assert.ok(most > LIMIT / 2, `${most} tokens`);
    assert.match(JSON.stringify(provider.requests.at(-1).body.messages), /\[…/);
  } finally {
    await proxy.close(0);
    await provider.close();
  }
});
