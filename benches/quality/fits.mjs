// Prints a hash of what `fit` keeps of each recorded conversation, for an ablation to tell which results a constant changes at all.
//   node benches/quality/fits.mjs MODULE EVERY FOLDER …
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [module, every, ...folders] = process.argv.slice(2);
const { countTokens, fit } = await import(pathToFileURL(module).href);
const files = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
for (const file of files) {
  const conversations = JSON.parse(readFileSync(file, 'utf8'));
  for (const { messages } of conversations.filter((_, index) => index % Number(every) === 0)) {
    const all = countTokens(messages);
    for (const share of [0.5, 0.25, 0.1]) {
      const fitted = JSON.stringify(fit(messages, { limit: Math.floor(all * share) }).messages);
      console.log(createHash('sha256').update(fitted).digest('hex').slice(0, 12));
    }
  }
}
