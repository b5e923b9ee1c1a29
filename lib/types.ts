// Shapes that several rooms of lib/ share.
import type { FitSettings, Format as FormatName } from '../index.js';

/**
 * A provider's message, or something in one: of any shape until a format has looked at it, and of the shape that the
 * provider documents from then on. A type for each would say no more than the checks that follow.
 */
export type Foreign = any;

/** Path of a value in a message or in a list of messages: `[14, 'content', 2]`. */
export type Path = (string | number)[];

/** How tokens are counted. */
export type Tokenizer = 'o200k_base' | 'cl100k_base' | 'estimate';
/** Whose rules of counting a format follows. */
export type Provider = 'openai' | 'anthropic' | 'gemini';

/** How an SDK writes a conversation for an API, where the API has less than the SDK's messages. */
export interface Adapter {
  /**
   * `chat`: a result is one text, all its content as JSON; each is a message. `responses`: each text, call and result is an item. `struct`: a result
   * is an object, in which files are base64. Of Google's, `gemini-2` takes the files of a result beside it, each with a sentence, and a text alone;
   * `gemini-3` takes files in it.
   */
  api: 'chat' | 'responses' | 'struct' | 'gemini-2' | 'gemini-3';
  /** Whether an error is written as JSON with the member `error`. */
  wrapsErrors: boolean;
}

/** What is known of where requests go, beside the model. */
export interface Address {
  roles?: Roles;
  adapter?: Adapter | undefined;
}

export type Role = 'system' | 'user' | 'assistant' | 'tool';
export type Kind = 'text' | 'call' | 'result' | 'reasoning' | 'media' | 'opaque';
export type Status = 'ok' | 'error';
/** What becomes of what is before a compaction by the provider: the provider ignores it, or it may be left out. */
export type Compaction = 'ignored' | 'optional';

/**
 * A piece of a conversation that can be read, replaced or removed on its own. The flat list of all parts, in order, is what
 * the engine sees. Every message has at least one.
 */
export interface Part {
  /** Index of its message. */
  message: number;
  /** Path of its value inside that message; `[]` is the message itself. */
  path: Path;
  /** `tool` for results, whichever message holds them. */
  role: Role;
  kind: Kind;
  /**
   * Call: its arguments as JSON text, or free-form input. Result: the text that the model is shown, an object as JSON text.
   * Media and opaque: empty.
   */
  text: string;
  /** Call: the tool. */
  name?: string;
  /** Call, and whatever stands in a result. */
  callId?: string;
  /** For a part of a result, the index in the list of the call it answers; -1 if there is none. */
  call?: number;
  /** Result: as the format itself marks it; absent where it marks nothing. */
  status?: Status;
  /** ms since the epoch, where the message has a `timestamp`, `createdAt` or `created_at`. */
  time?: number;
  /** Reasoning: a signature binds it to all that stands before it (see providers/shared/signature.ts). */
  signed?: true;
  /** Call: its text is not the JSON object that it should be; it may be removed, but not replaced. */
  whole?: true;
  /** Why its text may not be replaced. */
  locked?: string;
  /** The SDK drops it before it sends the message, or the provider ignores it. */
  unsent?: true;
  /** The text that the SDK writes in its place, where that is another: JSON with escapes, or with a file as base64. */
  sent?: () => string;
  /** Messages or items that the SDK writes for it beside the one that its message is. */
  further?: number;
  /** The text that the SDK writes beside it. */
  beside?: string;
  /** The provider compacted what is before it. */
  compacts?: Compaction;
  /** What reports call a part of an unknown kind. */
  unknown?: string;
  /** Text: a document that the user gave, none of their own words. */
  isDocument?: true;
  /** The text is a file's. Text: its data are at the path, as a data URL, base64 or bytes. Result: the file is, and a block of text takes its place. */
  isFile?: true;
  /**
   * What it may be removed with, beside its own message: the message before that, or, where it isn't known what belongs to it, all that stands
   * between two turns of the user. A part of which more is to come never goes.
   */
  goes?: 'withPrevious' | 'withTurn' | 'never';
}

/**
 * `text` takes the place of the part's text; for a call it is a JSON object as text, unless its input is free-form. A medium
 * can be replaced where it stands in a result. `remove`: a call only together with everything that stands in its result.
 */
export interface Edit {
  part: Part;
  text?: string;
  remove?: boolean;
}

/** For each message that was written, the messages that it was made of: several where some were joined. */
export interface Source {
  first: number;
  last: number;
  /** Nothing is left of them but a mark, which keeps apart what may not follow each other. */
  isMark?: true;
}

export interface Written {
  messages: Foreign[];
  sources: Source[];
}

/** The schema of a tool, in any provider's shape. */
export interface Tool {
  name: string;
  description?: string;
  parameters?: Foreign;
  /** The provider defines it, so that nothing is known of what it takes. */
  isHosted?: true;
  /** The model gets it once a search found it. */
  isDeferred?: true;
}

/** How a server wants the roles of messages. */
export type Roles = FitSettings['roles'];

/** What may stand beside what, where a removal brings messages side by side. */
export interface Placement {
  /** Messages of the same turn must not follow each other: `join` makes one of them. */
  turn?(message: Foreign): unknown;
  join?(messages: Foreign[]): Foreign;
  /** Whether a message may stand behind another, or as the first one where that is undefined. Where it may not, a mark stays between them. */
  follows?(before: Foreign, message: Foreign): boolean;
  /** A message with a text and nothing else in the place of another; undefined where that one's role allows none. */
  marked?(message: Foreign, text: string): Foreign;
}

/** How a provider's messages are read and written. */
export interface FormatModule extends Placement {
  /**
   * The parts of a conversation; yields before each message.
   *
   * @param to the provider of the request, where it is known and the format `isMixed`
   * @param adapter what writes the request, where that is known
   */
  reading(messages: readonly Foreign[], to?: Provider, adapter?: Adapter): Generator<undefined, Part[], unknown>;
  /** Whether several providers may have made a conversation, so that what of it is sent depends on the provider of the request. */
  isMixed?: true;
  /** The values that a text edit sets. */
  replace(message: Foreign, part: Part, text: string): { path: Path; value: unknown }[];
  /** A message without some of its parts; undefined when nothing is left of it. */
  without(message: Foreign, parts: Part[]): Foreign;
  /** Whether a message goes with the one behind it. */
  leads?(message: Foreign): boolean;
  /** The same for servers that want the roles of the user and the assistant to alternate. */
  alternating?: Placement;
  /** Whether the input of a call is any text, not JSON. */
  freeForm?(part: Part): boolean;
  /** The type of a block of text in a result. */
  resultText?: string;
}

/** A format as providers/index.ts gives it. */
export interface Format extends FormatModule {
  name: FormatName;
  /** Whose API it is; undefined where messages may go to any provider. */
  vendor: Provider | undefined;
  recognises(message: Foreign): 'yes' | 'maybe' | 'no';
  /** The format as it is without what is known of where requests go. */
  base?: Format;
  /** The provider that its messages are read for. */
  to?: Provider | undefined;
  /** The provider by whose rules they are counted. */
  rules?: Provider | undefined;
  /** What writes the requests. */
  adapter?: Adapter | undefined;
  read(messages: readonly Foreign[]): Part[];
  write(messages: readonly Foreign[], edits: readonly Edit[]): Foreign[];
}
