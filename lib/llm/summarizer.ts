import { checkString } from '../checks.js';
import { defaultOf } from '../options/index.js';
import { checkArguments } from './arguments.js';
import { headed, structuredPrompt, summaryPrompt } from './prompts.js';
import type { Foreign } from '../types.js';
import type { CallLlm } from '../../index.js';

/**
 * Creates a `summarizer` for `compress` from a function that sends a prompt to an LLM.
 *
 * @param callLlm called with one argument for each text
 * @returns passes on what `callLlm` returns, throws or rejects with
 * @throws {TypeError | RangeError} an argument is wrong
 */
export function createSummarizer(
  callLlm: (prompt: string) => string | Promise<string>,
  options?: {
    /** length of the answer in tokens, above 0, as the prompt requests it (default 300); nothing is cut */
    maxResponseTokens?: number;
    /** text at the start of every prompt, followed by a blank line */
    systemPrompt?: string;
    /** `aggressive` requests terse bullet points in half of the tokens, `structured` the state that an agent needs in later turns (default `normal`) */
    mode?: 'normal' | 'aggressive' | 'structured';
    /** kinds of text to keep as written, in addition to those that the prompt names already; no effect in mode `structured` */
    preserveTerms?: string[];
  },
): (text: string) => string | Promise<string> {
  const given = checkArguments('createSummarizer', callLlm, options);
  const prompt = given.mode === 'structured' ? structuredInstructions(given) : instructions(given, given.mode === 'aggressive');
  return (text) => {
    checkString('summarizer(): text', text);
    return callLlm(prompt + text);
  };
}

/**
 * Creates a `summarizer` that asks a second time, for terse bullet points in half of the tokens, if the first answer fails, is not a
 * string, is empty or is not shorter than the text. The second answer is returned as it is, and its failure is passed on; `compress`
 * then summarises without the LLM.
 *
 * Takes the arguments of `createSummarizer`; `mode` has no effect.
 *
 * @throws {TypeError | RangeError} an argument is wrong
 */
export function createEscalatingSummarizer(callLlm: CallLlm, options: Foreign): (text: string) => Promise<string> {
  const given = checkArguments('createEscalatingSummarizer', callLlm, options);
  const first = instructions(given, false);
  const second = instructions(given, true);

  return async (text) => {
    checkString('summarizer(): text', text);
    try {
      const summary = await callLlm(first + text);
      if (typeof summary === 'string' && summary.length > 0 && summary.length < text.length) return summary;
    } catch {
      // The second call follows a failure too.
    }
    return callLlm(second + text);
  };
}

/** Returns the number of tokens that the prompt requests. */
const tokensOf = ({ maxResponseTokens }: Foreign) => maxResponseTokens ?? defaultOf('createSummarizer', 'maxResponseTokens');

function instructions(given: Foreign, terse: boolean) {
  const allowed = tokensOf(given);
  const tokens = terse ? Math.max(1, Math.floor(allowed / 2)) : allowed;
  return headed(given.systemPrompt ?? '', summaryPrompt({ tokens, terse, terms: given.preserveTerms ?? [] }));
}

const structuredInstructions = (given: Foreign) => headed(given.systemPrompt ?? '', structuredPrompt({ tokens: tokensOf(given) }));
