// @ts-check
'use strict';

/** @import { Foreign } from '../types.d.ts' */

const { checkArray } = require('../checks.js');
const { toolSchemas } = require('../tokens/schemas.js');
const { systemPrompts } = require('../tokens/system.js');
const { firstOf } = require('./request-shape.js');

/**
 * Returns the system prompt beside the messages of a request, checked.
 *
 * @param {Foreign} request
 * @param {{ system: string[] }} shape
 * @param {(path: string) => string} nameOf returns the name of a path in errors
 * @returns {Foreign} undefined if there is none
 * @throws {TypeError} it has no shape of a system prompt
 */
function systemIn(request, { system }, nameOf) {
  const found = firstOf(request, system);
  if (found === undefined) return undefined;
  systemPrompts(found.value, nameOf(found.path));
  return found.value;
}

/**
 * Returns all tools of a request, checked.
 *
 * @param {Foreign} request
 * @param {{ tools: string[] }} shape
 * @param {(path: string) => string} nameOf returns the name of a path in errors
 * @returns {Foreign[]}
 * @throws {TypeError} they are no array of tools
 */
function toolsIn(request, { tools }, nameOf) {
  return tools.flatMap((path) => {
    const found = firstOf(request, [path]);
    if (found === undefined) return [];
    checkArray(nameOf(path), found.value);
    toolSchemas(found.value, nameOf(path));
    return found.value;
  });
}

module.exports = { systemIn, toolsIn };
