import { grouped } from '../transcripts/values.mjs';
import { FILE_NOTE } from './verbs.mjs';
import { PLAYED, played } from './played.mjs';
import { defineCommand } from './index.mjs';
import type { SessionContext } from 'palimpsest';

/** A table of what a request is made of. */
function tableOf({ request, tokens, limit, free, parts }: SessionContext) {
  const rows = parts.map((part) => [
    part.kind,
    grouped(part.tokens),
    `${(100 * part.share).toFixed(1)} %`,
    part.messages === 0 ? '' : String(part.messages),
    part.age === undefined ? '' : String(part.age),
    grouped(part.cost),
  ]);
  const all = [['kind', 'tokens', 'share', 'messages', 'age', 'cost'], ...rows, ['free', grouped(free), '', '', '', '']];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
      .join('  ')
      .trimEnd(),
  );
  return [`request ${request}: ${grouped(tokens)} of ${grouped(limit)} tokens`, ...lines].join('\n');
}

export const command = defineCommand({
  name: 'context',
  summary: 'Shows what the last request of a session is made of: tools, instructions, rules, files in work, older results, marks',
  usage: '[FILE]',
  positionals: 1,
  notes: [
    FILE_NOTE,
    'The requests are played as a session within --limit would have sent them. Age counts requests since the oldest of a kind came; cost is in tokens at the price of uncached input.',
  ],
  options: { ...PLAYED, json: { type: 'boolean', text: 'writes it as one JSON object' } },
  examples: [
    ['palimpsest context session.jsonl --limit 100k', 'a table with a row for each kind'],
    ['palimpsest context --json session.jsonl | jq .free', 'the tokens that are left'],
  ],
  async run(invocation) {
    const { values, io } = invocation;
    const { session } = await played(invocation);
    const context = session.context() as SessionContext;
    io.stdout.write(`${values.json ? JSON.stringify(context) : tableOf(context)}\n`);
    return 0;
  },
});
