import { relative, resolve } from 'node:path';
import { Problem } from '../errors.mjs';
import { objectText, writeOutput } from '../output.mjs';
import { progress } from '../progress.mjs';
import { plain } from '../terminal.mjs';
import { counted } from '../transcripts/values.mjs';
import { AGENTS, agentName, change, KEPT_ENOUGH } from '../report/client/format.mjs';
import { readState, stateFile } from '../proxy/state.mjs';
import { shadowWords } from '../report/client/shadow.mjs';
import { homeOf, LIMIT, LIMIT_OPTION } from './sessions.mjs';
import { OUTPUT, tell, withNewline } from './verbs.mjs';
import { defineCommand } from './index.mjs';
import type { Io } from './index.mjs';
import type { Report, SkippedFile } from '../types.mjs';

/** Values of the options that say what is reported. */
type Chosen = { state?: string; quiet?: true };

const NAMES = Object.entries(AGENTS).flatMap(([agent, name]) => (agent === 'messages' ? [] : [name]));
const PAGE = 'palimpsest-report.html';
/** Number of skipped files that are named. */
const MAX_NAMED = 20;

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Finds the files of a report: those that are named, or the transcripts in the usual places. */
async function filesOf(paths: string[], io: Io, values: Chosen) {
  const { find, listFiles } = await import('../transcripts/index.mjs');
  if (paths.length > 0) return listFiles(paths.map((path) => resolve(io.cwd, path)));
  const { looked, found, skipped } = await find(homeOf(io), io.env);
  if (found.length === 0) {
    const where =
      looked.length > 0 ? `nothing in ${looked.map(({ path }) => plain(path)).join(', ')}` : 'none of the usual places is there';
    throw new Problem(`found no sessions of coding agents (${where}); name files or folders`);
  }
  for (const agent of new Set(found.map((one) => one.agent))) {
    const own = found.filter((one) => one.agent === agent);
    const bytes = own.reduce((sum, one) => sum + one.bytes, 0);
    tell(io, values, `found ${agentName(agent)}: ${counted(own.length, 'file')}, ${megabytes(bytes)}`);
  }
  return { found, skipped };
}

const price = (dollars: number) => `$${dollars.toFixed(2)}`;

/** The report in one line. */
function summaryOf({ totals, limit, curve, recommended }: Report) {
  const { sessions, requests, tokens, sent, cost, costWithSession, kept } = totals;
  const count = (number: number) => number.toLocaleString('en');
  const best = recommended === undefined ? undefined : curve?.[recommended];
  return [
    `${counted(sessions, 'session')}, ${counted(requests, 'request')}, ${count(tokens)} tokens sent`,
    `${count(sent)} within ${count(limit)} a request`,
    ...(cost === undefined || costWithSession === undefined
      ? []
      : [`${price(cost)} → ${price(costWithSession)}, ${change(cost, costWithSession, price).words}`]),
    ...(kept === undefined ? [] : [`${Math.round(kept * 100)} % of what came next kept${kept < KEPT_ENOUGH ? ': too little' : ''}`]),
    ...(best === undefined || best.limit === limit
      ? []
      : [`take a limit of ${count(best.limit)}${best.cost === undefined ? '' : `: ${price(best.cost)}`}`]),
  ].join('; ');
}

/** What the shadow requests of the proxy found. */
async function shadowOf(paths: string[], io: Io, values: Chosen) {
  // Those of this machine say nothing of files that are named.
  if (values.state === undefined && paths.length > 0) return undefined;
  if (values.state === undefined) return (await readState(stateFile(io), io).catch(() => undefined))?.shadow;
  const state = await readState(values.state, io);
  if (state === undefined) throw new Problem(`${plain(values.state)}: no such file`);
  return state.shadow;
}

/** Names what was left out, and counts it. */
function tellSkipped(skipped: SkippedFile[], io: Io, values: Chosen) {
  for (const { file, reason } of skipped.slice(0, MAX_NAMED)) tell(io, values, `skipped ${shownPath(file, io)}: ${reason}`);
  if (skipped.length > 0) tell(io, values, `${counted(skipped.length, 'file')} skipped`);
}

