// @ts-check
'use strict';

/** @import { Foreign, FormatModule, Part, Role } from '../types.d.ts' */

const { pace } = require('../steps.js');
const aiSdkUi = require('./ai-sdk-ui.js');
const { copyOf } = require('./copy.js');
const { Reader } = require('./reader.js');
const { readBody } = require('./ui-parts.js');

/** A signal is sent as a message of the user. */
const ROLES = /** @type {Map<string, Role>} */ (
  new Map(Object.entries({ system: 'system', user: 'user', assistant: 'assistant', signal: 'user' }))
);

/**
 * `MastraDBMessage`, as Mastra's memory stores it: with `content.format` 2, and in it the parts of a UI message of the AI SDK 4.
 *
 * @type {FormatModule}
 */
const mastra = { reading, replace, without };

/** @param {readonly Foreign[]} messages */
function* reading(messages) {
  const reader = new Reader();
  for (const message of messages) {
    if (pace.mayPause) yield;
    reader.start(message);
    const role = ROLES.get(message.role);
    if (role !== undefined) readBody(reader, role, reader.object(message.content, ['content']), ['content']);
    else reader.opaque('user', [], 'unknown role');
    reader.end(role ?? 'user', ['content', 'parts']);
  }
  return reader.parts;
}

/** A part as the UI message in `content` has it. */
const inContent = (/** @type {Part} */ part) => ({ ...part, path: part.path.slice(1) });

/** @type {FormatModule['replace']} */
function replace({ content }, part, text) {
  return aiSdkUi.replace(content, inContent(part), text).map(({ path, value }) => ({ path: ['content', ...path], value }));
}

/** @type {FormatModule['without']} */
function without(message, parts) {
  const content = aiSdkUi.without(message.content, parts.map(inContent));
  return content === undefined ? undefined : Object.assign(copyOf(message), { content });
}

module.exports = mastra;
