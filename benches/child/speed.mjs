// Prints the time of a 10 MB call in S.
import { compress } from '../../index.mjs';
import { besideStringify } from '../measure.mjs';
import { tenMegabytes } from '../rows/speed.mjs';

const messages = tenMegabytes();
console.log(besideStringify(messages, () => compress(messages)).ratio);
