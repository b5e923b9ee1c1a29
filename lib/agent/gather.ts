import { getIn } from '../providers/shared/copy.js';
import { PART_COLUMN, PART_FLAG, PART_KIND, PART_ROLE, SENTINEL } from '../generated/layout.js';
import { Numbered } from '../numbered.js';
import { pace } from '../steps.js';
import { givenTexts } from '../texts.js';
import type { Part } from '../types.js';
import { costlyMedia, mediaData } from './costly-media.js';
import { engineTools } from './tools.js';
import type { Provider } from '../types.js';
import type { GatheredParts, GatheredPruneOptions } from '../../binding';
import type { PruneOptions } from '../../index.js';

const STATUS_FLAG = { ok: PART_FLAG.OK, error: PART_FLAG.ERROR };

const GOES_FLAG = { withPrevious: PART_FLAG.WITH_PREVIOUS, withTurn: PART_FLAG.WITH_TURN, never: PART_FLAG.FIXED };

const DEFAULT_RECENT = 6;

/** Whether anything is sent of the message whose first part is at `index`. */
function isSentOf(parts: readonly Part[], index: number) {
  const { message } = parts[index];
  for (let at = index; parts[at]?.message === message; at++) if (!parts[at].unsent) return true;
  return false;
}

/**
 * Flattens parts, in steps, for one call of the engine. Those before `editable` stay as they are, and none of `staying` is removed. Without a
 * `provider` no medium is compared with others.
 */
export function* gatherParts(
  messages: readonly object[],
  parts: readonly Part[],
  provider: Provider | undefined,
  { editable = 0, staying = [] }: { editable?: number; staying?: readonly Part[] } = {},
) {
  const count = parts.length;
  const fixed = new Set(staying);
  const texts = new Array(count);
  const columns = new Int32Array(PART_COLUMN.COUNT * count);
  const times: number[] = [];
  const names = new Numbered<string>();
  const media = new Numbered<string>();
  const costly = provider === undefined ? new Set<Part>() : yield* costlyMedia(messages, parts, provider);
  let isSent = true;
  for (let index = 0; index < count; index++) {
    if (pace.isDue) yield;
    const part = parts[index];
    const { kind, status } = part;
    if (part.message !== parts[index - 1]?.message) isSent = isSentOf(parts, index);
    // Nobody would miss a message that isn't sent, nor could it hold a mark: it goes with the one before.
    const goes = fixed.has(part) ? 'never' : (part.goes ?? (isSent ? undefined : 'withPrevious'));
    const isLocked = part.locked !== undefined || index < editable;
    // Reasoning is never edited, and nothing that it says is counted as said.
    const text = kind === 'reasoning' || part.whole ? '' : part.text;
    texts[index] = text;
    const data = costly.has(part) ? mediaData(messages, part) : '';
    const isValue = kind === 'result' && !part.isFile && text !== '' && typeof getIn(messages[part.message], part.path) !== 'string';
    const at = PART_COLUMN.COUNT * index;
    columns[at + PART_COLUMN.MESSAGE] = part.message;
    columns[at + PART_COLUMN.FLAGS] =
      // A document is none of the user's words.
      PART_ROLE[part.isDocument ? 'tool' : part.role] |
      (PART_KIND[kind] << PART_FLAG.KIND_SHIFT) |
      (status === undefined ? 0 : STATUS_FLAG[status]) |
      (isLocked ? PART_FLAG.LOCKED : 0) |
      (index < editable && kind !== 'reasoning' ? PART_FLAG.FIXED : goes === undefined ? 0 : GOES_FLAG[goes]) |
      (isValue ? PART_FLAG.VALUE : 0);
    columns[at + PART_COLUMN.NAME] = kind === 'call' && part.name !== undefined ? names.number(part.name) : SENTINEL.NONE;
    columns[at + PART_COLUMN.CALL] = part.call ?? SENTINEL.NONE;
    columns[at + PART_COLUMN.MEDIA] = data === '' ? SENTINEL.NONE : media.number(data);
    columns[at + PART_COLUMN.LENGTH] = text.length;
    if (part.time !== undefined) times.push(part.time);
  }
  const copies = yield* givenTexts(texts);
  const isTimed = count > 0 && times.length === count;
  return {
    texts: copies,
    columns,
    times: isTimed ? Float64Array.from(times) : undefined,
    names: names.values,
    messageCount: messages.length,
    // The engine takes undefined for absent.
  } as GatheredParts;
}

export function engineOptions({ mode, edits, failures, keep, toolMap, trace }: PruneOptions): GatheredPruneOptions {
  return {
    remove: mode === 'remove',
    lastEditOnly: edits === 'last',
    failuresByWords: failures === 'words',
    // More than any conversation has is all of it.
    keepRecent: Math.min(keep?.recent ?? DEFAULT_RECENT, 0xffffffff),
    keepTools: [...(keep?.tools ?? [])],
    keepPaths: [...(keep?.paths ?? [])],
    tools: engineTools(toolMap),
    trace: Boolean(trace),
  };
}
