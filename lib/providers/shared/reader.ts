import { types } from 'node:util';
import { describe, isObject, stepsOf } from '../../checks.js';
import { whatIs } from '../../given.js';
import { misplaced } from '../../places.js';
import { compactionOf } from './compaction.js';
import { checkNested, jsonText } from './json.js';
import { fileText } from './text-files.js';
import { foreignShape } from './unknown.js';
import type { Fields } from './shapes.js';
import type { Adapter, Kind, Part, Path, Provider, Role, Status } from '../../types.js';

/** Types of parts that lead to what stands behind them. */
const REASONING = new Set<unknown>(['reasoning', 'redacted-reasoning', 'reasoning-file', 'thinking']);

/** Kinds that are known, but not what they belong to. */
const OF_TURN = new Set([
  'compaction_trigger',
  'configuration_update',
  'error',
  'fallback',
  'invalid_tool_call',
  'mcp_tool_listing',
  'non_standard',
  'program',
  'program_output',
  'reasoning-file',
  'refusal',
  'server_tool_call_chunk',
  'steering-message',
  'tool_addition',
  'tool_call_chunk',
  'tool_removal',
  'unknown',
]);

/** Collects the parts of a conversation, and links results to their calls. */
export class Reader {
  parts: Part[];
  index: number;
  /** Ids of the calls so far → index of the part: the last call of an id is the one that is answered. */
  calls: Map<string, number>;
  time: number | undefined;
  first: number | undefined;
  /** The provider of the request, where it is known. */
  to: Provider | undefined;
  /** What writes the request, where it is known. */
  adapter: Adapter | undefined;

  constructor(to?: Provider, adapter?: Adapter) {
    this.to = to;
    this.adapter = adapter;
    this.parts = [];
    this.index = -1;
    this.calls = new Map();
  }

  /** Begins the next message. */
  start(message: unknown) {
    this.startOwn(message);
    const foreign = foreignShape(message as Fields, this.index);
    if (foreign !== undefined) throw foreign;
  }

  /** Begins the next message of a format that a caller defined, whose shape may be any. */
  startOwn(message: unknown) {
    this.index++;
    // Asking Node takes longer than looking for `then`, which hardly any message has.
    if (!isObject(message) || (typeof message.then === 'function' && types.isPromise(message))) {
      throw misplaced(`${placeOf(this.index, [])} must be an object, got ${whatIs(message, 'message')}`);
    }
    // An object with `toJSON` may hold anything.
    if (typeof message.toJSON !== 'function') this.checkNested(message);
    this.time = timeOf(message);
    this.first = this.parts.length;
  }

  /** Ends a message. A message without parts gets an empty text, so that an edit can refer to it. */
  end(role: Role, path: Path, locked?: string) {
    if (this.parts.length === this.first) this.add('text', role, path, '', locked);
  }

  /** Adds a part and returns it. */
  add(kind: Kind, role: Role, path: Path, text: string, locked?: string) {
    const part: Part = { message: this.index, path, role, kind, text };
    if (this.time !== undefined) part.time = this.time;
    if (locked !== undefined) part.locked = locked;
    this.parts.push(part);
    return part;
  }

  /** Adds a part of an unknown kind, or of one of {@link OF_TURN}: `opaque('user', path, 'block of type', 'hologram')`. */
  opaque(role: Role, path: Path, what: string, type: string) {
    const part = this.add('opaque', role, path, '', `${what} ${type}`);
    part.goes = 'withTurn';
    if (!OF_TURN.has(type)) part.unknown = `${what} ${type}`;
    return part;
  }

  /** Adds a message of an unknown role. */
  roleless(role: unknown) {
    const [what, type] = roleKind(role);
    return this.opaque('user', [], what, type);
  }

  /** Adds a part of a known kind that has no text of its own. `goes`: as in {@link Part}. */
  known(role: Role, path: Path, locked: string, goes?: Part['goes']) {
    const part = this.add('opaque', role, path, '', locked);
    if (goes !== undefined) part.goes = goes;
    return part;
  }

  /** Adds a part that the SDK drops before it sends the message. */
  unsent(role: Role, path: Path, locked: string) {
    const part = this.add('opaque', role, path, '', locked);
    part.unsent = true;
    return part;
  }

  /**
   * Reads a compaction of Anthropic's: a summary, or nothing where it failed.
   *
   * @param holder what its content stands in, where that is not the block itself, and `at`, its place
   */
  summary(role: Role, path: Path, block: object, at: Path = path, holder: unknown = block) {
    const { content } = holder as Fields;
    if (typeof content === 'string') this.add('text', role, [...at, 'content'], content, 'compaction');
    else this.known(role, path, 'compaction');
    this.compacted(block);
  }

  /**
   * Marks the last part as a compaction by the provider, unless that failed. What is ignored before it in its message costs nothing.
   *
   * @param value what it was read of
   */
  compacted(value: object) {
    const part = this.parts[this.parts.length - 1];
    const compaction = compactionOf(value, this.to);
    if (compaction === undefined) return part;
    part.compacts = compaction;
    part.goes = 'never';
    if (compaction === 'ignored') for (let at = this.first as number; at < this.parts.length - 1; at++) this.parts[at].unsent = true;
    return part;
  }

