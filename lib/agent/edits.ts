import { inOneGo } from '../steps.js';
import { getIn } from '../providers/shared/copy.js';
import { write } from '../providers/shared/write.js';
import native from '../native.js';
import { surfaceOf } from '../equality/breakpoints.js';
import { fingerprintsOf, Fingerprints } from '../equality/fingerprint.js';
import { MARKER_START } from './marker.js';
import { rounding } from './originals.js';
import { outlining } from './structure.js';
import { markedKeys, placeKind } from './stubs.js';
import type { Originals } from './originals.js';
import type { Place } from './rounds.js';
import type { Format, FormatModule, Part } from '../types.js';

/** In place of the message before the first one. */
const NONE = '' as unknown as object;

/** An edit of a part to a text with its marker. */
interface Marked {
  part: Part;
  text: string;
}

/**
 * A removal of a part, or a new text of it: `head` ends with `MARKER_START`, and `tail` follows the marker's key. A joined text would be
 * copied where the key goes in.
 */
export type KeylessEdit = { part: Part; remove?: true; head?: string; tail?: string };

/**
 * Applies the engine's edits and keeps the originals.
 *
 * @param taken the keys of the markers in `messages`, where the caller knows them
 */
export function applyEdits(
  messages: readonly object[],
  format: Format,
  edits: KeylessEdit[],
  taken: Set<string> = new Set(messages.flatMap(markedKeys)),
): { messages: object[]; originals: Originals } {
  const removals = edits.filter((edit) => edit.remove);
  const texts = edits.filter((edit) => !edit.remove);
  // The fingerprints of the messages of stubs, and behind them those of the messages before these.
  const prints = new Fingerprints().of([
    ...texts.map(({ part }) => messages[part.message]),
    ...texts.map(({ part }) => messages[part.message - 1] ?? NONE),
  ]);
  const keys = freeKeys(texts, format, prints, taken);
  const marked = texts.map(({ part, head, tail }, index) => ({ part, text: head + keys[index] + tail }));
  const stubbed = write(format, messages, marked);
  const written = removals.length === 0 ? stubbed : write(format, stubbed.messages, removals);
  const left = new Fingerprints().of(texts.map(({ part }) => stubbed.messages[part.message]));
  const stubs = placesOf(messages, format, marked, keys).map((places, index) => {
    const surface = surfaceOf(stubbed.messages[texts[index].part.message]);
    const entry = { of: prints[index], left: left[index], places, ...(surface.length > 0 && { surface }) };
    return [keys[index], entry] as [string, typeof entry];
  });
  return { messages: written.messages, originals: inOneGo(rounding(stubs, stubbed.messages, written)) };
}

/**
 * Returns the keys of stubs. Equal keys mean equal entries, in whichever round: a key is made of the message as it was and all that is written
 * into it. It depends on nothing behind that, so that a grown history gets the same stubs. `prints` are the fingerprints of these messages and,
 * behind them, of the messages before these.
 */
function freeKeys(edits: readonly KeylessEdit[], format: Format, prints: string[], taken: ReadonlySet<string>) {
  const texts = fingerprintsOf(edits.flatMap(({ head, tail }) => [head, tail]));
  const written: Map<number, string[]> = new Map();
  edits.forEach(({ part: { message, path, kind, callId } }, index) => {
    const own = `${JSON.stringify(path)} ${kind} ${callId} ${texts[2 * index]} ${texts[2 * index + 1]}`;
    if (written.has(message)) written.get(message)?.push(own);
    else written.set(message, [own]);
  });
  const all = fingerprintsOf([...written.values()]);
  const whole = new Map([...written.keys()].map((message, index) => [message, all[index]]));
  const seeds = edits.map(({ part: { message, path } }, index) =>
    [format.name, message, prints[edits.length + index], prints[index], JSON.stringify(path), whole.get(message)].join(' '),
  );
  return native.freeMarkerKeys(seeds, [...taken]);
}

/** Returns for each stub the places where it was written, and their former values. */
function placesOf(messages: readonly object[], format: FormatModule, edits: readonly Marked[], keys: string[]) {
  const all = edits.flatMap(({ part, text }, edit) =>
    format.replace(messages[part.message], part, text).map(({ path, value }) => ({ path, value, edit })),
  );
  const prints = fingerprintsOf(all.map(({ value }) => value));
  const placesOfEdits: Place[][] = edits.map(() => []);
  all.forEach(({ path, value, edit }, index) => {
    const message = messages[edits[edit].part.message];
    const place: Place = { in: placeKind(message, path), up: depthOf(value, keys[edit]) as number, written: prints[index] };
    const before: unknown = getIn(message, path);
    if (before !== undefined) [place.value] = inOneGo(outlining([before], []));
    const known = placesOfEdits[edit];
    if (!known.some((other) => other.in === place.in && other.up === place.up && other.written === place.written)) known.push(place);
  });
  return placesOfEdits;
}

/** Returns the depth of the text with the marker below `value`; undefined if there is none. */
function depthOf(value: unknown, key: string): number | undefined {
  if (typeof value === 'string') return value.includes(MARKER_START + key) ? 0 : undefined;
  if (value === null || typeof value !== 'object') return undefined;
  for (const inner of Object.values(value)) {
    const depth = depthOf(inner, key);
    if (depth !== undefined) return depth + 1;
  }
  return undefined;
}
