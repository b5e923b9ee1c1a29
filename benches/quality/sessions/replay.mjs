// Plays a track step by step under a policy: sends what the policy says, bills it, and asks the judges what is still there.
import { asksOf } from './asks.mjs';
import { Bill, PRICES, reuse } from './bills.mjs';
import { stepsOf } from '../../../packages/cli/dist/analysis/facts.mjs';

const mean = (list) => list.reduce((total, one) => total + Number(one), 0) / list.length;

/**
 * @param {{ messages: object[], times: number[], format: string }} track
 * @param {(context: object) => { next: Function, report?: object }} start of a policy
 * @param {{ limit: number, read: Function, judges?: Map<number, object>, prices?: object, decide?: object }} options
 *   `limit` in tokens; `fixed`: those of them that instructions and tools take; `read` of `createReader`; `judges` by step; `prices` to bill by, each with
 *   its name; `decide`: the prices by which a policy decides
 * @returns what it comes to. Costs are in tokens at the price of uncached input, `breaks`, `kept` and `over` in shares of the requests
 */
export function replay(
  { messages, times, format },
  start,
  { limit, fixed = 0, read, judges = new Map(), prices = PRICES, decide = PRICES.anthropic },
) {
  const bills = Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, new Bill(price)]));
  const tokensOf = (message) => read(message).tokens;
  const sum = (list) => list.reduce((total, message) => total + tokensOf(message), 0);
  let now = 0;
  const policy = start({ limit: limit - fixed, fixed, format, prices: decide, now: () => now, tokensOf, sum });
  const steps = stepsOf(messages);
  const asks = asksOf(messages);
  const counts = { breaks: 0, over: 0, kept: [], grounded: [], fresh: [], quotes: [], faults: 0 };
  let before = [];
  let beforeTokens = 0;
  let from = 0;
  for (const step of steps) {
    const idle = from === 0 ? Infinity : times[step - 1] - now;
    now = times[step - 1];
    const { messages: request, summary } = policy.next(messages.slice(from, step));
    const readings = request.map(read);
    const reused = reuse(before, readings);
    for (const bill of Object.values(bills)) bill.add(reused, idle, summary, fixed);
    if (reused.total + fixed > limit) counts.over++;
    const { quotes, faults } = asks(step, request);
    counts.quotes.push(...quotes);
    counts.faults += faults;
    if (from > 0) {
      // Trimming may have left nothing to send.
      counts.kept.push(beforeTokens === 0 ? 1 : reused.tokens / beforeTokens);
      if (reused.messages < before.length) counts.breaks++;
    }
    const { grounded, fresh } = judges.get(step) ?? {};
    if (grounded) counts.grounded.push(grounded(readings));
    if (fresh) counts.fresh.push(fresh(readings));
    [before, beforeTokens, from] = [readings, reused.total, step];
  }
  return {
    requests: steps.length,
    bills,
    breaks: counts.breaks / steps.length,
    over: counts.over / steps.length,
    kept: mean(counts.kept),
    grounded: mean(counts.grounded),
    fresh: mean(counts.fresh),
    quotes: mean(counts.quotes),
    faults: counts.faults / steps.length,
    report: policy.report,
  };
}
