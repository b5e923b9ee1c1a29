// @ts-check
// Options of all commands: how they are read, and how the help shows them.
import { parseArgs } from 'node:util';
import { COMMANDS } from './commands/index.mjs';
import { Misuse } from './errors.mjs';
import { cells, coloursOf, widthOf, wrap } from './terminal.mjs';

/** @typedef {import('./commands/index.mjs').Command} Command */
/** @typedef {import('./commands/index.mjs').Option} Option */
/** @typedef {import('./commands/index.mjs').Io} Io */

/** Options of every command. @type {Record<string, Option>} */
const COMMON = {
  quiet: { type: 'boolean', short: 'q', text: 'no progress and no summary on standard error' },
  help: { type: 'boolean', short: 'h', text: 'this help' },
};

/** @param {Command} command @returns {Record<string, Option>} */
export const optionsOf = (command) => ({ ...command.options, ...COMMON });

const MULTIPLES = { '': 1, k: 1e3, m: 1e6 };

/**
 * Reads a count of tokens such as `100000`, `100k`, `1.5M`.
 *
 * @param {string} name of the option, for the error
 * @param {string} text
 */
export function readTokens(name, text) {
  const [, number, suffix] = /^(\d+(?:\.\d+)?|\.\d+)\s*([km]?)$/i.exec(text.replaceAll('_', '')) ?? [];
  const count = Number(number) * MULTIPLES[/** @type {'k'} */ ((suffix ?? '').toLowerCase())];
  if (number === undefined || !Number.isSafeInteger(Math.round(count)))
    throw new Misuse(`${name} must be a number of tokens such as 100000 or 100k, got ${JSON.stringify(text)}`);
  return Math.round(count);
}

/** Reads a share such as `2%` or `0.02`. @param {string} name @param {string} text */
function readShare(name, text) {
  const [, number, percent] = /^(\d+(?:\.\d+)?|\.\d+)\s*(%?)$/.exec(text) ?? [];
  const share = Number(number) / (percent ? 100 : 1);
  if (number === undefined || !(share > 0 && share <= 1))
    throw new Misuse(`${name} must be a share such as 2% or 0.02, got ${JSON.stringify(text)}`);
  return share;
}

/** @param {string} name @param {Option} option @param {string} text */
function parsedValue(name, option, text) {
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

/** Number of single edits between two names (Levenshtein 1966). @param {string} a @param {string} b */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) next.push(Math.min(row[j + 1] + 1, next[j] + 1, row[j] + (letter === other ? 0 : 1)));
    row = next;
  }
  return row[b.length];
}

/** The name that was probably meant, as the end of an error. @param {string} name @param {readonly string[]} names */
export function meant(name, names) {
  const [nearest] = names.map((other) => ({ other, far: distance(name, other) })).sort((a, b) => a.far - b.far);
  return nearest && nearest.far <= 2 && name.length <= 40 ? `; did you mean ${nearest.other}?` : '';
}

/**
 * Reads the arguments of a command.
 *
 * @param {Command} command
 * @param {string[]} args
 * @returns {{ values: Record<string, any>, positionals: string[] }}
 * @throws {Misuse}
 */
export function readArguments(command, args) {
  const options = optionsOf(command);
  const { tokens } = parseArgs({
    args,
    options: Object.fromEntries(
      Object.entries(options).map(([name, { type, short }]) => [
        name,
        { type: /** @type {'boolean' | 'string'} */ (type === 'boolean' ? 'boolean' : 'string'), ...(short && { short }) },
      ]),
    ),
    strict: false,
    tokens: true,
  });
  /** @type {Record<string, any>} */
  const values = {};
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

/** @param {string} name @param {Option} option */
function signature(name, { short, type, value, choices }) {
  const given = type === 'boolean' ? '' : ` ${value ?? choices?.join('|') ?? 'VALUE'}`;
  return `  ${short ? `-${short}, ` : '    '}--${name}${given}`;
}

/** Two columns: names, and what they mean. @param {[string, string][]} rows @param {number} width */
function table(rows, width) {
  const left = Math.min(34, Math.max(...rows.map(([name]) => cells(name))));
  return rows.map(([name, text]) => {
    const indent = ' '.repeat(left + 2);
    const first = cells(name) > left ? `${name}\n${indent}` : name.padEnd(left + 2);
    return first + wrap(text, width - left - 2).replaceAll('\n', `\n${indent}`);
  });
}

/** @param {Command} command @param {Io} io @returns {string} */
export function helpOf(command, io) {
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

/** The help without a command. @param {Io} io @returns {Promise<string>} */
export async function overview(io) {
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
