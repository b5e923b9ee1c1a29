// Files that a script makes and the repository holds.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Writes the file `name` of the repository; with `--check` among the script's arguments, only tests whether it is current. */
export function writeOrCheck(name, content, script) {
  const file = join(root, name);
  if (!process.argv.includes('--check')) writeFileSync(file, content);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== content) {
    console.error(`${name} is not current: run \`node scripts/${script}\``);
    process.exitCode = 1;
  }
}
