// Writes crates/tokens/vocabularies/*.bin, the vocabularies of the exact tokenizers, from those of the dev dependency `tiktoken`.
// `--check` only tests whether the files are current. They contain, compressed as a raw DEFLATE stream:
//   the length of each token in bytes (one byte each), by rank
//   the tokens themselves, by length and then by rank
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);

/** Returns the tokens by rank. Each line of `bpe_ranks` is `! <first rank> <token in base64> …`. */
function tokensOf({ bpe_ranks }) {
  const tokens = [];
  for (const line of bpe_ranks.split('\n').filter(Boolean)) {
    const [, first, ...encoded] = line.split(' ');
    if (Number(first) !== tokens.length) throw new Error(`ranks are missing before ${first}`);
    for (const token of encoded) tokens.push(Buffer.from(token, 'base64'));
  }
  return tokens;
}

function pack(tokens) {
  const byLength = [];
  for (const token of tokens) {
    byLength[token.length] ??= [];
    byLength[token.length].push(token);
  }
  return Buffer.concat([Buffer.from(tokens.map(({ length }) => length)), ...byLength.filter(Boolean).flat()]);
}

for (const name of ['o200k_base', 'cl100k_base']) {
  const packed = pack(tokensOf(require(`tiktoken/encoders/${name}.json`)));
  const file = join(root, 'crates/tokens/vocabularies', `${name}.bin`);
  if (!process.argv.includes('--check')) writeFileSync(file, deflateRawSync(packed, { level: 9, memLevel: 9 }));
  else if (!existsSync(file) || !inflateRawSync(readFileSync(file)).equals(packed)) {
    console.error(`${name}.bin is not current: run \`node scripts/vocabularies.mjs\``);
    process.exitCode = 1;
  }
}
