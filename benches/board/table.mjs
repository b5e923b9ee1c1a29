// The page's tables, of what `board.json` records.
import { MEASURES } from './keeps.mjs';

const TITLES = {
  swe: 'all needed, SWE-bench',
  tau2: 'all needed, τ²-bench',
  rules: 'rules',
  quotes: 'quotes',
  values: 'values',
  facts: 'facts',
};
const NAMES_OF_SIZES = { 0.5: 'Half', 0.25: 'A quarter' };

const whole = (number) => String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ',');
const within = ({ value, low, high }) => `${whole(value)} (${whole(low)}–${whole(high)})`;
function signed(number) {
  const rounded = Math.round(number);
  return rounded === 0 ? '0' : `${rounded < 0 ? '−' : '+'}${whole(Math.abs(rounded))}`;
}
const more = ({ value, low, high }) => `${signed(value)} (${signed(low)} to ${signed(high)})`;
const line = (cells) => `| ${cells.join(' | ')} |`;
const table = (titles, rows) =>
  [line(titles), line(titles.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');

function keepsTable(rows) {
  const titles = ['strategy', ...Object.values(TITLES), 'valid, OpenAI / Anthropic', 'size used', 'still over', 'ms'];
  return table(
    titles,
    rows.map(({ name, measures, valid, used, trimmed, ms }) => [
      name,
      ...MEASURES.map((measure) => within(measures[measure])),
      `${whole(valid.openai)} / ${whole(valid.anthropic)}`,
      whole(used),
      whole(trimmed),
      ms < 0.1 ? '< 0.1' : ms.toFixed(1),
    ]),
  );
}

/** The lines that say where another strategy is better: beyond chance, or by what may be chance. */
function betterList(keeps) {
  const compared = keeps.reduce((sum, { rows }) => sum + (rows.length - 1) * MEASURES.length, 0);
  const linesOf = (named) =>
    keeps
      .flatMap(({ size, ...rest }) =>
        MEASURES.flatMap((measure) => {
          const names = named(rest, measure);
          const what = `${TITLES[measure]}, ${NAMES_OF_SIZES[size].toLowerCase()} of the tokens`;
          return names.length === 0 ? [] : [`* ${what}: ${names.join('; ')}`];
        }),
      )
      .join('\n') || 'Nowhere.';
  const isBetter = ({ better }, measure, name) => better.some((one) => one.measure === measure && one.name === name);
  const certain = linesOf(({ better }, measure) =>
    better.filter((one) => one.measure === measure).map(({ name, by }) => `${name} ${more(by)}`),
  );
  const perhaps = linesOf((at, measure) => {
    const [fit, ...others] = at.rows;
    const higher = others.filter(
      ({ name, measures }) => measures[measure].value > fit.measures[measure].value && !isBetter(at, measure, name),
    );
    return higher.map(({ name, measures }) => `${name} ${whole(measures[measure].value)}`);
  });
  const [{ rows }] = keeps;
  const faster = rows.filter(({ ms }) => ms < rows[0].ms).map(({ name }) => name);
  return [
    `Beyond chance, in points, of ${compared} comparisons:\n\n${certain}`,
    `Higher, but within chance:\n\n${perhaps}`,
    `A call takes less time with: ${faster.join('; ') || 'none'}.`,
  ].join('\n\n');
}

function costTable(rows) {
  const titles = ['strategy', 'cost, Anthropic', 'beside the session', 'cost, OpenAI', 'needed there', 'beside the session'];
  const better = (by, isBetter) => (isBetter ? `**${more(by)}**` : more(by));
  return table(
    [...titles, 'read from the cache', 'not read'],
    rows.map(({ name, anthropic, openai, needs, beside: [cost, kept], read, fresh }) => [
      name,
      within(anthropic),
      better(cost, cost.high < 0),
      within(openai),
      within(needs),
      better(kept, kept.low > 0),
      whole(read),
      whole(fresh),
    ]),
  );
}

/** @param {object} recorded of `board.json` */
export function board({ runs, resolved, versions, keeps, cost }) {
  const sizes = keeps.map(({ size, rows }) => `### ${NAMES_OF_SIZES[size]} of the tokens\n\n${keepsTable(rows)}`);
  const [{ cuts, counts }] = keeps;
  const cases = MEASURES.map((measure) => `${TITLES[measure]} ${whole(counts[measure][0])} in ${counts[measure][1]} runs`);
  return [
    `${runs.swe} runs of SWE-bench, of which ${resolved.swe} succeeded, and ${runs.tau2} of τ²-bench, of which ${resolved.tau2} did; ${whole(cuts)} cuts. ` +
      `Cases: ${cases.join('; ')}. Packages: ${Object.entries(versions)
        .map(([name, version]) => `\`${name}\` ${version}`)
        .join(', ')}.`,
    ...sizes,
    '### Where another strategy keeps more than `fit`',
    betterList(keeps),
    '### What runs cost',
    `${cost.runs} runs of SWE-bench. *Beside the session*: points more than \`createSession\` has; what is better beyond chance is bold.`,
    costTable(cost.rows),
  ].join('\n\n');
}
