// How much `fit` and `recall` keep and find in other languages, beside English conversations of the same kind.
//
// Two kinds: conversations that say the same in ten languages (`languages/`), and recorded ones, several short ones joined to a long one. Two
// measures: that of the shared evaluation, which takes words from the texts themselves; and names that are known beforehand, which are
// looked for letter by letter, so that no script and no ending hides them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, rowsOf } from './evaluations.mjs';
import { CUTS, FUTURE, RECENT } from './facts.mjs';
import { askFor, LANGUAGES, planOf, sayIn } from './languages/talks.mjs';

const require = createRequire(import.meta.url);
const { countTokens, fit } = require('../../unbundled/index.js');
const { RecallIndex } = require('../../unbundled/recall/recall-index.js');
const { textOf: shownAs } = require('../../unbundled/recall/place.js');
const { formatNamed } = require('../../unbundled/providers/index.js');

export const LANGUAGE_RHOS = [0.5, 0.25];
export const LANGUAGE_ENGINES = ['trim', 'fit'];
/** Number of conversations in each language. */
export const TALKS = 16;
/** Number of them that the shared evaluation reads of one source. */
const PER_SOURCE = 8;
/** So many words on each side of a name are its own. */
const SPAN = 5;
const RECALL_TOKENS = 200;
/** Questions at the end of each conversation. */
const ASKED = 10;

const tokensOf = ({ content }) => countTokens(content) + 4;
const total = (messages) => messages.reduce((sum, message) => sum + tokensOf(message), 0);
const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;

/** The newest messages that fit. */
function trimmed(messages, budget) {
  let left = budget;
  let from = messages.length;
  while (from > 0 && tokensOf(messages[from - 1]) <= left) left -= tokensOf(messages[--from]);
  return messages.slice(from);
}
const CHOOSERS = { trim: trimmed, fit: (messages, budget) => fit(messages, { limit: budget, tokenCounter: tokensOf }).messages };

// ---- Names that are known beforehand --------------------------------------------------------------------------------

/** The words of a language beside each place of a name in texts, by the rules of Unicode and the dictionaries of the runtime. */
function windowsOf(texts, name, words) {
  const windows = [];
  for (const text of texts) {
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
      const before = words(text.slice(Math.max(0, at - 100), at)).slice(-SPAN);
      windows.push([...before, ...words(text.slice(at + name.length, at + name.length + 100)).slice(0, SPAN)]);
    }
  }
  return windows;
}

/** Whether a name stands among at least half of its neighbours of some place. */
function isGrounded(name, before, after, words) {
  const now = windowsOf(after, name, words);
  const then = windowsOf(before, name, words);
  return now.some((here) => then.some((there) => there.filter((word) => here.includes(word)).length >= there.length / 2));
}

/** The names that the next messages take up from the old ones, at each cut of a conversation. */
function* cutsOf(said) {
  for (const cut of CUTS) {
    const at = Math.floor(said.length * cut);
    const names = (list) => new Set(list.flatMap((one) => one.names));
    const [old, recent] = [names(said.slice(0, at - RECENT)), names(said.slice(at - RECENT, at))];
    const wanted = [...names(said.slice(at, at + FUTURE))].filter((name) => old.has(name) && !recent.has(name));
    yield { past: said.slice(0, at).map(({ message }) => message), wanted };
  }
}

/** The conversations that say the same, in the language `code`. */
export const talksIn = (code, count = TALKS) => Array.from({ length: count }, (_, index) => sayIn(code, planOf(1 + index)));

