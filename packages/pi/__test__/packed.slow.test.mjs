// The packed extension of pi and plugin of opencode, with the packed library, installed in an empty folder outside of the repository.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { root, run } from '../../../__test__/packed/project.mjs';

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-harnesses-')));
after(() => rmSync(scratch, { recursive: true, force: true }));
const folder = join(scratch, 'user');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const NAMES = ['pi', 'opencode'];

before(async () => {
  const library = (await run(process.execPath, [join(root, 'scripts/pack.mjs'), join(scratch, 'library')], scratch)).trim();
  await run(process.execPath, [join(root, 'scripts/stage.mjs'), join(scratch, 'staged'), '--programs'], root);
  const folders = NAMES.map((name) => `./${name}`);
  const packed = JSON.parse(await run(npm, ['pack', '--json', '--pack-destination', scratch, ...folders], join(scratch, 'staged')));
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run(npm, ['install', ...flags, library, ...packed.map(({ filename }) => join(scratch, filename))], folder);
});

test('each depends on the library of its version alone, and can be loaded', async () => {
  for (const name of NAMES) {
    const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/@palimpsest', name, 'package.json'), 'utf8'));
    assert.deepEqual([manifest.private, manifest.scripts, manifest.dependencies], [undefined, undefined, { palimpsest: manifest.version }]);
    for (const file of manifest.pi?.extensions ?? []) readFileSync(join(folder, 'node_modules/@palimpsest', name, file));
    writeFileSync(join(folder, `${name}.mjs`), `import start from '@palimpsest/${name}';\nconsole.log(typeof start);\n`);
    assert.equal((await run(process.execPath, [`${name}.mjs`], folder)).trim(), 'function');
  }
});

test('a session of the library is behind both', async () => {
  const program = `import extension from '@palimpsest/pi';
import plugin from '@palimpsest/opencode';
const handlers = {};
const pi = { on: (event, handler) => (handlers[event] = handler) };
for (const name of ['registerFlag', 'registerTool', 'registerCommand', 'appendEntry', 'getFlag']) pi[name] = () => {};
extension(pi);
const ctx = { hasUI: false, sessionManager: { getBranch: () => [] }, model: { api: 'anthropic-messages', contextWindow: 200_000 } };
handlers.session_start({}, ctx);
const payload = { model: 'claude-sonnet-4-5', max_tokens: 100, messages: [{ role: 'user', content: 'Repair it.' }] };
const { system } = await handlers.before_provider_request({ payload }, ctx);
const sent = [];
globalThis.fetch = async (_, { headers, body }) => sent.push([[...headers.keys()], JSON.parse(body).system === system]);
const hooks = await plugin({});
const named = {};
await hooks['chat.headers']({ sessionID: 'ses_1', agent: 'build', model: { api: { npm: '@ai-sdk/anthropic' }, limit: { context: 200_000 } } }, { headers: named });
await fetch('https://api.example', { method: 'POST', headers: named, body: JSON.stringify(payload) });
console.log(JSON.stringify([/palimpsest|\\[…/.test(system), sent]));
`;
  writeFileSync(join(folder, 'both.mjs'), program);
  assert.equal((await run(process.execPath, ['both.mjs'], folder)).trim(), JSON.stringify([true, [[[], true]]]));
});
