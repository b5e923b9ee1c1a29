// The rules of the contract for flow, discourse units, coreference and clusters (opt-in.md, sections 10 to 13), written a
// second time and as plainly as they stand there: quadratic, with regular expressions, one rule after the other.
import { extractEntities, sentencesOf, textOf } from '../support/contract.mjs';

const CAMEL = /\b[a-z]+(?:[A-Z][a-z]+)+\b/g;
const PASCAL = /\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b/g;
const SNAKE = /\b[a-z]+(?:_[a-z]+)+\b/g;
const identifiers = (text) => [CAMEL, PASCAL, SNAKE].flatMap((shape) => text.match(shape) ?? []);
const oneLine = (text) => text.replaceAll('\n', ' ').trim();
const cut = (text, length) => (text.length <= length ? text : `${text.slice(0, length - 3)}...`);

// ---- Flow -----------------------------------------------------------------------------------------------------------

const QUESTION = /\?(?:\s|$)/;
const REQUEST = /\b(?:can you|could you|please|would you|I need|add|create|update|fix|change|modify|implement|remove|delete|make)\b/i;
const ACTION = /\b(?:done|added|created|updated|fixed|changed|modified|implemented|removed|deleted|here's|heres|I've)\b/i;
const CONFIRM = /^(?:great|perfect|thanks|thank you|awesome|looks good|lgtm|sounds good|yes|ok|okay|done|confirmed|approved|ship it)/i;
const CORRECT = /^(?:actually|wait|no[,.]|not that|instead|correction|sorry|my bad|I meant)/i;

