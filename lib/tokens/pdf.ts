/** Bytes of a stream, and of all streams of a file, that are looked into. */
const MAX_STREAM = 4e6;
const MAX_INFLATED = 32e6;
/** Streams, and nodes of the tree of pages, that are looked at. */
const MOST = 1000;
/** Characters of a node, before and behind its type, in which its count is looked for. */
const NODE_REACH = 16_000;

/**
 * The number of pages of a PDF: what the root of its page tree says, or the pages that are found. Undefined where there are none, as in one that
 * is encrypted.
 */
export function pagesOf(file: Buffer): number | undefined {
  const text = file.toString('latin1', 0, file.length);
  return pagesIn(text) || pagesIn(inflated(file, text)) || undefined;
}

function pagesIn(text: string) {
  let count = 0;
  let nodes = 0;
  for (const { index } of text.matchAll(/\/Type\s{0,9}\/Pages\b/g)) {
    if (++nodes > MOST) break;
    const before = text.slice(Math.max(0, index - NODE_REACH), index);
    const behind = text.slice(index, index + NODE_REACH);
    const node = before.slice(Math.max(0, before.lastIndexOf('<<'))) + behind.split('>>', 1)[0];
    count = Math.max(count, Number(/\/Count\s{1,9}(\d{1,6})/.exec(node)?.[1] ?? 0));
  }
  if (count > 0) return count;
  for (const _ of text.matchAll(/\/Type\s{0,9}\/Page\b/g)) count++;
  return count;
}

/** The objects of a PDF that are compressed, as text. */
function inflated(file: Buffer, text: string) {
  // Runtimes other than Node.js have none.
  const zlib = globalThis.process?.getBuiltinModule?.('node:zlib');
  let found = '';
  if (zlib === undefined) return found;
  let left = MAX_INFLATED;
  let streams = 0;
  let end = 0;
  for (const { index } of text.matchAll(/\/Type\s{0,9}\/ObjStm\b/g)) {
    if (index < end) continue;
    if (++streams > MOST || left <= 0) break;
    const start = /stream\r?\n/.exec(text.slice(index, index + MOST));
    if (start === null) continue;
    const from = index + start.index + start[0].length;
    const stream = file.subarray(from, from + MAX_STREAM);
    const length = stream.indexOf('endstream', 0, 'latin1');
    end = from + (length < 0 ? stream.length : length);
    try {
      const objects = zlib.inflateSync(file.subarray(from, end), { maxOutputLength: MAX_STREAM });
      left -= objects.length;
      found += objects.toString('latin1', 0, objects.length);
    } catch {
      // Encrypted, compressed in another way, or too long.
      left -= MAX_STREAM;
    }
  }
  return found;
}
