// Codex CLI: a line for each event; the items of OpenAI's Responses API are among them.
import { basename } from 'node:path';
import { servedAs, usageWithin } from '../usage.mjs';
import { digestOf } from './answers.mjs';
import { isMessage, isReply } from './messages.mjs';
import { counted, isObject, stringOf, timeOf, titleIn, tokensOf } from './values.mjs';
import type { Json } from './values.mjs';
import type { PaidAnswer, Served, Transcript, TranscriptRequest as Request } from '../types.mjs';

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

/** Items that the API bills by the call, by the name of their tool. */
const TOOLS: Record<string, string> = {
  web_search_call: 'web search',
  file_search_call: 'file search',
  code_interpreter_call: 'code interpreter',
  image_generation_call: 'image generation',
};

/** The calls of the API's own tools in an answer. Of those of a search, the ones that open a page cost nothing. */
function toolsIn(items: Json[]): Record<string, number> | undefined {
  const calls: Record<string, number> = {};
  for (const { type, action } of items) {
    const name = Object.hasOwn(TOOLS, type) ? TOOLS[type] : undefined;
    if (name !== undefined && (action?.type ?? 'search') === 'search') calls[name] = (calls[name] ?? 0) + 1;
  }
  return Object.keys(calls).length > 0 ? calls : undefined;
}

/** What Codex calls its service tiers. */
const TIERS: Record<string, string> = { fast: 'priority' };

/** Time in ms between two lines of the copies that a session begins with, at most: they are written at once. */
const MAX_COPYING = 2_000;

