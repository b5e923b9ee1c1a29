// Numbers as texts of JSON.

export const packed = (numbers: Int32Array) => Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64');

export function unpacked(text: string): Int32Array {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  return new Int32Array(bytes.buffer);
}

export function packedBits(bits: boolean[]): string {
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8));
  for (const [index, bit] of bits.entries()) if (bit) bytes[index >> 3] |= 1 << (index & 7);
  return bytes.toString('base64');
}

/** @param length number of bits */
export function unpackedBits(text: string, length: number): boolean[] {
  const bytes = Buffer.from(text, 'base64');
  return Array.from({ length }, (_, index) => ((bytes[index >> 3] >> (index & 7)) & 1) === 1);
}
