import { counted } from '../transcripts/values.mjs';
import { checked, INPUT_NOTE, inputOf, library, requestParts, SMALLER, THINKING, writeSmaller } from './verbs.mjs';
import { defineCommand } from './index.mjs';
import type { Format, PruneReport } from 'palimpsest';

const KINDS = [
  ['staleReads', 'stale read'],
  ['staleEdits', 'stale edit'],
  ['staleCommands', 'stale command'],
  ['failedCommands', 'failed command'],
] as const;

const othersOf = ({ others }: PruneReport) => Object.values(others).reduce((sum, count) => sum + count, 0);

const isEmpty = (report: PruneReport) => KINDS.every(([key]) => report[key] === 0) && othersOf(report) + report.strippedThinking === 0;

/**
 * Says what stays only because signed thinking follows it.
 *
 * @param stripped the same without that thinking
 */
function heldBack(kept: PruneReport, stripped: PruneReport) {
  const more = [...KINDS.map(([key, noun]) => [stripped[key] - kept[key], noun]), [othersOf(stripped) - othersOf(kept), 'other']];
  const words = more.flatMap(([count, noun]) => (Number(count) > 0 ? [counted(Number(count), String(noun))] : []));
  return words.length === 0 ? '' : `; before signed thinking stay ${words.join(', ')}: --thinking strip`;
}

export const command = defineCommand({
  name: 'prune',
  summary: 'Takes out what later messages made useless: stale reads, repeated commands, failed attempts',
  usage: '[FILE]',
  positionals: 1,
  notes: [INPUT_NOTE],
  options: {
    mode: {
      type: 'string',
      choices: ['stub', 'remove'],
      text: 'leaves a short text in the place of a result (default), or removes calls with their results',
    },
    thinking: THINKING,
    ...SMALLER,
  },
  examples: [
    ['palimpsest prune session.jsonl -o pruned.json', 'the messages of a transcript without what is stale'],
    ['palimpsest prune --json request.json | palimpsest restore', 'there and back'],
  ],
  async run(invocation) {
    const { values } = invocation;
    const { prune } = await library();
    const { input, shown } = await inputOf(invocation, 'pruning');
    const { messages, format } = requestParts(input, values.format);
    const pruned = (thinking: 'keep' | 'strip' | 'leave' | undefined) =>
      checked(input, () => prune(messages, { format, mode: values.mode, thinking }));
    const result = pruned(values.thinking);
    const isHeld = values.thinking === undefined || values.thinking === 'keep';
    const held = isHeld && !values.quiet ? heldBack(result.report, pruned('strip').report) : '';
    const isNothing = held === '' && isEmpty(result.report);
    shown.end();
    await writeSmaller(invocation, input, {
      messages: result.messages,
      format: result.format as Format,
      originals: result.originals,
      more: { format: result.format, report: result.report },
      summary: `${result.report}${isNothing ? '; nothing in it is stale, repeated or failed' : held}`,
    });
  },
});
