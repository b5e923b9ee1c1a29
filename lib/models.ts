// Windows, tokenizers and margins of models by name, as of 2026-11-22; docs/reference/models.md has the same table. Sources: for OpenAI's models up to
// GPT-5.6, the data of `gpt-tokenizer` 4.0.0 (2026-08-16); for all others, `@pydantic/genai-prices` 0.1.8 (2026-09-23). A window that neither
// gives is left out.

import { MARGINS } from './margins.js';
import { LONGEST, misspelt, plain } from './misspelt.js';
import type { Provider, Roles } from './types.js';

export interface Model {
  /** the provider whose own API the model has; absent if that is OpenAI's by convention */
  provider?: Provider | undefined;
  /** that provider, where the model is called through a gateway, whose API is another */
  maker?: Provider | undefined;
  /** maximum tokens of a request and its answer */
  window?: number;
  /** maximum tokens of a request, where the provider gives a smaller number */
  input?: number;
  /** maximum tokens of an answer, where it is less than the window */
  output?: number;
  /** the model's own, or the one that is used in its place */
  tokenizer: 'o200k_base' | 'cl100k_base';
  /** share of a limit that stays free because counts are estimates; 0: the tokenizer is the model's own */
  margin: number;
}

/** Multiples of the price of uncached input; `ttl` in ms, `minimum` in tokens. */
export type ModelCache = Partial<{ read: number; write: number; ttl: number; minimum: number }>;

export type Counting = Pick<Model, 'provider' | 'tokenizer' | 'margin'>;
const o200k: Counting = { provider: 'openai', tokenizer: 'o200k_base', margin: 0 };
const cl100k: Counting = { provider: 'openai', tokenizer: 'cl100k_base', margin: 0 };
const unpublished: Counting = { provider: 'openai', tokenizer: 'o200k_base', margin: MARGINS.other };
const claude: Counting = { provider: 'anthropic', tokenizer: 'o200k_base', margin: MARGINS.claude };
const olderClaude: Counting = { provider: 'anthropic', tokenizer: 'o200k_base', margin: MARGINS.other };
const gemini: Counting = { provider: 'gemini', tokenizer: 'o200k_base', margin: MARGINS.other };
const other: Counting = { tokenizer: 'o200k_base', margin: MARGINS.other };

