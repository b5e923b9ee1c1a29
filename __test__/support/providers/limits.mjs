// What providers limit beside tokens, counted from the JSON of a request: every base64 text that is a PNG, a JPEG or a PDF counts, wherever it
// stands. Knows nothing of formats, and shares no code with the package.
import { refuse } from './refusal.mjs';

/** What LangChain's messages were made of, and the object of Gemini's that is a text to the model. */
const NO_FILES = new Set(['lc_kwargs', 'response']);
const MARKS = { png: /^iVBORw0KGgo/, jpeg: /^\/9j\//, pdf: /^JVBERi0/ };

function sizeOf(kind, bytes) {
  if (bytes.length < 24) return [0, 0];
  if (kind === 'png') return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  for (let at = 2; at + 9 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2))
    if (bytes[at + 1] === 0xc0 || bytes[at + 1] === 0xc2) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
  return [0, 0];
}

function fileOf(text) {
  const data = text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text;
  const kind = Object.keys(MARKS).find((name) => MARKS[name].test(data));
  if (kind === undefined) return undefined;
  const bytes = Buffer.from(kind === 'pdf' ? data : data.slice(0, 4000), 'base64');
  if (kind === 'pdf') return { data, pages: bytes.toString('latin1').match(/\/Type ?\/Page\b/g)?.length ?? 0 };
  return { data, sides: sizeOf(kind, bytes) };
}

/** The images and documents in a request, in order: base64 `data`, and the `sides` of an image or the `pages` of a document. */
export function filesIn(value, found = []) {
  if (value instanceof Uint8Array) return filesIn(Buffer.from(value).toString('base64'), found);
  if (typeof value === 'string') {
    const file = fileOf(value);
    if (file !== undefined) found.push(file);
  } else if (value !== null && typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) if (!NO_FILES.has(key)) filesIn(inner, found);
  }
  return found;
}

/** What a request exceeds of `limits`; null if it keeps them. */
export function limitObjection(
  messages,
  { bytes, media, images, documents, pages, imageBytes, imagePixels, manyImagePixels, bytesOf = JSON.stringify },
) {
  const files = filesIn(messages);
  const pictures = files.filter(({ sides }) => sides);
  const papers = files.filter((file) => !file.sides);
  const count = papers.reduce((sum, file) => sum + file.pages, 0);
  const longest = (file) => Math.max(...file.sides);
  if (bytes && Buffer.byteLength(bytesOf(messages)) > bytes) return 'Request exceeds the maximum size';
  if (media && count + pictures.length > media) return `Too much media: ${count} document pages + ${pictures.length} images > ${media}`;
  if (images && pictures.length > images) return `Too many images: ${pictures.length} > ${images}`;
  if (documents && papers.length > documents) return `Too many documents: ${papers.length} > ${documents}`;
  if (pages && count > pages) return `The document has ${count} pages, more than ${pages}`;
  if (imageBytes && pictures.some(({ data }) => data.length > imageBytes)) return `image exceeds the maximum: ${imageBytes} bytes`;
  if (imagePixels && pictures.some((file) => longest(file) > imagePixels))
    return `image dimensions exceed max allowed size: ${imagePixels} pixels`;
  if (manyImagePixels && pictures.length > 20 && pictures.some((file) => longest(file) > manyImagePixels))
    return `image dimensions exceed max allowed size for many-image requests: ${manyImagePixels} pixels`;
  return null;
}

/** The figures of the providers' documentation. */
export const LIMITS = {
  anthropic: { bytes: 32e6, media: 100, imageBytes: 5_242_880, imagePixels: 8000, manyImagePixels: 2000 },
  openai: { images: 500 },
  gemini: { bytes: 100e6, images: 3600, pages: 1000 },
};

/** Refuses what exceeds the limits of a provider. */
export function keepLimits(provider, messages) {
  const objection = limitObjection(messages, LIMITS[provider]);
  if (objection !== null) refuse(`messages: ${objection}`);
}
