import { Misuse, Problem } from '../errors.mjs';
import { oneOf, readInputs } from '../input.mjs';
import { progress } from '../progress.mjs';
import { checked, FORMAT, library, MODEL, requestParts, SESSION } from './verbs.mjs';
import { defineCommand } from './index.mjs';

export const command = defineCommand({
  name: 'count',
  summary: 'Counts the tokens of messages',
  usage: '[FILE…]',
  positionals: Number.POSITIVE_INFINITY,
  notes: [
    'A file holds messages in JSON or JSONL, a request to a provider, or the transcript of a coding agent. Without a file, or for -, standard input is read.',
    'Files that cannot be read are named and left out; the exit code is then 1.',
  ],
  options: {
    format: FORMAT,
    model: MODEL,
    session: SESSION,
    json: { type: 'boolean', text: 'one JSON object a file: file, conversations, messages, tokens' },
  },
  examples: [
    ['palimpsest count conversation.json', 'tokens and messages of a file'],
    ['palimpsest count --model claude-opus-5 ~/.claude/projects/*/*.jsonl', 'all sessions of Claude Code'],
    ['curl -s localhost:8080/history | palimpsest count', 'of what another program writes'],
  ],
  async run({ values, positionals, io }) {
    const { countTokens } = await library();
    const files = positionals.length > 0 ? positionals : ['-'];
    let total = 0;
    let failed = 0;
    const shown = progress(io, { what: 'counting', files: files.length, quiet: values.quiet });
    for (const file of files) {
      shown.step({}, file);
      try {
        const inputs = await readInputs(file, io, { onBytes: (bytes) => shown.step({ bytes }) });
        const rows = (values.session === undefined ? inputs : [oneOf(inputs, values.session)]).map((input) => {
          const { messages, format, options } = requestParts(input, values.format);
          return {
            messages: messages.length,
            tokens: checked(input, () => countTokens(messages, { ...options, format, model: values.model })),
          };
        });
        const tokens = rows.reduce((sum, row) => sum + row.tokens, 0);
        const messages = rows.reduce((sum, row) => sum + row.messages, 0);
        total += tokens;
        const [{ name }] = inputs;
        shown.clear();
        if (values.json) io.stdout.write(`${JSON.stringify({ file: name, conversations: rows.length, messages, tokens })}\n`);
        else io.stdout.write(`${String(tokens).padStart(10)} tokens ${String(messages).padStart(6)} messages  ${name}\n`);
      } catch (error) {
        shown.clear();
        if (files.length === 1 || !(error instanceof Problem || error instanceof Misuse)) throw error;
        failed++;
        io.stderr.write(`palimpsest: ${error.message}\n`);
      }
      shown.step({ files: 1 });
    }
    shown.end();
    if (files.length > 1 && !values.json) io.stdout.write(`${String(total).padStart(10)} tokens in ${files.length - failed} files\n`);
    if (failed > 0 && !values.quiet) io.stderr.write(`palimpsest: ${failed} of ${files.length} files could not be read\n`);
    return failed > 0 ? 1 : 0;
  },
});
