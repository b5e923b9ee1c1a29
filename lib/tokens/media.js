'use strict';

const { imageSize } = require('./image-size.js');

/**
 * The tokens of a block that holds an image, a document or other media, by the provider's rule. A text document is returned
 * as its text, to be counted.
 *
 * @returns {number | string}
 */
function mediaTokens(block, provider) {
  const source = block?.source ?? block?.inlineData ?? block?.file ?? block?.input_audio ?? block;
  if (source?.type === 'text' && typeof source.data === 'string') return source.data;
  // The detail stands beside the URL, or inside the same object.
  const detail = block?.image_url?.detail ?? block?.detail;
  const data = inlineData(source?.data ?? source?.image ?? block?.image_url?.url ?? block?.image_url ?? source?.url ?? source?.file_data);
  const size = data === undefined ? undefined : imageSize(data);
  if (size !== undefined) return provider.image(...size, detail);
  return detail === 'low' ? provider.image(1024, 1024, detail) : provider.unknownMedia;
}

/** The bytes or the base64 text of what is sent inline; `undefined` for what is only referred to. */
function inlineData(value) {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  const text = value instanceof URL ? value.href : value;
  if (typeof text !== 'string') return undefined;
  if (!text.startsWith('data:')) return /^[a-z][a-z+.-]*:/i.test(text.slice(0, 20)) ? undefined : text;
  const comma = text.slice(0, 200).indexOf(',');
  return comma < 0 ? undefined : text.slice(comma + 1);
}

module.exports = { mediaTokens };
