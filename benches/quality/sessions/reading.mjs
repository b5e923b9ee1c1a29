// The facts of a message. A session sends the same messages in hundreds of requests, so each is read once.
import { createRequire } from 'node:module';
import { wordsIn } from '../facts.mjs';

const { countTokens } = createRequire(import.meta.url)('palimpsest');

export const FORMAT = 'anthropic';
/** Tokens that `countTokens` adds for a request, whatever messages it has. */
const REQUEST_TOKENS = { anthropic: 1, 'openai-chat': 3 };

/** The readable text of a message: texts, calls and results. */
function textOf({ content, tool_calls }) {
  if (typeof content === 'string') return tool_calls?.length ? `${content}\n${JSON.stringify(tool_calls)}` : content;
  const said = content.flatMap((block) => {
    if (block.type === 'text') return [block.text];
    if (block.type === 'tool_use') return [`${block.name} ${JSON.stringify(block.input)}`];
    if (block.type !== 'tool_result') return [];
    return [typeof block.content === 'string' ? block.content : (block.content ?? []).map(({ text }) => text ?? '').join('\n')];
  });
  return said.join('\n');
}

class Reading {
  #message;
  #words;
  #places;

  constructor(message, json, format) {
    this.#message = message;
    this.json = json;
    this.tokens = Math.max(1, countTokens([message], { format }) - REQUEST_TOKENS[format]);
  }

  /** Its words in their order. */
  get words() {
    this.#words ??= wordsIn(textOf(this.#message));
    return this.#words;
  }

  /** The position of each of its words in `words`. */
  get places() {
    if (this.#places === undefined) {
      this.#places = new Map();
      this.words.forEach((word, index) => {
        const places = this.#places.get(word);
        if (places) places.push(index);
        else this.#places.set(word, [index]);
      });
    }
    return this.#places;
  }
}

/**
 * @param {keyof typeof REQUEST_TOKENS} [format] of the messages
 * @returns {(message: object) => Reading} the same reading for messages that hold the same
 */
export function createReader(format = FORMAT) {
  const byMessage = new WeakMap();
  const byJson = new Map();
  return (message) => {
    let reading = byMessage.get(message);
    if (reading === undefined) {
      const json = JSON.stringify(message);
      reading = byJson.get(json) ?? new Reading(message, json, format);
      byJson.set(json, reading);
      byMessage.set(message, reading);
    }
    return reading;
  };
}
