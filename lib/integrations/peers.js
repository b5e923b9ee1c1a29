// @ts-check
'use strict';

/**
 * Each subpath of the package, and the SDKs that it is for: ranges of the versions that it is tested with. `scripts/entries.mjs` writes the
 * entries, and the exports and peer dependencies of `package.json`, from this list.
 *
 * @type {Record<string, Record<string, string>>}
 */
const PEERS = {
  'ai-sdk': { ai: '>=5.0.0 <8.0.0' },
  langchain: { langchain: '^1.2.29', '@langchain/langgraph': '^1.1.2' },
  mastra: { '@mastra/core': '^1.71.0' },
  'openai-agents': { '@openai/agents': '^0.20.0' },
  'claude-agent-sdk': { '@anthropic-ai/claude-agent-sdk': '^0.3.0' },
  express: { express: '>=4.17.0' },
  web: {},
  anthropic: { '@anthropic-ai/sdk': '^1.0.0' },
  gemini: { '@google/genai': '^3.0.0' },
  'google-adk': { '@google/adk': '^2.0.0' },
  openai: { openai: '^7.0.0' },
  bullmq: { bullmq: '^6.0.0' },
};

module.exports = { PEERS };
