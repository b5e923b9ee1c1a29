// Claude Code: a line for each event. The lines of messages form a tree by `parentUuid`; the conversation is the branch of the last leaf.
// What `claude -p --output-format stream-json` prints is the same without the tree.
import { basename } from 'node:path';
import { anthropicUsage, iterationsBeside, unlessEmpty } from '../usage.mjs';
import { digestOf } from './answers.mjs';
import { leafOf } from './conversation.mjs';
import { counted, isObject, stringOf, timeOf, titleIn } from './values.mjs';
import type { Json } from './values.mjs';
import type { PaidAnswer, Transcript, TranscriptRequest, Usage } from '../types.mjs';

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

/** Whether a line was printed rather than kept: those have no tree. */
const isStreamed = (line: Json) => typeof line.session_id === 'string' && !('sessionId' in line) && typeof line.type === 'string';

/** @param line whether a line of JSON is one of Claude Code's */
export const isLine = (line: unknown) =>
  isObject(line) &&
  typeof line.type === 'string' &&
  ('sessionId' in line ||
    (isStreamed(line) && 'uuid' in line) ||
    'parentUuid' in line ||
    'leafUuid' in line ||
    line.type === 'file-history-snapshot' ||
    line.type === 'queue-operation' ||
    ((line.type === 'user' || line.type === 'assistant') && isObject(line.message)));

const isMessageLine = (line: Json) =>
  (line.type === 'user' || line.type === 'assistant') &&
  isObject(line.message) &&
  (typeof line.message.content === 'string' || Array.isArray(line.message.content)) &&
  !(line.isApiErrorMessage || line.message.model === SYNTHETIC);

const isBoundary = (line: Json) => line.type === 'system' && line.subtype === 'compact_boundary';

