// Lists of whole numbers as short texts: seven bits a byte, the lowest first, in Base64.

/** @param numbers whole ones from 0 */
export function pack(numbers: readonly number[]) {
  const bytes: number[] = [];
  for (let number of numbers) {
    for (; number > 0x7f; number = Math.floor(number / 0x80)) bytes.push((number % 0x80) | 0x80);
    bytes.push(number);
  }
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}

/** Reads numbers that `pack` wrote; undefined for any other text. */
export function unpack(text: string) {
  const numbers: number[] = [];
  let [number, scale] = [0, 1];
  for (const byte of Buffer.from(text, 'base64')) {
    number += (byte & 0x7f) * scale;
    if (number > Number.MAX_SAFE_INTEGER) return undefined;
    if (byte > 0x7f) scale *= 0x80;
    else {
      numbers.push(number);
      [number, scale] = [0, 1];
    }
  }
  return scale === 1 ? numbers : undefined;
}
