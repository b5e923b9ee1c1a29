// @ts-check
'use strict';

/** @import { Foreign } from '../../types.d.ts' */

const { isObject } = require('../../checks.js');
const { FOREIGN } = require('./part-types.js');

const MEDIA = new Set(['image_url', 'input_audio', 'file', 'video_url']);
/** Part types that only other formats have. */
const OTHERS = new Set(['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'document', ...FOREIGN]);

/** @param {Foreign} message */
function recognises(message) {
  const { role, content } = message;
  if (typeof role !== 'string' || (typeof message.id === 'string' && typeof message.index === 'number')) return 'no';
  if (Array.isArray(message.parts) || message.toolInvocations !== undefined || message.type !== undefined) return 'no';
  if (Array.isArray(message.tool_calls) || isObject(message.function_call)) return 'yes';
  if (typeof message.tool_call_id === 'string' || role === 'function') return 'yes';
  /** @type {'yes' | 'maybe'} */
  let answer = hasReasoning(message) ? 'yes' : 'maybe';
  if (!Array.isArray(content)) return content == null || typeof content === 'string' ? answer : 'no';
  for (const part of content.slice(0, 32)) {
    const type = part?.type;
    if (typeof type !== 'string' || OTHERS.has(type)) return 'no';
    if (type === 'file' ? !isObject(part.file) : type === 'image') return 'no';
    if (MEDIA.has(type) || type === 'refusal') answer = 'yes';
  }
  return answer;
}

/**
 * Whether there is reasoning where only APIs that are compatible with chat completions put it.
 *
 * @param {Foreign} message
 */
function hasReasoning({ reasoning_content: content, reasoning_details: details, thinking_blocks: blocks }) {
  return (content ?? details ?? blocks ?? undefined) !== undefined;
}

module.exports = { recognises, MEDIA };
