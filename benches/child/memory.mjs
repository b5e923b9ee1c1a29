// Prints by how many bytes the resident memory of this process grows at most during a call on 10 MB: `node memory.mjs FOLDER VERB`.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPackage } from '../package.mjs';
import { firstCalls } from '../rows/first-calls.mjs';
import { tenMegabytes } from '../rows/speed.mjs';

const [folder, verb] = process.argv.slice(2);
const { palimpsest } = await readPackage(folder);
const kilobytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))[1]);

firstCalls[verb](palimpsest)();
const call = firstCalls[verb](palimpsest, tenMegabytes());
globalThis.gc();
// The collector gives memory back to the system in the background.
await sleep(200);
globalThis.gc();
writeFileSync('/proc/self/clear_refs', '5'); // the peak is now what is resident
const before = kilobytes('VmRSS');
call();
console.log(1_024 * (kilobytes('VmHWM') - before));
