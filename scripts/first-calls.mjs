// Writes eager.json. It names a function at the top level of a file if every first call that reads the file runs it.
//   npm run eager
// A function that is compiled in vain costs twice what is saved where it runs, so a single call that doesn't run it rules it out. First
// calls of `countTokens` don't count: they are far below their target.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { firstCalls } from '../benches/rows/first-calls.mjs';

const script = fileURLToPath(import.meta.url);
const root = join(dirname(script), '..');
const require = createRequire(script);
const lib = pathToFileURL(join(root, 'lib/')).href;
const VERBS = Object.keys(firstCalls).filter((verb) => !verb.startsWith('countTokens'));

/** The files of lib/ that `act` reads, or that were read, and the functions of each that it runs, by the offset where they begin. */
function ranBy(act) {
  const session = new Session();
  session.connect();
  const post = (method, params) => {
    let answer;
    session.post(method, params, (error, result) => {
      if (error) throw error;
      answer = result;
    });
    return answer;
  };
  post('Profiler.enable');
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  act();
  const { result } = post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => url.startsWith(lib))
    .map(({ url, functions }) => [
      url.slice(lib.length),
      functions.filter(({ ranges: [{ count }] }) => count > 0).map(({ ranges: [{ startOffset }] }) => startOffset),
    ]);
}

/** What this script prints in a process of its own. */
const inProcess = (...args) => JSON.parse(execFileSync(process.execPath, [script, ...args], { encoding: 'utf8', cwd: root }));

const COMMENT = /\/\*[\s\S]*?\*\/|^ *\/\/.*$/gm;
const FUNCTION = /^(?:(?:async )?function\*? (\w+)\([\s\S]*?^\}$|const (\w+) = (?=(?:async )?(?:\w+|\(.*\)) =>))/gm;

/** The names of functions at the top level of a file, by the offset where they begin, without those that the statements above mention. */
function namesAt(file) {
  const text = readFileSync(join(root, 'lib', file), 'utf8');
  const found = [...text.matchAll(FUNCTION)].map(({ 0: all, 1: declared, 2: assigned, index }) => [
    declared ? index : index + all.length,
    declared ?? assigned,
  ]);
  const above = (offset) => text.slice(0, offset).replace(FUNCTION, '').replace(COMMENT, '');
  return new Map(found.filter(([offset, name]) => !new RegExp(`\\b${name}\\b`).test(above(offset).replace(`const ${name} = `, ''))));
}

/** The functions that the first call of each verb runs, by file. Those that run while a file is read may be needed before its text gets to them. */
export function eagerFunctions() {
  const calls = VERBS.map((verb) => new Map(inProcess(verb)));
  const files = [...new Set(calls.flatMap((call) => [...call.keys()]))];
  const whileRead = new Map(inProcess('read', ...files));
  const listed = files.sort().map((file) => {
    const reading = calls.filter((call) => call.has(file));
    const isEager = ([offset]) => reading.every((call) => call.get(file).includes(offset)) && !whileRead.get(file).includes(offset);
    return [file, [...namesAt(file)].filter(isEager).map(([, name]) => name)];
  });
  return Object.fromEntries(listed.filter(([, names]) => names.length > 0));
}

const [what, ...files] = process.argv.slice(2);
if (process.argv[1] === script) {
  if (what === undefined) writeFileSync(join(root, 'scripts/eager.json'), `${JSON.stringify(eagerFunctions(), null, 2)}\n`);
  else {
    const reading = () => files.forEach((file) => require(`../lib/${file}`));
    const call = what === 'read' ? reading : firstCalls[what](require('../index.js'));
    console.log(JSON.stringify(ranBy(call)));
  }
}
