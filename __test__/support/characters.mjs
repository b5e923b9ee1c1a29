// Any code point but halves of surrogate pairs, as the unit of strings. fast-check has the same as `unit: 'binary'`, and takes a second in each process
// for a table of all of them.
import fc from 'fast-check';

const HALVES = 0x800;

export const character = fc.nat(0x10ffff - HALVES).map((number) => String.fromCodePoint(number < 0xd800 ? number : number + HALVES));
