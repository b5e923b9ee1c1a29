import { describe } from '../../checks.js';
import type { Fields } from './shapes.js';

/** Values of `role` and `type` that formats have: these say what a message is, and nothing of what stands in it. */
const WORDS = new Set(
  (
    'system developer user assistant tool function model human ai ' +
    'text input_text output_text image image_url input_image file input_file document audio input_audio ' +
    'message tool_use tool_result server_tool_use thinking redacted_thinking reasoning refusal function_call function_call_output ' +
    'function_call_result hosted_tool_call ' +
    'custom_tool_call custom_tool_call_output item_reference compaction tool-call tool-result step-start dynamic-tool'
  ).split(' '),
);
const MOST_KEYS = 8;

/**
 * Describes a value in one line by its members and their kinds: `{ role: 'user', content: [{ type: 'text', text: string }, … 2 more] }`. What
 * a message says is not in it.
 */
export function shapeOf(value: unknown, levels: number = 2): string {
  if (value === null || typeof value !== 'object') return describe(value);
  try {
    return Array.isArray(value) ? arrayShape(value, levels) : objectShape(value, levels);
  } catch {
    // A getter or a Proxy of the caller.
    return describe(value);
  }
}

function arrayShape(list: readonly unknown[], levels: number) {
  if (list.length === 0) return '[]';
  if (levels === 0) return '[…]';
  return `[${shapeOf(list[0], levels - 1)}${list.length > 1 ? `, … ${list.length - 1} more` : ''}]`;
}

function objectShape(value: object, levels: number) {
  const keys = Object.keys(value);
  if (keys.length === 0) return '{}';
  if (levels === 0) return '{…}';
  const shown = keys.slice(0, MOST_KEYS).map((key) => `${nameOf(key)}: ${memberShape(key, (value as Fields)[key], levels - 1)}`);
  return `{ ${[...shown, ...(keys.length > MOST_KEYS ? ['…'] : [])].join(', ')} }`;
}

/** A name that is written without quotes says what a member is; any other may be content. */
const nameOf = (key: string) => (/^[A-Za-z_$][\w$]{0,39}$/.test(key) ? key : '"…"');

const memberShape = (key: string, value: unknown, levels: number | undefined) =>
  key === 'role' || key === 'type' ? wordOf(value) : shapeOf(value, levels);

/** Shows a role or type that formats have, and names the kind of any other value. */
export const wordOf = (value: unknown) => (typeof value === 'string' && WORDS.has(value) ? `'${value}'` : describe(value));
