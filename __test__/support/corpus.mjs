// The real conversations, where they lie beside the project.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../../shared/corpus/plain/', import.meta.url);
const skip = existsSync(folder) ? false : 'the corpus of real conversations is not here';

/** All conversations, each a list of messages; `skip` says why there is none. */
export const corpus = {
  skip,
  get conversations() {
    const files = skip ? [] : readdirSync(folder);
    return files.flatMap((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')).map(({ messages }) => messages));
  },
};
