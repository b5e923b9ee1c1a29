// Compiled, never run: clients as applications make them, without a cast.
import { Redis } from 'ioredis';
import pg from 'pg';
import { createClient, createCluster } from 'redis';
import { createSession, fit, loadOriginals, redactSecrets, restore, saveOriginals, type Store } from 'palimpsest';
import { memoryStore } from 'palimpsest/store/memory';
import { postgresStore } from 'palimpsest/store/postgres';
import { redisStore } from 'palimpsest/store/redis';
import { sqliteStore } from 'palimpsest/store/sqlite';

const postgres = postgresStore(new pg.Pool(), { schema: 'own' });
await postgres.migrate();
const stores: Store[] = [
  memoryStore(),
  memoryStore({ maxValueBytes: 1000 }),
  sqliteStore('store.db', { timeout: null }),
  redisStore(new Redis(), { ttl: 1000 }),
  redisStore(await createClient().connect()),
  redisStore(createCluster({ rootNodes: [] }), { prefix: 'own:' }),
  postgres,
  postgresStore(new pg.Client()),
];

for (const store of stores) {
  const found: (string | undefined)[] = await store.get('id', ['key']);
  await store.put('id', [['key', found[0] ?? 'value']]);
  const { state, version } = (await store.load('id')) ?? { state: '{}', version: 0 };
  const saved: number = await store.save('id', state, version);
  if (saved === 0) await store.delete('id');
}

const session = createSession({ store: memoryStore(), id: 'id', limit: 1000, redact: redactSecrets });
const step = await session.next([{ role: 'user', content: 'Hello.' }]);
const waits: { id: string; version: number } | undefined = step.compaction;
const worked = createSession({ store: memoryStore(), id: 'id', limit: 1000, summarizer: 'store', redact: [/secret/] });
const [first] = (await worked.next([{ role: 'user', content: 'Hello.' }])).messages;
const { originals, messages } = fit([{ role: 'user', content: 'Hello.' }], { limit: 1000 });
const key: string = await saveOriginals(memoryStore(), 'id', originals, { redact: redactSecrets });
const { redacted } = restore(messages, (await loadOriginals(memoryStore(), 'id', key)) ?? {});
const list: string[] = redacted ?? [];
export { first, list, waits };
