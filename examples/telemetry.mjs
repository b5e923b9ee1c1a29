// What sessions do, as OpenTelemetry metrics: node examples/telemetry.mjs
import { readFileSync } from 'node:fs';
import { metrics } from '@opentelemetry/api';
import { createSession } from 'palimpsest';
import { instrument } from 'palimpsest/opentelemetry';

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
const stop = instrument({ metricTags: ['feature'] });

// A recorded agent. Its provider reads from its cache what the last request began with.
const recorded = JSON.parse(readFileSync(new URL('agent-session.json', import.meta.url), 'utf8'));
const history = recorded.map(({ id, index, ...message }) => message);
const session = createSession({ limit: 12_000, model: 'gpt-5.5', format: 'openai-chat', tags: { user: 'u-17', feature: 'fix' } });
for (let end = 1; end < history.length; end++) {
  if (history[end]?.role !== 'assistant') continue;
  const { tokens, report } = session.next(history.slice(0, end));
  session.observe({ prompt_tokens: tokens.after, prompt_tokens_details: { cached_tokens: report.reusedTokens } });
}
stop();
sums.print();
console.log(String(session.report));
