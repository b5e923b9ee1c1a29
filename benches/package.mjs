import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The folder of the package that this benchmark belongs to. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** A built package in a folder, a checkout or an installed one, and what `palimpsest` and `palimpsest/compress` export. */
export async function readPackage(folder) {
  const absolute = resolve(folder);
  const exportsOf = (name) => import(pathToFileURL(resolve(absolute, 'dist', name)).href);
  return { folder: absolute, palimpsest: { ...(await exportsOf('drop-in.mjs')), ...(await exportsOf('index.mjs')) } };
}
