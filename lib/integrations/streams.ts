import { diagnosticsIn } from '../providers/diagnostics.js';
import type { Turn } from './core.js';

/** Usage as an answer has it. */
export type Usage = Parameters<Turn['observe']>[0];

/**
 * Watches what a reader takes from an iterator, without reading anything itself: only the iterator's own methods are replaced, so it stays
 * the same object, and errors and its end come as before.
 *
 * @param see is called for each value, before the reader gets it
 * @param end is called at the end, at an error, and if the reader stops
 */
function watch<V, T extends AsyncIterator<V>>(iterator: T, see: (value: V) => void, end: () => void): T {
  const { next, return: close } = iterator;
  iterator.next = async (...given) => {
    try {
      const result = await next.apply(iterator, given);
      if (result.done) end();
      else see(result.value);
      return result;
    } catch (error) {
      end();
      throw error;
    }
  };
  if (close !== undefined) {
    iterator.return = (value) => {
      end();
      return close.call(iterator, value);
    };
  }
  return iterator;
}

/**
 * Watches an iterator for the usage that a stream reports, and for what it says of the cache: the last one counts. A value that can't be read is
 * passed on all the same.
 *
 * @param usageOf returns the usage in a value of the stream, if it has one
 * @param turn `observe` is called once, `finish` when nothing more is read
 */
export function watchUsage<V extends object, T extends AsyncIterator<V>>(
  iterator: T,
  usageOf: (value: V) => Usage,
  { observe, look, finish }: Pick<Turn, 'observe' | 'look'> & { finish?: () => void },
): T {
  let usage: Usage;
  let diagnostics: object | undefined;
  const end = () => {
    look(() => finish?.());
    if (usage === undefined) return;
    observe(usage, diagnostics);
    usage = undefined;
  };
  const see = (value: V) => {
    usage = look(() => usageOf(value ?? {})) ?? usage;
    diagnostics = look(() => diagnosticsIn(value)) ?? diagnostics;
  };
  return look(() => watch(iterator, see, end)) ?? iterator;
}
