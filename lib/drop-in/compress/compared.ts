// What the measures of a result are computed from.

import { MESSAGE_COLUMN, MESSAGE_FLAG, OUTPUT_COLUMN, SENTINEL, STATISTIC } from '../../generated/layout.js';
import native from '../../native.js';

export type Gathered = ReturnType<typeof import('./gather.js').gatherMessages>;

/** What the measures of a result compare: strings and numbers rather than messages, which the caller may change. */
export interface Compared {
  /** the texts as they were given */
  input: string[];
  /** the messages as the engine read them, some perhaps trimmed */
  gathered: Gathered;
  /** of the engine's outcome */
  numbers: Float64Array;
  /** the texts that it wrote */
  written: string[];
}

/** Returns a column of the rows of outputs. */
function outputs(numbers: Float64Array, column: number) {
  const count = numbers[STATISTIC.OUTPUTS];
  return Array.from({ length: count }, (_, place) => numbers[STATISTIC.COUNT + place * OUTPUT_COLUMN.COUNT + column]);
}

/** Returns the texts of the result. */
export function outputOf({ gathered, numbers, written }: Compared) {
  if (numbers[STATISTIC.OUTPUTS] === SENTINEL.NONE) return gathered.texts;
  const starts = outputs(numbers, OUTPUT_COLUMN.START);
  return outputs(numbers, OUTPUT_COLUMN.TEXT).map((text, place) => (text === 0 ? gathered.texts[starts[place]] : written[text - 1]));
}

/** Returns for each given message whether the result has its id. */
function hasId({ input, gathered: { ids, columns }, numbers }: Compared) {
  const [ends, flags] = [MESSAGE_COLUMN.ID_END, MESSAGE_COLUMN.FLAGS].map((place) => columns.subarray(place * input.length));
  // An id that is no string differs from its text.
  const key = (index: number) =>
    (flags[index] & MESSAGE_FLAG.STRING_ID ? "'" : '') + ids.slice(index === 0 ? 0 : ends[index - 1], ends[index]);
  const present = new Set(outputs(numbers, OUTPUT_COLUMN.START).map(key));
  return input.map((_, index) => present.has(key(index)));
}

const rounded = (value: number) => Math.round(1000 * value) / 1000;

export const factsOf = (input: string[], output: string[]) => rounded(native.factRetention(input, output));

export const QUALITY = ['entity_retention', 'structural_integrity', 'reference_coherence', 'quality_score'];

export function qualityOf(compared: Compared): Record<string, number> {
  const values = native.computeQuality(compared.input, hasId(compared), outputOf(compared));
  return Object.fromEntries(QUALITY.map((name, place) => [name, rounded(values[place])]));
}
