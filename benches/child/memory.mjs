// Prints by how many bytes the resident memory of this process grows at most during a 10 MB call.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { compress } from '../../index.mjs';
import { agentSession } from '../generate.mjs';
import { contentBytes } from '../measure.mjs';
import { tenMegabytes } from '../rows/speed.mjs';

const kilobytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))[1]);

compress(agentSession(1, 20, 13_000));
const messages = tenMegabytes();
const bytes = contentBytes(messages);
globalThis.gc();
// What the collector frees goes back to the system in the background.
await sleep(200);
globalThis.gc();
writeFileSync('/proc/self/clear_refs', '5'); // the peak is now what is resident
const before = kilobytes('VmRSS');
compress(messages);
const growth = 1_024 * (kilobytes('VmHWM') - before);
console.log(JSON.stringify({ growth, bytes }));
