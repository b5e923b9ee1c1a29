// Any code point but halves of surrogate pairs, as the unit of strings. fast-check has the same as `unit: 'binary'`, and takes a second in each process
// for a table of all of them.
import fc from 'fast-check';

export const character = fc.oneof(
  { weight: 0xd800, arbitrary: fc.integer({ min: 0, max: 0xd7ff }).map((code) => String.fromCodePoint(code)) },
  { weight: 0x110000 - 0xe000, arbitrary: fc.integer({ min: 0xe000, max: 0x10ffff }).map((code) => String.fromCodePoint(code)) },
);
