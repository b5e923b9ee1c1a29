// @ts-check
'use strict';

/** @import { Foreign, Kind, Part, Path, Role, Status } from '../types.d.ts' */

const { isDate, isPromise } = require('node:util').types;
const { describe, isObject, stepsOf } = require('../checks.js');
const { whatIs } = require('../given.js');
const { misplaced } = require('../places.js');
const { checkNested, jsonText } = require('./json.js');

/** Collects the parts of a conversation, and links results to their calls. */
class Reader {
  constructor() {
    /** @type {Part[]} */
    this.parts = [];
    this.index = -1;
    /**
     * Ids of the calls so far → index of the part: the last call of an id is the one that is answered.
     *
     * @type {Map<string, number>}
     */
    this.calls = new Map();
  }

  /**
   * Begins the next message.
   *
   * @param {Foreign} message
   */
  start(message) {
    this.index++;
    // Asking Node takes longer than looking for `then`, which hardly any message has.
    if (!isObject(message) || (typeof message.then === 'function' && isPromise(message))) {
      throw misplaced(`${placeOf(this.index, [])} must be an object, got ${whatIs(message, 'message')}`);
    }
    // An object with `toJSON` may hold anything.
    if (typeof message.toJSON !== 'function') this.checkNested(message);
    this.time = timeOf(message);
    this.first = this.parts.length;
  }

  /**
   * Ends a message. A message without parts gets an empty text, so that an edit can refer to it.
   *
   * @param {Role} role
   * @param {Path} path
   * @param {string} [locked]
   */
  end(role, path, locked) {
    if (this.parts.length === this.first) this.add('text', role, path, '', locked);
  }

  /**
   * Adds a part and returns it.
   *
   * @param {Kind} kind
   * @param {Role} role
   * @param {Path} path
   * @param {string} text
   * @param {string} [locked]
   */
  add(kind, role, path, text, locked) {
    /** @type {Part} */
    const part = { message: this.index, path, role, kind, text };
    if (this.time !== undefined) part.time = this.time;
    if (locked !== undefined) part.locked = locked;
    this.parts.push(part);
    return part;
  }

  /**
   * @param {Role} role
   * @param {Path} path
   * @param {string} [locked]
   */
  opaque(role, path, locked) {
    return this.add('opaque', role, path, '', locked);
  }

  /**
   * @param {Role} role
   * @param {Path} path
   * @param {string} text
   * @param {boolean} [signed]
   */
  reasoning(role, path, text, signed) {
    const part = this.add('reasoning', role, path, text, 'reasoning');
    if (signed) part.signed = true;
    return part;
  }

  /**
   * A call with arguments, which are a JSON object.
   *
   * @param {Path} path
   * @param {string} text
   * @param {unknown} name
   * @param {unknown} [callId]
   * @param {string} [locked]
   */
  call(path, text, name, callId, locked) {
    const part = this.input(path, text, name, callId, locked);
    // Malformed arguments have no members to take out.
    if (text !== '' && text[0] !== '{' && !/^\s*\{/.test(text)) part.whole = true;
    return part;
  }

  /**
   * A call with input of any form.
   *
   * @param {Path} path
   * @param {string} text
   * @param {unknown} name
   * @param {unknown} [callId]
   * @param {string} [locked]
   */
  input(path, text, name, callId, locked) {
    const part = this.add('call', 'assistant', path, text, locked);
    if (typeof name === 'string') part.name = name;
    if (typeof callId === 'string') {
      part.callId = callId;
      this.calls.set(callId, this.parts.length - 1);
    }
    return part;
  }

  /** @param {unknown} callId */
  #callOf(callId) {
    return (typeof callId === 'string' ? this.calls.get(callId) : undefined) ?? -1;
  }

  /**
   * Links a part to the call whose result it is in; `call` is given if the id does not identify it.
   *
   * @param {Part} part
   * @param {unknown} callId
   * @param {number} [call]
   */
  answers(part, callId, call = this.#callOf(callId)) {
    part.call = call;
    if (typeof callId === 'string') part.callId = callId;
    return part;
  }

  /**
   * @param {Path} path
   * @param {string} text
   * @param {unknown} callId
   * @param {Status} [status]
   * @param {string} [locked]
   */
  result(path, text, callId, status, locked) {
    const part = this.answers(this.add('result', 'tool', path, text, locked), callId);
    if (status !== undefined) part.status = status;
    return part;
  }

  /**
   * Throws for a value that can't be read.
   *
   * @param {Path} path
   * @param {string} expected
   * @param {unknown} value
   * @returns {never}
   */
  fail(path, expected, value) {
    throw misplaced(`${placeOf(this.index, path)} must be ${expected}, got ${describe(value)}`);
  }

  // `more` extends `path`, so that no path is built for a valid value.

  /**
   * @param {Foreign} value
   * @param {Path} path
   * @param {...(string | number)} more
   */
  string(value, path, ...more) {
    return typeof value === 'string' ? value : this.fail([...path, ...more], 'a string', value);
  }

  /**
   * @param {Foreign} value
   * @param {Path} path
   * @param {...(string | number)} more
   */
  array(value, path, ...more) {
    return Array.isArray(value) ? value : this.fail([...path, ...more], 'an array', value);
  }

  /**
   * @param {Foreign} value
   * @param {Path} path
   * @param {...(string | number)} more
   */
  object(value, path, ...more) {
    return isObject(value) ? value : this.fail([...path, ...more], 'an object', value);
  }

  /**
   * Throws for a message that is circular or nested too deeply.
   *
   * @param {Foreign} message
   */
  checkNested(message) {
    checkNested(message, () => placeOf(this.index, []));
  }

  /**
   * Returns a value as JSON text.
   *
   * @param {Foreign} value
   * @param {Path} path
   */
  json(value, path) {
    return jsonText(value, () => placeOf(this.index, path));
  }

  /**
   * Returns a value as the model sees it: a string as it is, anything else as JSON.
   *
   * @param {Foreign} value
   * @param {Path} path
   */
  shown(value, path) {
    return typeof value === 'string' ? value : this.json(value, path);
  }
}

/** `messages[14].content[2].input` */
const placeOf = (index, path) => `messages[${index}]${stepsOf(path)}`;

/**
 * Returns ms since the epoch; numbers below 10^11 are seconds, the Unix time of most APIs.
 *
 * @param {Foreign} message
 */
function timeOf(message) {
  const value = message.timestamp ?? message.createdAt ?? message.created_at;
  if (value === undefined || value === null) return undefined;
  let time = value;
  if (typeof value === 'string') time = Date.parse(value);
  else if (isDate(value)) time = value.getTime();
  else if (typeof value === 'number' && Math.abs(value) < 1e11) time = value * 1000;
  return Number.isFinite(time) ? time : undefined;
}

module.exports = { Reader, isObject, placeOf };
