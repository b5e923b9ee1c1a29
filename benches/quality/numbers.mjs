// What the numbers in the marks of removed messages cost, and what a model gains that asks by them. The cuts and the facts are those of
// `recall.mjs`: each is made without numbers and with them, within the same tokens.
import { createRequire } from 'node:module';
import { wordsOf } from './facts.mjs';
import { RHOS } from './fit.mjs';
import { RECALL_TOKENS, counter, cutsOf, firstUseOf, isGrounded, queryFor, textOf, windowsOf } from './recall.mjs';

const require = createRequire(import.meta.url);
const { countTokens } = require('../../unbundled/index.js');
const { takeUp } = require('../../unbundled/fit/earlier.js');
const { Fitting } = require('../../unbundled/fit/fitting.js');
const { formatNamed } = require('../../unbundled/providers/index.js');
const { recalled } = require('../../unbundled/session/recalling.js');
const { Remembered } = require('../../unbundled/session/remembered.js');
const { inOneGo } = require('../../unbundled/steps.js');

/** Tokens of the messages that are asked for by numbers. */
const MESSAGES_TOKENS = 1000;

/** The mark of removed messages with numbers: the first, the last, and the names behind them. */
const MARK = /\[… messages? (\d+)(?:–(\d+))?((?:: [^\]]*)?)\]/g;
const counted = (first, last = first) => (last === first ? '1 message' : `${last - first + 1} messages`);
/** Shapes of the mark, each with the start of it. */
export const SHAPES = {
  'messages 12–17': (first, last) => (last === undefined ? `message ${first}` : `messages ${first}–${last}`),
  '#12–17': (first, last) => (last === undefined ? `#${first}` : `#${first}–${last}`),
  '6 messages from 12': (first, last) => `${counted(Number(first), Number(last ?? first))} from ${first}`,
  '#12': (first) => `#${first}`,
};
const TOKENIZERS = ['o200k_base', 'estimate'];

/** The messages that are left within a budget. */
function cut(past, budget, tokenCounter, numbers) {
  const options = { limit: budget, tokenCounter, thinking: 'strip', numbers };
  const fitting = Fitting.of(takeUp(past, options), options, budget);
  try {
    return fitting.search(budget).written.messages;
  } finally {
    fitting.close();
  }
}

/** Writes the marks of a text, which have numbers, in another shape. */
const shaped = (text, shape) => text.replace(MARK, (_, first, last, names) => `[… ${shape(first, last)}${names}]`);

/** Counts messages as if their marks had a shape. */
function countingAs(shape, tokenCounter) {
  return ({ content, ...message }) => tokenCounter({ ...message, content: typeof content === 'string' ? shaped(content, shape) : content });
}

/** The tokens that each shape adds to the marks of texts that have numbers. */
function costsOf(texts) {
  const marked = texts.filter((text) => text.search(MARK) >= 0);
  const tokensOf = (shape, tokenizer) => marked.reduce((sum, text) => sum + countTokens(shaped(text, shape), { tokenizer }), 0);
  return Object.fromEntries(
    TOKENIZERS.map((tokenizer) => {
      const without = tokensOf((first, last) => counted(Number(first), Number(last ?? first)), tokenizer);
      return [tokenizer, Object.fromEntries(Object.entries(SHAPES).map(([name, shape]) => [name, tokensOf(shape, tokenizer) - without]))];
    }),
  );
}

/** The tool that a query for a fact names: that of the call which uses it first. */
const toolOf = (query) => query.split(' ', 1)[0];

