import type { Foreign } from '../types.js';

/**
 * Returns whether nothing is sent of a part of the AI SDK: `@ai-sdk/anthropic` puts one before each streamed answer, with the id, the model
 * and the usage of the message.
 */
export const isUnsent = (part: Foreign) => part?.type === 'custom' && part.kind === 'anthropic.message_start';
