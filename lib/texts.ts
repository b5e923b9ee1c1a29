import native from './native.js';
import { pace } from './steps.js';
import type { Steps } from './steps.js';
import type { CopiedTexts } from '../binding';

/** UTF-16 code units that are copied in one step, unless a single text is longer. */
const UNITS_PER_STEP = 128 * 1024;
/** UTF-16 code units whose copying takes as long as what each text takes beside its units. */
const UNITS_PER_TEXT = 64;

/** Texts for the engine: the strings themselves, or copies that were made in steps, because another thread can't read JavaScript's. */
export function* givenTexts(texts: string[]): Steps<string[] | CopiedTexts> {
  return pace.mayPause ? yield* copying(texts) : texts;
}

function* copying(texts: readonly string[]) {
  const lengths = new Uint32Array(texts.length);
  for (let index = 0; index < texts.length; index++) lengths[index] = texts[index].length;
  const copies = new native.CopiedTexts();
  for (let start = 0; start < texts.length; ) {
    if (pace.isDue) yield;
    let end = start;
    for (let units = 0; end < texts.length && units < UNITS_PER_STEP; end++) units += lengths[end] + UNITS_PER_TEXT;
    copies.push(texts.slice(start, end), lengths.subarray(start, end));
    start = end;
  }
  return copies;
}

/** A text as messages may have it: as it is, and as a string of JSON has it, as in the arguments of a call. */
export const formsOf = (text: string) => [text, JSON.stringify(text).slice(1, -1)];
