// The test files of the package, and how they are run.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const isTest = (name) => name.endsWith('.test.mjs') && !name.includes('node_modules');
const folders = ['__test__', ...readdirSync(join(root, 'packages')).map((name) => join('packages', name, '__test__'))];
export const all = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter(isTest)
    .map((name) => join(folder, name)),
);

/** The files of a room, which is a folder or a file of `__test__`, such as `fit`, or a package, such as `cli`; a file is one. */
export function filesOf(room) {
  if (isTest(room)) return [room];
  const isIn = (path) =>
    [`__test__/${room}/`, `__test__/${room}.`, `packages/${room}/`].some((start) => path.replaceAll('\\', '/').startsWith(start));
  const files = all.filter(isIn);
  if (files.length > 0) return files;
  console.error(`no tests are in __test__/${room}, __test__/${room}.*.test.mjs or packages/${room}`);
  process.exit(1);
}

/** Path of a Node.js that is installed in a folder, if this one is older. */
const nodeIn = (folder, version) => {
  const path = join(root, folder, `node_modules/node-${version}/bin/node`);
  return Number(process.versions.node.split('.')[0]) < version && existsSync(path) ? path : process.execPath;
};

/**
 * The Node.js for a file: tests with SDKs that want Node.js 22 run under that, those in `__test__/frameworks/` under the 24 that is installed there, and
 * all others under this one.
 */
export const nodeOf = (() => {
  const [newer, newest] = [nodeIn('.', 22), nodeIn('__test__/frameworks', 24)];
  const plain = (path) => (path.replaceAll('\\', '/').startsWith('__test__/frameworks/') ? newest : process.execPath);
  if (newer === process.execPath) return plain;
  const { devDependencies } = JSON.parse(readFileSync(join(root, '__test__/dependencies/package.json'), 'utf8'));
  const wanting = Object.keys(devDependencies).filter((name) => {
    const { engines } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
    return /^>=\s*22\b/.test(engines?.node ?? '');
  });
  const imports = new RegExp(`from '(?:${wanting.join('|')})['/]`);
  return (path) => (imports.test(readFileSync(join(root, path), 'utf8')) ? newer : plain(path));
})();

/** What Node.js is told to run test files; all random ones make their cases from the seed. */
export const TEST_OPTIONS = ['--import', './__test__/support/seed.mjs', '--test', '--test-reporter=spec'];

/**
 * Environment of the random tests of both languages. proptest tries 256 cases by default, and properties with another number a share of that. It
 * takes seconds, so that there are never fewer.
 */
export const seeded = (seed, cases) => ({
  ...process.env,
  TEST_SEED: String(seed),
  TEST_CASES: String(cases),
  PROPTEST_RNG_SEED: String(seed),
  PROPTEST_CASES: String(Math.ceil(256 * Math.max(1, cases))),
});
