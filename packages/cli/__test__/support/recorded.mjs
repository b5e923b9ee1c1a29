// Conversations as each agent records them, made up: an abstract conversation is written in the agent's own files.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';

/**
 * @typedef {object} Reply
 * @property {string} [thinking]
 * @property {string} [text]
 * @property {{ tool: string, input: object, result: string }[]} calls
 * @property {{ input: number, cacheRead: number, cacheWrite: number, output: number }} usage
 * @typedef {{ user: string, replies: Reply[] }} Turn
 */

const someText = fc.oneof(fc.lorem({ maxCount: 8 }), fc.constantFrom('灯台守 😀', '{"a": 1}', 'one\ntwo', '<b>&amp;</b>', '\u2028'));
const count = fc.integer({ min: 1, max: 50_000 });
/** Records as JSON has them. */
const record = (/** @type {object} */ fields) => fc.record(fields, { noNullPrototype: true });
const someCall = record({
  tool: fc.constantFrom('Read', 'Bash', 'search'),
  input: fc.oneof(record({ file_path: fc.constantFrom('src/a.ts', '/tmp/b') }), record({ command: someText })),
  result: someText,
});
const someReply = record({
  thinking: fc.option(someText, { nil: undefined }),
  text: fc.option(someText, { nil: undefined }),
  calls: fc.array(someCall, { maxLength: 3 }),
  usage: record({ input: count, cacheRead: fc.nat(50_000), cacheWrite: fc.nat(50_000), output: count }),
}).map((reply) => (reply.text === undefined && reply.calls.length === 0 ? { ...reply, text: 'Done.' } : reply));

/** A model goes on by itself only after calls. @param {Reply[]} replies @returns {Reply[]} */
const goingOn = (replies) =>
  replies.map((reply, index) =>
    reply.calls.length > 0 || index === replies.length - 1
      ? reply
      : { ...reply, calls: [{ tool: 'Bash', input: { command: 'ls' }, result: 'a.ts' }] },
  );

/** Conversations: each turn is what the user says, and at least one reply. */
export const someTurns = fc.array(record({ user: someText, replies: fc.array(someReply, { minLength: 1, maxLength: 3 }).map(goingOn) }), {
  minLength: 1,
  maxLength: 5,
});

/** A conversation that is used where one is enough. @type {Turn[]} */
export const TURNS = [
  {
    user: 'Which port does the proxy use?',
    replies: [
      {
        thinking: 'The configuration says it.',
        text: 'I look.',
        calls: [
          { tool: 'Read', input: { file_path: 'proxy.toml' }, result: 'port = 8443\nhost = "edge-7"' },
          { tool: 'Bash', input: { command: 'ls' }, result: 'proxy.toml' },
        ],
        usage: { input: 12, cacheRead: 0, cacheWrite: 900, output: 40 },
      },
      { text: 'It uses port 8443.', calls: [], usage: { input: 9, cacheRead: 900, cacheWrite: 120, output: 12 } },
    ],
  },
];

/** What every agent records of a conversation: roles, and what can be read. `thinking: false` leaves out what was thought. @param {Turn[]} turns */
export function readable(turns, { thinking = true } = {}) {
  return turns.flatMap(({ user, replies }) => [
    { role: 'user', label: 'text', text: user },
    ...replies.flatMap((reply) => [
      ...(thinking && reply.thinking !== undefined ? [{ role: 'assistant', label: 'thinking', text: reply.thinking }] : []),
      ...(reply.text === undefined ? [] : [{ role: 'assistant', label: 'text', text: reply.text }]),
      ...reply.calls.map(({ tool, input }) => ({ role: 'assistant', label: 'call', tool, input })),
      ...reply.calls.map(({ result }) => ({ role: 'tool', label: 'result', text: result })),
    ]),
  ]);
}

/** @param {Turn[]} turns */
export const usesOf = (turns) => turns.flatMap(({ replies }) => replies.map(({ usage }) => usage));

const START = Date.parse('2026-11-01T10:00:00Z');
const timeAt = (index) => START + 10_000 * index;
const isoAt = (index) => new Date(timeAt(index)).toISOString();
const jsonl = (lines) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/**
 * Lines of Claude Code: a reply is a line for each of its blocks, all with its usage, and a result continues the line of its call.
 *
 * @param {Turn[]} turns
 */
