import { isUnawaited } from '../../promises.js';
import type { FormatAdapter } from '../../../index.js';

/**
 * Makes the functions by which the engine asks a call's adapters. Each text is taken apart once. Errors of an adapter are passed
 * on. An answer of the wrong kind is reported to `fallBack`; the text is then treated as without adapters or, once it has been
 * summarised, stays as it is.
 */
export function askAdapters(adapters: readonly FormatAdapter[], texts: readonly string[], fallBack: () => undefined) {
  const found = new Map<number, TakenApart | undefined>();

  function takeApart(text: string): TakenApart | undefined {
    if (text === '') return undefined;
    const number = adapters.findIndex((adapter) => settled(adapter.detect(text), fallBack));
    if (number < 0) return undefined;
    const preserved = settled(adapters[number].extractPreserved(text), fallBack);
    const compressible = settled(adapters[number].extractCompressible(text), fallBack);
    if (isListOfStrings(preserved) && isListOfStrings(compressible)) {
      return { number, preserved, prose: compressible.join(' ') };
    }
    fallBack();
    return undefined;
  }

  return {
    /** Returns the number of the adapter that took the text at `index` apart, or -1. */
    findAdapter(index: number) {
      if (!found.has(index)) found.set(index, takeApart(texts[index]));
      return found.get(index)?.number ?? -1;
    },
    /** Returns the part of it to be summarised. */
    adaptedProse: (index: number) => found.get(index)?.prose,
    /** Returns the new text with a summary of that part, if there is one. */
    reconstruct(index: number, summary: string) {
      const { number, preserved } = found.get(index) as TakenApart;
      const text = settled(adapters[number].reconstruct(preserved, summary), fallBack);
      return typeof text === 'string' && text !== '' ? text : fallBack();
    },
  };
}

/** Returns an answer, or undefined for a promise: adapters answer synchronously. */
type TakenApart = { number: number; preserved: string[]; prose: string };

function settled<T>(answer: T, fallBack: () => undefined) {
  return isUnawaited(answer) ? fallBack() : answer;
}

const isListOfStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((element) => typeof element === 'string');
