'use strict';

const native = require('../native.js');
const { formatOf } = require('../formats/index.js');
const { write } = require('../formats/write.js');
const { messageTokens, providerOf } = require('../tokens/index.js');
const { measure } = require('../tokens/measure.js');
const { toolSchemas } = require('../tokens/schemas.js');
const { originalsOf } = require('./originals.js');
const { gatherParts } = require('./prune.js');

/** How often a choice is mended whose tokens are not what they were thought to be. */
const MAX_TRIES = 8;
/** A choice that uses so much of the budget is good enough. */
const ENOUGH = 0.985;
const NONE = new Uint32Array(0);

/** See `index.d.ts`. */
function fit(messages, options) {
  const format = formatOf(messages, options.format ?? 'auto');
  const session = new Session(messages, format, options);
  if (session.before <= options.budget) return { messages, originals: {}, fits: true, tokens: { before: session.before, after: session.before, budget: options.budget } };
  const best = session.search(options.budget);
  const originals = originalsOf(messages, best.written);
  return { messages: best.written.messages, originals, fits: best.tokens <= options.budget, tokens: { before: session.before, after: best.tokens, budget: options.budget } };
}

class Session {
  constructor(messages, format, options) {
    const { tokenizer = 'o200k_base', tokenCounter, tools, keep } = options;
    this.messages = messages;
    this.format = format;
    this.options = options;
    this.tokenizer = tokenizer;
    const provider = providerOf(format.name);
    const parts = format.read(messages);
    this.parts = parts;
    const measured = measure(messages, parts, provider, tokenizer, toolSchemas(tools), { texts: false });
    this.request = tokenCounter ? 0 : measured.request;
    this.fitter = new native.Fitter(gatherParts(messages, parts, provider), {
      tokenizer,
      parts: measured.parts.slice(),
      messages: measured.own.slice(),
      request: this.request,
      keepRecent: keep?.recent ?? 0,
      keepUser: keep?.user ?? false,
      keepTools: keep?.tools ?? [],
      keepRanges: NONE,
    });
    const counted = this.fitter.tokens();
    const tokens = tokenCounter ? Float64Array.from(messages, (message) => tokenCounter(message)) : counted;
    if (tokenCounter) this.fitter.setScales(tokens.map((count, index) => (counted[index] > 0 ? count / counted[index] : 1)));
    this.known = new Map(messages.map((message, index) => [message, tokens[index]]));
    this.before = this.request + tokens.reduce((sum, count) => sum + count, 0);
  }

  /** The best choice within the budget, or the least there is. */
  search(budget) {
    let best;
    let limit = budget;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const choice = this.fitter.choose(limit, NONE);
      const written = write(this.format, this.messages, this.editsOf(choice));
      const tokens = this.count(written.messages);
      if (process.env.DEBUG_FIT) console.error(tries, { limit, est: choice.tokens, tokens, budget });
      if (tokens <= budget && !(best?.tokens <= budget && best.tokens >= tokens)) best = { written, tokens, choice };
      if (tokens <= budget && (tokens >= ENOUGH * budget || !choice.isCut)) break;
      if (best === undefined || best.tokens > budget) best = best && best.tokens <= tokens ? best : { written, tokens, choice };
      limit += (budget - tokens) * (tokens > budget ? 1.05 : 0.95) - (tokens > budget ? 1 : 0);
    }
    return best;
  }

  editsOf({ edits, pieces, marks }) {
    const list = [];
    let piece = 0;
    for (let at = 0; at < edits.length; at += 2) {
      const part = this.parts[edits[at]];
      if (edits[at + 1] < 0) {
        list.push({ part, remove: true });
        continue;
      }
      let text = '';
      for (const end = piece + edits[at + 1]; piece < end; piece++) {
        const from = pieces[2 * piece];
        text += from < 0 ? marks[pieces[2 * piece + 1]] : part.text.slice(from, pieces[2 * piece + 1]);
      }
      list.push({ part, text });
    }
    return list;
  }

  count(messages) {
    const { tokenCounter } = this.options;
    const fresh = messages.filter((message) => !this.known.has(message));
    const counts = tokenCounter
      ? fresh.map((message) => tokenCounter(message))
      : fresh.length > 0
        ? messageTokens(fresh, { tokenizer: this.tokenizer, format: this.format.name }).messages
        : [];
    let sum = this.request;
    for (const count of counts) sum += count;
    for (const message of messages) sum += this.known.get(message) ?? 0;
    return sum;
  }
}

module.exports = { fit };
