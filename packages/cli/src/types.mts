// Types that the parts of the command line share. Tokens are integers unless stated; times are ms since 1970; prices are US dollars.

import type { CacheMissCause, CacheReport, Format, SessionContext, ShadowReport, Why, WhyBack, WhyGone } from 'palimpsest';

export type Agent =
  | 'claude-code'
  | 'codex'
  | 'gemini-cli'
  | 'opencode'
  | 'cline'
  | 'roo-code'
  | 'kilo-code'
  | 'copilot-cli'
  | 'pi'
  | 'openclaw'
  | 'cursor'
  | 'qwen-code'
  | 'kimi'
  | 'droid'
  | 'grok'
  | 'goose'
  | 'amp'
  | 'chatgpt'
  | 'claude-ai'
  | 'messages';

/** A format of messages, as `fit` takes it. */
export type MessageFormat = Format;

/** Tokens of a request as the provider reported them. */
export interface Usage {
  /** Input tokens that were neither read from the cache nor written to it. */
  input: number;
  cacheRead: number;
  cacheWrite: number;
  /** Of `cacheWrite`, tokens that Anthropic's cache keeps for an hour, at a higher price. Default 0. */
  cacheWriteHour?: number;
  /** Output tokens, thinking included. */
  output: number;
  /** How it was served, where that changes the price. Absent: as usual. */
  served?: Served;
  /** Calls of the provider's own tools that it bills by the call, by name: `web search`. */
  tools?: Record<string, number>;
}

/** What of a provider's answer says at which price it was served. */
export interface Served {
  /** `fast`: Anthropic's fast mode. */
  speed?: string;
  /** Service tier: `batch`, `flex`, `priority`. */
  tier?: string;
  /** Where it had to be served: `us`. */
  geo?: string;
}

/** An answer that was paid and is no reply in the conversation as it is. */
export interface PaidAnswer {
  /**
   * `branch`: of a branch that was given up; `compaction`: the agent's request for a summary; `lost`: what it answers is not recorded; `retry`: an
   * attempt before the one that is recorded; `iteration`: a part of an answer that the provider bills beside its usage, no request of its own.
   */
  kind: 'branch' | 'compaction' | 'lost' | 'retry' | 'iteration';
  /** As in {@link TranscriptRequest}. */
  ids?: string[];
  time?: number;
  model?: string;
  usage?: Usage;
}

/** A request that the agent sent: it held `messages[from .. messages)`. */
export interface TranscriptRequest {
  /** Number of messages of the transcript up to the end of this request. */
  messages: number;
  /** Index of the first message of the request. Above 0 once the agent compacted its history. Default 0. */
  from?: number;
  time?: number;
  model?: string;
  /** Of the request as it was sent. */
  usage?: Usage;
  /** Names of the answer, by any of which it is the same in another place: the provider's id, or a digest of what is recorded of it. */
  ids?: string[];
  /** What a session made of it, if one did on its way. All requests of a transcript were fitted, or none. */
  fitted?: FittedRequest;
}

/** What a session says of its last request. */
export interface Inspected {
  context: SessionContext;
  /** Of each message. Absent where the last request was not answered. */
  why?: Why;
}

/** A request as a session sent it. Tokens are those of its step: the provider's after the first usage that the session observed. */
export interface FittedRequest {
  /** its number in the session, from 1 */
  number: number;
  before: number;
  after: number;
  /** At its start: the last request began with the same. */
  reused: number;
  epoch?: 'limit' | 'turn' | 'early' | 'cold';
  fits: boolean;
  /** What became of it in the provider's cache. Absent if its usage does not say. */
  cache?: CacheReport;
  /** Its messages: the transcript's own objects where nothing was cut. */
  messages: () => object[];
}

/** One conversation. Contents are as they were recorded. */
export interface Transcript {
  agent: Agent;
  /** Id that the agent gave it, or the file's name. */
  id: string;
  /** Path of the file it was read from. */
  file: string;
  title?: string | undefined;
  /** Working directory of the agent. */
  cwd?: string;
  /** The model of the last request. */
  model?: string;
  started?: number | undefined;
  ended?: number | undefined;
  format: MessageFormat;
  /** All messages in order, in `format`. None if only the usage of their answers is left. */
  messages: object[];
  /** In the order they were sent. If none was recorded, one for each reply of the model. */
  requests: TranscriptRequest[];
  /** What else was paid. */
  beside?: PaidAnswer[];
  /** Index of the first message that is sent next. Above 0 once the agent compacted its history. Default 0. */
  from?: number;
  /** Instructions that were sent beside the messages, where the transcript has them. */
  system?: string;
  /** What the session that fitted the requests says of the last one. */
  inspected?: Inspected;
  /** Number of lines or entries that the reader does not know, or could not parse. */
  skipped: number;
  /** What was left out or changed, one line each, without contents. */
  notes: string[];
}

