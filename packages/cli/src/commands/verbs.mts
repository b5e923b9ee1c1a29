// What the commands over one conversation share.
import { basename, dirname, extname, join } from 'node:path';
import { Misuse, Problem } from '../errors.mjs';
import { oneOf, readInputs } from '../input.mjs';
import { arrayText, isFileOrNew, messagesText, objectText, Parts, writeOutput } from '../output.mjs';
import { progress } from '../progress.mjs';
import { plain } from '../terminal.mjs';
import { counted } from '../transcripts/values.mjs';
import type { CountTokensOptions, Format } from 'palimpsest';
import type { Input } from '../input.mjs';
import type { Invocation, Io, Option, Options } from './index.mjs';

/** Formats of messages. All of the library's: without one of them it does not compile. */
const KNOWN: Record<Format, true> = {
  'openai-chat': true,
  'openai-responses': true,
  'openai-agents': true,
  anthropic: true,
  'ai-sdk-model': true,
  'ai-sdk-ui': true,
  gemini: true,
  langchain: true,
  mastra: true,
  'ag-ui': true,
  message: true,
};
const FORMATS = Object.keys(KNOWN) as Format[];

export const FORMAT = {
  type: 'string',
  value: 'NAME',
  choices: FORMATS,
  text: `format of the messages: ${FORMATS.join(', ')}. Default: detected`,
} as const satisfies Option;
export const MODEL = {
  type: 'string',
  value: 'NAME',
  text: 'model, such as gpt-5.5 or claude-opus-5, which gives the tokenizer',
} as const satisfies Option;
export const SESSION = {
  type: 'string',
  value: 'ID',
  text: 'conversation of a file with several, by its id or number',
} as const satisfies Option;

export const OUTPUT = {
  type: 'string',
  short: 'o',
  value: 'FILE',
  isFile: true,
  text: 'writes there instead of to standard output',
} as const satisfies Option;
export const THINKING = {
  type: 'string',
  choices: ['keep', 'strip', 'leave'],
  text: 'signed thinking: keep it and edit nothing before it (default), strip it where needed, or leave it after edits',
} as const satisfies Option;
export const ROLES = {
  type: 'string',
  choices: ['alternate', 'any'],
  text: "whether messages of the user and the assistant alternate, as many chat templates want it. Default: alternate for Mistral's models",
} as const satisfies Option;
/** Options of commands that take something out. */
export const SMALLER = {
  originals: {
    type: 'string',
    value: 'FILE',
    isFile: true,
    text: 'writes what was taken out there, for restore. Default with -o small.json: small.originals.json',
  },
  output: OUTPUT,
  json: { type: 'boolean', text: 'writes the whole result as one JSON object: messages, originals, counts. restore takes it' },
  format: FORMAT,
  session: SESSION,
} as const satisfies Options;
export const FILE_NOTE =
  'FILE holds messages in JSON or JSONL, a request to a provider, or the transcript of a coding agent; without it, or with -, standard input is read.';
export const INPUT_NOTE = `${FILE_NOTE} Messages are written as they came: an array, JSONL, or the request with other messages.`;

/** The library, loaded when a command runs: the help needs none. */
export const library = (): Promise<typeof import('palimpsest')> => import('palimpsest');

/** Where errors of the library name an option, the command line has another name. */
const OPTION_NAMES = [
  [/options\.limit\b/g, '--limit'],
  [/options\.tokenBudget\b/g, '--limit'],
  [/options\.format\b/g, '--format'],
  [/options\.model\b/g, '--model'],
] as const;

/** Runs a function of the library. Its errors about the messages are problems with the data, those about options a wrong use. */
export function checked<T>(input: Pick<Input, 'name'>, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    let message = error.message.split('\n', 1)[0].replace(/^\w+\(\): /, '');
    const isOption = /\boptions\b/.test(message) && !/^messages\b/.test(message);
    for (const [pattern, name] of OPTION_NAMES) message = message.replace(pattern, name);
    throw isOption ? new Misuse(message) : new Problem(`${input.name}: ${message}`);
  }
}

