// What the AI SDK doesn't send of a part: as its adapters for OpenAI (the Responses API), Anthropic and Google do it, of version 4.
import { isSigned } from './signature.js';
import type { Fields } from './shapes.js';
import type { Provider } from '../../types.js';

/** A part of a message of the AI SDK. */
export interface SdkPart extends Fields {
  type?: unknown;
  kind?: unknown;
  text?: unknown;
  reasoning?: unknown;
  providerExecuted?: unknown;
  toolCallId?: unknown;
  input?: { language?: unknown } | null;
  output?: Output | null;
  providerOptions?: Options;
  callProviderMetadata?: Options;
  providerMetadata?: Options;
  experimental_providerMetadata?: Options;
  resultProviderMetadata?: Options;
}

interface Output {
  type?: unknown;
  value?: unknown;
  outcome?: unknown;
}

/** What a provider is told of a part, or told of it. */
type Options = Record<string, Fields | null | undefined>;

/** The options for providers on a part of the AI SDK. */
export const optionsOf = (part: SdkPart): Options =>
  part.providerOptions ?? part.callProviderMetadata ?? part.providerMetadata ?? part.experimental_providerMetadata ?? {};

/** Types of parts that are reasoning, in versions 4 to 7. */
const REASONING = new Set<unknown>(['reasoning', 'redacted-reasoning']);

/**
 * Returns whether nothing is sent of a part of the AI SDK: `@ai-sdk/anthropic` puts one before each streamed answer, with the id, the model
 * and the usage of the message. An adapter drops what another provider made and only that one can read.
 *
 * @param part of the assistant's
 * @param to the provider of the request, where it is known
 */
export function isUnsent(part: SdkPart, to?: Provider): boolean {
  if (part?.type === 'custom' && part.kind === 'anthropic.message_start') return true;
  if (to === undefined) return false;
  const options = optionsOf(part);
  const { itemId, reasoningEncryptedContent }: Fields = options.openai ?? options.azure ?? {};
  if (part.type === 'custom') return !(isOf(part, to) && (to === 'anthropic' || itemId !== undefined));
  // Files that a model made go back to Google alone.
  if (part.type === 'file' || part.type === 'reasoning-file') return to !== 'gemini';
  if (part.type === 'tool-result') return isCallUnsent(part, to, options) || isAnswerUnsent(part, to);
  if (part.providerExecuted) return isCallUnsent(part, to, options);
  if (!REASONING.has(part.type)) return false;
  if (to === 'openai') return (itemId ?? reasoningEncryptedContent) === undefined;
  if (to === 'anthropic') return !isSigned(part);
  return (part.text ?? part.reasoning ?? '') === '' && !isSignedByGoogle(options);
}

/**
 * Whether nothing is sent of a call that ran at a provider. Google's adapter sends every call, OpenAI's only references to its own, and Anthropic's
 * those with the names of its own tools: OpenAI's, which may have the same, are told by their ids, and Google's code is sent.
 */
function isCallUnsent(part: SdkPart, to: Provider, options: Options) {
  if (to === 'gemini') return false;
  if (isOfGoogle(options)) return true;
  const own = options.openai ?? options.azure;
  if (to === 'anthropic') return own?.itemId !== undefined && !options.anthropic;
  return !own && (options.anthropic !== undefined || /^(?:srv|mcp)toolu_/.test(part.toolCallId as string) || isCodeOfGoogle(part));
}

/**
 * Returns whether nothing is sent of what a tool gave that ran at a provider. Its call may be sent all the same.
 *
 * @param part that has the result
 * @param to the provider of the request, where it is known
 */
export function isAnswerUnsent(part: SdkPart, to: Provider | undefined): boolean {
  const isCode = hasOutcome(part);
  if (to !== 'gemini') return to === 'anthropic' && isCode;
  return !isCode && !isOfGoogle(part.resultProviderMetadata ?? optionsOf(part));
}

/** Code that ran at Google: its call names the language, its result has an outcome. */
const isCodeOfGoogle = (part: SdkPart) => typeof part.input?.language === 'string' || hasOutcome(part);
const hasOutcome = ({ output }: SdkPart) =>
  typeof ((output?.type === 'json' ? output.value : output) as Output | null | undefined)?.outcome === 'string';

/** Whether one of Google's tools ran, other than code. */
const isOfGoogle = (options: Options) => Object.values(options).some((one) => one?.serverToolCallId !== undefined);

const isOf = ({ kind }: SdkPart, to: Provider) =>
  (to === 'openai' && kind === 'openai.compaction') || (to === 'anthropic' && kind === 'anthropic.fallback');

const isSignedByGoogle = (options: Options) => Object.values(options).some((one) => one?.thoughtSignature !== undefined);

/** Whether a thought signature goes along with a part. Other providers than Google don't get it. */
export const hasThoughtSignature = (options: Options | null | undefined, to: Provider | undefined) =>
  (to === undefined || to === 'gemini') && isSignedByGoogle(options ?? {});

/** Whether reasoning goes along that Claude signed. Other providers than Anthropic don't get its signature. */
export const isSignedFor = (part: unknown, to: Provider | undefined) => (to === undefined || to === 'anthropic') && isSigned(part);
