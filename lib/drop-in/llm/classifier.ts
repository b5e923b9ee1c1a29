import { checkString } from '../../checks.js';
import { classifyMessage, isHardReason } from '../classify.js';
import { defaultOf } from '../../options/index.js';
import { checkArguments } from './arguments.js';
import { classifierPrompt, headed } from './prompts.js';
import { parseVerdict } from './verdict.js';
import type { ClassifierResult as Verdict } from '../../../index.d.ts';
import type { CallLlm, CreateClassifierOptions } from '../../../index.js';

/** See `index.d.ts`. */
export const createClassifier = (
  callLlm: CallLlm,
  options?: CreateClassifierOptions | null,
): ((text: string) => Verdict | Promise<Verdict>) => classifierOf('createClassifier', callLlm, options);

/** See `drop-in.d.ts`. */
export function createEscalatingClassifier(
  callLlm: CallLlm,
  options: CreateClassifierOptions | null | undefined,
): (text: string) => Promise<Verdict> {
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

const isThenable = (answer: string | PromiseLike<string>): answer is PromiseLike<string> =>
  typeof (answer as PromiseLike<string> | null | undefined)?.then === 'function';

function classifierOf(factory: string, callLlm: CallLlm, options: CreateClassifierOptions | null | undefined) {
  const given: CreateClassifierOptions = checkArguments(factory, callLlm, options);
  const { systemPrompt, maxResponseTokens, alwaysPreserve, alwaysCompress } = given;
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
    const answer = callLlm(prompt + text);
    return isThenable(answer) ? Promise.resolve(answer).then(parseVerdict) : parseVerdict(answer);
  };
}
