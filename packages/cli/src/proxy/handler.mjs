// @ts-check
// One request through the proxy.
import { apiOf, modelIn, providerOf } from './apis.mjs';
import { readBody, Room, sendingOn } from './body.mjs';
import { passOn } from './upstream.mjs';
import { readUsage } from './usage.mjs';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */

/** Passes requests on, with the messages of their sessions. */
export class Handler {
  #options;
  #room;
  #hasWarned = false;

  /**
   * @param {object} options
   * @param {Record<string, import('./upstream.mjs').Upstream | undefined>} options.upstreams by provider; `any` takes all
   * @param {import('./fitting.mjs').Fitting} options.fitting
   * @param {import('./log.mjs').Log} options.log
   * @param {import('./reporting.mjs').Reporting} options.reporting
   * @param {import('./shadowing.mjs').Shadowing} [options.shadowing]
   * @param {boolean} options.isDry whether requests go out as they came, and what would be cut is only measured
   * @param {number} options.maxBody
   * @param {number} options.maxBuffered
   * @param {(text: string) => void} options.onWarning
   */
  constructor(options) {
    this.#options = options;
    this.#room = new Room(options.maxBuffered);
  }

  /**
   * @param {IncomingMessage} request
   * @param {ServerResponse} response
   * @param {string} url path and query, without the proxy's token
   */
  async handle(request, response, url) {
    const started = performance.now();
    const [path] = url.split('?');
    const { upstreams, log, reporting } = this.#options;
    const upstream = upstreams.any ?? upstreams[providerOf(path, request.headers) ?? ''];
    if (upstream === undefined) return void fail(response, 404, 'no provider is known for this path: name one with --upstream URL');
    const api = apiOf(request.method ?? '', path);
    /** @type {Omit<import('./log.mjs').Record, 'id'>} */
    const record = { time: Date.now(), api: api === undefined ? 'other' : api.counts ? 'count_tokens' : api.format };
    const gone = new AbortController();
    response.on('close', () => response.writableFinished || gone.abort());
    let taken = 0;
    /** @type {import('./shadowing.mjs').Sampled | undefined} */
    let sampled;
    /** @type {number | undefined} */
    let reported;
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
        if (!api?.counts) observe?.(usage.usage);
        reporting.answer(reported, usage);
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

  /**
   * @param {IncomingMessage} request
   * @param {string} url
   * @param {import('./apis.mjs').Api | undefined} api
   * @param {import('./upstream.mjs').Upstream} upstream
   * @param {Omit<import('./log.mjs').Record, 'id'>} record
   * @returns {Promise<{ outgoing: import('./upstream.mjs').Outgoing, taken: number, reported?: number,
   *   observe?: (usage: object | undefined) => void, sampled?: import('./shadowing.mjs').Sampled }>} `taken`: room that the body takes until it
   *   was sent; `reported`: its id in the report; `sampled`: its shadow requests
   */
  async #prepare(request, url, api, upstream, record) {
    const { fitting, reporting, shadowing, maxBody, isDry } = this.#options;
    const outgoing = { method: request.method ?? 'GET', url, rawHeaders: request.rawHeaders };
    if (api === undefined) return { outgoing: streamed(outgoing, Buffer.alloc(0), request), taken: 0 };
    const { bytes, isWhole, taken } = await readBody(request, maxBody, this.#room);
    if (!isWhole) {
      record.passed = 'the body is too large to be read';
      return { outgoing: streamed(outgoing, bytes, request), taken };
    }
    const fitted = await fitting.fit(api, request.headers, bytes);
    const { body, passed, isFailure, step, observe } = fitted;
    const model = fitted.model ?? modelIn(url.split('?')[0]);
    if (isFailure) this.#warn(passed);
    Object.assign(record, { passed, model, ...(step !== undefined && figuresOf(step)) });
    const reported = api.counts ? undefined : reporting.add({ ...fitted, model }, api.format, record.time);
    if (isDry) return { outgoing: { ...outgoing, body: bytes }, taken, reported };
    const sent = { ...outgoing, body };
    if (step === undefined || body === bytes || api.counts) return { outgoing: sent, taken, reported, observe };
    const whole = { body: bytes, tokens: step.tokens.before, maxOutputTokens: fitted.maxOutputTokens };
    return { outgoing: sent, taken, reported, observe, sampled: shadowing?.sample(api.format, whole, upstream, sent) };
  }

  /** @param {string | undefined} reason */
  #warn(reason) {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#options.onWarning(`a request went through as it came: ${reason}; later ones are on the proxy's page only`);
  }
}

/** @param {import('palimpsest').SessionStep<object>} step */
const figuresOf = ({ tokens: { before, after }, report: { reusedTokens }, epoch }) => ({
  before,
  after,
  reused: reusedTokens,
  ...(epoch !== undefined && { epoch: epoch.reason }),
});

/**
 * @param {import('./upstream.mjs').Outgoing} outgoing
 * @param {Buffer} head what was read of the body
 * @param {IncomingMessage} request
 * @returns {import('./upstream.mjs').Outgoing}
 */
function streamed(outgoing, head, request) {
  const { headers } = request;
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  if (!hasBody) return { ...outgoing, body: Buffer.alloc(0) };
  // The length of what passes is the one that was declared; without one it goes out in chunks, too.
  return { ...outgoing, write: sendingOn(head, request), isChunked: headers['transfer-encoding'] !== undefined };
}

/** @param {unknown} error */
const codeOf = (error) => /** @type {any} */ (error)?.code ?? /** @type {any} */ (error)?.name ?? 'unknown';

/** @param {ServerResponse} response @param {number} status @param {string} message */
function fail(response, status, message) {
  const body = JSON.stringify({ type: 'error', error: { type: 'api_error', message: `palimpsest proxy: ${message}` } });
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body);
}
