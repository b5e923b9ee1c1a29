// What descriptions of providers share: what their messages are drawn from, and parts that several of them have.
import { png } from '../support/files.mjs';
import { Random } from '../support/random.mjs';

const LEXICON =
  'queue worker invoice lock backup retry commit schema latency index cursor migrate tenant shard replica token cache parser socket deploy'.split(
    ' ',
  );

/** What makers draw from: texts, ids and data that no other exchange has. */
export class Draw {
  /**
   * @param {Random} random what chooses
   * @param {number} number of the exchange
   * @param {{ words?: number, bytes?: number }} [sizes] of each text, by default drawn; of what is encrypted and of files
   */
  constructor(random, number, { words, bytes = 300 } = {}) {
    Object.assign(this, { random, number, words, bytes });
    this.ids = 0;
    // Texts draw from their own, so that choices are the same whatever their sizes.
    this.letters = new Random(random.integer(0, 2 ** 31));
    /** The texts that were drawn, and what is no text. */
    this.texts = [];
    this.data = [];
  }

  id(prefix) {
    return `${prefix}_${this.number}_${++this.ids}`;
  }

  drew(list, value) {
    this[list].push(value);
    return value;
  }

  /** Some lines of words. */
  text(most = 240) {
    const drawn = this.random.integer(1, this.random.pick([8, 60, most]));
    const length = this.words ?? drawn;
    const words = Array.from(
      { length },
      (_, at) => `${this.letters.pick(LEXICON)}-${this.letters.integer(0, 997)}${at % 12 === 11 ? '.\n' : ''}`,
    );
    // The last words of a model may not end in a blank.
    return this.drew('texts', `(${this.number}) ${words.join(' ')}`.trimEnd());
  }

  /** A few words of the user's or the model's. */
  word() {
    return `${this.random.pick(['Why', 'Where', 'And', 'Look at', 'Then'])} ${this.random.pick(LEXICON)} ${this.number}.${++this.ids}`;
  }

  json() {
    return JSON.stringify({ path: `src/${this.id('file')}.ts`, content: this.text(80) });
  }

  /** Random bytes: what is encrypted, or a file. */
  base64(length = this.bytes) {
    return this.drew('data', this.random64(length));
  }

  random64(length) {
    let bytes = '';
    while (bytes.length < length) bytes += String.fromCharCode(this.letters.integer(0, 255));
    return Buffer.from(bytes, 'latin1').toString('base64');
  }

  png() {
    const bytes = Buffer.alloc(64);
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes);
    bytes.writeUInt32BE(800, 16);
    bytes.writeUInt32BE(600, 20);
    bytes.writeUInt16BE(0x0806, 24);
    bytes.writeUInt32BE(this.number, 40);
    return this.drew('data', bytes.toString('base64'));
  }

  pngUrl() {
    return `data:image/png;base64,${this.png()}`;
  }

  pdf() {
    return this.drew('data', Buffer.from(`%PDF-1.4\n${this.random64(this.bytes)}\n/Type /Page \n%%EOF`).toString('base64'));
  }
}

export const text = (value) => ({ type: 'text', text: value });
/** What a tool gave that ran at Anthropic or Google, as the AI SDK keeps it. */
export const hostedOutput = (k) =>
  k.random.pick([
    () => ({ type: 'code_execution_result', stdout: k.text(), stderr: k.random.pick(['', k.text(20)]), return_code: 0, content: [] }),
    () => [text(k.text()), text(k.text(20))],
    () => ({
      type: 'web_fetch_result',
      url: 'https://example.org',
      content: { type: 'document', title: k.word(), source: { type: 'text', mediaType: 'text/plain', data: k.text() } },
    }),
    () => ({ outcome: 'OUTCOME_OK', output: k.text() }),
  ])();
/** An entry for each of several names that come together. */
export const both = (names, make) => Object.fromEntries(names.map((name) => [name, make]));

export const user = (content) => ({ role: 'user', content });
export const model = (content) => ({ role: 'assistant', content });
/** What the user says in a message of the user's. */
export const wordsOf = ({ role, content }) =>
  role !== 'user'
    ? []
    : typeof content === 'string'
      ? [content]
      : content.filter((block) => block.type === 'text').map((block) => block.text);
export const wordsOfItem = ({ type, role, content }) =>
  role !== 'user' || (type ?? 'message') !== 'message'
    ? []
    : typeof content === 'string'
      ? [content]
      : content.filter((part) => part.type === 'input_text').map((part) => part.text);
/** A document of Claude's. */
export const textDocument = (k) => ({
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data: k.text() },
  title: k.word(),
});
/** Tools that a search of the Responses API finds. */
export const foundTools = (k) =>
  Array.from({ length: k.random.integer(1, 4) }, () => ({
    type: 'function',
    name: k.id('tool'),
    description: k.text(40),
    parameters: { type: 'object', properties: {} },
    strict: false,
  }));

// ---- Conversations of `support/transcripts.mjs`

export const plainText = (blocks) => (typeof blocks === 'string' ? blocks : blocks.map(({ text: said }) => said ?? '[image]').join('\n'));
export const shown = ({ json, blocks }) => (json ? JSON.stringify(json) : plainText(blocks));
export const answeredIn = ({ calls }) => calls.filter((call) => call.answered);
/** What `@ai-sdk/anthropic` puts before a streamed answer, and leaves out of a request. */
export const messageStart = {
  kind: 'anthropic.message_start',
  usage: { anthropic: { id: 'msg_1', usage: { input_tokens: 4321, output_tokens: 1 } } },
};

// ---- Examples

/** An image that is none. */
export const IMAGE = 'aGk=';
/** A tool of a request. */
export const BASH = { name: 'Bash', description: 'Runs a command' };
export const parameters = { type: 'object', properties: { command: { type: 'string' } } };
/** As many files as asked for, each of its own. */
export const many = (count, make, [width, height] = [8, 8]) => Array.from({ length: count }, (_, index) => make(png(width, height, index)));

/** An edit that puts a value at a place such as `[1].content`, or removes what is there. */
export const put = (place, value) => (messages) => {
  const keys = place.match(/\w+/g);
  const last = keys.pop();
  const holder = keys.reduce((one, key) => one[key], messages);
  if (value === undefined) delete holder[last];
  else holder[last] = typeof value === 'object' ? structuredClone(value) : value;
};