/** Share of the names that stay grounded, by share and engine, in conversations of a language; and how many names there are. */
export function measureNames(talks, code) {
  const segmenter = new Intl.Segmenter(code, { granularity: 'word' });
  const words = (text) => [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
  const cuts = talks.flatMap((said) => [...cutsOf(said)]);
  const texts = (messages) => messages.map(({ content }) => content);
  const share = (rho, engine) => {
    const kept = cuts.map(({ past, wanted }) => {
      const budget = Math.floor(total(past) * rho);
      const chosen = CHOOSERS[engine](past, budget);
      if (total(chosen) > budget) return 0;
      return wanted.filter((name) => isGrounded(name, texts(past), texts(chosen), words)).length;
    });
    return kept.reduce((sum, count) => sum + count, 0) / cuts.reduce((sum, { wanted }) => sum + wanted.length, 0);
  };
  return { names: cuts.reduce((sum, { wanted }) => sum + wanted.length, 0), share };
}

// ---- Questions ------------------------------------------------------------------------------------------------------

/** The questions of a conversation. */
function questionsIn(said, code) {
  const asked = said.flatMap((one) => one.asked).slice(0, ASKED);
  return asked.map(({ country, currency }) => ({ question: askFor(code, country), country, currency }));
}

/** Whether a text says both what was asked for and what answers it. */
const answers = (text, { country, currency }) => text.includes(country) && text.includes(currency);

/** Share of the questions whose answer stays when a conversation that ends with one is fitted. */
export function measureAsked(talks, code, rho) {
  const kept = talks.flatMap((said) => {
    const messages = said.map(({ message }) => message);
    return questionsIn(said, code).map((asked) => {
      const all = [...messages, { id: 'asked', index: messages.length, role: 'user', content: asked.question }];
      const budget = Math.floor(total(all) * rho);
      const chosen = CHOOSERS.fit(all, budget);
      return total(chosen) <= budget && chosen.some(({ content }) => answers(content, asked));
    });
  });
  return mean(kept.map(Number));
}

/** Share of the questions that one recall answers, from a history of which nothing is sent. */
function measureRecall(talks, code) {
  const format = formatNamed('message');
  const found = talks.flatMap((said) => {
    const index = new RecallIndex();
    index.append(format.read(said.map(({ message }) => message)));
    index.setSent(format.read([]));
    const options = { limit: RECALL_TOKENS, tokenizer: 'o200k_base', isPlain: true };
    return questionsIn(said, code).map((asked) => answers(shownAs(index.search(asked.question, options)), asked));
  });
  return mean(found.map(Number));
}

// ---- The shared evaluation --------------------------------------------------------------------------------------------

/** The mean share of facts that stay grounded by the shared evaluation, by share and engine, and how many cuts and facts there are. */
async function evaluated(shared, conversations, module) {
  const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-languages-'));
  const file = join(scratch, 'conversations.json');
  try {
    writeFileSync(file, JSON.stringify(conversations));
    const engines = ['--engine', 'trim', '--engine', `fit=${module}`];
    const path = fileURLToPath(new URL('eval/future-use.mjs', shared));
    const rows = await rowsOf(path, ['--corpus', file, '--rho', LANGUAGE_RHOS.join(','), ...engines]);
    const of = (rho, engine) => rows.filter((row) => row.rho === rho && row.engine === engine);
    return {
      cuts: of(LANGUAGE_RHOS[0], 'fit').length,
      facts: of(LANGUAGE_RHOS[0], 'fit').reduce((sum, { facts }) => sum + facts, 0),
      share: (rho, engine) => (rows.length === 0 ? null : mean(of(rho, engine).map(({ fits, ground }) => (fits ? ground : 0)))),
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const bothShares = (share) =>
  LANGUAGE_RHOS.flatMap((rho) => LANGUAGE_ENGINES.map((engine) => ({ rho, engine, grounded: share(rho, engine) })));

/** The conversations that say the same in ten languages. */
async function measureParallel(shared, module) {
  const rows = [];
  for (const code of Object.keys(LANGUAGES)) {
    const talks = talksIn(code);
    const { names, share } = measureNames(talks, code);
    const conversations = talks
      .slice(0, PER_SOURCE)
      .map((said, index) => ({ id: `${code}-${index}`, source: code, messages: said.map(({ message }) => message) }));
    const facts = await evaluated(shared, conversations, module);
    rows.push({
      language: code,
      names,
      grounded: bothShares(share),
      facts: facts.facts,
      asked: LANGUAGE_RHOS.map((rho) => measureAsked(talks, code, rho)),
      recalled: measureRecall(talks, code),
    });
  }
  return rows;
}

// ---- Recorded conversations -------------------------------------------------------------------------------------------

/** What people wrote, a language and a kind each; `joined` conversations make a long one. */
const RECORDED = [
  { language: 'en', kind: 'support', source: 'tau-bench-airline', joined: 25 },
  { language: 'zh', kind: 'support', source: 'crosswoz-zh', joined: 15 },
  { language: 'ko', kind: 'chat', source: 'xpersona-ko', joined: 30 },
  { language: 'fr', kind: 'chat', source: 'xpersona-fr', joined: 30 },
  { language: 'it', kind: 'chat', source: 'xpersona-it', joined: 30 },
];

/** What the two sides say in recorded conversations, several in a row. */
function joinedOf(shared, { source, joined }) {
  const recorded = JSON.parse(readFileSync(new URL(`corpus/plain/${source}.json`, shared), 'utf8'));
  const spoken = ({ role, content }) => (role === 'user' || role === 'assistant') && content.trim() !== '';
  return Array.from({ length: Math.floor(recorded.length / joined) }, (_, number) => ({
    id: `${source}-${number}`,
    source,
    messages: recorded
      .slice(number * joined, (number + 1) * joined)
      .flatMap(({ messages }) => messages.filter(spoken))
      .map(({ role, content }, index) => ({ id: `m${index}`, index, role, content })),
  }));
}

async function measureRecorded(shared, module) {
  const rows = [];
  for (const one of RECORDED) {
    const { share, ...counts } = await evaluated(shared, joinedOf(shared, one), module);
    rows.push({ language: one.language, kind: one.kind, source: one.source, ...counts, grounded: bothShares(share) });
  }
  return rows;
}

/**
 * @param {URL} shared the folder with `eval` and `corpus`
 * @param {{ module?: string }} [options] the module with `fit`
 */
export async function measureLanguages(shared, { module = join(root, 'dist/index.mjs') } = {}) {
  return { parallel: await measureParallel(shared, module), recorded: await measureRecorded(shared, module) };
}
