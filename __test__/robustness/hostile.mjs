// Makes each call of a family of hostile inputs once, and prints its name before: `node hostile.mjs FAMILY`.
import { FAMILIES } from '../../benches/growth/index.mjs';
import { palimpsest } from '../support/everything.mjs';

for (const { name, size, prepare } of FAMILIES[process.argv[2]]) {
  console.log(name);
  await prepare(palimpsest, size)();
}
