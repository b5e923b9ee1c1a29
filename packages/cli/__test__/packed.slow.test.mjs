// The packed command line and the packed library, installed in an empty folder outside of the repository, where every command works.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { root, run, serve } from '../../../__test__/packed/project.mjs';
import { COMMANDS } from '../dist/commands/index.mjs';
import { startUpstream } from './raw-http.mjs';

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-cli-packed-')));
const staged = join(scratch, 'staged');
const folder = join(scratch, 'user');
const bin = join(folder, 'node_modules/@palimpsest/cli/bin/palimpsest.mjs');
const windows = process.platform === 'win32';
const npm = windows ? 'npm.cmd' : 'npm';

/** What npm says when somebody packs the command line where it lies. */
let refusal;
/** Names of the tarballs that it made of it. */
let made;
/** npm's account of the tarball. */
let packed;
before(async () => {
  const options = { cwd: join(root, 'packages/cli'), encoding: 'utf8', shell: windows };
  refusal = spawnSync(npm, ['pack', '--pack-destination', scratch], options);
  made = readdirSync(scratch).filter((name) => name.endsWith('.tgz'));
  const library = (await run(process.execPath, [join(root, 'scripts/pack.mjs'), join(scratch, 'library')], scratch)).trim();
  // The commands that the refusal names, but for the folder.
  const [stage, pack] = [...refusal.stderr.matchAll(/`([^`]*)`/g)].map(([, line]) => line.replace('staged', staged).split(' '));
  assert.deepEqual([stage[0], pack[0]], ['node', 'npm'], refusal.stderr);
  await run(process.execPath, stage.slice(1), root);
  // npm takes a path for an address unless it begins with a dot or a slash.
  const from = pack.slice(1).map((part) => part.replace(/^\.\/(?=\/|\w:)/, ''));
  [packed] = JSON.parse(await run(npm, [...from, '--json', '--pack-destination', scratch], root));

  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run(npm, ['install', ...flags, library, join(scratch, packed.filename)], folder);
});
after(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs a command line in the folder of the user, to its end. */
function palimpsest(argv, { input = '', ...env } = {}) {
  // Nothing of this machine is looked through.
  const home = { HOME: folder, USERPROFILE: folder };
  const options = { cwd: folder, encoding: 'utf8', input, env: { ...process.env, ...home, ...env } };
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...argv], options);
  return { status, stdout, stderr };
}
const printed = (argv, more) => {
  const { status, stdout, stderr } = palimpsest(argv, more);
  assert.equal(status, 0, `${argv}: ${stderr}`);
  return stdout;
};

const messages = Array.from({ length: 20 }, (_, index) => ({
  role: index % 2 ? 'assistant' : 'user',
  content: `${index}: ${'We talked about the garden and the pond. '.repeat(30)}`,
}));
const write = (name, value) => writeFileSync(join(folder, name), JSON.stringify(value));
const readText = (name) => readFileSync(join(folder, name), 'utf8');

test('npm pack where the command line lies is refused, with the commands that make a tarball', () => {
  assert.notEqual(refusal.status, 0);
  assert.match(refusal.stderr, /@palimpsest\/cli depends on a folder of this clone/);
  assert.deepEqual(made, []);
});

test('the tarball holds the program, and names packages that can be installed', () => {
  const paths = packed.files.map(({ path }) => path);
  for (const path of ['README.md', 'LICENSE-MIT', 'LICENSE-APACHE', 'bin/palimpsest.mjs', 'dist/main.mjs'])
    assert.ok(paths.includes(path), path);
  assert.deepEqual(
    paths.filter((path) => !/^(?:bin|dist)\/|^(?:README\.md|LICENSE-(?:MIT|APACHE)|package\.json)$/.test(path)),
    [],
  );
  const manifest = JSON.parse(readText('node_modules/@palimpsest/cli/package.json'));
  assert.equal(manifest.dependencies.palimpsest, manifest.version);
  for (const range of Object.values(manifest.dependencies)) assert.match(range, /^[\^~]?\d+\.\d+\.\d+$/);
  assert.deepEqual([manifest.private, manifest.scripts], [undefined, undefined]);
  const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
  const tunnels = ['agent-base', 'debug', 'https-proxy-agent', 'ms', 'proxy-agent-negotiate', 'proxy-from-env'];
  assert.deepEqual(installed.sort(), ['@palimpsest', '@pydantic', 'diff', 'marked', 'palimpsest', 'uplot', ...tunnels].sort());
});

test('npx finds the program, and every command says how it is used', async () => {
  assert.match(await run(windows ? 'npx.cmd' : 'npx', ['--no', 'palimpsest', 'help', 'fit'], folder), /palimpsest fit/);
  assert.equal(printed(['--version']).trim(), packed.version);
  const all = printed(['--help']);
  for (const name of Object.keys(COMMANDS)) {
    assert.match(all, new RegExp(`^  ${name} `, 'm'));
    assert.match(printed([name, '--help']), new RegExp(`palimpsest ${name}`));
  }
});

test('the verbs make a conversation small, and restore gives it back', () => {
  const { countTokens } = createRequire(join(folder, 'package.json'))('palimpsest');
  write('chat.json', messages);
  for (const verb of [['fit', '--limit', '1k'], ['compress']]) {
    printed([...verb, 'chat.json', '-o', 'small.json']);
    assert.ok(readText('small.json').length < 0.6 * readText('chat.json').length, verb[0]);
    assert.deepEqual(JSON.parse(printed(['restore', 'small.json'])), messages);
  }
  printed(['fit', '--limit', '1k', 'chat.json', '-o', 'small.json']);
  assert.ok(countTokens(JSON.parse(readText('small.json'))) <= 1000);
  const logs = Array.from({ length: 12 }, (_, index) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `call_${index}`, type: 'function', function: { name: 'bash', arguments: '{"command":"make run"}' } }],
    },
    {
      role: 'tool',
      tool_call_id: `call_${index}`,
      content: Array.from({ length: 60 }, (_, line) => `12:${line} task ${index} wrote ${line * 7} rows`).join('\n'),
    },
  ]).flat();
  write('logs.json', [messages[0], ...logs]);
  printed(['prune', 'logs.json', '-o', 'small.json']);
  assert.ok(readText('small.json').length < 0.8 * readText('logs.json').length);
  assert.deepEqual(JSON.parse(printed(['restore', 'small.json'])), [messages[0], ...logs]);
  assert.equal(JSON.parse(printed(['count', '--json', 'chat.json'])).tokens, countTokens(messages));
  printed(['validate', 'logs.json']);
  write('broken.json', [messages[0], logs[0], messages[2]]);
  assert.equal(palimpsest(['validate', 'broken.json']).status, 1);
  assert.match(printed(['completions', 'bash']), /complete .*palimpsest/);
});

test('report writes the page and its data, and watch a line a request', () => {
  write('chat.json', messages);
  assert.equal(printed(['report', '--limit', '1k', 'chat.json']).trim(), 'palimpsest-report.html');
  const page = readText('palimpsest-report.html');
  assert.match(page, /^<!doctype html>/i);
  assert.ok(page.includes('uPlot'));
  const { totals } = JSON.parse(/<script type="application\/json" id="data">(.*)<\/script>/.exec(page)[1]);
  assert.deepEqual([totals.sessions, totals.requests], [1, 10]);
  assert.ok(totals.sent < totals.tokens);
  assert.deepEqual(JSON.parse(printed(['report', '--json', '--limit', '1k', 'chat.json'])).totals, totals);
  const lines = printed(['watch', '--once', '--json', '--limit', '1k', 'chat.json']).trim().split('\n');
  assert.equal(lines.length, 10);
  assert.equal(
    lines.map((line) => JSON.parse(line).sent).reduce((sum, sent) => sum + sent),
    totals.sent,
  );
});

test('the proxy keeps a request within its limit, and its page has the report', async () => {
  const usage = { prompt_tokens: 900, completion_tokens: 5, total_tokens: 905 };
  const headers = { 'content-type': 'application/json' };
  const upstream = await startUpstream((_request, response) => response.writeHead(200, headers).end(JSON.stringify({ usage })));
  const proxy = await serve(bin, ['proxy', '--limit', '1k', '--port', '0', '--upstream', upstream.url], folder);
  try {
    const body = JSON.stringify({ model: 'gpt-5.5', messages: [...messages, messages[0]] });
    const answer = await fetch(`${proxy.url}/v1/chat/completions`, { method: 'POST', headers, body });
    assert.deepEqual([answer.status, await answer.json()], [200, { usage }]);
    const { countTokens } = createRequire(join(folder, 'package.json'))('palimpsest');
    const [{ messages: sent }] = upstream.requests.map((request) => JSON.parse(request.body));
    assert.ok(countTokens(sent) <= 1000 && countTokens(sent) > 300, `${countTokens(sent)}`);
    const page = await (await fetch(proxy.url)).text();
    const { totals } = JSON.parse(/<script type="application\/json" id="data">(.*)<\/script>/.exec(page)[1]);
    assert.deepEqual([totals.requests, totals.sent], [1, 900]);
    assert.ok(totals.tokens > 5 * totals.sent);
  } finally {
    await proxy.stop();
    await upstream.close();
  }
});

const REPORT = ['report', 'no-such-file.json'];
const PROXY = ['proxy', '--limit', '1k', '--port', '0'];
for (const [name, ...commands] of [
  ['uplot', REPORT, PROXY],
  ['marked', REPORT, PROXY],
  ['diff', REPORT, PROXY],
  ['@pydantic/genai-prices', REPORT, PROXY],
  ['palimpsest', REPORT, PROXY],
  ['https-proxy-agent', PROXY],
  ['proxy-from-env', PROXY],
]) {
  test(`without ${name}, this is said before anything is done: ${commands.map(([command]) => command).join(', ')}`, () => {
    const [there, away] = [join(folder, 'node_modules', name), join(scratch, 'away')];
    renameSync(there, away);
    try {
      // A file that can't be read would be named first, if any were read.
      for (const argv of commands) {
        const { status, stdout, stderr } = palimpsest(argv);
        assert.deepEqual([status, stdout], [1, ''], stderr);
        assert.match(stderr, new RegExp(`^palimpsest: the package ${name} is not installed: .*install @palimpsest/cli again\\n$`));
      }
    } finally {
      renameSync(away, there);
    }
  });
}
