// What is known of a provider, or of a dialect of an SDK's: each folder beside this file defines one.
import type { Format as FormatName } from '../../index.js';
import type { Figures } from '../limits/figures.js';
import type { Foreign, FormatModule, Provider as Vendor } from '../types.js';
import type { AnswerReader } from './shared/answer.js';
import type { Problems } from './shared/problems.js';

/** Where a request has what is read of it. A path is a key, or two with a dot between them; of several the first that has a value counts. */
export interface RequestShape<Request> {
  messages: keyof Request & ('messages' | 'input' | 'contents');
  system: string[];
  tools: string[];
  /** maximum tokens of the answer */
  output: string[];
  /** what stands for content that the provider keeps */
  stored: string[];
  /** Whether the model thinks by a fixed budget: the provider refuses an open turn that lost its thinking. Absent if none does. */
  hasBudget?(request: Partial<Request>): boolean;
  /** Whether a request wants no next message but a summary of all messages, so that none may be cut. Absent if none does. */
  isSummary?(request: Partial<Request>): boolean;
}

/** A shape of usage. */
export interface UsageShape<Usage = Foreign> {
  /** Whether usage is of this shape: it has the field that identifies it. */
  known(usage: Foreign): boolean;
  /** Tokens of the request, with those that were cached; undefined where the usage says no number of it. */
  input(usage: Usage): number | undefined;
  /** Of these, those that were read from the cache, where that is said. */
  cached(usage: Usage): number | null | undefined;
  /** Those that were written to it, where that is said. */
  written?(usage: Usage): number | null | undefined;
  /** Tokens of the answer, where that is said. */
  output(usage: Usage): number | null | undefined;
}

/** The model's messages: those with one of these roles, or of one of these types. */
export interface Answers {
  roles?: string[];
  types?: string[];
}

/**
 * Says that a member is not sent: by its value, and the message or part that has it. That has to be certain in every format, since a message is
 * compared without its format being known.
 */
export type Unsent = (value: Foreign, owner: Foreign) => boolean;

/** Members that frameworks keep for themselves in a message and in the parts of its content. */
export interface Bookkeeping {
  message?: Record<string, Unsent>;
  part?: Record<string, Unsent>;
}

/** Tokens that a provider takes beside those of texts and images. Where it gives no figure, or takes no such file, its file says so. */
export interface Counts {
  /** of a message, with its role: see `crates/tokens/src/measure` */
  message: number;
  /** of a page of a PDF */
  page: number;
  /** of a second of sound */
  audio: number;
  /** of a second of a film, with its sound */
  video: number;
  /** The JSON as which the schema of a tool is sent and counted. Absent where the provider counts it otherwise: see `lib/tokens/tools.ts`. */
  tool?(tool: { name: string; description: string | undefined; parameters: unknown }): string;
}

/** How cache breakpoints are written. Outside of what a model or a tool wrote, these members change nothing else. */
export interface Breakpoints {
  /** Keys that are breakpoints. */
  keys: string[];
  /** Keys of options by provider, which may hold nothing but breakpoints. */
  options?: string[];
  /** Keys of what a block has beside its content, which may hold nothing but breakpoints. */
  extras?: string[];
}

/** Messages of a provider, and around them what its API has; or messages of an SDK, which sends them to a provider. */
export interface ProviderDefinition<Request = Foreign> {
  name: FormatName;
  /** Whose API it is; absent where messages may go to any provider. */
  vendor?: Vendor;
  /** Whether a message is of this format: surely, possibly (a text with a role is of many), or not. */
  recognises(message: Foreign): 'yes' | 'maybe' | 'no';
  answers: Answers;
  /** Members that its SDK or API does not send, beside those that none sends (`shared/bookkeeping.ts`). */
  bookkeeping?: Bookkeeping;
  breakpoints?: Breakpoints;
  /** What a request may hold beside its tokens, with a window of so many; absent where nothing is documented, or any provider may get it. */
  limits?(window: number): Figures;
  /** Present where it has a {@link vendor}. */
  counts?: Counts;
  /** Loads how messages are read and written. */
  parts(): FormatModule;
  /** Loads what finds the problems for which the provider, or a model that is named, would refuse messages. */
  rules(): { check(messages: readonly Foreign[], problems: Problems, model?: string | null): void };
  /** Shape of a whole request, where the format has one. */
  request?: RequestShape<Request>;
  /** Loads what reads an answer, as it is sent or as an SDK gives it. */
  answer?(): new () => AnswerReader;
}

/** Defines a provider: its request and messages are typed by its own SDK. */
export const defineProvider = <Request = Foreign>(definition: ProviderDefinition<Request>) => definition as ProviderDefinition;
