// Measures one workload with one build, a sample for each message of the parent process: `node samples.mjs FOLDER WORKLOAD`.
import { groupsOf } from '../groups.mjs';
import { readPackage } from '../package.mjs';

const [folder, name] = process.argv.slice(2);
const { input, sampler } = groupsOf({})
  .flatMap(({ workloads }) => workloads)
  .find(({ workload }) => workload === name);
const sample = await sampler(await readPackage(folder), input?.());
globalThis.gc();
process.on('message', async () => process.send(await sample()));
process.send('ready');
