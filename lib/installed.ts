// Where this package is installed, also for a bundle that holds its code. Bundlers follow no `require` that is made here.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** Whether a bundler moved this code. It leaves the path that the file had, gives it another, or none. */
export const isBundled = () => typeof __dirname !== 'string' || !existsSync(`${__dirname}/native.js`);

/** The file that runs this code, whatever a bundler made of `__filename`. */
function runningFile(): string | undefined {
  const { prepareStackTrace } = Error;
  try {
    Error.prepareStackTrace = (_, calls) => calls;
    const [call] = new Error().stack as unknown as NodeJS.CallSite[];
    return call.getFileName() ?? undefined;
  } catch {
    return undefined; // no runtime has to know this
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
  }
}

/**
 * Returns a `require` for each file beside which packages may be installed: this one, or those of the bundle and of the program. Not the
 * current folder: whoever chooses it would choose the code that runs.
 */
export function requires(): NodeJS.Require[] {
  const files = isBundled() ? [runningFile(), process.argv[1]] : [__filename];
  return files.flatMap((file) => {
    try {
      return file === undefined ? [] : [createRequire(file)];
    } catch {
      return []; // not a path, as in code that is evaluated
    }
  });
}

/** Returns the folder of this package. @throws {Error} no `node_modules` beside the bundle has it */
export function packageFolder() {
  if (!isBundled()) return dirname(__dirname);
  for (const { resolve } of requires()) {
    try {
      return dirname(resolve('palimpsest/package.json'));
    } catch {
      // The next may find it.
    }
  }
  throw new Error('this code is in a bundle, and palimpsest is in no node_modules beside it');
}
