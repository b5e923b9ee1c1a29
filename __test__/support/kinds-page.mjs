// The tables of docs/reference/kinds.md, computed from what the package does: `node __test__/support/kinds-page.mjs` writes them into the page.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { countTokens, fit } from 'palimpsest';
import { Draw, inFormat, kindsOf, PROVIDERS } from '../providers/index.mjs';
import { Random } from './random.mjs';

const PAGE = fileURLToPath(new URL('../../docs/reference/kinds.md', import.meta.url));
const STEPS = 40;
const SIZES = { words: 60, bytes: 300 };

/** Chooses the first of everything. */
class First extends Random {
  pick([first]) {
    return first;
  }

  chance() {
    return false;
  }
}

/** A history with an exchange of a kind between others, the same but for the sizes of its texts and of its data. */
function historyOf(format, make, sizes = SIZES) {
  const draw = (number) => new Draw(new First(number), number, sizes);
  const { user, plain } = PROVIDERS[format];
  const drawn = draw(2);
  const exchange = make(drawn);
  const before = plain(draw(1));
  const messages = inFormat(PROVIDERS[format], [...before, ...exchange, ...plain(draw(3)), user(draw(4))]);
  return { messages, first: before.length, exchange, ...drawn };
}

/** Whether messages hold a text, as itself or in JSON. */
const holds = (messages, text) => {
  const json = JSON.stringify(messages);
  const [once, twice] = [JSON.stringify(text).slice(1, -1), JSON.stringify(JSON.stringify(text)).slice(3, -3)];
  return json.includes(once) || json.includes(twice);
};

/** What `fit` does at limits from the minimum to the whole. */
function behaviourOf(format, make) {
  const { messages, first, exchange, texts, data } = historyOf(format, make);
  const last = first + exchange.length - 1;
  // An exchange of two messages has the kind in what the user says or in the answer, and others between them.
  const isTold = exchange.length === 2 && [...texts, ...data].some((one) => holds(exchange[0], one));
  const from = isTold ? first : exchange.length === 2 ? last : first + 1;
  const own = Array.from({ length: exchange.length === 2 ? 1 : exchange.length - 2 }, (_, at) => from + at);
  const { minimum } = fit(messages, { format, limit: 1 }).tokens;
  const most = countTokens(messages, { format });
  const found = { goes: false, together: true, withAnswer: exchange.length > 2, texts: false, data: false };
  for (let step = 0; step <= STEPS; step++) {
    const limit = Math.round(minimum + ((most - minimum) * step) / STEPS);
    const result = fit(messages, { format, limit, trace: true });
    const isGone = (at) => result.report.trace[at].action === 'remove';
    const gone = own.filter(isGone).length;
    if (gone > 0) found.goes = true;
    if (gone > 0 && gone < own.length) found.together = false;
    if (gone > 0 !== isGone(last)) found.withAnswer = false;
    if (gone > 0) continue;
    found.texts ||= texts.some((text) => !holds(result.messages, text));
    found.data ||= data.some((one) => !holds(result.messages, one));
  }
  return { ...found, messages: own.length };
}

function goesWith({ goes, together, withAnswer, messages }) {
  if (!goes) return 'stays';
  if (withAnswer) return 'with its turn';
  return together && messages > 1 ? 'call and result at once' : 'its message';
}

function shortened({ texts, data }) {
  return [texts ? 'texts' : '', data ? 'data, taken out' : ''].filter((one) => one !== '').join('; ') || '–';
}

function counted(format, make) {
  const count = (sizes) => countTokens(historyOf(format, make, { ...SIZES, ...sizes }).messages, { format });
  const base = count({});
  const grows = [count({ words: 160 }) > base + 200 ? 'texts' : '', count({ bytes: 2300 }) > base + 200 ? 'data by size' : ''];
  const { texts, data } = historyOf(format, make);
  // Texts of which the length makes no difference are not sent.
  if (data.length === 0 && texts.length > 0 && count({ words: 160 }) === base) return 'nothing';
  const said = grows.filter((one) => one !== '');
  if (data.length > 0 && said.length < 2 && grows[1] === '') said.push('data by a figure');
  return said.join('; ') || 'by its size';
}

/** The table of a format as Markdown: kinds that behave alike are one row. */
export function tableOf(format) {
  const rows = new Map();
  for (const [list, name, make] of kindsOf(PROVIDERS[format])) {
    const behaviour = behaviourOf(format, make);
    const key = [goesWith(behaviour), shortened(behaviour), counted(format, make)].join(' | ');
    const shown = list === 'more' ? name : `\`${name.replace(/\$\{string\}/, '*')}\`${PROVIDERS[format].places?.[list] ?? ''}`;
    if (!rows.has(key)) rows.set(key, []);
    rows.get(key).push(shown);
  }
  const lines = Array.from(rows, ([key, names]) => `| ${[...new Set(names)].join(', ')} | ${key} |`);
  return ['| what | goes | shortened | counted |', '|---|---|---|---|', ...lines].join('\n');
}

/** The page with the tables as they are now, and as it is. */
export function page() {
  const now = readFileSync(PAGE, 'utf8');
  const made = now.replace(/(<!-- kinds: ([\w-]+) -->\n).*?(\n<!-- end -->)/gs, (_, start, format, end) => start + tableOf(format) + end);
  return { now, made };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, page().made);
