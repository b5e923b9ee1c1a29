import { pace } from '../../steps.js';
import { copyOf, getIn } from '../shared/copy.js';
import { Reader } from '../shared/reader.js';
import { MEDIA, ROLES } from './recognise.js';
import { memberOf, spelled } from './spelling.js';
import { dataWith } from '../shared/text-files.js';
import { elementsWithout, parseArguments, structured } from '../shared/write.js';
import type { Fields } from '../shared/shapes.js';
import type { TextData } from '../shared/text-files.js';
import type { FormatModule, Part, Path, Role } from '../../types.js';

interface Message {
  role?: unknown;
  parts?: unknown;
  content?: unknown;
}

/** A call, and its index in the parts. */
interface Call {
  part: Part;
  index: number;
}

/** `Content` of the Gemini API. */
const gemini: FormatModule = { reading, replace, without, turn, join };

function* reading(messages: readonly Message[]) {
  const reader = new Reader();
  let open: Call[] = []; // open calls of the last turn with calls
  for (const message of messages) {
    if (pace.isDue) yield;
    reader.start(message);
    const role = message.role === undefined ? 'user' : ROLES.get(message.role);
    if (role === undefined) reader.roleless(message.role);
    else {
      const before = reader.parts.length;
      // A message of another format has `content` in their place, of which nothing would be read.
      const parts = message.content === undefined ? (message.parts ?? []) : message.parts;
      reader.array(parts, ['parts']).forEach((part: Fields, index) => {
        const path = ['parts', index];
        if (memberOf(reader.object(part, path), 'functionResponse')) readResponse(reader, part, path, open);
        else if (memberOf(part, 'executableCode') || memberOf(part, 'codeExecutionResult')) readCode(reader, part, path);
        else readPart(reader, role, part, path);
      });
      const calls: Call[] = [];
      for (let index = before; index < reader.parts.length; index++) {
        // Code that runs at the provider has its result behind it.
        const part = reader.parts[index];
        if (part.kind === 'call' && part.path.at(-1) !== 'code') calls.push({ part, index });
      }
      if (calls.length > 0) {
        lockUnanswered(reader.parts, open);
        open = calls;
      }
    }
    reader.end(role ?? 'user', ['parts']);
  }
  lockUnanswered(reader.parts, open);
  return reader.parts;
}

/** Locks a turn with open calls without ids: only their order assigns the responses. */
function lockUnanswered(parts: Part[], open: Call[]) {
  if (open.every(({ part }) => part.callId !== undefined)) return;
  const { message } = open[0].part;
  const isOfTurn = (part: Part) => part?.message === message;
  let first = open[0].index;
  while (isOfTurn(parts[first - 1])) first--;
  for (const part of parts.slice(first)) {
    if ((part.kind === 'call' && isOfTurn(part)) || (part.kind === 'result' && isOfTurn(parts[part.call ?? -1])))
      part.locked ??= 'told from others by its order';
  }
}

const lockOf = (part: Fields) => (memberOf(part, 'thoughtSignature') === undefined ? undefined : 'thought signature');

function readPart(reader: Reader, role: Role, part: Fields, path: Path) {
  const locked = lockOf(part);
  const hosted = (memberOf(part, 'toolCall') ?? memberOf(part, 'toolResponse')) as Fields | undefined;
  if (memberOf(part, 'functionCall')) {
    const key = spelled(part, 'functionCall');
    const { args, name, id } = reader.object(part[key], [...path, key]);
    const at = [...path, key, 'args'];
    if (args !== undefined && args !== null) reader.object(args, at);
    reader.call(at, reader.json(args ?? {}, at), name, id, locked);
  } else if (part.thought) reader.reasoning(role, path, reader.string(part.text ?? '', path, 'text'));
  else if (part.text !== undefined) reader.add('text', role, [...path, 'text'], reader.string(part.text, [...path, 'text']), locked);
  else if (MEDIA.some((key) => part[key] !== undefined)) reader.file(role, path, part, locked);
  else if (memberOf(part, 'toolCall')) {
    reader.known(role, path, 'run by the provider');
    if (typeof hosted?.id === 'string') reader.named(hosted.id);
  } else if (hosted) reader.answers(reader.known(role, path, 'run by the provider'), hosted.id);
  else if (memberOf(part, 'audioTranscription')) reader.known(role, path, 'transcription');
  else reader.opaque(role, path, 'part with', Object.keys(part)[0] ?? 'nothing');
}

