import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { checkOwnOptions } from '../options/index.js';
import { instrument as OPTIONS } from '../options/telemetry.js';
import { checkPeers } from './peer.js';
import { OPENTELEMETRY } from './peers.js';
import type { Attributes, Context, Meter, Span, Tracer } from '@opentelemetry/api';
import type { CostEvent, SessionEvent, SessionRequestEvent, SessionUsageEvent } from '../../index.js';

checkPeers('opentelemetry', OPENTELEMETRY);

/** Options of {@link instrument}. `undefined` and `null` mean the default. */
export interface InstrumentOptions {
  /** Starts the spans. Default: the tracer `palimpsest` of the process. */
  tracer?: Tracer | null | undefined;
  /** Makes the metrics. Default: the meter `palimpsest` of the process. */
  meter?: Meter | null | undefined;
  /**
   * Names of the tags that metrics have as well, as `palimpsest.tag.<name>`. Each value makes a time series of its own, so name none with many values,
   * such as a user. Spans have all tags. Default none.
   */
  metricTags?: readonly string[] | null | undefined;
}

/** Providers as the conventions name them, by the format of their messages. Formats of SDKs go to any provider. */
const PROVIDERS: Partial<Record<string, string>> = {
  anthropic: 'anthropic',
  gemini: 'gcp.gemini',
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  'openai-agents': 'openai',
};

// Bucket boundaries as the conventions prescribe them, of tokens and of seconds.
const POWERS_OF_4 = Array.from({ length: 14 }, (_, power) => 4 ** power);
const DOUBLED = Array.from({ length: 14 }, (_, power) => 2 ** power / 100);

/** `SpanKind.CLIENT`: the enum is a value of the SDK's, which is loaded later. */
const CLIENT = 2;

/** Maximum number of requests that wait for their usage, so that memory stays bounded. */
const MOST_WAITING = 1000;

/** An event that is recorded once the step is over, so that the step does not wait. */
interface Heard<Event = SessionEvent> {
  event: Event;
  /** what was active when it was published */
  parent: Context;
  /** in ms since the epoch, and by a clock that nobody sets */
  time: number;
  at: number;
}

/** A request whose usage was not observed yet, and when it was chosen. */
type Waiting = Pick<Heard, 'time' | 'at'> & { span: Span };

/**
 * Records what all sessions of this process do, as OpenTelemetry has it, until the function that it returns is called: a span for each
 * request, and metrics. Names are those of the GenAI conventions, and `palimpsest.*` for what they don't have. Nothing has content of messages. Start
 * your OpenTelemetry SDK first.
 *
 * A span is the child of the one that is active when a session chooses the request, and ends when its usage is observed. That of a request without usage
 * has no duration. Both are recorded once the step is over, in the next turn of the event loop.
 *
 * @example
 * import { instrument } from 'palimpsest/opentelemetry';
 *
 * const stop = instrument({ metricTags: ['feature'] });
 *
 * @returns stops it, and ends the spans that are open
 * @throws {TypeError} an option is wrong; the error names it
 */
export function instrument(options?: InstrumentOptions | null): () => void {
  const given: InstrumentOptions = checkOwnOptions('instrument()', OPTIONS, options);
  const api = require('@opentelemetry/api') as typeof import('@opentelemetry/api');
  const tags = [...(given.metricTags ?? OPTIONS.metricTags.default)];
  const spans = new Spans(given.tracer ?? api.trace.getTracer(NAME));
  const record = recorder(given.meter ?? api.metrics.getMeter(NAME), tags);
  const heard: Heard[] = [];
  const work = () => {
    for (const one of heard.splice(0)) record(one.event, spans.take(one));
  };
  const hear = (message: unknown) => {
    heard.push({ event: message as SessionEvent, parent: api.context.active(), time: Date.now(), at: performance.now() });
    if (heard.length === 1) setImmediate(work);
    // A program that never yields to the event loop must not fill the memory.
    if (heard.length >= MOST_WAITING) work();
  };
  subscribe(CHANNEL, hear);
  return () => {
    unsubscribe(CHANNEL, hear);
    work();
    spans.end();
  };
}

const NAME = 'palimpsest';
const CHANNEL = 'palimpsest:session';

/** What spans and metrics of the conventions have in common. */
const common = ({ format, model }: Pick<SessionEvent, 'format' | 'model'>): Attributes => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': PROVIDERS[format ?? ''] ?? '_OTHER',
  ...(model === undefined ? {} : { 'gen_ai.request.model': model }),
});

const tagged = (tags: Iterable<readonly [string, string]>): Attributes =>
  Object.fromEntries(Array.from(tags, ([name, value]) => [`palimpsest.tag.${name}`, value]));

/** The spans of requests, from their choice to their usage. */
class Spans {
  readonly #tracer;
  /** By session: one has one request at a time. */
  readonly #waiting: Map<number, Waiting> = new Map();

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  /** @returns the seconds that the answer took which an event tells of; undefined if it tells of none */
  take({ event, ...when }: Heard): number | undefined {
    if (event.type === 'request') this.#begin({ event, ...when });
    return event.type === 'usage' ? this.#answered({ event, ...when }) : undefined;
  }

