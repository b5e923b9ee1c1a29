/**
 * Each subpath of the package, and the SDKs that it is for: from the first version that works to before the first one that no test runs.
 * `package.json` has its names, and `docs/reference/versions.md` has it as a table, with the versions that tests run.
 */
export const PEERS: Record<string, Record<string, string>> = {
  'ai-sdk': { ai: '>=5.0.0 <8.0.0' },
  langchain: { langchain: '>=1.2.20 <2.0.0', '@langchain/langgraph': '>=1.0.0 <2.0.0' },
  mastra: { '@mastra/core': '>=1.33.0 <2.0.0' },
  'openai-agents': { '@openai/agents': '>=0.1.1 <0.21.0' },
  'claude-agent-sdk': { '@anthropic-ai/claude-agent-sdk': '>=0.2.121 <0.4.0' },
  express: { express: '>=4.17.0 <6.0.0' },
  web: {},
  anthropic: { '@anthropic-ai/sdk': '>=0.50.1 <2.0.0' },
  gemini: { '@google/genai': '>=0.15.0 <4.0.0' },
  'google-adk': { '@google/adk': '>=1.0.0 <3.0.0' },
  openai: { openai: '>=5.0.0 <8.0.0' },
  bullmq: { bullmq: '>=5.72.0 <7.0.0' },
};

/** What `palimpsest/opentelemetry` needs, which is for no SDK of an agent: the first version of its metrics, and before the next major. */
export const OPENTELEMETRY = { '@opentelemetry/api': '>=1.3.0 <2.0.0' };

/** The versions of `@openai/agents` that call a filter; older ones ignore it without a word. */
export const CALLS_FILTER = '>=0.3.0 <0.21.0';
