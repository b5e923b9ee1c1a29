// The proxy for every day: the unit of its service, its state, a line a request, dry runs, and its end.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { until } from '../../../__test__/support/agents/forgetful.mjs';
import { serviceOf } from '../dist/proxy/service.mjs';
import { stateFile } from '../dist/proxy/state.mjs';
import { startProxy } from '../dist/proxy/index.mjs';
import { JSON_HEADERS, send, startUpstream } from './raw-http.mjs';
import { palimpsest } from './run.mjs';

const bin = fileURLToPath(new URL('../bin/palimpsest.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'palimpsest-service-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const ANSWER = {
  type: 'message',
  content: [{ type: 'text', text: 'Now.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 40, output_tokens: 3 },
};
const answer = (_request, response) => response.writeHead(200, JSON_HEADERS).end(JSON.stringify(ANSWER));
const SECRET = 'nobody-else-reads-this';
/** A request of which most is cut. */
const BODY = JSON.stringify({
  model: 'claude-haiku-4-5',
  max_tokens: 10,
  messages: [
    { role: 'user', content: Array.from({ length: 2000 }, (_, n) => `${SECRET} ${n}`).join('\n') },
    { role: 'assistant', content: 'Read.' },
    { role: 'user', content: 'And now?' },
  ],
});
const ask = (url) => send(url, { path: '/v1/messages', headers: JSON_HEADERS, body: BODY });

/** Starts the command; `url` is that of its first line. */
async function started(args, { env = {} } = {}) {
  const all = { PATH: process.env.PATH, HOME: folder, ...env };
  const child = spawn(process.execPath, [bin, 'proxy', '--limit', '1k', ...args], { env: all, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (printed[name] += text));
  await until(() => printed.stdout.includes('\n') || child.exitCode !== null);
  const ended = async (signal) => {
    if (child.exitCode === null) {
      child.kill(signal);
      await once(child, 'exit');
    }
    return child.exitCode;
  };
  return { child, printed, url: printed.stdout.trim(), ended };
}

test('a line for each request goes to standard error, without content, and none with -q', async () => {
  const upstream = await startUpstream(answer);
  try {
    for (const quiet of [[], ['-q']]) {
      const proxy = await started(['--port', '0', '--upstream', upstream.url, ...quiet]);
      await ask(proxy.url);
      if (quiet.length === 0) await until(() => proxy.printed.stderr.includes('claude-haiku'));
      assert.equal(await proxy.ended('SIGTERM'), 0);
      const lines = proxy.printed.stderr.split('\n').filter((line) => line.includes('anthropic'));
      assert.equal(lines.length, quiet.length === 0 ? 1 : 0);
      assert.ok(!proxy.printed.stderr.includes(SECRET));
      if (quiet.length > 0) continue;
      const shape =
        /^\d{4}-\d\d-\d\dT[\d:.]+Z anthropic claude-haiku-4-5 200 [\d,]+ → [\d,]+ tokens, [\d,]+ begin like the last, chosen anew \(\w+\), 3 out, [\d,]+ ms$/;
      assert.match(lines[0], shape);
    }
  } finally {
    await upstream.close();
  }
});

test('a name of a model that holds control characters is one line without them', async () => {
  const upstream = await startUpstream(answer);
  try {
    const proxy = await started(['--port', '0', '--upstream', upstream.url]);
    const model = 'fine\x1b[2J\x1b]0;title\x07\r\n2026-01-01T00:00:00.000Z anthropic forged 200 \u202e';
    await send(proxy.url, { path: '/v1/messages', headers: JSON_HEADERS, body: JSON.stringify({ ...JSON.parse(BODY), model }) });
    await until(() => proxy.printed.stderr.includes('fine'));
    assert.equal(await proxy.ended('SIGTERM'), 0);
    const lines = proxy.printed.stderr.split('\n').filter((line) => line.includes('Z anthropic'));
    assert.equal(lines.length, 1);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
    assert.doesNotMatch(proxy.printed.stderr, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
    assert.equal(JSON.parse(upstream.requests[0].body).model, model);
  } finally {
    await upstream.close();
  }
});

test('the token is printed to a terminal alone, and not with -q', async () => {
  const token = 'a-secret-of-mine-1234';
  const upstream = await startUpstream(answer);
  try {
    for (const args of [[], ['-q']]) {
      const proxy = await started(['--port', '0', '--upstream', upstream.url, ...args], { env: { PALIMPSEST_TOKEN: token } });
      assert.match(proxy.url, /^http:\/\/127\.0\.0\.1:\d+$/);
      assert.equal((await ask(`${proxy.url}/`)).status, 401);
      const headers = { ...JSON_HEADERS, 'x-palimpsest-token': token };
      assert.equal((await send(proxy.url, { path: '/v1/messages', headers, body: BODY })).status, 200);
      assert.equal(await proxy.ended('SIGTERM'), 0);
      assert.ok(!(proxy.printed.stdout + proxy.printed.stderr).includes(token));
      // What a shell puts in itself.
      assert.equal(proxy.printed.stderr.includes('/$PALIMPSEST_TOKEN claude'), args.length === 0);
    }
    for (const args of [[], ['-q']]) {
      const count = process.listenerCount('SIGTERM');
      const running = palimpsest(['proxy', '--limit', '1k', '--port', '0', '--upstream', upstream.url, '--token', token, ...args], {
        terminal: { columns: 80 },
      });
      await until(() => process.listenerCount('SIGTERM') > count);
      await sleep(50);
      process.emit('SIGTERM');
      const { code, stdout, stderr } = await running;
      assert.equal(code, 0, stderr);
      assert.equal(stdout.includes(`/${token}\n`), args.length === 0);
      assert.equal(stderr.includes(`/${token} claude`), args.length === 0);
    }
  } finally {
    await upstream.close();
  }
});

test('counts survive a restart, without content; what is no state is refused by name', async () => {
  const upstream = await startUpstream(answer);
  const file = join(folder, 'counts.json');
  try {
    for (const count of [1, 2]) {
      const proxy = await started(['--port', '0', '--upstream', upstream.url, '--state', file, '-q']);
      await ask(proxy.url);
      assert.equal(await proxy.ended('SIGINT'), 0);
      const text = readFileSync(file, 'utf8');
      const { version, limit, totals } = JSON.parse(text);
      assert.deepEqual([version, limit, totals.requests, totals.fitted], [1, 1000, count, count]);
      assert.ok(!text.includes(SECRET));
    }
    for (const text of ['', '{"version":2,"totals":{}}', '[]', '{"version":1,"totals":{"requests":"many"}}']) {
      writeFileSync(file, text);
      const { code, stderr } = await palimpsest(['proxy', '--limit', '1k', '--port', '0', '--state', file]);
      assert.equal(code, 1);
      assert.equal(stderr, `palimpsest: ${file} is not the state of a proxy: remove it, or name another file with --state\n`);
    }
  } finally {
    await upstream.close();
  }
});

test('a limit that holds no agent asks whether thousands were meant', async () => {
  for (const [limit, asks] of [
    ['150', true],
    ['999', true],
    ['1k', false],
  ]) {
    const count = process.listenerCount('SIGTERM');
    const running = palimpsest(['proxy', '--limit', limit, '--port', '0']);
    await until(() => process.listenerCount('SIGTERM') > count);
    process.emit('SIGTERM');
    const { code, stderr } = await running;
    assert.equal(code, 0, stderr);
    assert.equal(stderr.includes(`did you mean --limit ${limit}k?`), asks, stderr);
  }
});

test('without --state it is in the folder for the state of programs, by its port', () => {
  const io = (env) => ({ env: { HOME: '/home/me', LOCALAPPDATA: '/home/me/AppData', ...env }, cwd: '/' });
  const own = { linux: '/home/me/.local/state', darwin: '/home/me/Library/Application Support', win32: '/home/me/AppData' };
  const expected = join(own[process.platform] ?? own.linux, 'palimpsest/proxy-8377.json');
  assert.equal(stateFile(io({})), expected);
  if (process.platform === 'linux') assert.equal(stateFile(io({ XDG_STATE_HOME: '/state' }), 9000), '/state/palimpsest/proxy-9000.json');
});

test('the report says what the shadow requests of a state found', async () => {
  const rate = (count) => ({ count, of: 20, share: count / 20, low: 0.01, high: 0.5 });
  const kinds = { tool: 1, argument: 2, edit: 0, answer: 0 };
  const shadow = {
    requests: 900,
    compared: 20,
    failed: 1,
    skipped: 4,
    changed: rate(3),
    noise: rate(1),
    kinds,
    tokens: 5000,
    maxTokens: 9000,
    isSpent: false,
  };
  const file = join(folder, 'found.json');
  const totals = { requests: 900, fitted: 900, before: 1, after: 1, failures: 0 };
  writeFileSync(file, JSON.stringify({ version: 1, limit: 1000, totals, shadow }));
  const session = join(folder, 'messages.json');
  writeFileSync(
    session,
    JSON.stringify([
      { role: 'user', content: 'Hello.' },
      { role: 'assistant', content: 'Hello!' },
    ]),
  );
  const words =
    'after a cut the model did something else in 3 of 20: 15 % (1.0 % to 50 %), by tool 1, argument 2; asked twice without a cut, in 1 of 20: 5.0 % (1.0 % to 50 %)';
  const told = await palimpsest(['report', '--state', file, '--json', session]);
  assert.equal(told.code, 0, told.stderr);
  assert.ok(told.stderr.includes(`shadow requests: ${words}`), told.stderr);
  assert.deepEqual(JSON.parse(told.stdout).shadow, shadow);
  const page = await palimpsest(['report', '--state', file, '-o', '-', session]);
  assert.ok(page.stdout.includes(`Shadow requests: ${words}`));
  const without = await palimpsest(['report', '--json', session], { env: { HOME: folder } });
  assert.equal(JSON.parse(without.stdout).shadow, undefined);
  const missing = await palimpsest(['report', '--state', join(folder, 'none.json'), session]);
  assert.deepEqual([missing.code, missing.stderr.endsWith('none.json: no such file\n')], [1, true]);
});

test('a dry run changes no byte, and measures what it would cut', async () => {
  const upstream = await startUpstream(answer);
  const records = [];
  const proxy = await startProxy({
    limit: 1000,
    port: 0,
    upstream: upstream.url,
    isDry: true,
    onRequest: (record) => records.push(record),
  });
  try {
    await ask(proxy.url);
    const [{ body }] = upstream.requests;
    assert.equal(body.toString(), BODY);
    await until(() => records.length === 1);
    const [{ before, after: left, epoch, status }] = records;
    assert.ok(before > 4000 && left <= 1000 && epoch !== undefined && status === 200);
    const { text } = await send(proxy.url, { method: 'GET', path: '/' });
    const report = JSON.parse(text.match(/<script type="application\/json" id="data">(.*)<\/script>/)[1]);
    // What was sent is what came: a session would have sent less.
    assert.equal(report.isProxied, undefined);
    assert.equal(report.totals.tokens, ANSWER.usage.input_tokens);
    assert.equal(report.sessions[0].counted, 'recorded');
    assert.equal(report.sessions[0].count.epochs, 1);
  } finally {
    await proxy.close(0);
    await upstream.close();
  }
  const both = await palimpsest(['proxy', '--limit', '1k', '--port', '0', '--dry-run', '--shadow', '2%']);
  assert.deepEqual(
    [both.code, both.stderr],
    [2, 'palimpsest: a dry run cuts nothing that could be compared: leave out --shadow or --dry-run\n'],
  );
});

test('shares and their bound are read, and what is none is refused by name', async () => {
  for (const share of ['0', '200%', 'two', '-1%', '1.5']) {
    const { code, stderr } = await palimpsest(['proxy', '--limit', '1k', `--shadow=${share}`]);
    assert.deepEqual([code, stderr], [2, `palimpsest: --shadow must be a share such as 2% or 0.02, got "${share}"\n`]);
  }
  const alone = await palimpsest(['proxy', '--limit', '1k', '--shadow-tokens', '1M']);
  assert.deepEqual([alone.code, alone.stderr], [2, 'palimpsest: --shadow-tokens needs --shadow SHARE, such as --shadow 2%\n']);
});

test('SIGTERM lets an answer that is under way come to its end', async () => {
  let finish;
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(200, JSON_HEADERS).write('{"type":');
    finish = () => response.end('"message"}');
  });
  try {
    const proxy = await started(['--port', '0', '--upstream', upstream.url, '-q']);
    const asking = ask(proxy.url);
    await until(() => finish !== undefined);
    const ending = proxy.ended('SIGTERM');
    await until(() => proxy.child.signalCode === null);
    setTimeout(finish, 100);
    assert.equal((await asking).text, '{"type":"message"}');
    assert.equal(await ending, 0);
  } finally {
    await upstream.close();
  }
});

const home = '/home/me';
const WORDS = [
  '/usr/bin/node',
  '/home/me/my "own" tools/$x/50%\\palimpsest.mjs',
  'proxy',
  '--limit',
  '100000',
  '--upstream',
  'https://a.example/<b>&c',
];

test('the unit of systemd starts these very words, by its own rules of quoting', () => {
  const { unit, steps } = serviceOf('linux', WORDS, { hasToken: true, home });
  const [, line] = unit.match(/^ExecStart=(.*)$/m);
  // systemd.syntax(7), systemd.service(5): C escapes in quotes, %% for a percent sign, $$ for a dollar sign.
  const words = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word]) =>
    word.replace(/\\(.)/g, '$1').replaceAll('%%', '%').replaceAll('$$', '$'),
  );
  assert.deepEqual(words, WORDS);
  assert.ok(steps.some((step) => step.includes('PALIMPSEST_TOKEN')));
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) return;
  const file = join(folder, 'palimpsest-proxy.service');
  writeFileSync(file, serviceOf('linux', [process.execPath, bin, 'proxy', '$HOME %h "a b" \\'], { hasToken: false, home }).unit);
  const verified = spawnSync('systemd-analyze', ['verify', '--user', file], {
    encoding: 'utf8',
    env: { ...process.env, XDG_RUNTIME_DIR: folder },
  });
  assert.deepEqual([verified.status, verified.stderr.includes('palimpsest-proxy')], [0, false], verified.stderr);
});

