// Compiled, never run: jobs on Redis and on Postgres, without a cast.
import { createPostgresBackend, Queue, Worker, withBackend } from 'bullmq';
import type { Store } from 'palimpsest';
import { type CompactionData, type CompactionResult, compactionJob, enqueueCompaction } from 'palimpsest/bullmq';

declare const store: Store;
declare const compaction: CompactionData;
const connection = { host: '127.0.0.1', port: 6379 };
const queue = new Queue('compaction', { connection });

const processor = compactionJob({
  store,
  queue,
  summarizer: async (text, { key, signal }) => `${text.length} ${key} ${signal.aborted}`,
  concurrency: 2,
});
const worker = new Worker('compaction', processor, { connection, limiter: { max: 50, duration: 60_000 } });
worker.on('completed', (_job, { wanted, asked, kept }: CompactionResult) => console.log(wanted, asked, kept));
const { id } = await enqueueCompaction(queue, compaction);
console.log(id);

const { Queue: PostgresQueue, Worker: PostgresWorker } = withBackend(createPostgresBackend);
const stored = new PostgresQueue<CompactionData, CompactionResult>('compaction', { connection: { connectionString: '' } });
await enqueueCompaction(stored, { id: 'chat-1', version: 1 });
new PostgresWorker('compaction', compactionJob({ store, queue: stored, summarizer: () => 'short' }), {
  connection: { connectionString: '' },
});

// @ts-expect-error the summarizer is missing
compactionJob({ store, queue });
// @ts-expect-error the version is a number
await enqueueCompaction(queue, { id: 'chat-1', version: '1' });
