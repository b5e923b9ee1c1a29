/**
 * A call whose time has to grow in proportion to its input.
 *
 * @typedef {object} Case
 * @property {string} name
 * @property {number} size of the whole input: UTF-16 code units, or messages
 * @property {(palimpsest: object, size: number) => () => unknown} prepare the call on an input of that size
 */

/** Text of about `length` UTF-16 code units that repeats `piece`. */
export const repeat = (piece) => (length) => piece.repeat(Math.ceil(length / piece.length));

/** Repeating texts by the piece that they repeat. */
export const repeats = (pieces) => Object.fromEntries(pieces.map((piece) => [JSON.stringify(piece), repeat(piece)]));

export const messagesOf = (...contents) =>
  contents.map((content, index) => ({ id: `m${index}`, index, role: index % 2 ? 'assistant' : 'user', content }));

/**
 * A case for each input: `make(size)` gives the input, `call(palimpsest, input)` what is measured.
 *
 * @returns {Case[]}
 */
export const cases = (what, size, inputs, call) =>
  Object.entries(inputs).map(([name, make]) => ({
    name: `${what}: ${name}`,
    size,
    prepare: (palimpsest, length) => {
      const input = make(length);
      return () => call(palimpsest, input);
    },
  }));
