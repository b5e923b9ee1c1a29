import { getIn } from '../providers/shared/copy.js';
import { pace } from '../steps.js';
import { mediaOf, mediaTokens } from '../tokens/media.js';
import type { Part, Provider } from '../types.js';
import type { Media } from '../tokens/media.js';

/** More than the stub of an image takes. */
const STUB_TOKENS = 40;

const valueAt = (messages: readonly object[], { message, path }: Part) => getIn(messages[message], path);

/** The data of an image or document: its longest string, by which equal ones are found. */
export function mediaData(messages: readonly object[], part: Part) {
  let longest = '';
  const pending: unknown[] = [valueAt(messages, part)];
  for (let looked = 0; pending.length > 0 && looked < 100; looked++) {
    const one = pending.pop();
    if (typeof one === 'string' && one.length > longest.length) longest = one;
    // Bytes have no entries that are worth a look.
    else if (one !== null && typeof one === 'object' && !ArrayBuffer.isView(one)) pending.push(...Object.values(one).slice(0, 100));
  }
  return longest;
}

/** The parts with images and documents that take more tokens than a stub, in steps. */
export function* costlyMedia(messages: readonly object[], parts: readonly Part[], provider: Provider) {
  const costly = new Set<Part>();
  const images: Part[] = [];
  const media: Media[] = [];
  for (const part of parts) {
    if (part.kind !== 'media') continue;
    if (pace.isDue) yield;
    const read = mediaOf(valueAt(messages, part), provider);
    if (typeof read === 'string') costly.add(part);
    else {
      images.push(part);
      media.push(read);
    }
  }
  if (images.length === 0) return costly;
  mediaTokens(media, provider).forEach((tokens, index) => tokens > STUB_TOKENS && costly.add(images[index]));
  return costly;
}
