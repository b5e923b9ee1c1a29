// Compiled, never run: the message types of the SDKs go in and come out as they are, without a cast.
import type { LanguageModelV2Prompt, LanguageModelV3Prompt, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { Message as AgUiMessage } from '@ag-ui/core';
import type Anthropic from '@anthropic-ai/sdk';
import type {
  Content,
  FunctionDeclaration,
  GenerateContentConfig,
  GenerateContentParameters,
  GenerateContentResponseUsageMetadata,
  GoogleGenAI,
} from '@google/genai';
import type { BaseMessage, SystemMessage, UsageMetadata } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';
import type { AgentInputItem, Tool, Usage } from '@openai/agents';
import type { LanguageModelUsage, ModelMessage, SystemModelMessage, ToolSet, UIMessage } from 'ai';
import type OpenAI from 'openai';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { jsonSchema, tool as aiTool } from 'ai';
import { tool as langchainTool } from 'langchain';
import {
  compress,
  countTokens,
  createSession,
  fit,
  fitAsync,
  fitRequest,
  fitRequestAsync,
  prune,
  recallTool,
  restore,
  uncompress,
  validate,
} from 'palimpsest';
import type {
  AsyncFormatCompressOptions,
  AsyncSession,
  AsyncSessionOptions,
  CompressResult,
  FitAsyncOptions,
  FitOptions,
  FitRequestResult,
  FitResult,
  FitSettings,
  Format,
  FormatCompressOptions,
  FormatCompressResult,
  Message,
  Originals,
  Problem,
  PruneOptions,
  PruneResult,
  RecallTool,
  RestoreResult,
  SavedSession,
  Session,
  SessionOptions,
  SessionStep,
  Store,
  Summarizer,
  SyncFormatCompressOptions,
  ToolMap,
  ValidateOptions,
} from 'palimpsest';

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
declare const agentsItems: AgentInputItem[];
declare const claude: Anthropic.MessageParam[];
declare const model: ModelMessage[];
declare const ui: UIMessage<WeatherMetadata>[];
declare const agUi: AgUiMessage[];
declare const contents: readonly Content[];
declare const langchain: BaseMessage[];
declare const dropIn: Message[];
declare const originals: Originals;

solid(chat), solid(items), solid(agentsItems), solid(claude), solid(model), solid(ui), solid(contents), solid(langchain);
same<ReturnType<typeof restore<Content>>, RestoreResult<Content>>(true);
const backChat: OpenAI.Chat.Completions.ChatCompletionMessageParam[] = restore(chat, originals).messages;
const backItems: OpenAI.Responses.ResponseInput = restore(items, originals).messages;
const backAgents: AgentInputItem[] = restore(agentsItems, originals).messages;
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

const fittedChat: OpenAI.Chat.Completions.ChatCompletionMessageParam[] = fit(chat, { limit: 1000 }).messages;
const fittedItems: OpenAI.Responses.ResponseInput = fit(items, { limit: 1000, format: 'openai-responses' }).messages;
const fittedAgents: AgentInputItem[] = fit(agentsItems, { limit: 1000, format: 'openai-agents' }).messages;
const fittedClaude: Anthropic.MessageParam[] = fit(claude, {
  limit: 1000,
  thinking: 'strip',
  keep: { recent: 2, patterns: [/TODO/] },
}).messages;
const fittedModel: ModelMessage[] = fit(model, { limit: 1000, prune: { edits: 'last' } }).messages;
const fittedAgUi: AgUiMessage[] = fit(agUi, { limit: 1000, format: 'ag-ui' }).messages;
const backAgUi: AgUiMessage[] = restore(fittedAgUi, originals).messages;
const fittedUi: UIMessage<WeatherMetadata>[] = fit(ui, { limit: 1000, tokenCounter: ({ parts }) => parts.length }).messages;
const fittedContents: Content[] = fit(contents, { limit: 1000, tools: [{ functionDeclarations: [] }] }).messages;
const fittedLangchain: BaseMessage[] = fit(langchain, { limit: 1000, originals }).messages;
const fittedLater: Promise<FitResult<Content>> = fitAsync(contents, { limit: 1000, summarizer: async (text) => text });
// @ts-expect-error it takes a while
fitAsync(chat, { limit: 1000, summarizer: (text) => text }).messages;

declare const anthropicClient: Anthropic;
declare const openaiClient: OpenAI;
declare const geminiClient: GoogleGenAI;
declare const claudeRequest: Anthropic.MessageCreateParamsNonStreaming;
declare const claudeAny: Anthropic.MessageCreateParams;
declare const claudeBeta: Anthropic.Beta.MessageCreateParamsNonStreaming;
declare const chatRequest: OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;
declare const chatAny: OpenAI.Chat.ChatCompletionCreateParams;
declare const responsesRequest: OpenAI.Responses.ResponseCreateParamsNonStreaming;
declare const responsesAny: OpenAI.Responses.ResponseCreateParams;
declare const geminiRequest: GenerateContentParameters;
const claudeAnswer: Promise<Anthropic.Message> = anthropicClient.messages.create(fitRequest(claudeRequest).request);
anthropicClient.messages.create(fitRequest(claudeAny, { window: 200_000 }).request);
anthropicClient.beta.messages.create(fitRequest(claudeBeta, { thinking: 'strip' }).request);
const chatAnswer: Promise<OpenAI.ChatCompletion> = openaiClient.chat.completions.create(fitRequest(chatRequest, null).request);
openaiClient.chat.completions.create(fitRequest(chatAny, { limit: 1000 }).request);
const response: Promise<OpenAI.Responses.Response> = openaiClient.responses.create(fitRequest(responsesRequest).request);
openaiClient.responses.create(fitRequest(responsesAny).request);
geminiClient.models.generateContent(fitRequest(geminiRequest, { limit: 1000, model: 'gemini-2.5-flash' }).request);
const claudeFitted = fitRequest(claudeRequest);
same<typeof claudeFitted, FitRequestResult<Anthropic.MessageCreateParamsNonStreaming>>(true);
same<typeof claudeFitted.messages, Anthropic.MessageParam[]>(true);
const requestChat: OpenAI.Chat.ChatCompletionMessageParam[] = fitRequest(chatRequest).messages;
const requestItems: OpenAI.Responses.ResponseInputItem[] = fitRequest(responsesRequest).messages;
const requestContents: Content[] = fitRequest(geminiRequest).messages;
solid(requestChat), solid(requestItems), solid(requestContents);
const requestLater: Promise<FitRequestResult<GenerateContentParameters>> = fitRequestAsync(geminiRequest, {
  summarizer: async (text) => text,
});
const requestCounted = fitRequest(claudeRequest, { tokenCounter: ({ content }) => content.length }).tokens.after;
const backRequest: Anthropic.MessageParam[] = restore(fitRequest(claudeRequest).request.messages, originals).messages;
// @ts-expect-error it is no request
fitRequest({ model: 'gpt-5.5' });
// @ts-expect-error instructions are in the request
fitRequest(claudeRequest, { system: 'Be brief.' });
// @ts-expect-error it takes a while
fitRequestAsync(claudeRequest, { summarizer: (text) => text }).request;

declare const toolSet: ToolSet;
declare const langchainTools: StructuredToolInterface[];
declare const agentsTools: Tool[];
declare const claudeTools: Anthropic.ToolUnion[];
for (const tools of [toolSet, langchainTools, agentsTools, claudeTools, null]) countTokens(chat, { tools, model: 'gpt-5.5' });
fit(model, { model: 'claude-opus-5', tools: toolSet, maxOutputTokens: 16_000 });
createSession({ model: 'gpt-5.5', tools: langchainTools });
// @ts-expect-error a name alone is no tool
countTokens(chat, { tools: 'bash' });
// Options in a variable.
const syncFit: FitOptions = { limit: 1000, thinking: 'strip' };
const syncFitted = fit(claude, syncFit);
same<typeof syncFitted, FitResult<Anthropic.MessageParam>>(true);
const inferredFit = { limit: 1000, keep: { recent: 2 } };
const inferredFitted = fit(claude, inferredFit);
same<typeof inferredFitted, FitResult<Anthropic.MessageParam>>(true);
const countedFit: FitOptions<UIMessage<WeatherMetadata>> = { limit: 1000, tokenCounter: ({ parts }) => parts.length };
const countedFitted = fit(ui, countedFit);
same<typeof countedFitted, FitResult<UIMessage<WeatherMetadata>>>(true);
const asyncFit: FitAsyncOptions = { limit: 1000, summarizer: async (text) => text };
const asyncFitted = fitAsync(claude, asyncFit);
same<typeof asyncFitted, Promise<FitResult<Anthropic.MessageParam>>>(true);
// @ts-expect-error a summarizer takes a while
const summingFit: FitOptions = { limit: 1000, summarizer: (text: string) => text };
// @ts-expect-error so it does in a variable
fit(claude, asyncFit);
// Options that are perhaps given.
declare const most: number | undefined;
declare const named: string | null;
fit(claude, { limit: most ?? 1000, model: named });
fit(claude, { limit: most, model: 'claude-opus-5' });
fit(claude, { window: most, maxOutputTokens: most, model: 'claude-opus-5' });
fitRequest(claudeRequest, { limit: most });
createSession({ limit: 1000, ...(most === undefined ? {} : { low: 0.4 }) });
// @ts-expect-error then there may be no limit
fit(claude, { limit: most });
// Options that several calls share.
const shared = { keep: { user: true }, thinking: 'leave' } satisfies Partial<FitSettings>;
fit(claude, { ...shared, limit: 1000 });
fitRequest(claudeRequest, { ...shared, window: 200_000 });
createSession({ ...shared, model: 'claude-opus-5' });
fitAsync(claude, { ...syncFit, concurrency: 2 });

const session = createSession({ window: 200_000, maxOutputTokens: 16_000, preset: 'thrifty', cache: { read: 0.1, ttl: 300_000 } });
const sentChat: OpenAI.Chat.Completions.ChatCompletionMessageParam[] = session.next(chat).messages;
const sentItems: OpenAI.Responses.ResponseInput = session.next(items).messages;
const sentAgents: AgentInputItem[] = session.next(agentsItems).messages;
const sentClaude: Anthropic.MessageParam[] = session.next(claude).messages;
const sentModel: ModelMessage[] = session.next(model).messages;
const sentAgUi: AgUiMessage[] = session.next(agUi).messages;
const sentUi: UIMessage<WeatherMetadata>[] = session.next(ui).messages;
const sentContents: Content[] = session.next(contents).messages;
const sentLangchain: BaseMessage[] = session.next(langchain).messages;
const sentDropIn: Message[] = session.next(dropIn).messages;
const sentLater: Promise<SessionStep<Content>> = session.nextAsync(contents);
same<typeof session, Session>(true);

declare const chatUsage: OpenAI.CompletionUsage;
declare const itemsUsage: OpenAI.Responses.ResponseUsage;
declare const claudeUsage: Anthropic.Usage;
declare const modelUsage: LanguageModelUsage;
declare const agentsUsage: Usage;
declare const contentsUsage: GenerateContentResponseUsageMetadata;
declare const langchainUsage: UsageMetadata;
for (const usage of [chatUsage, itemsUsage, agentsUsage, claudeUsage, modelUsage, contentsUsage, langchainUsage]) session.observe(usage);
// @ts-expect-error usage is no number
session.observe(5);

// Options in a variable, whatever is known of it.
const plainOptions = { limit: 60_000, low: 0.4, tools: [{ functionDeclarations: [] }] };
const bySimple: Content[] = createSession(plainOptions).next(contents).messages;
const summingUp = { limit: 60_000, summarizer: async (text: string) => text };
const bySumming: Promise<SessionStep<Content>> = createSession(summingUp).next(contents);
declare const anyOptions: SessionOptions;
const byAny: SessionStep<Anthropic.MessageParam> = createSession(anyOptions).next(claude);
declare const anyAsyncOptions: AsyncSessionOptions;
const byAnyAsync: Promise<SessionStep<Anthropic.MessageParam>> = createSession(anyAsyncOptions).next(claude);
// One of them, with a `nextAsync` that is the same for both.
const oneOfBoth: Session | AsyncSession = contents.length > 5 ? createSession(anyOptions) : createSession(anyAsyncOptions);
const byBoth: Promise<SessionStep<Anthropic.MessageParam>> = oneOfBoth.nextAsync(claude);
interface Turn {
  role: string;
  content: string;
  at: Date;
}
declare const turns: Turn[];
declare const turnOptions: SessionOptions<Turn>;
const byTurns: Date | undefined = createSession(turnOptions).next(turns).messages[0]?.at;
const satisfied = { limit: 60_000, low: 0.4 } satisfies SessionOptions;
const bySatisfied: Turn[] = createSession(satisfied).next(turns).messages;
declare const perhaps: Summarizer | undefined;
const eitherSession: AsyncSession | Session = createSession({ limit: 60_000, summarizer: perhaps });
// @ts-expect-error nobody knows whether it takes a while
eitherSession.next(turns).messages;
declare const store: Store;
const byPerhaps: AsyncSession = createSession({ limit: 60_000, summarizer: perhaps, store, id: 'a' });
const counting = createSession({ limit: 60_000, tokenCounter: (message: UIMessage<WeatherMetadata>) => message.parts.length });
const byCounter: UIMessage<WeatherMetadata>[] = counting.next(ui).messages;
// @ts-expect-error the counter knows other messages
counting.next(claude);
// @ts-expect-error it takes a while
createSession(summingUp).next(claude).messages;
// @ts-expect-error there is no such preset
createSession({ limit: 60_000, preset: 'cheap' });
// @ts-expect-error prices say how long a cache lives
createSession({ limit: 60_000, cache: { read: 0.1 } });

const syncSession: SessionOptions = { limit: 60_000 };
const bySync = createSession(syncSession);
same<typeof bySync, Session>(true);
const asyncSession: AsyncSessionOptions = { limit: 60_000, summarizer: async (text) => text };
const byAsync = createSession(asyncSession);
same<typeof byAsync, AsyncSession>(true);

const savedSession: SavedSession = JSON.parse(JSON.stringify(session));
const goesOn: Session = createSession({ limit: 60_000 }, savedSession);
const begins: Session<Content> = createSession<Content>({ limit: 60_000, system: null, cacheControl: null }, null);
const {
  fits,
  tokens: { before, after, limit, minimum },
  epoch,
  report: stepReport,
} = goesOn.next(chat);
const told: string[] = [stepReport.summary, String(session.report), epoch?.reason ?? 'none', stepReport.format];
const numbers: (number | undefined)[] = [
  before,
  after,
  limit,
  minimum,
  epoch?.target,
  session.report.epochs.cold,
  session.report.cost.uncut,
  stepReport.messages.reused,
];

same<ReturnType<typeof prune<Content>>, PruneResult<Content>>(true);
const prunedChat: OpenAI.Chat.Completions.ChatCompletionMessageParam[] = prune(chat).messages;
const prunedItems: OpenAI.Responses.ResponseInput = prune(items, { format: 'openai-responses' }).messages;
const prunedAgents: AgentInputItem[] = prune(agentsItems, { format: 'openai-agents' }).messages;
const prunedClaude: Anthropic.MessageParam[] = prune(claude, { mode: 'remove', keep: { recent: 8, paths: ['*.md'] } }).messages;
const prunedModel: ModelMessage[] = prune(model, { toolMap: { loadFile: { kind: 'read', path: 'file' } } }).messages;
const prunedAgUi: AgUiMessage[] = prune(agUi).messages;
const prunedUi: UIMessage<WeatherMetadata>[] = prune(ui).messages;
const prunedContents: Content[] = prune(contents).messages;
const prunedLangchain: BaseMessage[] = prune(langchain).messages;
const prunedDropIn: Message[] = prune(dropIn).messages;
const { originals: taken, report }: PruneResult<ModelMessage> = prune(model, { trace: true });
const again: ModelMessage[] = restore(prunedModel, taken).messages;
const line: string = report.summary;
const ofTools: [Record<string, number>, ToolMap, string[]] = [report.unknownTools, report.guessedTools, report.warnings];
prune(model, { toolMap: report.guessedTools });
const ofFit: Record<string, number> | undefined = syncFitted.report.unknownTools;
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
const withSystem: FitResult<Anthropic.MessageParam> = fit(claude, { limit: 1000, system: claudeSystem, thinking: 'leave' });
const { heldByThinking, strippedOpenTurn }: { heldByThinking?: number; strippedOpenTurn?: true } = withSystem.report;
// @ts-expect-error instructions are no number
countTokens(chat, { system: 5 });
// @ts-expect-error the user gives no instructions
countTokens(chat, { system: { role: 'user', content: 'Hi' } });
const stripped: number = prune(claude, { thinking: 'strip' }).report.strippedThinking;
// @ts-expect-error there is no such kind of tool
prune(chat, { toolMap: { load: { kind: 'reed', path: 'file' } } });

const shortChat: OpenAI.Chat.Completions.ChatCompletionMessageParam[] = compress(chat, { format: 'openai-chat' }).messages;
const shortItems: OpenAI.Responses.ResponseInput = compress(items, { format: 'openai-responses', tokenizer: 'o200k_base' }).messages;
const shortClaude: Anthropic.MessageParam[] = compress(claude, {
  format: 'auto',
  tokenCounter: ({ content }) => content?.length ?? 0,
}).messages;
const shortModel: ModelMessage[] = compress(model, { format: 'ai-sdk-model' }).messages;
const shortUi: UIMessage<WeatherMetadata>[] = compress(ui, { format: 'ai-sdk-ui' }).messages;
const shortContents: Content[] = compress(contents, { format: 'gemini' }).messages;
const shortLangchain: BaseMessage[] = compress(langchain, { format: 'langchain', summarizer: null }).messages;
const shortDropIn = compress(dropIn, { format: 'message' });
same<typeof shortDropIn, FormatCompressResult<Message>>(true);
const asEver = compress(dropIn, { format: null });
const stillVerbatim: CompressResult['verbatim'] = asEver.verbatim;
const summarised: Promise<FormatCompressResult<Anthropic.MessageParam>> = compress(claude, {
  format: 'anthropic',
  summarizer: (text) => text.slice(0, 9),
});
declare const either: FormatCompressOptions;
const soon: FormatCompressResult<Content> | Promise<FormatCompressResult<Content>> = compress(contents, either);
const syncFormat: SyncFormatCompressOptions = { format: 'anthropic', recencyWindow: 2 };
const syncShort = compress(claude, syncFormat);
same<typeof syncShort, FormatCompressResult<Anthropic.MessageParam>>(true);
const asyncFormat: AsyncFormatCompressOptions = { format: 'anthropic', summarizer: async (text) => text };
const asyncShort = compress(claude, asyncFormat);
same<typeof asyncShort, Promise<FormatCompressResult<Anthropic.MessageParam>>>(true);
const fullClaude: Anthropic.MessageParam[] = uncompress(shortClaude, compress(claude, { format: 'anthropic' }).verbatim).messages;
const merged: Originals = { ...originals, ...shortDropIn.verbatim };
// @ts-expect-error these messages have no ids
compress(claude);
// @ts-expect-error no such format
compress(claude, { format: 'claude' });

const total: number = [chat, items, claude, model, ui, contents, langchain, dropIn].reduce(
  (sum, list) => sum + countTokens(list),
  countTokens('text'),
);
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

// What the AI SDK hands to providers and middleware.
declare const v2: LanguageModelV2Prompt;
declare const v3: LanguageModelV3Prompt;
declare const v4: LanguageModelV4Prompt;
solid(v2), solid(v3), solid(v4);
const fittedV2: LanguageModelV2Prompt = fit(v2, { limit: 1000 }).messages;
const fittedV3: LanguageModelV3Prompt = fit(v3, { limit: 1000 }).messages;
const fittedV4: LanguageModelV4Prompt = fit(v4, { limit: 1000, format: 'ai-sdk-model' }).messages;
const prunedV4: LanguageModelV4Prompt = prune(v4).messages;
const shortV4: LanguageModelV4Prompt = compress(v4, { format: 'ai-sdk-model' }).messages;
const backV4: LanguageModelV4Prompt = restore(prunedV4, originals).messages;
const sentV4: LanguageModelV4Prompt = session.next(v4).messages;
const ofV4: [number, Problem[]] = [countTokens(v4), validate(v4)];

// The recall tool of a session fits each SDK's tools as it is.
const recalling: RecallTool = recallTool(session);
const { name: recallName, description: recallDescription, parameters, execute } = recalling;
const recallOfChat: OpenAI.Chat.Completions.ChatCompletionTool = {
  type: 'function',
  function: { name: recallName, description: recallDescription, parameters },
};
const recallOfResponses: OpenAI.Responses.FunctionTool = { type: 'function', name: recallName, parameters, strict: false };
const recallOfClaude: Anthropic.Tool = { name: recallName, description: recallDescription, input_schema: parameters };
const recallOfBetaClaude: Anthropic.Beta.BetaTool = { name: recallName, input_schema: parameters };
const recallOfGemini: FunctionDeclaration = { name: recallName, description: recallDescription, parametersJsonSchema: parameters };
const recallOfAi = aiTool({
  description: recallDescription,
  inputSchema: jsonSchema<Parameters<typeof execute>[0]>(parameters),
  execute: (input) => execute(input),
});
const recallOfLangchain: StructuredToolInterface = langchainTool((input: Parameters<typeof execute>[0]) => execute(input), {
  name: recallName,
  description: recallDescription,
  schema: parameters,
});
new McpServer({ name: 'recall', version: '1' }).registerTool(
  recallName,
  { description: recallDescription, inputSchema: fromJsonSchema<Parameters<typeof execute>[0]>(parameters) },
  (input) => ({ content: [{ type: 'text', text: execute(input) }] }),
);
