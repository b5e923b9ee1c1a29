import { hasMembers } from '../../checks.js';
import type { Fields } from './shapes.js';

// The formats of what stands beside the messages of a request.

/** A `UIMessage` has an id, a `ModelMessage` none. */
const AI_SDK = ['ai-sdk-ui', 'ai-sdk-model'];
/** Tools that Gemini runs itself; these have no name. The REST API takes snake case, too. */
const GEMINI_TOOLS = [
  'functionDeclarations',
  'function_declarations',
  'googleSearch',
  'google_search',
  'googleSearchRetrieval',
  'google_search_retrieval',
  'googleMaps',
  'google_maps',
  'codeExecution',
  'code_execution',
  'urlContext',
  'url_context',
  'computerUse',
  'computer_use',
  'fileSearch',
  'file_search',
  'retrieval',
];
/** Type of a tool that Anthropic defines, as `bash_20250124`. */
const ANTHROPIC_TOOL = /_\d{8}$/;

/** Those of tools, as the caller gave them. */
export function toolFormats(tools: unknown) {
  if (!hasMembers(tools)) return [];
  // The AI SDK's are in an object, by name.
  return Array.isArray(tools) ? firstOf(tools, toolFormat) : AI_SDK;
}

/** The formats of the first item that indicates some. */
function firstOf(items: unknown[], formatsOf: (item: Fields) => readonly string[]) {
  for (const item of items) {
    const formats = hasMembers(item) ? formatsOf(item) : [];
    if (formats.length > 0) return formats;
  }
  return [];
}

function toolFormat(tool: Fields) {
  const { type, name } = tool;
  if (Array.isArray(tool.lc_namespace)) return ['langchain'];
  if (tool.input_schema !== undefined || (typeof type === 'string' && ANTHROPIC_TOOL.test(type)) || type === 'mcp_toolset')
    return ['anthropic'];
  // The Agents SDK's run by themselves, or are hosted.
  if (typeof tool.invoke === 'function' || type === 'hosted_tool') return ['openai-agents'];
  if (typeof type !== 'string') return name === undefined && GEMINI_TOOLS.some((key) => tool[key] !== undefined) ? ['gemini'] : [];
  if (hasMembers(tool.function) || hasMembers(tool.custom)) return ['openai-chat'];
  // The provider's interface of the AI SDK.
  if (tool.inputSchema !== undefined || type === 'provider' || type === 'provider-defined') return ['ai-sdk-model'];
  return ['openai-responses'];
}

/** Those of a system prompt, as the caller gave it. */
export function systemFormats(system: unknown) {
  return Array.isArray(system) ? firstOf(system, systemFormat) : firstOf([system], systemFormat);
}

function systemFormat(value: Fields) {
  if (typeof value.getType === 'function' || typeof value._getType === 'function') return ['langchain'];
  if (Array.isArray(value.parts)) return ['gemini'];
  if (value.content !== undefined) return value.role === 'system' ? ['ai-sdk-model'] : [];
  if (value.type === 'input_text') return ['openai-responses'];
  if (value.type === 'text') return ['anthropic'];
  return value.type === undefined && value.text !== undefined ? ['gemini'] : [];
}
