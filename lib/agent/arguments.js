'use strict';

const { inspect } = require('node:util');

const checks = require('../checks.js');

const { mismatch } = checks;

const TOOL_KINDS = ['read', 'write', 'edit', 'command', 'search', 'other'];
const ARGUMENT_NAMES = ['path', 'text', 'command', 'cwd', 'offset', 'limit', 'start', 'end'];
/** Of these kinds, the argument without which a tool map says nothing. */
const NEEDED = { read: 'path', write: 'path', edit: 'path', command: 'command' };

function checkChoice(name, value, choices) {
  if (value == null || choices.includes(value)) return;
  const quoted = choices.map((choice) => `'${choice}'`);
  const listed = [quoted.slice(0, -1).join(', '), quoted.at(-1)].join(' or ');
  throw new TypeError(`${name} must be ${listed}, got ${inspect(value, { depth: 0 })}`);
}

function checkStrings(name, value) {
  if (value != null) checks.checkStrings(name, value);
}

function checkRecent(name, recent) {
  if (recent == null) return;
  if (typeof recent !== 'number') throw mismatch(name, 'a number', recent);
  if (recent !== Infinity && !(Number.isInteger(recent) && recent >= 0)) {
    throw new RangeError(`${name} must be a whole number from 0, or Infinity, got ${recent}`);
  }
}

function checkKeep(at, keep) {
  if (keep == null) return;
  if (typeof keep !== 'object' || Array.isArray(keep)) throw mismatch(at, 'an object', keep);
  checkRecent(`${at}.recent`, keep.recent);
  checkStrings(`${at}.tools`, keep.tools);
  checkStrings(`${at}.paths`, keep.paths);
}

function checkToolMap(all, tools) {
  if (tools == null) return;
  if (typeof tools !== 'object' || Array.isArray(tools)) throw mismatch(all, 'an object of tools by name', tools);
  for (const [name, tool] of Object.entries(tools)) {
    const at = `${all}.${name}`;
    if (tool === null || typeof tool !== 'object') throw mismatch(at, 'an object with a kind', tool);
    if (!TOOL_KINDS.includes(tool.kind)) {
      const listed = TOOL_KINDS.map((kind) => `'${kind}'`).join(', ');
      throw new TypeError(`${at}.kind must be one of ${listed}, got ${inspect(tool.kind, { depth: 0 })}`);
    }
    for (const argument of ARGUMENT_NAMES) {
      const value = tool[argument];
      if (value != null && typeof value !== 'string') throw mismatch(`${at}.${argument}`, "an argument's name", value);
    }
    const needed = NEEDED[tool.kind];
    if (needed !== undefined && !tool[needed]) throw mismatch(`${at}.${needed}`, "an argument's name", tool[needed]);
  }
}

/**
 * Checks the options of `prune` but for `format`, which the formats check. `undefined` and `null` mean the default.
 *
 * @param {unknown} options
 * @param {string} at what errors call them
 * @throws {TypeError} an option is of the wrong type, or no such choice; it is named
 * @throws {RangeError} `keep.recent` is a number that makes no sense
 */
function checkPruneOptions(options, at) {
  if (options === null || typeof options !== 'object') throw mismatch(at, 'an object', options);
  checkChoice(`${at}.mode`, options.mode, ['stub', 'remove']);
  checkChoice(`${at}.edits`, options.edits, ['safe', 'last']);
  checkChoice(`${at}.failures`, options.failures, ['status', 'words']);
  checkThinking(`${at}.thinking`, options.thinking);
  checkKeep(`${at}.keep`, options.keep);
  checkToolMap(`${at}.tools`, options.tools);
}

const checkThinking = (name, thinking) => checkChoice(name, thinking, ['keep', 'strip', 'leave']);

module.exports = { checkPruneOptions, checkRecent, checkStrings, checkThinking, mismatch };
