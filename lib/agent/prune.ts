import native from '../native.js';
import { formatOf } from '../providers/index.js';
import { PRUNE_EDIT_COLUMN, SENTINEL } from '../generated/layout.js';
import { countEdited } from '../tokens/edited.js';
import { providerOf } from '../tokens/provider.js';
import { inOneGo } from '../steps.js';
import { whatIs } from '../given.js';
import { named } from '../places.js';
import { checkOptions } from '../options/index.js';
import { applyEdits } from './edits.js';
import { engineOptions, gatherParts } from './gather.js';
import { MARKER_START, keysIn } from './marker.js';
import { readPieces } from './pieces.js';
import { createReport, RULES } from './report.js';
import { firstEditable, strippedBy } from './thinking.js';
import { openingStep, openThinking, strippedWith } from './thinking-steps.js';
import { reportTools } from './tools-report.js';
import { traceOf } from './trace.js';
import type { KeylessEdit } from './edits.js';
import type { Stripped } from './thinking.js';
import type { Format, Part, Provider } from '../types.js';
import type { PruneOptions, PruneResult } from '../../index.js';

/**
 * An edit, the name of its rule, the part that supersedes it, and, with `trace`, what shows that the text can go. It removes a part, or writes a text with a
 * marker, whose key is still missing.
 */
export type PruneEdit = KeylessEdit & { rule: string; supersededBy?: Part | undefined; evidence?: string | undefined };

/**
 * Finds what can be removed from a conversation, as edits of its parts. Applies none of them.
 *
 * @param messages the messages that `parts` were read from
 * @param options of `prune`, checked
 * @param provider by whose rules images are counted
 * @returns `taken`: the keys of the
 * markers that are there already
 */
export function planPrune(
  messages: readonly object[],
  parts: readonly Part[],
  options: PruneOptions,
  provider: Provider,
): { edits: PruneEdit[]; counts: number[]; taken: Set<string> } {
  const editable = firstEditable(parts, options.thinking);
  const staying = options.thinking === 'leave' ? openingStep(parts) : [];
  const gathered = inOneGo(gatherParts(messages, parts, provider, { editable, staying }));
  const found = native.pruneTranscript(gathered, engineOptions(options));
  const edits: PruneEdit[] = [];
  const next = readPieces(found.pieces);
  for (let at = 0; at < found.edits.length; at += PRUNE_EDIT_COLUMN.COUNT) {
    const evidence = found.evidence[at / PRUNE_EDIT_COLUMN.COUNT];
    const part = parts[found.edits[at + PRUNE_EDIT_COLUMN.PART]];
    const rule = RULES[found.edits[at + PRUNE_EDIT_COLUMN.RULE]];
    const by = found.edits[at + PRUNE_EDIT_COLUMN.SUPERSEDED_BY];
    const supersededBy = by === SENTINEL.NONE ? undefined : parts[by];
    const count = found.edits[at + PRUNE_EDIT_COLUMN.PIECES];
    if (count === SENTINEL.NONE) {
      edits.push({ part, remove: true, rule, supersededBy, evidence });
      continue;
    }
    let head = '';
    let text = '';
    for (const piece of next(count, part.text)) {
      if (piece.isMarker) head = text + MARKER_START;
      text = piece.isMarker ? piece.text : text + piece.text;
    }
    edits.push({ part, head, tail: text, rule, supersededBy, evidence });
  }
  const taken = new Set(found.marked.flatMap((part) => keysIn(parts[part].text)));
  return { edits, counts: found.counts, taken };
}

/** Returns edits that remove the signed thinking which cannot stay beside `edits`. If thinking is kept, none of these is before it. */
function strippedBeside(
  edits: readonly PruneEdit[],
  messages: readonly object[],
  parts: readonly Part[],
  thinking: PruneOptions['thinking'],
  format: Format,
) {
  if (thinking === 'leave') return strippedWith(format, messages, parts, edits);
  return thinking === 'strip' ? strippedBy(parts, edits) : [];
}

/** Whether the turn whose calls are being answered lost its thinking. */
function isOpenTurnStripped(parts: readonly Part[], stripped: readonly Stripped[]) {
  const message = openThinking(parts);
  return stripped.some(({ part }) => part.message === message);
}

/** See `index.d.ts`. */
function prune(messages: readonly object[], given: PruneOptions | null | undefined = undefined): PruneResult<object> {
  if (!Array.isArray(messages)) throw new TypeError(`prune(): messages must be an array, got ${whatIs(messages, 'messages')}`);
  const options = given === undefined ? {} : checkOptions('prune', given);
  const format = formatOf(messages, options.format ?? 'auto');
  const parts = format.read(messages);
  const { edits, counts, taken } = planPrune(messages, parts, options, providerOf(format));
  const stripped = strippedBeside(edits, messages, parts, options.thinking, format);
  const all = [...edits, ...stripped];
  const pruned = applyEdits(messages, format, all, taken);
  // Both arrays may have grown when the tokens are asked for.
  const [before, after] = [messages.slice(), pruned.messages.slice()];
  const report = createReport({
    counts,
    strippedThinking: stripped.length,
    toolsOf: () => reportTools(parts, options, 'options'),
    isOpenTurnStripped: options.thinking === 'strip' && isOpenTurnStripped(parts, stripped),
    messages: { before: messages.length, after: pruned.messages.length },
    countTokens: () => countEdited(before, parts, after, format),
    ...(options.trace ? { trace: traceOf(all) } : {}),
  });
  return { ...pruned, format: format.name, report };
}

const pruneNamed = named('prune', prune);
export { pruneNamed as prune };