export function claudeCodeLines(turns, { session = 'c1a0de00-0000-4000-8000-000000000001', agentId = undefined } = {}) {
  const lines = [{ type: 'file-history-snapshot', messageId: 'x', snapshot: {} }];
  let parentUuid = null;
  let number = 0;
  const add = (type, message, parent = parentUuid) => {
    const uuid = `${agentId ?? 'u'}-${++number}`;
    lines.push({
      parentUuid: parent,
      isSidechain: agentId !== undefined,
      ...(agentId && { agentId }),
      userType: 'external',
      cwd: '/work/shop',
      sessionId: session,
      version: '2.9.0',
      type,
      message,
      uuid,
      timestamp: isoAt(number),
    });
    parentUuid = uuid;
    return uuid;
  };
  turns.forEach(({ user, replies }, turn) => {
    add('user', { role: 'user', content: user });
    replies.forEach((reply, index) => {
      const id = `msg_${agentId ?? ''}${turn}_${index}`;
      const { usage } = reply;
      const blocks = [
        ...(reply.thinking === undefined ? [] : [{ type: 'thinking', thinking: reply.thinking, signature: 'c2ln' }]),
        ...(reply.text === undefined ? [] : [{ type: 'text', text: reply.text }]),
        ...reply.calls.map(({ tool, input }, call) => ({
          type: 'tool_use',
          id: `toolu_${agentId ?? ''}${turn}_${index}_${call}`,
          name: tool,
          input,
        })),
      ];
      const made = blocks.map((block, place) => {
        const message = {
          id,
          type: 'message',
          role: 'assistant',
          model: 'claude-sonnet-5',
          content: [block],
          usage: {
            input_tokens: usage.input,
            cache_read_input_tokens: usage.cacheRead,
            cache_creation_input_tokens: usage.cacheWrite,
            // While a reply is written, its lines say less.
            output_tokens: place === blocks.length - 1 ? usage.output : 1,
          },
        };
        return add('assistant', message);
      });
      const calls = made.slice(blocks.length - reply.calls.length);
      reply.calls.forEach(({ result }, call) => {
        const content = [{ type: 'tool_result', tool_use_id: `toolu_${agentId ?? ''}${turn}_${index}_${call}`, content: result }];
        add('user', { role: 'user', content }, calls[call]);
      });
    });
  });
  return lines;
}

/** Lines of Codex. @param {Turn[]} turns */
export function codexLines(turns) {
  let number = 0;
  const line = (type, payload) => ({ timestamp: isoAt(number++), type, payload });
  const lines = [
    line('session_meta', {
      id: 'codex-1',
      cwd: '/work/shop',
      cli_version: '0.99.0',
      base_instructions: { text: 'You are a coding agent.' },
    }),
    line('turn_context', { cwd: '/work/shop', model: 'gpt-5.5', approval_policy: 'never' }),
  ];
  const item = (payload) => lines.push(line('response_item', payload));
  let total = 0;
  turns.forEach(({ user, replies }, turn) => {
    item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: user }] });
    lines.push(line('event_msg', { type: 'user_message', message: user }));
    replies.forEach((reply, index) => {
      if (reply.thinking !== undefined)
        item({ type: 'reasoning', summary: [{ type: 'summary_text', text: reply.thinking }], encrypted_content: null });
      if (reply.text !== undefined) item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: reply.text }] });
      reply.calls.forEach(({ tool, input }, call) =>
        item({ type: 'function_call', name: tool, arguments: JSON.stringify(input), call_id: `call_${turn}_${index}_${call}` }),
      );
      const { input, cacheRead, cacheWrite, output } = reply.usage;
      total += input + cacheRead + cacheWrite + output;
      const last = { input_tokens: input + cacheRead + cacheWrite, cached_input_tokens: cacheRead, output_tokens: output };
      const info = { total_token_usage: { total_tokens: total }, last_token_usage: last };
      lines.push(line('event_msg', { type: 'token_count', info: null }), line('event_msg', { type: 'token_count', info }));
      reply.calls.forEach(({ result }, call) =>
        item({ type: 'function_call_output', call_id: `call_${turn}_${index}_${call}`, output: result }),
      );
      // The limits are told again, with the same usage.
      lines.push(line('event_msg', { type: 'token_count', info, rate_limits: {} }));
    });
  });
  return lines;
}

/** A chat of Gemini CLI. @param {Turn[]} turns */
export function geminiChat(turns) {
  let number = 0;
  const record = (type, more) => ({ id: `r${number}`, timestamp: isoAt(number++), type, ...more });
  const messages = turns.flatMap(({ user, replies }, turn) => [
    record('user', { content: [{ text: user }] }),
    ...replies.map((reply, index) => {
      const { input, cacheRead, cacheWrite, output } = reply.usage;
      return record('gemini', {
        content: reply.text ?? '',
        ...(reply.thinking && { thoughts: [{ subject: 'Plan', description: reply.thinking }] }),
        toolCalls: reply.calls.map(({ tool, input: args, result }, call) => {
          const id = `${tool}-${turn}-${index}-${call}`;
          return {
            id,
            name: tool,
            args,
            status: 'success',
            result: [{ functionResponse: { id, name: tool, response: { output: result } } }],
          };
        }),
        tokens: { input: input + cacheRead + cacheWrite, cached: cacheRead, output: output - 1, thoughts: 1, tool: 0 },
        model: 'gemini-3.8-flash',
      });
    }),
  ]);
  return { sessionId: 'gemini-1', projectHash: 'ab12', startTime: isoAt(0), lastUpdated: isoAt(number), messages };
}

