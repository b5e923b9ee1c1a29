// Rebuilds the runs of the board from clones of the public repositories that they come from; README.md has the commands.
//
// `sources.json` lists every run with its file and outcome. What was measured is pinned by a hash of each run's messages, not by a commit: the recordings
// name branches and pull requests only. Runs that differ are written all the same, and are named.
//
// Tried on clones that were laid out from the recordings by the documentation of both programs, not on real ones. The recordings had secrets and
// addresses replaced, so real runs with some can't have the same hash.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

const STRINGS_AND_FRACTIONS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+\.\d+(?:[eE][+-]?\d+)?/g;
/** A number with a fraction, which JavaScript would write in another way: `2.0`. */
const FRACTION = 'a fraction';
const withFractions = (json) => json.replace(STRINGS_AND_FRACTIONS, (token) => (token[0] === '"' ? token : `{"${FRACTION}":"${token}"}`));

/** A value as the Python of τ²-bench writes it. */
function python(value) {
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (FRACTION in value) return value[FRACTION];
  return `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}: ${python(one)}`)
    .join(', ')}}`;
}

/** The messages of a trajectory of mini-swe-agent: `{ messages: [{ role, content }] }`. */
const ofTrajectory = ({ messages }) => messages.map(({ role, content }) => ({ role, content }));

/** What a simulation of τ²-bench shows the agent. Calls that the simulated user makes on its own device, and their results, are none of it. */
function ofSimulation({ messages }, policy) {
  const shown = messages.flatMap(({ role, content, tool_calls: calls, id, requestor }) => {
    if (role === 'tool') return requestor === 'user' ? [] : [{ role, content: content ?? '', tool_call_id: id }];
    if (role === 'user') return content ? [{ role, content }] : [];
    const written = (calls ?? []).map(({ id: callId, name, arguments: args }) => {
      return { id: callId, type: 'function', function: { name, arguments: python(args) } };
    });
    return [{ role, content: content ?? '', ...(written.length > 0 ? { tool_calls: written } : {}) }];
  });
  return [{ role: 'system', content: policy }, ...shown];
}

export const hashOf = (messages) => createHash('sha256').update(JSON.stringify(messages)).digest('hex').slice(0, 12);

/** What git prints in a clone; undefined if it fails. */
function git(clone, ...args) {
  try {
    return execFileSync('git', ['-C', clone, ...args], {
      maxBuffer: 2 ** 30,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}

/** What a clone calls a ref of the repository. */
const inClone = (ref) => ref.replace('refs/heads/', 'refs/remotes/origin/');

/** @throws {Error} the folder is no clone, or lacks some of the refs */
function checkClone(clone, refs) {
  if (git(clone, 'rev-parse', '--git-dir') === undefined) throw new Error(`${clone} is no clone of a git repository`);
  const lacking = [...new Set(refs)].filter(
    (ref) => git(clone, 'rev-parse', '--verify', '--quiet', `${inClone(ref)}^{commit}`) === undefined,
  );
  if (lacking.length === 0) return;
  const depth = git(clone, 'rev-parse', '--is-shallow-repository') === 'true' ? '--depth 1 ' : '';
  const specs = lacking.map((ref) => (ref.startsWith('refs/') ? `${ref}:${inClone(ref)}` : ref));
  throw new Error(`${clone} lacks ${lacking.join(', ')}. Fetch them: git -C "${clone}" fetch ${depth}origin ${specs.join(' ')}`);
}

/** @throws {Error} there is no such file, or it is no JSON with `member` */
function readFrom(clone, ref, path, member) {
  const json = git(clone, 'show', `${inClone(ref)}:${path}`);
  const commit = git(clone, 'rev-parse', '--short', inClone(ref));
  const found = `git -C "${clone}" log --all --oneline -- "${path}"`;
  if (json === undefined) throw new Error(`${clone} has no ${path} at ${ref} (${commit}). These commits change it: ${found}`);
  let value;
  try {
    value = JSON.parse(withFractions(json));
  } catch {}
  if (value?.[member] === undefined) throw new Error(`${path} in ${clone} at ${ref} (${commit}) is no JSON with ${member}`);
  return value;
}

/**
 * @param {object} sources of `sources.json`
 * @param {{ swe: string, tau2: string }} clones their folders
 * @returns runs by kind, and the ids of those whose messages are not the measured ones
 * @throws {Error} a clone lacks something; the message says what, and how to get it
 */
export function rebuilt({ swe, tau2 }, clones) {
  checkClone(clones.swe, [swe.ref]);
  const refs = tau2.files.map(({ ref }) => ref);
  checkClone(clones.tau2, refs);
  const differ = [];
  const run = (id, [outcome, hash], messages) => {
    if (hashOf(messages) !== hash) differ.push(id);
    return { id, outcome, messages };
  };
  return {
    swe: Object.entries(swe.runs).map(([name, pinned]) =>
      run(`swe-${name}`, pinned, ofTrajectory(readFrom(clones.swe, swe.ref, swe.path.replaceAll('NAME', name), 'messages'))),
    ),
    tau2: tau2.files.flatMap(({ ref, path, id, runs }) => {
      const { info, simulations } = readFrom(clones.tau2, ref, path, 'simulations');
      const { policy } = info.environment_info;
      return Object.entries(runs).map(([index, pinned]) => {
        if (!simulations[index]?.messages) throw new Error(`${path} in ${clones.tau2} at ${ref} has no simulation ${index} with messages`);
        return run(`${id}-${index}`, pinned, ofSimulation(simulations[index], policy));
      });
    }),
    differ,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { swe: { type: 'string' }, tau2: { type: 'string' }, out: { type: 'string' } } });
  const fail = (text) => {
    console.error(text);
    process.exit(1);
  };
  const missing = ['swe', 'tau2', 'out'].filter((name) => values[name] === undefined);
  if (missing.length > 0) fail(`${missing.map((name) => `--${name}`).join(', ')} needed: the clones, and a folder to write into`);
  const sources = JSON.parse(readFileSync(new URL('sources.json', import.meta.url), 'utf8'));
  let built;
  try {
    built = rebuilt(sources, values);
  } catch (error) {
    fail(error.message);
  }
  const { differ, ...kinds } = built;
  mkdirSync(join(values.out, 'runs'), { recursive: true });
  for (const [kind, runs] of Object.entries(kinds))
    writeFileSync(join(values.out, 'runs', `${kind}.json.gz`), gzipSync(JSON.stringify(runs)));
  const count = kinds.swe.length + kinds.tau2.length;
  console.log(
    `${count - differ.length} of ${count} runs are those that were measured.${differ.length > 0 ? ` Not: ${differ.join(', ')}` : ''}`,
  );
}
