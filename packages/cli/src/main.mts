import { readFileSync } from 'node:fs';
import { helpOf, meant, overview, readArguments } from './arguments.mjs';
import { COMMANDS } from './commands/index.mjs';
import { Misuse, Problem } from './errors.mjs';
import type { Io, Options, Values } from './commands/index.mjs';

const { version: VERSION, dependencies }: { version: string; dependencies: Record<string, string> } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);

const isSystemError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'code' in error && 'syscall' in error;

/** What to do about a package that is not there, or a library without its engine, which is no bug of the program; undefined for another error. */
function installHint(error: unknown) {
  const { code = '', message = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if (code === 'ERR_PALIMPSEST_LOAD') return message;
  const [, missing] = (/MODULE_NOT_FOUND$/.test(code) && /^Cannot find (?:module|package) '([^']+)'/.exec(message)) || [];
  const name = missing && Object.keys(dependencies).find((one) => missing === one || missing.startsWith(`${one}/`));
  return (
    name && `the package ${name} is not installed: in a clone, run \`npm ci && npm run build\`; elsewhere, install @palimpsest/cli again`
  );
}

/** Describes an error in one line. Anything that is neither of the user nor of the system is a bug: its stack is shown with PALIMPSEST_DEBUG. */
function describe(error: unknown, env: NodeJS.ProcessEnv) {
  if (!(error instanceof Error)) return String(error);
  if (env.PALIMPSEST_DEBUG) return error.stack ?? error.message;
  return error.message.split('\n', 1)[0];
}

async function dispatch(argv: string[], io: Io): Promise<number> {
  const [name, ...rest] = argv;
  if (name === '--version' || name === '-v') {
    io.stdout.write(`${VERSION}\n`);
    return 0;
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const asked = name === 'help' ? rest[0] : undefined;
    if (asked !== undefined) return dispatch([asked, '--help'], io);
    (name === undefined ? io.stderr : io.stdout).write(await overview(io));
    return name === undefined ? 2 : 0;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) {
    const near = meant(name, Object.keys(COMMANDS)) || '; `palimpsest --help` lists them';
    throw new Misuse(`there is no command ${JSON.stringify(name)}${near}`);
  }
  const { command } = await load();
  const { values, positionals } = readArguments(command, rest);
  if (values.help) {
    io.stdout.write(helpOf(command, io));
    return 0;
  }
  return (await command.run({ values: values as Values<Options>, positionals, io })) ?? 0;
}

/**
 * Runs a command line.
 *
 * @param argv arguments after the program's name
 * @returns the exit code: 0, 1 for problems with the data, 2 for a wrong command line
 */
export async function run(argv: string[], io: Io): Promise<number> {
  // A reader that has seen enough closes the pipe, as `head` does. That is no error.
  let closed = false;
  for (const stream of [io.stdout, io.stderr]) {
    stream.on('error', (error) => {
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') closed = true;
      else throw error;
    });
  }
  try {
    return await dispatch(argv, io);
  } catch (error) {
    if (closed || (isSystemError(error) && error.code === 'EPIPE')) return 0;
    const hint = installHint(error);
    if (hint) {
      io.stderr.write(`palimpsest: ${hint}\n`);
      return 1;
    }
    const isMisuse = error instanceof Misuse;
    const prefix = error instanceof Problem || isMisuse || isSystemError(error) ? '' : 'internal error: ';
    io.stderr.write(`palimpsest: ${prefix}${describe(error, io.env)}\n`);
    return isMisuse ? 2 : 1;
  }
}
