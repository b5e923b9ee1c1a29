// What a request had other than the history, in words that a person knows: what went, what stands in its place, what was added.

import type { SentCut } from '../../index.js';
import type { Part } from '../types.js';
import type { Piece } from './edits.js';
import type { KeptEdit } from './sent.js';

/** What begins a text that was added behind the words of a message. */
const ADDED = /^\n\n\[(pinned|recalled from this conversation|current)[, ]/;
const ADDED_KINDS: Record<string, 'pins' | 'volatile' | 'recalled'> = { pinned: 'pins', current: 'volatile' };
/** A mark of messages, and how many they are, or the numbers of the first and the last one. */
const MESSAGES = /\[\u2026 (?:(\d+) messages?|messages? (\d+)(?:\u2013(\d+))?)/;

/** The pieces of an edited text: what is left of it, and what was added behind it. */
interface Divided {
  own: readonly Piece[];
  added: readonly Piece[];
}

const NOTHING: Divided = { own: [], added: [] };

/** Pieces without the mark of messages that went behind their text; undefined where it can't be told from it. */
export function withoutMark(pieces: readonly Piece[]): Piece[] | undefined {
  const place = pieces.findIndex((piece) => typeof piece === 'string' && MESSAGES.test(piece));
  if (place < 0) return [...pieces];
  const isAlone = place === pieces.length - 1 && place > 0 && MESSAGES.exec((pieces[place] as string).trim())?.index === 0;
  return isAlone ? pieces.slice(0, -1) : undefined;
}

/** Divides what an edit makes of a text. */
export function divided(pieces: readonly Piece[] | undefined): Divided {
  if (pieces === undefined) return NOTHING;
  const start = pieces.findIndex((piece) => typeof piece === 'string' && ADDED.test(piece));
  return start < 0 ? { own: pieces, added: [] } : { own: pieces.slice(0, start), added: pieces.slice(start) };
}

/** The texts that were added behind a text, and what they are; `parts`: those of the history. */
export function addedIn(added: readonly Piece[], parts: readonly Part[]) {
  let kind: 'pins' | 'volatile' | 'recalled' = 'recalled';
  return added.map((piece) => {
    if (typeof piece !== 'string') return { kind, text: Array.isArray(piece) ? '' : parts[piece.part].text.slice(piece.start, piece.end) };
    const [, name] = ADDED.exec(piece) ?? [];
    if (name !== undefined) kind = ADDED_KINDS[name] ?? 'recalled';
    return { kind, text: piece };
  });
}

const isRange = (piece: Piece): piece is [number, number] => Array.isArray(piece);
const textsIn = (pieces: readonly Piece[]) => pieces.filter((piece) => typeof piece === 'string').map((text) => text.trim());

/** Whether all of a text is there, whatever marks stand beside it. */
export const isAll = (own: readonly Piece[], { text }: Part) =>
  own.some((piece) => isRange(piece) && piece[0] === 0 && piece[1] === text.length);

/** The marks in what is left of a text, each with the place of its last piece: one that quotes what it stands for has several. */
function marksOf(own: readonly Piece[], { kind, text }: Part) {
  const marks: { mark: string; end: number }[] = [];
  let open = '';
  for (const [end, piece] of own.entries()) {
    if (isRange(piece)) open &&= open + text.slice(...piece);
    else if (typeof piece === 'string') {
      open += piece;
      if (/\[\u2026[^\]]*$/.test(piece) || (open !== piece && !piece.endsWith(']'))) continue;
      const mark = open.trim();
      marks.push({ mark: kind === 'call' ? unescaped(mark) : mark, end });
      open = '';
    }
  }
  return marks;
}

/** A text without the escapes that it has in JSON. */
function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    // Arguments may be any text.
    return text;
  }
}

/** The mark in the place of a passage of a text: behind the last range that ends before it. */
export function markAt(own: readonly Piece[], part: Part, start: number) {
  const before = own.findLastIndex((piece) => isRange(piece) && piece[1] <= start);
  return marksOf(own, part).find(({ end }) => end > before)?.mark;
}

/** A cut with the parts that were edited. */
type Cut = Pick<SentCut, 'message' | 'how' | 'marks'> & { parts: number[] };

