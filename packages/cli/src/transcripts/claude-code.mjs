// @ts-check
// Claude Code: a line for each event. The lines of messages form a tree by `parentUuid`; the conversation is the branch of the last leaf.
// What `claude -p --output-format stream-json` prints is the same without the tree.
import { basename } from 'node:path';
import { anthropicUsage, inputTokens } from '../usage.mjs';
import { leafOf } from './conversation.mjs';
import { counted, isObject, stringOf, timeOf, titleIn } from './values.mjs';

/** @typedef {import('./values.mjs').Json} Json */
/** @typedef {import('../types.d.ts').Transcript} Transcript */
/** @typedef {import('../types.d.ts').TranscriptRequest} TranscriptRequest */

/** Types of lines that are no messages. */
const OTHER_TYPES = new Set([
  'summary',
  'system',
  'attachment',
  'progress',
  'file-history-snapshot',
  'queue-operation',
  'custom-title',
  'ai-title',
  'agent-name',
  'agent-setting',
  'last-prompt',
  'tag',
  'mode',
  'permission-mode',
  'pr-link',
  'content-replacement',
  'worktree-state',
  'file-history-delta',
  'bridge-session',
  'agent-color',
  'atis-latch',
  // Of the stream.
  'result',
  'stream_event',
  'rate_limit_event',
]);

/** Model of messages that Claude Code wrote itself, such as those about errors of the API. */
const SYNTHETIC = '<synthetic>';

/** Whether a line was printed rather than kept: those have no tree. @param {Json} line */
const isStreamed = (line) => typeof line.session_id === 'string' && !('sessionId' in line) && typeof line.type === 'string';

/** @param {unknown} line whether a line of JSON is one of Claude Code's */
export const isLine = (line) =>
  isObject(line) &&
  typeof line.type === 'string' &&
  ('sessionId' in line ||
    (isStreamed(line) && 'uuid' in line) ||
    'parentUuid' in line ||
    'leafUuid' in line ||
    line.type === 'file-history-snapshot' ||
    line.type === 'queue-operation' ||
    ((line.type === 'user' || line.type === 'assistant') && isObject(line.message)));

/** @param {Json} line */
const isMessageLine = (line) =>
  (line.type === 'user' || line.type === 'assistant') &&
  isObject(line.message) &&
  (typeof line.message.content === 'string' || Array.isArray(line.message.content)) &&
  !(line.isApiErrorMessage || line.message.model === SYNTHETIC);

/** @param {Json} line */
const isBoundary = (line) => line.type === 'system' && line.subtype === 'compact_boundary';

