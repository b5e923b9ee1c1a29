import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The folder of the package that this benchmark belongs to. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** A built package in a folder, and what it exports. */
export async function readPackage(folder) {
  const absolute = resolve(folder);
  return { folder: absolute, palimpsest: await import(pathToFileURL(resolve(absolute, 'index.mjs')).href) };
}
