import { checkFunction, checkNumber, checkObject, checkStrings, describe } from '../../checks.js';
import { checkOptions } from '../../options/index.js';
import { parseReply, stringsOf } from './reply.js';
import type { FeedbackResult, OverPreservationResult } from '../../../drop-in.js';
import type { CallLlm, CreateSummarizerOptions as Options } from '../../../index.js';

/** See `index.d.ts`. */
export function refineSummarizer(options: Options, feedback: FeedbackResult) {
  checkOptions('refineSummarizer', options);
  checkLists('refineSummarizer', feedback, ['suggestedTerms', 'guidelines']);
  return withGuidelines(withTerms(options, feedback.suggestedTerms), feedback.guidelines);
}

/** See `index.d.ts`. */
export function tightenSummarizer(options: Options, feedback: OverPreservationResult) {
  checkOptions('tightenSummarizer', options);
  checkLists('tightenSummarizer', feedback, ['removableTerms', 'tighteningGuidelines']);
  const { removableTerms, tighteningGuidelines } = feedback;
  const removable = new Set(removableTerms);
  const terms = (options.preserveTerms ?? []).filter((term) => !removable.has(term));
  const tightened = removable.size > 0 ? { ...options, preserveTerms: terms } : options;
  return withGuidelines(tightened, tighteningGuidelines);
}

/** See `index.d.ts`. */
export function refineSummarizerCandidates(callLlm: CallLlm, options: Options, feedback: FeedbackResult, count = 5) {
  checkFunction('refineSummarizerCandidates(): callLlm', callLlm);
  checkOptions('refineSummarizerCandidates', options);
  const given = (['lostPatterns', 'suggestedTerms', 'guidelines'] as const).filter((name) => feedback?.[name] != null);
  checkLists('refineSummarizerCandidates', feedback, given);
  checkNumber('refineSummarizerCandidates(): count', count);
  return candidates(callLlm, options, feedback, count);
}

async function candidates(callLlm: CallLlm, options: Options, feedback: FeedbackResult, count: number) {
  const reply = parseReply(await callLlm(candidatesPrompt(options, feedback, count)));
  if (!Array.isArray(reply)) throw new Error(`callLlm must answer with a JSON array, got ${describe(reply)}`);
  return reply.slice(0, count).map((candidate: Partial<Record<string, unknown>> | null) => {
    if (candidate === null) throw new TypeError('callLlm must answer with an array of objects, got null in it');
    return withGuidelines(withTerms(options, stringsOf(candidate.preserveTerms)), stringsOf(candidate.guidelines));
  });
}

function checkLists(caller: string, feedback: unknown, names: readonly string[]) {
  checkObject(`${caller}(): feedback`, feedback);
  for (const name of names) checkStrings(`${caller}(): feedback.${name}`, feedback[name]);
}

/** Returns a copy of the options with the new terms appended. */
function withTerms(options: Options, terms: readonly string[]) {
  if (terms.length === 0) return { ...options };
  const current = options.preserveTerms ?? [];
  const known = new Set<string>(current);
  return { ...options, preserveTerms: [...current, ...new Set(terms.filter((term) => !known.has(term)))] };
}

/** Returns a copy of the options with the guidelines appended to the system prompt. */
function withGuidelines(options: Options, guidelines: readonly string[]) {
  if (guidelines.length === 0) return { ...options };
  const bullets = guidelines.map((guideline) => `- ${guideline}`).join('\n');
  return { ...options, systemPrompt: options.systemPrompt ? `${options.systemPrompt}\n\n${bullets}` : bullets };
}

function candidatesPrompt({ preserveTerms, systemPrompt }: Options, feedback: FeedbackResult, count: number) {
  const { lostPatterns, suggestedTerms, guidelines } = feedback;
  const list = (texts: readonly string[] | null | undefined) => (texts?.length ? texts.join('; ') : 'none');
  return [
    'A language model summarises conversation histories for an agent. Its instructions are to be improved.',
    `Terms that it keeps as written now: ${list(preserveTerms)}`,
    `Its system prompt now: ${systemPrompt || 'none'}`,
    `Lost so far: ${list(lostPatterns)}`,
    `Terms that were suggested: ${list(suggestedTerms)}`,
    `Guidelines that were suggested: ${list(guidelines)}`,
    `Propose ${count} different improvements. Answer with a bare JSON array of ${count} objects and nothing else:`,
    '[{"preserveTerms": [terms to keep as written], "guidelines": [short rules for whoever summarises]}]',
  ].join('\n');
}
