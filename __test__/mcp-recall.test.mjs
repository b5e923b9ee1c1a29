// The MCP server of examples/mcp-recall as a program of its own, asked over stdio by the client package. packed.slow.test.mjs runs this file under
// Node.js 22, 24 and 26 as well, which have node:sqlite.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { loadHistory, saveHistory } from '../examples/mcp-recall/history.mjs';

const server = fileURLToPath(new URL('../examples/mcp-recall/server.mjs', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-mcp-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const historyOf = (name) =>
  Array.from({ length: 60 }, (_, index) =>
    index % 2 === 0
      ? { role: 'user', content: `What is the port of ${name}-service-${index}?` }
      : { role: 'assistant', content: `${name}-service-${index - 1} listens on port ${8000 + index}.` },
  );

async function withClient(file, work) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [server, file], stderr: 'ignore' }));
  try {
    const ask = async (input) => {
      const { content, isError } = await client.callTool({ name: 'recall', arguments: input });
      return { text: content[0].text, isError: isError === true };
    };
    return await work(ask, client);
  } finally {
    await client.close();
  }
}

test('a saved history is asked by words and by numbers', async () => {
  const file = join(scratch, 'history.json');
  writeFileSync(file, JSON.stringify(historyOf('mail')));
  await withClient(file, async (ask, client) => {
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['recall'],
    );
    const found = await ask({ query: 'port of mail-service-12' });
    assert.match(found.text, /\[message 13, assistant\]\nmail-service-12 listens on port 8013\./);
    const [message] = historyOf('mail').slice(20);
    assert.equal((await ask({ from: 20 })).text, `[message 20] ${JSON.stringify(message)}`);
    assert.equal((await ask({ from: 4, to: 7 })).text.split('\n').length, 4);
    assert.match((await ask({ query: 'quetzalcoatl' })).text, /^Nothing/);
    assert.equal((await ask({})).isError, true);
    // What another process adds is found as well.
    writeFileSync(file, JSON.stringify([...historyOf('mail'), { role: 'user', content: 'The password of the archive is krk-7741.' }]));
    assert.match((await ask({ query: 'password of the archive' })).text, /krk-7741/);
  });
});

const sqlite = await import('node:sqlite').catch(() => undefined);
test('conversations in a store are asked by their ids', { skip: sqlite === undefined && 'this Node.js has no node:sqlite' }, async () => {
  const { sqliteStore } = await import('palimpsest/store/sqlite');
  const file = join(scratch, 'store.sqlite');
  const store = sqliteStore(file);
  for (const name of ['mail', 'proxy']) {
    await saveHistory(store, name, historyOf(name).slice(0, 40));
    await saveHistory(store, name, historyOf(name));
    assert.deepEqual(await loadHistory(store, name), historyOf(name));
  }
  await store.close();
  await withClient(file, async (ask) => {
    for (const name of ['mail', 'proxy']) {
      const { text } = await ask({ conversation: name, query: 'port of service-12' });
      assert.match(text, new RegExp(`${name}-service-12 listens on port 8013`));
      assert.doesNotMatch(text, name === 'mail' ? /proxy-/ : /mail-/);
    }
    assert.match((await ask({ conversation: 'unknown', query: 'port' })).text, /^Nothing/);
    assert.equal((await ask({ query: 'port' })).isError, true);
  });
});
