// What turns out at run time compiles, and what never works doesn't.
import { createSession, fit, fitAsync, loadOriginals, restore } from 'palimpsest';
import type { Originals, Store, Summarizer } from 'palimpsest';

declare const sure: Store;
declare const store: Store | undefined;
declare const summarizer: Summarizer | null;
declare const history: { role: 'user'; content: string }[];

for (const session of [createSession({ limit: 1000, store, id: 'chat-1' }), createSession({ model: 'gpt-5.5', summarizer })]) {
  const step = await session.nextAsync(history);
  step.messages satisfies readonly object[];
}
(await fitAsync(history, { limit: 10, summarizer })).messages satisfies readonly { role: 'user' }[];
const originals = await loadOriginals(sure, 'chat-1');
originals satisfies Originals | undefined;
restore(history, originals ?? {});

fit(history, { limit: 10, prune: { edits: 'last', keep: { recent: 2 } } });
// @ts-expect-error `fit` reads messages in its own `format`, and stubs
fit(history, { limit: 10, prune: { mode: 'remove' } });
// @ts-expect-error a store needs the id of a conversation
createSession({ limit: 1000, store: sure });
// @ts-expect-error `fit` waits for nothing
fit(history, { limit: 10, summarizer });
