// @ts-check
// What each part of a conversation is: results are told by what `prune` would cut of them, and why.
import { createRequire } from 'node:module';

/** @typedef {import('../types.d.ts').Kind} Kind */
/** @typedef {import('./parts.mjs').Part} Part */

/** @type {typeof import('palimpsest')} */
const { prune } = createRequire(import.meta.url)('palimpsest');

/** Minimum length of a large output in characters, as in `prune`. */
const LARGE = 16_000;

/** @type {Record<string, Kind>} */
const BY_REASON = {
  staleRead: 'stale reads',
  overlappingRead: 'stale reads',
  staleCommand: 'repeated commands',
  staleSearch: 'repeated commands',
  identicalResult: 'repeated commands',
  failedCommand: 'failed commands',
  oversizedOutput: 'large outputs',
};

/** @param {Part} part @param {(string | number)[]} path */
const contains = (part, path) => part.path.every((step, index) => step === path[index]);

/** @typedef {{ kind: Kind, by?: number }} Cut what `prune` would cut, and the message from which on it is of no use */

/**
 * Returns the kind of each result that `prune` would cut.
 *
 * @param {object[]} messages
 * @param {import('../types.d.ts').MessageFormat} format
 * @param {{ role: string, parts: Part[] }[]} read the messages' parts
 * @returns {Map<Part, Cut>}
 * @throws {TypeError} the messages don't have the shape of the format
 */
function kindsOfResults(messages, format, read) {
  /** @type {Map<Part, Cut>} */
  const kinds = new Map();
  const { report } = prune(messages, { format, keep: { recent: 0 }, thinking: 'leave', trace: true });
  for (const { reason, message, path, supersededBy } of report.trace ?? []) {
    const kind = BY_REASON[reason];
    const part = kind && read[message].parts.find((one) => one.label === 'result' && contains(one, path));
    if (part && !kinds.has(part)) kinds.set(part, { kind, ...(supersededBy && { by: supersededBy.message }) });
  }
  return kinds;
}

/** @type {Record<string, Kind>} */
const BY_ROLE = { user: 'user', system: 'instructions', assistant: 'model', tool: 'other results' };

/**
 * @param {object[]} messages
 * @param {import('../types.d.ts').MessageFormat} format
 * @param {{ role: string, parts: Part[] }[]} read the messages' parts
 * @returns {{ kindOf: (part: Part, role: string) => Kind, cutOf: (part: Part) => Cut | undefined }}
 * @throws {TypeError} the messages don't have the shape of the format
 */
export function classifier(messages, format, read) {
  const results = kindsOfResults(messages, format, read);
  return {
    cutOf: (part) => results.get(part),
    kindOf: (part, role) => {
      if (part.label === 'thinking') return 'thinking';
      if (part.label === 'result') return results.get(part)?.kind ?? (part.text.length > LARGE ? 'large outputs' : 'other results');
      return BY_ROLE[role];
    },
  };
}
