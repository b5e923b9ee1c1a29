// @ts-check
'use strict';

const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { isBundled, requires } = require('../installed.js');
const { PEERS } = require('./peers.js');

/**
 * Checks that the SDKs of a subpath are installed, and not too old.
 *
 * @param {string} subpath
 * @throws {Error} one is missing or too old; with the code `ERR_PALIMPSEST_PEER`
 */
function checkPeers(subpath) {
  for (const [name, range] of Object.entries(PEERS[subpath])) {
    const version = installed(name);
    if (version === UNKNOWN || (version !== undefined && !isOlder(version, range))) continue;
    const found = version === undefined ? 'none is installed' : `${version} is installed`;
    const error = new Error(`palimpsest/${subpath} needs ${name} ${range}, and ${found}: run npm install "${name}@${range}"`);
    throw Object.assign(error, { code: 'ERR_PALIMPSEST_PEER' });
  }
}

/** It is there, but where its manifest is can't be known: in a bundle or an archive. */
const UNKNOWN = Symbol('unknown version');

/** The version of a package; undefined if it is not installed. No bundler follows this: it would look for the SDKs of all subpaths. */
function installed(name) {
  for (const { resolve } of requires()) {
    for (const folder of resolve.paths(name) ?? []) {
      const path = join(folder, name, 'package.json');
      if (existsSync(path)) return versionIn(path);
    }
    try {
      return versionIn(resolve(`${name}/package.json`));
    } catch (/** @type {any} */ error) {
      if (error?.code !== 'MODULE_NOT_FOUND') return UNKNOWN;
    }
  }
  return isBundled() ? UNKNOWN : undefined;
}

function versionIn(path) {
  const { version } = JSON.parse(readFileSync(path, 'utf8'));
  return typeof version === 'string' ? version : UNKNOWN;
}

/** Returns whether a version is below all of a range; newer ones than it names may work. */
function isOlder(version, range) {
  const [has, wants] = [version, range].map((text) => text.match(/\d+/g).slice(0, 3).map(Number));
  const place = wants.findIndex((number, index) => number !== has[index]);
  return place >= 0 && (has[place] ?? 0) < wants[place];
}

module.exports = { checkPeers };
