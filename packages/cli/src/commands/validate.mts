import { plain } from '../terminal.mjs';
import { counted } from '../transcripts/values.mjs';
import { checked, FILE_NOTE, FORMAT, inputOf, library, requestParts, SESSION, tell } from './verbs.mjs';
import { defineCommand } from './index.mjs';

export const command = defineCommand({
  name: 'validate',
  summary: 'Finds what a provider would refuse in a conversation',
  usage: '[FILE]',
  positionals: 1,
  notes: [FILE_NOTE, 'The exit code is 1 if there are problems.'],
  options: {
    format: FORMAT,
    session: SESSION,
    json: { type: 'boolean', text: 'one JSON array of { rule, path, message }' },
  },
  examples: [
    ['palimpsest validate request.json', 'a line a problem: file, place, rule, reason'],
    ['palimpsest validate --json chat.jsonl | jq .[].rule', 'the rules that are broken'],
  ],
  async run(invocation) {
    const { values, io } = invocation;
    const { validate } = await library();
    const { input, shown } = await inputOf(invocation, 'validating');
    const { messages, format } = requestParts(input, values.format);
    const problems = checked(input, () => validate(messages, { format }));
    shown.end();
    if (values.json) io.stdout.write(`${JSON.stringify(problems)}\n`);
    else for (const { rule, path, message } of problems) io.stdout.write(`${input.name}: ${path}: ${rule}: ${plain(message)}\n`);
    const found = problems.length === 0 ? 'no problems' : counted(problems.length, 'problem');
    tell(io, values, `${found} in ${counted(messages.length, 'message')}`);
    return problems.length === 0 ? 0 : 1;
  },
});
