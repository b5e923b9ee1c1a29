// docs/reference/kinds.md has the limits, with their sources, and docs/tokens.md the tokens.
import type { Figures } from '../../limits/figures.js';
import type { Counts } from '../provider.js';

export const limits = (): Figures => ({ bytes: 100e6, images: 3600, pages: 1000 });

export const counts: Counts = {
  message: 1,
  // The guide to documents: 258 tokens a page.
  page: 258,
  // The guide to tokens: a second of video takes 263 tokens, one of audio 32.
  audio: 32,
  video: 263 + 32,
  tool: ({ name, description, parameters }) => JSON.stringify({ name, description, parameters }),
};
