// What lib/ uses of node:crypto, for runtimes without it: they have SHA-256 only as a promise.
import { sha256 } from '@noble/hashes/sha2.js';
import { Buffer } from 'buffer';

/** A hash in base64url, whatever it is asked for: lib/ asks for nothing else. */
export const createHash = () => {
  const hash = sha256.create();
  return {
    update(text) {
      hash.update(new TextEncoder().encode(text));
      return this;
    },
    digest: () => Buffer.from(hash.digest()).toString('base64').replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
  };
};
