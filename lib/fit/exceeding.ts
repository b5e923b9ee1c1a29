import { figuresOf } from '../limits/figures.js';
import { added, excessesOf, loadOf, NOTHING, weighed } from '../limits/load.js';
import type { Figures } from '../limits/figures.js';
import type { Model } from '../models.js';
import type { Recalled } from '../tokens/recalled.js';
import type { FitSettings } from '../../index.js';
import type { Foreign, Format } from '../types.js';
import type { Conversation } from './earlier.js';
import type { Exceeding } from './limited.js';

/**
 * What a conversation exceeds of the limits of a request beside tokens; undefined if it keeps them.
 *
 * @param options of `fit`, checked
 * @param model the model that they name
 * @param counts where what is known of its messages is remembered
 */
export function exceedingOf(
  { messages, format }: Conversation,
  options: FitSettings<Foreign>,
  model: Model | undefined,
  counts: Recalled | undefined,
): Exceeding | undefined {
  const figures = figuresOf(format.name, options, model);
  if (figures === undefined) return undefined;
  const { system, tools } = options;
  const beside = besideOf(system, tools);
  // What an image may have decides how many there are of those that have more.
  const key = `${format.name} load ${figures.imageBytes} ${figures.imagePixels} ${figures.manyImagePixels}`;
  let load = { ...NOTHING, bytes: beside };
  for (let index = 0; index < messages.length; index++) {
    const facts = counts?.memoryAt(index)?.facts;
    const own = facts?.[key] ?? loadAt(messages, index, format, figures);
    if (facts !== undefined) facts[key] = own;
    load = added(load, own);
  }
  return excessesOf(load, figures).length === 0 ? undefined : { figures, load, beside, share: 1 };
}

function loadAt(messages: readonly Foreign[], index: number, format: Format, figures: Figures) {
  try {
    return loadOf(messages[index], format, figures);
  } catch (error) {
    // Errors name the place among all messages.
    format.read(messages);
    throw error;
  }
}

/** Bytes of what is sent beside the messages. */
export const besideOf = (...values: unknown[]) =>
  values.reduce((sum: number, value) => sum + (value == null ? 0 : weighed(value).bytes), 0);
