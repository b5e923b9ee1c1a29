// OpenTelemetry's own SDK gets what the sessions' own steps and usages say, and nothing of what messages say.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { context, metrics, SpanKind, trace } from '@opentelemetry/api';
import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, SimpleSpanProcessor, StackContextManager, TracerProvider } from '@opentelemetry/sdk-trace';
import { createSession } from 'palimpsest';
import { instrument } from 'palimpsest/opentelemetry';
import { requestsOf, working } from '../create-session/working.mjs';
import { Random } from '../support/random.mjs';
import { cases, SEED } from '../support/seed.mjs';

const PRICES = { input: 4, output: 20 };
const CACHE = { write: 1, read: 0.25, ttl: 300_000 };
const near = (actual, expected, text) =>
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)), `${text}: ${actual} ${expected}`);

/** The SDK, with exporters in memory. */
function sdk() {
  const spans = new InMemorySpanExporter();
  const points = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const tracers = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] });
  const meters = new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter: points, exportIntervalMillis: 1e6, exportTimeoutMillis: 1e5 })],
  });
  return {
    tracers,
    meters,
    spans: () => spans.getFinishedSpans(),
    /** Each metric by name: its unit, and the sum and the count for each set of attributes. */
    metrics: async () => {
      points.reset();
      await meters.forceFlush();
      const all = points.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
      return new Map(
        all.map(({ descriptor, dataPoints }) => [
          descriptor.name,
          {
            unit: descriptor.unit,
            points: new Map(dataPoints.map(({ attributes, value }) => [keyOf(attributes), value])),
          },
        ]),
      );
    },
    shutdown: () => Promise.all([tracers.shutdown(), meters.shutdown()]),
  };
}

/** Attributes in an order that doesn't depend on who made them. */
const keyOf = (attributes) => JSON.stringify(Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1)));

/** What metrics have to be, kept a second time. */
class Expected {
  sums = new Map();
  values = new Map();

  add(name, attributes, value) {
    const key = `${name} ${keyOf(attributes)}`;
    this.sums.set(key, (this.sums.get(key) ?? 0) + value);
  }

  record(name, attributes, value) {
    const key = `${name} ${keyOf(attributes)}`;
    this.values.set(key, [...(this.values.get(key) ?? []), value]);
  }
}

/** Each format with the provider that the conventions name. */
const FORMATS = { 'openai-chat': 'openai', anthropic: 'anthropic', gemini: 'gcp.gemini', 'ai-sdk-model': '_OTHER' };

