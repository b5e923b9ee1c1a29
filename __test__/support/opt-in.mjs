// The rules of the opt-in features, written a second time with JavaScript's own regular expressions, as the contract has them.
// Nothing here comes from the engine or is shared with it.

const any = (list) =>
  list
    .trim()
    .split(/\s*\|\s*/)
    .join('|');
const textOf = ({ content }) => (typeof content === 'string' ? content : '');

const CAMEL = /\b[a-z]+(?:[A-Z][a-z]+)+\b/g;
const PASCAL = /\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b/g;
const SNAKE = /\b[a-z]+(?:_[a-z]+)+\b/g;
const ABBR = /\b[bcdfghjklmnpqrstvwxz]{3,}\b/gi;
const FILELINE = /\S+\.\w+:\d+/g;

// ---- 4 Importance --------------------------------------------------------------------------------------------------

const DECISION = new RegExp(
  `\\b(?:must|should|require|required|requires|always|never|do not|don't|instead|use\\s+\\w+\\s+(?:instead|rather)|
  the\\s+(?:approach|solution|fix|answer)\\s+is|decide to|decided to|(?:we will|we'll)\\s+(?:go with|use|implement))\\b`.replace(
    /\n\s*/g,
    '',
  ),
  'i',
);
const CORRECTION = new RegExp(
  `\\b(?:actually|correction|no[,.]?\\s+(?:use|it's|that's|the)|wait[,.]|sorry[,.]|instead[,.]|
  not\\s+\\w+[,.]?\\s+(?:but|use|it's)|scratch that|disregard|ignore (?:that|my|the previous))\\b`.replace(/\n\s*/g, ''),
  'i',
);
const CONSTRAINT = new RegExp(
  `\\b(?:${any(`constraint | limitation | boundary | deadline | blocker | requirement | prerequisite | dependency |
  breaking change | backward compat | backwards compat`)})\\b`,
  'i',
);

export function scoreContentSignals(text) {
  const [decision, correction, constraint] = [DECISION, CORRECTION, CONSTRAINT].map((pattern) => Number(pattern.test(text)));
  return Math.min(0.4, 0.15 * decision + 0.25 * correction + 0.1 * constraint);
}

export function computeImportance(messages) {
  const patterns = [CAMEL, PASCAL, SNAKE, ABBR, FILELINE];
  const names = messages.map(
    (message) => new Set(patterns.flatMap((pattern) => textOf(message).match(pattern) ?? []).map((name) => name.toLowerCase())),
  );
  const references = names.map((own, index) => names.slice(index + 1).filter((later) => [...own].some((name) => later.has(name))).length);
  const most = Math.max(0, ...references);
  return new Map(
    messages.map((message, index) => {
      const taken = most === 0 ? 0 : (references[index] / most) * 0.5;
      const late = (index / Math.max(messages.length - 1, 1)) * 0.1;
      return [index, Math.min(1, taken + scoreContentSignals(textOf(message)) + late)];
    }),
  );
}

// ---- 5 Contradictions ----------------------------------------------------------------------------------------------

const SIGNALS = {
  explicit_correction: /\b(?:actually|correction)[,.:]/i,
  negation_directive: /\bno[,.]?\s+(?:use|it's|that's|it should|we should)/i,
  instead_directive: /\b(?:instead|rather)[,.]?\s+(?:use|do|we|you)/i,
  retraction: /\b(?:scratch that|disregard|ignore)\b/i,
  dont_directive: /\b(?:don't|dont)\s+(?:use|do|add|include|import)\b/i,
  not_but_pattern: /\bnot\s+\w+[,.]?\s+(?:but|use|go with)\b/i,
  wait_correction: /\bwait[,.]\s/i,
  sorry_correction: /\bsorry[,.]\s+(?:i|that|the)/i,
  self_correction: /\bi was wrong\b/i,
  rephrase: /\blet me (?:correct|rephrase|clarify)\b/i,
};

export function analyzeContradictions(messages, threshold = 0.15) {
  const eligible = messages
    .map((message, index) => ({ index, role: message.role, text: textOf(message) }))
    .filter(({ text }) => text.length >= 50 && !/^\[(?:summary[:#]|truncated)/.test(text));
  for (const topic of eligible) {
    const names = [CAMEL, PASCAL, SNAKE].flatMap((pattern) => topic.text.match(pattern) ?? []);
    topic.words = new Set([...(topic.text.toLowerCase().match(/\b[a-z]{3,}\b/g) ?? []), ...names.map((name) => name.toLowerCase())]);
  }
  const weight = (word) =>
    eligible.length < 3 ? 1 : Math.log(1 + eligible.length / eligible.filter(({ words }) => words.has(word)).length);
  const sum = (words) => words.reduce((total, word) => total + weight(word), 0);
  const overlap = (a, b) => {
    const all = sum([...a.words]) + sum([...b.words]);
    return all === 0 ? 0 : (2 * sum([...a.words].filter((word) => b.words.has(word)))) / all;
  };
  const annotations = new Map();
  eligible.forEach((later, position) => {
    const signal = Object.keys(SIGNALS).find((name) => SIGNALS[name].test(later.text));
    if (!signal) return;
    let best;
    for (const earlier of eligible.slice(0, position).reverse()) {
      const needed = earlier.role && later.role && earlier.role !== later.role ? 1.5 * threshold : threshold;
      const topicOverlap = overlap(earlier, later);
      // A difference that only comes from the order of a sum makes no message the better one.
      if (topicOverlap >= needed && topicOverlap > (best?.topicOverlap ?? -1) + 1e-12) best = { of: earlier.index, topicOverlap };
    }
    if (best && !annotations.has(best.of)) {
      annotations.set(best.of, { supersededByIndex: later.index, topicOverlap: best.topicOverlap, signal });
    }
  });
  return annotations;
}

// ---- 9 Sentences ---------------------------------------------------------------------------------------------------

export function splitSentences(text) {
  const sentences = text.match(/[^.!?\n]+[.!?]+/g) ?? [text];
  return sentences.map((sentence) => sentence.trim()).filter(Boolean);
}
