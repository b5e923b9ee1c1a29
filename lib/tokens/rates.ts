// What documents, sounds and films take, by provider. Where a provider gives no figure, or takes no such file, it says so.

import type { Provider } from '../types.js';

interface Rates {
  /** tokens of a page of a PDF */
  page: number;
  /** tokens of a second of sound */
  audio: number;
  /** tokens of a second of a film, with its sound */
  video: number;
}

/** Gemini's guide to tokens: a second of video takes 263 tokens, one of audio 32. */
const VIDEO = 263 + 32;

export const RATES: Record<Provider, Rates> = {
  // A page is its text and an image of it, for which the guide to files has no figure: one of 768 × 994 pixels is 765 tokens, and as much for the
  // text. Audio that the user sends: a token for every 100 ms, as in the guide to Realtime. OpenAI takes no video.
  openai: { page: 1500, audio: 10, video: VIDEO },
  // The guide to PDF support: 1,500 to 3,000 tokens a page. Anthropic takes neither audio nor video.
  anthropic: { page: 3000, audio: 10, video: VIDEO },
  // The guide to documents: 258 tokens a page.
  gemini: { page: 258, audio: 32, video: VIDEO },
};

/** Bytes of a page, and of a second, of files that don't say how many they have: as of a scan, of 64 kbit/s and of 1 Mbit/s. */
export const USUAL_BYTES: Rates = { page: 50_000, audio: 8000, video: 125_000 };
