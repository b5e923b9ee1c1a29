// Forests of sessions: they fork, go back, are compacted, start subagents, and are written again and again, as each agent writes them; with a ledger
// of what the provider was paid, which is kept while they are made.
import fc from 'fast-check';

/**
 * @typedef {object} Bill one answer of the provider's
 * @property {string} model
 * @property {[input: number, read: number, written: number, output: number]} usage
 * @property {string[]} [served] what changes the price: `fast`, `batch`, `us`
 * @property {number} [searches]
 * @property {Bill[]} [beside] iterations, billed beside
 *
 * @typedef {object} Node a message; an answer has a bill
 * @property {number} n
 * @property {Node | undefined} parent
 * @property {'user' | 'answer' | 'result' | 'summary'} kind
 * @property {string} text
 * @property {number} time
 * @property {Bill} [bill]
 * @property {boolean} [calls] whether it calls a tool, or answers one that did
 *
 * @typedef {object} Session
 * @property {number} n
 * @property {Session} [parent] that it was made of, or belongs to
 * @property {boolean} [isSide] a subagent
 * @property {{ node?: Node, isCopy?: boolean, rewind?: Node, snapshot?: 'same' | 'new', again?: boolean }[]} events in the order of writing
 * @property {Node} [leaf]
 */

const usage = fc.tuple(fc.integer({ min: 1, max: 9_000 }), fc.nat(90_000), fc.nat(9_000), fc.nat(2_000));

/** What happens to a forest, one after the other. */
export const someSteps = fc.array(
  fc.record(
    {
      what: fc.constantFrom('turn', 'turn', 'turn', 'rewind', 'fork', 'compact', 'side', 'snapshot', 'again', 'session'),
      which: fc.nat(1000),
      place: fc.nat(1000),
      replies: fc.array(fc.tuple(fc.oneof(fc.constantFrom('ok', 'Done.'), fc.string({ maxLength: 5 })), usage), {
        minLength: 1,
        maxLength: 3,
      }),
      isBack: fc.boolean(),
      served: fc.option(fc.constantFrom(['fast'], ['batch'], ['us'], ['fast', 'us']), { nil: undefined, freq: 3 }),
      searches: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 3 }),
      beside: fc.option(usage, { nil: undefined, freq: 3 }),
    },
    { noNullPrototype: true },
  ),
  { minLength: 1, maxLength: 9 },
);

export const pathOf = (/** @type {Node | undefined} */ leaf) => {
  const path = [];
  for (let node = leaf; node; node = node.parent) path.push(node);
  return path.reverse();
};

const START = Date.UTC(2026, 8, 10, 10);

/**
 * Makes a forest.
 *
 * @param {object[]} steps
 * @param {{ model: string, has: string[], hasWrites: boolean, hasTiers: boolean, hasSearches: boolean }} agent
 * @returns {{ sessions: Session[], ledger: Bill[] }}
 */
