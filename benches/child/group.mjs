// Prints the rows of a group as JSON: `node group.mjs INDEX OPTIONS`, with the options of the benchmark as JSON.
import { groupsOf } from '../groups.mjs';
import { readPackage, root } from '../package.mjs';

const [index, options] = process.argv.slice(2).map((value) => JSON.parse(value));
console.log(JSON.stringify(await groupsOf(options)[index].measure(await readPackage(root))));
