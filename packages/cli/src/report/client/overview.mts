// The first screen: what it cost, what it would have cost, and what to do.
import { curveView } from './curve.mjs';
import { bar, make, pathName, sortable, tabs } from './dom.mjs';
import { findingList } from './findings.mjs';
import { agentName, change, day, dollars, KEPT_ENOUGH, number, percent, plural, short } from './format.mjs';
import { wordsFor } from './words.mjs';
import type { Report, Spend, SpendRow, Totals } from '../../types.mjs';
import type { Column } from './dom.mjs';

const TITLES = { day: 'Day', project: 'Project', model: 'Model', agent: 'Agent' };
const NAMELESS = { day: 'no date', project: 'no folder', model: 'no model', agent: 'other' };
/** Rows that are shown before "all" is pressed. */
const FEW = 6;

/** What is not in the cost, with how much it was. */
function withoutPriceNote({ withoutPrice, impossible }: Totals) {
  const rows = withoutPrice.map(({ name, kind, requests, tokens, output, calls }) => {
    if (kind === 'tool') return [`${plural(calls, 'call')} of `, make('bdi', {}, name)];
    const amount = ` (${plural(requests, 'request')}, ${short(tokens)} tokens of input, ${short(output)} of output)`;
    return name === 'unknown' ? [`requests that name no model${amount}`] : [make('bdi', {}, name), amount];
  });
  const left = impossible === 0 ? '' : ` The usage of ${plural(impossible, 'answer')} can't be, and was left out.`;
  const listed = rows.flatMap((row, index) => (index === 0 ? row : ['; ', ...row]));
  return rows.length > 0 ? ['Not in it, since no price is known: ', ...listed, '.', left] : [left.trim()];
}

/** How often the cache missed, and why. */
function cacheNote({ cache, cost: paid }: Totals) {
  if (cache === undefined) return null;
  const count = Object.values(cache.missed).reduce((sum, { requests }) => sum + requests, 0);
  const could = percent(cache.input > cache.new ? cache.read / (cache.input - cache.new) : 1);
  if (count === 0) return make('p.note', { id: 'cache' }, `Your cache missed nothing: it read ${could} of what it could.`);
  const worth = paid === undefined || cache.cost === undefined ? '' : `; ${dollars(cache.cost)}`;
  return make(
    'p.note',
    { id: 'cache' },
    make('strong', {}, `Your cache missed ${count === 1 ? 'once' : `${number(count)} times`}`),
    `: ${cache.summary}${worth}. It read ${could} of what it could.`,
  );
}

/** What "cost" means. */
const COST =
  "At list prices, each answer that was paid counts once, also of branches that were given up, at the tier that served it, with searches of the web. Subscriptions, taxes, discounts, and requests that agents don't record, such as some of their titles and summaries, are not in it.";

const readShare = ({ read, tokens }: SpendRow) => (tokens > 0 ? read / tokens : 0);

/** What was paid, by something. */
function spendTable({ by, rows }: Spend) {
  const isPriced = rows.some(({ cost }) => cost !== undefined);
  const worth = (row: SpendRow) => (isPriced ? (row.cost ?? 0) : row.tokens);
  const most = Math.max(1e-9, ...rows.map(worth));
  const nameOf = ({ name }: SpendRow) =>
    name === '' ? NAMELESS[by] : name === '…' ? 'all others' : by === 'agent' ? agentName(name) : name;
  const costs: Column<SpendRow> = { title: 'Cost', of: worth, show: ({ cost }) => (cost === undefined ? '–' : dollars(cost)) };
  const columns: Column<SpendRow>[] = [
    { title: TITLES[by], isName: true, of: nameOf, show: (row) => [pathName(nameOf(row)), bar(worth(row) / most, 'plain')] },
    ...(isPriced ? [costs] : []),
    { title: 'Tokens', of: ({ tokens }) => tokens, show: ({ tokens }) => short(tokens), isWide: isPriced },
    { title: 'Cached', of: readShare, show: (row) => percent(readShare(row)) },
    { title: 'Requests', of: ({ requests }) => requests, show: ({ requests }) => number(requests), isWide: true },
  ];
  return sortable({ caption: `What it cost by ${by}`, columns, rows, few: FEW, sorted: by === 'day' ? 0 : 1 });
}

