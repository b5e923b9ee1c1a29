/** A file that is no transcript, or that can't be read. The message is one line without contents, and names no file. Any other error is a bug. */
export class Unreadable extends Error {}

/** What the codes of Node.js mean. */
const CODES: Record<string, string> = {
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
 * @throws the error itself, if it is none of the file system
 */
export function reasonOf(error: unknown): string {
  if (error instanceof Unreadable) return error.message;
  const { code } = error as { code?: unknown };
  // Errors of the file system have a call; those of zlib and SQLite have codes of their own.
  if (typeof code !== 'string' || !('syscall' in (error as object))) throw error;
  return CODES[code] ?? `can't be read (${code})`;
}
