import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Misuse, Problem } from '../errors.mjs';
import { messagesText, writeOutput } from '../output.mjs';
import { plain } from '../terminal.mjs';
import { readJson } from '../transcripts/lines.mjs';
import { reasonOf } from '../transcripts/unreadable.mjs';
import { counted, isObject } from '../transcripts/values.mjs';
import { checked, inputOf, library, originalsBeside, OUTPUT, tell } from './verbs.mjs';
import { defineCommand } from './index.mjs';
import type { Io } from './index.mjs';

/** Number of keys that are named. */
const MAX_NAMED = 5;

async function readOriginals(file: string, io: Io) {
  try {
    const originals = await readJson(resolve(io.cwd, file));
    if (isObject(originals)) return originals;
  } catch (error) {
    throw new Problem(`${plain(file)}: ${reasonOf(error)}`);
  }
  throw new Problem(`${plain(file)}: holds no originals`);
}

export const command = defineCommand({
  name: 'restore',
  summary: 'Gives back what fit, prune or compress took out',
  usage: '[FILE]',
  positionals: 1,
  notes: [
    'FILE holds the messages that fit, prune or compress wrote, or their result with --json, which has the originals in it; without it, or with -, standard input is read. Messages may have been appended since.',
    'The exit code is 1 if something could not be put back; everything else is written.',
  ],
  options: {
    originals: {
      type: 'string',
      value: 'FILE',
      isFile: true,
      text: 'the originals. Default for small.json: small.originals.json beside it',
    },
    output: OUTPUT,
  },
  examples: [
    ['palimpsest restore small.json -o whole.json', 'with the originals in small.originals.json'],
    ['palimpsest fit chat.json -l 20k --json | palimpsest restore', 'from the result of another command'],
  ],
  async run(invocation) {
    const { values, positionals, io } = invocation;
    const { restore } = await library();
    const { input, shown } = await inputOf(invocation, 'restoring');
    const isResult = isObject(input.object?.originals) && input.key === 'messages';
    const [file] = positionals;
    let originals = isResult ? input.object?.originals : undefined;
    if (values.originals !== undefined) originals = await readOriginals(values.originals, io);
    else if (originals === undefined) {
      if (file === undefined || file === '-') throw new Misuse('restore needs --originals FILE, or the result of a command with --json');
      const beside = originalsBeside(file);
      const isThere = await access(resolve(io.cwd, beside)).then(
        () => true,
        () => false,
      );
      if (!isThere) throw new Misuse(`restore needs --originals FILE: there is no ${plain(beside)}`);
      originals = await readOriginals(beside, io);
    }
    const { messages, missing, restored, redacted } = checked({ name: 'originals' }, () => restore(input.messages, originals));
    shown.end();
    await writeOutput(values.output, io, messagesText(isResult ? { shape: 'array' } : input, messages));
    tell(
      io,
      values,
      `${counted(restored, 'original')} put back, ${counted(messages.length, 'message')}${redacted ? `; ${redacted.length} without their secrets` : ''}`,
    );
    if (missing.length === 0) return 0;
    const named = missing.slice(0, MAX_NAMED).map(plain).join(', ') + (missing.length > MAX_NAMED ? ', …' : '');
    throw new Problem(`${input.name}: ${missing.length} could not be put back: ${named}`);
  },
});
