// The calls of which the first one in a process is measured, and its memory. Nothing here may load a package.
import { session } from '../generate.mjs';

const small = () => session(4, 20, 13_000);
const BUDGET = 2000;

/** For each verb a function of the package and a conversation that gives the call. */
export const firstCalls = {
  compress:
    ({ compress }, messages = small().map((message, index) => ({ id: `m${index}`, index, ...message }))) =>
    () =>
      compress(messages),
  prune:
    ({ prune }, messages = small()) =>
    () =>
      prune(messages),
  'fit, o200k_base':
    ({ fit }, messages = small()) =>
    () =>
      fit(messages, { limit: BUDGET }),
  'fit, estimate':
    ({ fit }, messages = small()) =>
    () =>
      fit(messages, { limit: BUDGET, tokenizer: 'estimate' }),
  'session.next':
    ({ createSession }, messages = small()) =>
    () =>
      createSession({ limit: 100_000 }).next(messages),
  'countTokens, o200k_base':
    ({ countTokens }, messages = small()) =>
    () =>
      countTokens(messages),
};
