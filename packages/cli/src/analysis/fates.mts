// What a session's request has of each message: a session returns the caller's own objects where nothing was cut, and says nothing of the rest.
import { readMessages } from './parts.mjs';
import type { MessageFormat } from '../types.mjs';
import type { Part } from './parts.mjs';

type Fate = { fate: 'kept' | 'cut' | 'gone'; after?: string };

/** Minimum length of a line that tells messages apart. */
const MIN_LINE = 4;
/** A line of a mark: `[… 12 lines]`. */
const MARK = /^\s*\[…/;

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim().length >= MIN_LINE && !MARK.test(line));

/** Maximum number of messages that a line is looked up in, and of messages that one text is joined from: they bound the time. */
const MAX_MESSAGES = 16;

/** Places where a result or a call of this id, or a line of a text, stands. */
const signsOf = ({ label, callId, text }: Part) => (callId === undefined ? linesOf(text) : [`${label} ${callId}`]);

/**
 * Finds the messages of a gap between two that are sent as they are, of which parts are sent.
 *
 * @param parts of the gap's messages
 * @param sent parts between the two
 * @returns by index in the gap, what was left
 */
function survivors(parts: Part[][], sent: Part[]): Map<number, string[]> {
  const bySign: Map<string, number[]> = new Map();
  parts.forEach((list, index) => {
    for (const sign of new Set(list.flatMap(signsOf))) {
      const messages = bySign.get(sign);
      if (messages === undefined) bySign.set(sign, [index]);
      else if (messages.length < MAX_MESSAGES) messages.push(index);
    }
  });
  const left: Map<number, string[]> = new Map();
  const keep = (index: number, text: string) => {
    const texts = left.get(index);
    if (texts) texts.push(text);
    else left.set(index, [text]);
  };
  let last = 0;
  for (const part of sent) {
    let signs = signsOf(part);
    // Texts of messages that were joined come from several of them, in order.
    for (let joined = 0; joined < MAX_MESSAGES; joined++) {
      const votes: Map<number, number> = new Map();
      for (const sign of signs)
        for (const index of bySign.get(sign) ?? []) if (index >= last) votes.set(index, (votes.get(index) ?? 0) + 1);
      let best = -1;
      for (const [index, count] of votes)
        if (best === -1 || count > (votes.get(best) ?? 0) || (count === votes.get(best) && index < best)) best = index;
      if (best === -1) break;
      const rest = signs.filter((sign) => !bySign.get(sign)?.includes(best));
      keep(best, part.text);
      last = best;
      if (rest.length === signs.length || part.callId !== undefined) break;
      signs = rest;
    }
  }
  return left;
}

/**
 * Compares the history with the last request that a session made of it.
 *
 * @param messages the history
 * @param parts of its messages
 * @param sent the request, which holds the same objects, copies of others, and marks
 * @returns of each message
 */
export function fatesOf(messages: object[], parts: Part[][], sent: object[], format: MessageFormat): Fate[] {
  const places: Map<object, number> = new Map(messages.map((message, index) => [message, index]));
  const fates: Fate[] = messages.map(() => ({ fate: 'gone' }));
  let from = 0;
  let between: Part[] = [];
  const close = (to: number) => {
    if (between.length > 0 && to > from) {
      for (const [index, texts] of survivors(parts.slice(from, to), between))
        fates[from + index] = { fate: 'cut', after: texts.join('\n') };
    }
    between = [];
  };
  for (const message of sent) {
    const place = places.get(message);
    if (place === undefined) {
      between.push(...readMessages([message], format)[0].parts);
      continue;
    }
    close(place);
    fates[place] = { fate: 'kept' };
    from = place + 1;
  }
  close(messages.length);
  return fates;
}
