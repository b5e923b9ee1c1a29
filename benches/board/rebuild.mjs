// Rebuilds the runs of the board from clones of the public repositories that they come from.
//
//   git clone https://github.com/gruckion/mini-swe-agent && git clone https://github.com/sierra-research/tau2-bench
//   node benches/board/rebuild.mjs --swe mini-swe-agent --tau2 tau2-bench --out FOLDER
//   npm run board -- FOLDER
//
// `sources.json` lists every run with its file and outcome. What was measured is pinned by a hash of each run's messages, not by a commit: the recordings
// name branches and pull requests only. Pull requests are not in a clone; the error says how to fetch one.
//
// Not tried on real clones: the forms of the files are those that both programs are known to write, and the test makes such files itself. The
// recordings had secrets and addresses replaced, so runs with some can't have the same hash; neither can calls with numbers such as `25.0`. Runs that differ are
// written all the same, and are named.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

/** A value as the Python of τ²-bench writes it. */
function python(value) {
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
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

function readFrom(clone, ref, path) {
  try {
    const options = { maxBuffer: 2 ** 30, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return JSON.parse(execFileSync('git', ['-C', clone, 'show', `${ref.replace('refs/heads/', 'refs/remotes/origin/')}:${path}`], options));
  } catch (cause) {
    throw new Error(`${clone} has no ${path} at ${ref}. Perhaps: git -C ${clone} fetch origin ${ref}:${ref}`, { cause });
  }
}

/**
 * @param {object} sources of `sources.json`
 * @param {{ swe: string, tau2: string }} clones their folders
 * @returns runs by kind, and the ids of those whose messages are not the measured ones
 */
export function rebuilt({ swe, tau2 }, clones) {
  const differ = [];
  const run = (id, [outcome, hash], messages) => {
    if (hashOf(messages) !== hash) differ.push(id);
    return { id, outcome, messages };
  };
  return {
    swe: Object.entries(swe.runs).map(([name, pinned]) =>
      run(`swe-${name}`, pinned, ofTrajectory(readFrom(clones.swe, swe.ref, swe.path.replaceAll('NAME', name)))),
    ),
    tau2: tau2.files.flatMap(({ ref, path, id, runs }) => {
      const { info, simulations } = readFrom(clones.tau2, ref, path);
      const { policy } = info.environment_info;
      return Object.entries(runs).map(([index, pinned]) => run(`${id}-${index}`, pinned, ofSimulation(simulations[index], policy)));
    }),
    differ,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { swe: { type: 'string' }, tau2: { type: 'string' }, out: { type: 'string' } } });
  const missing = ['swe', 'tau2', 'out'].filter((name) => values[name] === undefined);
  if (missing.length > 0)
    throw new Error(`${missing.map((name) => `--${name}`).join(', ')} needed: the clones, and a folder to write into.`);
  const { differ, ...kinds } = rebuilt(JSON.parse(readFileSync(new URL('sources.json', import.meta.url), 'utf8')), values);
  mkdirSync(join(values.out, 'runs'), { recursive: true });
  for (const [kind, runs] of Object.entries(kinds))
    writeFileSync(join(values.out, 'runs', `${kind}.json.gz`), gzipSync(JSON.stringify(runs)));
  const all = kinds.swe.length + kinds.tau2.length;
  console.log(
    `${all - differ.length} of ${all} runs are those that were measured.${differ.length > 0 ? ` Not: ${differ.join(', ')}` : ''}`,
  );
}