/** Where a request has instructions, by the key of its messages. */
const INSTRUCTIONS = { messages: ['system'], input: ['instructions'], contents: ['systemInstruction', 'system_instruction'] };

/**
 * Returns the messages of an input, and what counts beside them.
 *
 * @param given format of the command line
 */
export function requestParts({ messages, object, key, transcript, format }: Input, given?: Format) {
  const system = object && key ? INSTRUCTIONS[key].map((name) => object[name]).find((value) => value !== undefined) : transcript?.system;
  return {
    messages,
    format: given ?? format ?? ('auto' as const),
    options: { ...(system !== undefined && { system }), ...(object?.tools && { tools: object.tools }) } as Pick<
      CountTokensOptions,
      'system' | 'tools'
    >,
  };
}

/**
 * Reads an input with progress.
 *
 * @param verb what follows, such as `fitting`
 */
export async function inputOf({ values, positionals, io }: Invocation<{ session: typeof SESSION }>, verb: string) {
  const shown = progress(io, { what: 'reading', quiet: values.quiet });
  const inputs = await readInputs(positionals[0], io, {
    onSize: (bytes) => shown.expect({ bytes }),
    onBytes: (bytes) => shown.step({ bytes }),
  }).finally(shown.clear);
  const input = oneOf(inputs, values.session);
  const left = (input.transcript?.messages.length ?? 0) - input.messages.length;
  if (input.transcript && left > 0) tell(io, values, `${counted(left, 'message')} from before the agent's own compaction left out`);
  shown.phase(verb);
  return { input, shown };
}

/** The file beside the output that restore looks for: `small.originals.json` beside `small.json`. */
export const originalsBeside = (file: string) => join(dirname(file), `${basename(file, extname(file))}.originals.json`);

/** Writes a line on standard error, unless it shall be quiet. */
export const tell = (io: Io, { quiet }: { quiet?: true | undefined }, line: string) => {
  if (!quiet) io.stderr.write(`palimpsest: ${plain(line)}\n`);
};

export function* withNewline(parts: Iterable<string>) {
  yield* parts;
  yield '\n';
}

/** What is left of a conversation, and what was taken out. */
interface Smaller {
  messages: object[];
  format: Format | 'auto';
  originals: object;
  /** other members for `--json` */
  more: Record<string, unknown>;
  summary: string;
}

/** Writes a smaller conversation, and what was taken out of it. */
export async function writeSmaller(
  { values, io }: Invocation<typeof SMALLER>,
  input: Input,
  { messages, format, originals, more, summary }: Smaller,
) {
  const { output, json } = values;
  const isFile = output !== undefined && output !== '-' && (await isFileOrNew(output, io));
  const kept = values.originals ?? (isFile && !json ? originalsBeside(output) : undefined);
  if (kept !== undefined && (kept === output || kept === '-')) throw new Misuse('--originals must be another file than the output');
  const originalsText = () => objectText(Object.entries(originals));
  // First, so that there are never messages without their originals.
  if (kept !== undefined) await writeOutput(kept, io, withNewline(originalsText()));
  const text = json
    ? objectText([['messages', new Parts(arrayText(messages))], ['originals', new Parts(originalsText())], ...Object.entries(more)])
    : messagesText(input, messages);
  await writeOutput(output, io, json ? withNewline(text) : text);
  const isLost = kept === undefined && !json && Object.keys(originals).length > 0;
  const gone = values.quiet ? '' : (await import('./taken-out.mjs')).takenOut(input.messages, messages, format);
  tell(
    io,
    values,
    `${summary}${gone}${kept !== undefined ? `; originals in ${kept}` : isLost ? '; originals not kept: --originals FILE or --json does' : ''}`,
  );
}