/** A place where an agent keeps its transcripts. */
export interface Place {
  agent: Agent;
  /** The folder or file. */
  path: string;
}

/** A file that contains transcripts. */
export interface Found {
  agent: Agent;
  path: string;
  /** Size in bytes. */
  bytes: number;
  /** Time of the last change. */
  changed: number;
}

/** A file that was not read. */
export interface SkippedFile {
  file: string;
  /** One line, without contents. */
  reason: string;
}

/** All data of the page. `JSON.stringify` writes it as `--json` does. */
export interface Report {
  version: 1;
  /** Time of the analysis. */
  created: number;
  /** Limit of a request with a session, in tokens. */
  limit: number;
  /** Whether the sessions went through the proxy: then the figures of a session are those of what was sent, and the others of what came. */
  isProxied?: true;
  totals: Totals;
  /** What the shadow requests of the proxy on this machine found. Absent if there were none. */
  shadow?: ShadowReport;
  /** Files that were not read. */
  skipped: SkippedFile[];
  /** What was paid, by day, project, model and agent. */
  spend: Spend[];
  /** What other limits would have cost, the smallest first. Absent where the sessions went through the proxy. */
  curve?: CurvePoint[];
  /** Index in `curve` of the limit that costs least of those that keep enough and cost less than what was paid. Absent if there is none. */
  recommended?: number;
  /** What costs most for little use, the most expensive first; at most 30. */
  findings: Finding[];
  where: Where[];
  /** All sessions, the ones with the most tokens first. */
  sessions: SessionData[];
}

export interface Totals {
  sessions: number;
  requests: number;
  messages: number;
  /** Input tokens of all requests as they were sent. */
  tokens: number;
  /** Input tokens of all requests with a session. */
  sent: number;
  /** Tokens of the contents of all messages, each counted once: the sum of the rows of each part of `where`. */
  content: number;
  /** Cost of the requests with a known price. Absent if there are none. */
  cost?: number;
  /** What the same requests would have cost with a session. */
  costWithSession?: number;
  /** `cost - costWithSession`. */
  saved?: number;
  /** Share of the facts which the next messages used that the request still contained with a session, 0 to 1. Absent if nothing was measured. */
  kept?: number;
  /** Number of requests at which `kept` was measured. */
  measured: number;
  /** Names of models without a known price, or `unknown` for sessions that name none. */
  unpriced: string[];
  /** What is not in `cost` because no price of it is known. */
  withoutPrice: WithoutPrice[];
  /** Number of answers whose usage can't be: no counts, or more than the model takes. It is left out, and estimated like that of others without. */
  impossible: number;
  /** Absent if no usage is recorded. */
  cache?: CacheData;
  /** Lines or entries that the readers did not know. */
  unknown: number;
}

/** Requests, or calls of the provider's own tools, without a known price. */
export interface WithoutPrice {
  /** A model, or `unknown`; a model and its tier; a tool. */
  name: string;
  kind: 'model' | 'tier' | 'tool';
  requests: number;
  /** Input tokens and output tokens of these requests; 0 of a tool, whose requests have a price. */
  tokens: number;
  output: number;
  /** Calls of a tool. */
  calls: number;
}

export interface Spend {
  by: 'day' | 'project' | 'model' | 'agent';
  /** The last day first, the others with the most expensive first; at most 100, the last of which may stand for the others. */
  rows: SpendRow[];
}

export interface SpendRow {
  /** `2026-11-27` in the zone of the machine, folder, model, or agent. Empty if it is not known; `…` for rows beyond the maximum. */
  name: string;
  requests: number;
  /** Input tokens of the requests, and those of them that were read from the cache. */
  tokens: number;
  read: number;
  /** Of requests with a known price. Absent if there are none. */
  cost?: number;
}

export interface CurvePoint {
  limit: number;
  /** Input tokens of all requests. */
  tokens: number;
  /** Of requests with a known price. Absent if there are none. */
  cost?: number;
  /** As in {@link Totals}. */
  kept?: number;
}

