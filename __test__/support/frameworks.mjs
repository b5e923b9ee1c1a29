// Runs of the frameworks of docs/frameworks.md: the page's own programs, against a provider that refuses what the real one refuses.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { longAgent, startProvider } from './agents/index.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Packages of frameworks that few tests need: `npm ci --ignore-scripts --prefix __test__/frameworks` installs them. */
const workspace = join(root, '__test__/frameworks/node_modules');
const isNew = Number(process.versions.node.split('.')[0]) >= 24;
/** For the options of a test with one of them: why it is skipped, or false. */
export const withoutFrameworks =
  (!existsSync(workspace) && 'needs npm ci --ignore-scripts --prefix __test__/frameworks') || (!isNew && 'needs Node.js 24');
const page = readFileSync(join(root, 'docs/frameworks.md'), 'utf8');

/** The blocks of code of a section, in a language such as `js`. */
export const blocksOf = (section, language) => {
  const [text] = page.split(`\n## ${section}\n`)[1].split('\n## ');
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code]) => code);
};

const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-frameworks-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
/** Where programs find what they import: the workspace of frameworks, if it is installed, and then the dev dependencies. */
const place = join(scratch, 'frameworks');
mkdirSync(place);
symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'), 'junction');
symlinkSync(workspace, join(place, 'node_modules'), 'junction');

let programs = 0;
/**
 * What the program of a section exports.
 *
 * @param {string} section its title
 * @param {{ as?: (code: string) => string }} [more] writes addresses of the test into it
 */
export async function program(section, { as = (code) => code } = {}) {
  const file = join(place, `${programs++}.mjs`);
  writeFileSync(file, as(blocksOf(section, 'js')[0]));
  return import(pathToFileURL(file).href);
}

export const STEPS = 75;
/** Of a sub-agent. */
export const PART = 40;
export const WINDOW = 64_000;
/** Where the frameworks compact. */
export const THRESHOLD = 34_000;
/** Three quarters of a window of 40,000 tokens, as the default limit of a session is of one of 200,000. */
export const LIMIT = 30_000;
export const SYSTEM = 'You repair programs.';
export const ASKED = 'Repair it, and leave port 8412 as it is.';

/** What input and answers cost, in tokens of uncached input. */
const costOf = ({ sent, cached, written, output }) => sent - cached - written + 0.1 * cached + 1.25 * written + 5 * output;

/**
 * Runs `work` with a provider whose model works on, and returns the provider.
 *
 * @param {object} [options]
 * @param {Record<string, string>} [options.names] other names for the agent's tools
 * @param {boolean} [options.delegates] it has a part done by a sub-agent
 * @param {object} [options.final] its last answer
 * @param {number} [options.pause] after so many steps it answers in words, and waits for another question
 * @param {object} [options.main] the agent itself: gives the answer for each turn
 */
export async function played(t, work, { names = {}, delegates = false, final, pause = STEPS, main } = {}) {
  const agents = { main: main ?? longAgent({ steps: STEPS, tools: names, final }), part: longAgent({ steps: PART, tools: names }) };
  const delegating = { text: '', calls: [{ name: 'task', input: { description: 'Do the other part.', subagent_type: 'part' } }] };
  const script = (turn) => {
    if (agents[turn.conversation] === undefined) return { text: 'The part before was read, searched, run and edited. '.repeat(20) };
    if (turn.conversation === 'main' && (turn.step + 1) % pause === 0 && turn.step < STEPS - 1) return { text: 'That is done.' };
    return delegates && turn.conversation === 'main' && turn.step === 3 ? delegating : agents[turn.conversation](turn);
  };
  // What a framework asks for a summary has another system prompt, or no tools.
  const conversationOf = ({ request: { tools } }) => (tools?.length > 0 ? undefined : 'summary');
  const provider = await startProvider(script, { window: WINDOW, conversationOf });
  t.after(() => provider.close());
  await work(provider);
  return provider;
}

/** Checks what came of a run with palimpsest, and that it cost no more than one with the framework's own compaction, if it has one. */
export function check(t, ours, theirs, { steps = STEPS } = {}) {
  const [mine, its] = [ours.sum(), theirs?.sum()];
  const most = Math.max(...ours.requests.map(({ tokens }) => tokens));
  t.diagnostic(`${mine.sent} tokens sent in ${mine.requests} requests of up to ${most}, cost ${Math.round(costOf(mine))}`);
  if (its) t.diagnostic(`without: ${its.sent} in ${its.requests}, ${its.refused} refused, cost ${Math.round(costOf(its))}`);
  assert.deepEqual(
    ours.requests.filter(({ status }) => status !== 200).map(({ error }) => error),
    [],
  );
  assert.equal(mine.requests, steps, 'nothing was asked beside the steps');
  assert.ok(most <= LIMIT, `${most} tokens`);
  if (its) assert.ok(costOf(mine) <= costOf(its), `${costOf(mine)} and ${costOf(its)}`);
  assert.ok(
    ours.requests.some(({ body }) => JSON.stringify(body).includes('[… ')),
    'something was cut',
  );
}

/**
 * Starts the command `palimpsest proxy` before a provider, and returns its address.
 *
 * @param {{ url: string }} provider
 */
export async function proxyBefore(t, { url }) {
  const args = [join(root, 'packages/cli/bin/palimpsest.mjs'), 'proxy', '-q', '--limit', `${LIMIT}`, '--port', '0', '--upstream', url];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill());
  const [line] = await once(child.stdout, 'data');
  return String(line).trim();
}
/** The proxy's address in the documentation. */
export const ADDRESS = 'http://127.0.0.1:8377';

/** A tool that throws ends a run of these frameworks. */
export const failing = (run) => async (input) => {
  try {
    return await run(input);
  } catch (error) {
    return error.message;
  }
};
