import { hasMembers } from '../../checks.js';
import type { Fields } from './shapes.js';

/** Characters that a file in base64 has at least. */
const MIN_LENGTH = 64;
/** What base64 of a PNG, JPEG, GIF, WebP or WAV, PDF, MP3 and MP4 begins with. */
const HEADS = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi0|SUQz|AAAA[\w+/-]{2}Z0eX)[\w+/-]{32}/;
const DATA_URL = /^data:[\w.+-]+\/[\w.+-]+[;,]/;
/** Types of files that are no texts. */
const BINARY = /^(?:image|audio|video)\/|^application\/pdf$/;

/** A file inside a value: its data as base64, data URL or bytes, and its type where it is said. */
export interface Inner {
  data: string | Uint8Array;
  mediaType: string | undefined;
}

/** What says the type of a file: each SDK has a name of its own. */
export interface Typed {
  mediaType?: unknown;
  mimeType?: unknown;
  media_type?: unknown;
  mime_type?: unknown;
}

export const mediaTypeIn = (holder: Typed | null | undefined) =>
  [holder?.mediaType, holder?.mimeType, holder?.media_type, holder?.mime_type].find((type): type is string => typeof type === 'string');

/** Whether a text is a file: base64 of a known kind, or a data URL. */
export const isFileData = (text: string) => text.length >= MIN_LENGTH && (DATA_URL.test(text) || HEADS.test(text));

/** The file that a member of an object is; undefined if it is none. */
function fileIn(holder: Fields, key: string): Inner | undefined {
  const value = holder[key];
  const data = value instanceof URL ? value.href : value;
  if (data instanceof Uint8Array) return { data, mediaType: mediaTypeIn(holder) };
  if (typeof data !== 'string' || data.length < MIN_LENGTH) return undefined;
  const mediaType = mediaTypeIn(holder);
  if (isFileData(data)) return { data, mediaType };
  return key === 'data' && mediaType !== undefined && BINARY.test(mediaType) ? { data, mediaType } : undefined;
}

/** Values up to which one is looked through for files, before all of it is. */
const EASY_VALUES = 10_000;

/** Whether there may be files in a value: a look is faster than JSON that asks about each member. */
function mayHold(value: Fields, room: { values: number }): boolean {
  for (const key in value) {
    const inner = value[key];
    if (--room.values < 0) return true;
    if (
      typeof inner === 'string'
        ? inner.length >= MIN_LENGTH && fileIn(value, key) !== undefined
        : hasMembers(inner) && ((inner as object) instanceof Uint8Array || mayHold(inner, room))
    )
      return true;
  }
  return false;
}

/** The files in a value. */
export const filesIn = (value: unknown) => (hasMembers(value) && mayHold(value, { values: EASY_VALUES }) ? weigh(value).files : []);

/** Whether there are files in a value. */
export const holdsFile = (value: unknown) => filesIn(value).length > 0;

/**
 * The length of a value's JSON in UTF-16 code units without the data of files in it, and these files.
 *
 * @param value cycles and BigInts can't be sent as JSON: they have none
 */
export function weigh(value: unknown): { units: number; files: Inner[] } {
  const files: Inner[] = [];
  const without = function (this: Fields, key: string, inner: unknown) {
    const isWhole = typeof inner === 'string' ? inner.length < MIN_LENGTH : !(this[key] instanceof Uint8Array);
    const file = isWhole ? undefined : fileIn(this, key);
    if (file === undefined) return inner;
    files.push(file);
    return '';
  };
  try {
    const isEasy = hasMembers(value) && !mayHold(value, { values: EASY_VALUES });
    return { units: (isEasy ? JSON.stringify(value) : JSON.stringify(value, without))?.length ?? 0, files };
  } catch {
    return { units: 0, files: [] };
  }
}