test('spans and metrics are those of the steps and the usages', async (t) => {
  const own = sdk();
  t.after(() => own.shutdown());
  const stop = instrument({ tracer: own.tracers.getTracer('a'), meter: own.meters.getMeter('a'), metricTags: ['feature', 'absent'] });
  const random = new Random(SEED);
  const expected = new Expected();
  const spans = [];
  for (let life = 0; life < cases(8); life++) {
    const format = random.pick(Object.keys(FORMATS));
    const tags = { user: `u-${life}`, ...(random.chance(0.5) ? { feature: random.pick(['search', 'chat']) } : {}) };
    const model = random.chance(0.5) ? random.pick(['gpt-5.5', 'claude-opus-5']) : undefined;
    const money = random.chance(0.5);
    const session = createSession({
      ...{ limit: random.pick([1500, 3000]), format, model, tags, cache: CACHE, warn: false },
      ...(money ? { prices: PRICES, maxCost: random.integer(1, 40) / 1000 } : {}),
    });
    const common = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': FORMATS[format],
      ...(model ? { 'gen_ai.request.model': model } : {}),
    };
    const attributes = { ...common, ...(tags.feature ? { 'palimpsest.tag.feature': tags.feature } : {}) };
    let before = { session: 0, uncut: 0, trimmed: 0 };
    for (const history of requestsOf(working(format, 1, 6))) {
      const { fits, tokens, epoch, report } = session.next(history);
      const { cost } = session.report;
      expected.record('palimpsest.request.tokens', attributes, tokens.after);
      expected.add('palimpsest.cut.tokens', attributes, Math.max(0, tokens.before - tokens.after));
      const own = {};
      for (const policy of ['session', 'uncut', 'trimmed']) {
        own[policy] = cost[policy] - before[policy];
        expected.add('palimpsest.request.cost', { ...attributes, 'palimpsest.policy': policy }, own[policy]);
      }
      before = cost;
      if (epoch) expected.add('palimpsest.epochs', { ...attributes, 'palimpsest.epoch.reason': epoch.reason }, 1);
      if (!fits) expected.add('palimpsest.misfits', attributes, 1);
      const span = {
        ...common,
        ...Object.fromEntries(Object.entries(tags).map(([name, value]) => [`palimpsest.tag.${name}`, value])),
        'palimpsest.fits': fits,
        ...Object.fromEntries(['before', 'after', 'limit'].map((name) => [`palimpsest.tokens.${name}`, tokens[name]])),
        ...Object.fromEntries(['before', 'after'].map((name) => [`palimpsest.messages.${name}`, report.messages[name]])),
        ...Object.fromEntries(Object.entries(own).map(([name, value]) => [`palimpsest.cost.${name}`, value])),
        ...(epoch ? { 'palimpsest.epoch.number': epoch.number, 'palimpsest.epoch.reason': epoch.reason } : {}),
      };
      spans.push({ name: model ? `chat ${model}` : 'chat', span });
      if (random.chance(0.3)) continue;
      const input = random.integer(500, 4000);
      const cached = random.integer(0, input);
      const output = random.integer(0, 900);
      const cache = session.observe({ prompt_tokens: input, completion_tokens: output, prompt_tokens_details: { cached_tokens: cached } });
      expected.record('gen_ai.client.token.usage', { ...attributes, 'gen_ai.token.type': 'input' }, input);
      expected.record('gen_ai.client.token.usage', { ...attributes, 'gen_ai.token.type': 'output' }, output);
      expected.record('gen_ai.client.operation.duration', attributes, undefined);
      expected.add('palimpsest.cache.read.tokens', attributes, cached);
      for (const { cause, tokens: missed } of cache?.missed ?? []) {
        expected.add('palimpsest.cache.missed.tokens', { ...attributes, 'palimpsest.cache.cause': cause }, missed);
        span[`palimpsest.cache.missed.${cause}`] = missed;
      }
      span['gen_ai.usage.input_tokens'] = input;
      span['gen_ai.usage.output_tokens'] = output;
      span['gen_ai.usage.cache_read.input_tokens'] = cached;
      if (!money) continue;
      const paid = ((input - cached + CACHE.read * cached) * PRICES.input + output * PRICES.output) / 1e6;
      expected.add('palimpsest.paid', attributes, paid);
      span['palimpsest.paid'] = paid;
    }
  }
  stop();

  const found = await own.metrics();
  const sums = new Map();
  const histograms = new Map();
  for (const [name, { points }] of found) {
    if (name === 'palimpsest.budgets.reached') continue;
    for (const [key, value] of points) (typeof value === 'number' ? sums : histograms).set(`${name} ${key}`, value);
  }
  const sorted = (map) => [...map.keys()].sort();
  assert.deepEqual(sorted(sums), sorted(expected.sums));
  for (const [key, value] of expected.sums) near(sums.get(key), value, key);
  assert.deepEqual(sorted(histograms), sorted(expected.values));
  for (const [key, values] of expected.values) {
    const { count, sum } = histograms.get(key);
    assert.equal(count, values.length, key);
    if (values[0] !== undefined)
      near(
        sum,
        values.reduce((total, value) => total + value, 0),
        key,
      );
  }
  // A span without usage ends when the next request of its session begins, or all is stopped.
  const made = own.spans().sort((a, b) => a.attributes['palimpsest.session'] - b.attributes['palimpsest.session']);
  assert.equal(made.length, spans.length);
  for (const [index, { name, span }] of spans.entries()) {
    const { 'palimpsest.session': session, 'palimpsest.cache.readable_tokens': readable, ...attributes } = made[index].attributes;
    assert.equal(made[index].name, name);
    assert.equal(made[index].kind, SpanKind.CLIENT);
    assert.ok(Number.isInteger(session) && readable >= 0);
    assert.deepEqual(Object.keys(attributes).sort(), Object.keys(span).sort());
    for (const [key, value] of Object.entries(span))
      if (typeof value === 'number') near(attributes[key], value, key);
      else assert.equal(attributes[key], value, key);
    if (!('gen_ai.usage.input_tokens' in span)) assert.deepEqual(made[index].duration, [0, 0], 'without usage, nobody knows how long');
  }
  assert.equal(found.get('gen_ai.client.token.usage').unit, '{token}');
  assert.equal(found.get('gen_ai.client.operation.duration').unit, 's');
});

