// What a request holds beside its tokens: bytes, images, documents and their pages.

import { getIn } from '../providers/shared/copy.js';
import { filesIn, isFileData } from '../providers/shared/files.js';
import { pace } from '../steps.js';
import { mediaOf } from '../tokens/media.js';
import { providerOf } from '../tokens/provider.js';
import { MANY_IMAGES } from './figures.js';
import type { Format, Part, Provider } from '../types.js';
import type { Steps } from '../steps.js';
import type { Figures } from './figures.js';

/** What counts towards the limits of a request. Those of a request are the sums of those of its messages. */
export interface Load {
  /** of the JSON in UTF-8; of a part those of its files alone */
  bytes: number;
  images: number;
  documents: number;
  /** of documents */
  pages: number;
  /** images with more bytes than one may have */
  heavy: number;
  /** images with a side longer than one may have */
  wide: number;
  /** images with a side longer than one of many may have */
  wideOfMany: number;
}

export const NOTHING: Load = { bytes: 0, images: 0, documents: 0, pages: 0, heavy: 0, wide: 0, wideOfMany: 0 };

/** `a` and `sign` times `b`. */
export function added(a: Load, b: Load, sign = 1): Load {
  return {
    bytes: a.bytes + sign * b.bytes,
    images: a.images + sign * b.images,
    documents: a.documents + sign * b.documents,
    pages: a.pages + sign * b.pages,
    heavy: a.heavy + sign * b.heavy,
    wide: a.wide + sign * b.wide,
    wideOfMany: a.wideOfMany + sign * b.wideOfMany,
  };
}

/** A limit that a request exceeds. */
export interface Excess {
  name: keyof Figures;
  /** what there is of it; of sizes of one image the images that exceed it */
  count: number;
  limit: number;
}

/** How much of each limit's a request holds: where that is more than `limit`, it is refused. */
export function amountsOf({ bytes, images, documents, pages, heavy, wide, wideOfMany }: Load, many = MANY_IMAGES) {
  return {
    bytes,
    images,
    documents,
    pages,
    media: images + pages,
    imageBytes: heavy,
    imagePixels: wide,
    manyImagePixels: images > many ? wideOfMany : 0,
  };
}

/** Limits of one image, of which none may exceed them. */
const OF_ONE = new Set<string>(['imageBytes', 'imagePixels', 'manyImagePixels']);

/**
 * The limits that a request exceeds.
 *
 * @param share of what may be of a sum; 1: all of it
 */
export function excessesOf(load: Load, figures: Figures, share = 1): Excess[] {
  if (load.images === 0 && load.documents === 0 && load.bytes <= (figures.bytes ?? Infinity) * share) return [];
  const amounts = amountsOf(load, Math.floor(MANY_IMAGES * share));
  const excesses: Excess[] = [];
  for (const name of Object.keys(amounts) as (keyof typeof amounts)[]) {
    const limit = figures[name];
    if (limit === undefined) continue;
    const most = OF_ONE.has(name) ? 0 : share === 1 ? limit : Math.floor(limit * share);
    if (amounts[name] > most) excesses.push({ name, count: amounts[name], limit });
  }
  return excesses;
}

/** The load of a part: of the files in it. Undefined where there are none. */
export function loadOfPart(part: Part, message: object, provider: Provider, figures: Figures): Load | undefined {
  const { kind, text } = part;
  // Reasoning without a text may be a file.
  if (part.unsent || !(kind === 'media' || kind === 'opaque' || (kind === 'reasoning' && text === ''))) return undefined;
  const value: unknown = getIn(message, part.path);
  const blocks: object[] = kind === 'media' ? [value as object] : filesIn(value);
  if (blocks.length === 0) return undefined;
  const load = { ...NOTHING };
  for (const block of blocks) {
    const media = mediaOf(block, provider);
    if (typeof media === 'string') load.documents++;
    else {
      load.bytes += media.bytes;
      if (media.kind === 'page') load.documents++;
      load.pages += media.pages ?? 0;
      if (media.kind !== 'image') continue;
      const side = Math.max(...(media.size ?? [0]));
      load.images++;
      if (media.bytes > (figures.imageBytes ?? Infinity)) load.heavy++;
      if (side > (figures.imagePixels ?? Infinity)) load.wide++;
      if (side > (figures.manyImagePixels ?? Infinity)) load.wideOfMany++;
    }
  }
  return load;
}

