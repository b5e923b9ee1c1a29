'use strict';

const { getIn } = require('../formats/copy.js');
const native = require('../native.js');
const { inOneGo } = require('../steps.js');
const { copyTexts } = require('../texts.js');
const { mediaTokens } = require('./media.js');

/** UTF-16 code units up to which it pays to look whether a text was there before. */
const SHORT = 64;

/** Texts and numbers that add up to sums; all texts are counted in one native call. */
class Tally {
  constructor(sums) {
    this.sums = new Float64Array(sums);
    this.texts = [];
    this.uses = [];
    this.numbers = new Map();
  }

  /** Adds so many tokens, or those of a text, to a sum. */
  add(sum, what) {
    if (typeof what === 'number') this.sums[sum] += what;
    else if (what !== '') this.uses.push(sum, this.number(what));
  }

  number(text) {
    if (text.length > SHORT) return this.texts.push(text) - 1;
    let number = this.numbers.get(text);
    if (number === undefined) {
      number = this.texts.push(text) - 1;
      this.numbers.set(text, number);
    }
    return number;
  }

  *counting(tokenizer) {
    const copies = yield* copyTexts(this.texts);
    const counts = yield {
      now: () => native.countCopied(copies, tokenizer),
      later: () => native.countCopiedAsync(copies, tokenizer),
    };
    for (let at = 0; at < this.uses.length; at += 2) this.sums[this.uses[at]] += counts[this.uses[at + 1]];
    return this.sums;
  }
}

/**
 * The tokens of a conversation.
 *
 * @param {object[]} messages
 * @param {object[]} parts their parts, in order
 * @param {object} provider what it adds: `openai.js`, `anthropic.js` or `gemini.js`
 * @param {'o200k_base' | 'cl100k_base' | 'estimate'} tokenizer
 * @param {object[]} [schemas] of the tools that are sent along
 * @param {{ texts?: false | Map<string, number> }} [known] `texts`: the tokens of texts that were counted already; `false` leaves
 *   all of them out
 * @returns {{ parts: Float64Array, own: Float64Array, request: number }} the tokens of each part (its text, and for a call
 *   name and id); of each message beyond its parts; and those that belong to no message
 */
function measure(...all) {
  return inOneGo(measuring(...all));
}

/** The same, in steps. */
function* measuring(messages, parts, provider, tokenizer, schemas = [], { texts } = {}) {
  const request = parts.length + messages.length;
  const tally = new Tally(request + 1);
  for (const [index, part] of parts.entries()) {
    yield;
    addPart(tally, index, part, messages[part.message], provider, texts);
  }
  let next = 0;
  for (const [index, message] of messages.entries()) {
    yield;
    const own = parts.length + index;
    tally.add(own, provider.message);
    let callId;
    const first = parts[next];
    for (; parts[next]?.message === index; next++) {
      // A result that consists of several parts has one id.
      const part = parts[next];
      if (part.kind === 'call' || part.callId === undefined || part.callId === callId) continue;
      callId = part.callId;
      tally.add(own, callId);
    }
    if (provider.countsRole) tally.add(own, typeof message.role === 'string' ? message.role : (first?.role ?? 'user'));
    // An item of the Responses API may itself be a call: its name is the tool's.
    const isCall = first?.kind === 'call' && first.path.length === 1;
    if (typeof message.name === 'string' && !isCall) {
      tally.add(own, provider.name);
      tally.add(own, message.name);
    }
  }
  tally.add(request, provider.request);
  provider.tools(schemas, tokenizer, (what) => tally.add(request, what));
  const sums = yield* tally.counting(tokenizer);
  return { parts: sums.subarray(0, parts.length), own: sums.subarray(parts.length, request), request: sums[request] };
}

function addPart(tally, sum, part, message, provider, texts) {
  const { kind, text } = part;
  if (kind === 'media') tally.add(sum, mediaTokens(getIn(message, part.path), provider));
  // What is encrypted or unknown can't be counted, but it is sent.
  else if (kind === 'opaque' || (kind === 'reasoning' && text === '')) tally.add(sum, estimateOf(getIn(message, part.path)));
  else if (texts !== false || kind === 'reasoning' || part.whole) tally.add(sum, texts ? (texts.get(text) ?? text) : text);
  if (kind !== 'call') return;
  tally.add(sum, provider.call);
  if (part.name !== undefined) tally.add(sum, part.name);
  if (part.callId !== undefined) tally.add(sum, part.callId);
}

/** 3.5 characters of JSON per token. */
function estimateOf(value) {
  try {
    return Math.ceil((JSON.stringify(value) ?? '').length / 3.5);
  } catch {
    // Cycles and BigInts can't be sent as JSON either.
    return 0;
  }
}

/** The tokens of each message, its parts included. */
function perMessage(parts, measured) {
  const tokens = measured.own.slice();
  parts.forEach(({ message }, index) => (tokens[message] += measured.parts[index]));
  return tokens;
}

module.exports = { measure, measuring, perMessage };
