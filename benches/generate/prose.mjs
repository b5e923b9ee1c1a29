// Talk, reasoning and documents.
import { camel, capital, date, names, path, snake, version, vocabulary } from './vocabulary.mjs';

const verbs = 'holds keeps reads sends drops moves waits returns needs handles rejects stores'.split(' ');
const openers = `The|This|It|We|That|There|In practice the|So far the|After that|However, the|When the|If a|For now the|And the|They|Our
|You|Now the|At the moment a|Each|Both|Let us see whether the`.split(/\n?\|/);
const units = ['ms', 'MB', 'seconds', 'requests', 'workers', 'GB', 'retries', 'nodes'];

/** A word of a sentence. `density` is the share of names, numbers, paths and identifiers. */
function word(random, density) {
  if (!random.chance(density)) return random.pickRanked(vocabulary);
  const kind = random.next();
  if (kind < 0.45) return random.pickRanked(names);
  if (kind < 0.6) return String(random.between(2, 4_000));
  if (kind < 0.68) return `${random.between(2, 900)} ${random.pick(units)}`;
  if (kind < 0.8) return camel(random);
  if (kind < 0.88) return snake(random);
  if (kind < 0.95) return path(random);
  return kind < 0.98 ? `v${version(random)}` : `https://${random.pick(names).toLowerCase()}.example/${path(random)}`;
}

export function sentence(random, density = 0.06) {
  const start = random.chance(0.75) ? random.pickRanked(openers) : capital(random.pickRanked(vocabulary));
  const before = random.join(random.between(2, 9), ' ', () => word(random, density));
  const after = random.join(random.between(2, 8), ' ', () => word(random, density));
  const comma = random.chance(0.3) ? ',' : '';
  return `${start} ${before} ${random.pick(verbs)}${comma} ${after}${random.chance(0.08) ? '?' : '.'}`;
}

export const sentences = (random, count, density) => random.join(count, ' ', () => sentence(random, density));

/** Running text of about `length` characters in paragraphs. */
export function prose(random, length) {
  let text = sentences(random, random.between(2, 6), 0.02);
  while (text.length < length) text += `\n\n${sentences(random, random.between(2, 6), 0.02)}`;
  return text;
}

/** A report with headed sections, dates and figures. */
export function document(random, length) {
  let text = `${capital(random.pickRanked(vocabulary))} report of ${date(random)}`;
  for (let section = 1; text.length < length; section++) {
    text += `\n\n${section}. ${capital(random.pickRanked(vocabulary))} ${random.pickRanked(vocabulary)}\n\n`;
    text += `${random.pickRanked(names)} ${random.pickRanked(names)} of ${random.pickRanked(names)} `;
    text += `reports ${random.between(10, 9_000)} units and ${random.between(1, 99)}.${random.between(0, 9)} percent. `;
    text += sentences(random, random.between(3, 8), 0.09);
  }
  return text;
}