/** What is found of the facts that a request with numbers lacks: by a query, by the right mark, and by the mark that names the tool. */
function asked({ past, texts, future, facts }, sent) {
  const said = sent.map(textOf);
  const seen = wordsOf(said.join('\n'));
  const marks = [...said.join('\n').matchAll(MARK)].map(([, first, last, names]) => [Number(first), Number(last ?? first), names]);
  const remembered = new Remembered();
  const entries = past.map((message) => ({ snapshot: message }));
  inOneGo(remembered.read({ messages: () => past, entries }, formatNamed('message')));
  const parts = formatNamed('message').read(sent);
  const says = (text, fact) => wordsOf(text).has(fact);
  const look = (search) => recalled(remembered, parts, { tokenizer: 'o200k_base', ...search }).text;
  const known = new Map();
  const at = ([from, to]) => {
    if (!known.has(from)) known.set(from, look({ query: '', from, to, limit: MESSAGES_TOKENS }));
    return known.get(from);
  };
  const rows = facts
    .filter((fact) => !seen.has(fact))
    .map((fact) => {
      const query = queryFor(future, fact);
      const use = firstUseOf(future, fact);
      const right = marks.filter(([from, to]) => texts.slice(from, to + 1).some((one) => says(one, fact)));
      const named = use === 'call' ? marks.findLast(([, , names]) => names.includes(toolOf(query))) : undefined;
      return {
        isAsked: use === 'sentence' || use === 'call',
        byQuery: says(look({ query, limit: RECALL_TOKENS }), fact),
        isCovered: right.length > 0,
        byRight: right.some((mark) => says(at(mark), fact)),
        byNamed: named !== undefined && says(at(named), fact),
      };
    });
  return { rows, marks: marks.length };
}

/** The share of the facts that is grounded. */
function kept({ texts, facts }, sent) {
  const wanted = new Set(facts);
  const [before, after] = [windowsOf(texts, wanted), windowsOf(sent.map(textOf), wanted)];
  return facts.filter((fact) => isGrounded(fact, before, after)).length / facts.length;
}

/**
 * @param {URL} shared the folder with `eval` and `corpus`
 * @returns for each share `rho`: the `marks` of a cut, and the share of the tokens that each of {@link SHAPES} takes; the share of the facts that
 *   is grounded `without` numbers and with each shape, means over the cuts; and of all `facts` those that are `lost` and that a sentence or a
 *   call uses, with how many of them a query finds (`byQuery`), and how many of the others the mark that covers them (`byRight`), or the last
 *   that names the tool (`byNamed`)
 */
export function measureNumbers(shared, { rhos = RHOS } = {}) {
  const tokenCounter = counter();
  const all = rhos.map(() => []);
  for (const one of cutsOf(shared)) {
    rhos.forEach((rho, index) => {
      const budget = one.fixed + Math.floor(one.rest * rho);
      const sent = cut(one.past, budget, tokenCounter, true);
      const withShape = ([name, shape]) => [name, kept(one, cut(one.past, budget, countingAs(shape, tokenCounter), true))];
      all[index].push({
        limit: budget,
        costs: costsOf(sent.map(textOf)),
        facts: one.facts.length,
        kept: {
          without: kept(one, cut(one.past, budget, tokenCounter, false)),
          ...Object.fromEntries(Object.entries(SHAPES).map(withShape)),
        },
        ...asked(one, sent),
      });
    });
  }
  return rhos.map((rho, index) => {
    const cuts = all[index];
    const sum = (of) => cuts.reduce((total, row) => total + of(row), 0);
    const mean = (of) => sum(of) / cuts.length;
    const lost = cuts.flatMap(({ rows }) => rows.filter(({ isAsked }) => isAsked));
    const missed = lost.filter(({ byQuery }) => !byQuery);
    const shares = (of) => Object.fromEntries(Object.keys(SHAPES).map((name) => [name, mean((row) => of(row.costs)[name] / row.limit)]));
    return {
      rho,
      cuts: cuts.length,
      marks: mean(({ marks }) => marks),
      costs: Object.fromEntries(TOKENIZERS.map((tokenizer) => [tokenizer, shares((costs) => costs[tokenizer])])),
      grounded: Object.fromEntries(['without', ...Object.keys(SHAPES)].map((name) => [name, mean((row) => row.kept[name])])),
      facts: sum(({ facts }) => facts),
      lost: lost.length,
      byQuery: lost.length - missed.length,
      isCovered: missed.filter(({ isCovered }) => isCovered).length,
      byRight: missed.filter(({ byRight }) => byRight).length,
      byNamed: missed.filter(({ byNamed }) => byNamed).length,
    };
  });
}
