/**
 * The width and height in pixels that the header of an image says, or `undefined` where it is none that is known here.
 * Reads a few bytes, however large the image is.
 *
 * @param data the file, or its base64 (or base64url) text
 */
export function imageSize(data: string | Uint8Array): [width: number, height: number] | undefined {
  const read = reader(data);
  const size = pngSize(read) ?? gifSize(read) ?? webpSize(read) ?? jpegSize(read);
  return size && size[0] > 0 && size[1] > 0 ? size : undefined;
}

/** Reads bytes at an offset; undefined where the file has no more. */
type Read = (offset: number, length: number) => Bytes | undefined;
type Bytes = Buffer & { latin1Slice(start: number, end: number): string };

function reader(data: string | Uint8Array): Read {
  if (typeof data !== 'string') {
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    return (offset, length) => (offset + length <= bytes.length ? (bytes.subarray(offset, offset + length) as Bytes) : undefined);
  }
  return (offset, length) => {
    // Four characters hold three bytes.
    const first = Math.floor(offset / 3);
    const last = Math.ceil((offset + length) / 3);
    const bytes = Buffer.from(data.slice(4 * first, 4 * last), 'base64').subarray(offset - 3 * first, offset - 3 * first + length);
    return bytes.length === length ? (bytes as Bytes) : undefined;
  };
}

function pngSize(read: Read): [width: number, height: number] | undefined {
  const bytes = read(0, 24);
  if (bytes?.latin1Slice(0, 8) !== '\x89PNG\r\n\x1a\n') return undefined;
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

function gifSize(read: Read): [width: number, height: number] | undefined {
  const bytes = read(0, 10);
  return bytes?.latin1Slice(0, 4) === 'GIF8' ? [bytes.readUInt16LE(6), bytes.readUInt16LE(8)] : undefined;
}

function webpSize(read: Read): [width: number, height: number] | undefined {
  const bytes = read(0, 30);
  if (bytes?.latin1Slice(0, 4) !== 'RIFF' || bytes.latin1Slice(8, 12) !== 'WEBP') return undefined;
  switch (bytes.latin1Slice(12, 16)) {
    case 'VP8 ':
      return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
    case 'VP8L':
      return [1 + (bytes.readUInt32LE(21) & 0x3fff), 1 + ((bytes.readUInt32LE(21) >>> 14) & 0x3fff)];
    case 'VP8X':
      return [1 + bytes.readUIntLE(24, 3), 1 + bytes.readUIntLE(27, 3)];
    default:
      return undefined;
  }
}

/** Steps from segment to segment up to the one that begins a frame. */
function jpegSize(read: Read): [width: number, height: number] | undefined {
  if (read(0, 3)?.latin1Slice(0, 3) !== '\xff\xd8\xff') return undefined;
  for (let offset = 2; ; ) {
    const bytes = read(offset, 9);
    if (bytes === undefined || bytes[0] !== 0xff) return undefined;
    const marker = bytes[1];
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return [bytes.readUInt16BE(7), bytes.readUInt16BE(5)];
    // Bytes 0xff may fill the space before a marker.
    offset += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(2);
  }
}
