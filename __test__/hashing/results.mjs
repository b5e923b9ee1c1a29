// Prints what the engine makes of generated conversations: a line for each, with a digest of the results. The hashes inside of
// the engine are other ones in each process; the results may not be.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { compress, fit, prune } from 'palimpsest';
import { analyzeContradictions, analyzeDuplicates, analyzeFuzzyDuplicates } from 'palimpsest/compress';
import { working } from '../prune/working.mjs';
import { Random, randomConversation, randomOptions } from '../support/random.mjs';
import { FORMATS, sayIn } from '../support/transcripts.mjs';

const OPT_IN = {
  fuzzyDedup: true,
  conversationFlow: true,
  semanticClustering: true,
  coreference: true,
  discourseAware: true,
  agentToolPrepass: true,
  importanceScoring: true,
  contradictionDetection: true,
};
/** `fact_retention` is read when it is asked for; the keys of `originals` are made of what stands in them. */
const plain = (result) => JSON.stringify([result, result.compression?.fact_retention]);

function* compressed() {
  for (let seed = 1; seed <= 50; seed++) {
    const random = new Random(seed);
    const messages = randomConversation(random, 40);
    const options = { ...randomOptions(random, messages), recencyWindow: 0 };
    for (const [name, on] of Object.entries({ ...OPT_IN, nothing: false })) {
      yield [`compress ${seed} ${name}`, compress(messages, { ...options, [name]: on })];
    }
    const depth = random.pick(['gentle', 'moderate', 'aggressive', 'auto']);
    const all = { ...OPT_IN, compressionDepth: depth, tokenBudget: 300, tokenizer: 'o200k_base' };
    yield [`compress ${seed} all`, compress(messages, { ...all, budgetStrategy: random.pick(['binary-search', 'tiered']) })];
    const strings = messages.filter(({ content }) => typeof content === 'string');
    yield [
      `analyses ${seed}`,
      [analyzeDuplicates(strings), analyzeFuzzyDuplicates(strings), analyzeContradictions(strings)].map((map) => [...map]),
    ];
  }
}

function* fitted() {
  const session = JSON.parse(readFileSync(new URL('../../examples/agent-session.json', import.meta.url), 'utf8'));
  const drawn = fc
    .sample(working, { numRuns: 12, seed: 7 })
    .flatMap((spoken, number) => FORMATS.map((format) => [`${format} ${number}`, sayIn(format, spoken), format]));
  for (const [name, messages, format] of [...drawn, ['session', session, 'message']]) {
    for (const edits of ['safe', 'last']) yield [`prune ${name} ${edits}`, prune(messages, { format, edits, keep: { recent: 0 } })];
    const { tokens } = prune(messages, { format }).report;
    for (const share of [0.7, 0.4, 0.2]) {
      yield [`fit ${name} ${share}`, fit(messages, { format, limit: Math.ceil(tokens.before * share), keep: { recent: 0 } })];
    }
  }
}

for (const results of [compressed(), fitted()]) {
  for (const [name, result] of results) {
    console.log(`${createHash('sha256').update(plain(result)).digest('base64url').slice(0, 22)} ${name}`);
  }
}
