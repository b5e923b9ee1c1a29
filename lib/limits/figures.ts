// What a request may hold beside its tokens, by provider, as of 2026-11-27. docs/reference/kinds.md has the same table, with the sources. Where a provider
// documents nothing there is no figure.

import type { Model } from '../models.js';
import type { Format, Provider } from '../types.js';
import type { RequestLimits } from '../../index.js';

/** The figures that hold for a request: those that are absent limit nothing. */
export type Figures = { [Name in keyof RequestLimits]?: number };

/** A request with more images than these is one of many, whose images have to be smaller. */
export const MANY_IMAGES = 20;

/** Tokens of a window up to which a model of Anthropic's takes {@link ANTHROPIC_MEDIA} images and pages; a larger one takes more. */
const ANTHROPIC_WINDOW = 200_000;
const ANTHROPIC_MEDIA = 100;
const ANTHROPIC_MEDIA_OF_LARGE = 600;

const FIGURES: Record<Provider, Figures> = {
  anthropic: { bytes: 32e6, media: ANTHROPIC_MEDIA, imageBytes: 5 * 2 ** 20, imagePixels: 8000, manyImagePixels: 2000 },
  // Of the bytes of a request there is no figure that is sure.
  openai: { images: 500 },
  gemini: { bytes: 100e6, images: 3600, pages: 1000 },
};

/** Options that say what a request may hold. */
export interface Limiting {
  requestLimits?: RequestLimits | false | null | undefined;
  window?: number | null | undefined;
  limit?: number | null | undefined;
}

/**
 * The figures that hold for requests: those of the provider whose model is named, or whose format it is, and the caller's in their place.
 *
 * @param options checked
 * @param model the model that they name
 * @returns undefined if nothing is limited
 */
export function figuresOf({ vendor }: Format, { requestLimits, window, limit }: Limiting, model?: Model): Figures | undefined {
  if (requestLimits === false) return undefined;
  const provider = model === undefined ? vendor : model.provider;
  const figures: Figures = provider === undefined ? {} : { ...FIGURES[provider] };
  const tokens = model?.window ?? window ?? limit ?? 0;
  if (provider === 'anthropic' && tokens > ANTHROPIC_WINDOW) figures.media = ANTHROPIC_MEDIA_OF_LARGE;
  for (const [name, figure] of Object.entries(requestLimits ?? {})) if (figure != null) figures[name as keyof Figures] = figure;
  return Object.values(figures).every((figure) => figure === Infinity) ? undefined : figures;
}
