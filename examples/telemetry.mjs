// What sessions do, as OpenTelemetry metrics: node examples/telemetry.mjs
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { metrics } from '@opentelemetry/api';
import { createSession } from 'palimpsest';

/** Names of providers, as the GenAI conventions list them, by the format of the messages. Formats of SDKs go to any provider. */
const PROVIDERS = {
  anthropic: 'anthropic',
  gemini: 'gcp.gemini',
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  'openai-agents': 'openai',
};
/** Bucket boundaries that the conventions prescribe for tokens. */
const POWERS_OF_4 = Array.from({ length: 14 }, (_, power) => 4 ** power);

/**
 * Records the events of all sessions of the process. The conventions (github.com/open-telemetry/semantic-conventions-genai) have a metric for
 * the tokens that a provider counts; they have none for what a session cuts, so those names are our own.
 */
function recordSessions(meter) {
  const advice = { explicitBucketBoundaries: POWERS_OF_4 };
  const histogram = (name, description) => meter.createHistogram(name, { description, unit: '{token}', advice });
  const counter = (name, unit, description) => meter.createCounter(name, { description, unit });
  const used = histogram('gen_ai.client.token.usage', 'Tokens that the provider counted');
  const read = counter('palimpsest.usage.cache_read.input_tokens', '{token}', 'Tokens that the provider read from its cache');
  const sent = histogram('palimpsest.request.tokens', 'Tokens of a request as it is sent');
  const cut = counter('palimpsest.cut.tokens', '{token}', 'Tokens of the history that were not sent');
  const cost = counter('palimpsest.request.cost', '{token}', 'Cost of the input, in tokens at the price of uncached input');
  const epochs = counter('palimpsest.epochs', '{epoch}', 'Requests for which the session chose anew');
  const misfits = counter('palimpsest.misfits', '{request}', 'Requests above the limit');

  subscribe('palimpsest:session', (event) => {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': PROVIDERS[event.format] ?? '_OTHER',
      ...(event.model === undefined ? {} : { 'gen_ai.request.model': event.model }),
    };
    if (event.type === 'usage') {
      used.record(event.tokens.input, { ...attributes, 'gen_ai.token.type': 'input' });
      read.add(event.tokens.cached ?? 0, attributes);
      return;
    }
    sent.record(event.tokens.after, attributes);
    cut.add(event.tokens.before - event.tokens.after, attributes);
    for (const [policy, tokens] of Object.entries(event.cost)) cost.add(tokens, { ...attributes, 'palimpsest.policy': policy });
    if (event.epoch) epochs.add(1, { ...attributes, 'palimpsest.epoch.reason': event.epoch.reason });
    if (!event.fits) misfits.add(1, attributes);
  });
}

/** In place of the MeterProvider of your OpenTelemetry SDK: keeps sums, and prints them. */
class Sums {
  #sums = new Map();

  getMeter() {
    const instrument = (name, { unit }) => {
      const add = (value, attributes) => {
        const told = Object.entries(attributes).filter(([key]) => !['gen_ai.operation.name', 'gen_ai.provider.name'].includes(key));
        const key = [name, ...told.map(([attribute, text]) => `${attribute}=${text}`)].join(' ');
        const { count, sum } = this.#sums.get(key) ?? { count: 0, sum: 0 };
        this.#sums.set(key, { count: count + 1, sum: sum + value, unit });
      };
      return { add, record: add };
    };
    return { createHistogram: instrument, createCounter: instrument };
  }

  print() {
    for (const [key, { count, sum, unit }] of this.#sums) console.log(`${key}: ${Math.round(sum)} ${unit} in ${count}`);
  }
}

const sums = new Sums();
metrics.setGlobalMeterProvider(sums);
recordSessions(metrics.getMeter('palimpsest'));

// A recorded agent. Its provider reads from its cache what the last request began with.
const recorded = JSON.parse(readFileSync(new URL('agent-session.json', import.meta.url), 'utf8'));
const history = recorded.map(({ id, index, ...message }) => message);
const session = createSession({ limit: 12_000, model: 'gpt-5.5', format: 'openai-chat' });
for (let end = 1; end < history.length; end++) {
  if (history[end]?.role !== 'assistant') continue;
  const { tokens, report } = session.next(history.slice(0, end));
  session.observe({ prompt_tokens: tokens.after, prompt_tokens_details: { cached_tokens: report.reusedTokens } });
}
sums.print();
console.log(String(session.report));
