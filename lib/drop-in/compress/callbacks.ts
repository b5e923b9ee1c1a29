// The functions of the options as the engine calls them.

import { writtenMessage } from './assemble.js';
import { describe } from '../../checks.js';
import { countOne } from './count.js';
import { isUnawaited } from '../../promises.js';
import type { Call } from './plain.js';
import type { AsyncFunctions, HostFunctions } from '../../../binding';
import type { ClassifierResult, MLTokenClassifier, PreservePattern } from '../../../index.js';

/** Counts an answer of an option's callback that the rules had to replace. */
function fallBack({ fallbacks }: Call, option: string): undefined {
  fallbacks[option] = (fallbacks[option] ?? 0) + 1;
}

/** Returns the functions that the engine calls while it works. */
export function hostFunctions(call: Call, isAsync: boolean): HostFunctions {
  const { messages, options, gathered, version } = call;
  const { tokenCounter, preservePatterns, adapters, mlTokenClassifier, entropyScorer } = options;
  return {
    countTokens: tokenCounter
      ? (start, count, text, idsHash) => {
          const ids = messages.slice(start, start + count).map(({ id }) => id);
          return countOne(writtenMessage(messages, start, count, text, idsHash, ids, version), tokenCounter);
        }
      : undefined,
    firstPattern: preservePatterns?.length ? patternFinder(preservePatterns, gathered.texts) : undefined,
    ...(adapters?.length ? adapterFunctions(call) : undefined),
    summarize: mlTokenClassifier && !isAsync ? tokenSummarizerOf(call, false) : undefined,
    scoreSentences: entropyScorer && !isAsync ? (require('./scorer.js') as typeof import('./scorer.js')).syncScorer(options) : undefined,
    // The engine takes undefined for absent.
  } as HostFunctions;
}

function adapterFunctions(call: Call) {
  const { askAdapters } = require('../adapters/asked.js') as typeof import('../adapters/asked.js');
  return askAdapters(call.options.adapters ?? [], call.gathered.texts, () => fallBack(call, 'adapters'));
}

function tokenSummarizerOf(call: Call, canWait: boolean) {
  const { tokenSummarizer } = require('../token-classifier.js') as typeof import('../token-classifier.js');
  return tokenSummarizer(call.options.mlTokenClassifier as MLTokenClassifier, canWait, () => fallBack(call, 'mlTokenClassifier'));
}

/** Returns a function that finds the first pattern which matches the text at an index: its number, or -1. */
function patternFinder(patterns: readonly PreservePattern[], texts: string[]) {
  const find = (index: number) =>
    patterns.findIndex(({ re }) => {
      const answer = re.test(texts[index]);
      isUnawaited(answer);
      return answer;
    });
  const isStateless = ({ re }: { re: Partial<RegExp> }) => re.test === RegExp.prototype.test && !re.global && !re.sticky;
  // A pattern that keeps state from one test to the next, such as a regex with `g`, is asked each time.
  if (!patterns.every(isStateless)) return find;
  const found = new Map<number, number>();
  return (index: number) => {
    if (!found.has(index)) found.set(index, find(index));
    return found.get(index) as number;
  };
}

/** Returns the callbacks that may answer later, and the map that they fill with verdicts by message. */
export function asyncFunctions(call: Call) {
  const { options, gathered } = call;
  const { summarizer, classifier, mlTokenClassifier, signal } = options;
  const verdicts = new Map<number, ClassifierResult>();
  const functions = {
    summarizer: mlTokenClassifier ? tokenSummarizerOf(call, true) : summarizer || undefined,
    classifier: classifier ? (index: number) => classifier(gathered.texts[index]) : undefined,
    takeVerdict: classifier
      ? (index: number, verdict: ClassifierResult) => {
          if (verdict === null || verdict === undefined) {
            throw new TypeError(`compress(): options.classifier must return a verdict, got ${describe(verdict)}`);
          }
          verdicts.set(index, verdict);
          return verdict.decision === 'preserve';
        }
      : undefined,
    scoreSentences: options.entropyScorer ? (require('./scorer.js') as typeof import('./scorer.js')).asyncScorer(options) : undefined,
    throwIfAborted: signal
      ? () => {
          if (signal.aborted) throw signal.reason;
        }
      : undefined,
    concurrency: Math.min(options.concurrency ?? 4, 0xffffffff),
  } as AsyncFunctions;
  return { functions, verdicts };
}
