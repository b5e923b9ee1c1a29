// @ts-check
'use strict';

const { checkString } = require('../checks.js');
const { defaultOf } = require('../options/index.js');
const { checkArguments } = require('./arguments.js');
const { headed, structuredPrompt, summaryPrompt } = require('./prompts.js');

/**
 * Makes a `summarizer` for `compress` out of a function that sends a prompt to an LLM.
 *
 * @param {(prompt: string) => string | Promise<string>} callLlm called with one argument for each text
 * @param {object} [options]
 * @param {number} [options.maxResponseTokens] tokens that the prompt allows the answer, above 0 (default 300);
 *   a request to the model, nothing is cut
 * @param {string} [options.systemPrompt] stands in front of every prompt, followed by a blank line
 * @param {'normal' | 'aggressive' | 'structured'} [options.mode] `aggressive` asks for terse bullet points in half of the
 *   tokens, `structured` for the state that an agent needs in its later turns (default `normal`)
 * @param {string[]} [options.preserveTerms] kinds of text to be kept as written, beside those that the prompt names
 *   already; without effect in mode `structured`
 * @returns {(text: string) => string | Promise<string>} hands on what `callLlm` returns, throws or rejects with
 * @throws {TypeError | RangeError} an argument is wrong
 */
function createSummarizer(callLlm, options) {
  const given = checkArguments('createSummarizer', callLlm, options);
  const prompt = given.mode === 'structured' ? structuredInstructions(given) : instructions(given, given.mode === 'aggressive');
  return (text) => {
    checkString('summarizer(): text', text);
    return callLlm(prompt + text);
  };
}

/**
 * Makes a `summarizer` that asks a second time, for terse bullet points in half of the tokens, when the first answer is
 * no string, empty, not shorter than the text, or fails. The second answer is returned as it comes, and its failure is
 * passed on; `compress` then summarises without the LLM.
 *
 * Takes what `createSummarizer` takes; `mode` is without effect.
 *
 * @returns {(text: string) => Promise<string>}
 * @throws {TypeError | RangeError} an argument is wrong
 */
function createEscalatingSummarizer(callLlm, options) {
  const given = checkArguments('createEscalatingSummarizer', callLlm, options);
  const first = instructions(given, false);
  const second = instructions(given, true);

  return async (text) => {
    checkString('summarizer(): text', text);
    try {
      const summary = await callLlm(first + text);
      if (typeof summary === 'string' && summary.length > 0 && summary.length < text.length) return summary;
    } catch {
      // The second call is the answer to a failure too.
    }
    return callLlm(second + text);
  };
}

/** Tokens that the prompt allows a summary. */
const tokensOf = ({ maxResponseTokens }) => maxResponseTokens ?? defaultOf('createSummarizer', 'maxResponseTokens');

function instructions(given, terse) {
  const allowed = tokensOf(given);
  const tokens = terse ? Math.max(1, Math.floor(allowed / 2)) : allowed;
  return headed(given.systemPrompt ?? '', summaryPrompt({ tokens, terse, terms: given.preserveTerms ?? [] }));
}

const structuredInstructions = (given) => headed(given.systemPrompt ?? '', structuredPrompt({ tokens: tokensOf(given) }));

module.exports = { createSummarizer, createEscalatingSummarizer };
