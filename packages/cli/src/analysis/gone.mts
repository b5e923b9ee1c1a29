// Why the last request with a session lacks something of a message: what `why` of the session says, with the requests of the report.
import { shortened } from './bounds.mjs';
import type { Why } from 'palimpsest';
import type { GoneData } from '../types.mjs';

/** Maximum length of a mark, which may quote what it stands for, in UTF-16 code units. */
const MARK_LENGTH = 300;

/** What a session knows of requests that are in the report. */
export interface Gone {
  /** by message */
  gone: Map<number, GoneData>;
  /** number of the first request that is known; absent if none is */
  known?: number;
}

/**
 * @param why of messages of the history from `from` on
 * @param numberOf the number in the report of a session's request; undefined for one that is not in it
 */
export function goneIn(why: Why, from: number, numberOf: (request: number) => number | undefined): Gone {
  const last = why.known.at(-1)?.[1] ?? 0;
  /** Of each request of the session the number of the last one in the report up to it, 0 for none. */
  const upTo = [0];
  for (let request = 1; request <= last; request++) upTo.push(numberOf(request) ?? upTo[request - 1]);
  const inReport = (ranges: [number, number][]) =>
    ranges.flatMap(([first, end]): [number, number][] => {
      const start = numberOf(first) ?? upTo[first] + 1;
      return start <= upTo[end] ? [[start, upTo[end]]] : [];
    });
  const gone: Gone['gone'] = new Map();
  /** The message that a mark was first told of. */
  const marks: Map<string, number> = new Map();
  for (const { message, requests, gone: own, back = [] } of why.said) {
    const index = from + message;
    const had = inReport(requests);
    if (own === undefined) {
      gone.set(index, { how: 'whole', had, back: [] });
      continue;
    }
    const { how, epoch, because } = own;
    const request = own.request === undefined ? undefined : numberOf(own.request);
    const mark = own.mark === undefined ? undefined : shortened(own.mark, MARK_LENGTH);
    const same = mark === undefined ? undefined : marks.get(mark);
    if (mark !== undefined && same === undefined) marks.set(mark, index);
    gone.set(index, {
      how,
      had,
      ...(request !== undefined && { request, ...(epoch !== undefined && { epoch }) }),
      ...(because !== undefined && { because }),
      ...(mark !== undefined && (same === undefined ? { mark } : { markOf: same })),
      back: back.map(({ by, text }) => (by === 'keep' ? text : by)),
    });
  }
  const [known] = inReport(why.known);
  return { gone, ...(known && { known: known[0] }) };
}
