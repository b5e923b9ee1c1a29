import { fileOf, inlineData, isTextType, typeOf } from '../providers/shared/text-files.js';
import { optionsOf } from '../providers/shared/unsent.js';
import { CONTENT } from '../generated/layout.js';
import native from '../native.js';
import { ofVendor } from '../providers/index.js';
import { imageSize } from './image-size.js';
import { pagesOf } from './pdf.js';
import { secondsOf } from './seconds.js';
import type { Provider } from '../types.js';

/** What is read of a block that holds media; `holder` in it holds its data. */
type Block =
  | {
      type?: string;
      title?: unknown;
      context?: unknown;
      detail?: unknown;
      image_url?: { detail?: unknown };
      videoMetadata?: Clip;
      video_metadata?: Clip;
    }
  | null
  | undefined;
type Holder = { type?: unknown; source_type?: unknown; data?: unknown; text?: unknown; content?: unknown };
type Clip = { startOffset?: string; endOffset?: string };

/** An image, a document or a sound. */
export interface Media {
  kind: Kind;
  /** of its data as base64; 0 where it is only referred to */
  bytes: number;
  /** of a PDF, where they are found */
  pages?: number | undefined;
  /** in pixels, where the header of an image says it */
  size: [width: number, height: number] | undefined;
  /** whether the model is to look at it in low detail */
  isLowDetail: boolean;
  /** of a document, a sound or a film: its tokens */
  tokens?: number | undefined;
  /** whether its size or length is known, and with it its tokens */
  isKnown: boolean;
}

/** What a file is to a model. */
type Kind = 'image' | 'text' | 'page' | 'audio' | 'video';

/** Bytes of a page, and of a second, of files that don't say how many they have: as of a scan, of 64 kbit/s and of 1 Mbit/s. */
const USUAL_BYTES = { page: 50_000, audio: 8000, video: 125_000 };
const { IMAGE, MEDIA, LOW_DETAIL, TOKENS } = CONTENT;

/**
 * Reads a block that holds media.
 *
 * @param provider by whose rules it is counted
 * @returns a text document is its text, to be counted
 */
export function mediaOf(block: Block, provider: Provider): Media | string {
  const { holder, value }: { holder?: Holder; value?: unknown } = fileOf(block) ?? {};
  const given = givenText(block, holder);
  if (given !== undefined) return given;
  // The detail stands beside the URL, inside the same object, or in the AI SDK's options for OpenAI.
  const told = provider === 'openai' ? optionsOf(block ?? {}).openai?.imageDetail : undefined;
  const isLowDetail = (block?.image_url?.detail ?? block?.detail ?? told) === 'low';
  const data: string | Uint8Array | undefined = inlineData(value);
  const type = typeOf(block, holder, value);
  const kind = kindOf(type, data, block);
  const bytes = typeof data === 'string' ? data.length : 4 * Math.ceil((data?.length ?? 0) / 3);
  if (kind === 'image') {
    const size = data === undefined ? undefined : imageSize(data);
    return { kind, bytes, size, isLowDetail, isKnown: size !== undefined };
  }
  const clip = kind === 'video' ? clipSeconds(block?.videoMetadata ?? block?.video_metadata) : undefined;
  if (data === undefined && clip === undefined) {
    // Of what is only referred to, a page is the least; nothing is known of a sound.
    const tokens = kind === 'page' || kind === 'text' ? ofVendor(provider).counts.page : undefined;
    return { kind, bytes, size: undefined, isLowDetail, tokens, isKnown: false };
  }
  if (kind === 'text') return bufferOf(data ?? '').toString('utf8');
  const read = lengthOf(kind, data ?? '', holder as Holder, type);
  const length = clip ?? read.length;
  const tokens = Math.ceil(Math.max(1, length ?? Math.ceil(read.bytes / USUAL_BYTES[kind])) * ofVendor(provider).counts[kind]);
  const pages = kind === 'page' ? read.length : undefined;
  // No provider says how many tokens the text of a page has.
  return { kind, bytes, pages, size: undefined, isLowDetail, tokens, isKnown: length !== undefined && kind !== 'page' };
}