export function grown(steps, { model, has, hasWrites, hasTiers, hasSearches }) {
  const sessions = [{ n: 0, events: [], leaf: undefined }];
  const ledger = [];
  let tick = 0;
  const timeOf = (isBack) => START + ++tick * 10_001 - (isBack ? 3_600_000 : 0);
  const billOf = ([input, read, written, output], { served, searches, beside }) => {
    const bill = {
      model,
      usage: hasWrites ? [input, read, written, output] : [input + written, read, 0, output],
      ...(hasTiers && served && { served }),
      ...(hasSearches && searches && { searches }),
    };
    if (hasTiers && beside) bill.beside = [{ model, usage: beside, ...(bill.served && { served: bill.served }) }];
    ledger.push(bill);
    return bill;
  };
  const said = (session, node) => {
    const whole = { n: tick, parent: session.leaf, ...node };
    session.events.push({ node: whole });
    session.leaf = whole;
  };
  const turn = (session, step) => {
    said(session, { kind: 'user', text: `Question ${step.place}`, time: timeOf(step.isBack) });
    for (const [index, [text, counts]] of step.replies.entries()) {
      const calls = index < step.replies.length - 1;
      said(session, { kind: 'answer', text, calls, time: timeOf(step.isBack), bill: billOf(counts, index === 0 ? step : {}) });
      if (calls) said(session, { kind: 'result', text: 'a.ts', time: timeOf(step.isBack) });
    }
  };
  for (const step of steps) {
    const what = has.includes(step.what) ? step.what : 'turn';
    const session = sessions[step.which % sessions.length];
    const path = pathOf(session.leaf);
    const users = path.filter(({ kind }) => kind === 'user');
    const ends = path.filter((node) => node.kind === 'answer' && !node.calls);
    if (what === 'rewind' && users.length > 1) {
      const to = users[step.place % users.length];
      if (to.parent === undefined) continue;
      session.events.push({ rewind: to });
      session.leaf = to.parent;
      turn(session, step);
    } else if (what === 'fork' && ends.length > 0) {
      const leaf = ends[step.place % ends.length];
      const fork = { n: sessions.length, parent: session, events: pathOf(leaf).map((node) => ({ node, isCopy: true })), leaf };
      sessions.push(fork);
      if (step.isBack) turn(fork, step);
    } else if (what === 'compact' && session.leaf) {
      said(session, { kind: 'summary', text: 'So far.', time: timeOf(false), bill: billOf(step.replies[0][1], {}) });
      turn(session, step);
    } else if (what === 'side' && session.leaf) {
      const side = { n: sessions.length, parent: session, isSide: true, events: [], leaf: undefined };
      sessions.push(side);
      turn(side, step);
    } else if (what === 'session') {
      const other = { n: sessions.length, events: [], leaf: undefined };
      sessions.push(other);
      turn(other, step);
    } else if (what === 'snapshot' && session.leaf) session.events.push({ snapshot: step.isBack ? 'same' : 'new' });
    else if (what === 'again' && session.leaf) session.events.push({ again: true });
    else turn(session, step);
  }
  return { sessions: sessions.filter(({ events }) => events.length > 0), ledger };
}

/** What the ledger adds up to. @param {Bill[]} ledger @param {(bill: Bill) => number} priceOf US dollars of one */
export const paidIn = (ledger, priceOf) => ({
  requests: ledger.length,
  cost: ledger.reduce((sum, bill) => sum + [bill, ...(bill.beside ?? [])].reduce((own, one) => own + priceOf(one), 0), 0),
});

const iso = (time) => new Date(time).toISOString();
const rowsOf = (lines) => lines.map((line) => `${JSON.stringify(line)}\n`);

// --- how each agent writes them ---

