// One request through the proxy.
import { apiOf, modelIn, providerOf } from './apis.mjs';
import { readBody, Room, sendingOn } from './body.mjs';
import { isUncut, REMEDIES } from './fitting.mjs';
import { passOn } from './upstream.mjs';
import { readUsage } from './usage.mjs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SessionStep } from 'palimpsest';
import type { Api } from './apis.mjs';
import type { Fitted, Fitting } from './fitting.mjs';
import type { LogEntry } from '../types.mjs';
import type { Log } from './log.mjs';
import type { Outgoing, Upstream } from './upstream.mjs';
import type { Reporting } from './reporting.mjs';
import type { Sampled, Shadowing } from './shadowing.mjs';

/** A request as it goes out. */
interface Prepared {
  outgoing: Outgoing;
  /** room that the body takes until it was sent */
  taken: number;
  /** its id in the report */
  reported?: number | undefined;
  observe?: Fitted['observe'] | undefined;
  /** its shadow requests */
  sampled?: Sampled | undefined;
}

/** Maximum number of different warnings. */
const MAX_TOLD = 20;

/** Passes requests on, with the messages of their sessions. */
export class Handler {
  #options;
  #room;
  /** What was told once. */
  #told: Set<string> = new Set();

  constructor(options: {
    /** by provider; `any` takes all */
    upstreams: Record<string, Upstream | undefined>;
    fitting: Fitting;
    log: Log;
    reporting: Reporting;
    shadowing?: Shadowing | undefined;
    /** tokens of a request */
    limit: number;
    /** whether requests go out as they came, and what would be cut is only measured */
    isDry: boolean;
    maxBody: number;
    maxBuffered: number;
    onWarning: (text: string) => void;
  }) {
    this.#options = options;
    this.#room = new Room(options.maxBuffered);
  }

  /** @param url path and query, without the proxy's token */
  async handle(request: IncomingMessage, response: ServerResponse, url: string) {
    const started = performance.now();
    const [path] = url.split('?');
    const { upstreams, log, reporting } = this.#options;
    const upstream = upstreams.any ?? upstreams[providerOf(path, request.headers) ?? ''];
    if (upstream === undefined) return void fail(response, 404, 'no provider is known for this path: name one with --upstream URL');
    const api = apiOf(request.method ?? '', path);
    const record: Omit<LogEntry, 'id'> = { time: Date.now(), api: api === undefined ? 'other' : api.counts ? 'count_tokens' : api.format };
    const gone = new AbortController();
    response.on('close', () => response.writableFinished || gone.abort());
    let taken = 0;
    let sampled: Sampled | undefined;
    let reported: number | undefined;
    const release = () => {
      this.#room.give(taken);
      taken = 0;
    };
    try {
      const prepared = await this.#prepare(request, url, api, upstream, record);
      const { outgoing, observe } = prepared;
      ({ taken, reported, sampled } = prepared);
      const answer = await upstream.send(outgoing, gone.signal);
      release();
      record.status = answer.statusCode;
      const isAnswered = answer.statusCode === 200;
      if (!isAnswered) reporting.refuse(reported);
      const reader = readUsage(answer.headers, (usage) => {
        record.output = usage.output;
        if (!isAnswered) return;
        const cache = api?.counts ? undefined : observe?.(usage.usage, usage.diagnostics);
        if (cache !== undefined && cache.missed.length > 0) record.missed = cache.missed.map(({ cause, tokens }) => ({ cause, tokens }));
        reporting.answer(reported, usage, cache);
      });
      const copies = [reader, ...(sampled && isAnswered ? [sampled.watch(answer)] : [])];
      try {
        await passOn(answer, response, (chunk) => copies.forEach((copy) => copy.write(chunk)));
      } finally {
        for (const copy of copies) copy.end();
      }
      record.ended = 'whole';
    } catch (error) {
      record.ended = gone.signal.aborted ? 'aborted' : 'failed';
      if (!response.headersSent) {
        record.status = 502;
        reporting.refuse(reported);
        fail(response, 502, `the upstream did not answer (${codeOf(error)})`);
      } else response.destroy();
    }
    release();
    void sampled?.finish(record.status === 200 && record.ended === 'whole');
    record.ms = performance.now() - started;
    if (api !== undefined) log.add(record);
  }

