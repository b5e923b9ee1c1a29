import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import pg from 'pg';
import { startPostgres, withoutPostgres } from '../support/servers/postgres.mjs';
import { contract } from './contract.mjs';
import { openShared } from './writer.mjs';

const { postgresStore } = createRequire(import.meta.url)('../../store/postgres.js');

const server = withoutPostgres ? undefined : await startPostgres();
const pool = server && new pg.Pool({ connectionString: server.url });
const open = async () => {
  const shared = { kind: 'postgres', url: server.url };
  return { ...(await openShared(shared)), shared };
};
contract('postgres', open, withoutPostgres);

// Behind the contract, whose stores are closed first.
after(async () => {
  await pool?.end();
  await server?.stop();
});

test('postgres: many migrate at once, and again', { skip: withoutPostgres }, async () => {
  const store = postgresStore(pool, { schema: 'own_schema' });
  await assert.rejects(store.load('id'), {
    code: 'ERR_PALIMPSEST_NOT_MIGRATED',
    message: 'postgresStore(): its tables do not exist: call store.migrate() once',
  });
  await Promise.all(Array.from({ length: 8 }, () => store.migrate()));
  const version = await store.save('id', 'kept', 0);
  await store.migrate();
  assert.deepEqual(await store.load('id'), { state: 'kept', version });
  assert.equal(await postgresStore(pool).load('id'), undefined, 'another schema');
});

test('postgres: what is no pool, and wrong options, are refused', () => {
  assert.throws(() => postgresStore({}), { message: 'postgresStore(): pool must be a pool of pg, got object' });
  assert.throws(() => postgresStore({ query() {} }, { schema: 'a"; DROP' }), {
    name: 'TypeError',
    message: 'postgresStore(): options.schema must be a name of lower-case letters, digits and _',
  });
});
