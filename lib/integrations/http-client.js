// @ts-check
'use strict';

/** @import { Foreign } from '../types.d.ts' */

const { describe, mismatch } = require('../checks.js');
const { isRecall } = require('./recall.js');
const { watchUsage } = require('./streams.js');

/**
 * An API of a client.
 *
 * @typedef {object} Api
 * @property {(request: Foreign) => Promise<import('./requests.js').Chosen>} choose
 * @property {(value: Foreign) => Foreign} usageOf returns the usage of an answer, or of a value of its stream, if it has one
 * @property {(value: Foreign) => { name?: string, id?: string }[]} callsOf returns the calls of tools in the same
 */

/**
 * Returns a copy of a client of OpenAI's or Anthropic's SDK that chooses what its requests send. All methods of both end in `client.post`,
 * which takes its options as a promise. So the choice is waited for there, and what a method returns is made by the SDK as ever.
 *
 * @param {string} caller
 * @param {Foreign} client
 * @param {string} resource name of a resource that only this SDK's clients have
 * @param {(path: string) => Api | undefined} apiOf returns the API of a path; undefined: it goes through
 * @returns {Foreign}
 * @throws {TypeError} it is not such a client
 */
function copyClient(caller, client, resource, apiOf) {
  if (typeof client?.withOptions !== 'function' || typeof client.post !== 'function' || client[resource] === undefined) {
    throw mismatch(`${caller}: client`, `a client with ${resource}`, client);
  }
  return overridden(client.withOptions({}), apiOf);
}

function overridden(client, apiOf) {
  const { post, withOptions } = client;
  return Object.assign(client, {
    post(path, options) {
      const api = apiOf(path.split('?')[0]);
      if (api === undefined) return post.call(client, path, options);
      /** @type {Foreign} what was chosen, once it was */
      let taking;
      const chosen = Promise.resolve(options).then(async (given) => {
        if (describe(given?.body) !== 'object') return given;
        taking = await api.choose(given.body);
        const { request } = taking;
        return request === given.body ? given : { ...given, body: request };
      });
      return post.call(client, path, chosen)._thenUnwrap((answer) => {
        if (taking !== undefined) observing(answer, (value) => usageIn(value, api, taking), taking.observe);
        return answer;
      });
    },
    withOptions: (options) => overridden(withOptions.call(client, options), apiOf),
  });
}

/** Returns the usage in an answer or a value of its stream, and passes on calls of the recall tool. */
function usageIn(value, { usageOf, callsOf }, { called }) {
  for (const { name, id } of callsOf(value)) if (isRecall(name)) called(id);
  return usageOf(value);
}

/** Passes on the usage of an answer, or of a stream when it was read. */
function observing(answer, usageOf, observe) {
  if (answer === null || typeof answer !== 'object') return;
  const { iterator } = answer;
  if (typeof iterator !== 'function') return observe(usageOf(answer));
  answer.iterator = () => watchUsage(iterator.call(answer), usageOf, observe);
}

module.exports = { copyClient };