/** @param {Session} session @returns {[string, string[]][]} files, each as lines */
function claudeCode(session) {
  const id = session.isSide ? `session${session.parent?.n}` : `session${session.n}`;
  const rest = {
    sessionId: id,
    cwd: '/w',
    version: '2.1.300',
    isSidechain: session.isSide === true,
    ...(session.isSide && { agentId: `a${session.n}` }),
  };
  const files = [];
  const uuidOf = (node) => (node.kind === 'summary' ? `s${node.n}` : node.bill && node.n % 2 ? `u${node.n}b` : `u${node.n}`);
  const usageOf = ({ usage: [input, read, written, output], served = [], searches, beside }, part = 1) => {
    const own = {
      input_tokens: input,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written,
      output_tokens: Math.floor(output * part),
    };
    return {
      ...own,
      service_tier: served.includes('batch') ? 'batch' : 'standard',
      ...(served.includes('fast') && { speed: 'fast' }),
      inference_geo: served.includes('us') ? 'us' : 'not_available',
      ...(searches && { server_tool_use: { web_search_requests: searches, web_fetch_requests: 1 } }),
      ...(beside && { iterations: [...beside.map((one) => ({ type: 'compaction', ...usageOf(one) })), { type: 'message', ...own }] }),
    };
  };
  const linesOf = (node, more = {}) => {
    const parentUuid = node.parent ? uuidOf(node.parent) : null;
    const all = { ...rest, timestamp: iso(node.time), ...more };
    const message = (content, part) => ({
      id: `msg_${node.n}`,
      role: 'assistant',
      model: node.bill.model,
      content,
      usage: usageOf(node.bill, part),
    });
    if (node.kind === 'summary')
      return [
        { ...all, type: 'system', subtype: 'compact_boundary', uuid: `b${node.n}`, parentUuid: null, logicalParentUuid: parentUuid },
        {
          ...all,
          type: 'user',
          uuid: `s${node.n}`,
          parentUuid: `b${node.n}`,
          isCompactSummary: true,
          message: { role: 'user', content: node.text },
        },
      ];
    if (node.kind !== 'answer') {
      const content = node.kind === 'user' ? node.text : [{ type: 'tool_result', tool_use_id: `t${node.parent.n}`, content: node.text }];
      return [{ ...all, type: 'user', uuid: `u${node.n}`, parentUuid, message: { role: 'user', content } }];
    }
    const content = [
      { type: 'text', text: node.text },
      ...(node.calls ? [{ type: 'tool_use', id: `t${node.n}`, name: 'Bash', input: {} }] : []),
    ];
    // Some answers are two lines, with an output that grows.
    return uuidOf(node).endsWith('b')
      ? [
          { ...all, type: 'assistant', uuid: `u${node.n}`, parentUuid, message: message(content.slice(0, 1), 0.5) },
          { ...all, type: 'assistant', uuid: `u${node.n}b`, parentUuid: `u${node.n}`, message: message(content.slice(1)) },
        ]
      : [{ ...all, type: 'assistant', uuid: `u${node.n}`, parentUuid, message: message(content) }];
  };
  const lines = session.events.flatMap(({ node, isCopy, again }, index) => {
    if (again) return session.events.slice(0, index).flatMap((event) => (event.node ? linesOf(event.node).slice(0, 1) : []));
    if (node === undefined) return [];
    if (node.kind === 'summary' && !isCopy) {
      // The request for it is a subagent that begins with what the session said.
      const side = { isSidechain: true, agentId: `acompact${node.n}` };
      const answer = { ...node, kind: 'answer' };
      files.push([
        `${id}/subagents/agent-acompact${node.n}.jsonl`,
        rowsOf([...pathOf(node.parent).flatMap((one) => linesOf(one, side)), ...linesOf(answer, side)]),
      ]);
    }
    return linesOf(node, isCopy ? { forkedFrom: { sessionId: `session${session.parent?.n}`, messageUuid: uuidOf(node) } } : {});
  });
  return [[session.isSide ? `${id}/subagents/agent-a${session.n}.jsonl` : `${id}.jsonl`, rowsOf(lines)], ...files];
}

function codex(session) {
  const id = `c${session.n}`;
  const meta = ({ n, parent }) => ({
    type: 'session_meta',
    payload: { id: `c${n}`, cwd: '/w', ...(parent && { forked_from_id: `c${parent.n}` }) },
  });
  // The copies have the first lines of all sessions before.
  const made = [];
  for (let one = session; one && !made.includes(one); one = one.isSide ? undefined : one.parent) made.push(one);
  const lines = [...made.map(meta), { type: 'turn_context', payload: { model: 'gpt-5.5' } }];
  const total = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 };
  const counted = ({ usage: [input, read, , output] }) => {
    const last = { input_tokens: input + read, cached_input_tokens: read, output_tokens: output };
    for (const key of Object.keys(total)) total[key] += last[key];
    return { type: 'event_msg', payload: { type: 'token_count', info: { total_token_usage: { ...total }, last_token_usage: last } } };
  };
  const item = (payload) => ({ type: 'response_item', payload });
  const message = (role, text) =>
    item({ type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] });
  const copies = session.events.filter(({ isCopy }) => isCopy).map(({ node }) => node.time);
  // The copies are written at once, when the session begins.
  const begun = Math.max(0, ...copies) + 500;
  let pending;
  for (const { node, isCopy } of session.events) {
    if (node === undefined) continue;
    const from = lines.length;
    if (node.kind === 'user') lines.push(message('user', node.text));
    else if (node.kind === 'result') {
      lines.push(
        item({ type: 'function_call_output', call_id: `call_${node.parent.n}`, output: node.text }),
        ...(pending ? [pending] : []),
      );
      pending = undefined;
    } else if (node.kind === 'summary') {
      lines.push(counted(node.bill), {
        type: 'compacted',
        payload: { message: '', replacement_history: [message('user', node.text).payload] },
      });
    } else {
      if (node.bill.searches)
        for (let at = 0; at < node.bill.searches; at++)
          lines.push(item({ type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'q' } }));
      lines.push(message('assistant', node.text));
      if (node.calls) lines.push(item({ type: 'function_call', name: 'shell', arguments: '{}', call_id: `call_${node.n}` }));
      const count = counted(node.bill);
      // Newer versions write it behind the outputs; a report of limits repeats it.
      if (node.calls && node.n % 2) pending = count;
      else lines.push(count, ...(node.n % 3 ? [] : [count]));
    }
    for (const line of lines.slice(from)) line.timestamp ??= iso(isCopy ? begun + (node.n % 900) : node.time);
  }
  for (const line of lines) line.timestamp ??= iso(copies.length > 0 ? begun : START);
  return [[`rollout-${id}.jsonl`, rowsOf(lines)]];
}

