// The programs of docs/integrations.md compile and run as they stand there, and each integration has one, and an example. So do those of
// programs/: they use what the page only names.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { countTokens, marksNote } from 'palimpsest';
import { startProvider } from '../support/agents/index.mjs';
import { runUnderNode22, withoutNode22 } from '../support/node22.mjs';

const require = createRequire(import.meta.url);
const { PEERS } = require('../../unbundled/integrations/peers.js');
const { integration } = require('../../unbundled/options/integrations.js');
const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const read = (file) => readFileSync(join(root, file), 'utf8');
const page = read('docs/integrations.md');

/** The programs of the page, named by the subpath in the heading of their section. */
const ofPage = page.split(/^(?=## )/m).flatMap((section) => {
  const [, subpath = 'shared'] = section.match(/^## .*`palimpsest\/([\w-]+)`/) ?? [];
  return [...section.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code], index) => ({ code, subpath, name: `${subpath}-${index + 1}` }));
});
const PROGRAMS = '__test__/integrations/programs';
const others = readdirSync(join(root, PROGRAMS)).map((file) => {
  const subpath = file.replace('.mts', '');
  return { code: read(`${PROGRAMS}/${file}`), subpath, name: `${subpath}-other` };
});
const snippets = [...ofPage, ...others];

const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-docs-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** Makes a package of the work tree known in the scratch folder, as in an application. */
function link(module, target = join(root, 'node_modules', module)) {
  const path = join(scratch, 'node_modules', module);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, 'junction');
}

let provider;
before(async () => {
  link('palimpsest', root);
  const imported = snippets.flatMap(({ code }) => [...code.matchAll(/ from '((?:@[\w-]+\/)?[\w-]+)/g)].map(([, module]) => module));
  for (const module of new Set([...imported, '@types/node', '@types/express']))
    if (module !== 'palimpsest' && module !== 'node') link(module);
  for (const { name, code } of snippets) writeFileSync(join(scratch, `${name}.mts`), `${code}\nexport {};\n`);
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  const options = ['--ignoreConfig', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext', '--types', 'node'];
  const files = snippets.map(({ name }) => `${name}.mts`);
  await promisify(execFile)(process.execPath, [tsc, ...options, ...files], { cwd: scratch }).catch(({ stdout }) => assert.fail(stdout));
  provider = await startProvider(() => ({ text: 'Done.' }), { window: 1_000_000 });
});
after(() => provider?.close());

for (const { name, code, subpath } of snippets) {
  test(`the program ${name} runs, and its requests are answered`, { skip: withoutNode22 }, async () => {
    provider.reset();
    const keys = {
      OPENAI_API_KEY: 'test',
      OPENAI_AGENTS_DISABLE_TRACING: '1',
      ANTHROPIC_API_KEY: 'test',
      GEMINI_API_KEY: 'test',
      GOOGLE_GENAI_API_KEY: 'test',
    };
    const urls = {
      OPENAI_BASE_URL: `${provider.url}/v1`,
      ANTHROPIC_BASE_URL: provider.url,
      GOOGLE_GEMINI_BASE_URL: provider.url,
    };
    const printed = await runUnderNode22(join(scratch, `${name}.mjs`), { env: { ...keys, ...urls } });
    const expected = [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, text]) => text);
    if (expected.length > 0) assert.deepEqual(printed.trim().split('\n'), expected);
    // What a module exports is for a server, which sends the requests.
    if (subpath === 'shared' || /^export /m.test(code)) return;
    assert.ok(provider.requests.length > 0, 'it sent no request');
    assert.ok(provider.requests.every(({ status }) => status === 200));
  });
}

for (const name of Object.keys(PEERS)) {
  test(`palimpsest/${name} has a program in the documentation`, () => {
    assert.ok(ofPage.some(({ subpath, code }) => subpath === name && code.includes(`'palimpsest/${name}'`)));
  });

  test(`examples/${name}.mjs runs, in 20 to 40 lines`, { skip: withoutNode22 }, async () => {
    const lines = read(`examples/${name}.mjs`).trim().split('\n').length;
    assert.ok(lines >= 20 && lines <= 40, `${lines} lines`);
    assert.notEqual((await runUnderNode22(`examples/${name}.mjs`)).trim(), '');
  });
}

test('the example that an editor shows of each main function is of its tested program', () => {
  const main = /^(?:palimpsest\w+|prepareStep|withPalimpsest|chatParser)$/;
  for (const subpath of Object.keys(PEERS)) {
    const source = read(`lib/integrations/${subpath}.ts`);
    const seen = new Set();
    for (const [, comment, name] of source.matchAll(/(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\nexport function (\w+)/g)) {
      // Of overloads, the first one has it.
      if (!main.test(name) || subpath === 'langchain' || seen.has(name)) continue;
      seen.add(name);
      const [, example] = comment.match(/ \* @example\n((?: \*(?! @).*\n)+)/) ?? assert.fail(`${subpath}: ${name} has no example`);
      const lines = example
        .replace(/^ \* ?/gm, '')
        .split('\n')
        .filter((line) => line !== '' && !/^\s*\/\/|^\}\);$/.test(line));
      const programs = snippets
        .filter((snippet) => snippet.subpath === subpath)
        .flatMap(({ code }) => code.split('\n').map((line) => line.trim()));
      for (const line of lines) assert.ok(programs.includes(line.trim()), `${subpath}, ${name}: ${line}`);
    }
  }
});

test('the README has a row for each subpath, whose line is of its tested program', () => {
  const rows = [
    ...read('README.md').matchAll(/^\| \[[^|]+\]\(docs\/integrations\.md#[\w-]+\)[^|]* \| `palimpsest\/([\w-]+)` \| `(.+)` \|$/gm),
  ];
  assert.deepEqual(rows.map(([, subpath]) => subpath).sort(), Object.keys(PEERS).sort());
  for (const [, subpath, line] of rows) {
    const programs = ofPage.filter((snippet) => snippet.subpath === subpath);
    assert.ok(
      programs.some(({ code }) => code.split('\n').some((one) => one.trim() === line)),
      line,
    );
  }
});

test('the options that integrations share are named, with their defaults and what the note on marks takes', () => {
  const section = page.slice(page.indexOf('\n## Options\n'), page.indexOf('\n## Which conversation\n'));
  for (const name of ['session', 'conversations', 'explainMarks', 'onStep', 'onError']) {
    assert.ok(name in integration && section.includes(`\`${name}\``), name);
  }
  assert.ok(section.includes(`\`conversations\` (${integration.conversations.default})`));
  assert.ok(section.includes(`\`explainMarks\` (\`${integration.explainMarks.default}\`)`));
  const note = `${countTokens(marksNote)} tokens`;
  assert.ok(section.includes(note) && read('lib/integrations/options.ts').includes(note), `the note on marks takes ${note}`);
});
