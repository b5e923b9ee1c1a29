// The store and the queue that all processes share, on Redis or on Postgres. The rest of the program is the same for both.
import { createPostgresBackend, Queue, runMigrations, Worker, withBackend } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { postgresStore } from 'palimpsest/store/postgres';
import { redisStore } from 'palimpsest/store/redis';

const NAME = 'compaction';

/**
 * Connects this process.
 *
 * @param {string} url `redis://…` or `postgres://…`
 */
export const connect = (url) => (url.startsWith('redis:') ? overRedis(url) : overPostgres(url));

async function overRedis(url) {
  // Workers wait for the server, however long it takes.
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  const queue = new Queue(NAME, { connection });
  return {
    store: redisStore(connection),
    queue,
    work: (processor, options) => new Worker(NAME, processor, { connection, ...options }),
    async close() {
      await queue.close();
      connection.disconnect();
    },
  };
}

async function overPostgres(url) {
  const connection = { connectionString: url };
  const pool = new pg.Pool({ ...connection, max: 4 });
  const store = postgresStore(pool);
  // Both can be called any number of times, by several processes at once.
  await store.migrate();
  const client = await pool.connect();
  await runMigrations(client);
  client.release();
  const { Queue, Worker } = withBackend(createPostgresBackend);
  const queue = new Queue(NAME, { connection });
  return {
    store,
    queue,
    work: (processor, options) => new Worker(NAME, processor, { connection, ...options }),
    async close() {
      await queue.close();
      await pool.end();
    },
  };
}
