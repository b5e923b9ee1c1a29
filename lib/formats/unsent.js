// @ts-check
'use strict';

/**
 * Returns whether nothing is sent of a part of the AI SDK: `@ai-sdk/anthropic` puts one before each streamed answer, with the id, the model
 * and the usage of the message.
 *
 * @param {import('../types.d.ts').Foreign} part
 */
const isUnsent = (part) => part?.type === 'custom' && part.kind === 'anthropic.message_start';

module.exports = { isUnsent };