test('the unit of launchd has these very words', () => {
  const { unit } = serviceOf('darwin', WORDS, { hasToken: false, home });
  const [, array] = unit.match(/<key>ProgramArguments<\/key>\s*<array>([\s\S]*?)<\/array>/);
  const read = (text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  assert.deepEqual(
    [...array.matchAll(/<string>(.*)<\/string>/g)].map(([, word]) => read(word)),
    WORDS,
  );
  assert.ok(!unit.includes('PALIMPSEST_TOKEN') && serviceOf('darwin', WORDS, { hasToken: true, home }).unit.includes('PALIMPSEST_TOKEN'));
});

test('other platforms and what npx runs are refused with what to do', () => {
  assert.throws(() => serviceOf('win32', WORDS, { hasToken: false, home }), {
    message: /no service manager is known for win32: start .* with yours/,
  });
  assert.throws(() => serviceOf('linux', ['/home/me/.npm/_npx/1/palimpsest'], { hasToken: false, home }), {
    message: 'install it first: npm install -g @palimpsest/cli',
  });
});

test('--service prints the unit on standard output alone, never a token, and starts nothing', {
  skip: process.platform === 'win32',
}, () => {
  const args = ['proxy', '--limit', '100k', '--port', '9000', '--state', 'own.json', '--token', 'a-secret-of-mine-1234', '--service'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8', cwd: folder });
  assert.equal(status, 0);
  for (const word of ['--limit', '100000', '--port', '9000', join(folder, 'own.json')]) assert.ok(stdout.includes(word), word);
  assert.ok(!`${stdout}${stderr}`.includes('a-secret-of-mine'));
  assert.match(stderr, /^1\. /);
  assert.ok(!existsSync(join(folder, 'own.json')));
});