const blocksOf = ({ content }: Json): Json[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content.filter(isObject);

const isResults = ({ type, message }: Json) =>
  type === 'user' &&
  Array.isArray(message.content) &&
  message.content.length > 0 &&
  message.content.every((block: Json | null) => block?.type === 'tool_result');

const beforeEach = (lines: Json[]): Map<Json, Json | undefined> => new Map(lines.map((line, index) => [line, lines[index - 1]]));

/** Reads a file, line by line. */
export class Reader {
  #file;
  #lines: Json[] = [];
  #byUuid = new Map();
  skipped = 0;
  title: string | undefined;
  attachments = 0;
  errors = 0;
  repeated = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** @param value of a line */
  add(value: unknown) {
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
   * @param before the line before each
   * @returns undefined for a root
   */
  #parentOf(line: Json, before: Map<Json, Json | undefined>): Json | undefined {
    const parent = this.#byUuid.get(line.parentUuid) ?? this.#byUuid.get(line.logicalParentUuid);
    if (parent !== undefined && parent !== line) return parent;
    return line.parentUuid === null && !isBoundary(line) ? undefined : before.get(line);
  }

  /** The roots of lines. @returns by line */
  static #rootsOf(lines: Json[], parentOf: (line: Json) => Json | undefined): Map<Json, Json> {
    const roots = new Map();
    for (const start of lines) {
      const path = new Set();
      let line: Json | undefined = start;
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

  /** @returns the lines of the conversation, those of other sessions in the file, and of each sidechain */
  #groups(): Json[][] {
    const main = this.#lines.filter(({ isSidechain }) => isSidechain !== true);
    const last = main.findLast(isMessageLine);
    if (last === undefined) return [this.#lines];
    const groups: Map<unknown, Json[]> = new Map();
    const add = (key: unknown, line: Json) => {
      const group = groups.get(key);
      if (group) group.push(line);
      else groups.set(key, [line]);
    };
    const before = beforeEach(main);
    const mainRoots = Reader.#rootsOf(main, (line) => this.#parentOf(line, before));
    const sessionOf = (line: Json) => `session ${stringOf(mainRoots.get(line)?.sessionId) ?? ''}`;
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

  /** @returns the messages and boundaries of the branch that ends with the last message */
  #branch(lines: Json[]): Json[] {
    const last = lines.findLast(isMessageLine);
    if (last === undefined) return [];
    const isShown = (line: Json) => isMessageLine(line) || isBoundary(line);
    if (stringOf(last.uuid) === undefined) return lines.filter(isShown);
    const leaf = leafOf(lines, last, ({ parentUuid }) => this.#byUuid.get(parentUuid));
    const before = beforeEach(lines);
    const chosen = new Set<Json>();
    for (let line: Json | undefined = leaf; line !== undefined && !chosen.has(line); ) {
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
    const answers = (line: Json) => (isResults(line) ? line.message.content.map((block: Json) => block.tool_use_id) : []);
    for (const line of lines) if (chosen.has(line) && isMessageLine(line)) for (const id of answers(line)) open.delete(id);
    for (const line of lines) {
      if (chosen.has(line) || !isMessageLine(line)) continue;
      const ids = answers(line);
      if (ids.length === 0 || !ids.every((id: unknown) => open.has(id))) continue;
      chosen.add(line);
      for (const id of ids) open.delete(id);
    }
    return this.#inOrder(lines, chosen).filter(isShown);
  }

  /** Lines in the order of the file, but none before its parent. */
  #inOrder(lines: Json[], chosen: Set<Json>): Json[] {
    const ordered: Set<Json> = new Set();
    for (const line of lines) {
      if (!chosen.has(line)) continue;
      const path = new Set<Json>();
      let at = line;
      for (; chosen.has(at) && !ordered.has(at) && !path.has(at); at = this.#byUuid.get(at.parentUuid)) path.add(at);
      for (const one of path.has(at) ? [line] : [...path].reverse()) ordered.add(one);
    }
    const own = new Set(lines);
    return [...ordered].filter((line) => own.has(line));
  }

  /** The conversations in the lines so far. */
  *transcripts(): Generator<Transcript> {
    const file = this.#file;
    const name = basename(file).replace(/\.jsonl$/, '');
    for (const [index, group] of this.#groups().entries()) {
      const lines = this.#branch(group);
      const { answers, iterations } = answersIn(group.filter(isMessageLine));
      const { lost, ...read } = assemble(lines, answers);
      if (read.messages.length === 0) continue;
      const chosen = new Set(lines.map((line) => answers.get(line)));
      const branches = [...new Set(answers.values())].filter((answer) => !chosen.has(answer));
      const beside = [...lost, ...branches.map((answer) => ({ kind: 'branch' as const, ...answer })), ...iterations];
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
        ...(beside.length > 0 && { beside }),
        skipped: index === 0 ? this.skipped : 0,
        notes,
      };
    }
  }
}

/** The first words of the user. */
function titleOf(messages: Json[]) {
  for (const message of messages) {
    if (message.role !== 'user') continue;
    const said = blocksOf(message).find(({ type, text }) => type === 'text' && typeof text === 'string' && !/^\s*(?:<|Caveat:)/.test(text));
    if (said) return titleIn(said.text);
  }
  return undefined;
}

/** What is recorded of an answer. */
interface Answer {
  ids: string[];
  time?: number;
  model?: string;
  usage?: Usage;
}

/**
 * What the lines say that was paid, each answer once.
 *
 * @param lines with messages
 * @returns by line, and what is billed beside the usage
 */
function answersIn(lines: Json[]): { answers: Map<Json, Answer>; iterations: PaidAnswer[] } {
  const answers: Map<Json, Answer> = new Map();
  const known: Map<string, { answer: Answer; usage: Json }> = new Map();
  const first: { answer: Answer; usage: Json }[] = [];
  for (const line of lines) {
    const { role = line.type, content, id, model, usage } = line.message;
    if (role !== 'assistant') continue;
    const read = usageOf(usage);
    const before = stringOf(id) === undefined ? undefined : known.get(id);
    if (before !== undefined) {
      answers.set(line, before.answer);
      // Lines of a reply repeat its usage; the output grows while it is written.
      if (read === undefined || (before.answer.usage !== undefined && before.answer.usage.output > read.output)) continue;
      before.answer.usage = read;
      before.usage = usage;
      continue;
    }
    const time = timeOf(line.timestamp);
    const answer: Answer = {
      ids: [stringOf(id) === undefined ? digestOf('claude-code', line.uuid, time, content, usage) : `claude-code ${id}`],
      ...(time !== undefined && { time }),
      ...(stringOf(model) && { model }),
      ...(read && { usage: read }),
    };
    answers.set(line, answer);
    const entry = { answer, usage: isObject(usage) ? usage : {} };
    first.push(entry);
    if (stringOf(id) !== undefined) known.set(id, entry);
  }
  const iterations = first.flatMap(({ answer, usage }) =>
    iterationsBeside(usage).map((one, index) => ({
      ...answer,
      ...one,
      kind: 'iteration' as const,
      ids: answer.ids.map((id) => `${id} ${index}`),
    })),
  );
  return { answers, iterations };
}

/** Joins lines to the messages of requests: the lines of one reply, and the results of its calls. */
function assemble(lines: Json[], answers: Map<Json, Answer>) {
  const messages: Json[] = [];
  const requests: TranscriptRequest[] = [];
  const lost: PaidAnswer[] = [];
  const replies: Map<Answer, Json> = new Map();
  /** The message that results of calls are added to. */
  let results: Json | undefined;
  let from = 0;
  for (const line of lines) {
    if (isBoundary(line)) {
      from = messages.length;
      results = undefined;
      continue;
    }
    const { role = line.type, content } = line.message;
    const answer = answers.get(line);
    if (answer !== undefined) {
      const known = replies.get(answer);
      if (known) {
        known.content = [...blocksOf(known), ...blocksOf({ content })];
        continue;
      }
      const message = { role, content };
      replies.set(answer, message);
      // What was printed has no prompt of the user: the first request has no messages.
      const isSent = messages.length > from || (messages.length === 0 && isStreamed(line));
      if (isSent) requests.push({ messages: messages.length, ...(from > 0 && { from }), ...answer });
      else lost.push({ kind: 'lost', ...answer });
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
  return { messages, requests, lost, ...(from > 0 && { from }) };
}

const usageOf = (usage: unknown): Usage | undefined => (isObject(usage) ? unlessEmpty(anthropicUsage(usage)) : undefined);
