import type { Anthropic } from '@anthropic-ai/sdk';
import type { RequestShape } from '../provider.js';

type Params = Anthropic.Beta.MessageCreateParams;

/** What is read of a request, which may be another API's. */
interface Asked {
  thinking?: { type?: unknown } | undefined;
  model?: string | undefined;
  compaction?: unknown;
}

/**
 * Models that refuse a fixed budget, and whose clients ask them to think adaptively instead: Fable, Mythos, and all from version 5.5 on. They are
 * those that check what stands before thinking.
 */
const ADAPTIVE = /claude-(?:fable|mythos|[a-z]+-(?:5[-.][1-9]|[6-9]|[1-9]\d)(?!\d))/;

/** Whether the model thinks by a fixed budget. */
export const hasBudget = ({ thinking, model = '' }: Asked): boolean => thinking?.type === 'enabled' && !ADAPTIVE.test(model);

/** Whether a request is for a summary of all of its messages. */
export const isSummary = ({ compaction }: Asked): boolean => compaction != null;

export const request: RequestShape<Params> = {
  messages: 'messages',
  system: ['system'],
  tools: ['tools'],
  output: ['max_tokens'],
  stored: ['thread'],
  hasBudget,
  isSummary,
};