  /** Adds a text of a document that stands among the words of a message. */
  document(role: Role, path: Path, text: string, locked?: string) {
    const part = this.add('text', role, path, text, locked);
    part.isDocument = true;
    return part;
  }

  /** Adds a file among the words of a message: a document of text if it is one, media otherwise. */
  file(role: Role, path: Path, block: object, locked?: string) {
    const read = fileText(block);
    if (read === undefined) return this.add('media', role, path, '', locked);
    const part = this.document(role, [...path, ...read.path], read.text, locked);
    part.isFile = true;
    return part;
  }

  /** Adds a part that isn't sent to the provider of the request. It binds nothing, and goes with its message. */
  dropped(role: Role, path: Path, { type }: { type?: unknown }) {
    if (!REASONING.has(type)) return this.unsent(role, path, `${type} of another provider`);
    const part = this.reasoning(role, path, '');
    part.unsent = true;
    return part;
  }

  reasoning(role: Role, path: Path, text: string, signed?: boolean) {
    const part = this.add('reasoning', role, path, text, 'reasoning');
    if (signed) part.signed = true;
    return part;
  }

  /** A call with arguments, which are a JSON object. */
  call(path: Path, text: string, name: unknown, callId?: unknown, locked?: string) {
    const part = this.input(path, text, name, callId, locked);
    // Malformed arguments have no members to take out.
    if (text !== '' && text[0] !== '{' && !/^\s*\{/.test(text)) part.whole = true;
    return part;
  }

  /** A call with input of any form. */
  input(path: Path, text: string, name: unknown, callId?: unknown, locked?: string) {
    const part = this.add('call', 'assistant', path, text, locked);
    if (typeof name === 'string') part.name = name;
    if (typeof callId === 'string') {
      part.callId = callId;
      this.calls.set(callId, this.parts.length - 1);
    }
    return part;
  }

  /** Gives the last part an id: what answers that belongs to the part. */
  named(id: string) {
    this.calls.set(id, this.parts.length - 1);
  }

  #callOf(callId: unknown) {
    return (typeof callId === 'string' ? this.calls.get(callId) : undefined) ?? -1;
  }

  /** Links a part to the call whose result it is in; `call` is given if the id does not identify it. */
  answers(part: Part, callId: unknown, call: number = this.#callOf(callId)) {
    part.call = call;
    if (typeof callId === 'string') part.callId = callId;
    return part;
  }

  result(path: Path, text: string, callId: unknown, status?: Status, locked?: string) {
    const part = this.answers(this.add('result', 'tool', path, text, locked), callId);
    if (status !== undefined) part.status = status;
    return part;
  }

  /** Adds a file in a result: a text if it is one, media otherwise. */
  resultFile(path: Path, block: object, callId: unknown, status?: Status, locked?: string) {
    const read = fileText(block);
    if (read === undefined) return this.answers(this.add('media', 'tool', path, '', locked), callId);
    const part = this.result(path, read.text, callId, status, locked);
    part.isFile = true;
    return part;
  }

  /** Throws for a value that can't be read. */
  fail(path: Path, expected: string, value: unknown): never {
    throw misplaced(`${placeOf(this.index, path)} must be ${expected}, got ${describe(value)}`);
  }

  // `more` extends `path`, so that no path is built for a valid value.

  string(value: unknown, path: Path, ...more: (string | number)[]) {
    return typeof value === 'string' ? value : this.fail([...path, ...more], 'a string', value);
  }

  array(value: unknown, path: Path, ...more: (string | number)[]) {
    return Array.isArray(value) ? value : this.fail([...path, ...more], 'an array', value);
  }

  object<T>(value: T, path: Path, ...more: (string | number)[]): T & Fields {
    return isObject(value) ? value : this.fail([...path, ...more], 'an object', value);
  }

  /** Throws for a message that is circular or nested too deeply. */
  checkNested(message: object) {
    checkNested(message, () => placeOf(this.index, []));
  }

  /** Returns a value as JSON text. */
  json(value: unknown, path: Path) {
    return jsonText(value, () => placeOf(this.index, path));
  }

  /** Returns a value as the model sees it: a string as it is, anything else as JSON. */
  shown(value: unknown, path: Path) {
    return typeof value === 'string' ? value : this.json(value, path);
  }
}

/** What reports call a message of an unknown role. */
export const roleKind = (role: unknown): [what: string, role: string] => [
  'message of role',
  typeof role === 'string' ? role : describe(role),
];

/** `messages[14].content[2].input` */
export const placeOf = (index: number, path: Path) => `messages[${index}]${stepsOf(path)}`;

/** Returns ms since the epoch; numbers below 10^11 are seconds, the Unix time of most APIs. */
function timeOf(message: Fields) {
  const value = message.timestamp ?? message.createdAt ?? message.created_at;
  if (value === undefined || value === null) return undefined;
  let time: unknown = value;
  if (typeof value === 'string') time = Date.parse(value);
  else if (types.isDate(value)) time = value.getTime();
  else if (typeof value === 'number' && Math.abs(value) < 1e11) time = value * 1000;
  return Number.isFinite(time) ? (time as number) : undefined;
}
