// Of all formats of OpenAI's. docs/reference/kinds.md has the limits, with their sources, and docs/tokens.md the tokens.
import type { Figures } from '../../limits/figures.js';
import type { Counts } from '../provider.js';

/** Of the bytes of a request there is no figure that is sure. */
export const limits = (): Figures => ({ images: 500 });

export const counts: Counts = {
  message: 4,
  // A page is its text and an image of it, for which the guide to files has no figure: one of 768 × 994 pixels is 765 tokens, and as much for the
  // text.
  page: 1500,
  // That the user sends: a token for every 100 ms, as in the guide to Realtime.
  audio: 10,
  // OpenAI takes none: as Gemini counts it.
  video: 263 + 32,
};