/** The edits of a history's parts, message by message. */
export class Cuts {
  readonly #parts: readonly Part[];
  readonly #edits: ReadonlyMap<number, KeptEdit>;
  /** The parts of each message, by their numbers. */
  readonly #own: number[][] = [];
  /** The marks beside messages that went, once they were asked for. */
  readonly #beside: string[][] = [];

  constructor(parts: readonly Part[], edits: readonly KeptEdit[]) {
    this.#parts = parts;
    this.#edits = new Map(edits.map((edit) => [edit.part, edit]));
    for (const [part, { message }] of parts.entries()) {
      this.#own[message] ??= [];
      this.#own[message].push(part);
    }
  }

  #dividedOf = (part: number) => divided(this.#edits.get(part)?.pieces);

  #marksOf = (parts: readonly number[]) =>
    parts.flatMap((part) => marksOf(this.#dividedOf(part).own, this.#parts[part]).map(({ mark }) => mark));

  /** Whether nothing of a message is sent. */
  isRemoved(message: number) {
    const own = this.#own[message] ?? [];
    return own.length > 0 && own.every((part) => this.#edits.has(part) && !this.#dividedOf(part).own.some(isRange));
  }

  /** The cuts of a message. */
  of(message: number): Cut[] {
    const edited = (this.#own[message] ?? []).filter((part) => this.#edits.has(part));
    if (edited.length === 0) return [];
    if (this.isRemoved(message)) {
      const marks = this.#marksOf(edited);
      return [{ message, how: 'removed', marks: marks.length > 0 ? marks : this.marksBeside(message), parts: edited }];
    }
    const thinking = edited.filter((part) => this.#parts[part].kind === 'reasoning' && this.#edits.get(part)?.pieces === undefined);
    const cut = edited.filter((part) => !thinking.includes(part) && !isAll(this.#dividedOf(part).own, this.#parts[part]));
    const marked = edited.filter((part) => !cut.includes(part) && textsIn(this.#dividedOf(part).own).length > 0);
    const added = edited.filter((part) => this.#dividedOf(part).added.length > 0);
    const make = (how: SentCut['how'], parts: number[], marks: string[]): Cut[] =>
      parts.length === 0 ? [] : [{ message, how, marks, parts }];
    return [
      ...make('thinking', thinking, []),
      ...make('cut', cut, this.#marksOf(cut)),
      ...make('marked', marked, this.#marksOf(marked)),
      ...make(
        'added',
        added,
        added.flatMap((part) => textsIn(this.#dividedOf(part).added)),
      ),
    ];
  }

  /** The mark of a message that went with those beside it, which stands at the end of a text before them, or at the beginning of one behind them. */
  marksBeside(message: number): string[] {
    const known = this.#beside[message];
    if (known !== undefined) return known;
    let [first, last] = [message, message];
    while (this.isRemoved(first - 1)) first--;
    while (this.isRemoved(last + 1)) last++;
    const marks = this.#marksAround(first, last);
    for (let at = first; at <= last; at++) this.#beside[at] = marks;
    return marks;
  }

  #marksAround(first: number, last: number): string[] {
    const marks: string[] = [];
    for (let at = last + 1; at < this.#own.length && !this.isRemoved(at); at++)
      for (const part of this.#own[at] ?? []) {
        const { own } = this.#dividedOf(part);
        const end = own.findIndex(isRange);
        marks.push(...textsIn(own.slice(0, Math.max(0, end))));
      }
    for (let at = first - 1; at >= 0 && !this.isRemoved(at); at--)
      for (const part of this.#own[at] ?? []) {
        const { own } = this.#dividedOf(part);
        marks.push(...textsIn(own.slice(own.findLastIndex(isRange) + 1)));
      }
    const ofMessages = marks.filter((mark) => MESSAGES.test(mark));
    const isIts = (mark: string) => {
      const [, count, from] = MESSAGES.exec(mark) ?? [];
      return from === undefined ? Number(count) === last - first + 1 : Number(from) === first;
    };
    const mark = ofMessages.find(isIts) ?? ofMessages[0];
    return mark === undefined ? [] : [mark];
  }
}