  async #prepare(
    request: IncomingMessage,
    url: string,
    api: Api | undefined,
    upstream: Upstream,
    record: Omit<LogEntry, 'id'>,
  ): Promise<Prepared> {
    const { fitting, reporting, shadowing, limit, maxBody, isDry } = this.#options;
    const outgoing = { method: request.method ?? 'GET', url, rawHeaders: request.rawHeaders };
    if (api === undefined) return { outgoing: streamed(outgoing, Buffer.alloc(0), request), taken: 0 };
    const { bytes, isWhole, taken } = await readBody(request, maxBody, this.#room);
    if (!isWhole) {
      record.passed = 'the body is too large to be read';
      this.#warnOf({ passed: record.passed }, Number.POSITIVE_INFINITY, limit);
      return { outgoing: streamed(outgoing, bytes, request), taken };
    }
    const fitted = await fitting.fit(api, request.headers, bytes);
    const { body, passed, step, observe } = fitted;
    const model = fitted.model ?? modelIn(url.split('?')[0]);
    this.#warnOf(fitted, bytes.length, limit);
    Object.assign(record, { passed, model, ...(step !== undefined && figuresOf(step)) });
    const reported = api.counts ? undefined : reporting.add({ ...fitted, model }, api.format, record.time);
    if (isDry) return { outgoing: { ...outgoing, body: bytes }, taken, reported };
    const sent = { ...outgoing, body };
    if (step === undefined || body === bytes || api.counts) return { outgoing: sent, taken, reported, observe };
    if (shadowing && fitted.effect) this.#warnOfShadow(fitted.effect);
    const whole = { body: bytes, tokens: step.tokens.before, maxOutputTokens: fitted.maxOutputTokens };
    return { outgoing: sent, taken, reported, observe, sampled: shadowing?.sample(api.format, whole, upstream, sent) };
  }

  /** Tells of a conversation that goes out uncut: each time on the page, and of each reason once elsewhere. */
  #warnOf(fitted: Omit<Fitted, 'body'>, bytes: number, limit: number) {
    const { passed = '' } = fitted;
    if (!isUncut(fitted, bytes, limit)) return;
    const remedy = Object.hasOwn(REMEDIES, passed) ? `; ${REMEDIES[passed]}` : '';
    this.#options.log.tellUncut(`${passed}${remedy}`);
    this.#warn(passed, `a conversation goes out uncut: ${passed}${remedy}. The proxy's page counts them`);
  }

  /** Tells at once why nothing is compared, whatever share is sampled. */
  #warnOfShadow(effect: string) {
    this.#options.log.tellLeftOut(effect);
    this.#warn(effect, `a cut request can't be compared, because ${effect}: to compare, switch that off in the agent`);
  }

  #warn(about: string, text: string) {
    if (this.#told.has(about) || this.#told.size >= MAX_TOLD) return;
    this.#told.add(about);
    this.#options.onWarning(text);
  }
}

const figuresOf = ({ tokens: { before, after }, report: { reusedTokens }, epoch }: SessionStep<object>) => ({
  before,
  after,
  reused: reusedTokens,
  ...(epoch !== undefined && { epoch: epoch.reason }),
});

/** @param head what was read of the body */
function streamed(outgoing: Outgoing, head: Buffer, request: IncomingMessage): Outgoing {
  const { headers } = request;
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  if (!hasBody) return { ...outgoing, body: Buffer.alloc(0) };
  // The length of what passes is the one that was declared; without one it goes out in chunks, too.
  return { ...outgoing, write: sendingOn(head, request), isChunked: headers['transfer-encoding'] !== undefined };
}

function codeOf(error: unknown) {
  const { code, name } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  return code ?? name ?? 'unknown';
}

function fail(response: ServerResponse, status: number, message: string) {
  const body = JSON.stringify({ type: 'error', error: { type: 'api_error', message: `palimpsest proxy: ${message}` } });
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body);
}
