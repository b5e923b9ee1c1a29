// Everything that a message can hold, as the SDKs declare it. `tsc` writes the types of these constants out as unions of their names, and
// `__test__/support/declared.mjs` reads them: a kind that an SDK adds is a name that the descriptions in `__test__/providers/` have not.
import type { Message, PartSource } from '@ag-ui/core';
import type Anthropic from '@anthropic-ai/sdk';
import type { Part } from '@google/genai';
import type { ContentBlock } from '@langchain/core/messages';
import type { MastraDBMessage } from '@mastra/core/agent';
import type { AgentInputItem } from '@openai/agents';
import type { ModelMessage, ToolModelMessage, ToolUIPart, UIMessage } from 'ai';
import type OpenAI from 'openai';

type Beta = Anthropic.Beta.BetaContentBlockParam;
type Responses = OpenAI.Responses.ResponseInputItem;
type Chat = OpenAI.Chat.ChatCompletionMessageParam;
/** What a list holds, wherever a type allows one beside a text or nothing. */
type In<Type> = Type extends readonly (infer Element)[] ? Element : never;
type ContentOf<Type> = Type extends { content?: infer Content } ? In<Content> : never;

declare function types<Type>(): Type extends { type?: infer Name } ? Name : never;
declare function members<Type>(): { [Name in keyof Type]-?: Name }[keyof Type];
declare function roles<Type>(): Type extends { role: infer Name } ? Name : never;
declare function states<Type>(): Type extends { state: infer Name } ? Name : never;

export const anthropic = types<Beta>();
export const anthropicInResult = types<ContentOf<Extract<Beta, { type: 'tool_result' }>>>();

export const responses = types<Responses>();
export const responsesInMessage = types<ContentOf<Extract<Responses, { role: string }>>>();
export const responsesInOutput = types<In<Extract<Responses, { type: 'function_call_output' }>['output']>>();

export const chatInMessage = types<ContentOf<Chat>>();
export const chatOfAssistant = members<Extract<Chat, { role: 'assistant' }>>();
export const chatCalls = types<OpenAI.Chat.ChatCompletionMessageToolCall>();
export const chatRoles = roles<Chat>();

export const gemini = members<Part>();

export const modelInMessage = types<ContentOf<ModelMessage>>();
type Output = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>['output'];
export const modelOutputs = types<Output>();
export const modelInOutput = types<In<Extract<Output, { type: 'content' }>['value']>>();

export const uiParts = types<UIMessage['parts'][number]>();
export const uiStates = states<ToolUIPart>();

export const agents = types<AgentInputItem>();
export const agentsInMessage = types<ContentOf<AgentInputItem>>();
export const agentsInResult = types<In<Extract<AgentInputItem, { type: 'function_call_result' }>['output']>>();

export const langchain = types<ContentBlock.Standard>();

export const mastra = types<MastraDBMessage['content']['parts'][number]>();

export const agUiRoles = roles<Message>();
export const agUiInMessage = types<ContentOf<Message>>();
export const agUiSources = types<PartSource>();
