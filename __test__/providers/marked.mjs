// Edits of the package's, with a mark in each text.
import { createRequire } from 'node:module';

const { applyEdits } = createRequire(import.meta.url)('../../unbundled/agent/edits.js');

export const SAYS = 'stale read of src/a.ts, _120_ lines';

/** An edit whose text contains a marker: after the text, or for arguments as an additional argument. */
function marked(format, edit) {
  if (edit.remove) return edit;
  const marker = `[palimpsest: ${SAYS}]`;
  const isJson = edit.part.kind === 'call' && !format.freeForm?.(edit.part);
  let text = edit.text === '' ? marker : `${edit.text}\n${marker}`;
  if (isJson) text = JSON.stringify({ ...JSON.parse(edit.text || '{}'), palimpsest: marker });
  const keyAt = text.lastIndexOf(marker) + '[palimpsest:'.length;
  return { part: edit.part, head: text.slice(0, keyAt), tail: text.slice(keyAt) };
}

/** Applies edits: the messages with marks, and the originals. */
export const withMarks = (messages, format, edits) =>
  applyEdits(
    messages,
    format,
    edits.map((edit) => marked(format, edit)),
  );
