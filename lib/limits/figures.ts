// What a request may hold beside its tokens: as its provider says in `lib/providers/`, and the caller.

import { ofVendor } from '../providers/index.js';
import type { Model } from '../models.js';
import type { Format } from '../types.js';
import type { RequestLimits } from '../../index.js';

/** The figures that hold for a request: those that are absent limit nothing. */
export type Figures = { [Name in keyof RequestLimits]?: number };

/** A request with more images than these is one of many, whose images have to be smaller. */
export const MANY_IMAGES = 20;

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
  const figures: Figures = provider === undefined ? {} : { ...ofVendor(provider).limits(model?.window ?? window ?? limit ?? 0) };
  for (const [name, figure] of Object.entries(requestLimits ?? {})) if (figure != null) figures[name as keyof Figures] = figure;
  return Object.values(figures).every((figure) => figure === Infinity) ? undefined : figures;
}
