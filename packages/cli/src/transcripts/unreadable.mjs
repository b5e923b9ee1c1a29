// @ts-check

/** A file that is no transcript, or that can't be read. The message is one line without contents, and names no file. Any other error is a bug. */
export class Unreadable extends Error {}

/** What the codes of Node.js mean. @type {Record<string, string>} */
const CODES = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'a symbolic link that leads to itself',
  ENOTDIR: 'no such file',
  ENAMETOOLONG: 'the name is too long',
  EISDIR: 'is a folder',
};

/**
 * Describes an error of the file system in one line.
 *
 * @param {unknown} error
 * @returns {string}
 * @throws the error itself, if it is none of the file system
 */
export function reasonOf(error) {
  if (error instanceof Unreadable) return error.message;
  const { code } = /** @type {{ code?: unknown }} */ (error);
  // Errors of the file system have a call; those of zlib and SQLite have codes of their own.
  if (typeof code !== 'string' || !('syscall' in /** @type {object} */ (error))) throw error;
  return CODES[code] ?? `can't be read (${code})`;
}
