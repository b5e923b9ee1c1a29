// The packed tarball beside any version of the SDKs: it can be installed, and the import of a subpath says what it doesn't support.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { npm, root, run } from './packed/project.mjs';
import { cases } from './support/seed.mjs';

const { PEERS } = createRequire(import.meta.url)('../unbundled/integrations/peers.js');
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
/** Each SDK of each subpath, with the two bounds of its range. */
const sdks = Object.entries(PEERS).flatMap(([subpath, peers]) =>
  Object.entries(peers).map(([sdk, range]) => {
    const [, first, end] = range.match(/^>=(\d+\.\d+\.\d+) <(\d+\.\d+\.\d+)$/) ?? assert.fail(`${sdk}: ${range}`);
    return { subpath, sdk, range, first, end };
  }),
);

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-peers-')));
after(() => rmSync(folder, { recursive: true, force: true }));
const user = join(folder, 'user');
let tarball;
before(async () => {
  tarball = (await run(process.execPath, [join(root, 'scripts/pack.mjs'), folder], root)).trim();
  mkdirSync(user);
  writeFileSync(join(user, 'package.json'), '{ "name": "user", "private": true }');
  await npm(user, 'install', '--offline', tarball);
  cpSync(new URL('packed/peers.mjs', import.meta.url), join(user, 'peers.mjs'));
});

/** Versions of an SDK that somebody may have, now or later. */
const VERSIONS = {
  'the first one ever': () => '0.0.1',
  'a canary': () => '0.0.0-canary-20261126',
  'the first one that works': ({ first }) => first,
  'the newest': ({ sdk }) => packages[`node_modules/${sdk}`].version,
  'a prerelease of the next major': ({ end }) => `${end}-rc.1`,
  'a prerelease of years to come': () => '99.0.0-beta.1',
};

for (const [name, versionOf] of Object.entries(VERSIONS)) {
  test(`the package can be installed beside ${name} of each SDK`, async () => {
    const project = mkdtempSync(join(folder, 'project-'));
    const pairs = sdks.map((one) => [one.sdk, versionOf(one)]);
    // Packages that have nothing but a name and a version: npm looks at no more.
    const folders = pairs.map(([sdk, version]) => {
      const path = join(project, 'packages', sdk.replace('/', '-'));
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, 'package.json'), JSON.stringify({ name: sdk, version }));
      return path;
    });
    const packed = JSON.parse(await npm(project, 'pack', '--json', '--offline', ...folders));
    const dependencies = Object.fromEntries(pairs.map(([sdk], index) => [sdk, `file:${packed[index].filename}`]));
    writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, dependencies }));
    await npm(project, 'install', '--offline', '--strict-peer-deps', '--legacy-peer-deps=false', tarball);
    for (const [sdk, version] of pairs)
      assert.equal(JSON.parse(readFileSync(join(project, 'node_modules', sdk, 'package.json'), 'utf8')).version, version);
    await run(process.execPath, ['-e', "require('palimpsest').fit([{ role: 'user', content: 'Hi.' }], { limit: 100 })"], project);
  });
}

/** Loads subpaths beside versions of SDKs, and returns what came of each. */
function load(drawn) {
  // One SDK at a time: the others have to fit.
  for (const { sdk, first } of sdks) {
    mkdirSync(join(user, 'node_modules', sdk), { recursive: true });
    writeFileSync(join(user, 'node_modules', sdk, 'package.json'), JSON.stringify({ name: sdk, version: first }));
  }
  const input = JSON.stringify(drawn.map(({ subpath, ...rest }) => ({ subpath: `palimpsest/${subpath}`, ...rest })));
  const { stdout, stderr, status } = spawnSync(process.execPath, ['peers.mjs'], { cwd: user, input, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const numbers = (version) => version.split('.').map(Number);
const dotted = (parts) => parts.join('.');
const natural = fc.nat({ max: 400 });
const prerelease = fc.constantFrom('alpha.0', 'beta.3', 'rc', '0', 'canary-20261126', 'x-y.7');
const build = fc.constantFrom('', '+5', '+build-7');

/** A version that is smaller than another in its first, second or third number. */
const below = ([major, minor, patch]) => {
  const ways = [];
  if (major > 0) ways.push(fc.tuple(fc.nat({ max: major - 1 }), natural, natural));
  if (minor > 0) ways.push(fc.tuple(fc.constant(major), fc.nat({ max: minor - 1 }), natural));
  if (patch > 0) ways.push(fc.tuple(fc.constant(major), fc.constant(minor), fc.nat({ max: patch - 1 })));
  return fc.oneof(...ways).map(dotted);
};
/** A version that is at least another one. */
const from = ([major, minor, patch]) =>
  fc
    .oneof(
      fc.tuple(natural, natural, natural).map(([more, ...rest]) => [major + 1 + more, ...rest]),
      fc.tuple(natural, natural).map(([more, last]) => [major, minor + 1 + more, last]),
      natural.map((more) => [major, minor, patch + more]),
    )
    .map(dotted);
const isLess = (a, b) => {
  const [left, right] = [numbers(a), numbers(b)];
  const place = left.findIndex((number, index) => number !== right[index]);
  return place >= 0 && left[place] < right[place];
};

/** A version, and what comes of it: an error, a warning or nothing. */
const drawn = fc.constantFrom(...sdks).chain((one) => {
  const [first, end] = [one.first, one.end].map(numbers);
  const more = (version) =>
    fc.tuple(fc.option(prerelease), build).map(([pre, after]) => `${version}${pre === null ? '' : `-${pre}`}${after}`);
  const of = (outcome, versions) => versions.map((version) => ({ ...one, version, outcome }));
  return fc.oneof(
    of('error', below(first).chain(more)),
    // A prerelease comes before its release.
    of(
      'error',
      fc.tuple(prerelease, build).map(([pre, after]) => `${one.first}-${pre}${after}`),
    ),
    of(
      'nothing',
      build.map((after) => `${one.first}${after}`),
    ),
    of(
      'nothing',
      from(first)
        .filter((version) => version !== one.first && isLess(version, one.end))
        .chain(more),
    ),
    // One of the version at which the range ends has what is new there.
    of('warning', from(end).chain(more)),
    of('warning', more(one.end)),
    // What is no version says nothing.
    of('nothing', fc.constantFrom('', 'next', 'workspace:*', 'link', '7', '1.2')),
  );
});

test('below the range an import is refused, above it there is one warning, and both say what is installed', () => {
  fc.assert(
    fc.property(fc.array(drawn, { minLength: 80, maxLength: 80 }), (many) => {
      load(many).forEach(({ code, message = '', warnings }, index) => {
        const { subpath, sdk, range, version, outcome } = many[index];
        const shown = JSON.stringify({ sdk, range, version, code, message, warnings });
        assert.equal(code, outcome === 'error' ? 'ERR_PALIMPSEST_PEER' : undefined, shown);
        assert.equal(warnings.length, outcome === 'warning' ? 1 : 0, shown);
        const texts = outcome === 'error' ? [message] : warnings.map((warning) => warning.message);
        for (const text of texts)
          for (const part of [`palimpsest/${subpath} `, `${sdk} ${range}`, version]) assert.ok(text.includes(part), shown);
        if (outcome === 'error') assert.ok(message.endsWith(`npm install "${sdk}@${range}"`), shown);
        for (const warning of warnings) assert.deepEqual([warning.name, warning.code], ['Warning', 'PALIMPSEST_PEER_UNTESTED']);
      });
    }),
    { numRuns: cases(2) },
  );
});
