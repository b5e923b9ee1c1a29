import { figuresOf } from '../limits/figures.js';
import { added, besideOf, excessesOf, loadOf, NOTHING, weighed } from '../limits/load.js';
import { pace } from '../steps.js';
import type { Figures } from '../limits/figures.js';
import type { Weight } from '../limits/load.js';
import type { Model } from '../models.js';
import type { Recalled } from '../tokens/recalled.js';
import type { FitSettings } from '../../index.js';
import type { Format } from '../types.js';
import type { Steps } from '../steps.js';
import type { Conversation } from './earlier.js';
import type { Exceeding } from './limited.js';

/**
 * What a conversation exceeds of the limits of a request beside tokens, in steps; undefined if it keeps them.
 *
 * @param options of `fit`, checked
 * @param model the model that they name
 * @param counts where what is known of its messages is remembered
 */
export function* exceedingIn(
  conversation: Conversation,
  options: FitSettings<object>,
  model: Model | undefined,
  counts: Recalled | undefined,
): Steps<Exceeding | undefined> {
  const figures = figuresOf(conversation.format, options, model);
  if (figures === undefined) return undefined;
  const { system, tools } = options;
  // Few messages have files, and few requests are long.
  if (counts !== undefined && counts.light + besideOf('bound', system, tools) <= (figures.bytes ?? Infinity)) return undefined;
  const loading = function* (weight: Weight) {
    return added(yield* weighing(conversation, figures, counts, weight), { ...NOTHING, bytes: besideOf(weight, system, tools) });
  };
  const bound = yield* loading('bound');
  const load = bound.bytes <= (figures.bytes ?? Infinity) ? bound : yield* loading('exact');
  return excessesOf(load, figures).length === 0 ? undefined : { figures, load, beside: besideOf('exact', system, tools), share: 1 };
}

function* weighing({ messages, format }: Conversation, figures: Figures, counts: Recalled | undefined, weight: Weight) {
  let load = NOTHING;
  for (let index = 0; index < messages.length; index++) {
    if (pace.isDue) yield;
    const known = weight === 'bound' ? counts?.memoryAt(index) : undefined;
    if (known !== undefined && known.light === undefined) {
      const { bytes, mayHoldFiles } = weighed(messages[index], weight);
      if (!mayHoldFiles) known.light = bytes + 1;
    }
    const light = known?.light;
    load = added(load, light === undefined ? loadAt(messages, index, format, figures, weight) : { ...NOTHING, bytes: light });
  }
  return load;
}

function loadAt(messages: readonly object[], index: number, format: Format, figures: Figures, weight: Weight) {
  try {
    return loadOf(messages[index], format, figures, weight);
  } catch (error) {
    // Errors name the place among all messages.
    format.read(messages);
    throw error;
  }
}