/** Something that costs and can be mended. */
export interface Finding {
  /**
   * `reads`: copies of a file that a later read or edit had made stale; `commands`: outputs of a command that was run again; `failures`: outputs of
   * calls that failed before they worked; `carried`: a large result after its first request; `breaks`: what had to be sent anew since it was not in
   * the cache; `beside`: instructions and tools.
   */
  kind: 'reads' | 'commands' | 'failures' | 'carried' | 'breaks' | 'beside';
  /** The file or what was called; of `breaks` a `CacheMissCause` of the library, of `beside` an agent. */
  subject: string;
  /** Whether that is a path. */
  isFile?: true;
  tool?: string;
  /** Reads, runs, failures, requests that carried a result, breaks, or requests. */
  count: number;
  /** Number of sessions. */
  sessions: number;
  /** Tokens that were sent for it, in all requests. */
  tokens: number;
  /** Their cost; of `breaks`, what they cost above a read from the cache. Absent if no price is known. */
  cost?: number;
  /** Tokens of a result, or of instructions and tools in a request. */
  each?: number;
  /** MCP servers whose tools were called. */
  servers?: string[];
  /** Up to 20, in sessions whose messages are in the report: indexes of the session and of the message. */
  places: [session: number, message: number][];
}

/**
 * What providers' caches did for the requests whose usage is recorded, as they were sent. `read`, `new`, `tail` and the tokens of `missed` add up to
 * `input`. Of transcripts, what changed is inferred from where the cache stopped: `front` for instructions and tools, `messages` behind them. Of what
 * went through the proxy, its sessions know it.
 */
export interface CacheData {
  /** Number of these requests. */
  requests: number;
  /** Tokens of them, and of these: read from the cache; new since the request before; left out by caches, up to a tenth or their minimum. */
  input: number;
  read: number;
  new: number;
  tail: number;
  /** By cause, of those that there were: how often it missed, tokens, and what they cost above a read. Without a known price no cost. */
  missed: Partial<Record<CacheMissCause, { requests: number; tokens: number; cost?: number }>>;
  /** Of all misses with a known price. Absent if there are none. */
  cost?: number;
  /** The causes in a line: `29 idle, 9 the list of tools changed, 3 cuts`. Empty if nothing was missed. */
  summary: string;
}

/** What a request missed. */
export interface MissData {
  cause: CacheMissCause;
  tokens: number;
  /** Above a read from the cache. Absent without a known price. */
  cost?: number;
}

export interface Where {
  by: 'tool' | 'file' | 'kind' | 'server';
  /** The most expensive ones first, then those with the most tokens sent; at most 200, the last of which may stand for the others. */
  rows: WhereRow[];
}

export interface WhereRow {
  /**
   * Tool, path, MCP server, or {@link Kind}. What has no tool, file or server is in the row with the empty name, rows beyond the maximum in `…`; what
   * is sent beside the messages is of the kind `instructions and tools`, what stands in place of what was cut of the kind `marks`, and what was paid
   * for answers that are not in the conversation of the kind `other answers`.
   */
  name: string;
  /** Tokens of the contents, each counted once. */
  tokens: number;
  /** Tokens that were sent, in all requests: the provider's. */
  sent: number;
  /** Their cost, and that of replies. Of requests with a known price; absent if there are none. */
  cost?: number;
  /** Number of messages that contribute. */
  count: number;
  /** Up to 50 of them with the most tokens sent, in sessions whose messages are in the report: indexes of the session and of the message. */
  messages: [session: number, message: number][];
}

export type Kind =
  | 'stale reads'
  | 'repeated commands'
  | 'failed commands'
  | 'large outputs'
  | 'other results'
  | 'thinking'
  | 'user'
  | 'instructions'
  | 'model';

export interface SessionData {
  id: string;
  agent: Agent;
  title: string;
  file: string;
  cwd?: string;
  model?: string;
  started?: number | undefined;
  ended?: number | undefined;
  format: MessageFormat;
  /**
   * Number of requests and messages; `requests` and `messages` below may have fewer. Of requests that are in several sessions, each counts in one;
   * those of branches that were given up and for summaries count, and are not in `requests`.
   */
  count: { requests: number; messages: number; epochs: number };
  /** Input tokens of all requests as they were sent, and with a session. */
  tokens: number;
  sent: number;
  /** Tokens of the contents of its messages, each counted once. */
  content: number;
  /** Whether `tokens` are the provider's, counted with the model's own tokenizer, or estimated with another's. */
  counted: 'recorded' | 'exact' | 'estimate';
  /** Tokenizer of all counts that were not recorded. */
  tokenizer: 'o200k_base' | 'cl100k_base';
  cost?: number;
  costWithSession?: number;
  kept?: number;
  /** Number of requests at which `kept` was measured. */
  measured: number;
  /** In order. Of a long session or of many sessions, a selection: the first, the last, and epochs as far as there is room. */
  requests: RequestData[];
  /** What the last request was made of, where a session fitted it on its way. */
  context?: SessionContext;
  /** Number of the first request of which the session still knows what it had: see {@link GoneData}. Absent if it knows none. */
  known?: number;
  /** In order, all or none: beyond the size of the report, the sessions with the fewest tokens have none. */
  messages?: MessageData[];
  skipped: number;
  notes: string[];
}

