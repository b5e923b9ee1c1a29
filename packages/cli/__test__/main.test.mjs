// The command line itself: commands, options, help, errors and exit codes.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from '../dist/commands/index.mjs';
import { palimpsest } from './run.mjs';

const bin = fileURLToPath(new URL('../bin/palimpsest.mjs', import.meta.url));
const messages = [
  { role: 'user', content: 'How many gardens are there?' },
  { role: 'assistant', content: 'Seven.' },
];

test('the program counts, as a process', () => {
  const printed = execFileSync(process.execPath, [bin, 'count', '--json'], { input: JSON.stringify(messages), encoding: 'utf8' });
  assert.deepEqual(Object.keys(JSON.parse(printed)), ['file', 'conversations', 'messages', 'tokens']);
});

test('--version is that of the manifest', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  assert.deepEqual(await palimpsest(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' });
});

test('--help lists every command with its summary; without a command it is an error', async () => {
  const { code, stdout } = await palimpsest(['--help']);
  assert.equal(code, 0);
  for (const load of Object.values(COMMANDS)) {
    const { command } = await load();
    assert.match(stdout, new RegExp(`^  ${command.name} +\\S`, 'm'));
  }
  assert.deepEqual(await palimpsest([]), { code: 2, stdout: '', stderr: stdout });
});

for (const [name, load] of Object.entries(COMMANDS)) {
  test(`${name} --help shows all options and examples, in the width of the terminal, with colours only where wanted`, async () => {
    const { command } = await load();
    assert.equal(command.name, name);
    assert.ok(command.examples.length > 0);
    const { code, stdout } = await palimpsest([name, '--help'], { terminal: { columns: 72 }, env: { NO_COLOR: '1' } });
    assert.equal(code, 0);
    assert.ok(!stdout.includes('\x1b'));
    for (const option of [...Object.keys(command.options), 'quiet', 'help']) assert.match(stdout, new RegExp(`--${option}\\b`));
    for (const [line] of command.examples) assert.ok(stdout.includes(line));
    // Commands are not broken: they are to be copied.
    const prose = stdout.split('\n').filter((line) => !/^ {2}\S/.test(line) || /^ {2,4}-/.test(line));
    assert.deepEqual(
      prose.filter((line) => line.length > 72),
      [],
    );
    assert.ok((await palimpsest([name, '-h'], { terminal: { columns: 72 } })).stdout.includes('\x1b[1mUsage:'));
    assert.equal((await palimpsest(['help', name])).stdout, (await palimpsest([name, '--help'])).stdout);
  });
}

const misuses = [
  [['cuont'], /^palimpsest: there is no command "cuont"; did you mean count\?$/],
  [['toString'], /there is no command "toString"/],
  [['count', '--modle', 'x'], /^palimpsest: count has no option --modle; did you mean --model\?$/],
  [['count', '--constructor'], /has no option --constructor/],
  [['count', '-x'], /has no option -x/],
  [['count', '--model'], /^palimpsest: --model needs a value: --model NAME$/],
  [['count', '--model', '--json'], /--model needs a value/],
  [['count', '--json=yes'], /^palimpsest: --json takes no value$/],
  [['count', '--format', 'xml'], /--format must be one of openai-chat, .*, got "xml"$/],
  [['count', '--model', 'a', '--model', 'b'], /--model is given twice/],
  [['count', '--model', 'no-such-model'], /--model/],
];
for (const [argv, expected] of misuses) {
  test(`wrong use: ${argv.join(' ')}`, async () => {
    const { code, stdout, stderr } = await palimpsest(argv, { input: JSON.stringify(messages) });
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
    assert.match(stderr.trimEnd(), expected);
    assert.equal(stderr.trimEnd().split('\n').length, 1);
  });
}

test('without the library, or without its engine, the error says what to do and is not called internal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-cli-alone-'));
  try {
    for (const part of ['bin', 'dist', 'package.json'])
      cpSync(fileURLToPath(new URL(`../${part}`, import.meta.url)), join(folder, part), { recursive: true });
    const alone = spawnSync(process.execPath, [join(folder, 'bin/palimpsest.mjs'), '--help'], { encoding: 'utf8' });
    assert.deepEqual([alone.status, alone.stdout], [1, '']);
    assert.match(alone.stderr, /^palimpsest: the package palimpsest is not installed: in a clone, run `npm ci && npm run build`; .*\n$/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const env = { ...process.env, NAPI_RS_NATIVE_LIBRARY_PATH: join(folder, 'nowhere.node') };
  const { status, stderr } = spawnSync(process.execPath, [bin, 'count'], { encoding: 'utf8', input: '[]', env });
  assert.equal(status, 1);
  assert.match(stderr, /^palimpsest: palimpsest \S+ could not load its native engine/);
  assert.match(stderr, /What to do:\n {2}- NAPI_RS_NATIVE_LIBRARY_PATH is set/);
});
