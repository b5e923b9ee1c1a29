import type { Foreign } from '../types.js';

/** Characters that a file in base64 has at least. */
const MIN_LENGTH = 64;
/** What base64 of a PNG, JPEG, GIF, WebP or WAV, PDF, MP3 and MP4 begins with. */
const HEADS = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi0|SUQz|AAAA[\w+/-]{2}Z0eX)[\w+/-]{32}/;
/** Types of files that are no texts. */
const BINARY = /^(?:image|audio|video)\/|^application\/pdf$/;

/** A file inside a value: its data as base64, data URL or bytes, and its type where it is said. */
export interface Inner {
  data: string | Uint8Array;
  mediaType: string | undefined;
}

/** What says the type of a file: each SDK has a name of its own. */
export const mediaTypeIn = (holder: Foreign) =>
  [holder?.mediaType, holder?.mimeType, holder?.media_type, holder?.mime_type].find((type): type is string => typeof type === 'string');

/** The file that a member of an object is; undefined if it is none. */
function fileIn(holder: Foreign, key: string): Inner | undefined {
  const data = holder[key];
  if (data instanceof Uint8Array) return { data, mediaType: mediaTypeIn(holder) };
  if (typeof data !== 'string' || data.length < MIN_LENGTH) return undefined;
  const mediaType = mediaTypeIn(holder);
  if (data.startsWith('data:') || HEADS.test(data)) return { data, mediaType };
  return key === 'data' && mediaType !== undefined && BINARY.test(mediaType) ? { data, mediaType } : undefined;
}

/**
 * The length of a value's JSON in UTF-16 code units without the data of files in it, and these files.
 *
 * @param value cycles and BigInts can't be sent as JSON: they have none
 */
export function weigh(value: Foreign): { units: number; files: Inner[] } {
  const files: Inner[] = [];
  try {
    const json = JSON.stringify(value, function (this: Foreign, key, inner) {
      const file = typeof inner === 'string' ? inner.length >= MIN_LENGTH && fileIn(this, key) : isBytes(this[key]) && fileIn(this, key);
      if (!file) return inner;
      files.push(file);
      return '';
    });
    return { units: json?.length ?? 0, files };
  } catch {
    return { units: 0, files: [] };
  }
}

const isBytes = (value: unknown) => value instanceof Uint8Array;

/** Whether there are files in a value. */
export const holdsFile = (value: Foreign) => typeof value === 'object' && value !== null && weigh(value).files.length > 0;