export interface RequestData {
  /** Index of the request in the session. */
  index: number;
  /** Number of messages up to its end. */
  messages: number;
  time?: number;
  /** Input tokens as it was sent. */
  tokens: number;
  /** Of these, read from the cache: recorded or estimated. */
  read: number;
  /** Input tokens with a session. */
  sent: number;
  /** Of these, read from the cache. */
  cached: number;
  /** Why a session would have begun an epoch here. Absent if it would not. */
  epoch?: 'limit' | 'turn' | 'early' | 'cold';
  /** Whether the agent compacted its history before this request. */
  compacted?: true;
  /** As it was sent, and with a session. Absent without a known price. */
  cost?: number;
  costWithSession?: number;
  /** Tokens of what was sent that came since the request before. Absent if nobody recorded what it read. */
  new?: number;
  /** Tokens that the cache could have had. What is left of all tokens is the `tail` of {@link CacheData}. Absent if there are none. */
  missed?: MissData[];
  usage?: Usage;
}

export interface MessageData {
  role: 'user' | 'assistant' | 'system' | 'tool';
  /** The kind with most of its tokens. */
  kind: Kind;
  tool?: string;
  file?: string;
  tokens: number;
  /** Its cost in all requests and as a reply. Absent without a known price. */
  cost?: number;
  parts: PartData[];
  /** What the last request with a session had of it. */
  fate: 'kept' | 'cut' | 'gone';
  /** Whether the agent's own compaction had removed it from the last request. */
  compacted?: true;
  /** What was left of a message that was cut. */
  after?: string;
  /** Why. Absent where that is not known, and if there is no room for it. */
  gone?: GoneData;
}

/** Why the last request with a session does not have a message as it is. Numbers of requests are their `index` and 1. */
export interface GoneData {
  /**
   * As `WhyGone` of the library; `compacted`: the agent's own compaction removed it; `whole`: all of it was sent, and something beside it, such as a
   * mark of what went there.
   */
  how: WhyGone['how'] | 'compacted' | 'whole';
  /** The requests that had all of it, in ranges of the first and the last one. */
  had: [first: number, last: number][];
  /** The first request without it. Absent where that is not known. */
  request?: number;
  /** Why all was chosen anew for that. Absent where it was not. */
  epoch?: WhyGone['epoch'];
  /** What superseded it. Absent where it went for its tokens. */
  because?: string;
  /** What took its place; or the message whose `mark` is the same. */
  mark?: string;
  markOf?: number;
  /** What would bring it back: kinds, and of `keep` the option. */
  back: (WhyBack['by'] | string)[];
}

export interface PartData {
  /** Long texts are cut; `chars` is then their length. */
  text: string;
  chars?: number;
  label: 'text' | 'thinking' | 'call' | 'result' | 'media' | 'other';
  kind: Kind;
  tool?: string;
}

/** What went through the proxy. `before` and `after`: tokens of the requests that a session chose. */
export interface ProxyTotals {
  requests: number;
  fitted: number;
  before: number;
  after: number;
  failures: number;
}

/** A request that went through. */
export interface LogEntry {
  id: number;
  /** ms since 1970 */
  time: number;
  api: string;
  model?: string;
  /** tokens of the request as it came; in the provider's tokens as soon as the session observed usage, as are the next two */
  before?: number;
  /** tokens of what was sent */
  after?: number;
  /** tokens of its start that the last request began with, too */
  reused?: number;
  /** why the messages were chosen anew */
  epoch?: string;
  /** why the cache missed, and how many tokens: 45,000 idle */
  missed?: { cause: CacheMissCause; tokens: number }[];
  /** why it went through as it came */
  passed?: string;
  /** of the answer */
  status?: number | undefined;
  /** tokens of the answer */
  output?: number | undefined;
  /** until the answer's end */
  ms?: number;
  /** `whole`, `aborted` by the client, or `failed` */
  ended?: string;
}

/** What the page of the proxy says about its report. */
export interface ReportState {
  /** number of requests that went into it since the start */
  version: number;
  /** number of conversations that had to go */
  gone: number;
  /** number of requests that it had no room for */
  missed: number;
  /** number of times that it began anew */
  failures: number;
}

/** What the page of the proxy is told. */
export interface News {
  totals?: ProxyTotals;
  records?: LogEntry[];
  report?: ReportState | undefined;
  shadow?: ShadowReport | undefined;
  /** why cut requests can't be compared */
  leftOut?: string | undefined;
  /** why conversations went out uncut, and how many requests of them */
  uncut?: [reason: string, requests: number][];
}
