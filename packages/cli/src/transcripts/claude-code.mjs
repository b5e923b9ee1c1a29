// @ts-check
// Claude Code: a line for each event. The lines of messages form a tree by `parentUuid`; the conversation is the branch of the last leaf.
import { basename } from 'node:path';
import { anthropicUsage, inputTokens } from '../usage.mjs';
import { counted, isObject, parsed, stringOf, timeOf } from './values.mjs';

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
]);

/** Model of messages that Claude Code wrote itself, such as those about errors of the API. */
const SYNTHETIC = '<synthetic>';

/** @param {unknown} line whether a line of JSON is one of Claude Code's */
export const isLine = (line) =>
  isObject(line) &&
  typeof line.type === 'string' &&
  ('sessionId' in line ||
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

/** Reads a file, line by line. */
export class ClaudeCodeReader {
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

  /** @param {string} text */
  add(text) {
    const line = parsed(text);
    if (!isObject(line) || typeof line.type !== 'string') {
      this.skipped++;
      return;
    }
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
        : { type: line.type, uuid: line.uuid, parentUuid: line.parentUuid, isSidechain: line.isSidechain, agentId: line.agentId };
    kept.at = this.#lines.length;
    this.#lines.push(kept);
    if (uuid !== undefined) this.#byUuid.set(uuid, kept);
  }

  /** @param {Json} line @returns {Json | undefined} */
  #parentOf(line) {
    const parent = this.#byUuid.get(line.parentUuid) ?? this.#byUuid.get(line.logicalParentUuid);
    // A parent precedes its children; anything else would be a loop.
    if (parent !== undefined && parent.at < line.at) return parent;
    // Older versions don't say what a compaction follows.
    if (!isBoundary(line)) return undefined;
    for (let at = line.at - 1; at >= 0; at--) if (this.#lines[at].isSidechain !== true) return this.#lines[at];
    return undefined;
  }

  /** @returns {Json[][]} the lines of the conversation, and of each sidechain */
  #groups() {
    const main = this.#lines.filter(({ isSidechain }) => isSidechain !== true);
    if (!main.some(isMessageLine)) return [this.#lines];
    /** @type {Map<unknown, Json[]>} */
    const sides = new Map();
    /** Roots of sidechains by line. @type {Map<Json, unknown>} */
    const roots = new Map();
    for (const line of this.#lines) {
      if (line.isSidechain !== true) continue;
      const parent = this.#byUuid.get(line.parentUuid);
      const root = stringOf(line.agentId) ?? (parent?.isSidechain === true ? roots.get(parent) : line.uuid) ?? 'sidechain';
      roots.set(line, root);
      const side = sides.get(root);
      if (side) side.push(line);
      else sides.set(root, [line]);
    }
    return [main, ...sides.values()];
  }

  /** @param {Json[]} lines @returns {Json[]} the messages and boundaries of the branch that ends with the last message */
  #branch(lines) {
    const leaf = lines.findLast(isMessageLine);
    if (leaf === undefined) return [];
    if (stringOf(leaf.uuid) === undefined) return lines.filter((line) => isMessageLine(line) || isBoundary(line));
    const chosen = new Set();
    for (let /** @type {Json | undefined} */ line = leaf; line !== undefined; line = this.#parentOf(line)) chosen.add(line);
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
    return lines.filter((line) => chosen.has(line) && (isMessageLine(line) || isBoundary(line)));
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
      const side = stringOf(first.agentId) ?? (index === 0 ? name : `sidechain ${index}`);
      const id = isSide && index > 0 ? `${name}/${side}` : name;
      const aside = group.filter(isMessageLine).length - lines.filter(isMessageLine).length;
      const notes = [];
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
    if (said) return said.text.trim().split('\n')[0].slice(0, 120);
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
      if (messages.length > from) requests.push(request);
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
  return { messages, requests };
}

/** @param {unknown} usage @returns {import('../types.d.ts').Usage | undefined} */
function usageOf(usage) {
  if (!isObject(usage)) return undefined;
  const read = anthropicUsage(usage);
  return inputTokens(read) > 0 ? read : undefined;
}