/** Names, and what holds for each of them. */
export const MODELS: [names: string, model: Model][] = [
  ['gpt-6-astra gpt-6-sol gpt-6-luna', { window: 1_050_000, ...unpublished }],
  ['gpt-6.2-astra', unpublished],
  ['gpt-5.6 gpt-5.6-sol gpt-5.6-terra gpt-5.6-luna', { window: 1_050_000, input: 922_000, output: 128_000, ...o200k }],
  ['gpt-5.5 gpt-5.5-pro gpt-5.4 gpt-5.4-pro', { window: 1_050_000, output: 128_000, ...o200k }],
  [
    'gpt-5.6-cyber gpt-5.4-mini gpt-5.4-nano gpt-5.3-codex gpt-5.2-codex gpt-5 gpt-5-mini gpt-5-nano gpt-5-codex',
    { window: 400_000, input: 272_000, output: 128_000, ...o200k },
  ],
  ['gpt-5.2 gpt-5.2-pro gpt-5.1 gpt-5.1-codex gpt-5.1-codex-max gpt-5.1-codex-mini', { window: 400_000, output: 128_000, ...o200k }],
  ['gpt-5-pro', { window: 400_000, output: 272_000, ...o200k }],
  ['gpt-5-chat gpt-5.1-chat gpt-5.2-chat gpt-5.3-chat', { window: 128_000, output: 16_384, ...o200k }],
  ['gpt-4.1 gpt-4.1-mini gpt-4.1-nano', { window: 1_047_576, output: 32_768, ...o200k }],
  ['gpt-4o gpt-4o-mini chatgpt-4o gpt-4.5', { window: 128_000, output: 16_384, ...o200k }],
  ['o1 o1-pro o3 o3-pro o3-mini o3-deep-research o4-mini o4-mini-deep-research codex-mini', { window: 200_000, output: 100_000, ...o200k }],
  ['o1-preview', { window: 128_000, output: 32_768, ...o200k }],
  ['gpt-oss-120b gpt-oss-20b', { window: 131_072, ...o200k }],
  ['gpt-4-turbo gpt-4-0125-preview gpt-4-1106-preview gpt-4-1106-vision-preview', { window: 128_000, output: 4_096, ...cl100k }],
  ['gpt-4-32k', { window: 32_768, output: 8_192, ...cl100k }],
  ['gpt-4', { window: 8_192, ...cl100k }],
  ['gpt-3.5-turbo', { window: 16_385, output: 4_096, ...cl100k }],
  [
    'claude-opus-5-5 claude-opus-5 claude-sonnet-5 claude-fable-5-1 claude-fable-5 claude-opus-4-8 claude-opus-4-7',
    { window: 1_000_000, ...claude },
  ],
  ['claude-opus-4-6 claude-sonnet-4-6', { window: 1_000_000, ...olderClaude }],
  [
    'claude-opus-4-5 claude-opus-4-1 claude-opus-4 claude-sonnet-4-5 claude-sonnet-4 claude-haiku-4-5 claude-3-7-sonnet claude-3-5-sonnet claude-3-5-haiku claude-3-opus claude-3-sonnet claude-3-haiku',
    { window: 200_000, ...olderClaude },
  ],
  ['claude-sonnet-5-5 claude-haiku-5-5 claude-fable-5-2 claude-mythos-5 claude-mythos-5-1 claude-mythos-5-2', claude],
  [
    'gemini-3.8-flash gemini-3.7-flash gemini-3.6-flash gemini-3.5-flash gemini-3.5-flash-lite gemini-3.1-flash-lite gemini-3-flash gemini-2.5-flash-lite gemini-2.0-flash gemini-2.0-flash-lite',
    { window: 1_000_000, ...gemini },
  ],
  ['gemini-2.5-flash', { window: 1_048_576, ...gemini }],
  ['gemini-3.1-pro gemini-3-pro gemini-2.5-pro', gemini],
  ['grok-4.6 grok-4.5', { window: 500_000, ...other }],
  ['grok-4.3', { window: 1_000_000, ...other }],
  ['deepseek-v4-pro deepseek-v4-flash', { window: 1_000_000, ...other }],
  ['kimi-k3', { window: 1_048_576, ...other }],
  ['kimi-k2.7-code kimi-k2.6 kimi-k2.5 kimi-k2-thinking', { window: 262_144, ...other }],
  ['glm-5.3 glm-5.3-flash glm-5.2', { window: 1_000_000, ...other }],
  ['mistral-large-2512 mistral-medium-3.5 mistral-small-2603', { window: 262_144, ...other }],
];

/** Models for which OpenAI's API takes breakpoints: GPT-5.6 and later. */
const EXPLICIT = 'gpt-6-astra gpt-6-sol gpt-6-luna gpt-6.2-astra gpt-5.6 gpt-5.6-sol gpt-5.6-terra gpt-5.6-luna gpt-5.6-cyber';

const MINUTE = 60_000;
/** Caches of models, where they are not as those of their provider's row in options/presets.ts, as of 2026-11-27; docs/reference/cache-prices.md has them. */
const CACHES: [names: string, cache: ModelCache][] = [
  ['claude-opus-5-5', { read: 0.05 }],
  ['claude-fable-5-1', { read: 0.025, minimum: 512 }],
  ['claude-opus-5', { minimum: 512 }],
  ['claude-opus-4-7 claude-3-5-haiku', { minimum: 2048 }],
  ['claude-opus-4-6 claude-opus-4-5 claude-haiku-4-5', { minimum: 4096 }],
  ['claude-3-haiku', { read: 0.12, write: 1.2 }],
  [EXPLICIT, { write: 1.25, ttl: 30 * MINUTE }],
  ['gpt-4.1 gpt-4.1-mini gpt-4.1-nano o3 o3-deep-research o4-mini o4-mini-deep-research', { read: 0.25 }],
  ['gpt-4o gpt-4o-mini o1 o1-preview o3-mini', { read: 0.5 }],
  ['gemini-2.5-flash gemini-2.5-flash-lite gemini-2.5-pro', { minimum: 2048 }],
  ['gemini-2.0-flash', { read: 0.25 }],
  ['grok-4.6', { read: 0.25, ttl: 5 * MINUTE, minimum: 0 }],
  ['grok-4.5', { read: 0.15, ttl: 5 * MINUTE, minimum: 0 }],
  ['grok-4.3', { read: 0.16, ttl: 5 * MINUTE, minimum: 0 }],
  ['deepseek-v4-pro deepseek-v4-flash', { read: 0.033, ttl: 5 * MINUTE, minimum: 0 }],
  ['kimi-k2.7-code', { read: 0.2 }],
  ['kimi-k2.6 kimi-k2.5', { read: 0.167 }],
  ['kimi-k2-thinking glm-5.3 glm-5.2', { read: 0.25 }],
  ['glm-5.3-flash', { read: 0.291 }],
];

