import { checkString } from '../../checks.js';
import { defaultOf } from '../../options/index.js';
import { checkArguments } from './arguments.js';
import { headed, structuredPrompt, summaryPrompt } from './prompts.js';
import type { CallLlm, CreateSummarizerOptions } from '../../../index.js';

/** See `index.d.ts`. */
export function createSummarizer(
  callLlm: CallLlm,
  options?: CreateSummarizerOptions | null,
): (text: string) => string | PromiseLike<string> {
  const given: CreateSummarizerOptions = checkArguments('createSummarizer', callLlm, options);
  const prompt = given.mode === 'structured' ? structuredInstructions(given) : instructions(given, given.mode === 'aggressive');
  return (text) => {
    checkString('summarizer(): text', text);
    return callLlm(prompt + text);
  };
}

/** See `drop-in.d.ts`. */
export function createEscalatingSummarizer(
  callLlm: CallLlm,
  options: CreateSummarizerOptions | null | undefined,
): (text: string) => Promise<string> {
  const given: CreateSummarizerOptions = checkArguments('createEscalatingSummarizer', callLlm, options);
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
const tokensOf = ({ maxResponseTokens }: CreateSummarizerOptions): number =>
  maxResponseTokens ?? defaultOf('createSummarizer', 'maxResponseTokens');

function instructions(given: CreateSummarizerOptions, terse: boolean) {
  const allowed = tokensOf(given);
  const tokens = terse ? Math.max(1, Math.floor(allowed / 2)) : allowed;
  return headed(given.systemPrompt ?? '', summaryPrompt({ tokens, terse, terms: given.preserveTerms ?? [] }));
}

const structuredInstructions = (given: CreateSummarizerOptions) =>
  headed(given.systemPrompt ?? '', structuredPrompt({ tokens: tokensOf(given) }));