/** @param {Json} message @returns {Json[]} */
const blocksOf = ({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content.filter(isObject));

/** @param {Json} line */
const isResults = ({ type, message }) =>
  type === 'user' &&
  Array.isArray(message.content) &&
  message.content.length > 0 &&
  message.content.every((/** @type {any} */ block) => block?.type === 'tool_result');

/** @param {Json[]} lines @returns {Map<Json, Json | undefined>} */
const beforeEach = (lines) => new Map(lines.map((line, index) => [line, lines[index - 1]]));

/** Reads a file, line by line. */
export class Reader {
  #file;
  /** @type {Json[]} */
  #lines = [];
  #byUuid = new Map();
  skipped = 0;
  /** @type {string | undefined} */
  title;
  attachments = 0;
  errors = 0;
  repeated = 0;

  /** @param {string} file */
  constructor(file) {
    this.#file = file;
  }

  /** @param {unknown} value of a line */
  add(value) {
    if (!isObject(value) || typeof value.type !== 'string') {
      this.skipped++;
      return;
    }
    const { parent_tool_use_id: call } = value;
    const line = isStreamed(value) ? { ...value, isSidechain: typeof call === 'string', agentId: call } : value;
    if (line.type === 'summary') this.title ??= stringOf(line.summary);
    if (line.type === 'custom-title' || line.type === 'ai-title')
      this.title = stringOf(line.customTitle ?? line.aiTitle ?? line.title) ?? this.title;
    if (line.type === 'attachment') this.attachments++;
    const isMessage = isMessageLine(line);
    if (!isMessage) {
      if (line.isApiErrorMessage || line.message?.model === SYNTHETIC) this.errors++;
      else if (!OTHER_TYPES.has(line.type)) this.skipped++;
    }
    const uuid = stringOf(line.uuid);
    if (uuid !== undefined) {
      if (this.#byUuid.has(uuid)) {
        this.repeated++;
        return;
      }
    } else if (!isMessage && !isBoundary(line)) return;
    // Lines in between hold the tree together; of them no more is kept than that.
    const kept =
      isMessage || isBoundary(line)
        ? line
        : {
            type: line.type,
            uuid: line.uuid,
            parentUuid: line.parentUuid,
            isSidechain: line.isSidechain,
            agentId: line.agentId,
            sessionId: line.sessionId,
          };
    this.#lines.push(kept);
    if (uuid !== undefined) this.#byUuid.set(uuid, kept);
  }

  /**
   * What a line continues. A parent that isn't in the file is the line before, as for older compactions, which don't say what they follow.
   *
   * @param {Json} line
   * @param {Map<Json, Json | undefined>} before the line before each
   * @returns {Json | undefined} undefined for a root
   */
  #parentOf(line, before) {
    const parent = this.#byUuid.get(line.parentUuid) ?? this.#byUuid.get(line.logicalParentUuid);
    if (parent !== undefined && parent !== line) return parent;
    return line.parentUuid === null && !isBoundary(line) ? undefined : before.get(line);
  }

  /** The roots of lines. @param {Json[]} lines @param {(line: Json) => Json | undefined} parentOf @returns {Map<Json, Json>} by line */
  static #rootsOf(lines, parentOf) {
    const roots = new Map();
    for (const start of lines) {
      const path = new Set();
      /** @type {Json | undefined} */
      let line = start;
      let root = start;
      for (; line !== undefined && !roots.has(line) && !path.has(line); line = parentOf(line)) {
        path.add(line);
        root = line;
      }
      if (line !== undefined) root = roots.get(line) ?? root;
      for (const one of path) roots.set(one, root);
    }
    return roots;
  }

  /** @returns {Json[][]} the lines of the conversation, those of other sessions in the file, and of each sidechain */
  #groups() {
    const main = this.#lines.filter(({ isSidechain }) => isSidechain !== true);
    const last = main.findLast(isMessageLine);
    if (last === undefined) return [this.#lines];
    /** @type {Map<unknown, Json[]>} */
    const groups = new Map();
    const add = (/** @type {unknown} */ key, /** @type {Json} */ line) => {
      const group = groups.get(key);
      if (group) group.push(line);
      else groups.set(key, [line]);
    };
    const before = beforeEach(main);
    const mainRoots = Reader.#rootsOf(main, (line) => this.#parentOf(line, before));
    const sessionOf = (/** @type {Json} */ line) => `session ${stringOf(mainRoots.get(line)?.sessionId) ?? ''}`;
    groups.set(sessionOf(last), []);
    for (const line of main) add(sessionOf(line), line);
    const sides = this.#lines.filter(({ isSidechain }) => isSidechain === true);
    const sideRoots = Reader.#rootsOf(sides, (line) => {
      const parent = this.#byUuid.get(line.parentUuid);
      return parent?.isSidechain === true ? parent : undefined;
    });
    for (const line of sides) add(stringOf(line.agentId) ?? sideRoots.get(line)?.uuid ?? 'sidechain', line);
    return [...groups.values()];
  }

  /** @param {Json[]} lines @returns {Json[]} the messages and boundaries of the branch that ends with the last message */
  #branch(lines) {
    const last = lines.findLast(isMessageLine);
    if (last === undefined) return [];
    const isShown = (/** @type {Json} */ line) => isMessageLine(line) || isBoundary(line);
    if (stringOf(last.uuid) === undefined) return lines.filter(isShown);
    const leaf = leafOf(lines, last, ({ parentUuid }) => this.#byUuid.get(parentUuid));
    const before = beforeEach(lines);
    const chosen = new Set();
    for (let /** @type {Json | undefined} */ line = leaf; line !== undefined && !chosen.has(line); ) {
      chosen.add(line);
      const parent = this.#parentOf(line, before);
      // A tree that loops goes on with the line before.
      line = parent !== undefined && chosen.has(parent) ? before.get(line) : parent;
    }
    // Each line of a reply continues the one before, and a result the line of its call: of calls in parallel, the branch has only one.
    const replies = new Set();
    for (const line of chosen) if (line.type === 'assistant' && line.message?.id) replies.add(line.message.id);
    const open = new Set();
    for (const line of lines) {
      if (line.type !== 'assistant' || !isMessageLine(line) || !(chosen.has(line) || replies.has(line.message.id))) continue;
      chosen.add(line);
      for (const { type, id } of blocksOf(line.message)) if (type === 'tool_use') open.add(id);
    }
    const answers = (/** @type {Json} */ line) =>
      isResults(line) ? line.message.content.map((/** @type {Json} */ block) => block.tool_use_id) : [];
    for (const line of lines) if (chosen.has(line) && isMessageLine(line)) for (const id of answers(line)) open.delete(id);
    for (const line of lines) {
      if (chosen.has(line) || !isMessageLine(line)) continue;
      const ids = answers(line);
      if (ids.length === 0 || !ids.every((/** @type {unknown} */ id) => open.has(id))) continue;
      chosen.add(line);
      for (const id of ids) open.delete(id);
    }
    return this.#inOrder(lines, chosen).filter(isShown);
  }

  /** Lines in the order of the file, but none before its parent. @param {Json[]} lines @param {Set<Json>} chosen @returns {Json[]} */
  #inOrder(lines, chosen) {
    /** @type {Set<Json>} */
    const ordered = new Set();
    for (const line of lines) {
      if (!chosen.has(line)) continue;
      const path = new Set();
      let at = line;
      for (; chosen.has(at) && !ordered.has(at) && !path.has(at); at = this.#byUuid.get(at.parentUuid)) path.add(at);
      for (const one of path.has(at) ? [line] : [...path].reverse()) ordered.add(one);
    }
    const own = new Set(lines);
    return [...ordered].filter((line) => own.has(line));
  }

  /** The conversations in the lines so far. @returns {Generator<Transcript>} */
  *transcripts() {
    const file = this.#file;
    const name = basename(file).replace(/\.jsonl$/, '');
    for (const [index, group] of this.#groups().entries()) {
      const lines = this.#branch(group);
      const read = assemble(lines);
      if (read.messages.length === 0) continue;
      const first = lines.find(isMessageLine) ?? {};
      const times = lines.map(({ timestamp }) => timeOf(timestamp)).filter((time) => time !== undefined);
      const isSide = first.isSidechain === true;
      const side = stringOf(isSide ? first.agentId : first.sessionId) ?? (index === 0 ? name : `sidechain ${index}`);
      const id = index > 0 ? `${name}/${side}` : name;
      const aside = group.filter(isMessageLine).length - lines.filter(isMessageLine).length;
      const notes = [];
      if (isStreamed(first) && first.type === 'assistant') notes.push('what the user asked first is not recorded');
      if (aside > 0) notes.push(`${counted(aside, 'message')} of other branches left out`);
      if (index === 0 && this.attachments > 0) notes.push(`${counted(this.attachments, 'attachment')} left out`);
      if (index === 0 && this.errors > 0) notes.push(`${counted(this.errors, 'message')} about errors left out`);
      if (index === 0 && this.repeated > 0) notes.push(`${counted(this.repeated, 'repeated line')} left out`);
      const title = isSide ? titleOf(read.messages) : (this.title ?? titleOf(read.messages));
      const model = read.requests.findLast((request) => request.model)?.model;
      yield {
        agent: 'claude-code',
        id,
        file,
        ...(title && { title: isSide ? `subagent: ${title}` : title }),
        ...(stringOf(first.cwd) && { cwd: first.cwd }),
        ...(model && { model }),
        ...(times.length > 0 && { started: times[0], ended: times.at(-1) }),
        format: 'anthropic',
        ...read,
        skipped: index === 0 ? this.skipped : 0,
        notes,
      };
    }
  }
}

