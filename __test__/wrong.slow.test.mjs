// Wrong on purpose: what somebody sees who makes a mistake. Programs with mistakes are compiled and run beside the SDKs, and mistakes of
// installing, bundling and of runtimes are made.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { build } from 'esbuild';
import { root } from './packed/project.mjs';
import { node22, withoutNode22 as skip } from './support/node22.mjs';
import { MISTAKES } from './wrong/mistakes.mjs';

const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-wrong-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs a program to its end, and returns all that it prints. */
async function printed(command, args, { cwd = scratch, env = {} } = {}) {
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const keys = { OPENAI_API_KEY: 'test', ANTHROPIC_API_KEY: 'test', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
  const child = spawn(command, args, { cwd, env: { ...inherited, ...keys, ...env }, timeout: 60_000, killSignal: 'SIGKILL' });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (text += part));
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  return text;
}

const files = Object.keys(MISTAKES).map((_, index) => `mistake${index}.mts`);
/** What tsc says, by file. */
const said = new Map(files.map((file) => [file, '']));
before(async () => {
  if (skip) return;
  const link = (name, target = join(root, 'node_modules', name)) => {
    mkdirSync(dirname(join(scratch, 'node_modules', name)), { recursive: true });
    symlinkSync(target, join(scratch, 'node_modules', name), 'junction');
  };
  link('palimpsest', root);
  for (const name of ['ai', '@ai-sdk/openai', 'langchain', 'openai', '@anthropic-ai/sdk', 'express', '@types/express', '@types/node'])
    link(name);
  Object.values(MISTAKES).forEach(({ code }, index) => {
    writeFileSync(join(scratch, files[index]), `${code}export {};\n`);
  });
  const options = [
    '--ignoreConfig',
    '--strict',
    '--noEmit',
    '--skipLibCheck',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--types',
    'node',
  ];
  let file;
  for (const line of (await printed(process.execPath, [tsc, ...options, '--pretty', 'false', ...files])).split('\n')) {
    file = line.match(/^(mistake\d+\.mts)\(/)?.[1] ?? file;
    if (file !== undefined) said.set(file, `${said.get(file)}${line}\n`);
  }
});

test('there are thirty mistakes and more, and each says something', () => {
  assert.ok(Object.keys(MISTAKES).length >= 30);
  for (const [name, { compiles, tsc, prints }] of Object.entries(MISTAKES)) {
    assert.notEqual(compiles === true, tsc !== undefined, name);
    assert.ok(tsc ?? prints, name);
  }
});

Object.entries(MISTAKES).forEach(([name, { tsc: compileError, prints }], index) => {
  test(name, { skip }, async () => {
    if (compileError === undefined) assert.equal(said.get(files[index]), '');
    else assert.ok(said.get(files[index]).includes(compileError), said.get(files[index]) || 'it compiles');
    if (prints === undefined) return;
    const text = await printed(node22, ['--disable-warning=ExperimentalWarning', files[index]]);
    assert.ok(text.includes(prints), text);
    // It is one line, or `compress` has the line of the package that it replaces above it.
    const lines = text.split('\n');
    const at = lines.findIndex((line) => line.includes(prints));
    assert.match(lines.slice(Math.max(0, at - 1), at + 1).join('\n'), /Error|Warning|^\w+\(\)/m);
  });
});

/** A project with a package of that version, and the error of importing a subpath there. */
async function importBeside(subpath, sdk, version) {
  const project = mkdtempSync(join(scratch, 'project-'));
  const place = join(project, 'node_modules', sdk);
  if (version !== undefined) {
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'package.json'), JSON.stringify({ name: sdk, version, main: 'index.js' }));
    writeFileSync(join(place, 'index.js'), '');
  }
  for (const name of ['dist', 'package.json', ...(await engines())]) {
    mkdirSync(join(project, 'node_modules/palimpsest'), { recursive: true });
    symlinkSync(join(root, name), join(project, 'node_modules/palimpsest', name), 'junction');
  }
  return printed(process.execPath, ['--preserve-symlinks', '-e', `require('palimpsest/${subpath}')`], { cwd: project });
}
const engines = async () => (await import('node:fs')).readdirSync(root).filter((name) => name.endsWith('.node'));

const PEERS = {
  'an SDK that is too old': [
    'ai-sdk',
    'ai',
    '4.3.19',
    /palimpsest\/ai-sdk .*ai >=5\.0\.0 <8\.0\.0.*4\.3\.19.*npm install "ai@>=5\.0\.0 <8\.0\.0"/,
  ],
  'an SDK that is not installed': [
    'gemini',
    '@google/genai',
    undefined,
    /palimpsest\/gemini needs @google\/genai .*npm install "@google\/genai@>=/,
  ],
  'an SDK that is newer than what was tested': ['openai', 'openai', '99.0.0', /PALIMPSEST_PEER_UNTESTED/],
};
for (const [name, [subpath, sdk, version, expected]] of Object.entries(PEERS))
  test(name, async () => assert.match(await importBeside(subpath, sdk, version), expected));

test('a Node.js that may load no engine says which option stands in the way', async () => {
  // Without the engine in WebAssembly, which would be taken.
  const alone = join(scratch, 'alone/node_modules/palimpsest');
  for (const name of ['package.json', 'dist', ...readdirSync(root).filter((file) => file.endsWith('.node'))])
    cpSync(join(root, name), join(alone, name), { recursive: true });
  const text = await printed(process.execPath, ['--no-addons', '-e', "require('palimpsest')"], { cwd: join(scratch, 'alone') });
  assert.match(text, /ERR_PALIMPSEST_LOAD/);
  assert.match(text, /--no-addons/);
});

test('an ES module made by esbuild without the banner is told of by its page', async () => {
  const outfile = join(scratch, 'bundle.mjs');
  const stdin = { contents: "import { fit } from 'palimpsest'; console.log(typeof fit);", resolveDir: root };
  await build({ stdin, bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'silent' });
  const text = await printed(process.execPath, [outfile]);
  const shown = text.match(/Dynamic require of "[\w:]+" is not supported/)?.[0];
  assert.ok(shown, text);
  assert.ok(readFileSync(join(root, 'docs/servers.md'), 'utf8').includes(shown.replace(/"[\w:]+"/, '"node:util"')), 'docs/servers.md');
});

test('a bundle for browsers is told of by its page', async () => {
  const stdin = { contents: "import { fit } from 'palimpsest'; console.log(typeof fit);", resolveDir: root };
  const { errors } = await build({ stdin, bundle: true, platform: 'browser', write: false, logLevel: 'silent' }).catch((error) => error);
  assert.ok(errors.some(({ text }) => text === 'Could not resolve "node:fs"'));
  assert.match(
    readFileSync(join(root, 'docs/reference/errors.md'), 'utf8'),
    /`Could not resolve "node:fs"`.*@palimpsest\/engine-wasm32-wasi\/edge/,
  );
});
