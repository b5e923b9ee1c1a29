import { mediaTypeIn } from '../formats/files.js';
import { optionsOf } from '../formats/unsent.js';
import { CONTENT } from '../generated/layout.js';
import native from '../native.js';
import { imageSize } from './image-size.js';
import { pagesOf } from './pdf.js';
import { RATES, USUAL_BYTES } from './rates.js';
import { secondsOf } from './seconds.js';
import type { Foreign, Provider } from '../types.js';

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

const { IMAGE, MEDIA, LOW_DETAIL, TOKENS } = CONTENT;

/** Members of a block in which a file may stand, with its type. */
const HOLDERS = ['source', 'inlineData', 'fileData', 'file', 'input_audio', 'audio', 'data', 'image', 'image_url', 'video_url'];
/** Members that are the data of a file, or refer to it. */
const VALUES = ['data', 'image', 'image_url', 'url', 'file_data', 'file', 'audio', 'video_url', 'value'];

const isBytes = (value: unknown) => ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
const isHolder = (value: Foreign) => value !== null && typeof value === 'object' && !isBytes(value) && !(value instanceof URL);

/**
 * Reads a block that holds media.
 *
 * @param provider by whose rules it is counted
 * @returns a text document is its text, to be counted
 */
export function mediaOf(block: any, provider: Provider): Media | string {
  const holder = isHolder(block) ? (HOLDERS.map((key) => block[key]).find(isHolder) ?? block) : undefined;
  const given = givenText(block, holder);
  if (given !== undefined) return given;
  // The detail stands beside the URL, inside the same object, or in the AI SDK's options for OpenAI.
  const told = provider === 'openai' ? optionsOf(block ?? {}).openai?.imageDetail : undefined;
  const isLowDetail = (block?.image_url?.detail ?? block?.detail ?? told) === 'low';
  const value = holder && VALUES.map((key) => holder[key]).find((one) => typeof one === 'string' || isBytes(one) || one instanceof URL);
  const data = inlineData(value);
  const type = typeOf(block, holder, value);
  const kind = kindOf(type, data, block);
  const bytes = typeof data === 'string' ? data.length : 4 * Math.ceil((data?.length ?? 0) / 3);
  if (kind === 'image') {
    const size = data === undefined ? undefined : imageSize(data);
    return { kind, bytes, size, isLowDetail, isKnown: size !== undefined };
  }
  const clip = kind === 'video' ? clipSeconds(block.videoMetadata) : undefined;
  if (data === undefined && clip === undefined) {
    // Of what is only referred to, a page is the least; nothing is known of a sound.
    const tokens = kind === 'page' || kind === 'text' ? RATES[provider].page : undefined;
    return { kind, bytes, size: undefined, isLowDetail, tokens, isKnown: false };
  }
  if (kind === 'text') return bufferOf(data ?? '').toString('utf8');
  const read = lengthOf(kind, data ?? '', holder, type);
  const length = clip ?? read.length;
  const tokens = Math.ceil(Math.max(1, length ?? Math.ceil(read.bytes / USUAL_BYTES[kind])) * RATES[provider][kind]);
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
function clipSeconds(clip: Foreign) {
  const length = Number.parseFloat(clip?.endOffset) - Number.parseFloat(clip?.startOffset ?? '0s');
  return length > 0 ? length : undefined;
}

/** The text of a document that is given as one, with what is said of it. */
function givenText(block: Foreign, holder: Foreign) {
  const isText = holder?.type === 'text' || holder?.type === 'text-plain' || holder?.source_type === 'text';
  const text = isText ? (holder.data ?? holder.text) : holder?.type === 'content' ? contentOfDocument(holder.content) : undefined;
  if (typeof text !== 'string') return undefined;
  return [block.title, block.context, text].filter((one) => typeof one === 'string' && one !== '').join('\n');
}

/** A document of Anthropic's that is made of blocks. */
const contentOfDocument = (content: Foreign) =>
  Array.isArray(content) ? content.map((block) => (typeof block?.text === 'string' ? block.text : '')).join('\n') : content;

const ENDINGS: Record<string, string> = { pdf: 'application/pdf', wav: 'audio/wav', mp3: 'audio/mp3', mp4: 'video/mp4' };
const TEXT_ENDINGS = /\.(?:txt|md|csv|tsv|json|jsonl|xml|html?|ya?ml|toml|[cm]?[jt]sx?|py|rs|go|java|rb|sh|sql|css|log)$/i;

/** The media type of a file, by what stands beside it, its URL or its name; empty where nothing says it. */
function typeOf(block: Foreign, holder: Foreign, value: Foreign) {
  const said = mediaTypeIn(holder) ?? mediaTypeIn(block);
  if (said !== undefined && said !== 'application/octet-stream') return said;
  const url = value instanceof URL ? value.href : value;
  if (typeof url === 'string' && url.startsWith('data:')) return /^data:([\w./+-]*)/.exec(url.slice(0, 200))?.[1] ?? '';
  // OpenAI's sounds.
  const format = holder?.format ?? block?.format;
  if (typeof format === 'string') return `audio/${format}`;
  const name = [holder?.filename, block?.filename, holder?.displayName, holder?.fileUri].find((one) => typeof one === 'string') ?? '';
  if (TEXT_ENDINGS.test(name)) return 'text/plain';
  return ENDINGS[/\.(\w{3})$/.exec(name)?.[1].toLowerCase() ?? ''] ?? '';
}

const TEXT =
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|jsonl|x-ndjson|xml|ya?ml|x-yaml|toml|javascript|typescript|x-sh|sql|csv|graphql|rtf)\b)/;

function kindOf(type: string, data: string | Uint8Array | undefined, block: Foreign): Kind {
  if (TEXT.test(type)) return 'text';
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

/** The bytes or the base64 text of what is sent inline; `undefined` for what is only referred to. */
function inlineData(value: Foreign): string | Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  const text = value instanceof URL ? value.href : value;
  if (typeof text !== 'string') return undefined;
  if (!text.startsWith('data:')) return /^[a-z][a-z+.-]*:/i.test(text.slice(0, 20)) ? undefined : text;
  const head = text.slice(0, 200);
  const comma = head.indexOf(',');
  if (comma < 0) return undefined;
  const rest = text.slice(comma + 1);
  return head.slice(0, comma).endsWith(';base64') ? rest : Buffer.from(unescaped(rest), 'utf8');
}

function unescaped(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

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