/** A session of opencode: its entry, its messages and their parts. @param {Turn[]} turns */
export function opencodeSession(turns) {
  let number = 0;
  const id = (kind) => `${kind}_${String(++number).padStart(6, '0')}`;
  const session = {
    id: 'ses_1',
    projectID: 'p1',
    directory: '/work/shop',
    title: 'The port',
    time: { created: timeAt(0), updated: timeAt(999) },
  };
  const messages = [];
  const parts = [];
  const add = (message, of) => {
    const made = { id: id('msg'), sessionID: session.id, time: { created: timeAt(number) }, ...message };
    messages.push(made);
    for (const part of of) parts.push({ id: id('prt'), messageID: made.id, sessionID: session.id, ...part });
  };
  turns.forEach(({ user, replies }, turn) => {
    add({ role: 'user' }, [{ type: 'text', text: user }]);
    replies.forEach((reply, index) => {
      const { input, cacheRead, cacheWrite, output } = reply.usage;
      const tokens = { input, output: output - 1, reasoning: 1, cache: { read: cacheRead, write: cacheWrite } };
      add({ role: 'assistant', modelID: 'claude-sonnet-5', providerID: 'anthropic', tokens }, [
        { type: 'step-start' },
        ...(reply.thinking === undefined ? [] : [{ type: 'reasoning', text: reply.thinking }]),
        ...(reply.text === undefined ? [] : [{ type: 'text', text: reply.text }]),
        ...reply.calls.map(({ tool, input: args, result }, call) => ({
          type: 'tool',
          tool,
          callID: `call_${turn}_${index}_${call}`,
          state: { status: 'completed', input: args, output: result, title: '', metadata: {}, time: { start: 1, end: 2 } },
        })),
        { type: 'step-finish', reason: 'stop', tokens, cost: 0 },
      ]);
    });
  });
  return { session, messages, parts };
}

/** Files of a task of Cline. @param {Turn[]} turns */
export function clineTask(turns) {
  const history = [];
  const shown = [{ ts: timeAt(0), type: 'say', say: 'task', text: turns[0].user }];
  turns.forEach(({ user, replies }, turn) => {
    history.push({ role: 'user', content: [{ type: 'text', text: user }] });
    replies.forEach((reply, index) => {
      const { input, cacheRead, cacheWrite, output } = reply.usage;
      const said = { request: '…', tokensIn: input, tokensOut: output, cacheReads: cacheRead, cacheWrites: cacheWrite, cost: 0 };
      shown.push({ ts: timeAt(shown.length), type: 'say', say: 'api_req_started', text: JSON.stringify(said) });
      history.push({
        role: 'assistant',
        content: [
          ...(reply.thinking === undefined ? [] : [{ type: 'thinking', thinking: reply.thinking, signature: 'c2ln' }]),
          ...(reply.text === undefined ? [] : [{ type: 'text', text: reply.text }]),
          ...reply.calls.map(({ tool, input: args }, call) => ({
            type: 'tool_use',
            id: `toolu_${turn}_${index}_${call}`,
            name: tool,
            input: args,
          })),
        ],
      });
      if (reply.calls.length > 0) {
        const content = reply.calls.map(({ result }, call) => ({
          type: 'tool_result',
          tool_use_id: `toolu_${turn}_${index}_${call}`,
          content: result,
        }));
        history.push({ role: 'user', content });
      }
    });
  });
  return { history, shown, metadata: { model_usage: [{ ts: timeAt(0), model_id: 'claude-sonnet-5', model_provider_id: 'anthropic' }] } };
}

async function write(path, content) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

/**
 * Writes a conversation where each agent would below a user's folder.
 *
 * @type {Record<string, (home: string, turns: Turn[]) => Promise<string>>} return the path of the transcript
 */
export const WRITERS = {
  'claude-code': (home, turns) =>
    write(join(home, '.claude/projects/-work-shop/c1a0de00-0000-4000-8000-000000000001.jsonl'), jsonl(claudeCodeLines(turns))),
  codex: (home, turns) =>
    write(join(home, '.codex/sessions/2026/11/01/rollout-2026-11-01T10-00-00-codex-1.jsonl'), jsonl(codexLines(turns))),
  'gemini-cli': (home, turns) =>
    write(join(home, '.gemini/tmp/ab12/chats/session-2026-11-01T10-00-gemini.json'), JSON.stringify(geminiChat(turns), null, 2)),
  opencode: async (home, turns) => {
    const storage = join(home, '.local/share/opencode/storage');
    const { session, messages, parts } = opencodeSession(turns);
    for (const message of messages) await write(join(storage, 'message', session.id, `${message.id}.json`), JSON.stringify(message));
    for (const part of parts) await write(join(storage, 'part', part.messageID, `${part.id}.json`), JSON.stringify(part));
    return write(join(storage, 'session', session.projectID, `${session.id}.json`), JSON.stringify(session));
  },
  cline: async (home, turns) => {
    const folder = join(home, '.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1762000000000');
    const { history, shown, metadata } = clineTask(turns);
    await write(join(folder, 'ui_messages.json'), JSON.stringify(shown));
    await write(join(folder, 'task_metadata.json'), JSON.stringify(metadata));
    return write(join(folder, 'api_conversation_history.json'), JSON.stringify(history));
  },
};

export { jsonl, write };
