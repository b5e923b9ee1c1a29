// Runs under every runtime: `node subpaths.mjs PEERS STATE`. PEERS is the list of lib/integrations/peers.ts as JSON. STATE is `there` if a
// version that fits of each SDK is installed, otherwise none is, or an older one.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const [peers, state] = process.argv.slice(2);

for (const [name, wanted] of Object.entries(JSON.parse(peers))) {
  const subpath = `palimpsest/${name}`;
  if (state === 'there' || Object.keys(wanted).length === 0) {
    const [esm, cjs] = [await import(subpath), require(subpath)];
    assert.deepEqual(Object.keys(esm), Object.keys(cjs).sort());
    for (const [exported, value] of Object.entries(esm)) assert.equal(value, cjs[exported], exported);
    continue;
  }
  const [sdk, range] = Object.entries(wanted)[0];
  const saysSo = ({ code, message }) => code === 'ERR_PALIMPSEST_PEER' && message.startsWith(`${subpath} needs ${sdk} ${range}, `);
  assert.throws(() => require(subpath), saysSo);
  await assert.rejects(import(subpath), saysSo);
}
for (const name of ['memory', 'sqlite', 'redis', 'postgres']) {
  const subpath = `palimpsest/store/${name}`;
  const [esm, cjs] = [await import(subpath), require(subpath)];
  assert.deepEqual(Object.keys(esm), [`${name}Store`]);
  assert.equal(esm[`${name}Store`], cjs[`${name}Store`]);
  if (name !== 'memory') continue;
  const store = esm.memoryStore();
  await store.put('id', [['key', 'value']]);
  assert.deepEqual(await store.get('id', ['key']), ['value']);
}
console.log('subpaths passed');
