import { get_encoding } from 'tiktoken';

export const ENCODINGS = ['o200k_base', 'cl100k_base'];
/** OpenAI's own counts. `encode_ordinary` takes the text of special tokens for text. */
const encodings = new Map(ENCODINGS.map((name) => [name, get_encoding(name)]));
export const expectedCount = (text, name) => encodings.get(name).encode_ordinary(text).length;

/** Every string in a value. */
export function* strings(value) {
  if (typeof value === 'string') yield value;
  else if (value !== null && typeof value === 'object') for (const inner of Object.values(value)) yield* strings(inner);
}