function geminiCli(session) {
  const recordOf = (node, id = `r${node.n}`) =>
    node.kind === 'user'
      ? { id, timestamp: iso(node.time), type: 'user', content: node.text }
      : {
          id,
          timestamp: iso(node.time),
          type: 'gemini',
          content: node.text,
          model: node.bill.model,
          tokens: { input: node.bill.usage[0] + node.bill.usage[1], cached: node.bill.usage[1], output: node.bill.usage[3], thoughts: 0 },
          ...(node.calls && { toolCalls: [{ id: `t${node.n}`, name: 'ls', args: {}, result: [{ text: 'a.ts' }], status: 'success' }] }),
        };
  const lines = [{ sessionId: `g${session.n}`, projectHash: 'p', startTime: iso(START), kind: 'main' }];
  let shown = [];
  /** Ids after the last snapshot. */
  let ids = new Map();
  for (const { node, rewind, snapshot, again } of session.events) {
    if (snapshot) {
      if (snapshot === 'new') ids = new Map(shown.map((one) => [one, `x${one.n}-${lines.length}`]));
      lines.push({ $set: { messages: shown.map((one) => recordOf(one, ids.get(one))), lastUpdated: iso(START) } });
    } else if (rewind) {
      if (!shown.includes(rewind)) continue;
      lines.push({ $rewindTo: ids.get(rewind) ?? `r${rewind.n}` });
      shown = shown.slice(0, shown.indexOf(rewind));
    } else if (again) lines.push(...shown.slice(-2).map((one) => recordOf(one, ids.get(one))));
    else if (node.kind !== 'result') {
      shown.push(node);
      // A record is written again when its calls were answered.
      if (node.calls) lines.push({ ...recordOf(node), toolCalls: [] });
      lines.push(recordOf(node));
    }
  }
  return [[`tmp/p${session.n}/chats/session-g${session.n}.jsonl`, rowsOf(lines)]];
}

function pi(session) {
  const lines = [
    {
      type: 'session',
      version: 3,
      id: `p${session.n}`,
      timestamp: iso(START),
      cwd: '/w',
      ...(session.parent && { parentSession: `p${session.parent.n}` }),
    },
  ];
  const idOf = (node) => `e${node.n}`;
  for (const { node } of session.events) {
    if (node === undefined) continue;
    const entry = { id: idOf(node), parentId: node.parent ? idOf(node.parent) : null, timestamp: iso(node.time) };
    const message = (more) => ({ ...entry, type: 'message', message: { timestamp: node.time, ...more } });
    if (node.kind === 'user') lines.push(message({ role: 'user', content: node.text }));
    else if (node.kind === 'result')
      lines.push(
        message({ role: 'toolResult', toolCallId: `t${node.parent.n}`, toolName: 'ls', content: [{ type: 'text', text: node.text }] }),
      );
    else {
      const [input, cacheRead, cacheWrite, output] = node.bill.usage;
      const content = [
        { type: 'text', text: node.text },
        ...(node.calls ? [{ type: 'toolCall', id: `t${node.n}`, name: 'ls', arguments: {} }] : []),
      ];
      lines.push(
        message({ role: 'assistant', api: 'x', model: node.bill.model, content, usage: { input, cacheRead, cacheWrite, output } }),
      );
    }
  }
  return [[`${session.n}_p.jsonl`, rowsOf(lines)]];
}

