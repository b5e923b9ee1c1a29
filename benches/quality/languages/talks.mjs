// The same conversations in every language: what is said when comes from a seed, the sentences from `phrases.mjs`, the names of countries,
// languages and currencies from the runtime (Unicode CLDR).
import { Random } from '../../generate/random.mjs';
import { LANGUAGES } from './phrases.mjs';

export { LANGUAGES };

const MESSAGES = 320;
/** Number of messages before anything is taken up again. */
const FIRST = 20;
/** A fact is taken up while it is among so many of the last. */
const REACH = 100;
/** The names in each of the sentences of `facts` and `later`. */
const SAID = ['ol', 'om', 'o', 'l', 'm'];
/** The sentence that is asked for: which currency was wanted in a country. */
const ASKED = 1;
const ASIDES = 8;

// ---- Names ------------------------------------------------------------------------------------------------------------

const TYPES = { o: 'region', l: 'language', m: 'currency' };
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const two = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
const CODES = { o: two, l: two.map((code) => code.toLowerCase()), m: Intl.supportedValuesOf('currency') };
const codes = Object.keys(LANGUAGES);
const displayNames = (type, locale) => new Intl.DisplayNames(locale, { type, fallback: 'none' });

/** The names of one kind, each in all languages: those that are written in letters alone in each. */
function namesOf(kind) {
  const shown = codes.map((code) => displayNames(TYPES[kind], code));
  const named = CODES[kind].map((code) => shown.map((names) => names.of(code)));
  return named.filter((names) => names.every((name) => name !== undefined && /^[\p{L}\p{M}\p{Pd}·' ]{2,}$/u.test(name)));
}

const NAMES = Object.keys(TYPES).flatMap((kind) => namesOf(kind).map((names) => ({ kind, names })));

/** Names in an order of chance, of which none is a part of another in any language. */
function apart(random) {
  const left = [...NAMES];
  const chosen = [];
  while (left.length > 0) {
    const [one] = left.splice(Math.floor(random.next() * left.length), 1);
    const isApart = (other) => one.names.every((name, at) => !name.includes(other.names[at]) && !other.names[at].includes(name));
    if (chosen.every(isApart)) chosen.push(one);
  }
  return chosen;
}

// ---- Conversations ----------------------------------------------------------------------------------------------------

/** Draws each of `list` once before any is drawn again. */
function drawing(random, list) {
  let left = [];
  return () => {
    if (left.length === 0) left = [...list];
    return left.splice(Math.floor(random.next() * left.length), 1)[0];
  };
}

/**
 * What is said when, in any language.
 *
 * @param {number} seed
 * @returns {{ kind: 'facts' | 'later' | 'asides', index: number, names: Record<string, string[]> }[][]} the sentences of each message; a name
 *   has its form in each language
 */
export function planOf(seed) {
  const random = new Random(seed);
  const names = apart(random);
  const listed = (kind) => names.filter((one) => one.kind === kind).map((one) => one.names);
  const draw = Object.fromEntries(Object.keys(TYPES).map((kind) => [kind, drawing(random, listed(kind))]));
  const facts = [];
  return Array.from({ length: MESSAGES }, (_, message) => {
    const aside = () => ({ kind: 'asides', index: random.between(0, ASIDES - 1), names: {} });
    const sentences = Array.from({ length: random.between(1, 3) }, aside);
    if (random.chance(0.45)) {
      const index = random.between(0, SAID.length - 1);
      const names = Object.fromEntries([...SAID[index]].map((kind) => [kind, draw[kind]()]));
      facts.push({ kind: 'facts', index, names });
      sentences.splice(random.between(0, sentences.length), 0, facts.at(-1));
    }
    if (message >= FIRST && random.chance(0.7)) sentences.push({ ...random.pick(facts.slice(-REACH)), kind: 'later' });
    return sentences;
  });
}

const filled = (phrase, names) => phrase.replace(/\{([olm])\}/g, (_, kind) => names[kind]);

/** The messages of a plan in the language `code`, with the names that each says and the countries that can be asked for. */
export function sayIn(code, plan) {
  const language = LANGUAGES[code];
  const at = codes.indexOf(code);
  return plan.map((sentences, index) => {
    const all = sentences.map(({ kind, index: number, names }) => {
      const said = Object.fromEntries(Object.entries(names).map(([name, forms]) => [name, forms[at]]));
      return { said, text: filled(language[kind][number], said), isAsked: kind === 'facts' && number === ASKED };
    });
    const content = all.map(({ text }) => text).join(language.gap);
    return {
      message: { id: `m${index}`, index, role: index % 2 === 0 ? 'user' : 'assistant', content },
      names: all.flatMap(({ said }) => Object.values(said)),
      asked: all.filter(({ isAsked }) => isAsked).map(({ said }) => ({ country: said.o, currency: said.m })),
    };
  });
}

/** The question for the currency that was wanted in a country. */
export const askFor = (code, country) => filled(LANGUAGES[code].ask, { o: country });
