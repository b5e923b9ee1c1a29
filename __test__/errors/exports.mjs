// Every export with valid arguments that contain every documented field, the name of each position in errors, and the other values that
// a position accepts. `exports.slow.test.mjs` and `fuzz.test.mjs` replace them by wrong values.
import assert from 'node:assert/strict';
import { types } from 'node:util';
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { createSession, fit } from 'palimpsest';

const line = 'The cranes at the harbour move slowly when the wind is up, and the crew waits for the tide. ';
const text = line.repeat(4);
const messages = () => [
  { id: 'a', index: 0, role: 'system', content: 'Be brief.' },
  { id: 'b', index: 1, role: 'user', content: text, metadata: { _cce_original: { ids: ['x'], summary_id: 'cce_sum_1', version: 0 } } },
  {
    id: 'c',
    index: 2,
    role: 'assistant',
    content: `${text}readToken`,
    tool_calls: [{ id: 't', type: 'function', function: { name: 'read', arguments: '{"path":"a.txt"}' } }],
  },
  { id: 'd', index: 3, role: 'tool', tool_call_id: 't', content: `${text}readToken` },
];

/** A short conversation with a call and its result in each format. */
export const conversations = {
  'openai-chat': () => [
    {
      role: 'user',
      name: 'Ann',
      content: [
        { type: 'text', text },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      reasoning_content: 'Hm.',
      tool_calls: [
        { id: 't', type: 'function', function: { name: 'read', arguments: '{"path":"a.txt"}' } },
        { id: 'u', type: 'custom', custom: { name: 'free', input: 'x' } },
      ],
    },
    { role: 'tool', tool_call_id: 't', content: text },
    { role: 'tool', tool_call_id: 'u', content: [{ type: 'text', text }] },
    { role: 'assistant', content: text, created_at: 1700000000 },
    { role: 'user', content: 'And?' },
  ],
  'openai-responses': () => [
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text },
        { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'low' },
      ],
    },
    { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'x' },
    { type: 'function_call', call_id: 't', name: 'read', arguments: '{"path":"a.txt"}' },
    { type: 'function_call_output', call_id: 't', output: text },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
    { role: 'user', content: 'And?' },
  ],
  'openai-agents': () => [
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text },
        { type: 'input_image', image: 'data:image/png;base64,AAAA', detail: 'low' },
      ],
    },
    {
      type: 'reasoning',
      id: 'rs',
      content: [{ type: 'input_text', text: 'Hm.' }],
      rawContent: [{ type: 'reasoning_text', text: 'Hm?' }],
      providerData: { encrypted_content: 'x' },
    },
    { type: 'function_call', callId: 't', name: 'read', arguments: '{"path":"a.txt"}', status: 'completed', providerData: {} },
    { type: 'function_call_result', callId: 't', name: 'read', status: 'completed', output: { type: 'text', text } },
    { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text, providerData: {} }] },
    { role: 'user', content: 'And?' },
  ],
  anthropic: () => [
    {
      role: 'user',
      content: [
        { type: 'text', text, cache_control: { type: 'ephemeral' } },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'tool_use', id: 't', name: 'read', input: { path: 'a.txt', lines: [1, 2] }, caller: { type: 'direct' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', is_error: false, content: [{ type: 'text', text }] }] },
    { role: 'assistant', content: text },
    { role: 'user', content: 'And?' },
  ],
  'ai-sdk-model': () => [
    {
      role: 'user',
      content: [
        { type: 'text', text },
        { type: 'file', mediaType: 'image/png', data: new Uint8Array(8) },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.', providerOptions: { a: { b: 1 } } },
        { type: 'tool-call', toolCallId: 't', toolName: 'read', input: { path: 'a.txt' } },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 't', toolName: 'read', output: { type: 'json', value: { code: 0, rows: [text] } } }],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'v', toolName: 'read', output: { type: 'content', value: [{ type: 'text', text }] } },
        { type: 'tool-result', toolCallId: 'w', toolName: 'read', output: { type: 'execution-denied', reason: 'No.' } },
      ],
    },
    { role: 'assistant', content: text },
    { role: 'user', content: 'And?' },
  ],
  'ai-sdk-ui': () => [
    {
      id: 'a',
      role: 'user',
      parts: [
        { type: 'text', text },
        { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AAAA' },
      ],
    },
    {
      id: 'b',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', text: 'Hm.' },
        {
          type: 'tool-read',
          toolCallId: 't',
          state: 'output-available',
          input: { path: 'a.txt' },
          output: { text },
          callProviderMetadata: { a: { b: 1 } },
        },
        { type: 'tool-read', toolCallId: 'u', state: 'output-error', input: {}, errorText: text },
        { type: 'text', text },
      ],
    },
    {
      id: 'c',
      role: 'assistant',
      content: text,
      toolInvocations: [{ state: 'result', toolCallId: 'v', toolName: 'read', args: { path: 'b' }, result: text }],
    },
    { id: 'd', role: 'user', parts: [{ type: 'text', text: 'And?' }] },
  ],
  mastra: () => [
    {
      id: 'a',
      role: 'user',
      createdAt: new Date(0),
      content: {
        format: 2,
        parts: [
          { type: 'text', text },
          { type: 'file', mimeType: 'image/png', data: 'data:image/png;base64,AAAA' },
        ],
      },
    },
    {
      id: 'b',
      role: 'assistant',
      createdAt: new Date(0),
      content: {
        format: 2,
        parts: [
          { type: 'reasoning', reasoning: 'Hm.', details: [{ type: 'text', text: 'Hm.' }] },
          {
            type: 'tool-invocation',
            toolInvocation: { state: 'result', toolCallId: 'v', toolName: 'read', args: { path: 'a.txt' }, result: text },
          },
          { type: 'step-start', model: 'openai/gpt-5.5' },
          { type: 'text', text },
        ],
        content: text,
      },
    },
    { id: 'c', role: 'user', createdAt: new Date(0), content: { format: 2, parts: [{ type: 'text', text: 'And?' }] } },
  ],
  'ag-ui': () => [
    {
      id: 'a',
      role: 'user',
      content: [
        { type: 'text', text },
        { type: 'image', source: { type: 'data', value: 'AAAA', mimeType: 'image/png' } },
      ],
    },
    { id: 'b', role: 'reasoning', content: 'Hm.' },
    {
      id: 'c',
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 't', type: 'function', function: { name: 'read', arguments: '{"path":"a.txt"}' } }],
    },
    { id: 'd', role: 'activity', activityType: 'progress', content: { done: 1 } },
    { id: 'e', role: 'tool', toolCallId: 't', content: text, error: 'It failed.' },
    { id: 'f', role: 'assistant', content: text },
    { id: 'g', role: 'user', content: 'And?' },
  ],
  gemini: () => [
    { role: 'user', parts: [{ text }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
    { role: 'model', parts: [{ text: 'Hm.', thought: true }, { functionCall: { id: 't', name: 'read', args: { path: 'a.txt' } } }] },
    { role: 'user', parts: [{ functionResponse: { id: 't', name: 'read', response: { output: text } } }] },
    { role: 'model', parts: [{ text }] },
    { role: 'user', parts: [{ text: 'And?' }] },
  ],
  langchain: () => [
    new HumanMessage({ content: [{ type: 'text', text }] }),
    new AIMessage({
      content: 'Hm.',
      tool_calls: [{ id: 't', name: 'read', args: { path: 'a.txt' } }],
      additional_kwargs: { tool_calls: [{ id: 't', type: 'function', function: { name: 'read', arguments: '{"path":"a.txt"}' } }] },
    }),
    new ToolMessage({ tool_call_id: 't', content: text, status: 'success' }),
    new AIMessage(text),
    new HumanMessage('And?'),
  ],
  message: messages,
};

const schema = () => ({
  name: 'read',
  description: 'Reads.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: ['string', 'null'], description: 'A path.', enum: ['a', 'b'] },
      more: { type: 'array', items: { type: 'object', properties: { x: { type: 'number' } } } },
    },
  },
});
const tools = () => [
  { type: 'function', function: schema() },
  schema(),
  { name: 'read', input_schema: schema().parameters },
  { functionDeclarations: [schema()] },
];
/** Instructions in each provider's shape. */
const systems = {
  'openai-chat': () => 'Be brief.',
  'openai-responses': () => [{ type: 'input_text', text: 'Be brief.' }],
  'openai-agents': () => 'Be brief.',
  anthropic: () => [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
  'ai-sdk-model': () => [{ role: 'system', content: 'Be brief.', providerOptions: { a: { b: 1 } } }],
  'ai-sdk-ui': () => ({ role: 'system', content: 'Be brief.' }),
  gemini: () => ({ role: 'system', parts: [{ text: 'Be brief.' }, 'Be kind.'] }),
  mastra: () => 'Be brief.',
  'ag-ui': () => 'Be brief.',
  langchain: () => new SystemMessage({ content: [{ type: 'text', text: 'Be brief.' }] }),
  message: () => ['Be brief.', { text: 'Be kind.' }],
};
const signal = () => new AbortController().signal;
/** Options of `prune` that `fit` and sessions take, too. */
const superseded = () => ({
  edits: 'safe',
  failures: 'status',
  keep: { recent: 0, tools: ['write'], paths: ['*.md'] },
  toolMap: {
    mine: { kind: 'read', path: 'file', offset: 'from', limit: 'count' },
    yours: { kind: 'command', command: 'cmd', cwd: 'dir' },
    ours: { kind: 'edit', path: 'file', text: 'new', start: 'a', end: 'b' },
  },
});
const pruneOptions = () => ({ ...superseded(), format: 'openai-chat', mode: 'stub', thinking: 'keep', trace: true });
const compressOptions = () => ({
  preserve: ['system'],
  recencyWindow: 0,
  sourceVersion: 1,
  dedup: true,
  fuzzyDedup: true,
  fuzzyThreshold: 0.8,
  conversationFlow: true,
  semanticClustering: true,
  clusterThreshold: 0.2,
  coreference: true,
  discourseAware: true,
  embedSummaryId: true,
  preservePatterns: [{ re: /never/, label: 'never' }],
  tokenBudget: 100,
  minRecencyWindow: 0,
  forceConverge: true,
  tokenCounter: () => 20,
  compressionThreshold: 1,
  observationThreshold: 900,
  classifierMode: 'hybrid',
  adapters: [adapter()],
  agentToolPrepass: true,
  importanceScoring: true,
  importanceThreshold: 0.9,
  contradictionDetection: true,
  contradictionTopicThreshold: 0.2,
  relevanceThreshold: 1,
  compressionDepth: 'auto',
  budgetStrategy: 'tiered',
  entropyScorer: (sentences) => sentences.map(() => 1),
  entropyScorerMode: 'augment',
  mlTokenClassifier: () => [{ token: 'x', keep: true, confidence: 1 }],
  trace: true,
  concurrency: 2,
  signal: signal(),
});
const adapter = () => ({
  name: 'x',
  detect: () => true,
  extractPreserved: () => ['x'],
  extractCompressible: (all) => [all],
  reconstruct: (_, summary) => summary,
});
const summarizer = (given) => given.slice(0, 20);
const classifier = () => ({ decision: 'compress', confidence: 1, reason: 'x' });
const fitOptions = () => ({
  limit: 150,
  tokenizer: 'estimate',
  format: 'openai-chat',
  system: systems.anthropic(),
  tools: tools(),
  keep: { recent: 1, user: true, tools: ['write'], patterns: [/never/] },
  prune: superseded(),
  thinking: 'keep',
  trace: true,
});
/** Options of the forms that wait. */
const waiting = () => ({ summarizer, concurrency: 2, signal: signal() });
const sessionOptions = () => ({
  window: 200,
  maxOutputTokens: 20,
  tokenizer: 'estimate',
  format: 'openai-chat',
  system: systems.anthropic(),
  tools: tools(),
  preset: 'careful',
  low: 0.5,
  coldLow: 0.3,
  cache: { write: 1.25, read: 0.1, ttl: 300_000, minimum: 0 },
  cacheControl: false,
  thinking: 'strip',
  keep: fitOptions().keep,
  query: ['cranes'],
  prune: superseded(),
  concurrency: 2,
  now: () => 0,
});
/** The state of a session that has cut something. */
const saved = (() => {
  const session = createSession(sessionOptions());
  assert.ok(session.next(conversations['openai-chat']()).epoch);
  return JSON.stringify(session);
})();
const usage = () => ({ prompt_tokens: 100, prompt_tokens_details: { cached_tokens: 20 } });
const callLlm = () => '{"decision":"compress","confidence":1,"reason":"x"}';
const summarizerOptions = () => ({ maxResponseTokens: 100, systemPrompt: 'x', mode: 'normal', preserveTerms: ['ids'] });
const classifierOptions = () => ({ maxResponseTokens: 100, systemPrompt: 'x', alwaysPreserve: ['ids'], alwaysCompress: ['talk'] });
const feedback = () => ({ lostPatterns: ['x'], suggestedTerms: ['y'], guidelines: ['z'] });
const excess = () => ({ unnecessaryPatterns: ['x'], removableTerms: ['y'], tighteningGuidelines: ['z'] });
const edus = () => [
  { text: 'It is so.', index: 0, dependsOn: [], score: 1 },
  { text: 'So it was.', index: 1, dependsOn: [0], score: 2 },
];
const tokens = (given) => given.split(' ').map((token) => ({ token, keep: true, confidence: 1 }));

// Kinds of values by what the position takes. Any other kind must be refused.
const is = {
  array: Array.isArray,
  object: (value) => value !== null && typeof value === 'object',
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  function: (value) => typeof value === 'function',
  set: (value) => value instanceof Set,
  // Everything about a Proxy throws.
  roles: (value) => types.isProxy(value) || (is.object(value) && typeof value[Symbol.iterator] === 'function'),
  map: (value) => types.isProxy(value) || typeof value?.has === 'function',
};
const given = (takes) => (value) => value === undefined || takes(value);
const maybe = (takes) => (value) => value == null || takes(value);

/** [its name in errors, the kind it takes, a valid value] for each position */
const list = () => ['messages', is.array, messages()];
const two = () => [
  ['input', is.array, messages()],
  ['output', is.array, messages()],
];
const content = () => ['text', is.string, text];
const adapters = ['CodeAdapter', 'StructuredOutputAdapter', 'XmlAdapter', 'YamlAdapter', 'MarkdownAdapter'];

/** Requests of each provider. */
const requests = {
  'openai-chat': () => ({ model: 'gpt-5.5', messages: conversations['openai-chat'](), max_tokens: 100, tools: tools() }),
  'openai-responses': () => ({ model: 'gpt-5.5', input: conversations['openai-responses'](), instructions: text, max_output_tokens: 50 }),
  anthropic: () => ({
    model: 'claude-opus-5',
    messages: conversations.anthropic(),
    system: systems.anthropic(),
    max_tokens: 50,
    tools: tools(),
  }),
  gemini: () => ({
    model: 'gemini-2.5-flash',
    contents: conversations.gemini(),
    config: { systemInstruction: systems.gemini(), tools: [{ functionDeclarations: [{ name: 'read' }] }], maxOutputTokens: 50 },
  }),
};
const requestOptions = () => {
  const { system, tools: _, format, ...options } = fitOptions();
  return options;
};

export const table = {
  compress: () => [list(), ['options', given((value) => is.object(value) || is.number(value)), compressOptions()]],
  uncompress: () => [
    list(),
    ['store', (value) => is.object(value) || is.function(value), Object.fromEntries(messages().map((message) => ['x', message]))],
    ['options', maybe(is.object), { recursive: true }],
  ],
  classifyMessage: () => [content()],
  analyzeDuplicates: () => [list(), ['recencyStart', given(is.number), 2], ['preserveRoles', maybe(is.roles), ['system']]],
  analyzeFuzzyDuplicates: () => [
    list(),
    ['recencyStart', given(is.number), 2],
    ['preserveRoles', maybe(is.roles), new Set(['system'])],
    ['exactDuplicates', given(is.map), new Map()],
    ['threshold', given(is.number), 0.8],
  ],
  bestSentenceScore: () => [content()],
  collectMessageEntities: () => [list()],
  computeEntityRetention: two,
  computeFactRetention: two,
  computeQualityScore: two,
  computeReferenceCoherence: two,
  computeStructuralIntegrity: two,
  defaultTokenCounter: () => [['message', is.object, messages()[0]]],
  extractEntities: () => [content(), ['cap', maybe(is.number), 3]],
  computeImportance: () => [list()],
  scoreContentSignals: () => [['content', is.string, text]],
  analyzeContradictions: () => [list(), ['topicThreshold', given(is.number), 0.2], ['preserveRoles', maybe(is.roles), ['system']]],
  combineScores: () => [
    ['heuristic', is.array, [1, 2]],
    ['scores', is.array, [3, 4]],
    ['weight', given(is.number), 0.5],
  ],
  normalizeScores: () => [['scores', is.array, [1, 2, 3]]],
  splitSentences: () => [content()],
  createSummarizer: () => [
    ['callLlm', is.function, callLlm],
    ['options', maybe(is.object), summarizerOptions()],
  ],
  createEscalatingSummarizer: () => [
    ['callLlm', is.function, callLlm],
    ['options', maybe(is.object), summarizerOptions()],
  ],
  createClassifier: () => [
    ['callLlm', is.function, callLlm],
    ['options', maybe(is.object), classifierOptions()],
  ],
  createEscalatingClassifier: () => [
    ['callLlm', is.function, callLlm],
    ['options', maybe(is.object), classifierOptions()],
  ],
  detectFlowChains: () => [list(), ['recencyStart', is.number, 4], ['preserveRoles', is.set, new Set(['system'])]],
  summarizeChain: () => [['chain', is.object, { type: 'qa', indices: [0, 1] }], list()],
  segmentEDUs: () => [content()],
  scoreEDUs: () => [
    ['edus', is.array, edus()],
    ['scorer', maybe(is.function), () => 1],
  ],
  selectEDUs: () => [
    ['edus', is.array, edus()],
    ['budget', is.number, 50],
    ['maxDepth', given(is.number), 2],
  ],
  summarizeWithEDUs: () => [content(), ['budget', is.number, 50], ['scorer', maybe(is.function), () => 1]],
  buildCoreferenceMap: () => [list()],
  findOrphanedReferences: () => [
    ['definitions', is.array, [{ entity: 'x', definingMessageIndex: 0, referencingMessageIndices: [1] }]],
    ['compressedIndices', is.set, new Set([0])],
    ['preservedIndices', is.set, new Set([1])],
  ],
  generateInlineDefinitions: () => [
    ['entities', is.array, ['readToken']],
    ['source', is.string, text],
  ],
  clusterMessages: () => [list(), ['eligibleIndices', is.array, [0, 1, 2, 3]], ['similarityThreshold', given(is.number), 0.1]],
  summarizeCluster: () => [['cluster', is.object, { indices: [0, 1], sharedEntities: ['x'] }], list()],
  compressWithTokenClassifier: () => [
    ['content', is.string, text],
    ['classifier', is.function, tokens],
    ['minConfidence', given(is.number), 0.5],
  ],
  compressWithTokenClassifierSync: () => [
    ['content', is.string, text],
    ['classifier', is.function, tokens],
    ['minConfidence', given(is.number), 0.5],
  ],
  createMockTokenClassifier: () => [
    ['patterns', is.array, [/x/]],
    ['confidence', given(is.number), 0.5],
  ],
  whitespaceTokenize: () => [content()],
  createFeedbackCollector: () => [['callLlm', is.function, callLlm]],
  refineSummarizer: () => [
    ['options', is.object, summarizerOptions()],
    ['feedback', is.object, feedback()],
  ],
  tightenSummarizer: () => [
    ['options', is.object, summarizerOptions()],
    ['feedback', is.object, excess()],
  ],
  refineSummarizerCandidates: () => [
    ['callLlm', is.function, () => '[{"preserveTerms":["x"],"guidelines":["y"]}]'],
    ['options', is.object, summarizerOptions()],
    ['feedback', is.object, feedback()],
    ['count', given(is.number), 2],
  ],
  createDistillationPairs: () => [['result', is.object, { messages: messages(), verbatim: { x: messages()[1] } }]],
  countTokens: () => [
    ['input', (value) => is.array(value) || is.string(value), conversations['openai-chat']()],
    ['options', maybe(is.object), { tokenizer: 'estimate', format: 'openai-chat', system: systems.gemini(), tools: tools() }],
  ],
  createSession: () => [
    ['options', (value) => is.object(value) && !is.array(value), sessionOptions()],
    ['saved', maybe((value) => is.object(value) && !is.array(value)), JSON.parse(saved)],
  ],
  fit: () => [
    ['messages', is.array, conversations['openai-chat']()],
    ['options', is.object, fitOptions()],
  ],
  fitAsync: () => [
    ['messages', is.array, conversations['openai-chat']()],
    ['options', is.object, { ...fitOptions(), ...waiting() }],
  ],
  fitRequest: () => [
    ['request', is.object, requests['openai-chat']()],
    ['options', maybe((value) => is.object(value) && !is.array(value)), requestOptions()],
  ],
  fitRequestAsync: () => [
    ['request', is.object, requests['openai-chat']()],
    ['options', maybe((value) => is.object(value) && !is.array(value)), { ...requestOptions(), ...waiting() }],
  ],
  prune: () => [
    ['messages', is.array, conversations['openai-chat']()],
    ['options', given((value) => is.object(value) || is.number(value)), pruneOptions()],
  ],
  restore: () => {
    const fitted = fit(conversations['openai-chat'](), { limit: 150 });
    return [
      ['messages', is.array, fitted.messages],
      ['originals', (value) => is.object(value) && !is.array(value), fitted.originals],
    ];
  },
  validate: () => [
    ['messages', is.array, conversations['openai-chat']()],
    ['options', maybe(is.object), { format: 'openai-chat' }],
  ],
};

/** Other callables: methods, the results of factories, and exports with arguments of another shape. */
export const more = {
  ...Object.fromEntries(
    adapters.flatMap((name) =>
      ['detect', 'extractPreserved', 'extractCompressible'].map((method) => [
        `${name}.${method}`,
        () => [[`content for the adapter`, is.string, text]],
      ]),
    ),
  ),
  ...Object.fromEntries(
    adapters.map((name) => [
      `${name}.reconstruct`,
      () => [
        ['preserved for the adapter', is.array, ['x']],
        ['summary for the adapter', is.string, 'y'],
      ],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(conversations).flatMap(([format, talk]) => [
      [
        `fit:${format}`,
        () => [
          ['messages', is.array, talk()],
          ['options', is.object, { limit: 120, format, system: systems[format]() }],
        ],
      ],
      [
        `fit:auto ${format}`,
        () => [
          ['messages', is.array, talk()],
          ['options', is.object, { limit: 120, tokenizer: 'estimate' }],
        ],
      ],
      [
        `prune:${format}`,
        () => [
          ['messages', is.array, talk()],
          ['options', given((value) => is.object(value) || is.number(value)), { format, keep: { recent: 0 } }],
        ],
      ],
      [
        `countTokens:${format}`,
        () => [
          ['input', (value) => is.array(value) || is.string(value), talk()],
          ['options', maybe(is.object), { format, system: systems[format](), tools: tools() }],
        ],
      ],
      [
        `compress:${format}`,
        () => [
          ['messages', is.array, talk()],
          [
            'options',
            (value) => is.object(value) || (/message|ui|mastra/.test(format) && given(is.number)(value)) /* those have ids */,
            { format, recencyWindow: 0 },
          ],
        ],
      ],
      [`session.next:${format}`, () => [['history', is.array, talk()]]],
      [
        `validate:${format}`,
        () => [
          ['messages', is.array, talk()],
          ['options', maybe(is.object), { format }],
        ],
      ],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(requests).map(([format, request]) => [
      `fitRequest:${format}`,
      () => [
        ['request', is.object, request()],
        ['options', maybe(is.object), { window: 200 }],
      ],
    ]),
  ),
  'countTokens:tools by name': () => [
    ['input', (value) => is.array(value) || is.string(value), conversations['ai-sdk-model']()],
    ['options', maybe(is.object), { model: 'gpt-5.5', tools: { read: { description: 'Reads.', inputSchema: schema().parameters } } }],
  ],
  'fit:window': () => [
    ['messages', is.array, conversations['openai-chat']()],
    ['options', is.object, { model: 'gpt-4', window: 500, maxOutputTokens: 100 }],
  ],
  'fit:counter': () => [
    ['messages', is.array, conversations['openai-chat']()],
    ['options', is.object, { limit: 100, tokenCounter: () => 50 }],
  ],
  'session.nextAsync': () => [['history', is.array, conversations['openai-chat']()]],
  'session.observe': () => [['usage', maybe(is.object), usage()]],
  'compress:async': () => [
    list(),
    ['options', given((value) => is.object(value) || is.number(value)), { ...compressOptions(), summarizer, classifier }],
  ],
  'compress:tokenizer': () => [
    list(),
    ['options', given((value) => is.object(value) || is.number(value)), { tokenizer: 'o200k_base', recencyWindow: 0 }],
  ],
};

/** The constants among the exports. */
export const constants = [
  'DEFAULT_IMPORTANCE_THRESHOLD',
  'RECOMMENDED_HISTORY_THRESHOLD',
  'RECOMMENDED_OBSERVATION_THRESHOLD',
  'marksNote',
  ...adapters,
];

/**
 * Exports whose arguments have tests of their own: `__test__/store/originals.slow.test.mjs`, `__test__/restore/merge.test.mjs`, `__test__/recall/`,
 * `__test__/shadow.test.mjs`, `__test__/providers/custom.test.mjs`, `__test__/create-session/pins.test.mjs` and `__test__/warm-up.test.mjs`.
 */
export const apart = [
  'createShadow',
  'defineFormat',
  'loadOriginals',
  'mergeOriginals',
  'pinTool',
  'recall',
  'recallTool',
  'redactSecrets',
  'saveOriginals',
  'warmUp',
];

/** The error of an argument's getter or method. It is the caller's own and may pass. */
export class Own extends Error {}
const own = () => {
  throw new Own('the caller’s own');
};

const circular = () => {
  const value = { a: {}, list: [] };
  value.a.self = value;
  value.list.push(value.list);
  return value;
};
const nested = (levels, make) => {
  let value = make('end');
  for (let level = 1; level < levels; level++) value = make(value);
  return value;
};

/** Values of every kind, by name. */
export const garbage = {
  undefined: () => undefined,
  null: () => null,
  boolean: () => true,
  zero: () => 0,
  negative: () => -1.5,
  NaN: () => NaN,
  Infinity: () => Infinity,
  bigint: () => 12n,
  empty: () => '',
  text: () => 'text',
  surrogate: () => '\ud800',
  symbol: () => Symbol('s'),
  function: () => () => undefined,
  'empty array': () => [],
  'array of null': () => [null],
  'array of bigint': () => [1n],
  'array of symbol': () => [Symbol('s')],
  'array of objects': () => [{}],
  hole: () => new Array(2),
  object: () => ({}),
  'null prototype': () => Object.create(null),
  'array of null prototype': () => [Object.create(null)],
  'array-like': () => ({ length: 0 }),
  'long array-like': () => ({ 0: 'x', length: 1 }),
  circular,
  'circular array': () => circular().list,
  'deep object': () => nested(2000, (a) => ({ a })),
  'deep array': () => nested(2000, (a) => [a]),
  'with bigint': () => ({ n: { m: 1n } }),
  'throwing toJSON': () => ({ toJSON: own }),
  'throwing getter': () => Object.defineProperty({}, 'type', { enumerable: true, get: own }),
  'throwing proxy': () => new Proxy({}, { get: own, ownKeys: own, has: own }),
  frozen: () => Object.freeze({ type: 'text', text: 5 }),
  date: () => new Date(NaN),
  map: () => new Map([[1, 2]]),
  set: () => new Set([1]),
  'set of roles': () => new Set(['user']),
  regexp: () => /x/g,
  bytes: () => new Uint8Array(3),
  promise: () => Promise.resolve(1),
  thenable: () => ({ then: 7 }),
  error: () => new Error('x'),
};

const FOREIGN =
  /napi|Cannot |Can't |is not a function$|not iterable|is not iterable|undefined \(reading|call stack|of undefined|of null|Failed to|expected an? |Reduce of empty|Invalid (array|time|string)|circular structure|is not a (constructor|Date)|serialize a|incompatible receiver|object null is not/;

/** Asserts that an error says, in the project's words, which argument is wrong. */
export function assertNamed(error, name, names, how) {
  if (error instanceof Own) return;
  // The contract has an Error for lists of different lengths.
  if (name === 'combineScores' && /^combineScores\(\): there are \d+ heuristic and \d+ other scores$/.test(error.message)) return;
  const told = `${name}, ${how}: ${error?.stack ?? String(error)}`;
  assert.ok(error instanceof TypeError || error instanceof RangeError, told);
  assert.doesNotMatch(error.message, FOREIGN, told);
  const [called] = name.replace(/^session\.(next)?(Async)?/, '$1').split(/[:.]/);
  const start = error.message.replace(`${called}(): `, '');
  const known = [...names, 'messages', 'options', 'scorer', 'callLlm', 'the token classifier'];
  assert.ok(
    known.some((one) => start.startsWith(one) && !/^\w/.test(start.slice(one.length))),
    told,
  );
}

/** Returns the function for a name in the tables. */
export function functionOf(palimpsest, name) {
  const [path, format] = name.split(':');
  const [object, method] = path.split('.');
  if (object === 'session') return (...args) => createSession({ limit: 150, format })[method](...args);
  return path.split('.').reduce((value, key) => value[key], palimpsest);
}

/** Calls a function, and awaits a promise. Returns the error, or undefined. */
export async function errorOf(call) {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error ?? new Error('nothing was thrown');
  }
}

/** Returns the paths of all values in objects, arrays, Sets and Maps. */
export function placesIn(root) {
  const places = [];
  const visit = (value, path) => {
    places.push(path);
    if (
      value === null ||
      typeof value !== 'object' ||
      path.length > 9 ||
      ArrayBuffer.isView(value) ||
      value instanceof RegExp ||
      value instanceof AbortSignal
    )
      return;
    if (value instanceof Set || value instanceof Map) return;
    // Members of LangChain's classes are not fields of a message.
    for (const key of Object.keys(value)) if (!key.startsWith('lc_')) visit(value[key], [...path, key]);
  };
  visit(root, []);
  return places;
}

/** Puts a value in a place of freshly made arguments. */
export function spoil(args, path, value) {
  let at = args;
  for (const key of path.slice(0, -1)) at = at[key];
  at[path.at(-1)] = value;
  return args;
}

// What no error may show. It is longer than the names of options that errors show.
export const SECRET = 'the azure walrus of 4711 crosses the harbour at noon with eleven lanterns';

/** Puts the secret into the texts of arguments: after the text, or in its place. */
export function plant(args, isChosen) {
  for (const path of placesIn(args)) {
    let at = args;
    for (const key of path.slice(0, -1)) at = at[key];
    const text = at[path.at(-1)];
    if (path.length < 2 || typeof text !== 'string' || !isChosen()) continue;
    // Names of roles, types and choices stay, because otherwise the checks would end there.
    const isName = /^[\w-]{1,20}$/.test(text);
    Object.defineProperty(at, path.at(-1), {
      value: isName ? text : `${text} ${SECRET}`,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
}

/** Returns the texts of an error and of its causes. Errors of the caller's callbacks and getters are its own. */
export function textsOf(error) {
  return error instanceof Own || !(error instanceof Error) ? [] : [error.message, ...textsOf(error.cause)];
}
