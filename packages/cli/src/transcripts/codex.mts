// Codex CLI: a line for each event; the items of OpenAI's Responses API are among them.
import { basename } from 'node:path';
import { isMessage, isReply } from './messages.mjs';
import { counted, countOf, isObject, stringOf, timeOf, titleIn } from './values.mjs';
import type { Json } from './values.mjs';
import type { Transcript, TranscriptRequest as Request } from '../types.mjs';

const TYPES = new Set(['session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted']);
/** Lines about the workspace and other agents. */
const OWN_TYPES = new Set(['world_state', 'inter_agent_communication_metadata']);
/** Items that Codex keeps for itself. */
const OWN_ITEMS = new Set(['ghost_snapshot', 'other']);

/** Whether it is the first line of versions from the middle of 2025, whose other lines are bare items. */
const isBareHeader = (line: unknown) =>
  isObject(line) && typeof line.id === 'string' && typeof line.timestamp === 'string' && 'instructions' in line;

const isEvent = (line: unknown) => isObject(line) && typeof line.type === 'string' && TYPES.has(line.type) && isObject(line.payload);

/** @param line whether a line of JSON is one of Codex */
export const isLine = (line: unknown) => isEvent(line) || isBareHeader(line);

/** An output as the API takes it. */
function itemOf(item: Json) {
  if (typeof item.type !== 'string' || !item.type.endsWith('_output') || typeof item.output === 'string' || Array.isArray(item.output))
    return item;
  const { output } = item;
  return { ...item, output: typeof output?.content === 'string' ? output.content : JSON.stringify(output ?? '') };
}

/** The words of a message. */
const textOf = ({ content }: Json) =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part) => (typeof part?.text === 'string' ? part.text : '')).join('')
      : '';

/** Reads a file, line by line. */
export class Reader {
  #file;
  #meta: Json = {};
  #messages: Json[] = [];
  #requests: Request[] = [];
  /** The request whose reply is being read. */
  #open: Request | undefined;
  /** The last request, until its usage is known. */
  #unpaid: Request | undefined;
  #model: string | undefined;
  #title: string | undefined;
  #started: number | undefined;
  #ended: number | undefined;
  #lastTotal: string | undefined;
  #from = 0;
  #isBare = false;
  #skipped = 0;
  #compactions = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** @param line its value */
  add(line: unknown) {
    if (!isEvent(line)) {
      this.#addBare(line);
      return;
    }
    const { type, payload, timestamp } = line as Json;
    const time = timeOf(timestamp);
    this.#started ??= time;
    this.#ended = time ?? this.#ended;
    if (type === 'session_meta') {
      // A resumed session repeats those of the sessions it continues.
      if (this.#meta.id === undefined) this.#meta = payload;
    } else if (type === 'turn_context') this.#model = stringOf(payload.model) ?? this.#model;
    else if (type === 'compacted') this.#compact(payload);
    else if (type === 'event_msg') this.#use(payload);
    else if (typeof payload.type !== 'string') this.#skipped++;
    else if (!OWN_ITEMS.has(payload.type)) this.#addItem(itemOf(payload), time);
  }

  /** @param line that is no event */
  #addBare(line: unknown) {
    if (isBareHeader(line)) {
      this.#isBare = true;
      this.#meta = line as Json;
      this.#started = this.#ended = timeOf(this.#meta.timestamp);
    } else if (this.#isBare && isMessage(line)) this.#addItem(itemOf(line as Json), undefined);
    else if (!isObject(line) || !(OWN_TYPES.has(line.type) || 'record_type' in line)) this.#skipped++;
  }

  #compact({ replacement_history: replacement, message }: Json) {
    this.#from = this.#messages.length;
    this.#open = undefined;
    this.#unpaid = undefined;
    this.#compactions++;
    if (Array.isArray(replacement)) this.#messages.push(...replacement.filter(isObject).map(itemOf));
    else if (stringOf(message)) this.#messages.push({ type: 'message', role: 'user', content: [{ type: 'input_text', text: message }] });
  }

  #use({ type, info }: Json) {
    if (type !== 'token_count' || !isObject(info?.last_token_usage)) return;
    // Reports of rate limits repeat the last usage. From version 0.142 on, the usage of a request comes after the outputs of its calls.
    const total = JSON.stringify(info.total_token_usage);
    const { input_tokens, cached_input_tokens, output_tokens } = info.last_token_usage;
    if (this.#unpaid !== undefined && countOf(input_tokens) > 0 && (total === undefined || total !== this.#lastTotal)) {
      const cacheRead = Math.min(countOf(cached_input_tokens), countOf(input_tokens));
      this.#unpaid.usage = { input: countOf(input_tokens) - cacheRead, cacheRead, cacheWrite: 0, output: countOf(output_tokens) };
      this.#unpaid = undefined;
      this.#open = undefined;
    }
    this.#lastTotal = total;
  }

  #addItem(item: Json, time: number | undefined) {
    if (!isReply(item)) this.#open = undefined;
    else if (this.#open === undefined && this.#messages.length > this.#from) {
      this.#open = {
        messages: this.#messages.length,
        ...(this.#from > 0 && { from: this.#from }),
        ...(time !== undefined && { time }),
        ...(this.#model && { model: this.#model }),
      };
      this.#unpaid = this.#open;
      this.#requests.push(this.#open);
    }
    if (item.role === 'user') this.#title ??= titleIn(textOf(item));
    this.#messages.push(item);
  }

  /** The conversation in the lines so far. */
  *transcripts(): Generator<Transcript> {
    if (this.#messages.length === 0) return;
    const meta = this.#meta;
    const instructions = stringOf(meta.instructions) ?? stringOf(meta.base_instructions?.text);
    yield {
      agent: 'codex',
      id: stringOf(meta.id) ?? basename(this.#file).replace(/\.jsonl(\.zst)?$/, ''),
      file: this.#file,
      ...(this.#title && { title: this.#title }),
      ...(stringOf(meta.cwd) && { cwd: meta.cwd }),
      ...(this.#model && { model: this.#model }),
      ...(this.#started !== undefined && { started: this.#started, ended: this.#ended }),
      format: 'openai-responses',
      messages: this.#messages,
      requests: this.#requests,
      ...(this.#from > 0 && { from: this.#from }),
      ...(instructions && { system: instructions }),
      skipped: this.#skipped,
      notes: this.#compactions > 0 ? [`${counted(this.#compactions, 'compaction')} by the agent`] : [],
    };
  }
}
