// The MCP server: the tools, and how their answers and errors are sent.
import { CLIENT_INFO_META_KEY, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { Problem } from '@palimpsest/cli';
import { createSession, pinTool, recallTool } from 'palimpsest';
import { contextOf, recalled, whyOf } from './answers.mjs';
import type { ServerContext } from '@modelcontextprotocol/server';
import type { Transcript } from '@palimpsest/cli';
import type { Session } from 'palimpsest';
import type { Asked, Recalled } from './answers.mjs';
import type { Source } from './source.mjs';
import type { Stored } from './stored.mjs';

/** Maximum tokens of an answer that may be asked for: what is looked up must not fill the context that it is for. */
const MAX_TOKENS = 20_000;

const INSTRUCTIONS =
  'This conversation as it was written, also what a compaction took out of the context. Before you guess or ask again: `recall` what was said; `why` ' +
  'says where a text was said and why it is missing; `context` says what fills the context.';
const PINS = ' `pin` keeps a text in every request from the next one on.';
const NO_PINS = ' Nothing can be pinned: a transcript has no session that chooses the requests.';

const DESCRIPTIONS = {
  recall:
    'Looks up what was said in this conversation. Give `query`: a question, or specific words, names or paths; what stands in double quotes has to ' +
    'occur as it is. Or give `from` and `to`: numbers of messages.',
  why: 'Says where something was said in this conversation, which requests had it, why the last one lacks it, and what brings it back. Give `text`, word for word, or `message`.',
  context: 'Says what the context holds: tokens by kind, such as results of tools, files in work and rules.',
};

const { parameters } = recallTool(createSession({ limit: 1 }));
const { from, to, query } = parameters.properties;
const RECALL = {
  ...parameters,
  properties: {
    query,
    from: { ...from, minimum: 0 },
    to: { ...to, minimum: 0 },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_TOKENS,
      description: 'Maximum tokens of the answer; default: 500, or 1,000 for numbers',
    },
  },
};
const WHY = {
  type: 'object',
  properties: {
    text: { type: 'string', description: 'What was said' },
    message: { type: 'integer', minimum: 0, description: 'Number of a message, in place of the text' },
  },
  additionalProperties: false,
} as const;
const NONE = { type: 'object', properties: {}, additionalProperties: false } as const;

const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });

/** Sends an answer, or what is wrong and what to do. A bug is told without what messages say. */
async function answering(work: () => Promise<string>) {
  try {
    return text(await work());
  } catch (error) {
    const isOfLibrary = error instanceof TypeError || error instanceof RangeError;
    const { message, name } = error as Error;
    if (error instanceof Problem) return { ...text(message), isError: true };
    return { ...text(isOfLibrary ? message.split('\n', 1)[0] : `internal error: ${name}`), isError: true };
  }
}

/** Name that the asking program gave itself: with each request since 2026, and as the connection was opened before. */
const clientOf = (server: McpServer, { mcpReq: { envelope = {} } }: ServerContext) =>
  (envelope as { [CLIENT_INFO_META_KEY]?: { name?: string } })[CLIENT_INFO_META_KEY]?.name ?? server.server.getClientVersion()?.name;

/** @param stored the session, with which `pin` is offered */
export function createServer(version: string, source: Source, stored: Stored | undefined) {
  const instructions = INSTRUCTIONS + (stored === undefined ? NO_PINS : PINS);
  const server = new McpServer({ name: 'palimpsest', version }, { instructions });
  const annotations = { readOnlyHint: true, openWorldHint: false };
  /** Answers a call from the conversation as it is now. */
  const from =
    <Input,>(answer: (transcript: Transcript, session: Session | undefined, input: Input) => string) =>
    (input: Input, context: ServerContext) =>
      answering(async () => answer(await source.read(clientOf(server, context)), await stored?.session(), input));
  const { recall, why, context } = DESCRIPTIONS;
  server.registerTool('recall', { description: recall, inputSchema: fromJsonSchema<Recalled>(RECALL), annotations }, from(recalled));
  server.registerTool('why', { description: why, inputSchema: fromJsonSchema<Asked>(WHY), annotations }, from(whyOf));
  server.registerTool('context', { description: context, inputSchema: fromJsonSchema<object>(NONE), annotations }, from(contextOf));
  if (stored !== undefined) {
    const { description, parameters: schema } = pinTool(createSession({ limit: 1 }));
    server.registerTool(
      'pin',
      {
        description,
        inputSchema: fromJsonSchema<Parameters<ReturnType<typeof pinTool>['execute']>[0]>(schema),
        annotations: { destructiveHint: false, openWorldHint: false },
      },
      (input) => answering(() => stored.change((session) => pinTool(session).execute(input))),
    );
  }
  return server;
}
