import { ENGINES, RHOS } from './fit.mjs';

/** 28945 → `28,945`, in every locale. */
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
const percent = (share) => (100 * share).toFixed(1);
const line = (cells) => `| ${cells.join(' | ')} |`;
const saved = ({ before, after }) => percent(1 - after / before);
const kept = ({ facts, lost }) => `${facts - lost} of ${facts}`;

/** A Markdown table; all columns but the first are numbers. */
const table = (titles, rows) => [line(titles), line(titles.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');

/** What `measurePrune` found. */
export function pruneTable({ rows, messages, tokens, wasValid, isAsValid, isRestored, cuts, lost }) {
  const titles = ['session', 'messages', 'tokens before', 'after', 'saved %', 'valid', 'restored', ...cuts.map(({ cut }) => `facts kept at ${100 * cut} %`)];
  const said = (is) => (is ? 'yes' : 'no');
  const atCut = (row, cut) => row.cuts.find((one) => one.cut === cut);
  const sessions = rows.map((row) => [
    row.id,
    row.messages,
    grouped(row.tokens.before),
    grouped(row.tokens.after),
    saved(row.tokens),
    row.wasValid ? said(row.isAsValid) : `${said(row.isAsValid)}*`,
    said(row.isRestored),
    ...cuts.map(({ cut }) => (atCut(row, cut) ? kept(atCut(row, cut)) : '–')),
  ]);
  const all = [
    '**all**',
    grouped(messages),
    grouped(tokens.before),
    grouped(tokens.after),
    `**${saved(tokens)}**`,
    `**${percent(isAsValid / rows.length)} %**`,
    `**${percent(isRestored / rows.length)} %**`,
    ...cuts.map(kept),
  ];
  const invalid = rows.length - wasValid;
  return [
    table(titles, [...sessions, all]),
    `**Facts lost: ${percent(lost.pooled)} % of all, ${percent(lost.mean)} % in the mean of the cuts.**${invalid > 0 ? ` \\* ${invalid} of the sessions break a rule of the provider as they were recorded; no rule is broken more often afterwards.` : ''}`,
  ].join('\n\n');
}

/** What `measureFit` found. */
export function fitTable({ conversations, cuts, rows }) {
  const titles = ['engine', 'recall where it fits %', 'grounded %', 'fits %', 'valid %'];
  const cells = (engine) => ['recall', 'grounded', 'fits', 'valid'].map((name) => (
    RHOS.map((rho) => percent(rows.find((row) => row.engine === engine && row.rho === rho)[name])).join(' / ')));
  return `${table(titles, ENGINES.map((engine) => [engine, ...cells(engine)]))}\n\n${cuts} cuts of ${conversations} conversations.`;
}
