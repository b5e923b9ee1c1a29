// packed.slow.test.mjs runs this file under Node.js 22, 24 and 26 as well.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { contract } from './contract.mjs';
import { openShared } from './writer.mjs';

const { sqliteStore } = createRequire(import.meta.url)('../../store/sqlite.js');
const skip = !isBuiltin('node:sqlite') && `Node.js ${process.versions.node} has no node:sqlite`;

let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-sqlite-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const inMemory = async () => {
  const store = sqliteStore(':memory:');
  return { store, close: () => store.close() };
};
contract('sqlite in memory', inMemory, skip);

const inFile = async () => {
  const shared = { kind: 'sqlite', url: join(folder, 'store.db') };
  return { ...(await openShared(shared)), shared };
};
contract('sqlite in a file', inFile, skip);

test('sqlite: a file is in WAL mode, and nothing of a deleted conversation is left in it', { skip }, async () => {
  const file = join(folder, 'deleted.db');
  const store = sqliteStore(file);
  await store.put('id', [['key', 'the text that goes'.repeat(1000)]]);
  await store.save('id', 'the text that goes', 0);
  assert.ok(readdirSync(folder).includes('deleted.db-wal'));
  await store.delete('id');
  await store.close();
  assert.ok(!readdirSync(folder).includes('deleted.db-wal'));
  assert.ok(!readFileSync(file).includes('the text that goes'));
});

test('sqlite: what is stored is there when the file is opened again', { skip }, async () => {
  const file = join(folder, 'again.db');
  const first = sqliteStore(file);
  const version = await first.save('id', 'state', 0);
  await first.close();
  const second = sqliteStore(file);
  assert.deepEqual(await second.load('id'), { state: 'state', version });
  await second.close();
});

test('sqlite: a full disk is named, and nothing of what did not fit is there', { skip }, async () => {
  const { DatabaseSync } = await import('node:sqlite');
  // A limit of pages holds for a connection, so that the store has to get one that has it.
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (sql) {
    if (!this.isSmall) exec.call(this, 'PRAGMA max_page_count = 40');
    this.isSmall = true;
    return exec.call(this, sql);
  };
  try {
    for (const file of [':memory:', join(folder, 'full.db')]) {
      const store = sqliteStore(file);
      await store.put('id', [['before', 'a']]);
      const full = { code: 'ERR_SQLITE_ERROR', errcode: 13, message: 'database or disk is full' };
      const many = Array.from({ length: 400 }, (_, index) => [`key ${index}`, 'x'.repeat(1000)]);
      await assert.rejects(store.put('id', many), full);
      await assert.rejects(store.save('id', 'x'.repeat(400_000), 0), full);
      assert.deepEqual(await store.get('id', ['before', 'key 0']), ['a', undefined]);
      // What fits is stored again.
      assert.equal(await store.put('id', [['after', 'b']]), true);
      assert.deepEqual(await store.get('id', ['after']), ['b']);
      await store.close();
    }
  } finally {
    DatabaseSync.prototype.exec = exec;
  }
});

test('sqlite: a Node.js without it gets one error that says so', { skip: !skip && 'this Node.js has it' }, () => {
  assert.throws(() => sqliteStore(':memory:'), {
    code: 'ERR_PALIMPSEST_SQLITE',
    message: `sqliteStore() needs node:sqlite, which Node.js has from 22.13 on, and this is Node.js ${process.versions.node}`,
  });
});

test('sqlite: wrong arguments are refused', () => {
  assert.throws(() => sqliteStore(7), { message: "sqliteStore(): file must be a path or ':memory:', got number" });
  assert.throws(() => sqliteStore(':memory:', { timeout: -1 }), { name: 'RangeError' });
});
