// `prune` under the name by which the shared evaluation calls an engine. It ignores the budget.
import { prune } from 'palimpsest';

export const fit = (messages) => prune(messages);
