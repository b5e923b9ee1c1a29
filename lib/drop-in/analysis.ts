import native from '../native.js';
import { textOf } from '../messages.js';
import { checkMessageList, checkNumber, checkObject, checkString, mismatch, rolesOf } from '../checks.js';
import type { Message } from '../messages.js';

/** UTF-16 code units per token, as in the package that this one replaces. */
const UNITS_PER_TOKEN = 3.5;
/** Maximum number of entities per message that the metrics read. */
const ENTITY_LIMIT = 500;

export function defaultTokenCounter(message: unknown) {
  checkObject('defaultTokenCounter(): message', message);
  return Math.ceil(textOf(message).length / UNITS_PER_TOKEN);
}

export function bestSentenceScore(text: string) {
  checkString('bestSentenceScore(): text', text);
  return native.bestSentenceScore(text);
}

export function extractEntities(text: string, cap: number) {
  checkString('extractEntities(): text', text);
  if (cap !== undefined && cap !== null) checkNumber('extractEntities(): cap', cap);
  const limit = cap ?? Math.min(Math.max(Math.round(text.length / 200), 3), 15);
  return native.listEntities([text], 0xffffffff).slice(0, limit);
}

export function collectMessageEntities(messages: Message[]) {
  checkMessageList('collectMessageEntities(): messages', messages);
  return new Set(native.listEntities(messages.map(textOf), ENTITY_LIMIT));
}

function quality(input: readonly Message[], output: readonly Message[], caller: string) {
  checkMessageList(`${caller}(): input`, input);
  checkMessageList(`${caller}(): output`, output);
  const ids = new Set(output.map(({ id }) => id));
  const hasId = input.map(({ id }) => ids.has(id));
  return native.computeQuality(input.map(textOf), hasId, output.map(textOf));
}

export function computeEntityRetention(input: readonly Message[], output: readonly Message[]) {
  return quality(input, output, 'computeEntityRetention')[0];
}

export function computeStructuralIntegrity(input: readonly Message[], output: readonly Message[]) {
  return quality(input, output, 'computeStructuralIntegrity')[1];
}

export function computeReferenceCoherence(input: readonly Message[], output: readonly Message[]) {
  return quality(input, output, 'computeReferenceCoherence')[2];
}

export function computeQualityScore(input: readonly Message[], output: readonly Message[]) {
  const [entity_retention, structural_integrity, reference_coherence, quality_score] = quality(input, output, 'computeQualityScore');
  return { entity_retention, structural_integrity, reference_coherence, quality_score };
}

export function computeFactRetention(input: Message[], output: Message[]) {
  checkMessageList('computeFactRetention(): input', input);
  checkMessageList('computeFactRetention(): output', output);
  return native.factRetention(input.map(textOf), output.map(textOf));
}

/** Returns whether role and calls of a message allow it to be a duplicate. */
function isEligible(message: Message, preserveRoles: ReadonlySet<unknown>) {
  const { role, tool_calls: calls } = message;
  return !(role && preserveRoles.has(role)) && !(Array.isArray(calls) && calls.length > 0);
}

function findDuplicates(
  messages: readonly Message[],
  recencyStart: number,
  preserveRoles: ReadonlySet<unknown>,
  isExcluded: (index: number) => boolean,
  fuzzyThreshold: number | undefined,
) {
  const eligible = messages.map((message, index) => isEligible(message, preserveRoles) && !isExcluded(index));
  const found = native.findDuplicates(messages.map(textOf), eligible, recencyStart, fuzzyThreshold);
  return new Map(
    found.map(({ index, of, length, similarity }) => {
      const duplicate = { duplicateOfIndex: of, contentLength: length };
      return [index, similarity === undefined ? duplicate : { ...duplicate, similarity }];
    }),
  );
}

export function analyzeDuplicates(messages: readonly Message[], recencyStart = 0, preserveRoles = ['system']) {
  checkMessageList('analyzeDuplicates(): messages', messages);
  checkNumber('analyzeDuplicates(): recencyStart', recencyStart);
  const roles = rolesOf('analyzeDuplicates(): preserveRoles', preserveRoles);
  return findDuplicates(messages, recencyStart, roles, () => false, undefined);
}

export function analyzeFuzzyDuplicates(
  messages: readonly Message[],
  recencyStart = 0,
  preserveRoles = ['system'],
  exactDuplicates: ReadonlyMap<number, unknown> = new Map(),
  threshold = 0.85,
) {
  checkMessageList('analyzeFuzzyDuplicates(): messages', messages);
  checkNumber('analyzeFuzzyDuplicates(): recencyStart', recencyStart);
  const roles = rolesOf('analyzeFuzzyDuplicates(): preserveRoles', preserveRoles);
  if (typeof exactDuplicates?.has !== 'function') throw mismatch('analyzeFuzzyDuplicates(): exactDuplicates', 'a Map', exactDuplicates);
  checkNumber('analyzeFuzzyDuplicates(): threshold', threshold);
  const isExact = (index: number) => exactDuplicates.has(index);
  return findDuplicates(messages, recencyStart, roles, isExact, threshold);
}