/** What went through the proxy: with a session and without. */
function proxied({ totals }: Report) {
  const { tokens, sent, cost, costWithSession, kept, measured } = totals;
  const [before, after, shown] =
    cost !== undefined && costWithSession !== undefined ? ([cost, costWithSession, dollars] as const) : ([tokens, sent, short] as const);
  const { kind, words } = change(before, after, shown);
  const still = kept === undefined ? '' : ` ${percent(kept)} of what came next was still there, at ${plural(measured, 'request')}.`;
  return make(
    'p.answer',
    {},
    make(`strong.${kind || 'same'}`, {}, shown(before)),
    make('span', {}, `without palimpsest. As sent it was ${words}.${still}`),
  );
}

/** What a session would have made of it at the report's limit. */
function atLimit(report: Report) {
  const { totals, limit } = report;
  const words = wordsFor(report);
  const { tokens, sent, cost, costWithSession, kept, measured } = totals;
  const most = Math.max(tokens, sent, 1);
  const row = (name: string, value: number, kind: string) =>
    make('div.compare', {}, make('span', {}, name), bar(value / most, kind), make('span.value', {}, `${number(value)} tokens`));
  const became =
    cost === undefined || costWithSession === undefined
      ? undefined
      : { ...change(cost, costWithSession, dollars), shown: dollars(costWithSession) };
  const still =
    kept === undefined
      ? 'too little came after anything was cut to measure what was still there'
      : `${percent(kept)} of what the next messages used was still there, at ${plural(measured, 'request')}${kept < KEPT_ENOUGH ? ': too little' : ''}`;
  return [
    make(
      'p.at-limit',
      {},
      `At the limit of this report, ${number(limit)} tokens a request: `,
      became ? make(`span.change.${became.kind || 'same'}`, {}, `${became.shown}, ${became.words}`) : null,
      `${became ? '; ' : ''}${still}.`,
    ),
    row(words.before, tokens, 'plain'),
    row(words.after, sent, change(tokens, sent, number).kind),
  ];
}

export function overview(report: Report, open: (session: number, message: number) => void) {
  const { totals, curve, spend, isProxied } = report;
  const words = wordsFor(report);
  const { sessions, requests, tokens, sent, cost, costWithSession } = totals;
  const [paid, paidTokens] = isProxied ? [costWithSession, sent] : [cost, tokens];
  const all = spend.find(({ by }) => by === 'agent')?.rows ?? [];
  const read = all.reduce((sum, row) => sum + row.read, 0);
  const counts = `${plural(sessions, 'session')}, ${plural(requests, 'request')}, ${short(paidTokens)} tokens of input; ${percent(paidTokens > 0 ? read / paidTokens : 0)} read from the cache`;
  const cut = curve || isProxied ? [...(curve ? curveView({ ...report, curve }) : [proxied(report)]), ...atLimit(report)] : [];
  return [
    make(
      'div.answers',
      {},
      make(
        'section',
        { 'aria-labelledby': 'cost-title' },
        make('h2', { id: 'cost-title' }, isProxied ? words.costOfSession : 'What it cost'),
        make(
          'p.answer',
          {},
          make('strong', {}, paid === undefined ? short(paidTokens) : dollars(paid)),
          make('span', {}, paid === undefined ? `tokens. ${counts}` : counts),
        ),
        cacheNote(totals),
        totals.withoutPrice.length > 0 || totals.impossible > 0 ? make('p.note', {}, ...withoutPriceNote(totals)) : null,
        paid === undefined ? null : make('details', {}, make('summary', {}, 'What is in the cost'), make('p.note', {}, COST)),
        ...tabs(
          'spend',
          'What it cost',
          spend.map(({ by }) => ({ id: by, title: TITLES[by] })),
          (by, panel) => panel.replaceChildren(...spend.filter((one) => one.by === by).map(spendTable)),
        ),
      ),
      make('section', { 'aria-labelledby': 'curve-title' }, make('h2', { id: 'curve-title' }, 'What it would have cost'), ...cut),
    ),
    make(
      'section',
      { 'aria-labelledby': 'findings-title', id: 'findings' },
      make('h2', { id: 'findings-title' }, 'What to do'),
      ...findingList(report, open),
    ),
  ];
}

/** A line under the title. */
export function subtitle({ created, sessions, limit }: Report) {
  const agents = [...new Set(sessions.map(({ agent }) => agentName(agent)))].join(', ');
  return [day(created), agents, `limit ${number(limit)} tokens a request`].filter(Boolean).join(' · ');
}
