import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBundled, requires } from '../installed.js';
import { warnOnce } from '../options/warnings.js';
import { PEERS } from './peers.js';

/**
 * Checks that the SDKs of a subpath are installed, and not too old. Warns of one that is newer than all that was tested.
 *
 * @param peers their ranges, where the list of SDKs has none
 * @throws {Error} one is missing or too old; with the code `ERR_PALIMPSEST_PEER`
 */
export function checkPeers(subpath: string, peers: Record<string, string> = PEERS[subpath]) {
  for (const [name, range] of Object.entries(peers)) {
    const version = installed(name);
    if (version === undefined || placeIn(range, version) < 0) throw unfit(`palimpsest/${subpath}`, name, range, version);
    if (placeIn(range, version) === 0) continue;
    const text = `palimpsest/${subpath} is tested with ${name} ${range}, and ${version} is installed: look at step.tokens in options.onStep whether requests stay within the limit`;
    warnOnce(text, 'PALIMPSEST_PEER_UNTESTED');
  }
}

/**
 * Checks that an SDK is not too old for something that needs a newer version than its subpath does.
 *
 * @param what name in the error: `palimpsestFilter()`
 * @throws {Error} it is too old; with the code `ERR_PALIMPSEST_PEER`
 */
export function checkPeerOf(what: string, name: string, range: string) {
  const version = installed(name);
  if (version !== undefined && placeIn(range, version) < 0) throw unfit(what, name, range, version);
}

/** @param version what is installed, if anything is */
function unfit(what: string, name: string, range: string, version?: string) {
  const found = version === undefined ? 'none is installed' : `${version} is installed`;
  const error = new Error(`${what} needs ${name} ${range}, and ${found}: run npm install "${name}@${range}"`);
  return Object.assign(error, { code: 'ERR_PALIMPSEST_PEER' });
}

/** It is there, but its version can't be known: in a bundle or an archive. */
const UNKNOWN = '';

/** The version of a package; undefined if it is not installed. No bundler follows this: it would look for the SDKs of all subpaths. */
function installed(name: string) {
  for (const { resolve } of requires()) {
    for (const folder of resolve.paths(name) ?? []) {
      const path = join(folder, name, 'package.json');
      if (existsSync(path)) return versionIn(path);
    }
    try {
      return versionIn(resolve(`${name}/package.json`));
    } catch (error) {
      if ((error as { code?: unknown } | undefined)?.code !== 'MODULE_NOT_FOUND') return UNKNOWN;
    }
  }
  return isBundled() ? UNKNOWN : undefined;
}

function versionIn(path: string) {
  const { version }: { version?: unknown } = JSON.parse(readFileSync(path, 'utf8'));
  return typeof version === 'string' ? version : UNKNOWN;
}

/**
 * Tells whether a version is below a range (-1), in it (0) or above it (1); 0 too if it is none. A prerelease comes before its release: one of
 * the first version is below the range, and one of the version at which the range ends is above it, as it has what is new there.
 *
 * @param range of the form `>=1.2.3 <2.0.0`
 */
function placeIn(range: string, version: string) {
  const parts = version.match(/^(\d+)\.(\d+)\.(\d+)(-?)/);
  if (parts === null) return 0;
  const [first, end] = range.split(' ').map((bound) => (bound.match(/\d+/g) as string[]).map(Number));
  const has = parts.slice(1, 4).map(Number);
  if (isLess(has, first) || (parts[4] && !isLess(first, has))) return -1;
  return isLess(has, end) ? 0 : 1;
}

function isLess(numbers: readonly number[], others: readonly number[]) {
  const place = numbers.findIndex((number, index) => number !== others[index]);
  return place >= 0 && numbers[place] < others[place];
}
