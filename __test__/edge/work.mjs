// Work of a request that returns a promise: what a worker and Node.js run.

const TEXT = 'The worker reads the queue and writes to the table. ';

export const conversation = (seed) =>
  Array.from({ length: 60 }, (_, index) => ({
    id: `m${index}`,
    index,
    role: index % 2 ? 'assistant' : 'user',
    content: `${seed}.${index} ${TEXT.repeat(30 + ((seed + index) % 9))}`,
  }));

/** When a summarizer answers: at once, in a microtask, or after a turn of the event loop. */
const answers = {
  now: () => 'They spoke of the queue.',
  microtask: async () => 'They spoke of the queue.',
  turn: () => new Promise((resolve) => void setTimeout(resolve, 1, 'They spoke of the queue.')),
};
export const ANSWERS = Object.keys(answers);

const verbs = {
  nextAsync: ({ createSession }, messages) => createSession({ limit: 5000, tokenizer: 'estimate' }).nextAsync(messages),
  twice: async ({ createSession }, messages) => {
    const session = createSession({ limit: 5000, tokenizer: 'estimate' });
    await session.nextAsync(messages.slice(0, 40));
    return session.nextAsync(messages);
  },
  fit: ({ fitAsync }, messages, summarizer) => fitAsync(messages, { limit: 4000, tokenizer: 'estimate', summarizer }),
  compress: ({ compress }, messages, summarizer) => compress(messages, { tokenBudget: 4000, summarizer }),
};
export const VERBS = Object.keys(verbs);

/** Does the work, and returns the messages that come out. */
export const work = async (palimpsest, verb, seed, answer) => (await verbs[verb](palimpsest, conversation(seed), answers[answer])).messages;
