// Puts the functions that first calls run in parentheses. The engine of JavaScript compiles such a function when it reads the bundle;
// any other it reads twice, at first to find where it ends.
import { readFileSync } from 'node:fs';

/** Names of such functions, by the file of lib/ that has them at its top level; written by `npm run eager`. */
const EAGER = JSON.parse(readFileSync(new URL('./eager.json', import.meta.url), 'utf8'));

/** The text of a file with these functions in parentheses, on the same lines. They keep their names, which they get from the variables. */
export function withEager(file, text) {
  for (const name of EAGER[file] ?? []) {
    const declared = new RegExp(`^(async )?function(\\*?) ${name}(\\([\\s\\S]*?^\\})$`, 'm');
    const arrow = new RegExp(`^const ${name} = ((?:async )?(?:\\w+|\\(.*\\)) =>[\\s\\S]*?);$(?!\\n[ }])`, 'm');
    const found = [declared, arrow].find((pattern) => pattern.test(text));
    if (!found) throw new Error(`${file} has no function ${name} that can be put in parentheses: run \`npm run eager\``);
    if (found === arrow) text = text.replace(arrow, (_, written) => `const ${name} = (${written});`);
    else text = text.replace(declared, (_, isAsync = '', star, rest) => `const ${name} = (${isAsync}function${star} ${rest});`);
  }
  return text;
}
