// A writer of the contract's test with two processes: `node writer.mjs '{"shared":…,"id":…,"writer":…,"rounds":…}'`.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** Opens a store by what a test says about it: the name of its kind, and the address of the server or the path of the file. */
export async function openShared({ kind, url }) {
  if (kind === 'sqlite') {
    const store = require('../../unbundled/store/sqlite.js').sqliteStore(url, { timeout: 60_000 });
    return { store, close: () => store.close() };
  }
  if (kind === 'postgres') {
    const { default: pg } = await import('pg');
    const pool = new pg.Pool({ connectionString: url });
    const store = require('../../unbundled/store/postgres.js').postgresStore(pool);
    await store.migrate();
    return { store, close: () => pool.end() };
  }
  const { redisStore } = require('../../unbundled/store/redis.js');
  if (kind === 'ioredis') {
    const { Redis } = await import('ioredis');
    const client = new Redis(url);
    return { store: redisStore(client), close: async () => client.disconnect() };
  }
  const { createClient } = await import('redis');
  const client = await createClient({ url }).connect();
  return { store: redisStore(client), close: async () => client.destroy() };
}

/** Adds its steps to the state, each once, and puts values under keys that the other writer puts too. */
export async function write(store, id, writer, rounds) {
  for (let round = 0; round < rounds; round++) {
    await store.put(id, [[`value ${round}`, writer]]);
    for (let isSaved = false; !isSaved; ) {
      const { state, version } = (await store.load(id)) ?? { state: '{"steps":[]}', version: 0 };
      const { steps } = JSON.parse(state);
      isSaved = (await store.save(id, JSON.stringify({ steps: [...steps, [writer, round]] }), version)) > 0;
    }
  }
  return {
    values: await store.get(
      id,
      Array.from({ length: rounds }, (_, round) => `value ${round}`),
    ),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { shared, id, writer, rounds } = JSON.parse(process.argv[2]);
  const { store, close } = await openShared(shared);
  console.log(JSON.stringify(await write(store, id, writer, rounds)));
  await close();
}
