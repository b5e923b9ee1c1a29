/** What is read of a request. */
interface Request {
  tools?: unknown;
  mcp_servers?: unknown[] | null;
  background?: unknown;
  web_search_options?: unknown;
  config?: { tools?: unknown } | null;
}
import type { WholeFormat } from '../providers/request.js';

/** Types of tools that the client runs, as it does those without a type, and of the search among tools, which does nothing else. */
const CLIENTS = /^(?:function|custom|local_shell|shell|apply_patch|computer\w*|bash_\d+|text_editor_\d+|memory_\d+|tool_search\w*)$/;

/**
 * Returns whether a request may be sent again without doing anything but answering: not if the provider runs tools for it, which may write or
 * cost, or answers it later.
 */
export function isRepeatable(format: WholeFormat, request: Request): boolean {
  const { tools, mcp_servers: servers, background, web_search_options: search, config } = request;
  if ((servers?.length ?? 0) > 0 || background || search) return false;
  const declared = tools ?? config?.tools ?? [];
  if (!Array.isArray(declared)) return false;
  // Gemini's tools have a member each; an SDK's own tool is an object with functions.
  if (format === 'gemini')
    return declared.every((tool: object | null) => Object.keys(tool ?? {}).every((name) => /^function_?declarations$/i.test(name)));
  return declared.every(
    (tool: { type?: string | null } | null) => tool?.type === undefined || tool.type === null || CLIENTS.test(tool.type),
  );
}
