// Prints the time of a call on 10 MB in S: `node speed.mjs FOLDER`.
import { medians } from '../measure.mjs';
import { readPackage } from '../package.mjs';
import { tenMegabytes } from '../rows/speed.mjs';

const { palimpsest } = await readPackage(process.argv[2]);
const messages = tenMegabytes();
const [stringify, value] = await medians([() => JSON.stringify(messages), () => palimpsest.compress(messages)]);
console.log(value / stringify);
