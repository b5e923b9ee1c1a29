import { checkString } from '../checks.js';
import { classifyMessage, isHardReason } from '../classify.js';
import { defaultOf } from '../options/index.js';
import { checkArguments } from './arguments.js';
import { classifierPrompt, headed } from './prompts.js';
import { parseVerdict } from './verdict.js';
import type { ClassifierResult as Verdict } from '../../index.d.ts';
import type { CallLlm } from '../../index.js';
import type { Foreign } from '../types.js';

/**
 * Creates a `classifier` for `compress` from a function that sends a prompt to an LLM.
 *
 * @param callLlm called with one argument for each text
 * @returns a promise if `callLlm` returns one (any thenable counts),
 * otherwise the verdict itself; an answer without a verdict yields `compress` with confidence 0 and the reason
 * `unparseable`. What `callLlm` throws or rejects with is passed on; an answer that is not a string is a TypeError.
 * @throws {TypeError | RangeError} an argument is wrong
 */
export function createClassifier(
  callLlm: (prompt: string) => string | Promise<string>,
  options?: {
    /** length of the answer in tokens, above 0, as the prompt requests it (default 100); nothing is cut */
    maxResponseTokens?: number;
    /** text at the start of every prompt, followed by a blank line */
    systemPrompt?: string;
    /** additional criteria for keeping a message as it is */
    alwaysPreserve?: string[];
    /** additional criteria for summarising a message */
    alwaysCompress?: string[];
  },
): (text: string) => Verdict | Promise<Verdict> {
  return classifierOf('createClassifier', callLlm, options);
}

/**
 * Creates a `classifier` that never fails. If the LLM fails, returns no verdict or has no confidence in it, the rules of `compress`
 * decide. The reason is then `heuristic_t0` (a hard reason keeps the text) or `heuristic_fallback`, and the confidence is that of the
 * rules.
 *
 * Takes the arguments of `createClassifier`.
 *
 * @throws {TypeError | RangeError} an argument is wrong
 */
export function createEscalatingClassifier(callLlm: CallLlm, options: Foreign): (text: string) => Promise<Verdict> {
  const classify = classifierOf('createEscalatingClassifier', callLlm, options);

  return async (text) => {
    checkString('classifier(): text', text);
    try {
      const verdict = await classify(text);
      if (verdict.confidence > 0) return verdict;
    } catch {
      // The rules decide after a failure too.
    }
    const { confidence, reasons } = classifyMessage(text);
    return reasons.some(isHardReason)
      ? { decision: 'preserve', confidence, reason: 'heuristic_t0' }
      : { decision: 'compress', confidence, reason: 'heuristic_fallback' };
  };
}

function classifierOf(factory: string, callLlm: CallLlm, options: Foreign) {
  const { systemPrompt, maxResponseTokens, alwaysPreserve, alwaysCompress } = checkArguments(factory, callLlm, options);
  const prompt = headed(
    systemPrompt ?? '',
    classifierPrompt({
      tokens: maxResponseTokens ?? defaultOf(factory, 'maxResponseTokens'),
      preserve: alwaysPreserve ?? [],
      compress: alwaysCompress ?? [],
    }),
  );

  return (text: string) => {
    checkString('classifier(): text', text);
    const answer: Foreign = callLlm(prompt + text);
    return typeof answer?.then === 'function' ? Promise.resolve(answer).then(parseVerdict) : parseVerdict(answer);
  };
}
