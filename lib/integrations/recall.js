// @ts-check
'use strict';

// The recall tool in an SDK: it finds the session of the conversation that a call belongs to.

const { mismatch } = require('../checks.js');
const { isRecall, toolFor } = require('../session/recall-tool.js');
const { offerRecall } = require('../session/index.js');

/** @typedef {InstanceType<typeof import('./core.js').Integration>} Integration */

/** The integrations behind each object that a caller got. @type {WeakMap<object, Integration[]>} */
const integrations = new WeakMap();

/**
 * Lets a caller create a recall tool from what an integration returned.
 *
 * @template {object} T
 * @param {T} object
 * @param {Integration[]} all those that it uses
 * @returns {T}
 */
function withRecall(object, ...all) {
  integrations.set(object, all);
  return object;
}

/**
 * Returns the recall tool in a neutral shape for what an integration returned, or for one session.
 *
 * @param {any} from
 * @param {string} expected description of what the integration returned
 * @returns {{ name: string, description: string, parameters: any, execute: (input: any, ...keys: any[]) => string }} `keys` identify the call
 * @throws {TypeError} it is neither
 */
function recallToolOf(from, expected) {
  const isObject = from !== null && (typeof from === 'object' || typeof from === 'function');
  const known = isObject ? integrations.get(from) : undefined;
  if (known === undefined && !(isObject && typeof from.recall === 'function' && typeof from.nextAsync === 'function'))
    throw mismatch('recallTool(): from', `${expected} or a session`, from);
  if (known === undefined) offerRecall(from);
  else for (const integration of known) integration.offerRecall();
  const tool = toolFor((keys) => known?.map((integration) => integration.sessionOf(keys)).find(Boolean) ?? (known ? undefined : from));
  return { ...tool, execute: (input, ...keys) => tool.execute(input, keys) };
}

module.exports = { isRecall, recallToolOf, withRecall };