/** The first words of the user. @param {Json[]} messages */
function titleOf(messages) {
  for (const message of messages) {
    if (message.role !== 'user') continue;
    const said = blocksOf(message).find(({ type, text }) => type === 'text' && typeof text === 'string' && !/^\s*(?:<|Caveat:)/.test(text));
    if (said) return titleIn(said.text);
  }
  return undefined;
}

/**
 * Joins lines to the messages of requests: the lines of one reply, and the results of its calls.
 *
 * @param {Json[]} lines
 */
function assemble(lines) {
  /** @type {Json[]} */
  const messages = [];
  /** @type {TranscriptRequest[]} */
  const requests = [];
  /** @type {Map<string, { message: Json, request: TranscriptRequest }>} */
  const replies = new Map();
  /** The message that results of calls are added to. @type {Json | undefined} */
  let results;
  let from = 0;
  for (const line of lines) {
    if (isBoundary(line)) {
      from = messages.length;
      results = undefined;
      continue;
    }
    const { role = line.type, content, id, model, usage } = line.message;
    if (role === 'assistant') {
      const known = id === undefined ? undefined : replies.get(id);
      if (known) {
        known.message.content = [...blocksOf(known.message), ...blocksOf({ content })];
        // Lines of a reply repeat its usage; the output grows while it is written.
        const before = known.request.usage;
        const now = usageOf(usage);
        if (now) known.request.usage = before && before.output > now.output ? before : now;
        continue;
      }
      const message = { role, content };
      const time = timeOf(line.timestamp);
      const read = usageOf(usage);
      /** @type {TranscriptRequest} */
      const request = {
        messages: messages.length,
        ...(from > 0 && { from }),
        ...(time !== undefined && { time }),
        ...(stringOf(model) && { model }),
        ...(read && { usage: read }),
      };
      if (id !== undefined) replies.set(id, { message, request });
      // What was printed has no prompt of the user: the first request has no messages.
      if (messages.length > from || (messages.length === 0 && isStreamed(line))) requests.push(request);
      messages.push(message);
      results = undefined;
    } else if (isResults(line) && results !== undefined) {
      results.content.push(...content);
    } else {
      const message = { role, content: Array.isArray(content) ? [...content] : content };
      messages.push(message);
      results = isResults(line) ? message : undefined;
    }
  }
  return { messages, requests, ...(from > 0 && { from }) };
}

/** @param {unknown} usage @returns {import('../types.d.ts').Usage | undefined} */
function usageOf(usage) {
  if (!isObject(usage)) return undefined;
  const read = anthropicUsage(usage);
  return inputTokens(read) > 0 ? read : undefined;
}