  /** Ends all spans: nobody is going to tell of their usage. */
  end() {
    for (const session of this.#waiting.keys()) this.#drop(session);
  }

  #begin({ event, parent, time, at }: Heard<SessionRequestEvent>) {
    this.#drop(event.session);
    const { model, id, tags = {}, tokens, report, epoch, cost } = event;
    const attributes = {
      ...common(event),
      ...(id === undefined ? {} : { 'gen_ai.conversation.id': id }),
      ...tagged(Object.entries(tags)),
      'palimpsest.session': event.session,
      'palimpsest.fits': event.fits,
      'palimpsest.tokens.before': tokens.before,
      'palimpsest.tokens.after': tokens.after,
      'palimpsest.tokens.limit': tokens.limit,
      'palimpsest.messages.before': report.messages.before,
      'palimpsest.messages.after': report.messages.after,
      'palimpsest.cache.readable_tokens': event.cachedTokens,
      'palimpsest.cost.session': cost.session,
      'palimpsest.cost.uncut': cost.uncut,
      'palimpsest.cost.trimmed': cost.trimmed,
      ...(epoch && { 'palimpsest.epoch.number': epoch.number, 'palimpsest.epoch.reason': epoch.reason }),
    };
    const name = model === undefined ? 'chat' : `chat ${model}`;
    const span = this.#tracer.startSpan(name, { kind: CLIENT, startTime: time, attributes }, parent);
    this.#waiting.set(event.session, { span, time, at });
    if (this.#waiting.size > MOST_WAITING) this.#drop(this.#waiting.keys().next().value as number);
  }

  #answered({ event: { session, tokens, paid, cache }, time, at }: Heard<SessionUsageEvent>) {
    const waiting = this.#waiting.get(session);
    if (waiting === undefined) return undefined;
    this.#waiting.delete(session);
    const { span } = waiting;
    span.setAttributes({
      'gen_ai.usage.input_tokens': tokens.input,
      ...(tokens.output === undefined ? {} : { 'gen_ai.usage.output_tokens': tokens.output }),
      ...(tokens.cached === undefined ? {} : { 'gen_ai.usage.cache_read.input_tokens': tokens.cached }),
      ...(paid === undefined ? {} : { 'palimpsest.paid': paid }),
      ...Object.fromEntries((cache?.missed ?? []).map((miss) => [`palimpsest.cache.missed.${miss.cause}`, miss.tokens])),
    });
    span.end(Math.max(waiting.time, time));
    return (at - waiting.at) / 1000;
  }

  /** Ends the span of a request whose usage nobody told. */
  #drop(session: number) {
    const waiting = this.#waiting.get(session);
    waiting?.span.end(waiting.time);
    this.#waiting.delete(session);
  }
}

/** Returns a function that adds an event to the metrics. */
function recorder(meter: Meter, metricTags: readonly string[]) {
  const histogram = (name: string, unit: string, description: string, explicitBucketBoundaries = POWERS_OF_4) =>
    meter.createHistogram(name, { description, unit, advice: { explicitBucketBoundaries } });
  const counter = (name: string, unit: string, description: string) => meter.createCounter(name, { description, unit });
  const used = histogram('gen_ai.client.token.usage', '{token}', 'Tokens that the provider counted');
  const took = histogram('gen_ai.client.operation.duration', 's', 'Time from the choice of a request to its usage', DOUBLED);
  const sent = histogram('palimpsest.request.tokens', '{token}', 'Tokens of a request as it is sent');
  const cut = counter('palimpsest.cut.tokens', '{token}', 'Tokens of the history that were not sent');
  const cost = counter('palimpsest.request.cost', '{token}', 'Cost of the input, in tokens at the price of uncached input');
  const epochs = counter('palimpsest.epochs', '{epoch}', 'Requests for which the session chose anew');
  const misfits = counter('palimpsest.misfits', '{request}', 'Requests above the limit');
  const read = counter('palimpsest.cache.read.tokens', '{token}', 'Tokens that the provider read from its cache');
  const missed = counter('palimpsest.cache.missed.tokens', '{token}', 'Tokens that it could have read and did not');
  const paid = counter('palimpsest.paid', '{money}', 'What requests and answers have cost, in the currency of the prices');
  const budgets = counter('palimpsest.budgets.reached', '{budget}', 'Budgets of which 80 % or all is spent');

  const request = ({ tokens, cost: costs, epoch, fits }: SessionRequestEvent, attributes: Attributes) => {
    sent.record(tokens.after, attributes);
    cut.add(Math.max(0, tokens.before - tokens.after), attributes);
    for (const [policy, of] of Object.entries(costs)) cost.add(of, { ...attributes, 'palimpsest.policy': policy });
    if (epoch) epochs.add(1, { ...attributes, 'palimpsest.epoch.reason': epoch.reason });
    if (!fits) misfits.add(1, attributes);
  };
  const usage = ({ tokens, cache, paid: money }: SessionUsageEvent, attributes: Attributes, seconds: number | undefined) => {
    used.record(tokens.input, { ...attributes, 'gen_ai.token.type': 'input' });
    if (tokens.output !== undefined) used.record(tokens.output, { ...attributes, 'gen_ai.token.type': 'output' });
    if (seconds !== undefined) took.record(seconds, attributes);
    if (tokens.cached !== undefined) read.add(tokens.cached, attributes);
    for (const { cause, tokens: of } of cache?.missed ?? []) missed.add(of, { ...attributes, 'palimpsest.cache.cause': cause });
    if (money !== undefined) paid.add(money, attributes);
  };
  const budget = ({ budget: name, share }: CostEvent, attributes: Attributes) =>
    budgets.add(1, { ...attributes, 'palimpsest.budget': name, 'palimpsest.share': share });

  return (event: SessionEvent, seconds: number | undefined) => {
    const { tags = {} } = event;
    const own = metricTags.flatMap((name) => (Object.hasOwn(tags, name) ? [[name, tags[name]] as const] : []));
    const attributes = { ...common(event), ...tagged(own) };
    if (event.type === 'request') request(event, attributes);
    else if (event.type === 'usage') usage(event, attributes, seconds);
    else budget(event, attributes);
  };
}
