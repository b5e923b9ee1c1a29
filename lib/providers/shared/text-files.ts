// Files that are texts, inline in a block: as a data URL, base64 or bytes.
import { mediaTypeIn } from './files.js';
import type { Typed } from './files.js';
import type { Fields } from './shapes.js';
import type { Foreign, Path } from '../../types.js';

/** Members of a block in which a file may stand, with its type. */
const HOLDERS = [
  'source',
  'inlineData',
  'inline_data',
  'fileData',
  'file_data',
  'file',
  'input_audio',
  'audio',
  'data',
  'image',
  'image_url',
  'video_url',
];
/** Members that are the data of a file, or refer to it. */
const VALUES = ['data', 'image', 'image_url', 'url', 'file_data', 'file', 'audio', 'video_url', 'value'];

/** Data of a file whose text can be read. */
export type TextData = string | Uint8Array | ArrayBuffer | URL;
type Data = TextData | ArrayBufferView;

const isBytes = (value: unknown): value is ArrayBufferView | ArrayBuffer => ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
const isHolder = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !isBytes(value) && !(value instanceof URL);
const isData = (value: unknown) => typeof value === 'string' || isBytes(value) || value instanceof URL;

/** What holds the data of a block's file, these data, and the path to them; undefined for what is no block. */
export function fileOf(block: unknown): { holder: Foreign; value: Data | undefined; path: Path } | undefined {
  if (!isHolder(block)) return undefined;
  const inner = HOLDERS.find((key) => isHolder(block[key]));
  const holder: Fields = inner === undefined ? block : (block[inner] as Fields);
  const key = VALUES.find((one) => isData(holder[one]));
  return { holder, value: key && (holder[key] as Data), path: [inner, key].filter((step) => step !== undefined) };
}

const ENDINGS: Record<string, string> = { pdf: 'application/pdf', wav: 'audio/wav', mp3: 'audio/mp3', mp4: 'video/mp4' };
const TEXT_ENDINGS = /\.(?:txt|md|csv|tsv|json|jsonl|xml|html?|ya?ml|toml|[cm]?[jt]sx?|py|rs|go|java|rb|sh|sql|css|log)$/i;

/** What may say of a file what it is, and whether it is cited. */
interface Block extends Typed {
  type?: unknown;
  format?: unknown;
  filename?: unknown;
  displayName?: unknown;
  fileUri?: unknown;
  file_uri?: unknown;
  citations?: { enabled?: unknown } | null;
}

/** The media type of a file, by what stands beside it, its URL or its name; empty where nothing says it. */
export function typeOf(block: Block | null | undefined, holder: Block | null | undefined, value: unknown) {
  const said = mediaTypeIn(holder) ?? mediaTypeIn(block);
  if (said !== undefined && said !== 'application/octet-stream') return said;
  const url = value instanceof URL ? value.href : value;
  if (typeof url === 'string' && url.startsWith('data:')) return /^data:([\w./+-]*)/.exec(url.slice(0, 200))?.[1] ?? '';
  // OpenAI's sounds.
  const format = holder?.format ?? block?.format;
  if (typeof format === 'string') return `audio/${format}`;
  const name =
    [holder?.filename, block?.filename, holder?.displayName, holder?.fileUri, holder?.file_uri].find(
      (one): one is string => typeof one === 'string',
    ) ?? '';
  if (TEXT_ENDINGS.test(name)) return 'text/plain';
  return ENDINGS[/\.(\w{3})$/.exec(name)?.[1].toLowerCase() ?? ''] ?? '';
}

const TEXT =
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|jsonl|x-ndjson|xml|ya?ml|x-yaml|toml|javascript|typescript|x-sh|sql|csv|graphql|rtf)\b)/;

/** Whether a file of a media type is a text. */
export const isTextType = (type: string) => TEXT.test(type);

/** Where the head of a data URL ends, at its comma; -1 for any other text. */
const headEnd = (text: string) => (text.startsWith('data:') ? text.slice(0, 200).indexOf(',') : -1);
const isBase64 = (head: string) => head.endsWith(';base64');

/** The bytes or the base64 text of what is sent inline; `undefined` for what is only referred to. */
export function inlineData(value: unknown): string | Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  const text = value instanceof URL ? value.href : value;
  if (typeof text !== 'string') return undefined;
  if (!text.startsWith('data:')) return /^[a-z][a-z+.-]*:/i.test(text.slice(0, 20)) ? undefined : text;
  const comma = headEnd(text);
  if (comma < 0) return undefined;
  const rest = text.slice(comma + 1);
  return isBase64(text.slice(0, comma)) ? rest : Buffer.from(unescaped(rest) ?? rest, 'utf8');
}

function unescaped(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** What says another encoding than UTF-8. */
const OTHER_CHARSET = /;\s*charset=(?!"?utf-?8\b)/i;

/** The texts of files that were read, by the block: a session reads it at many steps. */
const texts = new WeakMap<object, { value: Data; text: string | undefined }>();

/** The text of a block's file, with the path to its data; undefined for what is no text in UTF-8, or only referred to. */
export function fileText(block: Block): { path: Path; text: string } | undefined {
  const file = fileOf(block);
  // Answers cite such a document by the place of characters, and quote it.
  if (file?.value === undefined || block.citations?.enabled === true) return undefined;
  const { value, path } = file;
  const holder: Block = file.holder;
  const type = typeOf(block, holder, value);
  if (!isTextType(type) || OTHER_CHARSET.test(type)) return undefined;
  const known = texts.get(block);
  const text = known !== undefined && known.value === value ? known.text : decoded(value);
  // Bytes may be changed in place.
  if (typeof value === 'string') texts.set(block, { value, text });
  return text === undefined || text === '' ? undefined : { path, text };
}

/** The text of a file's data. What is not valid can't be written again as it was. */
function decoded(value: Data): string | undefined {
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) return utf8(inlineData(value) as Uint8Array);
  if (isBytes(value)) return undefined;
  const url = value instanceof URL ? value.href : value;
  const comma = headEnd(url);
  const head = url.slice(0, Math.max(comma, 0));
  if (OTHER_CHARSET.test(head)) return undefined;
  if (comma >= 0 && !isBase64(head)) return unescaped(url.slice(comma + 1));
  const data = inlineData(url) as string | undefined;
  if (data === undefined) return undefined;
  const bytes = Buffer.from(data, 'base64');
  return bytes.toString('base64') === data ? utf8(bytes) : undefined;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function utf8(bytes: Uint8Array) {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Data of a file as they were given, a data URL, base64 or bytes, with another text. */
export function dataWith(before: TextData, text: string): TextData {
  const bytes = Buffer.from(text);
  if (Buffer.isBuffer(before)) return bytes;
  if (before instanceof Uint8Array) return new Uint8Array(bytes);
  if (before instanceof ArrayBuffer) return new Uint8Array(bytes).buffer;
  if (before instanceof URL) return new URL(dataWith(before.href, text) as string);
  const head = before.slice(0, headEnd(before) + 1);
  const isEscaped = head !== '' && !isBase64(head.slice(0, -1));
  // Half of a surrogate pair can't be escaped.
  return head + (isEscaped ? encodeURIComponent(bytes.toString()) : bytes.toString('base64'));
}
