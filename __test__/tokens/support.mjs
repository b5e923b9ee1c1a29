import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { get_encoding } from 'tiktoken';

const corpus = join(dirname(fileURLToPath(import.meta.url)), '../../../shared/corpus');

export const ENCODINGS = ['o200k_base', 'cl100k_base'];
/** OpenAI's own counts. `encode_ordinary` takes the text of special tokens for text. */
const encodings = new Map(ENCODINGS.map((name) => [name, get_encoding(name)]));
export const expectedCount = (text, name) => encodings.get(name).encode_ordinary(text).length;

/** Why a test of the corpus has to be skipped; `false` where it hasn't. */
export const withoutCorpus = existsSync(corpus) ? false : `the corpus is not at ${corpus}`;

/** Every string in the files of a folder of the corpus. */
export function* corpusTexts(folder) {
  for (const name of readdirSync(join(corpus, folder))) yield* strings(JSON.parse(readFileSync(join(corpus, folder, name), 'utf8')));
}

/** Every string in a value. */
export function* strings(value) {
  if (typeof value === 'string') yield value;
  else if (value !== null && typeof value === 'object') for (const inner of Object.values(value)) yield* strings(inner);
}
