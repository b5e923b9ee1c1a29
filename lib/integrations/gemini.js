// @ts-check
'use strict';

const { mismatch } = require('../checks.js');
const { Integration } = require('./core.js');
const { chooserFor } = require('./requests.js');
const { watchUsage } = require('./streams.js');

const CALLER = 'withPalimpsest()';

const usageOf = ({ usageMetadata }) => usageMetadata;

/** See `withPalimpsest` in `integrations/gemini.d.ts`. */
function withPalimpsest(client, options) {
  if (typeof client?.models?.generateContentInternal !== 'function' || client.apiClient === undefined) {
    throw mismatch(`${CALLER}: client`, 'a GoogleGenAI client', client);
  }
  const choose = chooserFor(new Integration(CALLER, options, { format: 'gemini' }), 'gemini');
  const models = choosingModels(client, choose);
  const chats = new client.chats.constructor(models, client.apiClient);
  return Object.assign(Object.create(Object.getPrototypeOf(client)), client, { models, chats });
}

/**
 * Returns models of their own, whose requests are chosen. Automatic function calling and continuation make several requests of one call:
 * each ends in one of the two methods.
 */
function choosingModels(client, choose) {
  const models = new client.models.constructor(client.apiClient);
  const { generateContentInternal, generateContentStreamInternal } = models;
  return Object.assign(models, {
    async generateContentInternal(params) {
      const { request, observe } = await choose(params);
      const answer = await generateContentInternal.call(models, request);
      observe(usageOf(answer));
      return answer;
    },
    async generateContentStreamInternal(params) {
      const { request, observe } = await choose(params);
      return watchUsage(await generateContentStreamInternal.call(models, request), usageOf, observe);
    },
  });
}

module.exports = { withPalimpsest };
