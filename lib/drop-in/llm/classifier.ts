import { checkString } from '../../checks.js';
import { classifyMessage, isHardReason } from '../classify.js';
import { defaultOf } from '../../options/index.js';
import { checkArguments } from './arguments.js';
import { classifierPrompt, headed } from './prompts.js';
import { parseVerdict } from './verdict.js';
import type { ClassifierResult as Verdict } from '../../../index.d.ts';
import type { CallLlm } from '../../../index.js';
import type { Foreign } from '../../types.js';

/** See `index.d.ts`. */
export const createClassifier = (callLlm: CallLlm, options?: Foreign): ((text: string) => Verdict | Promise<Verdict>) =>
  classifierOf('createClassifier', callLlm, options);

/** See `drop-in.d.ts`. */
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
