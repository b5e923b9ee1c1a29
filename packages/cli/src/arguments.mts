// Options of all commands: how they are read, and how the help shows them.
import { parseArgs } from 'node:util';
import { COMMANDS } from './commands/index.mjs';
import { Misuse } from './errors.mjs';
import { cells, coloursOf, widthOf, wrap } from './terminal.mjs';
import type { Command, Given, Io, Option } from './commands/index.mjs';

/** Options of every command. */
const COMMON: Record<string, Option> = {
  quiet: { type: 'boolean', short: 'q', text: 'no progress and no summary on standard error' },
  help: { type: 'boolean', short: 'h', text: 'this help' },
};

export const optionsOf = (command: Command): Record<string, Option> => ({ ...command.options, ...COMMON });

const MULTIPLES = { '': 1, k: 1e3, m: 1e6 };

/**
 * Reads a count of tokens such as `100000`, `100k`, `1.5M`.
 *
 * @param name of the option, for the error
 */
export function readTokens(name: string, text: string) {
  const [, number, suffix] = /^(\d+(?:\.\d+)?|\.\d+)\s*([km]?)$/i.exec(text.replaceAll('_', '')) ?? [];
  const count = Number(number) * MULTIPLES[(suffix ?? '').toLowerCase() as 'k'];
  if (number === undefined || !Number.isSafeInteger(Math.round(count)))
    throw new Misuse(`${name} must be a number of tokens such as 100000 or 100k, got ${JSON.stringify(text)}`);
  return Math.round(count);
}

/** Reads a share such as `2%` or `0.02`. */
function readShare(name: string, text: string) {
  const [, number, percent] = /^(\d+(?:\.\d+)?|\.\d+)\s*(%?)$/.exec(text) ?? [];
  const share = Number(number) / (percent ? 100 : 1);
  if (number === undefined || !(share > 0 && share <= 1))
    throw new Misuse(`${name} must be a share such as 2% or 0.02, got ${JSON.stringify(text)}`);
  return share;
}

function parsedValue(name: string, option: Option, text: string) {
  if (option.type === 'tokens') return readTokens(name, text);
  if (option.type === 'share') return readShare(name, text);
  if (option.type === 'count') {
    if (!/^\d{1,9}$/.test(text)) throw new Misuse(`${name} must be an integer from 0, got ${JSON.stringify(text)}`);
    return Number(text);
  }
  if (option.choices && !option.choices.includes(text))
    throw new Misuse(`${name} must be one of ${option.choices.join(', ')}, got ${JSON.stringify(text)}`);
  return text;
}

/** Number of single edits between two names (Levenshtein 1966). */
function distance(a: string, b: string) {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) next.push(Math.min(row[j + 1] + 1, next[j] + 1, row[j] + (letter === other ? 0 : 1)));
    row = next;
  }
  return row[b.length];
}

/** The name that was probably meant, as the end of an error. */
export function meant(name: string, names: readonly string[]) {
  const [nearest] = names.map((other) => ({ other, far: distance(name, other) })).sort((a, b) => a.far - b.far);
  return nearest && nearest.far <= 2 && name.length <= 40 ? `; did you mean ${nearest.other}?` : '';
}

/**
 * Reads the arguments of a command.
 *
 * @throws {Misuse}
 */
export function readArguments(command: Command, args: string[]): { values: Given; positionals: string[] } {
  const options = optionsOf(command);
  const { tokens } = parseArgs({
    args,
    options: Object.fromEntries(
      Object.entries(options).map(([name, { type, short }]) => [
        name,
        { type: (type === 'boolean' ? 'boolean' : 'string') as 'boolean' | 'string', ...(short && { short }) },
      ]),
    ),
    strict: false,
    tokens: true,
  });
  const values: Given = {};
  const positionals = [];
  const hint = `\`palimpsest ${command.name} --help\` shows the options`;
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined) {
      const near = meant(
        rawName,
        Object.keys(options).map((known) => `--${known}`),
      );
      throw new Misuse(`${command.name} has no option ${rawName}${near || `; ${hint}`}`);
    }
    if (option.type === 'boolean') {
      if (value !== undefined) throw new Misuse(`${rawName} takes no value`);
      values[name] = true;
      continue;
    }
    // `-o --json` is a forgotten value; a value that starts with a dash is written `--output=-x`.
    if (value === undefined || (!token.inlineValue && value.length > 1 && value.startsWith('-')))
      throw new Misuse(`${rawName} needs a value: ${rawName} ${option.value ?? 'VALUE'}`);
    if (Object.hasOwn(values, name)) throw new Misuse(`${rawName} is given twice`);
    values[name] = parsedValue(rawName, option, value);
  }
  if (positionals.length > command.positionals && !values.help)
    throw new Misuse(
      `${command.name} takes ${command.positionals === 0 ? 'no file' : `at most ${command.positionals} file${command.positionals === 1 ? '' : 's'}`}, got ${positionals.length}`,
    );
  return { values, positionals };
}

function signature(name: string, { short, type, value, choices }: Option) {
  const given = type === 'boolean' ? '' : ` ${value ?? choices?.join('|') ?? 'VALUE'}`;
  return `  ${short ? `-${short}, ` : '    '}--${name}${given}`;
}

/** Two columns: names, and what they mean. */
function table(rows: [string, string][], width: number) {
  const left = Math.min(34, Math.max(...rows.map(([name]) => cells(name))));
  return rows.map(([name, text]) => {
    const indent = ' '.repeat(left + 2);
    const first = cells(name) > left ? `${name}\n${indent}` : name.padEnd(left + 2);
    return first + wrap(text, width - left - 2).replaceAll('\n', `\n${indent}`);
  });
}

export function helpOf(command: Command, io: Io): string {
  const { bold, dim } = coloursOf(io.stdout, io.env);
  const width = widthOf(io.stdout, io.env);
  const options = Object.entries(optionsOf(command));
  const usage = `palimpsest ${command.name}${command.usage ? ` ${command.usage}` : ''} [OPTIONS]`;
  return [
    wrap(`${command.summary}.`, width),
    '',
    `${bold('Usage:')} ${usage}`,
    ...(command.notes ?? []).flatMap((note) => ['', wrap(note, width)]),
    '',
    bold('Options:'),
    ...table(
      options.map(([name, option]) => [signature(name, option), option.text]),
      width,
    ),
    '',
    bold('Examples:'),
    ...command.examples.flatMap(([line, meaning]) => [`  ${line}`, dim(`      ${wrap(meaning, width - 6).replaceAll('\n', '\n      ')}`)]),
    '',
  ].join('\n');
}

/** The help without a command. */
export async function overview(io: Io): Promise<string> {
  const { bold } = coloursOf(io.stdout, io.env);
  const width = widthOf(io.stdout, io.env);
  const commands = await Promise.all(Object.values(COMMANDS).map(async (load) => (await load()).command));
  return [
    wrap('Shows what is in the sessions of coding agents, and makes message histories small.', width),
    '',
    `${bold('Usage:')} palimpsest COMMAND [OPTIONS]`,
    '',
    bold('Commands:'),
    ...table(
      commands.map(({ name, summary }) => [`  ${name}`, summary]),
      width,
    ),
    '',
    wrap('`palimpsest COMMAND --help` shows the options and examples of a command, `palimpsest --version` the version.', width),
    '',
    wrap('Exit codes: 0, 1 if there are problems with the data, 2 for a wrong command line. NO_COLOR turns colours off.', width),
    '',
  ].join('\n');
}
