'use strict';

/** Reasons that alone keep a text as it is; the others only speak for it. */
const HARD_REASONS = new Set([
  'code_fence',
  'indented_code',
  'latex_math',
  'unicode_math',
  'json_structure',
  'yaml_structure',
  'verse_pattern',
  'high_line_length_variance',
  'high_special_char_ratio',
  'sql_content',
  'api_key',
  'reasoning_chain',
  'base64_content',
  'error_traceback',
  'http_error',
  'failure_signature',
]);

/**
 * What the rules say about a text: `T0` when its wording matters, otherwise `T2` (below 20 words) or `T3`.
 *
 * @param {string} text
 * @returns {{ decision: 'T0' | 'T2' | 'T3', confidence: number, reasons: string[] }} confidence from 0 to 1
 */
function classifyMessage(text) {
  return require('../binding.js').classifyMessage(text);
}

/** Whether a reason of `classifyMessage` is a hard one. */
function isHardReason(reason) {
  return HARD_REASONS.has(reason);
}

module.exports = { classifyMessage, isHardReason };
