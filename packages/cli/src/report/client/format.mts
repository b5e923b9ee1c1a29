// Numbers, times and names as the page shows them.
import type { CacheMissCause } from 'palimpsest';
import type { Agent, SessionData } from '../../types.mjs';

const grouped = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const number = (value: number) => grouped.format(value);

/** 1234567 → `1.2M`. */
export const short = (value: number) => compact.format(value);

/** A share, 0 to 1 → `12 %`. Less than all is never shown as 100 %. */
export const percent = (share: number) => {
  const digits = share < 0.1 || (share >= 0.99 && share < 1) ? 1 : 0;
  return `${(share < 1 ? Math.min(99.9, 100 * share) : 100 * share).toFixed(digits)} %`;
};

export const dollars = (value: number) =>
  value > 0 && value < 0.005 ? 'under 1¢' : `$${value < 10 ? value.toFixed(2) : number(Math.round(value))}`;

/** What became of a figure: the class of its colour, `accent` for less and `loss` for more, and the words that say it without one. */
export function change(before: number, after: number, shown: (value: number) => string): { kind: '' | 'accent' | 'loss'; words: string } {
  if (after === before) return { kind: '', words: 'the same' };
  const share = before > 0 ? ` (${percent(Math.abs(after - before) / before)})` : '';
  return after < before
    ? { kind: 'accent', words: `${shown(before - after)} less${share}` }
    : { kind: 'loss', words: `${shown(after - before)} more${share}` };
}

/** Share of what came next that has to be still there for a limit to be recommended. */
export const KEPT_ENOUGH = 0.9;

export const day = (time: number | undefined) =>
  time === undefined ? '' : new Date(time).toLocaleDateString('en', { year: 'numeric', month: 'short', day: 'numeric' });

export const clock = (time: number | undefined) =>
  time === undefined ? '' : new Date(time).toLocaleString('en', { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });

export const plural = (count: number, noun: string) => `${number(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Why all was chosen anew. */
export const EPOCHS = { limit: 'the limit was reached', turn: 'the user spoke', early: 'it paid', cold: 'the cache had expired' };

/** Why the cache missed, behind a number of tokens. */
const MISSED: Record<CacheMissCause, string> = {
  idle: 'idle',
  tools: 'the list of tools changed',
  system: 'the instructions changed',
  front: 'instructions or tools changed',
  compaction: 'a compaction',
  epoch: 'a cut',
  messages: 'earlier messages changed',
  session: 'changed by the session',
  model: 'another model',
  provider: 'what the provider says',
  never: 'nothing cached so far',
  unknown: 'no known cause',
};

/** `45,000 (idle)`. */
export const missedTokens = (missed: { cause: CacheMissCause; tokens: number }[]) =>
  missed.map(({ cause, tokens }) => `${number(Math.round(tokens))} (${MISSED[cause]})`).join(', ');

export const AGENTS: Record<Agent, string> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  opencode: 'opencode',
  cline: 'Cline',
  'roo-code': 'Roo Code',
  'kilo-code': 'Kilo Code',
  'copilot-cli': 'Copilot CLI',
  pi: 'pi',
  openclaw: 'OpenClaw',
  cursor: 'Cursor',
  'qwen-code': 'Qwen Code',
  kimi: 'Kimi Code',
  droid: 'Droid',
  grok: 'Grok Build',
  goose: 'Goose',
  amp: 'Amp',
  chatgpt: 'ChatGPT',
  'claude-ai': 'Claude.ai',
  messages: 'Messages',
};
export const agentName = (agent: string) => AGENTS[agent as Agent] ?? agent;

/** Why the cost of a session is unknown. */
export function whyNoCost({ model, count }: Pick<SessionData, 'model' | 'count'>, unpriced: string[]) {
  if (count.requests === 0) return 'no request was sent';
  if (model === undefined) return 'the transcript names no model';
  return unpriced.includes(model) ? `no price is known for ${model}` : 'no price is known for one of its models';
}
