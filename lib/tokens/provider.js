// @ts-check
'use strict';

/**
 * The provider by whose rules the messages of a format are counted: OpenAI's where they may go to any provider.
 *
 * @param {string} format
 * @returns {'openai' | 'anthropic' | 'gemini'}
 */
const providerOf = (format) => (format === 'anthropic' || format === 'gemini' ? format : 'openai');

module.exports = { providerOf };
