import { checkArray, describe, mismatch, shown } from '../checks.js';
import { isAtGateway } from '../model-of.js';
import { PROVIDERS, providerNamed } from './index.js';
import type { Foreign } from '../types.js';
import type { ProviderDefinition, RequestShape } from './provider.js';
import type { Fields } from './shared/shapes.js';

/** A provider's request, and the format of its messages. */
export interface Shape extends RequestShape<Foreign> {
  format: WholeFormat;
}

/** Formats that have whole requests. */
export type WholeFormat = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini';

const isWhole = (one: ProviderDefinition): one is ProviderDefinition & { name: WholeFormat; request: RequestShape<Foreign> } =>
  one.request !== undefined;

/** The shapes of whole requests, by format. */
export const SHAPES = Object.fromEntries(
  PROVIDERS.filter(isWhole).map(({ name, request }) => [name, { format: name, ...request }]),
) as Record<WholeFormat, Shape>;

/** The shape of whole requests whose messages have a format; undefined if there are none. */
export const shapeNamed = (format: string): Shape | undefined => (SHAPES as Record<string, Shape>)[format];

const A_REQUEST = "a provider's request with messages, input or contents";

/** Fields that only one of the two APIs with `messages` has. */
const ONLY_ANTHROPIC = ['system', 'stop_sequences', 'betas', 'anthropic_version', 'mcp_servers', 'output_config', 'thread'];
const ONLY_OPENAI = [
  'max_completion_tokens',
  'response_format',
  'functions',
  'stop',
  'n',
  'frequency_penalty',
  'presence_penalty',
  'reasoning_effort',
  'stream_options',
  'logit_bias',
  'logprobs',
  'seed',
  'parallel_tool_calls',
  'modalities',
  'prediction',
  'store',
  'user',
  'verbosity',
];

/**
 * Returns the shape of a request.
 *
 * @param format if the caller says it
 * @param at name of the request in errors
 * @throws {TypeError} it is not a request that is known here
 */
export function shapeOf(given: unknown, format: string | null | undefined, at: string): Shape {
  if (describe(given) !== 'object') {
    throw mismatch(at, A_REQUEST, given);
  }
  const request = given as Fields;
  if (request.model != null && typeof request.model !== 'string') {
    throw new TypeError(`${at}.model must be a model's name: for other SDKs than the providers' own, call fit() with the messages`);
  }
  const shape = shapeNamed(format == null || format === 'auto' ? detected(request, at) : format);
  if (shape === undefined) {
    const names = Object.keys(SHAPES).map((name) => `'${name}'`);
    throw new TypeError(`fitRequest(): options.format must be one of ${names.join(', ')}, 'auto', got ${shown(format)}`);
  }
  const stored = shape.stored.find((path) => valueAt(request, path) != null);
  if (stored === undefined) return shape;
  const rest = `send all of it in request.${shape.messages}, or call fit() with the messages alone`;
  throw new TypeError(`${at}.${stored} stands for content at the provider, which can't be counted or fitted: ${rest}`);
}

function detected(request: Fields, at: string) {
  if (request.contents !== undefined) return 'gemini';
  if (request.messages !== undefined) return isAnthropic(request, at) ? 'anthropic' : 'openai-chat';
  if (request.input !== undefined || SHAPES['openai-responses'].stored.some((key) => request[key] != null)) return 'openai-responses';
  throw new TypeError(`${at} must be ${A_REQUEST}, got an object without them`);
}

/** Whether a request with `messages` is one of Anthropic's: by its fields, its tools, its messages, or else by the model. */
function isAnthropic(request: Fields, at: string) {
  const { tools, tool_choice: choice, model } = request;
  checkArray(`${at}.messages`, request.messages);
  const messages = request.messages as (Fields | null | undefined)[];
  const has = (key: string) => request[key] != null;
  if (ONLY_ANTHROPIC.some(has)) return true;
  if (ONLY_OPENAI.some(has) || typeof choice === 'string') return false;
  for (const tool of Array.isArray(tools) ? (tools as (Fields | null)[]) : []) {
    if (tool?.input_schema != null || (typeof tool?.type === 'string' && /_\d{8}$/.test(tool.type))) return true;
    if (tool?.function != null || tool?.custom != null) return false;
  }
  if (messages.some((message) => message?.role === 'developer' || recognises('openai-chat', message))) return false;
  if (messages.some((message) => recognises('anthropic', message))) return true;
  // Gateways have OpenAI's API.
  return model != null && /claude/i.test(model as string) && !isAtGateway(model as string);
}

/** Asks a format without loading the rest of it. */
function recognises(name: string, message: unknown) {
  if (message === null || typeof message !== 'object' || Array.isArray(message)) return false;
  return providerNamed(name).recognises(message) === 'yes';
}

export const valueAt = (request: unknown, path: string): Foreign =>
  path.split('.').reduce((value, key) => (value as Fields | null | undefined)?.[key], request);

/** Returns the first of some paths that has a value, and the value. */
export function firstOf(request: unknown, paths: string[]): { path: string; value: Foreign } | undefined {
  const path = paths.find((one) => valueAt(request, one) != null);
  return path === undefined ? undefined : { path, value: valueAt(request, path) };
}