/** Dots and hyphens are the same: gateways write `claude-opus-4.5`, and some write `gpt-5-5`. */
const key = (name: string) => name.replaceAll('.', '-');

const named = <T>(rows: [names: string, of: T][]) =>
  rows.flatMap(([names, of]) => names.split(' ').map((name): [string, T] => [key(name), of]));

const BY_NAME = new Map(named(MODELS));
const CACHE_BY_NAME = new Map(named(CACHES));
const EXPLICIT_BY_NAME = new Map(named([[EXPLICIT, true]]));

/** A date or a number of a snapshot, or a word that says the same, at the end of a name. */
const SNAPSHOT = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|\d{2}-\d{4}|\d{2}-\d{2}|\d{4}|\d{3}|v\d+|latest|preview|0)$/;

/**
 * Returns the model of a name: `gpt-5.5`, a snapshot (`gpt-5.5-2026-04-23`, `claude-opus-5@20260801`), or one with a prefix or suffix of a
 * gateway (`anthropic/claude-opus-5`, `us.anthropic.claude-opus-5-v1:0`, `models/gemini-2.5-flash`, `ft:gpt-4o:team`).
 *
 * @returns undefined if there is no such model in the table
 */
export const findModel = (name: string): Model | undefined => lookUp(BY_NAME, name);

/** Returns what the cache of a model has, where that is not as of its provider's other models. */
export const findCache = (name: string): ModelCache | undefined => lookUp(CACHE_BY_NAME, name);

/** Returns whether OpenAI's own API takes breakpoints for a model. */
export const isExplicit = (name: string) => lookUp(EXPLICIT_BY_NAME, name) ?? false;

function lookUp<T>(byName: ReadonlyMap<string, T>, name: string): T | undefined {
  // Longer than any name; keeps the work below bounded.
  if (name.length > 300) return undefined;
  const last = name
    .slice(name.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/-v?\d+:\d+$/, '');
  for (const piece of last.split(':')) {
    // Bedrock's regions and vendors have no digits.
    let left = key(piece.replace(/^(?:[a-z-]+\.)+/, '').replace(/@.*$/, ''));
    for (;;) {
      const found = byName.get(left);
      if (found !== undefined) return found;
      const shorter = left.replace(SNAPSHOT, '');
      if (shorter === left) break;
      left = shorter;
    }
  }
  return undefined;
}

/** Mistral's models, whose API wants roles to alternate, as do the chat templates that come with them. */
const ALTERNATING = /^(?:open-|labs-)?(?:mistral|mixtral|ministral|magistral|codestral|devstral|pixtral|voxtral)(?:$|[-:@.\d])/;

/** Returns whether the server of a model is known to want roles to alternate; undefined if it is not. */
export function rolesFor(name: unknown): Roles {
  if (typeof name !== 'string') return undefined;
  const last = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  // Bedrock puts the vendor in front.
  return ALTERNATING.test(last.replace(/^(?:[a-z-]+\.)+/, '')) ? 'alternate' : undefined;
}

/** Returns the name of a model that a misspelt name means: with the same digits, since another version is another model. */
export function modelMeant(name: string): string | undefined {
  if (name.length > LONGEST) return undefined;
  const digitsOf = (text: string) => text.replace(/\D/g, '');
  const start = name.lastIndexOf('/') + 1;
  const searched = plain(name.slice(start));
  const forms = MODELS.flatMap(([names]) => names.split(' ')).map((known): [string, string] => [plain(known), known]);
  const meant = misspelt(
    searched,
    forms.filter(([form]) => digitsOf(form) === digitsOf(searched)),
  );
  return meant && name.slice(0, start) + meant;
}
