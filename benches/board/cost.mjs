// What runs cost with a strategy, played request by request, with providers' caches.
import { Bill, PRICES, reuse } from '../quality/sessions/bills.mjs';
import { needsOf, said } from './needs.mjs';
import { counter } from './runs.mjs';
import { brought } from './strategies/index.mjs';
import { SESSION, started, stepsOf } from './strategies/palimpsest.mjs';
import { split, sum } from './strategies/plain.mjs';

/** The limit of a run is its system prompt and so much of its other tokens. When it is reached, a strategy cuts to these shares of the limit. */
export const ROOM = 0.25;
export const DEPTHS = [1, 0.5];
/** Tokens of instructions and tools in front of each request, as a share of the room: 30,000 in a window of 100,000. */
export const FRONT = 3 / 7;
/** Time between requests in ms: none was recorded. */
const PACE = 20_000;
/** Tokens of a run that is worth playing, beside its system prompt. */
export const LEAST = 12_000;

/** Tokens of the system prompt of a run, and of the rest. */
export const sizesOf = ({ messages }, tokensOf = counter()) => split(messages).map((part) => sum(part, tokensOf));

/** What the model writes in each step that was said before; of quotes those of results and of the task. */
function needsBySteps({ kind, messages }, steps) {
  return steps.map((step) => {
    const [, free] = split(messages.slice(0, step));
    const before = free.map(said).join('\n');
    const given = free.flatMap((message) => (message.role === 'assistant' ? [] : [said(message)])).join('\n');
    const needs = needsOf(kind, messages[step]).filter(([type, text]) => (type === 'quote' ? given : before).includes(text));
    return [...new Set(needs.map(([, text]) => text))];
  });
}

/** Sends everything; or, over the limit, what a strategy leaves of what was sent last, and of what is new. */
function policyOf(strategy, depth, { limit, fixed, front, tokensOf }) {
  if (strategy === undefined) return (history) => history;
  if (strategy.name === SESSION) {
    const { write, read, ttl } = PRICES.anthropic;
    return started(limit, { front, write, read, ttl });
  }
  const state = {};
  let [sent, from] = [[], 0];
  return async (history) => {
    sent = [...sent, ...history.slice(from)];
    from = history.length;
    if (sum(sent, tokensOf) > limit) {
      const to = fixed + Math.floor((limit - fixed) * depth);
      sent = (await brought(strategy, sent, { limit: to, tokensOf, state })).messages;
    }
    return sent;
  };
}

/** Plays a run. Costs are in tokens at the price of uncached input; `needs`: `[there, all]`, in the steps from the first that overflows. */
async function play({ messages }, { steps, needs, strategy, depth, ...common }) {
  const { limit, front, tokensOf } = common;
  const next = policyOf(strategy, depth, common);
  const bills = Object.fromEntries(Object.entries(PRICES).map(([name, prices]) => [name, new Bill(prices)]));
  const readings = new Map();
  const read = (message) => {
    const json = JSON.stringify(message);
    if (!readings.has(json)) readings.set(json, { json, tokens: tokensOf(message) });
    return readings.get(json);
  };
  let [before, sent] = [[], 0];
  const asked = [0, 0];
  for (const [index, step] of steps.entries()) {
    const history = messages.slice(0, step);
    const request = await next(history);
    const now = request.map(read);
    const reused = reuse(before, now);
    for (const bill of Object.values(bills)) bill.add(reused, index === 0 ? Infinity : PACE, undefined, front);
    sent += reused.total;
    before = now;
    if (sum(history, tokensOf) <= limit) continue;
    const text = request.map(said).join('\n');
    asked[0] += needs[index].filter((one) => text.includes(one)).length;
    asked[1] += needs[index].length;
  }
  const { anthropic, openai } = bills;
  return { anthropic: anthropic.cost, openai: openai.cost, read: anthropic.cached, fresh: sent - anthropic.cached, needs: asked };
}

/**
 * @returns by strategy and depth, by run: `[cost, that of never cutting]` at the prices of `anthropic` and `openai`, `[there, all]` of `needs`, and
 *   `read` and `fresh`: tokens in the cache of Anthropic's kind, and not, of `[tokens, requests]`
 */
export async function measureCost(runs, strategies, tell = () => {}) {
  const all = [undefined, ...strategies].flatMap((strategy) =>
    (strategy === undefined || strategy.name === SESSION ? [1] : DEPTHS).map((depth) => ({ strategy, depth, played: [] })),
  );
  for (const [index, run] of runs.entries()) {
    const tokensOf = counter();
    const steps = stepsOf(run.messages);
    const [fixed, rest] = sizesOf(run, tokensOf);
    const room = Math.floor(rest * ROOM);
    const common = { steps, needs: needsBySteps(run, steps), limit: fixed + room, fixed, front: Math.round(FRONT * room), tokensOf };
    for (const { strategy, depth, played } of all)
      played.push({ ...(await play(run, { ...common, strategy, depth })), requests: steps.length });
    tell(index + 1);
  }
  const [uncut] = all;
  return all.map(({ strategy, depth, played }) => {
    const costs = (name) => played.map((one, run) => [one[name], uncut.played[run][name]]);
    const tokens = (name) => played.map((one) => [one[name], one.requests]);
    const needs = played.map((one) => one.needs);
    return { strategy, depth, anthropic: costs('anthropic'), openai: costs('openai'), needs, read: tokens('read'), fresh: tokens('fresh') };
  });
}