/** An answer: its items, and what is known of what was paid. */
interface Answer {
  request: Request | PaidAnswer;
  items: Json[];
  /** whether it was written while copies of another session may have been */
  mayBeCopy: boolean;
  /** sums of the session's usage after it, as JSON */
  total?: string | undefined;
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
  /** Requests of which there is nothing but the usage. */
  #beside: PaidAnswer[] = [];
  /** All of both. */
  #answers: Answer[] = [];
  /** Ids of the session and of those that it was made of. */
  #sessions: Set<string> = new Set();
  /** The request whose reply is being read. */
  #open: Answer | undefined;
  /** The last request, until its usage is known. */
  #unpaid: Answer | undefined;
  /** Whether all lines so far were written at once. */
  #mayBeCopying = true;
  #served: Served | undefined;
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
    const pause = (time ?? 0) - (this.#ended ?? time ?? 0);
    this.#mayBeCopying &&= pause >= 0 && pause <= MAX_COPYING;
    this.#started ??= time;
    this.#ended = time ?? this.#ended;
    if (type === 'session_meta') {
      // A resumed session repeats those of the sessions it continues.
      if (this.#meta.id === undefined) this.#meta = payload;
      const parent = payload.source?.subagent?.thread_spawn?.parent_thread_id;
      for (const id of [payload.id, payload.forked_from_id, parent]) if (stringOf(id)) this.#sessions.add(id);
    } else if (type === 'turn_context') {
      this.#model = stringOf(payload.model) ?? this.#model;
      const tier = stringOf(payload.service_tier);
      this.#served = servedAs({ tier: tier && (TIERS[tier] ?? tier) });
    } else if (type === 'compacted') this.#compact(payload);
    else if (type === 'event_msg') this.#use(payload, time);
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

  #use({ type, info }: Json, time: number | undefined) {
    if (type !== 'token_count' || !isObject(info?.last_token_usage)) return;
    // Reports of rate limits repeat the last usage. From version 0.142 on, the usage of a request comes after the outputs of its calls.
    const total = isObject(info.total_token_usage) ? JSON.stringify(info.total_token_usage) : undefined;
    const isRepeated = total !== undefined && total === this.#lastTotal;
    const { input_tokens, cached_input_tokens, output_tokens } = info.last_token_usage;
    // What is estimated after a compaction has no input.
    if (!isRepeated && tokensOf(input_tokens) !== 0) {
      const answer = this.#unpaid ?? (this.#isOwn(info) ? this.#addBeside(time) : undefined);
      if (answer !== undefined) {
        const usage = usageWithin(input_tokens, cached_input_tokens, tokensOf(output_tokens));
        const tools = toolsIn(answer.items);
        answer.request.usage = { ...usage, ...(this.#served && { served: this.#served }), ...(tools && { tools }) };
        answer.total = total;
        delete answer.request.ids;
        this.#unpaid = undefined;
        this.#open = undefined;
      }
    }
    this.#lastTotal = total;
  }

  /** Whether usage without a reply is that of a request of this session, and not what the session that it was made of used last. */
  #isOwn({ last_token_usage: last, total_token_usage: total }: Json) {
    // Without sums nothing tells it from a repetition.
    if (!isObject(total)) return false;
    if (this.#lastTotal !== undefined || this.#answers.length > 0) return true;
    return this.#sessions.size < 2 && tokensOf(total.input_tokens) === tokensOf(last.input_tokens);
  }

  /** A request without a reply, such as that for a summary. */
  #addBeside(time: number | undefined) {
    const request: PaidAnswer = { kind: 'compaction', ...(time !== undefined && { time }), ...(this.#model && { model: this.#model }) };
    const answer: Answer = { request, items: [], mayBeCopy: this.#mayBeCopying };
    this.#beside.push(request);
    this.#answers.push(answer);
    return answer;
  }

  #addItem(item: Json, time: number | undefined) {
    if (!isReply(item)) this.#open = undefined;
    else if (this.#open === undefined) {
      const paid = { ...(time !== undefined && { time }), ...(this.#model && { model: this.#model }) };
      if (this.#messages.length > this.#from) {
        const request: Request = { messages: this.#messages.length, ...(this.#from > 0 && { from: this.#from }), ...paid };
        this.#requests.push(request);
        this.#open = { request, items: [], mayBeCopy: this.#mayBeCopying };
      } else {
        const request: PaidAnswer = { kind: 'lost', ...paid };
        this.#beside.push(request);
        this.#open = { request, items: [], mayBeCopy: this.#mayBeCopying };
      }
      this.#answers.push(this.#open);
      this.#unpaid = this.#open;
    }
    this.#open?.items.push(item);
    if (item.role === 'user') this.#title ??= titleIn(textOf(item));
    this.#messages.push(item);
  }

  /**
   * Names the answers. A session that was made of another begins with copies of its lines, which may have the time of the copying and lack ids: they
   * are told by the sums of the other session's usage.
   */
  #name() {
    const own = stringOf(this.#meta.id) ?? basename(this.#file);
    for (const [index, { request, items, mayBeCopy, total }] of this.#answers.entries()) {
      const { ids: known, time, usage } = request;
      if (known !== undefined && usage !== undefined) continue;
      const sessions = mayBeCopy ? new Set([own, ...this.#sessions]) : [own];
      const said = digestOf(items.map(({ id, status, ...rest }) => rest));
      const provided = items.flatMap(({ id, call_id: call, encrypted_content: thought }) => [id, call, thought]).filter(stringOf);
      const ids = Array.from(sessions, (session) => digestOf('codex', session, said, total ?? [index, usage]));
      if (provided.length > 0) ids.push(digestOf('codex', provided, usage));
      if (time !== undefined) ids.push(digestOf('codex', time, said, usage));
      request.ids = ids;
    }
  }

  /** The conversation in the lines so far. */
  *transcripts(): Generator<Transcript> {
    if (this.#messages.length === 0) return;
    this.#name();
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
      ...(this.#beside.length > 0 && { beside: this.#beside }),
      ...(this.#from > 0 && { from: this.#from }),
      ...(instructions && { system: instructions }),
      skipped: this.#skipped,
      notes: this.#compactions > 0 ? [`${counted(this.#compactions, 'compaction')} by the agent`] : [],
    };
  }
}
