'use strict';

const { inspect } = require('node:util');

const { describe } = require('../arguments.js');

const TOOL_KINDS = ['read', 'write', 'edit', 'command', 'search', 'other'];
const ARGUMENT_NAMES = ['path', 'text', 'command', 'cwd', 'offset', 'limit', 'start', 'end'];
/** Of these kinds, the argument without which a tool map says nothing. */
const NEEDED = { read: 'path', write: 'path', edit: 'path', command: 'command' };

function mismatch(name, expected, value) {
  return new TypeError(`prune(): ${name} must be ${expected}, got ${describe(value)}`);
}

function checkChoice(name, value, choices) {
  if (value == null || choices.includes(value)) return;
  const listed = choices.map((choice) => `'${choice}'`).join(' or ');
  throw new TypeError(`prune(): ${name} must be ${listed}, got ${inspect(value, { depth: 0 })}`);
}

function checkStrings(name, value) {
  if (value == null) return;
  if (!Array.isArray(value)) throw mismatch(name, 'an array of strings', value);
  for (let index = 0; index < value.length; index++) {
    if (typeof value[index] !== 'string') throw mismatch(`${name}[${index}]`, 'a string', value[index]);
  }
}

function checkKeep(keep) {
  if (keep == null) return;
  if (typeof keep !== 'object' || Array.isArray(keep)) throw mismatch('options.keep', 'an object', keep);
  const { recent } = keep;
  if (recent != null && typeof recent !== 'number') throw mismatch('options.keep.recent', 'a number', recent);
  if (recent != null && recent !== Infinity && !(Number.isInteger(recent) && recent >= 0)) {
    throw new RangeError(`prune(): options.keep.recent must be a whole number from 0, or Infinity, got ${recent}`);
  }
  checkStrings('options.keep.tools', keep.tools);
  checkStrings('options.keep.paths', keep.paths);
}

function checkToolMap(tools) {
  if (tools == null) return;
  if (typeof tools !== 'object' || Array.isArray(tools)) throw mismatch('options.tools', 'an object of tools by name', tools);
  for (const [name, tool] of Object.entries(tools)) {
    const at = `options.tools.${name}`;
    if (tool === null || typeof tool !== 'object') throw mismatch(at, 'an object with a kind', tool);
    if (!TOOL_KINDS.includes(tool.kind)) {
      const listed = TOOL_KINDS.map((kind) => `'${kind}'`).join(', ');
      throw new TypeError(`prune(): ${at}.kind must be one of ${listed}, got ${inspect(tool.kind, { depth: 0 })}`);
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
 * Checks the arguments of `prune` but for `format` and the messages themselves, which the formats check. `undefined` and
 * `null` mean the default.
 *
 * @throws {TypeError} an argument is of the wrong type, or no such choice; it is named
 * @throws {RangeError} `keep.recent` is a number that makes no sense
 */
function checkPruneOptions(messages, options) {
  if (!Array.isArray(messages)) throw mismatch('messages', 'an array', messages);
  if (options === null || typeof options !== 'object') throw mismatch('options', 'an object', options);
  checkChoice('options.mode', options.mode, ['stub', 'remove']);
  checkChoice('options.edits', options.edits, ['safe', 'last']);
  checkChoice('options.failures', options.failures, ['status', 'words']);
  checkChoice('options.thinking', options.thinking, ['keep', 'strip']);
  checkKeep(options.keep);
  checkToolMap(options.tools);
}

module.exports = { checkPruneOptions };
