// `prune` under the name by which the shared evaluation calls an engine. It ignores the budget.
import { prune } from '../../index.mjs';

export const fit = (messages) => prune(messages);
