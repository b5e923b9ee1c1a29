import { parseArgs } from 'node:util';
import { LIMIT, Misuse, plain, readTokens } from '@palimpsest/cli';

export const HELP = `An MCP server on standard input and output: recall, why and context over a conversation, and pin for a session.

Usage: palimpsest-mcp [FILE] [OPTIONS]

FILE is the transcript of a coding agent, or messages in JSON or JSONL. Without it, each question is about the newest transcript
of the agent that asks, in the folder in which it started the server.

Options:
  --session ID         conversation of a FILE with several, by its id or number; with --store, id of the session there
  --store sqlite:PATH  store of the session that sends this conversation: answers are about its requests, and pin is offered.
                       It holds no messages: those are in FILE
  --limit TOKENS       with --store: limit of the session, such as 64k. Default ${LIMIT / 1000}k
  --model NAME         with --store: model of the session, which gives the tokenizer
  --help, --version

Examples:
  claude mcp add palimpsest -- npx -y @palimpsest/mcp
  codex mcp add palimpsest -- npx -y @palimpsest/mcp
  palimpsest-mcp history.json --store sqlite:conversations.db --session "conversation 7" --limit 64k
`;

/** What the server was started with. */
export interface Given {
  /** as it was written */
  file: string | undefined;
  session: string | undefined;
  store: { path: string; limit: number; model: string | undefined } | undefined;
}

const SCHEME = 'sqlite:';

/**
 * Reads the command line.
 *
 * @throws {Misuse}
 */
export function readGiven(argv: string[]): Given | 'help' | 'version' {
  const { values, positionals } = parsed(argv);
  if (values.help) return 'help';
  if (values.version) return 'version';
  for (const [name, value] of [...Object.entries(values), ...positionals.map((value) => ['FILE', value] as const)])
    if (value === '') throw new Misuse(`${name === 'FILE' ? name : `--${name}`} is empty; leave it out, or give a value`);
  if (positionals.length > 1) throw new Misuse(`takes one FILE, got ${positionals.length}; start a server for each`);
  const { store, session, limit, model } = values;
  if (store === undefined) {
    for (const [name, value] of Object.entries({ limit, model }))
      if (value !== undefined) throw new Misuse(`--${name} is that of a session: give its --store and --session, too`);
    return { file: positionals[0], session, store };
  }
  if (!store.startsWith(SCHEME) || store.length === SCHEME.length)
    throw new Misuse(`--store must be sqlite:PATH, such as sqlite:conversations.db, got ${JSON.stringify(plain(store))}`);
  if (session === undefined) throw new Misuse('--store needs --session ID: the id that createSession was given');
  const tokens = limit === undefined ? LIMIT : readTokens('--limit', limit);
  return { file: positionals[0], session, store: { path: store.slice(SCHEME.length), limit: tokens, model } };
}

function parsed(argv: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: { store: text, session: text, limit: text, model: text, help: { ...flag, short: 'h' }, version: { ...flag, short: 'v' } },
    });
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!code.startsWith('ERR_PARSE_ARGS')) throw error;
    throw new Misuse(`${plain(message.split(/[.\n]/, 1)[0])}; --help shows the options`);
  }
}
