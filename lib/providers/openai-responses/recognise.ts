import { isAgUiSource } from '../shared/part-types.js';
import type { Foreign, Role } from '../../types.js';

// Items of the Responses API and of OpenAI's Agents SDK, which differ in names alone.

export const ROLES = new Map(Object.entries({ system: 'system', developer: 'system', user: 'user', assistant: 'assistant' })) as Map<
  unknown,
  Role
>;
/** Types of parts that hold media. The last two are the Agents SDK's. */
export const MEDIA = new Set(['input_image', 'input_file', 'input_audio', 'computer_screenshot', 'audio', 'image']);

/** Endings of the item types of built-in tools. */
const BUILT_IN = /_(call|output|list_tools|approval_request|approval_response)$/;
/** Items of built-in tools that both have. */
const SHARED = new Set([
  'function_call',
  'computer_call',
  'shell_call',
  'shell_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
  'tool_search_call',
  'tool_search_output',
  'program_output',
]);
const AGENTS_ITEMS = new Set(['function_call_result', 'hosted_tool_call', 'computer_call_result', 'unknown']);
const AGENTS_PARTS = new Set(['audio', 'image']);
const RESPONSES_PARTS = new Set(['input_audio', 'text']);
/** Keys that only one of them has, in items and in the parts of messages. */
const AGENTS_KEYS = ['callId', 'providerData', 'promptCacheBreakpoint', 'image', 'file', 'rawContent'];
const RESPONSES_KEYS = ['annotations', 'logprobs', 'image_url', 'file_id', 'file_data', 'file_url', 'prompt_cache_breakpoint', 'summary'];
/** Number of parts of a message that detection looks at. */
const MAX_PARTS = 32;

export const isMessage = ({ type }: Foreign) => type === undefined || type === 'message';

/** Returns which of the two wrote an item; undefined if it reads the same in both. */
function dialectOf(item: Foreign): 'agents' | 'responses' | undefined {
  if (AGENTS_KEYS.some((key) => key in item)) return 'agents';
  if (isMessage(item)) return item.role === 'developer' ? 'responses' : dialectOfParts(item.content);
  const { type } = item;
  if (AGENTS_ITEMS.has(type)) return 'agents';
  if (type === 'reasoning' && Array.isArray(item.content) && !('summary' in item)) return 'agents';
  // The SDK writes the id of a search as the API does.
  if (SHARED.has(type)) return 'call_id' in item && !type.startsWith('tool_search') ? 'responses' : undefined;
  const isOfApi = BUILT_IN.test(type) || type === 'item_reference' || type === 'additional_tools' || 'call_id' in item || 'summary' in item;
  return isOfApi ? 'responses' : undefined;
}

function dialectOfParts(content: Foreign) {
  if (!Array.isArray(content)) return undefined;
  for (const part of content.slice(0, MAX_PARTS)) {
    if (part === null || typeof part !== 'object') continue;
    if (AGENTS_PARTS.has(part.type) || AGENTS_KEYS.some((key) => key in part)) return 'agents';
    if (RESPONSES_PARTS.has(part.type) || RESPONSES_KEYS.some((key) => key in part)) return 'responses';
  }
  return undefined;
}

/** Returns whether an item is of a dialect. */
export function recognises(item: Foreign, own: 'agents' | 'responses'): 'yes' | 'maybe' | 'no' {
  const { type, role, content } = item;
  if (typeof item.getType === 'function' || typeof item._getType === 'function' || 'parts' in item) return 'no';
  if (typeof item.id === 'string' && typeof item.index === 'number') return 'no';
  if (!isMessage(item)) {
    if (typeof type !== 'string' || (role !== undefined && type !== 'additional_tools')) return 'no';
    return answer(dialectOf(item), own);
  }
  if (!ROLES.has(role) || 'stop_reason' in item || item.tool_calls || item.toolInvocations) return 'no';
  let isItem = type === 'message';
  if (typeof content !== 'string') {
    if (!Array.isArray(content)) return 'no';
    for (const part of content.slice(0, MAX_PARTS)) {
      if (isAgUiSource(part?.source)) return 'no';
      if (isOwnPart(part)) isItem = true;
      else if (type !== 'message' && part?.type !== 'refusal') return 'no';
    }
  }
  const dialect = dialectOf(item);
  // A message without anything of an item's is of other formats too.
  return isItem || dialect === 'agents' ? answer(dialect, own) : 'maybe';
}

/** Whether no other format has such a part: images without an underscore are the AI SDK's, and Anthropic's. */
const isOwnPart = (part: Foreign) =>
  (MEDIA.has(part?.type) && part.type !== 'image') || part?.type === 'input_text' || part?.type === 'output_text';

function answer(dialect: string | undefined, own: string) {
  if (dialect === undefined) return 'maybe';
  return dialect === own ? 'yes' : 'no';
}
