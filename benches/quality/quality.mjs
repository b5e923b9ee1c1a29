// How good the results are: what is saved, what is kept of the facts that come up next and of those that are asked for, and what
// whole sessions cost.
//
//   npm run quality              measures and prints the tables of README.md, docs/ and research/
//   npm run quality -- --write   writes them there, and what CI compares with into recorded.json
//   npm run quality -- --ablate [NAME…] [--every N] [--write]
//                                measures what constants of the choice are worth, of a case in N; writes that into research/fit.md
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { ablate } from './ablate.mjs';
import { measureAsked, measureOrders } from './asked.mjs';
import { measureAuto, measureReaders } from './auto.mjs';
import { EARLY_LIMITS, measureEarly } from './early.mjs';
import { COURSE, CURVE, limitsCurve, sessionCourse } from './curve.mjs';
import { measureFit } from './fit.mjs';
import { measureLanguages } from './languages.mjs';
import { measureNumbers } from './numbers.mjs';
import { measurePrune } from './prune.mjs';
import { writeSection } from './pages.mjs';
import { measureRecall } from './recall.mjs';
import {
  SHORT,
  SHORT_AGENTS,
  commonWords,
  measureAgents,
  measureAlone,
  measureCourse,
  measureLimits,
  measureSessions,
} from './sessions.mjs';
import { measureSessionRecall } from './sessions/recall.mjs';
import { measureSavings, savingsTable } from './savings.mjs';
import { measureRules, measureRuns } from './runs.mjs';
import { measureUses } from './uses.mjs';
import {
  agentsTable,
  aloneTable,
  askedTable,
  autoTable,
  earlyTable,
  fitTable,
  fixedTable,
  languagesTable,
  limitsTable,
  numbersTable,
  presetsTable,
  pruneSessionsTable,
  pruneTable,
  recallTable,
  runsTable,
  sessionTable,
  summaryTable,
  usesTable,
} from './tables.mjs';

const build = createRequire(import.meta.url)('palimpsest');
const { fit } = build;
const { values: options, positionals } = parseArgs({
  options: { write: { type: 'boolean' }, ablate: { type: 'boolean' }, every: { type: 'string', default: '8' } },
  allowPositionals: true,
});

const shared = new URL('../../../shared/', import.meta.url);
if (!existsSync(shared)) {
  console.error(`The recorded conversations are not at ${shared.pathname}.`);
  process.exit(1);
}

function report(name, text) {
  console.log(`\n${name}\n\n${text}`);
  if (options.write) writeSection(name, text);
}

if (options.ablate) {
  const table = await ablate(shared, { names: positionals, every: Number(options.every) });
  // A table of some constants alone is no page.
  if (positionals.length === 0) report('ablate', table);
  else console.log(`\n${table}`);
  process.exit();
}

const pruned = measurePrune(new URL('corpus/', shared));
report('prune', pruneTable(pruned));
report('prune-sessions', pruneSessionsTable(pruned));
if (fit === undefined) console.log('\nfit is not exported yet');
else {
  report('savings', savingsTable([{ name: 'saved', measured: measureSavings(shared, build) }]));
  const measured = await measureFit(shared, { conversations: 100 });
  measured.asked = { rows: await measureAsked(shared), orders: measureOrders() };
  measured.recall = { cuts: measureRecall(shared), sessions: measureSessionRecall(shared, commonWords(shared)) };
  report('fit', fitTable(measured));
  report('recall', recallTable(measured.recall));
  measured.numbers = measureNumbers(shared);
  report('numbers', numbersTable(measured.numbers));
  measured.auto = measureAuto(shared);
  report('auto', autoTable(measured.auto));
  measured.early = { facts: measureEarly(shared), readers: measureReaders(shared, EARLY_LIMITS) };
  report('early', earlyTable(measured.early));
  report('asked', askedTable(measured.asked));
  measured.uses = await measureUses(shared);
  report('uses', usesTable(measured.uses));
  measured.runs = { runs: await measureRuns(shared), rules: await measureRules(shared) };
  report('runs', runsTable(measured.runs));
  measured.sessions = { all: measureSessions(shared), short: measureSessions(shared, SHORT) };
  measured.sessions.agents = measureAgents(shared);
  measured.sessions.agentsShort = measureAgents(shared, SHORT_AGENTS);
  measured.sessions.alone = measureAlone(shared);
  report('session', sessionTable(measured.sessions.all));
  report('fixed', fixedTable(measured.sessions.agents));
  report('agents', agentsTable(measured.sessions.agents));
  report('alone', aloneTable(measured.sessions.alone));
  measured.sessions.limits = measureLimits(shared);
  report('limits', limitsTable(measured.sessions.limits));
  measured.sessions.course = measureCourse(shared);
  if (options.write) {
    writeFileSync(CURVE, limitsCurve(measured.sessions.limits));
    writeFileSync(COURSE, sessionCourse(measured.sessions.course));
  }
  report('summary', summaryTable(measured.sessions.agents));
  report('presets', presetsTable(measured.sessions.agents));
  measured.languages = await measureLanguages(shared);
  report('languages', languagesTable(measured.languages));
  if (options.write) writeFileSync(new URL('recorded.json', import.meta.url), `${JSON.stringify(measured, null, 2)}\n`);
}