/** The loads of parts with files, each with the part's index, in steps. */
export function* partLoads(
  messages: readonly object[],
  parts: readonly Part[],
  provider: Provider,
  figures: Figures,
): Steps<Map<number, Load>> {
  const loads = new Map<number, Load>();
  for (let index = 0; index < parts.length; index++) {
    if (pace.isDue) yield;
    const load = loadOfPart(parts[index], messages[parts[index].message], provider, figures);
    if (load !== undefined) loads.set(index, load);
  }
  return loads;
}

/** How the bytes of a text in JSON are found: as they are, or as many as they may be, which costs nothing. */
export type Weight = 'exact' | 'bound';

/** The load of a message; its bytes by `weight`, with the comma or bracket behind it. */
export function loadOf(message: object, format: Format, figures: Figures, weight: Weight): Load {
  const { bytes: own, mayHoldFiles } = weighed(message, weight);
  const bytes = own + 1;
  if (!mayHoldFiles) return { ...NOTHING, bytes };
  let load = NOTHING;
  for (const part of format.read([message])) {
    const files = loadOfPart(part, message, providerOf(format), figures);
    if (files !== undefined) load = added(load, files);
  }
  return { ...load, bytes };
}

/** What says that an object may be a file, or hold one: its type, or a member. */
const FILE_TYPE = /image|document|file|media|audio|video|screenshot/;
const FILE_KEYS = new Set(['inlineData', 'inline_data', 'fileData', 'file_data', 'images', 'audio']);
/** Bytes that a UTF-16 code unit may have in JSON: `\u0000`. */
const MOST_OF_UNIT = 6;

/** The bytes of a value's JSON in UTF-8, and whether there may be files in it. What can't be sent as JSON has none. */
export function weighed(value: unknown, weight: Weight): { bytes: number; mayHoldFiles: boolean } {
  const weigher = new Weigher(weight);
  try {
    return { bytes: weigher.bytesOf(value) ?? 0, mayHoldFiles: weigher.mayHoldFiles };
  } catch {
    // A circle, or a getter that throws.
    return { bytes: 0, mayHoldFiles: true };
  }
}

/** A load whose bytes are exact where they may be too many. */
export function exactly(figures: Figures, loadBy: (weight: Weight) => Load) {
  const bound = loadBy('bound');
  return bound.bytes <= (figures.bytes ?? Infinity) ? bound : loadBy('exact');
}

/** Bytes of what is sent beside the messages, and of the bracket before them. */
export const besideOf = (weight: Weight, ...values: unknown[]) =>
  values.reduce((sum: number, value) => sum + (value == null ? 0 : weighed(value, weight).bytes), 1);

class Weigher {
  mayHoldFiles = false;
  #isExact;

  constructor(weight: Weight) {
    this.#isExact = weight === 'exact';
  }

  /** Undefined for what JSON leaves out. */
  bytesOf(value: unknown): number | undefined {
    if (typeof value === 'string') {
      if (!isFileData(value)) return this.#ofText(value);
      this.mayHoldFiles = true;
      // Base64 and URLs have nothing to escape.
      return Buffer.byteLength(value) + 2;
    }
    if (value === null) return 4;
    if (typeof value !== 'object') return JSON.stringify(value)?.length;
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
      this.mayHoldFiles = true;
      // SDKs send it as base64.
      return 4 * Math.ceil(value.byteLength / 3) + 2;
    }
    const object = value as Record<string, unknown>;
    if (typeof object.toJSON === 'function') return this.bytesOf(object.toJSON());
    return 2 + Math.max(0, Array.isArray(value) ? this.#ofItems(value) : this.#ofMembers(object));
  }

  #ofText(text: string) {
    return this.#isExact ? Buffer.byteLength(JSON.stringify(text)) : MOST_OF_UNIT * text.length + 2;
  }

  #ofItems(items: readonly unknown[]) {
    let bytes = items.length - 1;
    for (const item of items) bytes += this.bytesOf(item) ?? 4;
    return bytes;
  }

  #ofMembers(object: Record<string, unknown>) {
    let bytes = -1;
    for (const key of Object.keys(object)) {
      const inner = object[key];
      const size = this.bytesOf(inner);
      if (size === undefined) continue;
      // With its colon and the comma before it.
      bytes += this.#ofText(key) + size + 2;
      this.mayHoldFiles ||= FILE_KEYS.has(key) || (key === 'type' && typeof inner === 'string' && FILE_TYPE.test(inner));
    }
    return bytes;
  }
}
