'use strict';

const { isDate } = require('node:util').types;
const { describe } = require('../checks.js');
const { checkNested, jsonText, stepsOf } = require('./json.js');

/**
 * A piece of a conversation that can be read, replaced or removed on its own. The flat list of all parts, in order, is what
 * the engine sees. Every message has at least one.
 *
 * @typedef {object} Part
 * @property {number} message index of its message
 * @property {(string | number)[]} path where its value stands inside that message; `[]` is the message itself
 * @property {'system' | 'user' | 'assistant' | 'tool'} role `tool` for results, whichever message holds them
 * @property {'text' | 'call' | 'result' | 'reasoning' | 'media' | 'opaque'} kind
 * @property {string} text call: its arguments as JSON text, or free-form input; result: what the model is shown, an object
 *   as JSON text; media and opaque: empty
 * @property {string} [name] call: the tool
 * @property {string} [callId] call, and whatever stands in a result
 * @property {number} [call] whatever stands in a result: index in the list of the call it answers, -1 where there is none
 * @property {'ok' | 'error'} [status] result: what the format itself says; absent where it says nothing
 * @property {number} [time] ms since the epoch, where the message has a `timestamp`, `createdAt` or `created_at`
 * @property {true} [signed] reasoning: a signature binds it to all that stands before it (see signature.js)
 * @property {true} [whole] call: its text is no JSON object as it should be; it may go, but not be replaced
 * @property {string} [locked] why its text may not be replaced and it may not be removed; reasoning may be removed all the same
 */

/** Collects the parts of a conversation, and knows which call a result answers. */
class Reader {
  constructor() {
    /** @type {Part[]} */
    this.parts = [];
    this.index = -1;
    /** Ids of the calls so far → index of the part: the last call of an id is the one that is answered. */
    this.calls = new Map();
  }

  /** Begins the next message. */
  start(message) {
    this.index++;
    if (message === null || typeof message !== 'object' || Array.isArray(message)) this.fail([], 'an object', message);
    // What writes itself as JSON may have anything inside.
    if (typeof message.toJSON !== 'function') this.checkNested(message);
    this.time = timeOf(message);
    this.first = this.parts.length;
  }

  /** Ends a message: one that gave no parts has an empty text, so that whoever removes parts can name it. */
  end(role, path, locked) {
    if (this.parts.length === this.first) this.add('text', role, path, '', locked);
  }

  /** Adds a part and returns it. */
  add(kind, role, path, text, locked) {
    const part = { message: this.index, path, role, kind, text };
    if (this.time !== undefined) part.time = this.time;
    if (locked !== undefined) part.locked = locked;
    this.parts.push(part);
    return part;
  }

  opaque(role, path, locked) {
    return this.add('opaque', role, path, '', locked);
  }

  reasoning(role, path, text, signed) {
    const part = this.add('reasoning', role, path, text, 'reasoning');
    if (signed) part.signed = true;
    return part;
  }

  /** A call with arguments, which are a JSON object. */
  call(path, text, name, callId, locked) {
    const part = this.input(path, text, name, callId, locked);
    // What a model wrote instead has no members to take out.
    if (text !== '' && !/^\s*\{/.test(text)) part.whole = true;
    return part;
  }

  /** A call with input of any form. */
  input(path, text, name, callId, locked) {
    const part = this.add('call', 'assistant', path, text, locked);
    if (typeof name === 'string') part.name = name;
    if (typeof callId === 'string') {
      part.callId = callId;
      this.calls.set(callId, this.parts.length - 1);
    }
    return part;
  }

  /** Says of a part that it stands in the result of a call; `call` only where the id doesn't name it. */
  answers(part, callId, call = this.calls.get(callId) ?? -1) {
    part.call = call;
    if (typeof callId === 'string') part.callId = callId;
    return part;
  }

  result(path, text, callId, status, locked) {
    const part = this.answers(this.add('result', 'tool', path, text, locked), callId);
    if (status !== undefined) part.status = status;
    return part;
  }

  /** Throws for a value that can't be read. */
  fail(path, expected, value) {
    throw new TypeError(`${placeOf(this.index, path)} must be ${expected}, got ${describe(value)}`);
  }

  // `more` leads on from `path`: whoever reads a lot doesn't make a path for each value that is as it should be.

  string(value, path, ...more) {
    return typeof value === 'string' ? value : this.fail([...path, ...more], 'a string', value);
  }

  array(value, path, ...more) {
    return Array.isArray(value) ? value : this.fail([...path, ...more], 'an array', value);
  }

  object(value, path, ...more) {
    return isObject(value) ? value : this.fail([...path, ...more], 'an object', value);
  }

  /** Throws where what is inside the message has no end. */
  checkNested(message) {
    checkNested(message, () => placeOf(this.index, []));
  }

  /** What is sent of a value, as JSON text. */
  json(value, path) {
    return jsonText(value, () => placeOf(this.index, path));
  }

  /** A value as the model is shown it: a string as it is, anything else as JSON. */
  shown(value, path) {
    return typeof value === 'string' ? value : this.json(value, path);
  }
}

/** `messages[14].content[2].input` */
const placeOf = (index, path) => `messages[${index}]${stepsOf(path)}`;

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** ms since the epoch; numbers below 10^11 are seconds, as Unix time is given by most APIs. */
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
