// Small sessions as many agents record them, made up, each with the oddities that real ones have. What is in them was counted by hand.

/**
 * @typedef {object} Counts of all conversations of a file
 * @property {number} messages
 * @property {number} replies requests that were answered
 * @property {number} calls
 * @property {number} results
 * @property {[number, number, number, number]} usage input tokens, those read from the cache, those written to it, output
 * @property {number} timed replies with a time
 * @property {string[]} models
 *
 * @typedef {object} Session
 * @property {string} name
 * @property {string} agent
 * @property {string} file where the agent keeps it, below the user's folder
 * @property {string} text
 * @property {Record<string, string>} [beside] other files, by their name
 * @property {Counts} counts
 * @property {string} [note] a part of the note about what is left out
 * @property {number} [from] where what is sent next begins
 * @property {boolean} [ids] whether every line has an id, so that a line that is there twice shows
 */

const lines = (/** @type {object[]} */ ...list) => list.map((one) => `${JSON.stringify(one)}\n`).join('');
const at = (/** @type {number} */ second) => new Date(Date.UTC(2026, 6, 1, 8, 0, second)).toISOString();

// Claude Code.
const claude = (type, uuid, parentUuid, message, more = {}) => ({
  type,
  uuid,
  parentUuid,
  sessionId: 's',
  timestamp: at(Number.parseInt(uuid.slice(1), 10)),
  ...(message && { message }),
  ...more,
});
const asks = (content) => ({ role: 'user', content });
const answers = (id, content, input = 10, cached = 0) => ({
  role: 'assistant',
  id,
  model: 'claude-opus-5',
  content,
  usage: { input_tokens: input, cache_read_input_tokens: cached, cache_creation_input_tokens: 3, output_tokens: 5 },
});
const text = (said) => [{ type: 'text', text: said }];
const use = (id, name = 'Bash') => [{ type: 'tool_use', id, name, input: { command: 'ls' } }];
const used = (id) => [{ type: 'tool_result', tool_use_id: id, content: 'a.ts' }];
const twoTurns = [
  claude('user', 'u1', null, asks('Which port?')),
  claude('assistant', 'u2', 'u1', answers('m1', use('t1'))),
  claude('user', 'u3', 'u2', asks(used('t1'))),
  claude('assistant', 'u4', 'u3', answers('m2', text('8443.'), 4, 20)),
  claude('user', 'u5', 'u4', asks('And the host?')),
  claude('assistant', 'u6', 'u5', answers('m3', text('edge-7.'), 4, 40)),
];
const ofTwoTurns = { messages: 6, replies: 3, calls: 1, results: 1, usage: [18, 60, 9, 15], timed: 3, models: ['claude-opus-5'] };
const claudeFile = '.claude/projects/-shop/s.jsonl';

// Codex.
const codex = (second, type, payload) => ({ timestamp: at(second), type, payload });
const item = (second, payload) => codex(second, 'response_item', payload);
const spoken = (role, said, id) => ({
  type: 'message',
  ...(id && { id }),
  role,
  content: [{ type: role === 'user' ? 'input_text' : 'output_text', text: said }],
});
const tokens = (second, total, input, cached, output) =>
  codex(second, 'event_msg', {
    type: 'token_count',
    info: {
      total_token_usage: { total_tokens: total },
      last_token_usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: output },
    },
  });
const call = (id) => ({ type: 'function_call', name: 'shell', arguments: '{"command":"ls"}', call_id: id });
const output = (id) => ({ type: 'function_call_output', call_id: id, output: 'a.ts' });
const codexStart = [codex(0, 'session_meta', { id: 'c1', cwd: '/shop' }), codex(1, 'turn_context', { model: 'gpt-5.5' })];
const codexFile = '.codex/sessions/2026/07/01/rollout-c1.jsonl';

// Copilot CLI.
let events = 0;
const event = (type, data) => ({ type, data, id: `e${++events}`, timestamp: at(events), parentId: `e${events - 1}` });

// pi.
const pi = (id, parentId, message, more = {}) => ({ type: 'message', id, parentId, timestamp: at(Number(id.slice(1))), message, ...more });
const piReply = (content, input, stopReason = 'stop') => ({
  role: 'assistant',
  api: 'anthropic-messages',
  provider: 'anthropic',
  model: 'claude-opus-5',
  content,
  usage: { input, output: input && 7, cacheRead: input && 100, cacheWrite: input && 2, totalTokens: 0 },
  stopReason,
});
const piHeader = { type: 'session', version: 3, id: 'p1', timestamp: at(0), cwd: '/shop' };

