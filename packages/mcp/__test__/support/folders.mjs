// Folders of a test file, which are removed when it ends.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

export const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-mcp-')));
after(() => rmSync(scratch, { recursive: true, force: true }));

let folders = 0;
/** An empty folder. */
export function folder() {
  const path = join(scratch, String(++folders));
  mkdirSync(path);
  return path;
}
