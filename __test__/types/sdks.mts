// Compiled, never run: the message types of the SDKs go in and come out as they are, without a cast.
import type Anthropic from '@anthropic-ai/sdk';
import type { Content, GenerateContentConfig } from '@google/genai';
import type { BaseMessage, SystemMessage } from '@langchain/core/messages';
import type { ModelMessage, SystemModelMessage, UIMessage } from 'ai';
import type OpenAI from 'openai';
import { compress, countTokens, fit, prune, restore, uncompress, validate } from 'palimpsest';
import type { CompressResult, FitResult, Format, FormatCompressOptions, FormatCompressResult, Message, Originals, Problem, PruneOptions, PruneResult, RestoreResult, ValidateOptions } from 'palimpsest';

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

const fittedChat: OpenAI.Chat.Completions.ChatCompletionMessageParam[] = fit(chat, { budget: 1000 }).messages;
const fittedItems: OpenAI.Responses.ResponseInput = fit(items, { budget: 1000, format: 'openai-responses' }).messages;
const fittedClaude: Anthropic.MessageParam[] = fit(claude, { budget: 1000, thinking: 'strip', keep: { recent: 2, patterns: [/TODO/] } }).messages;
const fittedModel: ModelMessage[] = fit(model, { budget: 1000, prune: { edits: 'last' } }).messages;
const fittedUi: UIMessage<WeatherMetadata>[] = fit(ui, { budget: 1000, tokenCounter: ({ parts }) => parts.length }).messages;
const fittedContents: Content[] = fit(contents, { budget: 1000, tools: [{ functionDeclarations: [] }] }).messages;
const fittedLangchain: BaseMessage[] = fit(langchain, { budget: 1000, originals }).messages;
const fittedLater: Promise<FitResult<Content>> = fit(contents, { budget: 1000, summarizer: async (text) => text });
// @ts-expect-error nothing fits no budget
fit(chat, {});
// @ts-expect-error with a summarizer it takes a while
fit(chat, { budget: 1000, summarizer: (text) => text }).messages;

same<ReturnType<typeof prune<Content>>, PruneResult<Content>>(true);
const prunedChat: OpenAI.Chat.Completions.ChatCompletionMessageParam[] = prune(chat).messages;
const prunedItems: OpenAI.Responses.ResponseInput = prune(items, { format: 'openai-responses' }).messages;
const prunedClaude: Anthropic.MessageParam[] = prune(claude, { mode: 'remove', keep: { recent: 8, paths: ['*.md'] } }).messages;
const prunedModel: ModelMessage[] = prune(model, { tools: { loadFile: { kind: 'read', path: 'file' } } }).messages;
const prunedUi: UIMessage<WeatherMetadata>[] = prune(ui).messages;
const prunedContents: Content[] = prune(contents).messages;
const prunedLangchain: BaseMessage[] = prune(langchain).messages;
const prunedDropIn: Message[] = prune(dropIn).messages;
const { originals: taken, report }: PruneResult<ModelMessage> = prune(model, { trace: true });
const again: ModelMessage[] = restore(prunedModel, taken).messages;
const line: string = report.summary;
// @ts-expect-error there is no such mode
const wrong: PruneOptions = { mode: 'drop' };
// @ts-expect-error thinking is kept, stripped or left
const neither: PruneOptions = { thinking: true };
declare const claudeSystem: NonNullable<Anthropic.MessageCreateParams['system']>;
declare const systemInstruction: NonNullable<GenerateContentConfig['systemInstruction']>;
declare const instructions: string | SystemModelMessage | SystemModelMessage[];
declare const systemMessage: SystemMessage;
declare const developer: OpenAI.Chat.Completions.ChatCompletionDeveloperMessageParam;
for (const system of [claudeSystem, systemInstruction, instructions, systemMessage, developer, null]) countTokens(chat, { system });
const withSystem: FitResult<Anthropic.MessageParam> = fit(claude, { budget: 1000, system: claudeSystem, thinking: 'leave' });
const { heldByThinking, strippedOpenTurn }: { heldByThinking?: number; strippedOpenTurn?: true } = withSystem.report;
// @ts-expect-error instructions are no number
countTokens(chat, { system: 5 });
// @ts-expect-error the user gives no instructions
countTokens(chat, { system: { role: 'user', content: 'Hi' } });
const stripped: number = prune(claude, { thinking: 'strip' }).report.strippedThinking;
// @ts-expect-error there is no such kind of tool
prune(chat, { tools: { load: { kind: 'reed', path: 'file' } } });

const shortChat: OpenAI.Chat.Completions.ChatCompletionMessageParam[] = compress(chat, { format: 'openai-chat' }).messages;
const shortItems: OpenAI.Responses.ResponseInput = compress(items, { format: 'openai-responses', tokenizer: 'o200k_base' }).messages;
const shortClaude: Anthropic.MessageParam[] = compress(claude, { format: 'auto', tokenCounter: ({ content }) => content?.length ?? 0 }).messages;
const shortModel: ModelMessage[] = compress(model, { format: 'ai-sdk-model' }).messages;
const shortUi: UIMessage<WeatherMetadata>[] = compress(ui, { format: 'ai-sdk-ui' }).messages;
const shortContents: Content[] = compress(contents, { format: 'gemini' }).messages;
const shortLangchain: BaseMessage[] = compress(langchain, { format: 'langchain', summarizer: null }).messages;
const shortDropIn = compress(dropIn, { format: 'message' });
same<typeof shortDropIn, FormatCompressResult<Message>>(true);
const asEver = compress(dropIn, { format: null });
const stillVerbatim: CompressResult['verbatim'] = asEver.verbatim;
const summarised: Promise<FormatCompressResult<Anthropic.MessageParam>> = compress(claude, { format: 'anthropic', summarizer: (text) => text.slice(0, 9) });
declare const either: FormatCompressOptions;
const soon: FormatCompressResult<Content> | Promise<FormatCompressResult<Content>> = compress(contents, either);
const fullClaude: Anthropic.MessageParam[] = uncompress(shortClaude, compress(claude, { format: 'anthropic' }).verbatim).messages;
const merged: Originals = { ...originals, ...shortDropIn.verbatim };
// @ts-expect-error these messages have no ids
compress(claude);
// @ts-expect-error no such format
compress(claude, { format: 'claude' });

const total: number = [chat, items, claude, model, ui, contents, langchain, dropIn].reduce((sum, list) => sum + countTokens(list), countTokens('text'));
const problems: Problem[] = [chat, items, claude, model, ui, contents, langchain, dropIn].flatMap((list) => validate<object>(list));
const [rule, path, message]: string[] = problems.flatMap((problem) => [problem.rule, problem.path, problem.message]);
declare const given: Format | 'auto' | undefined;
const options: ValidateOptions = { format: given };
validate(chat, options);
validate(chat, null);
// @ts-expect-error no such format
validate(chat, { format: 'openai' });
// @ts-expect-error messages are a list
validate(chat[0]);
