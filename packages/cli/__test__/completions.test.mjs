// Completions, in the real shells where these are installed.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { optionsOf } from '../dist/arguments.mjs';
import { COMMANDS } from '../dist/commands/index.mjs';
import { palimpsest } from './run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-shells-'));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'chat.json'), '[]');
const isInstalled = (shell) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

async function script(shell) {
  const { code, stdout } = await palimpsest(['completions', shell]);
  assert.equal(code, 0);
  writeFileSync(join(folder, `palimpsest.${shell}`), stdout);
  return join(folder, `palimpsest.${shell}`);
}
const names = Object.keys(COMMANDS);
const options = async (name) => Object.keys(optionsOf((await COMMANDS[name]()).command)).map((option) => `--${option}`);

/** Asks a shell for what may stand at the end of a line. @type {Record<string, (file: string, words: string[]) => string[]>} */
const asked = {
  bash(file, words) {
    const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _palimpsest; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return lines(execFileSync('bash', ['--norc', '-c', program, 'bash', file, ...words], { cwd: folder, encoding: 'utf8' }));
  },
  fish(file, words) {
    const line = words
      .map((word) => word || "''")
      .join(' ')
      .replace(/''$/, '');
    const program = `source $argv[1]; complete -C $argv[2]`;
    const printed = execFileSync('fish', ['--no-config', '-c', program, file, line], { cwd: folder, encoding: 'utf8' });
    return lines(printed).map((one) => one.split('\t')[0]);
  },
};
const lines = (text) => text.split('\n').filter(Boolean);

for (const shell of Object.keys(asked)) {
  test(`${shell} completes commands, options, choices and files`, {
    skip: !isInstalled(shell) && `${shell} is not installed`,
  }, async () => {
    const file = await script(shell);
    const complete = (...words) => asked[shell](file, ['palimpsest', ...words]);
    for (const name of names) assert.ok(complete('').includes(name), name);
    assert.deepEqual(complete('fi'), ['fit']);
    for (const name of names) {
      const found = complete(name, '--');
      for (const option of await options(name)) assert.ok(found.includes(option), `${name} ${option}`);
    }
    assert.deepEqual(complete('fit', '--thinking', '').sort(), ['keep', 'leave', 'strip']);
    assert.ok(complete('fit', 'ch').includes('chat.json'));
    assert.deepEqual(complete('completions', '').sort(), ['bash', 'fish', 'zsh']);
  });
}

test('zsh completes commands and options', { skip: !isInstalled('zsh') && 'zsh is not installed' }, async () => {
  const file = await script('zsh');
  // An interactive zsh in a pseudo-terminal lists what it would complete: compadd is told to write it down.
  const program = `
    autoload -Uz compinit && compinit -u -D
    source "$1"
    [ "\${_comps[palimpsest]}" = _palimpsest ] || exit 3
    _describe() { print -rl -- "\${(@P)2}"; }
    _arguments() { print -rl -- "$@"; }
    shift; words=("$@"); CURRENT=$#
    _palimpsest`;
  const complete = (...words) =>
    lines(
      execFileSync('zsh', ['-f', '-c', program, 'zsh', file, 'palimpsest', ...words], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }),
    );
  assert.deepEqual(
    complete('').map((line) => line.split(':')[0]),
    names,
  );
  for (const name of names) {
    const found = complete(name, '');
    for (const option of await options(name))
      assert.ok(
        found.some((line) => new RegExp(`\\)${option}\\[.+\\]`).test(line)),
        `${name} ${option}`,
      );
  }
  assert.ok(
    complete('fit', '').some((line) => line.endsWith(':keep|strip|leave:(keep strip leave)') || line.endsWith('(keep strip leave)')),
  );
});

test('completions wants a shell that it knows', async () => {
  for (const argv of [['completions'], ['completions', 'cmd']]) {
    const { code, stderr } = await palimpsest(argv);
    assert.equal(code, 2);
    assert.match(stderr, /^palimpsest: completions needs a shell: bash, zsh, fish/);
  }
});