function qwenCode(session) {
  const lines = session.events.flatMap(({ node, again }, index) => {
    const lineOf = (one) => {
      const rest = {
        uuid: `q${one.n}`,
        parentUuid: one.parent ? `q${one.parent.n}` : null,
        sessionId: `q${session.n}`,
        timestamp: iso(one.time),
        cwd: '/w',
        version: '1',
      };
      if (one.kind === 'user') return { ...rest, type: 'user', message: { role: 'user', parts: [{ text: one.text }] } };
      if (one.kind === 'result')
        return {
          ...rest,
          type: 'tool_result',
          message: { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { output: one.text } } }] },
        };
      const [input, read, , output] = one.bill.usage;
      const parts = [{ text: one.text }, ...(one.calls ? [{ functionCall: { name: 'ls', args: {} } }] : [])];
      return {
        ...rest,
        type: 'assistant',
        model: one.bill.model,
        message: { role: 'model', parts },
        usageMetadata: { promptTokenCount: input + read, cachedContentTokenCount: read, candidatesTokenCount: output },
      };
    };
    if (again) return session.events.slice(0, index).flatMap((event) => (event.node ? [lineOf(event.node)] : []));
    return node ? [lineOf(node)] : [];
  });
  return [[`projects/w${session.n}/chats/q${session.n}.jsonl`, rowsOf(lines)]];
}

function opencode(session) {
  const id = (node) => `msg_${String(node.n).padStart(5, '0')}_${session.n}`;
  const messages = [];
  for (const { node } of session.events) {
    if (node === undefined) continue;
    const info = { id: id(node), sessionID: `ses_${session.n}`, time: { created: node.time } };
    if (node.kind === 'user') messages.push({ info: { ...info, role: 'user' }, parts: [{ id: 'p1', type: 'text', text: node.text }] });
    else if (node.kind === 'answer') {
      const [input, read, write, output] = node.bill.usage;
      const tokens = { input, output, reasoning: 0, cache: { read, write } };
      const tool = { id: 'p3', type: 'tool', callID: `t${node.n}`, tool: 'ls', state: { status: 'completed', input: {}, output: 'a.ts' } };
      messages.push({
        info: { ...info, role: 'assistant', modelID: node.bill.model, tokens },
        parts: [
          { id: 'p1', type: 'step-start' },
          { id: 'p2', type: 'text', text: node.text },
          ...(node.calls ? [tool] : []),
          { id: 'p4', type: 'step-finish', tokens },
        ],
      });
    }
  }
  return [[`export-${session.n}.json`, [JSON.stringify({ info: { id: `ses_${session.n}`, time: { created: START } }, messages })]]];
}

function kimi(session) {
  const lines = [
    { type: 'metadata', protocol_version: '1.4', created_at: START },
    { type: 'config.update', systemPrompt: 'Be brief.', modelAlias: 'kimi-k2.5' },
  ];
  const event = (one) => ({ type: 'context.append_loop_event', event: one });
  for (const { node } of session.events) {
    if (node === undefined) continue;
    const uuid = `5d9e-${node.n}`;
    if (node.kind === 'user')
      lines.push({ type: 'context.append_message', message: { role: 'user', content: [{ type: 'text', text: node.text }] } });
    else if (node.kind === 'result')
      lines.push(event({ type: 'tool.result', toolCallId: `t${node.parent.n}`, result: { output: node.text } }));
    else {
      const [inputOther, inputCacheRead, inputCacheCreation, output] = node.bill.usage;
      const own = { inputOther, inputCacheRead, inputCacheCreation, output };
      lines.push(
        event({ type: 'step.begin', uuid }),
        event({ type: 'content.part', stepUuid: uuid, part: { type: 'text', text: node.text } }),
      );
      if (node.calls) lines.push(event({ type: 'tool.call', stepUuid: uuid, toolCallId: `t${node.n}`, name: 'ls', args: {} }));
      lines.push(event({ type: 'step.end', uuid, usage: own }), { type: 'usage.record', usage: own });
    }
  }
  return [[`wire-${session.n}.jsonl`, rowsOf(lines)]];
}