// Qwen Code.
const qwen = (type, uuid, parentUuid, parts, more = {}) => ({
  uuid,
  parentUuid,
  sessionId: 'q1',
  timestamp: at(Number(uuid.slice(1))),
  type,
  cwd: '/shop',
  version: '0.21',
  ...(parts && { message: { role: type === 'assistant' ? 'model' : 'user', parts } }),
  ...more,
});
const qwenUsage = (prompt, cached, candidates) => ({
  model: 'qwen3-coder',
  usageMetadata: { promptTokenCount: prompt, cachedContentTokenCount: cached, candidatesTokenCount: candidates, thoughtsTokenCount: 1 },
});

// opencode.
const exported = {
  info: { id: 'ses_1', title: 'The port', directory: '/shop', time: { created: Date.parse(at(1)), updated: Date.parse(at(9)) } },
  messages: [
    { info: { id: 'msg_1', role: 'user', time: { created: Date.parse(at(1)) } }, parts: [{ id: 'p1', type: 'text', text: 'Which port?' }] },
    {
      info: {
        id: 'msg_2',
        role: 'assistant',
        modelID: 'gpt-5.5',
        time: { created: Date.parse(at(2)) },
        tokens: { input: 5, output: 2, reasoning: 1, cache: { read: 50, write: 0 } },
      },
      parts: [
        { id: 'p2', type: 'step-start' },
        { id: 'p3', type: 'tool', callID: 'c1', tool: 'bash', state: { status: 'completed', input: { command: 'ls' }, output: 'a.ts' } },
        { id: 'p4', type: 'tool', callID: 'c2', tool: 'bash', state: { status: 'error', input: {}, error: 'no such file' } },
        { id: 'p5', type: 'text', text: '8443.' },
      ],
    },
  ],
};

// Cline.
const clineHistory = (first, second) => [
  { role: 'user', content: text('<task>Which port?</task>'), ts: Date.parse(at(1)) },
  { role: 'assistant', content: use('t1', 'read_file'), ts: Date.parse(at(2)), modelInfo: { modelId: 'glm-5' }, metrics: first },
  { role: 'user', content: used('t1'), ts: Date.parse(at(3)) },
  { role: 'assistant', content: text('8443.'), ts: Date.parse(at(4)), modelInfo: { modelId: 'glm-5' }, metrics: second },
];
const metrics = (prompt, cached, completion) => ({ tokens: { prompt, cached, completion }, cost: 0.1 });
const ofCline = { messages: 4, replies: 2, calls: 1, results: 1, timed: 2, models: ['glm-5'] };
const extension = (name) => `.config/Code/User/globalStorage/${name}/tasks/1/api_conversation_history.json`;

// Goose.
const gooseCall = { type: 'toolRequest', id: 't', toolCall: { status: 'success', value: { name: 'shell', arguments: { command: 'ls' } } } };
const gooseAnswer = (value, status = 'success') => ({ type: 'toolResponse', id: 't', toolResult: { status, value } });

