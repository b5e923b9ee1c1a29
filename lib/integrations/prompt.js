// @ts-check
'use strict';

/** @import { Foreign } from '../types.d.ts' */

/**
 * Returns system messages of the AI SDK with a note at their end; itself if it is there.
 *
 * @param {Foreign[]} messages
 * @param {string} note
 */
function systemWith(messages, note) {
  const last = messages.at(-1);
  if (last === undefined) return [{ role: 'system', content: note }];
  if (last.content.endsWith(note)) return messages;
  return messages.with(-1, { ...last, content: `${last.content}\n\n${note}` });
}

/**
 * Returns the prompt of a language model of the AI SDK with a note at the end of the system messages that it begins with.
 *
 * @param {Foreign[]} prompt of any version of the interface
 * @param {string | undefined} note
 */
function promptWith(prompt, note) {
  if (note === undefined) return prompt;
  const found = prompt.findIndex(({ role }) => role !== 'system');
  const end = found < 0 ? prompt.length : found;
  return [...systemWith(prompt.slice(0, end), note), ...prompt.slice(end)];
}

module.exports = { promptWith, systemWith };
