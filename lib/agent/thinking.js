// @ts-check
'use strict';

/** @import { Foreign, Format, Part } from '../types.d.ts' */

const { getIn } = require('../formats/copy.js');

// Signed thinking (`signed` in lib/types.d.ts) is bound to all that stands before it: where that was changed, models
// with preserved thinking refuse the request or drop the block. Every verb that edits asks here.

/** @typedef {{ part: Part, remove: true, rule: 'strippedThinking' }} Stripped */

/**
 * The first part that may be edited: with `strip` and `leave` the very first; with `keep` the one behind the last signed thinking
 * and what the model said and called then: without that, the thinking would have to go itself.
 *
 * @param {readonly Part[]} parts
 * @param {'keep' | 'strip' | 'leave' | null} [thinking] default `keep`
 * @returns {number} its index
 */
function firstEditable(parts, thinking) {
  if (thinking === 'strip' || thinking === 'leave') return 0;
  const last = parts.findLastIndex(({ signed }) => signed);
  if (last < 0) return 0;
  const next = parts.findIndex(({ role }, index) => index > last && role !== 'assistant');
  return next < 0 ? parts.length : next;
}

/**
 * The signed thinking that edits made invalid, as edits that take it out: all that stands behind the first of them. A message
 * keeps all of its thinking or none, because providers refuse the latest one when only some of it is gone.
 *
 * @param {readonly Part[]} parts
 * @param {readonly { part: Part }[]} edits of these parts, all that are made
 * @returns {Stripped[]}
 */
function strippedBy(parts, edits) {
  const edited = new Set(edits.map(({ part }) => part));
  const first = parts.findIndex((part) => edited.has(part));
  const invalid = first < 0 ? undefined : parts.find(({ signed }, index) => signed && index > first);
  return invalid === undefined ? [] : strippedFrom(parts, invalid.message);
}

/**
 * All signed thinking of a message and those behind it, as edits that take it out. What stands before stays valid.
 *
 * @param {readonly Part[]} parts
 * @param {number} message its index
 * @returns {Stripped[]}
 */
function strippedFrom(parts, message) {
  const signed = parts.filter((part) => part.signed && part.message >= message);
  return signed.map((part) => ({ part, remove: true, rule: 'strippedThinking' }));
}

/**
 * With `leave`, thinking goes only with what it led to. Where that takes some of a message's thinking, the rest of it goes too, because
 * providers refuse the latest message when only some of its thinking is gone.
 *
 * @param {Format} format
 * @param {readonly Foreign[]} messages
 * @param {readonly Part[]} parts those of the messages
 * @param {readonly { part: Part, remove?: boolean }[]} edits of these parts, all that are made
 * @returns {Stripped[]}
 */
function strippedWith(format, messages, parts, edits) {
  const removed = new Map();
  for (const { part, remove } of edits) {
    if (!remove) continue;
    if (!removed.has(part.message)) removed.set(part.message, []);
    removed.get(part.message).push(part);
  }
  if (removed.size === 0) return [];
  return stepsOf(parts).flatMap((step) => {
    const index = step[0].message;
    const signed = step.filter((part) => part.signed);
    if (signed.length < 2 || !removed.has(index)) return [];
    const left = format.without(messages[index], removed.get(index));
    if (left === undefined) return [];
    const staying = new Set(
      format
        .read([left])
        .filter((part) => part.signed)
        .map(({ path }) => getIn(left, path)),
    );
    const rest = signed.filter(({ path }) => staying.has(getIn(messages[index], path)));
    return rest.length === signed.length ? [] : rest.map((part) => ({ part, remove: true, rule: 'strippedThinking' }));
  });
}

/** The parts message by message; a `UIMessage` holds several steps, each of which is a message to the model. */
function stepsOf(parts) {
  const steps = [];
  parts.forEach((part, index) => {
    if (part.message === parts[index - 1]?.message && !isStep(part)) steps.at(-1).push(part);
    else steps.push([part]);
  });
  return steps;
}

const isStep = ({ locked }) => locked === 'step';

/**
 * The message with the signed thinking of the turn whose calls are being answered: the last of the model with calls, behind which there
 * are only results of these. Models that think by a fixed budget want that thinking back.
 *
 * @param {readonly Part[]} parts
 * @returns {number | undefined} its index; undefined where no turn is open, or nothing in it is signed
 */
function openThinking(parts) {
  const call = parts.findLastIndex(({ kind }) => kind === 'call');
  if (call < 0) return undefined;
  const isOfTurn = (part) => !isStep(part) && (part.role === 'assistant' || part.message === parts[call].message);
  let first = call;
  while (first > 0 && isOfTurn(parts[first - 1])) first--;
  let next = call + 1;
  while (next < parts.length && parts[next].role === 'assistant' && isOfTurn(parts[next])) next++;
  if (parts.slice(next).some((part) => !(Number(part.call) >= first))) return undefined;
  return parts.slice(first, next).find(({ signed }) => signed)?.message;
}

module.exports = { firstEditable, openThinking, strippedBy, strippedFrom, strippedWith };