function cline(session) {
  const messages = session.events.flatMap(({ node }) => {
    if (node === undefined) return [];
    if (node.kind !== 'answer') return [{ role: 'user', ts: node.time, content: [{ type: 'text', text: node.text }] }];
    const [input, cached, , completion] = node.bill.usage;
    const metrics = { tokens: { prompt: input + cached, cached, completion } };
    return [
      { role: 'assistant', ts: node.time, content: [{ type: 'text', text: node.text }], modelInfo: { modelId: node.bill.model }, metrics },
    ];
  });
  return [[`tasks/${session.n}/api_conversation_history.json`, [JSON.stringify(messages)]]];
}

function amp(session) {
  const messages = session.events.flatMap(({ node }) => {
    if (node === undefined) return [];
    if (node.kind !== 'answer') return [{ role: 'user', messageId: node.n, content: [{ type: 'text', text: node.text }] }];
    const [inputTokens, cacheReadInputTokens, cacheCreationInputTokens, outputTokens] = node.bill.usage;
    const usage = { model: node.bill.model, inputTokens, cacheReadInputTokens, cacheCreationInputTokens, outputTokens };
    return [{ role: 'assistant', messageId: node.n, content: [{ type: 'text', text: node.text }], usage }];
  });
  return [[`threads/T-${session.n}.json`, [JSON.stringify({ id: `T-${session.n}`, created: START, messages })]]];
}

/** By agent: what can happen to its sessions, and how it writes one. */
export const AGENTS = {
  'claude-code': {
    write: claudeCode,
    model: 'claude-opus-5',
    has: ['rewind', 'fork', 'compact', 'side', 'again', 'session'],
    hasWrites: true,
    hasTiers: true,
    hasSearches: true,
    isLines: true,
  },
  codex: {
    write: codex,
    model: 'gpt-5.5',
    has: ['fork', 'compact', 'side', 'session'],
    hasWrites: false,
    hasTiers: false,
    hasSearches: true,
    isLines: true,
  },
  'gemini-cli': {
    write: geminiCli,
    model: 'gemini-3.8-flash',
    has: ['rewind', 'fork', 'snapshot', 'again', 'session'],
    hasWrites: false,
    hasTiers: false,
    hasSearches: false,
    isLines: true,
  },
  pi: {
    write: pi,
    model: 'claude-opus-5',
    has: ['rewind', 'fork', 'session'],
    hasWrites: true,
    hasTiers: false,
    hasSearches: false,
    isLines: true,
  },
  'qwen-code': {
    write: qwenCode,
    model: 'gpt-5.5',
    has: ['rewind', 'fork', 'again', 'session'],
    hasWrites: false,
    hasTiers: false,
    hasSearches: false,
    isLines: true,
  },
  opencode: {
    write: opencode,
    model: 'claude-opus-5',
    has: ['fork', 'side', 'session'],
    hasWrites: true,
    hasTiers: false,
    hasSearches: false,
    isLines: false,
  },
  kimi: { write: kimi, model: 'kimi-k2.5', has: ['fork', 'session'], hasWrites: true, hasTiers: false, hasSearches: false, isLines: true },
  cline: { write: cline, model: 'claude-opus-5', has: ['session'], hasWrites: false, hasTiers: false, hasSearches: false, isLines: false },
  amp: { write: amp, model: 'claude-opus-5', has: ['session'], hasWrites: true, hasTiers: false, hasSearches: false, isLines: false },
};