/** @type {Session[]} */
export const SESSIONS = [
  { name: 'claude: in order', agent: 'claude-code', file: claudeFile, text: lines(...twoTurns), counts: ofTwoTurns, ids: true },
  {
    name: 'claude: lines before their parents',
    agent: 'claude-code',
    file: claudeFile,
    text: lines(
      ...twoTurns.slice(0, 4),
      claude('system', 'u8', 'u7', undefined, { subtype: 'local_command' }),
      claude('system', 'u7', 'u4', undefined, { subtype: 'scheduled_task_fire' }),
      { ...twoTurns[4], parentUuid: 'u8' },
      twoTurns[5],
    ),
    counts: ofTwoTurns,
    ids: true,
  },
  {
    name: 'claude: a parent that is not there',
    agent: 'claude-code',
    file: claudeFile,
    text: lines(...twoTurns.slice(0, 4), claude('progress', 'u8', 'gone'), { ...twoTurns[4], parentUuid: 'u8' }, twoTurns[5]),
    counts: ofTwoTurns,
    ids: true,
  },
  {
    name: 'claude: two sessions in one file, and a last line before its parent',
    agent: 'claude-code',
    file: claudeFile,
    text: lines(
      claude('user', 'u11', null, asks('Before.'), { sessionId: 'old' }),
      claude('assistant', 'u12', 'u11', answers('m9', text('Yes.')), { sessionId: 'old' }),
      ...twoTurns.slice(0, 4),
      twoTurns[5],
      twoTurns[4],
    ),
    counts: { messages: 8, replies: 4, calls: 1, results: 1, usage: [28, 60, 12, 20], timed: 4, models: ['claude-opus-5'] },
    ids: true,
  },
  {
    name: 'claude: a branch that was given up, an error of the API, attachments, blocks of one reply, results in parallel',
    agent: 'claude-code',
    file: claudeFile,
    text: lines(
      { type: 'file-history-delta', messageId: 'x' },
      claude('user', 'u1', null, asks('Which port?')),
      claude('attachment', 'u2', 'u1', undefined, { attachment: {} }),
      claude('assistant', 'u3', 'u2', { ...answers('m1', use('t1')), usage: { input_tokens: 10, output_tokens: 1 } }),
      claude('assistant', 'u4', 'u3', { ...answers('m1', use('t2')), usage: { input_tokens: 10, output_tokens: 6 } }),
      claude('user', 'u5', 'u4', asks(used('t2'))),
      claude('user', 'u6', 'u3', asks(used('t1'))),
      claude('assistant', 'u7', 'u6', answers('m2', text('abandoned'))),
      claude('assistant', 'u8', 'u6', { role: 'assistant', model: '<synthetic>', content: text('API Error') }, { isApiErrorMessage: true }),
      claude('assistant', 'u9', 'u8', answers('m3', text('8443.'))),
    ),
    counts: { messages: 4, replies: 2, calls: 2, results: 2, usage: [20, 0, 3, 11], timed: 2, models: ['claude-opus-5'] },
    note: '1 message of other branches left out',
    ids: true,
  },
  {
    name: 'claude: subagents between the lines',
    agent: 'claude-code',
    file: claudeFile,
    text: lines(
      ...twoTurns.flatMap((line, index) => [
        line,
        { ...line, uuid: `u${index + 20}`, parentUuid: index === 0 ? null : `u${index + 19}`, isSidechain: true, agentId: 'a7' },
      ]),
    ),
    counts: { messages: 12, replies: 6, calls: 2, results: 2, usage: [36, 120, 18, 30], timed: 6, models: ['claude-opus-5'] },
    ids: true,
  },
  {
    name: 'claude: compacted',
    agent: 'claude-code',
    file: claudeFile,
    text: lines(
      ...twoTurns.slice(0, 4),
      claude('system', 'u20', null, undefined, { subtype: 'compact_boundary', logicalParentUuid: 'u4' }),
      claude('user', 'u21', 'u20', asks('So far: port 8443.'), { isCompactSummary: true }),
      claude('assistant', 'u22', 'u21', answers('m7', text('Go on.'))),
    ),
    counts: { messages: 6, replies: 3, calls: 1, results: 1, usage: [24, 20, 9, 15], timed: 3, models: ['claude-opus-5'] },
    from: 4,
    ids: true,
  },
  {
    name: 'claude: printed as a stream, with a subagent',
    agent: 'claude-code',
    file: 'claude-execution-output.jsonl',
    text: lines(
      { type: 'system', subtype: 'init', session_id: 's', uuid: 'i', tools: [] },
      ...[
        ['assistant', answers('m1', use('t1', 'Task')), null],
        ['user', asks('Look for the port.'), 't1'],
        ['assistant', answers('m8', text('In a.ts.')), 't1'],
        ['user', asks(used('t1')), null],
        ['assistant', answers('m2', text('8443.')), null],
      ].map(([type, message, parent], index) => ({ type, message, parent_tool_use_id: parent, session_id: 's', uuid: `x${index}` })),
      { type: 'result', subtype: 'success', session_id: 's', uuid: 'r', usage: { input_tokens: 30 } },
    ),
    counts: { messages: 5, replies: 3, calls: 1, results: 1, usage: [30, 0, 9, 15], timed: 0, models: ['claude-opus-5'] },
    note: 'what the user asked first is not recorded',
    ids: true,
  },
  {
    name: 'codex: usage after the outputs, a limit that is told again, an interrupted request',
    agent: 'codex',
    file: codexFile,
    text: lines(
      ...codexStart,
      item(2, spoken('user', 'Which port?')),
      item(3, { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Look.' }] }),
      item(4, call('c1')),
      item(4, call('c2')),
      item(5, output('c1')),
      item(5, output('c2')),
      tokens(6, 1005, 1000, 400, 5),
      tokens(6, 1005, 1000, 400, 5),
      { timestamp: at(6), type: 'world_state', payload: {} },
      item(7, spoken('assistant', 'I was')),
      item(8, spoken('user', 'Again.')),
      item(9, spoken('assistant', '8443.')),
      tokens(9, 2110, 1100, 900, 5),
    ),
    counts: { messages: 9, replies: 3, calls: 2, results: 2, usage: [800, 1300, 0, 10], timed: 3, models: ['gpt-5.5'] },
  },
  {
    name: 'codex: usage before the outputs, as older versions write it',
    agent: 'codex',
    file: codexFile,
    text: lines(
      ...codexStart,
      item(2, spoken('user', 'Which port?')),
      item(4, call('c1')),
      tokens(5, 1005, 1000, 0, 5),
      item(5, output('c1')),
      item(7, spoken('assistant', '8443.')),
      tokens(8, 2000, 1010, 900, 5),
    ),
    counts: { messages: 4, replies: 2, calls: 1, results: 1, usage: [1110, 900, 0, 10], timed: 2, models: ['gpt-5.5'] },
  },
  {
    name: 'codex: compacted, with what is kept',
    agent: 'codex',
    file: codexFile,
    text: lines(
      ...codexStart,
      item(2, spoken('user', 'Which port?', 'msg_1')),
      item(3, spoken('assistant', '8443.', 'msg_2')),
      tokens(3, 1005, 1000, 0, 5),
      codex(4, 'compacted', {
        message: '',
        replacement_history: [spoken('user', 'Which port?', 'msg_1'), spoken('user', 'So far: 8443.')],
      }),
      // Of the request for the summary.
      tokens(4, 3000, 1900, 0, 50),
      item(5, spoken('user', 'And the host?')),
      item(6, spoken('assistant', 'edge-7.')),
      tokens(6, 3105, 100, 0, 5),
    ),
    counts: { messages: 6, replies: 2, calls: 0, results: 0, usage: [1100, 0, 0, 10], timed: 2, models: ['gpt-5.5'] },
    from: 2,
  },
  {
    name: 'codex: bare items of 2025',
    agent: 'codex',
    file: codexFile,
    text: lines(
      { id: 'c0', timestamp: at(0), instructions: 'Be brief.', git: {} },
      { record_type: 'state' },
      spoken('user', 'Which port?'),
      call('c1'),
      output('c1'),
      spoken('assistant', '8443.'),
    ),
    counts: { messages: 4, replies: 2, calls: 1, results: 1, usage: [0, 0, 0, 0], timed: 0, models: [] },
  },
  {
    name: 'copilot: replies in parts, a call that fails, sums, a subagent, a compaction, another model',
    agent: 'copilot-cli',
    file: '.copilot/session-state/k1/events.jsonl',
    text: lines(
      event('session.start', { sessionId: 'k1', version: 1, selectedModel: 'gpt-5.5', context: { cwd: '/shop' } }),
      event('system.message', { role: 'system', content: 'Be brief.' }),
      event('user.message', { content: 'Which port?', transformedContent: 'It is July.\nWhich port?', attachments: [] }),
      event('assistant.turn_start', { turnId: '0' }),
      event('assistant.message', {
        messageId: 'm1',
        apiCallId: 'a1',
        model: 'gpt-5.5',
        content: 'I look.',
        reasoningText: 'Where?',
        toolRequests: [{ toolCallId: 'c1', name: 'bash', arguments: { command: 'ls' } }],
        outputTokens: 9,
      }),
      event('assistant.message', {
        messageId: 'm2',
        apiCallId: 'a1',
        content: '',
        toolRequests: [{ toolCallId: 'c2', name: 'apply_patch', arguments: '*** Begin Patch' }],
        outputTokens: 9,
      }),
      event('tool.execution_start', { toolCallId: 'c1', toolName: 'bash', arguments: { command: 'ls' } }),
      event('tool.execution_complete', { toolCallId: 'c1', success: true, result: { content: 'a.ts', detailedContent: 'a.ts b' } }),
      event('tool.execution_complete', { toolCallId: 'c2', success: false, error: { message: 'no such file', code: 'x' } }),
      event('assistant.message', { messageId: 'm3', parentToolCallId: 'c1', content: 'abandoned', toolRequests: [] }),
      event('session.model_change', { newModel: 'claude-opus-5' }),
      event('assistant.message', { messageId: 'm4', apiCallId: 'a2', content: '8443.', toolRequests: [], outputTokens: 4 }),
      event('session.compaction_start', {}),
      event('session.compaction_complete', { summaryContent: 'So far: 8443.', preCompactionTokens: 9 }),
      event('user.message', { content: 'And the host?' }),
      event('assistant.message', { messageId: 'm5', content: 'edge-7.', toolRequests: [], outputTokens: 4 }),
      event('session.shutdown', {
        modelMetrics: { 'gpt-5.5': { requests: { count: 3 }, usage: { inputTokens: 5000, cacheReadTokens: 4000, outputTokens: 17 } } },
      }),
    ),
    counts: { messages: 7, replies: 3, calls: 2, results: 2, usage: [0, 0, 0, 0], timed: 3, models: ['claude-opus-5', 'gpt-5.5'] },
    from: 4,
    note: 'usage is there as a sum alone: 5,000 tokens of input, 4,000 of them from the cache, 17 of output',
    ids: true,
  },
  {
    name: 'pi: a tree with a branch that was given up, a command, an error, a compaction that keeps the last messages',
    agent: 'pi',
    file: '.pi/agent/sessions/--shop--/1_p1.jsonl',
    text: lines(
      piHeader,
      { type: 'model_change', id: 'i1', parentId: null, timestamp: at(1), provider: 'anthropic', modelId: 'claude-opus-5' },
      pi('i2', 'i1', { role: 'user', content: 'Which port?' }),
      pi('i3', 'i2', piReply([{ type: 'text', text: 'abandoned' }], 30)),
      pi(
        'i4',
        'i2',
        piReply(
          [
            { type: 'thinking', thinking: 'Where?' },
            { type: 'toolCall', id: 't1', name: 'bash', arguments: { command: 'ls' } },
          ],
          30,
        ),
      ),
      pi('i5', 'i4', { role: 'toolResult', toolCallId: 't1', toolName: 'bash', content: [{ type: 'text', text: 'a.ts' }], isError: false }),
      pi('i6', 'i5', piReply([{ type: 'text', text: '8443.' }], 40)),
      pi('i7', 'i6', { role: 'bashExecution', command: 'pwd', output: '/shop', exitCode: 0 }),
      pi('i8', 'i7', { role: 'bashExecution', command: 'env', output: 'abandoned', exitCode: 0, excludeFromContext: true }),
      pi('i9', 'i8', {
        role: 'user',
        content: [
          { type: 'text', text: 'And the host?' },
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        ],
      }),
      pi('i10', 'i9', piReply([], 0, 'error')),
      pi('i11', 'i10', piReply([{ type: 'text', text: 'edge-7.' }], 50)),
      {
        type: 'compaction',
        id: 'i12',
        parentId: 'i11',
        timestamp: at(12),
        summary: 'So far: 8443.',
        firstKeptEntryId: 'i9',
        tokensBefore: 9,
      },
      { type: 'label', id: 'i13', parentId: 'i12', timestamp: at(13), targetId: 'i2', label: 'x' },
      pi('i14', 'i13', { role: 'user', content: 'Thanks.' }),
      pi('i15', 'i14', piReply([{ type: 'text', text: 'Fine.' }], 20)),
    ),
    // Of them 3 are sent again: the summary, and two that were kept.
    counts: { messages: 12, replies: 5, calls: 1, results: 1, usage: [140, 400, 8, 28], timed: 5, models: ['claude-opus-5'] },
    from: 7,
    note: '1 message of other branches left out',
    ids: true,
  },
  {
    name: 'pi: lines without ids, as version 1 has them',
    agent: 'pi',
    file: '.pi/agent/sessions/--shop--/0_p0.jsonl',
    text: lines(
      { type: 'session', id: 'p0', timestamp: at(0), cwd: '/shop' },
      { type: 'message', timestamp: at(1), message: { role: 'user', content: 'Which port?' } },
      { type: 'message', timestamp: at(2), message: piReply([{ type: 'text', text: '8443.' }], 30) },
    ),
    counts: { messages: 2, replies: 1, calls: 0, results: 0, usage: [30, 100, 2, 7], timed: 1, models: ['claude-opus-5'] },
  },
  {
    name: 'OpenClaw: the form of pi',
    agent: 'openclaw',
    file: '.openclaw/agents/main/sessions/p2.jsonl',
    text: lines(
      { ...piHeader, id: 'p2' },
      pi('i2', null, { role: 'user', content: 'Which port?' }),
      pi('i3', 'gone', piReply([{ type: 'text', text: '8443.' }], 30)),
    ),
    counts: { messages: 2, replies: 1, calls: 0, results: 0, usage: [30, 100, 2, 7], timed: 1, models: ['claude-opus-5'] },
    ids: true,
  },
  {
    name: 'cursor: calls without ids and results',
    agent: 'cursor',
    file: '.cursor/projects/shop/agent-transcripts/r1/r1.jsonl',
    text: lines(
      { role: 'user', message: { content: text('Which port?') } },
      { role: 'assistant', message: { content: [...text('I look.'), { type: 'tool_use', name: 'Read', input: { path: 'a.ts' } }] } },
      { role: 'assistant', message: { content: [{ type: 'tool_use', name: 'Shell', input: { command: 'ls' } }] } },
      { role: 'assistant', message: { content: text('8443.') } },
      { type: 'turn_ended', status: 'completed' },
    ),
    counts: { messages: 4, replies: 3, calls: 2, results: 0, usage: [0, 0, 0, 0], timed: 0, models: [] },
    note: 'the results of 2 calls are not recorded',
  },
  {
    name: 'qwen: a reply in several records, results in parallel, a compression, system records',
    agent: 'qwen-code',
    file: '.qwen/projects/-shop/chats/q1.jsonl',
    text: lines(
      qwen('user', 'w1', null, [{ text: 'Which port?' }]),
      qwen('system', 'w2', 'w1', undefined, { subtype: 'ui_telemetry', systemPayload: {} }),
      qwen('assistant', 'w3', 'w2', [{ text: 'Where?', thought: true }], { model: 'qwen3-coder' }),
      qwen(
        'assistant',
        'w3',
        'w2',
        [{ functionCall: { id: 'c1', name: 'ls', args: {} } }, { functionCall: { id: 'c2', name: 'ls', args: {} } }],
        qwenUsage(1000, 600, 9),
      ),
      qwen('tool_result', 'w4', 'w3', [{ functionResponse: { id: 'c1', name: 'ls', response: { output: 'a.ts' } } }]),
      qwen('tool_result', 'w5', 'w4', [{ functionResponse: { id: 'c2', name: 'ls', response: { output: 'b.ts' } } }]),
      qwen('assistant', 'w6', 'w5', [{ text: '8443.' }], qwenUsage(1100, 1000, 4)),
      qwen('assistant', 'w7', 'w5', [{ text: 'abandoned' }], qwenUsage(1100, 1000, 4)),
      qwen('system', 'w8', 'w6', undefined, {
        subtype: 'chat_compression',
        systemPayload: {
          compressedHistory: [
            { role: 'user', parts: [{ text: 'So far: 8443.' }] },
            { role: 'model', parts: [{ text: 'Yes.' }] },
          ],
        },
      }),
      qwen('user', 'w9', 'w8', [{ text: 'And the host?' }]),
      qwen('assistant', 'w10', 'w9', [{ text: 'edge-7.' }], qwenUsage(100, 0, 4)),
    ),
    counts: { messages: 8, replies: 3, calls: 2, results: 2, usage: [600, 1600, 0, 17], timed: 3, models: ['qwen3-coder'] },
    from: 4,
    note: '1 message of other branches left out',
    ids: true,
  },
  {
    name: 'kimi: steps, results before their end, usage that is told twice, a compaction',
    agent: 'kimi',
    file: '.kimi-code/sessions/m1.jsonl',
    text: lines(
      { type: 'metadata', protocol_version: '1.1', created_at: at(0) },
      { type: 'config.update', systemPrompt: 'Be brief.', modelAlias: 'kimi-k3' },
      { type: 'turn.prompt', input: 'Which port?' },
      { type: 'context.append_message', message: { role: 'user', content: [{ type: 'text', text: 'Which port?' }], toolCalls: [] } },
      ...[
        { type: 'step.begin', turnId: 't', step: 1, uuid: 's1' },
        { type: 'content.part', stepUuid: 's1', part: { type: 'think', think: 'Where?' } },
        { type: 'tool.call', stepUuid: 's1', toolCallId: 'c1', name: 'Shell', args: { command: 'ls' } },
        { type: 'tool.result', toolCallId: 'c1', result: { output: 'a.ts' } },
        { type: 'step.end', uuid: 's1', usage: { inputOther: 10, inputCacheRead: 50, inputCacheCreation: 5, output: 4 } },
        { type: 'step.begin', turnId: 't', step: 2, uuid: 's2' },
        { type: 'content.part', stepUuid: 's2', part: { type: 'text', text: '8443.' } },
        { type: 'step.end', uuid: 's2', usage: { inputOther: 10, inputCacheRead: 60, inputCacheCreation: 5, output: 4 } },
      ].map((one) => ({ type: 'context.append_loop_event', event: one })),
      { type: 'usage.record', usage: { inputOther: 10, inputCacheRead: 60, inputCacheCreation: 5, output: 4 } },
      { type: 'context.apply_compaction', summary: 'Short.', contextSummary: 'So far: 8443.', compactedCount: 4, keptUserMessageCount: 0 },
    ),
    counts: { messages: 5, replies: 2, calls: 1, results: 1, usage: [20, 110, 10, 8], timed: 0, models: ['kimi-k3'] },
    from: 4,
  },
  {
    name: "droid: Anthropic's messages, the model beside them",
    agent: 'droid',
    file: '.factory/sessions/-shop/d1.jsonl',
    text: lines(
      { type: 'session_start', id: 'd1', title: 'The port', cwd: '/shop' },
      { type: 'message', id: 'm1', parentId: 'd1', timestamp: at(1), message: asks(text('Which port?')) },
      { type: 'message', id: 'm2', parentId: 'm1', timestamp: at(2), message: { role: 'assistant', content: use('t1') } },
      { type: 'message', id: 'm3', parentId: 'm2', timestamp: at(3), message: asks(used('t1')) },
      { type: 'message', id: 'm4', parentId: 'm3', timestamp: at(4), message: { role: 'assistant', content: text('8443.') } },
    ),
    beside: { 'd1.settings.json': '{"model":"claude-opus-5","tokenUsage":{"inputTokens":9}}' },
    counts: { messages: 4, replies: 2, calls: 1, results: 1, usage: [0, 0, 0, 0], timed: 2, models: ['claude-opus-5'] },
    ids: true,
  },
  {
    name: 'grok: reasoning before a reply, a call at the provider',
    agent: 'grok',
    file: '.grok/sessions/%2Fshop/g1/chat_history.jsonl',
    text: lines(
      { type: 'system', content: 'Be brief.' },
      { type: 'user', content: text('Which port?'), prompt_index: 0 },
      { type: 'reasoning', id: 'r1', summary: [{ type: 'summary_text', text: 'Where?' }], encrypted_content: 'x' },
      { type: 'assistant', content: '', tool_calls: [{ id: 'c1', name: 'bash', arguments: '{"command":"ls"}' }], model_id: 'grok-5' },
      { type: 'tool_result', tool_call_id: 'c1', content: 'a.ts' },
      { type: 'backend_tool_call', kind: 'web_search' },
      { type: 'assistant', content: '8443.', tool_calls: [], model_id: 'grok-5' },
    ),
    beside: { 'summary.json': `{"info":{"cwd":"/shop"},"generated_title":"The port","created_at":"${at(0)}"}` },
    counts: { messages: 4, replies: 2, calls: 1, results: 1, usage: [0, 0, 0, 0], timed: 0, models: ['grok-5'] },
    note: '1 call that ran at the provider left out',
  },
  {
    name: 'goose: lines, a result as an object, one that failed, sums',
    agent: 'goose',
    file: '.local/share/goose/sessions/20260701_1.jsonl',
    text: lines(
      { working_dir: '/shop', description: 'The port', message_count: 5, accumulated_input_tokens: 900, accumulated_output_tokens: 9 },
      { role: 'user', created: 1782892801, content: text('Which port?') },
      { role: 'assistant', created: 1782892802, content: [{ type: 'thinking', thinking: 'Where?', signature: 'x' }, gooseCall] },
      { role: 'user', created: 1782892803, content: [gooseAnswer({ content: text('a.ts'), isError: false })] },
      { role: 'assistant', created: 1782892804, content: [{ ...gooseCall, id: 't2' }] },
      { role: 'user', created: 1782892805, content: [{ ...gooseAnswer(undefined, 'error'), id: 't2' }, ...text('Stop.')] },
      { role: 'assistant', created: 1782892806, content: text('8443.') },
    ),
    counts: { messages: 7, replies: 3, calls: 2, results: 2, usage: [0, 0, 0, 0], timed: 3, models: [] },
    note: 'usage is there as a sum alone: 900 tokens of input, 9 of output',
  },
  {
    name: 'amp: results of its own',
    agent: 'amp',
    file: '.local/share/amp/threads/T-1.json',
    text: JSON.stringify({
      v: 1,
      id: 'T-1',
      created: Date.parse(at(0)),
      title: 'The port',
      env: { initial: { trees: [{ uri: 'file:///shop' }] } },
      messages: [
        { role: 'user', messageId: 0, content: text('Which port?') },
        {
          role: 'assistant',
          messageId: 1,
          content: use('t1'),
          state: { type: 'complete', stopReason: 'tool_use' },
          usage: { model: 'claude-opus-5', inputTokens: 9, outputTokens: 5, cacheReadInputTokens: 70, cacheCreationInputTokens: 8 },
        },
        {
          role: 'user',
          messageId: 2,
          content: [{ type: 'tool_result', toolUseID: 't1', run: { status: 'done', result: { output: 'a.ts' } } }],
        },
        { role: 'assistant', messageId: 3, content: text('8443.'), usage: { model: 'claude-opus-5', inputTokens: 3, outputTokens: 2 } },
      ],
    }),
    counts: { messages: 4, replies: 2, calls: 1, results: 1, usage: [12, 70, 8, 7], timed: 0, models: ['claude-opus-5'] },
  },
  {
    name: 'opencode: what export prints',
    agent: 'opencode',
    file: 'export.json',
    text: JSON.stringify(exported),
    counts: { messages: 3, replies: 1, calls: 2, results: 2, usage: [5, 50, 0, 3], timed: 1, models: ['gpt-5.5'] },
  },
  {
    name: 'opencode: what export prints, pretty, with a name of lines',
    agent: 'opencode',
    file: 'export.jsonl',
    text: JSON.stringify(exported, null, 2),
    counts: { messages: 3, replies: 1, calls: 2, results: 2, usage: [5, 50, 0, 3], timed: 1, models: ['gpt-5.5'] },
  },
  {
    name: 'cline: metrics whose prompts have the cached tokens among them',
    agent: 'cline',
    file: extension('saoudrizwan.claude-dev'),
    text: JSON.stringify(clineHistory(metrics(100, 40, 5), metrics(120, 100, 6))),
    counts: { ...ofCline, usage: [80, 140, 0, 11] },
  },
  {
    name: 'cline: metrics with the cached tokens apart, and what was shown of other requests',
    agent: 'cline',
    file: extension('saoudrizwan.claude-dev'),
    text: JSON.stringify(clineHistory(metrics(10, 40, 5), metrics(20, 100, 6))),
    beside: {
      'ui_messages.json': JSON.stringify([
        { ts: Date.parse(at(1)), type: 'say', say: 'api_req_started', text: '{"tokensIn":999,"tokensOut":1}' },
      ]),
    },
    counts: { ...ofCline, usage: [30, 140, 0, 11] },
  },
  {
    name: 'Roo Code: the folder of Cline',
    agent: 'roo-code',
    file: extension('rooveterinaryinc.roo-cline'),
    text: JSON.stringify(clineHistory()),
    counts: { ...ofCline, usage: [0, 0, 0, 0] },
  },
  {
    name: 'Kilo Code: the folder of Cline',
    agent: 'kilo-code',
    file: extension('kilocode.kilo-code'),
    text: JSON.stringify(clineHistory()),
    counts: { ...ofCline, usage: [0, 0, 0, 0] },
  },
  {
    name: 'ChatGPT: a tree, a branch that was given up, a message that is no text, two conversations',
    agent: 'chatgpt',
    file: 'conversations.json',
    text: JSON.stringify(
      ['c1', 'c2'].map((id) => ({
        conversation_id: id,
        title: 'The port',
        create_time: 1782892800,
        current_node: 'd',
        mapping: {
          r: { id: 'r', message: null, parent: null, children: ['a'] },
          a: {
            id: 'a',
            parent: 'r',
            message: { author: { role: 'user' }, create_time: 1782892801, content: { content_type: 'text', parts: ['Which port?'] } },
          },
          b: { id: 'b', parent: 'a', message: { author: { role: 'assistant' }, content: { content_type: 'text', parts: ['abandoned'] } } },
          c: { id: 'c', parent: 'a', message: { author: { role: 'assistant' }, content: { content_type: 'code', text: 'ls' } } },
          d: {
            id: 'd',
            parent: 'c',
            message: {
              author: { role: 'assistant' },
              create_time: 1782892802,
              content: { content_type: 'text', parts: ['8443.'] },
              metadata: { model_slug: 'gpt-5.5' },
            },
          },
        },
      })),
    ),
    counts: { messages: 4, replies: 2, calls: 0, results: 0, usage: [0, 0, 0, 0], timed: 2, models: ['gpt-5.5'] },
    note: '1 message that is no text left out',
  },
  {
    name: 'Claude.ai: a block that is no text',
    agent: 'claude-ai',
    file: 'conversations.json',
    text: JSON.stringify([
      {
        uuid: 'v1',
        name: 'The port',
        created_at: at(0),
        chat_messages: [
          { uuid: 'a', sender: 'human', text: 'Which port?', content: text('Which port?'), created_at: at(1) },
          { uuid: 'b', sender: 'assistant', text: '8443.', content: [...text('8443.'), { type: 'artifact' }], created_at: at(2) },
        ],
      },
    ]),
    counts: { messages: 2, replies: 1, calls: 0, results: 0, usage: [0, 0, 0, 0], timed: 1, models: [] },
    note: '1 block that is no text left out',
  },
];
