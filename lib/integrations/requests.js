// @ts-check
'use strict';

/** @import { Foreign } from '../types.d.ts' */

const { listMessages } = require('../fit/request-messages.js');
const { firstOf, SHAPES } = require('../fit/request-shape.js');

/**
 * The request to send in place of a caller's.
 *
 * @typedef {object} Chosen
 * @property {Foreign} request the caller's own object where nothing changes
 * @property {(usage: Foreign) => void} observe takes the usage of the answer
 * @property {(key: unknown) => void} called takes what identifies a call of the recall tool in the answer
 */

/**
 * Returns a function that chooses the messages of whole requests of one API.
 *
 * @param {InstanceType<typeof import('./core.js').Integration>} integration
 * @param {string} format
 * @returns {(request: Foreign, params?: Foreign) => Promise<Chosen>} `params`: what the caller's functions get; by default the request
 */
function chooserFor(integration, format) {
  const { messages: key } = SHAPES[format];
  return async (request, params = request) => {
    if (readRequest(request, format) === undefined) return { request, observe: () => {}, called: () => {} };
    const noted = integration.note === undefined ? request : explained(request, format, integration);
    const { put, ...read } = /** @type {Foreign} */ (readRequest(noted, format));
    const turn = await integration.turn({ ...read, params });
    const taking = { observe: (usage) => turn.observe(usage), called: (call) => turn.called(call) };
    const isUnchanged = turn.step === undefined || (noted === request && turn.messages === read.messages);
    return { request: isUnchanged ? request : { ...noted, [key]: put(turn.messages) }, ...taking };
  };
}

/**
 * Returns a copy of a request whose system prompt explains the marks.
 *
 * @param {Foreign} request
 * @param {string} format
 * @param {InstanceType<typeof import('./core.js').Integration>} integration
 */
function explained(request, format, integration) {
  if (format === 'anthropic') return { ...request, system: integration.explain(request.system) };
  if (format === 'openai-responses') return { ...request, instructions: integration.explain(request.instructions) };
  if (format === 'gemini') {
    return { ...request, config: { ...request.config, systemInstruction: integration.explain(request.config?.systemInstruction) } };
  }
  return { ...request, messages: integration.explainIn(request.messages) };
}

/**
 * Reads a whole request; undefined if the provider stores some of it, or if its messages are for the provider to refuse.
 *
 * @param {Foreign} request
 * @param {string} format
 */
function readRequest(request, format) {
  const { messages, system, tools, output, stored } = SHAPES[format];
  if (firstOf(request, stored) !== undefined || request[messages] == null) return undefined;
  const listed = tryListing(request[messages], format);
  if (listed === undefined) return undefined;
  const declared = tools.flatMap((path) => firstOf(request, [path])?.value ?? []);
  return {
    ...listed,
    system: firstOf(request, system)?.value,
    tools: declared.length > 0 ? declared : undefined,
    model: request.model,
    maxOutputTokens: firstOf(request, output)?.value,
  };
}

/** Returns the messages as a list; undefined if they are not messages. */
function tryListing(messages, format) {
  try {
    return listMessages(messages, format, 'messages');
  } catch {
    return undefined;
  }
}

module.exports = { chooserFor };
