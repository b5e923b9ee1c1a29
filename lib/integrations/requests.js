// @ts-check
'use strict';

/** @import { Foreign } from '../types.d.ts' */

const { listMessages } = require('../fit/request-messages.js');
const { firstOf, SHAPES } = require('../fit/request-shape.js');

/**
 * The request to send in place of a caller's.
 *
 * @typedef {object} Chosen
 * @property {Foreign} [request] undefined where nothing changes
 * @property {import('./core.js').Turn['observe']} observe takes the usage of the answer
 * @property {import('./core.js').Turn['called']} called takes what identifies a call of the recall tool in the answer
 * @property {import('./core.js').Turn['look']} look does work that reads the answer
 */

/**
 * Returns a function that chooses the messages of whole requests of one API.
 *
 * @param {InstanceType<typeof import('./core.js').Integration>} integration
 * @param {string} format
 * @returns {(whole: () => Foreign, params: Foreign) => Promise<Chosen>} `whole` returns the request; undefined if it has to go out as it is.
 *   `params`: what the caller's functions get
 */
function chooserFor(integration, format) {
  const { messages: key } = SHAPES[format];
  return async (whole, params) => {
    const { sent, observe, called, look } = await integration.turn(() => {
      const request = whole();
      if (request === undefined || readRequest(request, format) === undefined) return undefined;
      const noted = integration.note === undefined ? request : explained(request, format, integration);
      const { put, ...read } = /** @type {Foreign} */ (readRequest(noted, format));
      const isUnchanged = ({ messages }) => noted === request && messages === read.messages;
      return { ...read, write: (turn) => (isUnchanged(turn) ? undefined : { ...noted, [key]: put(turn.messages) }) };
    }, params);
    return { request: sent, observe, called, look };
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
 * Reads a whole request; undefined if the provider stores some of it.
 *
 * @param {Foreign} request
 * @param {string} format
 * @throws {TypeError} its messages have a shape that can't be read
 */
function readRequest(request, format) {
  const { messages, system, tools, output, stored } = SHAPES[format];
  if (firstOf(request, stored) !== undefined) return undefined;
  const listed = listMessages(request[messages], format, messages);
  const declared = tools.flatMap((path) => firstOf(request, [path])?.value ?? []);
  return {
    ...listed,
    system: firstOf(request, system)?.value,
    tools: declared.length > 0 ? declared : undefined,
    model: request.model,
    maxOutputTokens: firstOf(request, output)?.value,
  };
}

module.exports = { chooserFor };
