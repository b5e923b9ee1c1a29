// @ts-check
'use strict';

const { FOR_MESSAGE, FOR_MESSAGES, FOR_ORIGINALS, got } = require('../given.js');
const { checkNested } = require('../formats/json.js');
const { isObject } = require('../formats/reader.js');
const { isBreakpoint } = require('./breakpoints.js');

/**
 * Version of the fingerprints in an entry of `originals`: those of messages without what surface.js describes. Those of version 2 are
 * of all that messages hold; entries without a version hold those of sampled.js.
 */
const HASH = 3;
const HASHES = [2, HASH];

const isIndex = (value) => Number.isInteger(value) && value >= 0;
const isString = (value) => typeof value === 'string';
const isListOf = (isItem) => (value) => Array.isArray(value) && Array.from(value).every(isItem);
const isOptional = (isValue) => (value) => value === undefined || isValue(value);
const isPrintOrNull = (value) => value === null || isString(value) || typeof value === 'number';

/** A node of structure.js. */
function isNode(node) {
  if (node === null || typeof node !== 'object') return true;
  if (Array.isArray(node)) return false;
  if (node.ref !== undefined) return isPath(node.ref);
  if (node.array !== undefined) return isListOf(isNode)(node.array);
  if (node.object === undefined) return true;
  const isMember = (member) => Array.isArray(member) && isString(member[0]) && isNode(member[1]);
  return isListOf(isMember)(node.object) && isOptional(isPath)(node.like);
}

const isPath = isListOf((step) => isString(step) || isIndex(step));

/** An item of a surface (surface.js): a content, or a breakpoint and its value. No other member of a message may change. */
function isSurfaceItem(item) {
  if (!Array.isArray(item) || !isPath(item[0])) return false;
  const name = item[0].at(-1);
  return item.length === 1 ? name === 'content' : isBreakpoint(String(name), item[1]);
}

const ENTRY = { round: isString, step: isIndex, length: isIndex, hash: isOptional((hash) => HASHES.includes(hash)) };
const CUT = {
  at: isIndex,
  before: isPrintOrNull,
  after: isPrintOrNull,
  now: isListOf((print) => print !== null && isPrintOrNull(print)),
  // Of messages, which are objects.
  was: isListOf((node) => isObject(node) && isNode(node)),
  of: isOptional(isString),
  prints: isOptional(isString),
  stale: isOptional(isListOf(isIndex)),
  surface: isOptional(isListOf(isSurfaceItem)),
};
const STUB = { at: isOptional(isIndex), of: isOptional(isString), prints: isOptional(isString), places: isListOf(isObject) };
const PLACE = { up: isIndex, written: (print) => print !== null && isPrintOrNull(print), in: isOptional(isString) };

/**
 * @param {unknown} messages
 * @param {any} originals looked at field by field
 * @param {string} messagesName what errors call it
 * @param {string} originalsName
 * @throws {TypeError} `messages` is no array of objects, or `originals` no object of entries that originals.js makes
 */
function checkRestorable(messages, originals, messagesName, originalsName) {
  if (!Array.isArray(messages)) throw new TypeError(`${messagesName} must be an array, got ${got(messages, FOR_MESSAGES)}`);
  for (let index = 0; index < messages.length; index++) {
    const at = `${messagesName}[${index}]`;
    if (!isObject(messages[index])) throw new TypeError(`${at} must be an object, got ${got(messages[index], FOR_MESSAGE)}`);
    checkNested(messages[index], () => at);
  }
  const given = got(originals, FOR_ORIGINALS);
  if (given !== 'object') throw new TypeError(`${originalsName} must be an object, got ${given}`);
  for (const key of Object.keys(originals)) checkEntry(originals[key], `${originalsName}[${JSON.stringify(key)}]`);
}

function checkEntry(entry, name) {
  if (!isObject(entry) || (entry.places === undefined && entry.was === undefined)) throw new TypeError(`${name} is no original`);
  checkNested(entry, () => name);
  checkFields(entry, ENTRY, name);
  checkFields(entry, entry.places === undefined ? CUT : STUB, name);
  if (entry.hash !== undefined && !isString(entry.of)) throw spoilt(`${name}.of`);
  entry.places?.forEach((place, index) => {
    checkFields(place, PLACE, `${name}.places[${index}]`);
    if (place.in !== undefined && !isNode(place.value)) throw spoilt(`${name}.places[${index}].value`);
  });
}

function checkFields(object, fields, name) {
  for (const field of Object.keys(fields)) if (!fields[field](object[field])) throw spoilt(`${name}.${field}`);
}

const spoilt = (name) => new TypeError(`${name} is not what was stored, or was stored by a newer version`);

module.exports = { checkRestorable, HASH };
