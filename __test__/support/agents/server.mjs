// One server for all providers: HTTP, faults, records. What a provider says is in its own file.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../listen.mjs';
import { Refusal, refuse } from '../providers/refusal.mjs';
import { AnthropicProvider } from './anthropic.mjs';
import { Conversations, nameOf } from './conversations.mjs';
import { GeminiProvider } from './gemini.mjs';
import { OpenAIChatProvider } from './openai-chat.mjs';
import { OpenAIResponsesProvider } from './openai-responses.mjs';
import { readAnswer } from './script.mjs';
import { writeEvents } from './sse.mjs';
import { sumTokens } from './tokens.mjs';

const PROVIDERS = [AnthropicProvider, OpenAIChatProvider, OpenAIResponsesProvider, GeminiProvider];
const CACHES = {
  anthropic: {},
  openai: { minimum: 1024, step: 128, ttl: 600_000 },
  gemini: { minimum: 4096, step: 1, ttl: 3_600_000 },
};

class Server {
  requests = [];
  #script;
  #options;
  #cache;
  #providers;
  #conversations;

  constructor(script, { cache = {}, ...options }) {
    this.#script = Array.isArray(script) ? ({ step }) => script[step] : script;
    this.#options = { now: Date.now, pause: 0, ...options };
    this.#cache = Object.fromEntries(Object.entries(CACHES).map(([name, rules]) => [name, { ...rules, ...cache[name] }]));
    this.reset();
  }

  reset() {
    this.requests.length = 0;
    this.#conversations = new Conversations();
    this.#providers = PROVIDERS.map((Provider) => [Provider, new Provider({ ...this.#options, cache: this.#cache })]);
  }

  sum({ conversation } = {}) {
    const mine = this.requests.filter((one) => conversation === undefined || one.conversation === conversation);
    const answered = mine.filter(({ status, counts }) => status === 200 && !counts);
    const total = (key) => answered.reduce((sum, one) => sum + one[key], 0);
    const sent = total('tokens');
    return {
      requests: mine.length,
      refused: mine.filter(({ status }) => status >= 400).length,
      aborted: mine.filter(({ aborted }) => aborted).length,
      sent,
      cached: total('cached'),
      written: total('written'),
      output: total('output'),
      dropped: total('dropped'),
      cachedShare: sent === 0 ? 0 : total('cached') / sent,
    };
  }

  async handle(incoming, response) {
    const { pathname: path } = new URL(incoming.url, 'http://loopback');
    const [, provider] = this.#providers.find(([Provider]) => Provider.matches(path)) ?? [];
    if (!provider || incoming.method !== 'POST') return void response.writeHead(404).end(`no route ${incoming.method} ${path}`);
    let json = '';
    for await (const chunk of incoming.setEncoding('utf8')) json += chunk;
    const { headers } = incoming;
    const record = { provider: provider.name, path, headers, tokens: 0, cached: 0, written: 0, output: 0, dropped: 0, aborted: false };
    const number = this.requests.push(record) - 1;
    try {
      await this.#answer({ provider, record, number, json, path, headers }, response);
    } catch (error) {
      if (response.headersSent) return void response.destroy(error);
      record.status = error instanceof Refusal ? (error.status ?? 400) : 500;
      record.error = error instanceof Refusal ? error.message : String(error.stack);
      this.#send(response, record.status, provider.error(record.status, { ...error, message: record.error }));
    }
  }

  async #answer({ provider, record, number, json, path, headers }, response) {
    const now = this.#options.now();
    try {
      record.body = JSON.parse(json);
    } catch {
      refuse('We could not parse the JSON body of your request.');
    }
    const request = provider.open(record.body, { path, headers, now });
    const conversation = nameOf({ headers, request: request.body, provider: provider.name, json }, this.#options.conversationOf);
    const state = this.#conversations.get(conversation);
    Object.assign(record, { conversation, step: state.step, stream: request.stream, counts: request.counts === true });
    const turn = { step: state.step, conversation, provider: provider.name, request: request.body };
    const fault = this.#options.faults?.(turn, number);
    if (fault?.status) {
      record.status = fault.status;
      record.error = fault.message ?? 'a fault of the test';
      return this.#send(response, fault.status, provider.error(fault.status, { message: record.error }), { 'retry-after-ms': '1' });
    }
    provider.check(request);
    record.tokens = this.#options.tokensOf?.(request.body) ?? sumTokens(request.pieces);
    record.dropped = request.dropped ?? 0;
    const { window } = this.#options;
    if (record.tokens + request.maxTokens > window) provider.tooLong({ tokens: record.tokens, window });
    if (request.counts) {
      record.status = 200;
      return this.#send(response, 200, provider.count(record.tokens));
    }

    const answer = readAnswer(await this.#script({ ...turn, tools: [...request.tools] }), request);
    const use = provider.use(request, now);
    const begun = state.begun++;
    const id = this.#options.idOf?.(begun) ?? `${conversation.replace(/[^\w-]/g, '-')}_${begun}`;
    const body = provider.answer(request, answer, id, { tokens: record.tokens, ...use }, now);
    Object.assign(record, { status: 200, cached: use.cached, written: use.written, output: provider.outputOf(body) });
    const done = () => state.step++;
    if (request.stream) await this.#stream(response, provider.events(body, request), record, fault?.cut, done);
    else await this.#whole(response, body, record, fault?.cut, done);
  }

  async #stream(response, events, record, cut, done) {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': 'req_loopback' });
    if (await writeEvents(response, events, this.#options.pause, cut)) done(response.end());
    else record.aborted = true;
  }

  async #whole(response, body, record, cut, done) {
    if (this.#options.pause > 0) await sleep(this.#options.pause);
    record.aborted = response.destroyed || cut !== undefined;
    if (response.destroyed) return;
    if (cut === undefined) return void done(this.#send(response, 200, body));
    response.writeHead(200, { 'content-type': 'application/json' }).write(JSON.stringify(body).slice(0, cut));
    await sleep(5); // so that what was written arrives
    response.destroy();
  }

  #send(response, status, body, headers) {
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_loopback', ...headers }).end(JSON.stringify(body));
  }
}

/** Starts the providers on a free port of 127.0.0.1; README.md describes script, options and what it gives. */
export async function startProvider(script, options = {}) {
  const state = new Server(script, options);
  const server = createServer((request, response) => {
    state.handle(request, response).catch((error) => response.destroy(error));
  });
  return {
    url: await listen(server),
    requests: state.requests,
    sum: (of) => state.sum(of),
    reset: () => state.reset(),
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
