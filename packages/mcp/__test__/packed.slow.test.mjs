// The packed server, command line and library, installed in an empty folder outside of the repository, and started by the line that agents are given.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { root, run } from '../../../__test__/packed/project.mjs';
import { claudeText } from './support/transcripts.mjs';

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-mcp-packed-')));
after(() => rmSync(scratch, { recursive: true, force: true }));
const folder = join(scratch, 'user');
const windows = process.platform === 'win32';
const npm = windows ? 'npm.cmd' : 'npm';

before(async () => {
  const library = (await run(process.execPath, [join(root, 'scripts/pack.mjs'), join(scratch, 'library')], scratch)).trim();
  await run(process.execPath, [join(root, 'scripts/stage.mjs'), join(scratch, 'staged'), '--programs'], root);
  const packed = JSON.parse(await run(npm, ['pack', '--json', '--pack-destination', scratch, './cli', './mcp'], join(scratch, 'staged')));
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run(npm, ['install', ...flags, library, ...packed.map(({ filename }) => join(scratch, filename))], folder);
});

test('npx starts the server by the name of the package, and it answers', async () => {
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/@palimpsest/mcp/package.json'), 'utf8'));
  assert.deepEqual([manifest.private, manifest.scripts, manifest.dependencies.palimpsest], [undefined, undefined, manifest.version]);
  assert.equal(manifest.dependencies['@palimpsest/cli'], manifest.version);
  mkdirSync(join(folder, '.claude/projects/-x'), { recursive: true });
  const turns = [{ user: 'Where does mail listen?', reply: 'mail listens on 8412.' }];
  writeFileSync(join(folder, '.claude/projects/-x/s.jsonl'), claudeText([...turns, ...turns], { cwd: folder }));
  const client = new Client({ name: 'claude-code', version: '1.0.0' });
  const env = { ...process.env, HOME: folder, USERPROFILE: folder, CLAUDE_CONFIG_DIR: '' };
  const command = windows ? 'npx.cmd' : 'npx';
  await client.connect(new StdioClientTransport({ command, args: ['-y', '@palimpsest/mcp'], cwd: folder, env }));
  try {
    assert.deepEqual(client.getServerVersion(), { name: 'palimpsest', version: manifest.version });
    const { content } = await client.callTool({ name: 'why', arguments: { text: '8412' } });
    assert.match(content[0].text, /^Said in 2 places\. The context has it\.\nmessage 1 \(assistant\): requests 2 had it\n/);
  } finally {
    await client.close();
  }
});
