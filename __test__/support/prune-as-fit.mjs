// `prune` under the name by which the shared evaluation calls an engine; it knows no budget.
import { prune } from '../../index.mjs';

export const fit = (messages) => prune(messages);
