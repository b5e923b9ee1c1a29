import { Misuse } from '../errors.mjs';
import { checked, INPUT_NOTE, inputOf, library, MODEL, requestParts, ROLES, SMALLER, THINKING, writeSmaller } from './verbs.mjs';
import { defineCommand } from './index.mjs';
import type { FitOptions, FitResult, Format } from 'palimpsest';

/** Says why nothing went, or nothing more. */
function whyNot({ fits, report }: FitResult<object>) {
  if (!fits) return report.heldByThinking ? ': --thinking strip' : '';
  const { cut, removed } = report.messages;
  return cut + removed === 0 ? '; it fits as it is' : '';
}

export const command = defineCommand({
  name: 'fit',
  summary: 'Makes a conversation fit a number of tokens',
  usage: '[FILE] --limit TOKENS',
  positionals: 1,
  notes: [
    INPUT_NOTE,
    'What the conversation says last, what the user said and what is referred to again stays the longest. The result is a conversation that the provider accepts; restore gives the original back, byte for byte. The exit code is 1 if what has to stay exceeds the limit.',
  ],
  options: {
    limit: {
      type: 'tokens',
      short: 'l',
      value: 'TOKENS',
      text: 'maximum tokens of the result, such as 100k. Default: the window of --model',
    },
    model: MODEL,
    roles: ROLES,
    thinking: {
      ...THINKING,
      text: 'signed thinking: strip it as far as needed (default), keep it and cut nothing before it, or leave it after cuts',
    },
    ...SMALLER,
  },
  examples: [
    [
      'palimpsest fit conversation.json --limit 100k -o small.json',
      'also writes small.originals.json; palimpsest restore small.json gives the original back',
    ],
    ['palimpsest fit request.json --model claude-opus-5 | curl -d @- …', 'a request, fitted to the window of its model'],
    ['palimpsest fit conversation.json -l 20k --json | palimpsest restore', 'there and back in one pipe'],
  ],
  async run(invocation) {
    const { values } = invocation;
    if (values.limit === undefined && values.model === undefined)
      throw new Misuse('fit needs --limit TOKENS, or --model NAME for its window');
    const { fit } = await library();
    const { input, shown } = await inputOf(invocation, 'fitting');
    const { messages, format, options } = requestParts(input, values.format);
    const result = checked(input, () =>
      fit(messages, {
        ...options,
        format,
        limit: values.limit,
        model: values.model,
        roles: values.roles,
        thinking: values.thinking,
      } as FitOptions<object>),
    );
    shown.end();
    const { fits, exact, missing, tokens, report } = result;
    await writeSmaller(invocation, input, {
      messages: result.messages,
      format: result.format as Format,
      originals: result.originals,
      more: { missing, fits, exact, format: result.format, tokens, report },
      summary: `${report.summary}${whyNot(result)}`,
    });
    return fits ? 0 : 1;
  },
});
