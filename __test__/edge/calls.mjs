// Calls whose results are the same in every runtime, as text: what a worker, a page and Node.js run.

const PROSE = 'The worker reads the queue in src/jobs/worker.ts and writes to the table. Nobody knew for weeks why it was slow. ';
const LONE = '\ud83d lone \ude00';

const text = (index) => `${index}. Né à Zürich – 倉庫の注文を確認した。 😀 ${PROSE.repeat(1 + (index % 5))}`;
const call = (id, name, input) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
});
const result = (id, content) => ({ role: 'tool', tool_call_id: id, content });

const plain = () =>
  Array.from({ length: 24 }, (_, index) => ({
    id: `m${index}`,
    index,
    role: index % 2 ? 'assistant' : 'user',
    content: index === 7 ? LONE.repeat(90) : text(index),
  }));

const agent = () => [
  { role: 'user', content: 'Why is the worker slow? See src/jobs/worker.ts' },
  ...Array.from({ length: 8 }, (_, index) => [
    call(`r${index}`, 'read_file', { path: 'src/jobs/worker.ts' }),
    result(`r${index}`, `${text(index)}\n${PROSE.repeat(12)}`),
    call(`b${index}`, 'bash', { command: 'npm test' }),
    result(`b${index}`, `error TS2304: Cannot find name 'retry'\n${'PASS test/queue.test.ts\n'.repeat(20)}Exit code: 1`),
  ]).flat(),
  { role: 'assistant', content: PROSE.repeat(3) },
  { role: 'user', content: 'And what about the index?' },
];

/** Runs every call with the functions of an entry. Returns the results as JSON, by name. */
export async function results(palimpsest) {
  const { compress, countTokens, createSession, fit, fitAsync, prune, recall, redactSecrets, restore, uncompress, validate } = palimpsest;
  const { loadOriginals, saveOriginals } = palimpsest;
  const found = {};
  const keep = (name, value) => {
    found[name] = JSON.stringify(value);
  };
  const compressed = compress(plain(), { recencyWindow: 2 });
  keep('compress', compressed.messages);
  keep('uncompress', uncompress(compressed.messages, compressed.verbatim));
  keep(
    'compress with a summarizer',
    await compress(plain(), { recencyWindow: 2, summarizer: async (one) => `short: ${one.slice(0, 40)}` }),
  );
  keep('compress by exact tokens', compress(plain(), { tokenBudget: 600, tokenizer: 'cl100k_base' }).messages);
  keep(
    'countTokens',
    ['o200k_base', 'cl100k_base', 'estimate'].map((tokenizer) => countTokens(agent(), { tokenizer })),
  );
  const fitted = fit(agent(), { limit: 900 });
  keep('fit', fitted);
  keep('restore', restore(fitted.messages, fitted.originals));
  keep('fit with summaries', await fitAsync(agent(), { limit: 900, summarizer: async () => 'They read the file.' }));
  keep('prune', prune(agent()));
  keep('validate', validate(agent().slice(2)));
  keep('recall', recall(agent(), fitted.messages, 'worker slow index', { limit: 200 }));
  keep('redactSecrets', redactSecrets(`The key is ghp_${'a1B2'.repeat(9)}.`));
  const store = memory();
  const key = await saveOriginals(store, 'one', fitted.originals);
  keep('saveOriginals and loadOriginals', [key, await loadOriginals(store, 'one', key)]);
  const session = createSession({ limit: 1200 });
  keep(
    'a session',
    [agent().slice(0, 12), agent()].map((messages) => session.next(messages).messages),
  );
  let failure;
  try {
    fit(agent(), { limit: 'much' });
  } catch (error) {
    failure = error;
  }
  keep('an error', failure.message);
  return found;
}

/** As much of a store as these calls use. */
function memory() {
  const values = new Map();
  return {
    get: async (_, keys) => keys.map((key) => values.get(key)),
    put: async (_, entries) => entries.every(([key, value]) => values.set(key, value)),
  };
}
