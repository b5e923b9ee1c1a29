import type { WholeFormat } from '../providers/request.js';

/** What is read of a request. */
interface Request {
  tools?: unknown;
  model?: unknown;
  background?: unknown;
  config?: { tools?: unknown } | null;
  [member: string]: unknown;
}

/** Types of tools that the client runs, as it does those without a type, and of the search among tools, which does nothing else. */
const CLIENTS = /^(?:function|custom|local_shell|shell|apply_patch|computer\w*|bash_\d+|text_editor_\d+|memory_\d+|tool_search\w*)$/;

/** What may be named of a tool: its type, as providers write them. */
const TYPE = /^[\w.:-]{1,60}$/;

/** Whether a member asks for something. */
const asks = (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value));

/**
 * Members with which a provider, or a gateway before it, runs tools: OpenAI's search, OpenRouter's plugins, the searches of xAI and of DashScope, and
 * Cohere's connectors.
 */
const RUN_BY: [name: string, isOn: (value: unknown) => boolean][] = [
  ['mcp_servers', asks],
  ['web_search_options', asks],
  ['plugins', asks],
  ['search_parameters', (value) => asks(value) && (value as { mode?: unknown }).mode !== 'off'],
  ['enable_search', asks],
  ['connectors', asks],
];

/** Names of models with which OpenRouter searches. */
const ONLINE = /:online\b/;

/** What the provider runs for a request; undefined if nothing. */
function hostedIn(format: WholeFormat, request: Request): string | undefined {
  const { tools, config, model } = request;
  const member = RUN_BY.find(([name, isOn]) => isOn(request[name]));
  if (member) return member[0];
  if (typeof model === 'string' && ONLINE.test(model)) return ':online';
  const declared = tools ?? config?.tools ?? [];
  if (!Array.isArray(declared)) return 'tools';
  // Gemini's tools have a member each; an SDK's own tool is an object with functions.
  const types = declared.flatMap((tool: { type?: string | null } | null) =>
    format === 'gemini'
      ? Object.keys(tool ?? {}).filter((name) => !/^function_?declarations$/i.test(name))
      : tool?.type === undefined || tool.type === null || CLIENTS.test(tool.type)
        ? []
        : [String(tool.type)],
  );
  return types.find((type) => TYPE.test(type)) ?? (types.length > 0 ? 'tools' : undefined);
}

/**
 * Why a request may not be sent again, since that would do something beside answering: the provider runs tools for it, which may write or cost, or
 * answers it later. In words without content.
 *
 * @returns undefined if it may
 */
export function effectOf(format: WholeFormat, given: object): string | undefined {
  const request = given as Request;
  if (request.background) return 'it is answered in the background';
  const hosted = hostedIn(format, request);
  return hosted === undefined ? undefined : `the provider runs tools for it (${hosted})`;
}
