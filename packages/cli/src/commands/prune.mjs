// @ts-check
import { checked, INPUT_NOTE, inputOf, library, requestParts, SMALLER, THINKING, writeSmaller } from './verbs.mjs';

/** @type {import('./index.mjs').Command} */
export const command = {
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
    const result = checked(input, () => prune(messages, { format, mode: values.mode, thinking: values.thinking }));
    shown.end();
    await writeSmaller(invocation, input, {
      messages: result.messages,
      originals: result.originals,
      more: { format: result.format, report: result.report },
      summary: String(result.report),
    });
  },
};
