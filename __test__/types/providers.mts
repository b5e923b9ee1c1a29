// Compiled, never run: the messages of the SDKs go in as they are.
import type Anthropic from '@anthropic-ai/sdk';
import type { BaseMessage } from '@langchain/core/messages';
import type { ModelMessage, UIMessage } from 'ai';
import type OpenAI from 'openai';
import { validate, type Format, type Problem, type ValidateOptions } from 'palimpsest';

declare const chat: OpenAI.Chat.ChatCompletionMessageParam[];
declare const items: OpenAI.Responses.ResponseInputItem[];
declare const blocks: readonly Anthropic.MessageParam[];
declare const model: ModelMessage[];
declare const ui: UIMessage[];
declare const langchain: BaseMessage[];

const problems: Problem[] = [
  ...validate(chat, { format: 'openai-chat' }),
  ...validate(items, { format: 'openai-responses' }),
  ...validate(blocks, { format: 'anthropic' }),
  ...validate(model, { format: 'ai-sdk-model' }),
  ...validate(ui, { format: 'ai-sdk-ui' }),
  ...validate(langchain, { format: 'langchain' }),
];
const [rule, path, message]: string[] = problems.flatMap((problem) => [problem.rule, problem.path, problem.message]);
declare const format: Format | 'auto' | undefined;
const options: ValidateOptions = { format };
validate(chat, options);
validate(chat, null);
// @ts-expect-error no such format
validate(chat, { format: 'openai' });
// @ts-expect-error messages are a list
validate(chat[0]);
