import { missingWithout } from '../agent/missing.js';
import { hintsOf } from '../providers/hints.js';
import { addressed, formatOf } from '../providers/index.js';
import { rolesOf } from '../model-of.js';
import { takeBack } from './taken-back.js';
import type { Format, Part } from '../types.js';
import type { FitSettings, Originals } from '../../index.js';
import type { Steps } from '../steps.js';
import type { MarksOf } from '../agent/missing.js';
import type { Model } from '../models.js';

/**
 * A conversation with what earlier rounds took out put back. Thinking that was signed after such a round is only valid behind what was
 * sent then. Where something before it would be put back, `thinking: 'strip'` takes the thinking out, `'leave'` leaves it where it is, and
 * with `'keep'` nothing is put back.
 *
 * @param options of `fit`, checked
 * @param provider the model's
 */
export interface Conversation {
  messages: object[];
  /** absent if they were not read yet */
  parts?: Part[];
  format: Format;
  /** the first message whose signed thinking was made behind something else; Infinity where there is none */
  stale: number;
  /** the originals that are still needed to restore `messages` */
  carried: Originals;
  /** names what can't be restored, as `restore` does; in steps */
  missing: (marksOf: MarksOf) => Steps<string[]>;
}
export function takeUp(messages: readonly object[], options: FitSettings<object>, model?: Model): Conversation {
  // The array may have grown when the summaries are there.
  const given = messages.slice();
  const { format, tools, system, originals, thinking } = options;
  const roles = rolesOf(options);
  const formatFor = (list: readonly object[]) =>
    addressed(formatOf(list, format ?? 'auto', hintsOf({ tools, system, provider: model?.provider })), model, { roles });
  if (originals !== undefined && originals !== null) return takeBack(given, { originals, thinking }, formatFor);
  return {
    messages: given,
    format: formatFor(given),
    stale: Infinity,
    carried: {},
    missing: (marksOf: MarksOf) => missingWithout(given, marksOf),
  };
}
