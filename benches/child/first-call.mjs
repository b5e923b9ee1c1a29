// Prints the time (ms) of the first call of a verb in this process, the import of the package aside: `node first-call.mjs FOLDER VERB`.
import { readPackage } from '../package.mjs';
import { firstCalls } from '../rows/first-calls.mjs';

const [folder, verb] = process.argv.slice(2);
const call = firstCalls[verb]((await readPackage(folder)).palimpsest);
const start = performance.now();
call();
console.log(performance.now() - start);
