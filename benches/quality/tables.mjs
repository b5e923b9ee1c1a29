import { AUTO_RHOS } from './auto.mjs';
import { ASKED_ENGINES, ORDER_RHOS, counts, meanOf } from './asked.mjs';
import { ENGINES, RHOS } from './fit.mjs';
import { LANGUAGE_RHOS } from './languages.mjs';
import { SHAPES } from './numbers.mjs';
import { RULE_LIMITS, RUN_RHOS, WAYS } from './runs.mjs';
import { ALONE_FRONT, FIXED_MEASURES, MEASURES, POLICIES, WINDOWS } from './sessions.mjs';
import { USES } from './uses.mjs';

/** 28945 → `28,945`, in every locale. */
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
const percent = (share) => (100 * share).toFixed(1);
const line = (cells) => `| ${cells.join(' | ')} |`;
const saved = ({ before, after }) => percent(1 - after / before);
const kept = ({ facts, lost }) => `${facts - lost} of ${facts}`;

/** A Markdown table; all columns but the first are numbers. */
const table = (titles, rows) =>
  [line(titles), line(titles.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');

/** The results of `measurePrune` in all, a line for each way to prune. */
export function pruneTable(variants) {
  const titles = ['sessions', 'tokens before', 'after', 'saved %', 'valid %', 'restored %', 'facts lost %', 'in the mean of the cuts'];
  const rows = variants.map(({ name, measured: { rows, tokens, isAsValid, isRestored, lost } }) => [
    name,
    grouped(tokens.before),
    grouped(tokens.after),
    saved(tokens),
    percent(isAsValid / rows.length),
    percent(isRestored / rows.length),
    percent(lost.pooled),
    percent(lost.mean),
  ]);
  return table(titles, rows);
}

/** Each session, pruned in one way. */
function pruneSessions({ rows, messages, tokens, cuts }) {
  const titles = [
    'session',
    'messages',
    'tokens before',
    'after',
    'saved %',
    'valid',
    'restored',
    ...cuts.map(({ cut }) => `facts kept at ${100 * cut} %`),
  ];
  const said = (is) => (is ? 'yes' : 'no');
  const line = (row, checks) => {
    const atCut = cuts.map(({ cut }) => row.cuts.find((one) => one.cut === cut));
    return [
      row.id,
      grouped(row.messages),
      grouped(row.tokens.before),
      grouped(row.tokens.after),
      saved(row.tokens),
      ...checks,
      ...atCut.map((one) => (one ? kept(one) : '–')),
    ];
  };
  const sessions = rows.map((row) => line(row, [`${said(row.isAsValid)}${row.wasValid ? '' : '*'}`, said(row.isRestored)]));
  const all = line({ id: '**all**', messages, tokens, cuts }, ['', '']);
  return table(titles, [...sessions, all]);
}

/** The results of `measurePrune`, session by session. */
export function pruneSessionsTable(variants) {
  const sessions = variants.map(({ name, measured }) => `Sessions ${name}:\n\n${pruneSessions(measured)}`);
  const note = '\\* breaks a rule of the provider as it was recorded; valid is what breaks no rule more often afterwards.';
  return [...sessions, note].join('\n\n');
}

/** The results of `measureFit`. */
export function fitTable({ conversations, cuts, rows, recall }) {
  const titles = ['engine', 'recall where it fits %', 'grounded %', 'with one recall %', 'fits %', 'valid %'];
  const each = (of) => RHOS.map((rho) => percent(of(rho))).join(' / ');
  const withRecall = (engine) => (engine === 'fit' ? each((rho) => recall.cuts.find((row) => row.rho === rho).groundedWith) : '–');
  const cells = (engine) => {
    const cell = (name) => each((rho) => rows.find((row) => row.engine === engine && row.rho === rho)[name]);
    return [cell('recall'), cell('grounded'), withRecall(engine), cell('fits'), cell('valid')];
  };
  return `${table(
    titles,
    ENGINES.map((engine) => [engine, ...cells(engine)]),
  )}\n\n${cuts} cuts of ${conversations} conversations.`;
}

/** The results of `measureRecall` and `measureSessionRecall`. */
export function recallTable({ cuts, sessions }) {
  const titles = ['of the facts that are lost', ...RHOS.map((rho) => `at ${100 * rho} %`)];
  const counted = ({ found, lost }) => `${found} of ${lost} (${percent(found / lost)} %)`;
  const cells = (of) => RHOS.map((rho) => counted(of(cuts.find((row) => row.rho === rho))));
  const total = (a, b) => ({ found: a.found + b.found, lost: a.lost + b.lost });
  const found = table(titles, [
    ['found by one recall', ...cells((row) => row)],
    ['a sentence or a call uses them', ...cells(({ uses }) => total(uses.sentence, uses.call))],
    ['only a result shows them', ...cells(({ uses }) => uses.result)],
    ['only a result shows them, and they are numbers', ...cells(({ uses }) => uses.number)],
  ]);
  const lines = sessions.map((row) => [`\`low: ${row.low}\``, percent(row.without), percent(row.with)]);
  const [{ window }] = sessions;
  return `${found}\n\nSessions in windows of ${window / 1000}k tokens:\n\n${table(['grounded %', 'without recall', 'with one recall'], lines)}`;
}

/** The results of `measureNumbers`. */
export function numbersTable(rows) {
  const cells = (of) => rows.map(of);
  const points = (share) => `${share < 0 ? '−' : '+'}${percent(Math.abs(share))}`;
  const shapes = Object.keys(SHAPES).map((name) => [
    `\`[… ${name}]\``,
    ...cells(({ costs, grounded }) => [
      points(costs.o200k_base[name]),
      points(costs.estimate[name]),
      points(grounded[name] - grounded.without),
    ]).map((cell) => cell.join(' / ')),
  ]);
  const titles = (first) => [first, ...rows.map(({ rho }) => `at ${100 * rho} %`)];
  const found = (name, of) => [name, ...cells((row) => `${of(row)} (${percent(of(row) / row.facts)} %)`)];
  const gains = [
    ['facts', ...cells(({ facts }) => String(facts))],
    found('lost, and a sentence or a call uses them', ({ lost }) => lost),
    found('found by one query', ({ byQuery }) => byQuery),
    found('besides, by the mark that covers them', ({ byRight }) => byRight),
    found('besides, by the last mark that names the tool of the call', ({ byNamed }) => byNamed),
  ];
  return `${table(titles('tokens by `o200k_base` / by the estimate / grounded, in points'), shapes)}\n\n${table(titles(''), gains)}`;
}

/** The results of `measureAuto`. */
export function autoTable({ conversations, generated, people, peopleHeld, other, phrases, tuned, held, remarks }) {
  const answered = (name, { asked, ...counts }) => [
    name,
    String(asked),
    ...['without', 'with', 'fit'].map((way) => percent(counts[way] / asked)),
  ];
  const recalled = (name, { asked, recalled: times }) => [name, String(asked), percent(times / asked)];
  const answers = table(
    ['the request says the answer, %', 'asked', 'without recall', 'with `recall: "auto"`', '`fit`, the question last'],
    [
      answered(`generated questions, at ${100 * AUTO_RHOS.generated} %`, generated),
      answered(`people's questions that parameters were chosen by, at ${100 * AUTO_RHOS.people} %`, people),
      answered(`people's other questions, at ${100 * AUTO_RHOS.people} %`, peopleHeld),
      answered(`readers' questions that parameters were chosen by, at ${100 * AUTO_RHOS.readers} %`, tuned),
      answered(`readers' other questions, at ${100 * AUTO_RHOS.readers} %`, held),
    ],
  );
  const others = table(
    ['nothing is asked for', 'asked', 'something is recalled, %'],
    [
      recalled('questions about other conversations', other),
      recalled('words that ask for nothing', phrases),
      recalled("readers' words that ask for nothing", remarks),
    ],
  );
  return `${answers}\n\n${others}\n\n${conversations} conversations for generated questions; those whose instructions alone leave no room are left out.`;
}

/** What more tokens of recall by itself bring, and cost. */
export function earlyTable({ facts, readers }) {
  const [without] = facts;
  const rows = facts.map(({ limit, asked, one, two, cost }, index) => [
    limit === null ? 'no recall' : String(limit),
    percent(one / asked),
    percent(two / asked),
    percent(readers[index].answered / readers[index].asked),
    percent(cost / without.cost - 1),
  ]);
  return table(['tokens', 'early facts, one by one, %', 'two at once, %', "readers' questions, %", 'cost more, %'], rows);
}

const inFront = ({ window, fixed }) => `${fixed / 1000}k tokens in front, a limit of ${window / 1000}k`;

const WAYS_TO_CUT = ['`createSession`', 'trimmed to the limit', 'trimmed to half of it', 'a summary at the limit'];
/** What a policy costs an agent, at the prices of its provider, and keeps. */
function costAndKept({ prices, fronts }, fixed, name) {
  const row = fronts.find((front) => (front.fixed ?? 0) === fixed).rows.find((one) => one.name === name);
  return `${percent(row[prices])} / ${percent(row.grounded)}`;
}
/** Policies, each with what it is called, by agent. */
function byAgent(agents, policies) {
  const measured = agents[0].fronts.find(({ fixed }) => fixed === ALONE_FRONT);
  const lines = policies.map(([name, said]) => [said, ...agents.map((one) => costAndKept(one, ALONE_FRONT, name))]);
  return table([inFront(measured), ...agents.map(({ agent }) => agent)], lines);
}

/** The results of `measureAgents` that a newcomer asks for first. */
export const summaryTable = (agents) =>
  byAgent(
    agents,
    WAYS_TO_CUT.map((name) => [name, name]),
  );

/** The results of `measureAgents` for each preset. */
export const presetsTable = (agents) =>
  byAgent(agents, [
    ["`preset: 'careful'`", '`careful`'],
    ['`createSession`', '`balanced` (default)'],
    ["`preset: 'thrifty'`", '`thrifty`'],
  ]);

/** The results of `measureAgents`, whatever is in front. */
export function agentsTable(agents) {
  const lines = agents.flatMap((one) =>
    one.fronts.map(({ fixed = 0, tracks, requests }) => [
      `${one.agent}, ${fixed / 1000}k`,
      ...WAYS_TO_CUT.map((name) => costAndKept(one, fixed, name)),
      `${tracks.length} / ${grouped(requests)}`,
    ]),
  );
  return table(['tokens in front', ...WAYS_TO_CUT, 'sessions / requests'], lines);
}

/** The results of `measureAlone`. */
export function aloneTable(agents) {
  const lines = agents.map(({ agent, sessions, rows }) => [
    `${agent}: ${sessions}`,
    ...rows.map(({ cost, grounded, cut }) => `${percent(cost)} / ${percent(grounded)} (${cut})`),
  ]);
  return table([`sessions with ${ALONE_FRONT / 1000}k tokens in front`, ...agents[0].rows.map(({ limit }) => `${limit / 1000}k`)], lines);
}

/** The results of `measureAsked` and `measureOrders`. */
export function askedTable({ rows, orders }) {
  const kinds = [...new Set(rows.map(({ kind }) => kind))];
  const said = (kind) => (kind.endsWith(' (cloze)') ? kind.slice(0, -8) : `${kind}, people's questions`);
  const cell = (engine, kind) =>
    RHOS.map((rho) => {
      const row = rows.find((one) => one.engine === engine && one.rho === rho && one.kind === kind);
      return counts(row) ? percent(row.answered) : '–';
    }).join(' / ');
  const mean = (engine) => RHOS.map((rho) => percent(meanOf(rows, engine, rho))).join(' / ');
  const lines = ASKED_ENGINES.map((engine) => [engine, mean(engine), ...kinds.map((kind) => cell(engine, kind))]);
  const asked = (form, rho) => {
    const row = orders.find((one) => one.form === form && one.rho === rho);
    return `${row.asked} (${row.others.toFixed(1)})`;
  };
  const forms = [...new Set(orders.map(({ form }) => form))];
  return [
    table(['answered %', 'mean of the generated', ...kinds.map(said)], lines),
    'A dash: the question itself does not fit. Of 40 orders, how often the one that is asked for is kept, and in brackets any other:',
    table(
      ['of 40', ...forms],
      ORDER_RHOS.map((rho) => [`at ${100 * rho} %`, ...forms.map((form) => asked(form, rho))]),
    ),
  ].join('\n\n');
}

/** The results of `measureUses`. */
export function usesTable(rows) {
  const of = (name, engine) => RHOS.map((rho) => rows.find((row) => row.name === name && row.engine === engine && row.rho === rho));
  const titles = ['still there %', ...ENGINES, 'cases', 'fit at a half, by kind of conversation (cases)'];
  const lines = USES.map((name) => [
    name,
    ...ENGINES.map((engine) =>
      of(name, engine)
        .map(({ there }) => there.toFixed(1))
        .join(' / '),
    ),
    of(name, 'fit')[0].n,
    of(name, 'fit')[0].kinds,
  ]);
  return table(titles, lines);
}

/** The results of `measureSessions`, at every window. */
export function sessionTable(measured) {
  const windows = WINDOWS.map(({ window }) => measured.find((one) => one.window === window));
  const titles = [
    '%',
    "cost at Anthropic's prices",
    "at OpenAI's",
    'grounded',
    'fresh',
    'requests that break the prefix',
    'kept of the prefix',
    'requests over the limit',
  ];
  const cell = (name, measure) =>
    windows
      .map(({ rows }) => {
        const row = rows.find((one) => one.name === name);
        return row ? percent(row[measure]) : '–';
      })
      .join(' / ');
  const lines = POLICIES.map(({ name }) => [name, ...MEASURES.map((measure) => cell(name, measure))]);
  const each = (cell) => windows.map(cell).join(' / ');
  const played = `${each(({ tracks }) => tracks.length)} joined sessions of ${each(({ requests }) => grouped(requests))} requests in all. A dash: not measured`;
  return `${table(titles, lines)}\n\nWindows of ${each(({ window }) => `${window / 1000}k`)} tokens, ${played}.`;
}

/** The results of `measureAgents` for the first agent, where something is in front. */
export function fixedTable([{ fronts }]) {
  const measured = fronts.filter(({ fixed }) => fixed > 0);
  const titles = [
    '%',
    "cost at Anthropic's prices",
    "at OpenAI's",
    'grounded',
    'quotes',
    'faults',
    'requests that break the prefix',
    'requests over the limit',
  ];
  const cell = (name, measure) => measured.map(({ rows }) => percent(rows.find((row) => row.name === name)[measure])).join(' / ');
  const lines = measured[0].rows.map(({ name }) => [name, ...FIXED_MEASURES.map((measure) => cell(name, measure))]);
  const [{ window, tracks, requests }] = measured;
  const front = measured.map(({ fixed }) => `${fixed / 1000}k`).join(' / ');
  return `${table(titles, lines)}\n\n${front} tokens of instructions and tools in a window of ${window / 1000}k, ${tracks.length} joined sessions of ${grouped(requests)} requests in all.`;
}

/** The results of `measureLimits`. */
export function limitsTable({ tokens, fronts }) {
  const titles = ['tokens for what can be cut', ...fronts.map(({ fixed }) => `${fixed / 1000}k in front`)];
  const lines = fronts[0].rows.map(({ room }, index) => [
    `${room / 1000}k`,
    ...fronts.map(({ rows }) => `${percent(rows[index].cost)} / ${percent(rows[index].grounded)}`),
  ]);
  return `${table(titles, lines)}\n\nCost in % of never cutting, at Anthropic's prices, and what is still there in %, over ${grouped(Math.round(tokens / 1000))}k tokens of coding sessions.`;
}

/** The names of the languages that are measured. */
const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' });

/** The results of `measureLanguages`. */
export function languagesTable({ parallel, recorded }) {
  const shares = (list, engine) =>
    LANGUAGE_RHOS.map((rho) => percent(list.find((one) => one.rho === rho && one.engine === engine).grounded)).join(' / ');
  const named = ({ language }) => LANGUAGE_NAMES.of(language);
  const same = parallel.map((row) => [
    named(row),
    row.names,
    shares(row.grounded, 'trim'),
    shares(row.grounded, 'fit'),
    row.asked.map(percent).join(' / '),
    percent(row.recalled),
    row.facts,
  ]);
  const own = recorded.map((row) => [
    `${named(row)}, ${row.kind}`,
    row.cuts,
    row.facts,
    ...['trim', 'fit'].map((engine) => (row.cuts === 0 ? '–' : shares(row.grounded, engine))),
  ]);
  return [
    table(['the same said in', 'names', 'trim grounded %', 'fit grounded %', 'asked %', 'recall %', 'facts that the words show'], same),
    'Recorded, several short conversations joined to a long one:',
    table(['in', 'cuts', 'facts', 'trim grounded %', 'fit grounded %'], own),
  ].join('\n\n');
}

const NAMES_OF_WAYS = { fit: '`fit`', trim: 'trimmed', mask: 'old results masked' };
const NAMES_OF_RHOS = { 0.5: 'a half', 0.25: 'a quarter' };

/** The results of `measureRuns` and `measureRules`. */
export function runsTable({ runs, rules }) {
  const kinds = [...new Set(runs.map(({ kind }) => kind))];
  const columns = kinds.flatMap((kind) => RUN_RHOS.map((rho) => ({ kind, rho })));
  const of = ({ kind, rho }, way) => runs.find((row) => row.kind === kind && row.rho === rho && row.way === way);
  const named = ({ kind, rho }) => `${kind === 'swe' ? 'coding' : 'support'}, ${NAMES_OF_RHOS[rho]}, %`;
  const rows = WAYS.map((way) => [NAMES_OF_WAYS[way], ...columns.map((column) => of(column, way).whole.toFixed(0))]);
  const [counted] = [kinds.map((kind) => runs.find((row) => row.kind === kind).runs)];
  const told = RULE_LIMITS.map((limit) => {
    const { lines, there } = rules.find((row) => row.limit === limit);
    return `${there.toFixed(1)} % of ${grouped(lines)} at a limit of ${grouped(limit)}`;
  });
  const text = `Runs: ${counted.join(' and ')}. Demands, and lines of skills, that programs sent as the user's text, in the request after each cut of a recorded session: ${told.join(', ')}.`;
  return `${table(['nothing missing', ...columns.map(named)], rows)}\n\n${text}`;
}