/** Reads code that ran at the provider, or what it wrote, which follows it. */
function readCode(reader: Reader, part: Fields, path: Path) {
  const locked = lockOf(part);
  const code = memberOf(part, 'executableCode') as Fields | undefined;
  if (code) {
    const at = [...path, spelled(part, 'executableCode'), 'code'];
    reader.input(at, reader.string(code.code ?? '', at), 'code_execution', code.id, 'run by the provider');
    return;
  }
  const { id, outcome, output } = memberOf(part, 'codeExecutionResult') as Fields;
  const at = [...path, spelled(part, 'codeExecutionResult'), 'output'];
  const last = reader.parts.length - 1;
  const call = reader.parts[last]?.name === 'code_execution' ? last : -1;
  const status = outcome === undefined || outcome === 'OUTCOME_OK' ? 'ok' : 'error';
  const result = reader.add('result', 'tool', at, reader.string(output ?? '', at), locked);
  result.status = status;
  if (typeof id === 'string' && call < 0) reader.answers(result, id);
  else reader.answers(result, undefined, call);
}

/** A response answers the call of its id, or, where ids are not used, the first open call of its name. */
function readResponse(reader: Reader, part: Fields, path: Path, open: Call[]) {
  const holder = spelled(part, 'functionResponse');
  const { id, name, response, parts } = reader.object(part[holder], [...path, holder]);
  const place = open.findIndex(({ part: call }) => (id === undefined ? call.name === name : call.callId === id));
  const call = place < 0 ? -1 : open.splice(place, 1)[0].index;
  const at = [...path, holder, 'response'];
  const given = reader.object(response ?? {}, at);
  const key = soleText(given);
  const text = key === undefined ? reader.json(given, at) : (given[key] as string);
  const result = reader.add('result', 'tool', key === undefined ? at : [...at, key], text);
  if (Object.hasOwn(given, 'error')) result.status = 'error';
  else if (Object.hasOwn(given, 'output')) result.status = 'ok';
  reader.answers(result, id, call);
  if (!Array.isArray(parts)) return;
  const to = [...path, holder, 'parts'];
  parts.forEach((_: unknown, index) => reader.answers(reader.add('media', 'tool', [...to, index], '', 'part of a response'), id, call));
}

/** Returns the key of an object that holds a single text, as `{ output: '…' }`. */
function soleText(object: Fields) {
  const keys = Object.keys(object);
  return keys.length === 1 && keys[0] !== '__proto__' && typeof object[keys[0]] === 'string' ? keys[0] : undefined;
}

function replace(message: Message, part: Part, text: string) {
  if (part.kind === 'call') return [{ path: part.path, value: parseArguments(part, text) }];
  if (part.kind === 'media') return [{ path: part.path, value: { text } }];
  const before: unknown = getIn(message, part.path);
  if (part.isFile) return [{ path: part.path, value: dataWith(before as TextData, text) }];
  // A response is an object, even if there was none.
  return [{ path: part.path, value: part.path.at(-1) === 'response' ? structured(before ?? {}, text) : text }];
}

function without(message: Message, parts: Part[]) {
  if (!Array.isArray(message.parts) || parts.some(({ path }) => path.length < 2)) return undefined;
  const left = elementsWithout(message.parts, 'parts', parts);
  // Thoughts alone do not make a turn.
  return left.some((part: Fields) => !part.thought) ? Object.assign(copyOf(message), { parts: left }) : undefined;
}

const hasResponse = ({ parts }: Message) =>
  Array.isArray(parts) && parts.some((part: Fields | null) => memberOf(part, 'functionResponse') != null);

/**
 * Turns alternate. What the user says is not put into one content with responses: from Gemini 3.6 on such a one is refused at the end, and two contents
 * of the user in a row are not.
 */
function turn(message: Message) {
  return hasResponse(message) ? 'function' : (message.role ?? 'user');
}

function join(messages: readonly Message[]) {
  return Object.assign(copyOf(messages[0]), { parts: messages.flatMap(({ parts }) => parts) });
}

export default gemini;
