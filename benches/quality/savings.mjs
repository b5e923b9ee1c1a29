// What `prune` and `shorten` save of the recorded sessions of coding agents, by rule.
//
//   node benches/quality/savings.mjs            this checkout
//   node benches/quality/savings.mjs DIR …      the builds in other checkouts; of several, each rule beside the same of the first
//
// The share of a rule of `prune` is that of the code units that it took out, so that the rules add up to what was saved.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = new URL('../../', import.meta.url);

const FILES = [
  'corpus/plain/entire-claude-code',
  'recordings/plain/claude-omp',
  'recordings/plain/codex-agentv',
  'recordings/plain/codex-rust',
  'corpus/plain/swe-agent',
  'corpus/plain/tau-bench-airline',
  'recordings/plain/tau2-students',
];
const nameOf = (file) => file.slice(file.lastIndexOf('/') + 1);
const sum = (list) => list.reduce((total, one) => total + one, 0);
const add = (sums, name, more) => sums.set(name, (sums.get(name) ?? 0) + more);

function pruned(sessions, { prune }) {
  const [rules, counts] = [new Map(), new Map()];
  let [before, after] = [0, 0];
  for (const { messages } of sessions) {
    const { report } = prune(messages, { trace: true });
    before += report.tokens.before;
    after += report.tokens.after;
    const units = sum(report.trace.map(({ charsBefore, charsAfter }) => charsBefore - charsAfter));
    for (const { reason, charsBefore, charsAfter } of report.trace) {
      add(rules, reason, ((charsBefore - charsAfter) * (report.tokens.before - report.tokens.after)) / Math.max(units, 1));
      add(counts, reason, 1);
    }
  }
  return { of: before, saved: before - after, rules, counts };
}

function shortened(sessions, { fit, countTokens }) {
  const rules = new Map();
  let of = 0;
  for (const { messages } of sessions) {
    const results = messages.filter(({ role }) => role === 'tool');
    of += countTokens(results) - countTokens(results.map((message) => ({ ...message, content: '' })));
    // Any limit below all there is.
    const limit = Math.max(countTokens(messages) - 1, 1);
    const { report } = fit(messages, { limit, prune: false });
    for (const [rule, tokens] of Object.entries(report.shortened ?? {})) add(rules, rule, tokens);
  }
  return { of, saved: sum([...rules.values()]), rules };
}

/**
 * @param {URL} shared the folder of recorded conversations
 * @param {object} build the package
 * @returns {{ verb: string, file: string, of: number, saved: number, rules: Map<string, number>, counts?: Map<string, number> }[]}
 *   tokens: what there was, what was saved, and what of it by which rule
 */
export function measureSavings(shared, build) {
  const rows = FILES.map((file) => {
    const sessions = JSON.parse(readFileSync(new URL(`${file}.json`, shared), 'utf8'));
    return { file: nameOf(file), prune: pruned(sessions, build), shorten: shortened(sessions, build) };
  });
  return ['prune', 'shorten'].flatMap((verb) => rows.map(({ file, ...row }) => ({ verb, file, ...row[verb] })));
}

const percent = (part, whole) => `${((100 * part) / whole).toFixed(2)} %`;

/** A Markdown table: a line for all that a verb saves of each file, and one for each of its rules; a column for each build. */
export function savingsTable(builds) {
  const lines = builds[0].measured.flatMap((first, index) => {
    const rows = builds.map(({ measured }) => measured[index]);
    const line = (what, savedOf, countOf) => {
      const [base] = rows.map(savedOf);
      const cells = rows.map((row, at) => {
        const count = countOf?.(row);
        const part = at > 0 && base > 0 ? `, ${Math.round((100 * savedOf(row)) / base)} % of it` : '';
        return `${percent(savedOf(row), row.of)}${count === undefined ? '' : ` (${count})`}${part}`;
      });
      return `| ${[what, ...cells].join(' | ')} |`;
    };
    const rules = [...new Set(rows.flatMap((row) => [...row.rules.keys()]))];
    rules.sort((a, b) => (first.rules.get(b) ?? 0) - (first.rules.get(a) ?? 0));
    const ofRule = (rule) =>
      line(
        `– ${rule}`,
        (row) => row.rules.get(rule) ?? 0,
        (row) => row.counts && (row.counts.get(rule) ?? 0),
      );
    return first.of === 0 ? [] : [line(`\`${first.verb}\`, ${first.file}`, ({ saved }) => saved), ...rules.map(ofRule)];
  });
  const titles = ['of the tokens of all messages (`prune`), or of all results (`shorten`)', ...builds.map(({ name }) => name)];
  return [`| ${titles.join(' | ')} |`, `| --- |${' ---: |'.repeat(builds.length)}`, ...lines].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folders = process.argv.length > 2 ? process.argv.slice(2) : [fileURLToPath(root)];
  const shared = new URL('../shared/', root);
  const builds = folders.map((name) => {
    const build = createRequire(resolve(name, 'package.json'))('palimpsest');
    return { name, measured: measureSavings(shared, build) };
  });
  console.log(savingsTable(builds));
}