function shownPath(file: string, io: Io) {
  const short = relative(io.cwd, file);
  return short === '' || short.startsWith('..') ? file : short;
}

export const command = defineCommand({
  name: 'report',
  summary: 'Writes a page about the sessions of coding agents: what they cost, where the tokens are, what a session would save',
  usage: '[FILE or FOLDER…]',
  positionals: Number.POSITIVE_INFINITY,
  notes: [
    `Reads transcripts of ${NAMES.slice(0, -1).join(', ')} and ${NAMES.at(-1)}, and messages in JSON or JSONL. Without arguments it looks where these agents keep their transcripts. The page is one file that uses no network; nothing leaves this machine.`,
    'Files that cannot be read are named and left out. The exit code is 1 if there is no session, or a file that was named could not be read.',
  ],
  options: {
    limit: LIMIT_OPTION,
    output: { ...OUTPUT, text: `the page. Default ${PAGE}; with --json standard output` },
    state: {
      type: 'string',
      value: 'FILE',
      isFile: true,
      text: 'state of a proxy, for what its shadow requests found. Default: that of port 8377, if no files are named',
    },
    'no-cache': { type: 'boolean', text: 'analyses all files anew, and keeps nothing of what it finds' },
    redact: { type: 'boolean', text: 'leaves out what the messages say, and the names of files, folders and sessions' },
    json: { type: 'boolean', text: 'writes the data of the page as JSON' },
  },
  examples: [
    ['palimpsest report', `all sessions on this machine, in ${PAGE}`],
    ['palimpsest report --limit 60k --redact -o report.html ~/.claude/projects/-home-me-shop', 'those of one project, without contents'],
    ['palimpsest report --json session.jsonl | jq .totals', 'the sums of one session'],
  ],
  async run({ values, positionals, io }) {
    // All that it needs, before it works for long.
    const [{ reportOf }, { Cache, cacheFolder }, { page }] = await Promise.all([
      import('../analysis/files.mjs'),
      import('../analysis/cache.mjs'),
      import('../report/page.mjs'),
    ]);
    const { found, skipped } = await filesOf(positionals, io, values);
    // Reading adds to those that are skipped.
    const files = found.length + skipped.length;
    const bytes = found.reduce((sum, file) => sum + file.bytes, 0);
    const shown = progress(io, { what: 'reading', files: found.length, bytes, quiet: values.quiet });
    const options = { limit: values.limit ?? LIMIT, now: io.now() };
    // What is left out of the report is not written elsewhere.
    const cache = values['no-cache'] ? undefined : new Cache(cacheFolder(homeOf(io), io.env), options, { isWriting: !values.redact });
    // The oldest first: what a session goes on from counts where it was said first.
    const report = await reportOf(found.toReversed(), { ...options, skipped }, cache, {
      onFile: (path) => shown.step({}, path),
      onSession: () => shown.step({}),
      onDone: (file) => shown.step({ files: 1, bytes: file.bytes }),
    }).finally(shown.end);
    const shadow = await shadowOf(positionals, io, values);
    if (shadow) report.shadow = shadow;
    tellSkipped(skipped, io, values);
    if (report.sessions.length === 0) throw new Problem(`found no session in ${counted(files, 'file')}`);
    if (values.json) {
      const { withoutContents } = await import('../report/redact.mjs');
      const data = values.redact ? withoutContents(report) : report;
      await writeOutput(values.output, io, withNewline(objectText(Object.entries(data))));
    } else {
      const file = values.output ?? PAGE;
      await writeOutput(file, io, [page(report, { redact: values.redact === true })]);
      if (file !== '-') io.stdout.write(`${file}\n`);
    }
    tell(io, values, summaryOf(report));
    if (shadow) tell(io, values, `shadow requests: ${shadowWords(shadow)}`);
    const named = new Set(positionals.map((path) => resolve(io.cwd, path)));
    return skipped.some(({ file }) => named.has(file)) ? 1 : 0;
  },
});
