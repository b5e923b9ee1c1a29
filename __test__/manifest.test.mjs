// package.json and the list of subpaths with their SDKs (lib/integrations/peers.ts) say the same; nothing writes the one from the other.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const { OPENTELEMETRY, PEERS } = createRequire(import.meta.url)('../unbundled/integrations/peers.js');
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const read = (path) => readFileSync(join(root, path), 'utf8');
const { exports, peerDependencies, peerDependenciesMeta, devDependencies } = JSON.parse(read('package.json'));
const { devDependencies: ofTests } = JSON.parse(read('__test__/dependencies/package.json'));
const { packages } = JSON.parse(read('package-lock.json'));
const sdks = [...Object.values(PEERS), OPENTELEMETRY].flatMap((peers) => Object.entries(peers));

test('the subpaths for SDKs are those of the list, each with its own files for either module system', () => {
  const isOther = (path) =>
    ['.', './compress', './testing', './internal', './opentelemetry', './package.json'].includes(path) || path.startsWith('./store/');
  const found = Object.fromEntries(Object.entries(exports).filter(([path]) => !isOther(path)));
  const expected = Object.keys(PEERS).map((name) => [
    `./${name}`,
    {
      import: {
        types: `./dist/integrations/${name}.d.mts`,
        module: `./dist/integrations/${name}.bundler.mjs`,
        default: `./dist/integrations/${name}.mjs`,
      },
      require: { types: `./dist/integrations/${name}.d.ts`, default: `./dist/integrations-${name}.js` },
    },
  ]);
  assert.deepEqual(found, Object.fromEntries(expected));
});

test('no SDK keeps npm from installing the package, and strict package managers let it load each of the list', () => {
  // npm checks each SDK in `peerDependencies`, and that SDK's own peers, for conflicts, even if it is optional and not installed. pnpm and Yarn take an
  // SDK that is in `peerDependenciesMeta` alone for an optional peer of any version. The import of a subpath checks the version.
  const names = [...new Set(sdks.map(([name]) => name))];
  assert.equal(peerDependencies, undefined);
  assert.deepEqual(peerDependenciesMeta, Object.fromEntries(names.map((name) => [name, { optional: true }])));
  assert.equal(packages[''].peerDependencies, undefined);
  assert.deepEqual(packages[''].peerDependenciesMeta, peerDependenciesMeta);
});

test('a range ends before the first version that can break what works with the newest', () => {
  for (const [name, range] of sdks) {
    const [, ...bounds] = range.match(/^>=(\d+)\.(\d+)\.(\d+) <(\d+\.\d+\.\d+)$/) ?? assert.fail(`${name}: ${range}`);
    const [major, minor, patch] = packages[`node_modules/${name}`].version.split('.').map(Number);
    assert.ok(name in ofTests, name);
    assert.equal(bounds[3], major > 0 ? `${major + 1}.0.0` : `0.${minor + 1}.0`, name);
    const [first, newest] = [bounds.slice(0, 3).map(Number), [major, minor, patch]];
    const place = first.findIndex((number, index) => number !== newest[index]);
    assert.ok(place < 0 || first[place] < newest[place], `${name}: the newest is below ${range}`);
  }
});

test('a subpath checks its own SDKs as it loads', () => {
  for (const [name, peers] of Object.entries(PEERS)) {
    const checked = [...read(`lib/integrations/${name}.ts`).matchAll(/^checkPeers\((.*)\);$/gm)].map(([, argument]) => argument);
    assert.deepEqual(checked, Object.keys(peers).length > 0 ? [`'${name}'`] : [], name);
  }
});

test('a build and the demo need no package that is installed for tests alone', () => {
  const { dependencies } = JSON.parse(read('packages/cli/package.json'));
  const given = { ...devDependencies, palimpsest: undefined };
  const seen = new Set();
  const visit = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    // Also what is imported later, and what is found by its path.
    const asks = /(?:^import|^(?:import|export|\})[^;\n]* from) '([\w@./-]+)';$|\b(?:require\.resolve|library)\('([^']+)'/gm;
    for (const [, imported, found] of read(path).matchAll(asks)) {
      const asked = imported ?? found;
      if (asked.startsWith('node:')) continue;
      if (asked.startsWith('.')) {
        visit(join(dirname(path), asked));
        continue;
      }
      const name = asked.match(/^(?:@[^/]+\/)?[^/]+/)[0];
      assert.ok(name in given, `${path} asks for ${name}, which is not among the dev dependencies of the root`);
      if (path.startsWith('packages') && name in devDependencies) assert.equal(devDependencies[name], dependencies[name], name);
    }
  };
  const page = ['analysis/index.mjs', 'report/page.mjs', 'transcripts/index.mjs'].map((path) => join('packages/cli/dist', path));
  for (const path of ['examples/demo.mjs', ...page, 'scripts/build.mjs', 'scripts/wasm.mjs', 'scripts/pack.mjs', 'scripts/stage.mjs'])
    visit(path);
  for (const name of ['uplot', 'marked', '@pydantic/genai-prices']) assert.ok(name in devDependencies, name);
  assert.ok(seen.size > 40, `${seen.size} files`);
});

test('what tests alone need is a workspace, which an install without workspaces leaves out', () => {
  const { workspaces } = JSON.parse(read('package.json'));
  assert.ok(workspaces.includes('__test__/dependencies'));
  assert.deepEqual(
    Object.keys(devDependencies).filter((name) => name in ofTests),
    [],
  );
});