/** The lengths of documents that were read, by what holds their base64: to find the pages of one takes long. */
const documents = new WeakMap<object, { data: string; read: Length }>();
/** Pages or seconds, where they are found, and bytes of the file. */
type Length = { length: number | undefined; bytes: number };

function lengthOf(kind: 'page' | 'audio' | 'video', data: string | Uint8Array, holder: object, type: string): Length {
  const known = documents.get(holder);
  if (kind === 'page' && known?.data === data) return known.read;
  const file = bufferOf(data);
  const read = { length: kind === 'page' ? pagesOf(file) : secondsOf(file, type), bytes: file.length };
  // Bytes may be changed in place.
  if (kind === 'page' && typeof data === 'string') documents.set(holder, { data, read });
  return read;
}

/** The length of the part of a film that Gemini is to see, where its end is given: `{ startOffset: '10s', endOffset: '70s' }`. */
function clipSeconds(clip: Clip | undefined) {
  const length = Number.parseFloat(clip?.endOffset as string) - Number.parseFloat(clip?.startOffset ?? '0s');
  return length > 0 ? length : undefined;
}

/** The text of a document that is given as one, with what is said of it. */
function givenText(block: Block, holder: Holder | undefined) {
  const isText = holder?.type === 'text' || holder?.type === 'text-plain' || holder?.source_type === 'text';
  const text: unknown = isText ? (holder.data ?? holder.text) : holder?.type === 'content' ? contentOfDocument(holder.content) : undefined;
  if (typeof text !== 'string') return undefined;
  return [block?.title, block?.context, text].filter((one) => typeof one === 'string' && one !== '').join('\n');
}

/** A document of Anthropic's that is made of blocks. */
const contentOfDocument = (content: unknown) =>
  Array.isArray(content)
    ? content.map((block: { text?: unknown } | null) => (typeof block?.text === 'string' ? block.text : '')).join('\n')
    : content;

function kindOf(type: string, data: string | Uint8Array | undefined, block: Block): Kind {
  if (isTextType(type)) return 'text';
  const said = /^(image|audio|video)\b/.exec(type)?.[1] as Kind | undefined;
  if (said !== undefined) return said;
  if (type === '' && data !== undefined) {
    const head = bufferOf(typeof data === 'string' ? data.slice(0, 64) : data.subarray(0, 48)).toString('latin1', 0, 48);
    if (head.startsWith('%PDF')) return 'page';
    if (head.startsWith('ID3') || (head.startsWith('RIFF') && head.slice(8, 12) === 'WAVE')) return 'audio';
    if (head.slice(4, 8) === 'ftyp') return 'video';
    if (imageSize(data) !== undefined) return 'image';
  }
  if (type !== '') return 'page';
  const named = /audio|video|document|file/.exec(block?.type ?? '')?.[0];
  return named === undefined ? 'image' : named === 'audio' || named === 'video' ? named : 'page';
}

const bufferOf = (data: string | Uint8Array) =>
  typeof data === 'string' ? Buffer.from(data, 'base64') : Buffer.from(data.buffer, data.byteOffset, data.byteLength);

/** Media as the engine takes them. */
export function contentOf({ size, isLowDetail, tokens }: Media): [what: number, first: number, second: number] {
  if (tokens !== undefined) return [TOKENS, tokens, 0];
  const [width, height] = size ?? [0, 0];
  return [(size === undefined ? MEDIA : IMAGE) | (isLowDetail ? LOW_DETAIL : 0), width, height];
}

/** The tokens of each of some media. */
export function mediaTokens(media: readonly Media[], provider: Provider) {
  const images = media.filter(({ tokens }) => tokens === undefined);
  const counts = images.length === 0 ? [] : native.mediaTokens(provider, Int32Array.from(images.flatMap(contentOf)));
  let next = 0;
  return media.map(({ tokens }) => tokens ?? counts[next++]);
}
