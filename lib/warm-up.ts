import { PROVIDERS } from './providers/index.js';
import { checkOptions } from './options/index.js';
import type { WarmUpOptions } from '../index.d.ts';

/** Long enough to be summarised or cut. */
const PROSE = 'The worker reads the queue in src/jobs/worker.ts and writes to the table. Nobody knew for weeks why it was slow. '.repeat(
  12,
);
const FAILURE = `error TS2304: Cannot find name 'retry' (src/jobs/worker.ts:42)\n${'PASS test/queue.test.ts\n'.repeat(20)}Exit code: 1`;

const call = (id: string, name: string, input: object) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
});
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });

/** A conversation that most rules have to look at: files read and edited, a command that fails, JSON, text beyond Latin-1. */
const conversation = (): { role: string; content?: string | null; [name: string]: unknown }[] => [
  { role: 'user', content: `Why is the worker slow? Né à Zürich – 倉庫の注文。 See src/jobs/worker.ts` },
  call('a', 'read_file', { path: 'src/jobs/worker.ts' }),
  result('a', PROSE),
  call('b', 'edit_file', { path: 'src/jobs/worker.ts', old_string: 'a', new_string: 'b' }),
  result('b', 'The user doesn\'t want to proceed with this tool use. {"exit_code": 1}'),
  call('c', 'bash', { command: 'cd src && npm test' }),
  result('c', FAILURE),
  call('d', 'read_file', { path: 'src/jobs/worker.ts' }),
  result('d', `${PROSE}…`),
  result('e', JSON.stringify(Array.from({ length: 40 }, (_, id) => ({ id, state: 'failed', note: 'index missing' })))),
  { role: 'assistant', content: PROSE },
  { role: 'user', content: 'And what about the index?' },
];

/** See `warmUp` in `index.d.ts`. Loads what the first calls would. */
export function warmUp(options?: WarmUpOptions | null) {
  const { prune } = require('./agent/prune.js') as typeof import('./agent/prune.js');
  const { restore } = require('./agent/restore.js') as typeof import('./agent/restore.js');
  const { compress } = require('./drop-in/compress/index.js') as typeof import('./drop-in/compress/index.js');
  const { fit } = require('./fit/index.js') as typeof import('./fit/index.js');
  const { fitRequest } = require('./fit/request.js') as typeof import('./fit/request.js');
  const { createSession } = require('./session/index.js') as typeof import('./session/index.js');
  const { countTokens } = require('./tokens/index.js') as typeof import('./tokens/index.js');
  const { validate } = require('./validate/index.js') as typeof import('./validate/index.js');
  checkOptions('warmUp', options);
  const messages = conversation();
  const tokenizer = options?.tokenizer ?? 'o200k_base';
  const texts = messages.map(({ role, content }, index) => ({ id: `m${index}`, index, role, content: content ?? '' }));
  compress(texts, { recencyWindow: 1 });
  prune(messages);
  const limit = Math.floor(countTokens(messages, { tokenizer }) / 4);
  const { messages: fitted, originals } = fit(messages, { limit, tokenizer });
  restore(fitted, originals);
  fitRequest({ model: 'gpt-5', messages }, { limit, tokenizer });
  for (const { parts } of PROVIDERS) parts();
  const session = createSession({ limit, tokenizer });
  session.next(messages.slice(0, -2));
  session.next(messages);
  validate(messages);
}
