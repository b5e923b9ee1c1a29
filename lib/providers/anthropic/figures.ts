// docs/reference/kinds.md has the limits, with their sources, and docs/tokens.md the tokens.
import type { Figures } from '../../limits/figures.js';
import type { Counts } from '../provider.js';

/** Tokens of a window up to which a model takes 100 images and pages; a larger one takes more. */
const WINDOW = 200_000;

export const limits = (window: number): Figures => ({
  bytes: 32e6,
  media: window > WINDOW ? 600 : 100,
  imageBytes: 5 * 2 ** 20,
  imagePixels: 8000,
  manyImagePixels: 2000,
});

export const counts: Counts = {
  message: 3,
  // The guide to PDF support: 1,500 to 3,000 tokens a page.
  page: 3000,
  // Anthropic takes neither: as OpenAI and Gemini count them.
  audio: 10,
  video: 263 + 32,
  tool: ({ name, description, parameters }) => JSON.stringify({ name, description, input_schema: parameters }),
};