test('of budgets, it counts which are reached', async (t) => {
  const own = sdk();
  t.after(() => own.shutdown());
  const stop = instrument({ tracer: own.tracers.getTracer('a'), meter: own.meters.getMeter('a') });
  const session = createSession({ limit: 3000, prices: PRICES, maxCost: 0.02, onCost: () => {} });
  for (let time = 0; time < 3; time++) session.observe({ prompt_tokens: 0, completion_tokens: 850 });
  stop();
  const { points } = (await own.metrics()).get('palimpsest.budgets.reached');
  const of = (share) => keyOf({ ...CHAT, 'palimpsest.budget': 'session', 'palimpsest.share': share });
  assert.deepEqual(Object.fromEntries(points), { [of(0.8)]: 1, [of(1)]: 1 });
});

const CHAT = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': '_OTHER' };
const history = working('openai-chat', 1, 2);

test('a span is the child of the one that is active; by default tracer and meter are those of the process', async (t) => {
  const own = sdk();
  context.setGlobalContextManager(new StackContextManager().enable());
  trace.setGlobalTracerProvider(own.tracers);
  metrics.setGlobalMeterProvider(own.meters);
  t.after(async () => {
    for (const api of [context, trace, metrics]) api.disable();
    await own.shutdown();
  });
  const stop = instrument();
  const tracer = own.tracers.getTracer('app');
  tracer.startActiveSpan('answer', (span) => {
    const session = createSession({ limit: 3000 });
    session.next(history.slice(0, 1));
    session.observe({ prompt_tokens: 100 });
    span.end();
  });
  stop();
  // After it was stopped, nothing is heard.
  createSession({ limit: 3000 }).next(history);
  // It is recorded when the step is over, and with it the span around it.
  const [parent, child] = own.spans();
  assert.equal(own.spans().length, 2);
  assert.equal(child.parentSpanContext.spanId, parent.spanContext().spanId);
  assert.equal(child.instrumentationScope.name, 'palimpsest');
  assert.ok((await own.metrics()).has('palimpsest.request.tokens'));
});

test('of sessions that nobody asks again, a bounded number waits', async (t) => {
  const own = sdk();
  t.after(() => own.shutdown());
  const stop = instrument({ tracer: own.tracers.getTracer('a'), meter: own.meters.getMeter('a') });
  const sessions = Array.from({ length: 1005 }, () => createSession({ limit: 3000, format: 'openai-chat' }));
  for (const session of sessions) session.next(history.slice(0, 1));
  await new Promise(setImmediate);
  assert.equal(own.spans().length, 5);
  stop();
  assert.equal(own.spans().length, 1005);
});

test('nothing that messages say is in spans or metrics', async (t) => {
  const own = sdk();
  t.after(() => own.shutdown());
  const stop = instrument({ tracer: own.tracers.getTracer('a'), meter: own.meters.getMeter('a') });
  const session = createSession({ limit: 1500, system: 'Mind the violet walrus.' });
  for (const given of requestsOf(working('openai-chat', 1, 8))) session.next(given);
  stop();
  const metricsOf = [...(await own.metrics())].map(([name, { points }]) => [name, [...points.keys()]]);
  const text = JSON.stringify([own.spans().map(({ name, attributes, events }) => [name, attributes, events]), metricsOf]);
  assert.ok(text.includes('palimpsest.epoch.reason'));
  for (const word of ['walrus', 'part1', 'worker', 'batch', 'Read']) assert.ok(!text.includes(word), word);
});

test('an error names the option that is wrong', () => {
  for (const [options, message] of [
    [5, 'instrument(): options must be an object, got number'],
    [{ tracer: {} }, 'instrument(): options.tracer must be a Tracer of OpenTelemetry, got object'],
    [{ meter: 'a' }, 'instrument(): options.meter must be a Meter of OpenTelemetry, got string'],
    [{ metricTags: 'user' }, 'instrument(): options.metricTags must be an array of strings, got string'],
  ])
    assert.throws(() => instrument(options), { name: 'TypeError', message });
});
