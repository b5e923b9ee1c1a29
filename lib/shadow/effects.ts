import type { Foreign } from '../types.js';
import type { WholeFormat } from '../providers/request.js';

/** Types of tools that the client runs, as it does those without a type, and of the search among tools, which does nothing else. */
const CLIENTS = /^(?:function|custom|local_shell|shell|apply_patch|computer\w*|bash_\d+|text_editor_\d+|memory_\d+|tool_search\w*)$/;

/**
 * Returns whether a request may be sent again without doing anything but answering: not if the provider runs tools for it, which may write or
 * cost, or answers it later.
 */
export function isRepeatable(format: WholeFormat, request: Foreign): boolean {
  const { tools, mcp_servers: servers, background, web_search_options: search, config } = request;
  if (servers?.length > 0 || background || search) return false;
  const declared = tools ?? config?.tools ?? [];
  if (!Array.isArray(declared)) return false;
  // Gemini's tools have a member each; an SDK's own tool is an object with functions.
  if (format === 'gemini') return declared.every((tool) => Object.keys(tool ?? {}).every((name) => /^function_?declarations$/i.test(name)));
  return declared.every((tool) => tool?.type === undefined || tool.type === null || CLIENTS.test(tool.type));
}