export function detectFlowChains(messages, recencyStart, preserveRoles) {
  const claimed = new Set();
  const text = (index) => textOf(messages[index]);
  const starts = (index, pattern) => pattern.test(text(index).trim());
  const isEligible = (index) => {
    const { role, tool_calls: calls, content } = messages[index];
    if (index >= recencyStart || claimed.has(index) || preserveRoles.has(role) || calls?.length > 0) return false;
    return typeof content === 'string' && content.length >= 10 && !/^\[summary[:#]/.test(content) && !content.includes('```');
  };
  const chains = [];
  for (let i = 0; i <= recencyStart - 2; i++) {
    if (!isEligible(i)) continue;
    for (let j = i + 1; j < Math.min(i + 4, recencyStart); j++) {
      if (!isEligible(j)) continue;
      const [from, to] = [messages[i].role ?? '', messages[j].role ?? ''];
      const isTurn = from === 'user' && to === 'assistant';
      let chain;
      if (isTurn && REQUEST.test(text(i)) && ACTION.test(text(j))) chain = ['request_action', `Request: ${label(i)}`];
      else if (isTurn && QUESTION.test(text(i)) && !QUESTION.test(text(j))) chain = ['qa', `Q&A: ${label(i)}`];
      else if ((from === to || isTurn) && starts(j, CORRECT)) chain = ['correction', `Correction: ${label(j)}`];
      else if (from !== to && text(i).length > 200 && text(j).length < 100 && starts(j, CONFIRM))
        chain = ['acknowledgment', `Ack: ${label(i)}`];
      if (!chain) continue;
      const [type, name] = chain;
      const indices = [i, j];
      if (type === 'request_action' || type === 'qa') {
        for (let k = j + 1; k < Math.min(j + 3, recencyStart); k++) {
          if (!isEligible(k) || !starts(k, CONFIRM)) continue;
          indices.push(k);
          break;
        }
      }
      indices.forEach((index) => claimed.add(index));
      chains.push({ indices, type, label: name });
      break;
    }
  }
  return chains;

  function label(index) {
    return oneLine(text(index).slice(0, 50));
  }
}

export function summarizeChain({ indices, type }, messages) {
  const [first, second] = indices.map((index) => oneLine(textOf(messages[index])));
  const isConfirmed = indices.length > 2;
  if (type === 'qa') return `Q: ${cut(first, 80)} → A: ${cut(second, 120)}${isConfirmed ? ' (confirmed)' : ''}`;
  if (type === 'request_action') return `Request: ${cut(first, 80)} → ${cut(second, 120)}${isConfirmed ? ' → confirmed' : ''}`;
  return type === 'correction' ? `Correction: ${cut(second, 150)}` : `${cut(first, 150)} (acknowledged)`;
}

// ---- Discourse units ------------------------------------------------------------------------------------------------

const BOUNDARY = new RegExp(
  ',\\s*(?:and|but|or|so|yet|then|which|where|while|although|because|since|after|before|when|if|unless|as) ' +
    '|\\s+(?:however|therefore|consequently|furthermore|moreover|additionally|meanwhile|nevertheless|nonetheless|instead|otherwise|thus|hence|accordingly)\\s*[,.]?',
  'gi',
);
const ANAPHOR = /^(?:it|this|that|these|those|the result|the output|the response|the value)\b/i;
const SEQUENCE = /\b(?:first|then|next|after that|finally|subsequently|later|eventually)\b/i;
const CAUSE = /\b(?:because|since|therefore|thus|hence|so that|in order to|as a result)\b/i;
const QUANTITY = /\b\d+(?:\.\d+)?\s*(?:seconds?|ms|MB|GB|retries|retrie|%)\b/gi;

export function segmentEDUs(text) {
  const sentences = sentencesOf(text);
  const clauses = (sentences.length > 0 ? sentences : [text.trim()]).flatMap((sentence) => {
    const found = [];
    let from = 0;
    for (const { index } of sentence.matchAll(BOUNDARY)) {
      if (sentence.slice(from, index).trim().length > 10) found.push(sentence.slice(from, index));
      from = index;
    }
    return [...found, sentence.slice(from)].map((clause) => clause.trim()).filter((clause) => clause.length > 5);
  });
  return clauses.map((clause, index) => {
    const depends = index > 0 && (ANAPHOR.test(clause) || SEQUENCE.test(clause) || CAUSE.test(clause));
    return { text: clause, index, dependsOn: depends ? [index - 1] : [], score: 0 };
  });
}

export function scoreEDU(text) {
  let score = 3 * identifiers(text).length + 2 * (text.match(QUANTITY)?.length ?? 0);
  if (/\b(?:important|critical|must|never|always|require)\b/i.test(text)) score += 4;
  if (/^(?:well|sure|ok|thanks|great|right|yes)\b/i.test(text)) score -= 5;
  return score + Math.min(text.length / 50, 2);
}

export function selectEDUs(edus, budget, maxDepth = 2) {
  const order = edus.map((_, place) => place).sort((a, b) => edus[b].score - edus[a].score);
  const selected = new Set();
  let used = 0;
  for (const place of order) {
    if (used >= budget) break;
    const set = new Set([place]);
    let level = [place];
    for (let depth = 0; depth < maxDepth; depth++) {
      level = level.flatMap((one) => edus[one].dependsOn);
      level.forEach((one) => set.add(one));
    }
    const added = [...set].filter((one) => !selected.has(one));
    const cost = added.reduce((sum, one) => sum + edus[one].text.length + 2, 0);
    if (used + cost > budget) continue;
    used += cost;
    added.forEach((one) => selected.add(one));
  }
  return edus.filter((_, one) => selected.has(one));
}

export function summarizeWithEDUs(text, budget) {
  const edus = segmentEDUs(text).map((edu) => ({ ...edu, score: scoreEDU(edu.text) }));
  return (
    selectEDUs(edus, budget)
      .map((edu) => edu.text)
      .join(' ') || text.slice(0, budget).trim()
  );
}

// ---- Coreference ----------------------------------------------------------------------------------------------------

export function buildCoreferenceMap(messages) {
  const found = new Map();
  messages.forEach((message, index) => {
    for (const entity of new Set(identifiers(textOf(message)))) {
      const known = found.get(entity);
      if (known) known.referencingMessageIndices.push(index);
      else found.set(entity, { entity, definingMessageIndex: index, referencingMessageIndices: [] });
    }
  });
  return [...found.values()].filter(({ referencingMessageIndices }) => referencingMessageIndices.length > 0);
}

export function generateInlineDefinitions(entities, source) {
  const sentences = sentencesOf(source);
  const pieces = sentences.length > 0 ? sentences : [source.trim()];
  const found = entities.slice(0, 5).map((entity) => pieces.find((piece) => piece.includes(entity)));
  const definitions = found.filter((piece) => piece !== undefined).map((piece) => cut(piece, 80));
  return definitions.length > 0 ? `[context: ${definitions.join(' | ')}] ` : '';
}

// ---- Clusters -------------------------------------------------------------------------------------------------------

const STOP_WORDS = new Set(
  `a an the is are was were be been being have has had do does did will would could should may might shall can need dare ought
  used to of in for on with at by from as into through during before after above below between out off over under again further
  then once here there when where why how all each every both few more most other some such no not only own same so than too very
  just because but and or if while although that this these those i you he she it we they me him her us them my your his its our
  their what which who whom whose`.split(/\s+/),
);
const words = (text) =>
  text
    .toLowerCase()
    .split(/[^a-z0-9_]+/)
    .filter((word) => word.length >= 3 && !STOP_WORDS.has(word));

export function clusterMessages(messages, eligibleIndices, threshold = 0.15) {
  if (eligibleIndices.length < 2) return [];
  const indices = eligibleIndices.slice(-200);
  const texts = indices.map((index) => textOf(messages[index]));
  const frequency = new Map();
  for (const text of texts) for (const word of new Set(words(text))) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const vectors = texts.map((text) => {
    const vector = new Map();
    for (const word of words(text)) vector.set(word, (vector.get(word) ?? 0) + Math.log(texts.length / frequency.get(word)));
    return vector;
  });
  const sets = texts.map((text) => new Set(extractEntities(text, 100)));
  const norm = (vector) => Math.sqrt([...vector.values()].reduce((sum, weight) => sum + weight * weight, 0));
  const similarity = (a, b) => {
    const product = [...vectors[a]].reduce((sum, [word, weight]) => sum + weight * (vectors[b].get(word) ?? 0), 0);
    const length = norm(vectors[a]) * norm(vectors[b]);
    const common = [...sets[a]].filter((entity) => sets[b].has(entity)).length;
    const union = sets[a].size + sets[b].size - common;
    return 0.7 * (length > 0 ? product / length : 0) + 0.3 * (union > 0 ? common / union : 0);
  };
  const clusters = texts.map((_, place) => [place]);
  for (;;) {
    let best = [-Infinity];
    for (let a = 0; a < clusters.length; a++) {
      for (let b = a + 1; b < clusters.length; b++) {
        let sum = 0;
        for (const one of clusters[a]) for (const other of clusters[b]) sum += similarity(one, other);
        const mean = sum / (clusters[a].length * clusters[b].length);
        // What differs by rounding alone is the same: the first pair wins.
        if (mean > best[0] + 1e-12) best = [mean, a, b];
      }
    }
    if (clusters.length < 2 || best[0] < threshold) break;
    clusters[best[1]].push(...clusters.splice(best[2], 1)[0]);
  }
  const found = clusters.map((members) => members.map((place) => indices[place]).sort((a, b) => a - b));
  const successive = found.filter((members) => members.length > 1 && members.every((index, at) => index === members[0] + at));
  return successive.map((members) => {
    const counts = new Map();
    for (const index of members) {
      for (const entity of new Set(extractEntities(textOf(messages[index]), 100))) counts.set(entity, (counts.get(entity) ?? 0) + 1);
    }
    const shared = [...counts]
      .filter(([, count]) => count > 1)
      .sort(([, a], [, b]) => b - a)
      .slice(0, 5)
      .map(([entity]) => entity);
    return { indices: members, sharedEntities: shared, label: shared.slice(0, 3).join(', ') || `cluster-${members[0]}` };
  });
}
