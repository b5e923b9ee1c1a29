import { CONTENT } from '../generated/layout.js';
import native from '../native.js';
import { imageSize } from './image-size.js';
import type { Foreign } from '../types.js';

/** An image, a document or a sound. */
export interface Media {
  /** in pixels, where the header of an image says it */
  size: [width: number, height: number] | undefined;
  /** whether the model is to look at it in low detail */
  isLowDetail: boolean;
}

const { IMAGE, MEDIA, LOW_DETAIL } = CONTENT;

/**
 * Reads a block that holds media.
 *
 * @returns a text document is its text, to be counted
 */
export function mediaOf(block: any): Media | string {
  const source =
    block?.source ?? block?.inlineData ?? block?.file ?? block?.input_audio ?? tagged(block?.data) ?? dataOf(block?.image) ?? block;
  if (source?.type === 'text') {
    const text = source.data ?? source.text;
    if (typeof text === 'string') return text;
  }
  // The detail stands beside the URL, or inside the same object.
  const isLowDetail = (block?.image_url?.detail ?? block?.detail) === 'low';
  const data = inlineData(
    source?.data ??
      (source?.type === 'data' ? source.value : undefined) ??
      source?.image ??
      block?.image_url?.url ??
      block?.image_url ??
      source?.url ??
      source?.file_data,
  );
  return { size: data === undefined ? undefined : imageSize(data), isLowDetail };
}

/** The data of a file as the AI SDK's providers are given it from version 7 on: `{ type: 'data', data }`, `{ type: 'url', url }` and others. */
const tagged = (data: Foreign) => (typeof data?.type === 'string' ? data : undefined);

/** The image of a tool in OpenAI's Agents SDK: `{ data, mediaType }`. */
const dataOf = (image: Foreign) => (typeof image?.mediaType === 'string' || typeof image?.data === 'string' ? image : undefined);

/** The bytes or the base64 text of what is sent inline; `undefined` for what is only referred to. */
function inlineData(value: Foreign) {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  const text = value instanceof URL ? value.href : value;
  if (typeof text !== 'string') return undefined;
  if (!text.startsWith('data:')) return /^[a-z][a-z+.-]*:/i.test(text.slice(0, 20)) ? undefined : text;
  const comma = text.slice(0, 200).indexOf(',');
  return comma < 0 ? undefined : text.slice(comma + 1);
}

/** Media as the engine takes them. */
export function contentOf({ size, isLowDetail }: Media): [what: number, width: number, height: number] {
  const [width, height] = size ?? [0, 0];
  return [(size === undefined ? MEDIA : IMAGE) | (isLowDetail ? LOW_DETAIL : 0), width, height];
}

/** The tokens of each of some media. */
export const mediaTokens = (media: readonly Media[], provider: 'openai' | 'anthropic' | 'gemini') =>
  native.mediaTokens(provider, Int32Array.from(media.flatMap(contentOf)));
