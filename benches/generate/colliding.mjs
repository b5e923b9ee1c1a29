// Texts that all have one hash, or nearly one, where a table hashes them by what everybody can read in its source; and beside
// them random texts of the same shape. The hashes are those that quick tables of Rust are known for.
const MASK = (1n << 64n) - 1n;

/** FxHash: each next eight bytes are added, and the sum is multiplied by this. */
const FX = 0xf135_7aea_2e62_a9c5n;
const unitsOf = (word) => [0n, 16n, 32n, 48n].map((shift) => Number((word >> shift) & 0xffffn));
const [FIRST_LETTER, LAST_LETTER] = [0x4e00, 0xd7a3];
const isLetter = (unit) => unit >= FIRST_LETTER && unit <= LAST_LETTER;
const letters = (random) =>
  [0n, 16n, 32n, 48n].reduce((word, shift) => word | (BigInt(random.between(FIRST_LETTER, LAST_LETTER)) << shift), 0n);
const said = (...words) => String.fromCharCode(...words.flatMap(unitsOf));

/** `count` texts of eight letters that are not ASCII: what the first four add to the hash, the last four take away. */
export function wideTexts(random, count, collide) {
  const [first, last] = [letters(random), letters(random)];
  const texts = new Set();
  while (texts.size < count) {
    const start = letters(random);
    const end = collide ? (last - (start - first) * FX) & MASK : letters(random);
    if (unitsOf(end).every(isLetter)) texts.add(said(start, end));
  }
  return [...texts];
}

/** `count` identifiers of ASCII that a multiplication by these numbers, folded, puts into a small part of any table. */
export function names(random, count, collide) {
  const [low, high] = [0x9e37_79b9_7f4a_7c15n, 0xd6e8_feb8_6659_fd93n];
  const crowds = (name) => {
    const read = Buffer.from(name).readBigUInt64LE();
    const product = (read ^ low) * (high ^ BigInt(name.length));
    return ((product ^ (product >> 64n)) & 0x3fffn) < 128n;
  };
  const found = new Set();
  while (found.size < count) {
    const name = `${random.letters(3, 'abcdefghijklmnop')}_${random.letters(4, 'abcdefghijklmnop')}`;
    if (!collide || crowds(name)) found.add(name);
  }
  return [...found];
}
