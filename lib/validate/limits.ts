import { isObject } from '../checks.js';
// What a request may hold beside tokens: bytes, images, documents, pages, and the size of an image.

import { MANY_IMAGES } from '../limits/figures.js';
import { added, amountsOf, loadOfPart, NOTHING, weighed } from '../limits/load.js';
import { providerOf } from '../tokens/provider.js';
import type { Figures } from '../limits/figures.js';
import type { Load, Weight } from '../limits/load.js';
import type { Format, Part, Path } from '../types.js';
import type { Problems } from '../providers/shared/problems.js';
import type { RuleName } from '../providers/shared/rules.js';

/** Limits of all files in a request: the rule, and what is counted. */
const SUMS: { name: 'media' | 'images' | 'documents' | 'pages'; rule: RuleName; what: string }[] = [
  { name: 'media', rule: 'too-many-media', what: 'images and pages' },
  { name: 'images', rule: 'too-many-images', what: 'images' },
  { name: 'documents', rule: 'too-many-documents', what: 'documents' },
  { name: 'pages', rule: 'too-many-pages', what: 'pages' },
];

/** Where the bytes of the messages are more than the limit, and how many there are in all; undefined if they aren't. */
function tooManyBytes(messages: readonly object[], limit: number, weight: Weight) {
  // Each has a comma or a bracket behind it.
  let bytes = 1;
  let place: number | undefined;
  for (let index = 0; index < messages.length; index++) {
    bytes += weighed(messages[index], weight).bytes + 1;
    if (bytes > limit) place ??= index;
  }
  return place === undefined ? undefined : { bytes, place };
}

/** Finds what exceeds the limits. A message that can't be read has problems of its own, and its bytes. */
export function checkLimits(messages: readonly object[], format: Format, figures: Figures, problems: Problems) {
  const provider = providerOf(format);
  const files: { path: Path; load: Load }[] = [];
  /** Where each sum is first too large. */
  const places = new Map<RuleName, Path>();
  let all = NOTHING;
  const add = (load: Load, path: Path) => {
    all = added(all, load);
    const amounts = amountsOf(all);
    for (const { name, rule } of SUMS) if (amounts[name] > (figures[name] ?? Infinity) && !places.has(rule)) places.set(rule, path);
  };
  for (const [index, message] of messages.entries()) {
    if (!isObject(message) || !weighed(message, 'bound').mayHoldFiles) continue;
    for (const part of readable(format, message)) {
      const load = loadOfPart(part, message, provider, figures);
      if (load === undefined) continue;
      const path = [index, ...part.path];
      files.push({ path, load });
      add(load, path);
    }
  }
  const { bytes: limit } = figures;
  const bytes = limit === undefined || !tooManyBytes(messages, limit, 'bound') ? undefined : tooManyBytes(messages, limit, 'exact');
  if (bytes !== undefined)
    problems.add('too-many-bytes', [bytes.place], `all messages have ${bytes.bytes} bytes, and ${limit} is the limit`);
  const amounts = amountsOf(all);
  for (const { name, rule, what } of SUMS) {
    const place = places.get(rule);
    if (place !== undefined) problems.add(rule, place, `all messages have ${amounts[name]} ${what}, and ${figures[name]} is the limit`);
  }
  for (const { path, load } of files) {
    if (load.heavy > 0) problems.add('image-bytes', path, `the image has more than ${figures.imageBytes} bytes as base64`);
    if (load.wide > 0) problems.add('image-pixels', path, `a side of the image has more than ${figures.imagePixels} pixels`);
    else if (load.wideOfMany > 0 && all.images > MANY_IMAGES)
      problems.add('many-image-pixels', path, `a side of one of ${all.images} images has more than ${figures.manyImagePixels} pixels`);
  }
}

/** The parts of a message; none where it isn't what its format has. */
function readable(format: Format, message: object): Part[] {
  try {
    return format.read([message]);
  } catch {
    return [];
  }
}
