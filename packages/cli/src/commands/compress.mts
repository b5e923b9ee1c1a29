import { checked, INPUT_NOTE, inputOf, library, requestParts, SMALLER, writeSmaller } from './verbs.mjs';
import { defineCommand } from './index.mjs';

export const command = defineCommand({
  name: 'compress',
  summary: 'Shortens the prose of older messages, each where it stands',
  usage: '[FILE]',
  positionals: 1,
  notes: [INPUT_NOTE, 'No message is removed. To get below a number of tokens for certain, use fit.'],
  options: {
    limit: {
      type: 'tokens',
      short: 'l',
      value: 'TOKENS',
      text: 'compresses no more than this needs, by an estimate of the texts alone. Default: all but the last messages',
    },
    ...SMALLER,
  },
  examples: [
    ['palimpsest compress chat.json -o short.json', 'also writes short.originals.json'],
    ['palimpsest compress chat.jsonl | palimpsest count', 'tokens afterwards'],
  ],
  async run(invocation) {
    const { values } = invocation;
    const { compress } = await library();
    const { input, shown } = await inputOf(invocation, 'compressing');
    const { messages, format } = requestParts(input, values.format);
    const result = checked(input, () => compress(messages, { format, ...(values.limit !== undefined && { tokenBudget: values.limit }) }));
    shown.end();
    const { compression, fits, tokenCount } = result;
    const { original_version: _, ...statistics } = compression;
    await writeSmaller(invocation, input, {
      messages: result.messages,
      format,
      originals: result.verbatim,
      more: { fits, tokenCount, compression: statistics },
      summary: `${compression.messages_compressed} of ${messages.length} messages compressed, ${compression.ratio.toFixed(2)} times shorter`,
    });
    return fits === false ? 1 : 0;
  },
});
