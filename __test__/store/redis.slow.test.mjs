import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import { createClient } from 'redis';
import { startRedis, withoutRedis } from '../support/servers/redis.mjs';
import { contract } from './contract.mjs';
import { openShared } from './writer.mjs';

const { redisStore } = createRequire(import.meta.url)('../../store/redis.js');

const server = withoutRedis ? undefined : await startRedis();
const client = server && (await createClient({ url: server.url }).connect());
for (const kind of ['redis', 'ioredis']) {
  const open = async () => {
    const shared = { kind, url: server.url };
    return { ...(await openShared(shared)), shared };
  };
  contract(kind, open, withoutRedis);
}

// Behind the contract, whose stores are closed first.
after(async () => {
  client?.destroy();
  await server?.stop();
});

test('a conversation is one key, which expires after its ttl since it was last written', { skip: withoutRedis }, async () => {
  const store = redisStore(client, { prefix: 'own:', ttl: 60_000 });
  for (const write of [() => store.put('id', [['a', '1']]), () => store.save('id', '{}', 0), () => store.put('id', [['a', '1']])]) {
    if (await client.exists('own:id')) await client.persist('own:id');
    await write();
    const left = await client.pTTL('own:id');
    assert.ok(left > 0 && left <= 60_000, String(left));
  }
  assert.deepEqual(await client.keys('own:*'), ['own:id']);
  await store.delete('id');
  assert.deepEqual(await client.keys('own:*'), []);
  await redisStore(client, { prefix: 'own:' }).put('id', [['a', '1']]);
  assert.equal(await client.pTTL('own:id'), -1, 'no ttl');
});

test('what is no client, and wrong options, are refused', () => {
  const fake = { hmGet() {}, eval() {}, del() {} };
  assert.throws(() => redisStore('redis://127.0.0.1'), {
    message: 'redisStore(): client must be a client of redis or ioredis, got string',
  });
  assert.throws(() => redisStore(fake, { ttl: 0 }), {
    name: 'RangeError',
    message: /^redisStore\(\): options\.ttl must be a whole number/,
  });
  assert.throws(() => redisStore(fake, { expires: 5 }), { message: /^redisStore\(\): options\.expires is not an option/ });
});
