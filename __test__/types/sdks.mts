// Compiled, never run: the message types of the SDKs go in and come out as they are, without a cast.
import type Anthropic from '@anthropic-ai/sdk';
import type { Content } from '@google/genai';
import type { BaseMessage } from '@langchain/core/messages';
import type { ModelMessage, UIMessage } from 'ai';
import type OpenAI from 'openai';
import { restore } from 'palimpsest';
import type { Format, Message, Originals, RestoreResult } from 'palimpsest';

/** Compiles only when the two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(proof: Same<A, B>) => proof;

/** `any` would go in and come out of everything. */
type Solid<T> = 0 extends 1 & T ? never : T;
const solid = <T,>(list: readonly Solid<T>[]) => list;

interface WeatherMetadata {
  city: string;
}

declare const chat: OpenAI.Chat.Completions.ChatCompletionMessageParam[];
declare const items: OpenAI.Responses.ResponseInputItem[];
declare const claude: Anthropic.MessageParam[];
declare const model: ModelMessage[];
declare const ui: UIMessage<WeatherMetadata>[];
declare const contents: readonly Content[];
declare const langchain: BaseMessage[];
declare const dropIn: Message[];
declare const originals: Originals;

solid(chat), solid(items), solid(claude), solid(model), solid(ui), solid(contents), solid(langchain);
same<ReturnType<typeof restore<Content>>, RestoreResult<Content>>(true);
const backChat: OpenAI.Chat.Completions.ChatCompletionMessageParam[] = restore(chat, originals).messages;
const backItems: OpenAI.Responses.ResponseInput = restore(items, originals).messages;
const backClaude: Anthropic.MessageParam[] = restore(claude, originals).messages;
const backModel: ModelMessage[] = restore(model, originals).messages;
const backUi: UIMessage<WeatherMetadata>[] = restore(ui, originals).messages;
const backContents: Content[] = restore(contents, originals).messages;
const backLangchain: BaseMessage[] = restore(langchain, originals).messages;
const backDropIn: Message[] = restore(dropIn, originals).messages;

const rounds: Originals = { ...originals, ...originals };
const parsed: Originals = JSON.parse(JSON.stringify(originals));
const { missing, restored }: { missing: string[]; restored: number } = restore(chat, rounds);
// @ts-expect-error a conversation is a list
restore(chat[0], originals);
// @ts-expect-error strings are no messages
restore(['text'], originals);
// @ts-expect-error there is no such format
const format: Format = 'openai';
